//! A bot that simulates games and picks the answer with the best average result.
//!
//! Every playout starts in a determinized copy, so the bot never uses hidden information. All
//! answers are tried in the same copies, and the worse half is dropped round by round (sequential
//! halving), so that the budget goes to the answers that are hard to tell apart.

use crate::number::cast;
use std::cmp::Reverse;

use super::budget::{Budget, Left};
use super::world::world;
use super::{Random, greedy};
use crate::content::SeatId;
use crate::game::chance::mix;
use crate::game::{Agent as _, Answer, Ask, Game};

/// The default number of playouts per decision.
pub const PLAYOUTS: usize = 100;
/// How many answers get playouts. If there are more, a quick evaluation selects the best ones.
const MOST: usize = 5;
/// How many determinized copies the quick evaluation uses.
const LOOKS: u64 = 2;
/// An answer needs this many playouts before it can be clearly best.
const LEAST: usize = 5;
/// A playout follows a fight for at most this many decisions, then evaluates the position.
const LONGEST: usize = 30;
/// The same limit if no pack declares an evaluation, in which case only the end of the game counts.
const TO_THE_END: usize = 600;
/// The evaluation of an answer that is not valid in a copy.
const WORST: i64 = -1_000_000_000;

/// The results of a candidate answer.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The answer that was tried.
    pub answer: Answer,
    /// The playouts in which no other answer did better in the same copy.
    pub best: usize,
    /// The evaluation at the end of each playout, in the order of the copies.
    worths: Vec<i64>,
}

impl Tried {
    /// The number of playouts.
    #[must_use]
    pub const fn playouts(&self) -> usize {
        self.worths.len()
    }

    /// The average evaluation.
    #[must_use]
    pub fn worth(&self) -> i64 {
        self.worths.iter().sum::<i64>() / whole(self.worths.len().max(1))
    }

    /// The percentage of playouts in which no other answer did better.
    #[must_use]
    pub fn sure(&self) -> usize {
        (self.best * 100)
            .checked_div(self.playouts())
            .unwrap_or(100)
    }
}

/// Answers the pending question.
///
/// # Errors
/// Returns the fault of an evaluation script.
pub fn answer(
    game: &Game,
    ask: &Ask,
    seat: SeatId,
    chance: u64,
    budget: &Budget,
) -> Result<Answer, String> {
    let tried = think(game, ask, seat, chance, budget)?;
    let best = tried.into_iter().next().map(|tried| tried.answer);
    Ok(best.unwrap_or_else(|| Random::new(chance).decide(game.core(), ask)))
}

/// Simulates the candidate answers and returns them, best first.
///
/// # Errors
/// Returns the fault of an evaluation script.
pub fn think(
    game: &Game,
    ask: &Ask,
    seat: SeatId,
    chance: u64,
    budget: &Budget,
) -> Result<Vec<Tried>, String> {
    let answers = greedy::answers(game, ask, seat, &mut Random::new(chance));
    let tried = |answer| Tried {
        answer,
        best: 0,
        worths: Vec::new(),
    };
    let mut tried: Vec<Tried> = answers.into_iter().map(tried).collect();
    if tried.len() < 2 {
        return Ok(tried);
    }
    let left = budget.begin();
    if tried.len() > MOST && is_judged(game) {
        look(game, &mut tried, seat, mix(chance))?;
        tried.truncate(MOST);
    }
    compare(game, &mut tried, seat, chance, &left)?;
    Ok(tried)
}

/// Runs playouts until the budget is used up or the best answer is clear, and sorts the best first.
fn compare(
    game: &Game,
    tried: &mut [Tried],
    seat: SeatId,
    chance: u64,
    left: &Left,
) -> Result<(), String> {
    let rounds = tried.len().next_power_of_two().ilog2() as usize;
    let (mut in_it, mut playouts, mut copies) = (tried.len(), 0, 0);
    for round in 1..=rounds {
        let mut clear = false;
        while !clear && left.used(playouts) * rounds < round * 1000 {
            let world = world(game, seat, mix(chance ^ copies));
            copies += 1;
            try_in(&world, &mut tried[..in_it], seat)?;
            playouts += in_it;
            clear = is_judged(game) && is_clear(&tried[..in_it]);
        }
        tried[..in_it].sort_by_key(|one| Reverse(one.worth()));
        if clear {
            break;
        }
        in_it = in_it.div_ceil(2).max(2);
    }
    Ok(())
}

/// Sorts answers by the evaluation of the position right after them.
fn look(game: &Game, tried: &mut [Tried], seat: SeatId, chance: u64) -> Result<(), String> {
    let mut sums = vec![0; tried.len()];
    for number in 0..LOOKS {
        let world = world(game, seat, mix(chance ^ number));
        for (sum, one) in sums.iter_mut().zip(&*tried) {
            *sum += match world.imagine(one.answer.clone()) {
                Ok(mut copy) => greedy::lead(&mut copy, seat)?,
                Err(_) => WORST,
            };
        }
    }
    let mut order: Vec<usize> = (0..tried.len()).collect();
    order.sort_by_key(|ix| Reverse(sums[*ix]));
    let sorted: Vec<Tried> = order.into_iter().map(|ix| tried[ix].clone()).collect();
    tried.clone_from_slice(&sorted);
    Ok(())
}

/// Runs a playout for each answer in the same copy.
fn try_in(world: &Game, tried: &mut [Tried], seat: SeatId) -> Result<(), String> {
    let mut most = i64::MIN;
    for one in &mut *tried {
        let worth = playout(world, one.answer.clone(), seat)?;
        one.worths.push(worth);
        most = most.max(worth);
    }
    for one in tried
        .iter_mut()
        .filter(|one| one.worths.last() == Some(&most))
    {
        one.best += 1;
    }
    Ok(())
}

/// Whether further playouts would hardly change which answer is best, or all answers do equally
/// well.
fn is_clear(tried: &[Tried]) -> bool {
    let Some(best) = tried.iter().max_by_key(|one| one.worth()) else {
        return true;
    };
    let others = || tried.iter().filter(|one| !std::ptr::eq(*one, best));
    best.worths.len() >= LEAST && others().all(|other| is_above(&best.worths, &other.worths))
}

/// Whether the mean difference is more than 1.5 standard errors above 0, or all differences are the
/// same.
fn is_above(best: &[i64], other: &[i64]) -> bool {
    let differences = best
        .iter()
        .zip(other)
        .map(|(one, two)| i128::from(one - two));
    let (sum, squares) = differences.fold((0, 0), |(sum, squares), one| {
        (sum + one, squares + one * one)
    });
    let count = i128::from(whole(best.len()));
    let spread = count * squares - sum * sum;
    spread == 0 || 4 * sum * sum * (count - 1) > 9 * spread
}

/// Plays an answer on in a copy and returns the evaluation. Fights are finished at random: a random
/// fight says less about the result than about which answer helps, but many more of them fit into
/// the budget.
fn playout(world: &Game, answer: Answer, seat: SeatId) -> Result<i64, String> {
    let Ok(mut copy) = world.imagine(answer) else {
        return Ok(WORST);
    };
    if goes_on(&copy, 0) {
        copy.play_on();
        let mut random = Random::new(copy.state().seed);
        let mut number = 0;
        while goes_on(&copy, number)
            && let Some(ask) = copy.pending()
        {
            let next = random.decide(copy.core(), ask);
            if copy.answer(next).is_err() {
                break;
            }
            number += 1;
        }
    }
    greedy::lead(&mut copy, seat)
}

/// Whether a playout continues after `number` decisions: while a fight lasts, or to the end of a
/// game without an evaluation.
fn goes_on(game: &Game, number: usize) -> bool {
    let longest = match game.state().fights.is_empty() {
        _ if !is_judged(game) => TO_THE_END,
        true => 0,
        false => LONGEST,
    };
    game.state().over.is_none() && number < longest
}

/// Whether the packs declare an evaluation.
fn is_judged(game: &Game) -> bool {
    !game.content().worths.is_empty()
}

fn whole(number: usize) -> i64 {
    cast::<_, i64>(number)
}

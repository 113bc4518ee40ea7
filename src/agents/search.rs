//! The answer that did best in many games as they might go on from here.
//!
//! Each of these games begins in a copy in which whatever the seat does not know was exchanged, so that no hidden card is seen.
//! All answers are tried in the same copies, and the worse half of them is left out again and again, until the budget is used
//! up: luck and effort are spent on the answers that are hard to tell apart.

use crate::number::cast;
use std::cmp::Reverse;

use super::budget::{Budget, Left};
use super::world::world;
use super::{Random, greedy};
use crate::content::SeatId;
use crate::game::chance::mix;
use crate::game::{Agent as _, Answer, Ask, Game};

/// So many playouts a decision gets, unless somebody says otherwise.
pub const PLAYOUTS: usize = 100;
/// So many answers are played on. Where there are more, all are looked at first, and these seem best.
const MOST: usize = 5;
/// In so many copies they are looked at.
const LOOKS: u64 = 2;
/// In so many copies an answer has to be better before it is clear that it is.
const LEAST: usize = 5;
/// So many decisions of a fight are played on, until it is over or the position is judged as it stands.
const LONGEST: usize = 30;
/// So many decisions are played on in a game of which packs do not say what a position is worth: only its end tells.
const TO_THE_END: usize = 600;
/// What an answer is worth that does not fit in a copy.
const WORST: i64 = -1_000_000_000;

/// What came of trying an answer.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The answer.
    pub answer: Answer,
    /// In how many of its playouts nothing else that was tried in the same copy did better.
    pub best: usize,
    /// What the position was worth at the end of each playout, copy by copy.
    worths: Vec<i64>,
}

impl Tried {
    /// How often it was played on.
    #[must_use]
    pub const fn playouts(&self) -> usize {
        self.worths.len()
    }

    /// What the position was worth in the end, on average.
    #[must_use]
    pub fn worth(&self) -> i64 {
        self.worths.iter().sum::<i64>() / whole(self.worths.len().max(1))
    }

    /// In how many of a hundred playouts nothing else did better.
    #[must_use]
    pub fn sure(&self) -> usize {
        (self.best * 100)
            .checked_div(self.playouts())
            .unwrap_or(100)
    }
}

/// The answer to the question that waits.
///
/// # Errors
/// What is wrong with the pack's script.
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

/// The answers that were played on, the best first.
///
/// # Errors
/// What is wrong with the pack's script.
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

/// Plays answers on until the budget is used up or it is clear which is best, and puts the best first.
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

/// Orders answers by how things stand right after them.
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

/// Plays every answer on in a copy.
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

/// Whether one answer is so much better than each other that further playouts would hardly change it, or none makes a difference.
fn is_clear(tried: &[Tried]) -> bool {
    let Some(best) = tried.iter().max_by_key(|one| one.worth()) else {
        return true;
    };
    let others = || tried.iter().filter(|one| !std::ptr::eq(*one, best));
    best.worths.len() >= LEAST && others().all(|other| is_above(&best.worths, &other.worths))
}

/// Whether the mean of the differences is 1.5 times its standard error above 0, or all of them are the same.
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

/// What a copy is worth some answers later. Fights are fought out by chance: it says less about how they end than about which
/// beginning helps, but so many more of them can be fought.
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

/// Whether a playout goes on after so many decisions: as long as a fight lasts, or to the end of a game that cannot be judged before.
fn goes_on(game: &Game, number: usize) -> bool {
    let longest = match game.state().fights.is_empty() {
        _ if !is_judged(game) => TO_THE_END,
        true => 0,
        false => LONGEST,
    };
    game.state().over.is_none() && number < longest
}

/// Whether packs say what a position is worth.
fn is_judged(game: &Game) -> bool {
    !game.content().worths.is_empty()
}

fn whole(number: usize) -> i64 {
    cast::<_, i64>(number)
}

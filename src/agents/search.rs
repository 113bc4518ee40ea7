//! The answer that did best in many games as they might go on from here.
//!
//! Each of these games begins in a copy in which whatever the seat does not know was exchanged, so that no hidden card is seen.
//! All answers are tried in the same copies, and the worse half of them is left out again and again, until the playouts are
//! used up: luck and effort are spent on the answers that are hard to tell apart.

use super::{Random, greedy};
use crate::content::SeatId;
use crate::game::chance::mix;
use crate::game::{Agent as _, Answer, Ask, Game};

/// So many playouts a decision gets, unless somebody says otherwise.
pub const PLAYOUTS: usize = 100;
/// So many answers are tried at most.
const MOST: usize = 24;
/// So many decisions a playout goes on for at most.
const DEEPEST: usize = 12;

/// What an answer is worth that does not fit in a copy.
const WORST: i64 = -1_000_000_000;

/// What came of trying an answer.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The answer.
    pub answer: Answer,
    /// In how many playouts.
    pub playouts: usize,
    /// In how many of these it did best of all that were tried in the same copy.
    pub best: usize,
    sum: i64,
}

impl Tried {
    /// What the position was worth in the end, on average.
    #[must_use]
    pub fn worth(&self) -> i64 {
        self.sum / i64::try_from(self.playouts.max(1)).unwrap_or(1)
    }
}

/// The answer to the question that waits.
///
/// # Errors
/// What is wrong with the pack's script.
pub fn answer(game: &Game, ask: &Ask, seat: SeatId, chance: u64, playouts: usize) -> Result<Answer, String> {
    let tried = think(game, ask, seat, chance, playouts)?;
    let best = tried.into_iter().next().map(|tried| tried.answer);
    Ok(best.unwrap_or_else(|| Random::new(chance).decide(game.core(), ask)))
}

/// Every answer that was tried, the best first.
///
/// # Errors
/// What is wrong with the pack's script.
pub fn think(game: &Game, ask: &Ask, seat: SeatId, chance: u64, playouts: usize) -> Result<Vec<Tried>, String> {
    let mut random = Random::new(chance);
    let mut answers = greedy::answers(game, ask, seat, &mut random);
    answers.truncate(MOST);
    let mut tried: Vec<Tried> =
        answers.into_iter().map(|answer| Tried { answer, playouts: 0, best: 0, sum: 0 }).collect();
    if tried.len() < 2 {
        return Ok(tried);
    }
    let (mut left, mut in_it, mut copies) = (playouts, tried.len(), 0);
    while in_it > 1 && left >= in_it {
        // As many for each round of leaving out.
        let rounds = usize::try_from(in_it.next_power_of_two().ilog2()).unwrap_or(1).max(1);
        let each = (left / rounds / in_it).max(1);
        for _ in 0..each {
            let world = game.determinise(seat, mix(chance ^ copies));
            copies += 1;
            let mut most = None;
            for (ix, one) in tried[..in_it].iter_mut().enumerate() {
                let worth = playout(&world, one.answer.clone(), seat)?;
                one.sum += worth;
                one.playouts += 1;
                if most.is_none_or(|(best, _)| worth > best) {
                    most = Some((worth, ix));
                }
            }
            if let Some((_, ix)) = most {
                tried[ix].best += 1;
            }
        }
        left -= each * in_it;
        tried[..in_it].sort_by_key(|one| std::cmp::Reverse(one.worth()));
        in_it = in_it.div_ceil(2);
    }
    Ok(tried)
}

/// What a copy is worth some answers later: as long as a fight goes on, everybody does what seems best.
fn playout(world: &Game, answer: Answer, seat: SeatId) -> Result<i64, String> {
    let Ok(mut copy) = world.imagine(answer) else { return Ok(WORST) };
    let deepest = std::env::var("DEEP").ok().and_then(|d| d.parse().ok()).unwrap_or(DEEPEST);
    if deepest > 0 && !copy.state().fights.is_empty() {
        copy.play_on();
        for _ in 0..deepest {
            let Some(ask) = copy.pending().filter(|_| !copy.state().fights.is_empty()) else { break };
            let next = greedy::quick(&copy, ask, ask.seat())?;
            if copy.answer(next).is_err() {
                break;
            }
        }
    }
    greedy::worth(&mut copy, seat)
}

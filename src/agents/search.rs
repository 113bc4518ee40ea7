//! A bot that simulates games and picks the answer with the best average result.
//!
//! Every playout starts in a determinized copy, so the bot never uses hidden information. All
//! answers are tried in the same copies, and the worse half is dropped round by round (sequential
//! halving), so that the budget goes to the answers that are hard to tell apart.

use crate::number::cast;
use std::cmp::Reverse;

use super::budget::{Budget, RemainingBudget};
use super::determinize::determinized;
use super::{RandomPlayer, greedy};
use crate::content::SeatId;
use crate::game::chance::mix;
use crate::game::{Agent as _, Answer, Game, Question};

/// The default number of playouts per decision.
pub const PLAYOUTS: usize = 100;
/// The number of answers that get playouts. If there are more, a quick evaluation selects the best.
const MAX_CANDIDATES: usize = 5;
/// The number of determinized copies for the quick evaluation.
const PREVIEW_COPIES: u64 = 2;
/// An answer needs this many playouts before it can be clearly best.
const MIN_PLAYOUTS: usize = 5;
/// A playout follows a fight for at most this many decisions, then evaluates the position.
const MAX_FIGHT_DECISIONS: usize = 30;
/// The same limit if no pack declares an evaluation, in which case only the end of the game counts.
const MAX_GAME_DECISIONS: usize = 600;
/// The evaluation of an answer that is not valid in a copy.
const INVALID: i64 = -1_000_000_000;

/// The results of a candidate answer.
#[derive(Clone, Debug)]
pub struct CandidateStats {
    /// The answer that was tried.
    pub answer: Answer,
    /// The number of playouts in which no other answer did better in the same copy.
    pub best: usize,
    /// The evaluation at the end of each playout, in the order of the copies.
    evaluations: Vec<i64>,
}

impl CandidateStats {
    /// The number of playouts.
    #[must_use]
    pub const fn playouts(&self) -> usize {
        self.evaluations.len()
    }

    /// The average evaluation.
    #[must_use]
    pub fn mean_evaluation(&self) -> i64 {
        self.evaluations.iter().sum::<i64>() / cast::<_, i64>(self.evaluations.len().max(1))
    }

    /// The percentage of playouts in which no other answer did better.
    #[must_use]
    pub fn best_percent(&self) -> usize {
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
    question: &Question,
    seat: SeatId,
    seed: u64,
    budget: &Budget,
) -> Result<Answer, String> {
    let ranked = rank_answers(game, question, seat, seed, budget)?;
    let best = ranked.into_iter().next().map(|best| best.answer);
    Ok(best.unwrap_or_else(|| RandomPlayer::new(seed).decide(game.context(), question)))
}

/// Simulates the candidate answers and returns them, best first.
///
/// # Errors
/// Returns the fault of an evaluation script.
pub fn rank_answers(
    game: &Game,
    question: &Question,
    seat: SeatId,
    seed: u64,
    budget: &Budget,
) -> Result<Vec<CandidateStats>, String> {
    let answers = greedy::candidates(game, question, seat, &mut RandomPlayer::new(seed));
    let unplayed = |answer| CandidateStats {
        answer,
        best: 0,
        evaluations: Vec::new(),
    };
    let mut candidates: Vec<CandidateStats> = answers.into_iter().map(unplayed).collect();
    if candidates.len() < 2 {
        return Ok(candidates);
    }
    let budget = budget.begin();
    if candidates.len() > MAX_CANDIDATES && has_evaluation(game) {
        sort_by_preview(game, &mut candidates, seat, mix(seed))?;
        candidates.truncate(MAX_CANDIDATES);
    }
    compare(game, &mut candidates, seat, seed, &budget)?;
    Ok(candidates)
}

/// Runs playouts until the budget is used up or the best answer is clear, and sorts best first.
fn compare(
    game: &Game,
    candidates: &mut [CandidateStats],
    seat: SeatId,
    seed: u64,
    budget: &RemainingBudget,
) -> Result<(), String> {
    let rounds = candidates.len().next_power_of_two().ilog2() as usize;
    let (mut remaining, mut playouts, mut copies) = (candidates.len(), 0, 0);
    for round in 1..=rounds {
        let mut decided = false;
        while !decided && budget.used(playouts) * rounds < round * 1000 {
            let copy = determinized(game, seat, mix(seed ^ copies));
            copies += 1;
            run_playouts(&copy, &mut candidates[..remaining], seat)?;
            playouts += remaining;
            decided = has_evaluation(game) && is_decided(&candidates[..remaining]);
        }
        candidates[..remaining].sort_by_key(|candidate| Reverse(candidate.mean_evaluation()));
        if decided {
            break;
        }
        remaining = remaining.div_ceil(2).max(2);
    }
    Ok(())
}

/// Sorts answers by the evaluation of the position right after them.
fn sort_by_preview(
    game: &Game,
    candidates: &mut [CandidateStats],
    seat: SeatId,
    seed: u64,
) -> Result<(), String> {
    let mut sums = vec![0; candidates.len()];
    for number in 0..PREVIEW_COPIES {
        let copy = determinized(game, seat, mix(seed ^ number));
        for (sum, candidate) in sums.iter_mut().zip(&*candidates) {
            *sum += match copy.try_answer(candidate.answer.clone()) {
                Ok(mut next) => greedy::lead(&mut next, seat)?,
                Err(_) => INVALID,
            };
        }
    }
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|ix| Reverse(sums[*ix]));
    let sorted: Vec<CandidateStats> = order.into_iter().map(|ix| candidates[ix].clone()).collect();
    candidates.clone_from_slice(&sorted);
    Ok(())
}

/// Runs a playout for each answer in the same copy.
fn run_playouts(
    copy: &Game,
    candidates: &mut [CandidateStats],
    seat: SeatId,
) -> Result<(), String> {
    let mut highest = i64::MIN;
    for candidate in &mut *candidates {
        let value = playout(copy, candidate.answer.clone(), seat)?;
        candidate.evaluations.push(value);
        highest = highest.max(value);
    }
    for candidate in candidates
        .iter_mut()
        .filter(|candidate| candidate.evaluations.last() == Some(&highest))
    {
        candidate.best += 1;
    }
    Ok(())
}

/// Whether further playouts would hardly change which answer is best, or all answers do equally
/// well.
fn is_decided(candidates: &[CandidateStats]) -> bool {
    let Some(best) = candidates
        .iter()
        .max_by_key(|candidate| candidate.mean_evaluation())
    else {
        return true;
    };
    let others = || {
        candidates
            .iter()
            .filter(|candidate| !std::ptr::eq(*candidate, best))
    };
    best.evaluations.len() >= MIN_PLAYOUTS
        && others().all(|other| is_significantly_better(&best.evaluations, &other.evaluations))
}

/// Whether the mean difference is more than 1.5 standard errors above 0, or all differences are the
/// same.
fn is_significantly_better(best: &[i64], other: &[i64]) -> bool {
    let differences = best
        .iter()
        .zip(other)
        .map(|(best, other)| i128::from(best - other));
    let (sum, squares) = differences.fold((0, 0), |(sum, squares), difference| {
        (sum + difference, squares + difference * difference)
    });
    let count = i128::from(cast::<_, i64>(best.len()));
    let spread = count * squares - sum * sum;
    spread == 0 || 4 * sum * sum * (count - 1) > 9 * spread
}

/// Continues the game after an answer in a copy, and returns the evaluation. Fights are finished
/// with random answers. A random fight does not predict the result well, but it shows which answer
/// helps, and many of them fit into the budget.
fn playout(copy: &Game, answer: Answer, seat: SeatId) -> Result<i64, String> {
    let Ok(mut playing) = copy.try_answer(answer) else {
        return Ok(INVALID);
    };
    if should_continue(&playing, 0) {
        playing.resume_playout();
        let mut random = RandomPlayer::new(playing.state().seed);
        let mut number = 0;
        while should_continue(&playing, number)
            && let Some(question) = playing.pending()
        {
            let next = random.decide(playing.context(), question);
            if playing.answer(next).is_err() {
                break;
            }
            number += 1;
        }
    }
    greedy::lead(&mut playing, seat)
}

/// Whether a playout continues after `number` decisions: while a fight lasts, or to the end of a
/// game without an evaluation.
fn should_continue(game: &Game, number: usize) -> bool {
    let limit = match game.state().fights.is_empty() {
        _ if !has_evaluation(game) => MAX_GAME_DECISIONS,
        true => 0,
        false => MAX_FIGHT_DECISIONS,
    };
    game.state().outcome.is_none() && number < limit
}

/// Whether the packs declare an evaluation.
fn has_evaluation(game: &Game) -> bool {
    !game.content().evaluations.is_empty()
}

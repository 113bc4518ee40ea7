//! Odds of a fight, from many simulated fights in determinized copies.

use super::determinize::determinized;
use super::{RandomPlayer, greedy};
use crate::content::SeatId;
use crate::game::chance::mix;
use crate::game::log::LogEvent;
use crate::game::{Entity, Game, Status};

/// A fight with more decisions than this counts as undecided.
const MAX_DECISIONS: usize = 400;
/// The number of answers to compare at each decision.
const MAX_ANSWERS: usize = 3;

/// The results of simulated fights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Odds {
    /// The fighters of each side, and the number of fights it won.
    pub sides: Vec<(Vec<Entity>, usize)>,
    /// Fights that ended without a winner.
    pub drawn: usize,
    /// Fights that reached the decision limit, or in which the game ended first.
    pub undecided: usize,
    /// The number of simulated fights.
    pub fights: usize,
}

/// Simulates the innermost fight for as long as `more` returns true for the number of fights so
/// far; `None` if there is no fight. Everything hidden from `seat` is guessed.
///
/// # Errors
/// Returns the fault of a script.
pub fn odds(
    game: &Game,
    seat: SeatId,
    seed: u64,
    mut more: impl FnMut(usize) -> bool,
) -> Result<Option<Odds>, String> {
    let Some(fight) = game.state().fights.last() else {
        return Ok(None);
    };
    let count = fight
        .fighters
        .iter()
        .map(|fighter| usize::from(fighter.side) + 1)
        .max()
        .unwrap_or(0);
    let side = |side: usize| {
        let fighters = fight
            .fighters
            .iter()
            .filter(|fighter| usize::from(fighter.side) == side);
        (fighters.map(|fighter| fighter.who).collect(), 0)
    };
    let mut odds = Odds {
        sides: (0..count).map(side).collect(),
        drawn: 0,
        undecided: 0,
        fights: 0,
    };
    while more(odds.fights) {
        match simulate_fight(game, seat, mix(seed ^ odds.fights as u64))? {
            None => odds.undecided += 1,
            Some(side) => match usize::try_from(side)
                .ok()
                .and_then(|side| odds.sides.get_mut(side))
            {
                Some((_, wins)) => *wins += 1,
                None => odds.drawn += 1,
            },
        }
        odds.fights += 1;
    }
    Ok(Some(odds))
}

/// The side that wins one simulated fight: negative for a draw, `None` if the fight does not end.
fn simulate_fight(game: &Game, seat: SeatId, seed: u64) -> Result<Option<i64>, String> {
    let mut copy = determinized(game, seat, seed);
    let fights = (
        copy.step_start_state().fights.len(),
        copy.state().fights.len(),
    );
    copy.start_log();
    let mut random = RandomPlayer::new(seed);
    for _ in 0..MAX_DECISIONS {
        let Some(question) = copy.pending() else {
            break;
        };
        let answer = greedy::quick_answer(&copy, question, &mut random, MAX_ANSWERS)?;
        let status = copy.answer(answer)?;
        let result = fight_result(&copy, fights);
        if result.is_some() || status != Status::Asking {
            return Ok(result);
        }
    }
    Ok(None)
}

/// The result of the fight, if it has ended. The log starts with the pending step, so this counts
/// the fights in progress from `at_start`, and ignores those nested deeper than `asked`.
fn fight_result(game: &Game, (at_start, asked): (usize, usize)) -> Option<i64> {
    let mut in_progress = at_start;
    for line in &game.log().lines {
        match line.event {
            LogEvent::FightStarted { .. } => in_progress += 1,
            LogEvent::FightEnded { side } if in_progress <= asked => return Some(side),
            LogEvent::FightEnded { .. } => in_progress -= 1,
            _ => {}
        }
    }
    None
}

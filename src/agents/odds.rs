//! How a fight may end: it is fought out many times, in copies in which whatever the seat does not know was exchanged.

use super::world::world;
use super::{Random, greedy};
use crate::content::SeatId;
use crate::game::chance::mix;
use crate::game::log::What;
use crate::game::{Entity, Game, Status};

/// A fight that takes more decisions than these is left undecided.
const LONGEST: usize = 400;
/// So many answers are compared at each decision.
const COMPARED: usize = 3;

/// How a fight ended, as often as it was fought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Odds {
    /// For each side: who is on it, and how often it won.
    pub sides: Vec<(Vec<Entity>, usize)>,
    /// How often it ended without a winner.
    pub drawn: usize,
    /// How often it did not end within a reasonable time, or the game ended first.
    pub undecided: usize,
    /// How often it was fought.
    pub fights: usize,
}

/// Fights the innermost fight out, as often as somebody wants to go on; nothing if there is no fight. The seat may be anyone's: it
/// only says what is not known.
///
/// # Errors
/// What is wrong with a script of the pack.
pub fn odds(
    game: &Game,
    seat: SeatId,
    chance: u64,
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
        let on_it = fight
            .fighters
            .iter()
            .filter(|fighter| usize::from(fighter.side) == side);
        (on_it.map(|fighter| fighter.who).collect(), 0)
    };
    let mut odds = Odds {
        sides: (0..count).map(side).collect(),
        drawn: 0,
        undecided: 0,
        fights: 0,
    };
    while more(odds.fights) {
        match fight_out(game, seat, mix(chance ^ odds.fights as u64))? {
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

/// The side that wins in one of the games as they might go on; below 0 if none does, nothing if the fight does not end.
fn fight_out(game: &Game, seat: SeatId, chance: u64) -> Result<Option<i64>, String> {
    let mut copy = world(game, seat, chance);
    let fights = (copy.resting().fights.len(), copy.state().fights.len());
    copy.keep_log();
    let mut random = Random::new(chance);
    for _ in 0..LONGEST {
        let Some(ask) = copy.pending() else { break };
        let answer = greedy::quick(&copy, ask, &mut random, COMPARED)?;
        let status = copy.answer(answer)?;
        let ended = ended(&copy, fights);
        if ended.is_some() || status != Status::Asking {
            return Ok(ended);
        }
    }
    Ok(None)
}

/// How the fight ended, if it did. The log begins with the step in which a question was asked; so many fights went on at its start,
/// and so many at the question.
fn ended(game: &Game, (at_start, asked): (usize, usize)) -> Option<i64> {
    let mut going_on = at_start;
    for line in &game.log().lines {
        match line.what {
            What::FightStarted { .. } => going_on += 1,
            What::FightEnded { side } if going_on <= asked => return Some(side),
            What::FightEnded { .. } => going_on -= 1,
            _ => {}
        }
    }
    None
}

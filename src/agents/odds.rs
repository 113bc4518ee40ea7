//! How a fight may end: it is fought out many times, in copies in which whatever the seat does not know was exchanged.

use super::greedy;
use crate::content::SeatId;
use crate::game::chance::mix;
use crate::game::log::What;
use crate::game::{Entity, Game, Status};

/// A fight that takes more decisions than these is left undecided.
const LONGEST: usize = 400;

/// How a fight ended, as often as it was fought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Odds {
    /// For each side: who is on it, and how often it won.
    pub sides: Vec<(Vec<Entity>, usize)>,
    /// How often it was fought.
    pub fights: usize,
}

/// Fights the innermost fight out, as often as somebody wants to go on; nothing if there is no fight.
///
/// # Errors
/// What is wrong with a script of the pack.
pub fn odds(
    game: &Game,
    seat: SeatId,
    chance: u64,
    mut more: impl FnMut(usize) -> bool,
) -> Result<Option<Odds>, String> {
    let depth = game.state().fights.len();
    let Some(fight) = game.state().fights.last() else { return Ok(None) };
    let count = fight.fighters.iter().map(|fighter| usize::from(fighter.side) + 1).max().unwrap_or(0);
    let side = |side: usize| {
        let on_it = fight.fighters.iter().filter(|fighter| usize::from(fighter.side) == side);
        (on_it.map(|fighter| fighter.who).collect(), 0)
    };
    let mut odds = Odds { sides: (0..count).map(side).collect(), fights: 0 };
    while more(odds.fights) {
        let mut copy = game.determinise(seat, mix(chance ^ odds.fights as u64));
        copy.keep_log();
        for _ in 0..LONGEST {
            let Some(ask) = copy.pending().filter(|_| copy.state().fights.len() >= depth) else { break };
            let answer = greedy::quick(&copy, ask, ask.seat())?;
            if copy.answer(answer)? != Status::Asking {
                break;
            }
        }
        let ends = copy.log().lines.iter().rev();
        let won = ends.filter(|_| copy.state().fights.len() < depth).find_map(|line| match line.what {
            What::FightEnded { side } => Some(side),
            _ => None,
        });
        if let Some((_, wins)) = won.and_then(|side| odds.sides.get_mut(usize::try_from(side).ok()?)) {
            *wins += 1;
        }
        odds.fights += 1;
    }
    Ok(Some(odds))
}

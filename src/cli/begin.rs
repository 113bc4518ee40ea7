//! The one way in which a game is begun that was chosen.

use super::Failure;
use super::session::{Session, Style};
use super::start::Chosen;
use crate::agents::{Player, seated};
use crate::game::{Game, Setup};

/// What a game at a prompt starts from. Fails if its initial state names something that is not there.
pub fn setup(chosen: &Chosen, players: &[Player]) -> Result<Setup, Failure> {
    let header = &chosen.header;
    if let Some(initial) = &header.initial {
        let seats = u8::try_from(players.len()).unwrap_or(u8::MAX);
        let resolved = initial.resolve(&chosen.opened.rules.content, seats);
        resolved.map_err(Failure::cannot)?;
    }
    Ok(Setup {
        initial: header.initial.clone(),
        journal: true,
        log: true,
        ..seated(players, header.seed)
    })
}

/// Begins the game that was chosen, and plays to the first question. Before anything of it is played, but not before it is known
/// that it can be, something may be written and told.
pub fn begin(
    chosen: &Chosen,
    players: Vec<Player>,
    style: Style,
    first: impl FnOnce(&mut Session) -> Result<(), Failure>,
) -> Result<Session, Failure> {
    let header = &chosen.header;
    let setup = setup(chosen, &players)?;
    let game = Game::new(chosen.opened.rules.clone(), setup).map_err(Failure::cannot)?;
    let mut session = Session::new(game, players, header.clone(), style);
    first(&mut session)?;
    session.begin()?;
    Ok(session)
}

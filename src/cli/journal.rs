//! Opens journals with the rules they are played with.

use std::path::Path;
use std::rc::Rc;

use super::game_args::find_mode;
use super::{Failure, refuse, screen};
use crate::agents::Player;
use crate::cases::setup::header_forced;
use crate::game::{Journal, Rules, Setup};
use crate::library::PackLibrary;
use crate::pack::GameChoice;
use crate::session::recorded_setup;

pub fn read(path: &Path) -> Result<Journal, Failure> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| Failure::error(format!("{name}: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::error(format!("{name} is not a text file")))?;
    Journal::parse(&text).map_err(|reason| Failure::error(format!("{name}: {reason}")))
}

/// The rules and the setup of a journal. Warns about packs that have changed since it was written.
pub fn open(
    path: &Path,
    journal: &Journal,
    library: &PackLibrary,
) -> Result<(Rc<Rules>, Setup), Failure> {
    let header = &journal.header;
    find_mode(&library.modes(), &header.mode)?;
    let choice = GameChoice {
        mode: header.mode.clone(),
        with: header.with.clone(),
        options: header.options.clone(),
    };
    let initial = header.initial.as_ref();
    let script = initial.and_then(|initial| initial.script.as_deref());
    let (rules, report) = library.open(&choice, script);
    let Some(rules) = rules.filter(|_| report.has_no_errors()) else {
        return Err(refuse(library, &report));
    };
    for pack in header
        .packs
        .iter()
        .filter(|pack| !rules.content.packs.contains(pack))
    {
        let mut current = rules.content.packs.iter();
        let (id, version) = (&pack.id, &pack.version);
        screen::print_error(&match current.find(|current| current.id == *id) {
            None => format!("the journal needs {id} {version}, which was not found"),
            Some(current) if current.version == *version => {
                format!("{id} {version} has changed since the journal was written")
            }
            Some(current) => format!(
                "the journal was written with {id} {version}; this is {id} {}",
                current.version
            ),
        });
    }
    let error = |reason: String| Failure::error(format!("{}: {reason}", path.display()));
    let players: Result<Vec<Player>, String> = header
        .players
        .iter()
        .map(|(name, who)| Player::parse(name, who))
        .collect();
    let forced = header_forced(&rules.content, &header.forced).map_err(error)?;
    let players: Vec<Player> = players.map_err(error)?;
    let setup = recorded_setup(&rules, &players, header).map_err(error)?;
    Ok((rules, Setup { forced, ..setup }))
}

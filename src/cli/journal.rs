//! A journal on disk, and the game it belongs to.

use std::path::Path;
use std::rc::Rc;

use super::start::find_mode;
use super::{Failure, refuse, screen};
use crate::agents::{Player, seated};
use crate::author::given::header_forced;
use crate::game::{Journal, Rules, Setup};
use crate::pack::Choice;
use crate::shelf::Shelf;

/// Reads a journal.
pub fn read(path: &Path) -> Result<Journal, Failure> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| Failure::cannot(format!("{name}: {error}")))?;
    let written =
        String::from_utf8(bytes).map_err(|_| Failure::cannot(format!("{name} is no text")))?;
    Journal::parse(&written).map_err(|why| Failure::cannot(format!("{name}: {why}")))
}

/// What a journal's game is played with; says so if the packs are no longer those it was made with.
pub fn open(path: &Path, journal: &Journal, shelf: &Shelf) -> Result<(Rc<Rules>, Setup), Failure> {
    let header = &journal.header;
    find_mode(&shelf.modes(), &header.mode)?;
    let choice = Choice {
        mode: header.mode.clone(),
        with: header.with.clone(),
        options: header.options.clone(),
    };
    let initial = header.initial.as_ref();
    let script = initial.and_then(|initial| initial.script.as_deref());
    let (rules, report) = shelf.open(&choice, script);
    let Some(rules) = rules.filter(|_| report.is_sound()) else {
        return Err(refuse(shelf, &report));
    };
    for pack in header
        .packs
        .iter()
        .filter(|pack| !rules.content.packs.contains(pack))
    {
        let now = rules.content.packs.iter().find(|now| now.id == pack.id);
        let now = now.map_or("is not there now".to_owned(), |now| {
            format!("is now {}, and differs", now.version)
        });
        screen::complain(&format!(
            "the journal was made with {} {}, which {now}",
            pack.id, pack.version
        ));
    }
    let wrong = |why: String| Failure::cannot(format!("{}: {why}", path.display()));
    let players: Result<Vec<Player>, String> = header
        .players
        .iter()
        .map(|(name, who)| Player::parse(name, who))
        .collect();
    let forced = header_forced(&rules.content, &header.forced).map_err(wrong)?;
    let players = players.map_err(wrong)?;
    if let Some(initial) = initial {
        let seats = u8::try_from(players.len()).unwrap_or(u8::MAX);
        initial.resolve(&rules.content, seats).map_err(wrong)?;
    }
    let setup = seated(&players, header.seed);
    Ok((
        rules,
        Setup {
            forced,
            initial: header.initial.clone(),
            journal: true,
            log: true,
            ..setup
        },
    ))
}

//! The words `save` and `load` at the prompt, and the saves they mean.

use std::time::SystemTime;

use super::keeper::Keeper;
use super::session::{Question, Session};
use super::{saves, screen};
use crate::game::{Header, Journal};
use crate::pack::Origin;
use crate::saves::{Saves, named, put};
use crate::shelf::Shelf;

/// Keeps a game without being asked. Where that cannot be, it is told, and the game goes on.
pub fn keep(session: &mut Session, shelf: &Shelf) {
    let Some(saves) = Saves::of_user() else {
        return;
    };
    session.header.folders = folders(shelf, &session.header);
    begin(session, &saves);
    keep_packs(session, &saves, shelf);
    session.saves = Some(saves);
}

/// Begins a save for a game.
pub fn begin(session: &mut Session, saves: &Saves) {
    match Keeper::begin_save(saves, &session.header) {
        Ok(keeper) => {
            session.save = Some(keeper);
            session.history.first = Some(session.game.journal().len());
        }
        Err(error) => screen::complain(&format!(
            "the game is not kept: {error}; it goes on all the same"
        )),
    }
}

/// Keeps the packs of a game that is kept, and removes what no save needs any more.
#[allow(
    clippy::disallowed_methods,
    reason = "what was left behind goes when it is old; no game sees the time"
)]
pub fn keep_packs(session: &Session, saves: &Saves, shelf: &Shelf) {
    if session.save.is_none() {
        return;
    }
    saves.tidy(SystemTime::now());
    if let Err(error) = saves.kept().keep(&shelf.set, &session.header.packs) {
        screen::complain(&format!(
            "the packs of this game are not kept: {error}; should they change, they are gone"
        ));
    }
}

/// The folders of packs of a game that are found only because of where somebody stands, or of what was typed.
fn folders(shelf: &Shelf, header: &Header) -> Vec<String> {
    let packs = header
        .packs
        .iter()
        .filter_map(|stamp| shelf.set.pack(&stamp.id))
        .map(|(_, pack)| pack);
    let loose = packs.filter(|pack| !matches!(pack.origin, Origin::Embedded | Origin::UserData));
    let whole = loose.filter_map(|pack| std::path::absolute(&pack.root).ok());
    whole
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

impl Session {
    /// Does what a word about saves asks for.
    pub(super) fn save_word(&mut self, word: &str) {
        let (what, name) = word.split_once(char::is_whitespace).unwrap_or((word, ""));
        match (what, name.trim()) {
            ("save", "") => screen::say(&self.how_to_save()),
            ("save", name) => self.save_as(name),
            (_, name) => self.load(name),
        }
    }

    fn how_to_save(&self) -> String {
        let kept = self.save.as_ref().filter(|keeper| keeper.path().is_some());
        let kept =
            kept.map(|keeper| format!("Every answer is kept, in the save {}. ", keeper.name()));
        format!(
            "{}`save NAME` keeps a copy of how things stand now.",
            kept.unwrap_or_default()
        )
    }

    fn save_as(&mut self, typed: &str) {
        let Some(saves) = &self.saves else {
            return screen::say(NOT_HERE);
        };
        let Some(name) = named(typed) else {
            return screen::say(
                "A name has letters, digits, `-` and `_`, 40 at most, as in `save before-the-fight`.",
            );
        };
        if saves.place_of_game(&name).exists() {
            return screen::say(&format!(
                "{name} is a game that keeps itself; take another name for the copy."
            ));
        }
        if saves.place_of_named(&name).exists() {
            screen::say(&format!("There is a save {name}. `yes` writes over it."));
            self.question = Some(Question::Save(name));
            return;
        }
        self.save_over(&name);
    }

    /// Writes a named copy, whatever is there.
    pub(super) fn save_over(&self, name: &str) {
        let Some(saves) = &self.saves else {
            return screen::say(NOT_HERE);
        };
        let path = saves.place_of_named(name);
        let journal = Journal {
            header: self.header.clone(),
            lines: self.game.journal().to_vec(),
            notes: self.notes(),
        };
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        match folder.and_then(|()| put(&path, &journal.text())) {
            Ok(_) => screen::say(&format!(
                "Saved as {name}; `load {name}` or `kaer resume {name}` comes back to it."
            )),
            Err(error) => screen::say(&format!("{}: {error}", path.display())),
        }
    }

    fn load(&mut self, typed: &str) {
        let Some(saves) = &self.saves else {
            return screen::say(NOT_HERE);
        };
        if typed.is_empty() {
            saves::show(&saves.list());
            return screen::say("`load NAME` goes on with one of them; this game is kept.");
        }
        if self
            .save
            .as_ref()
            .is_some_and(|keeper| keeper.name() == typed)
        {
            return screen::say("This is the game you play; every answer of it is kept.");
        }
        match saves.find(typed) {
            Some(path) => self.next = Some(path),
            None => screen::say(&format!("There is no save `{typed}`; `load` lists them.")),
        }
    }
}

/// Said where a game is played that is not kept.
const NOT_HERE: &str = "There are no saves here.";

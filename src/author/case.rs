//! The scenario format: a game from a given state, moves by key, and what is expected.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::diagnostic::Span;

/// Something a case says, and where it says it: what fails is told with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// What it says.
    pub value: T,
    /// Where.
    pub at: Span,
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Names with what is said of each, sorted by name.
pub type Rows<T> = Vec<(At<String>, T)>;

/// How many players, or their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Players {
    /// So many.
    Count(u8),
    /// These.
    Names(Vec<String>),
}

/// One case, with what its file says for all of them. A row of `rows` is a case of its own.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it shows.
    pub name: At<String>,
    /// The rules it proves.
    pub rule: Vec<String>,
    /// The mode that is played; the pack's first where none is given.
    pub mode: Option<At<String>>,
    /// What each player is, by id; nothing where that is left to the game.
    pub roles: Vec<At<String>>,
    /// Further packs.
    pub with: Vec<At<String>>,
    /// Options.
    pub options: Vec<At<String>>,
    /// The players; as few as the mode takes where none are given.
    pub players: Option<At<Players>>,
    /// The seed.
    pub seed: u64,
    /// Results of chance given in advance: numbers from 1, `order: a, b`, `piece: a`.
    pub chance: Vec<At<Forced>>,
    /// What is so before the first move.
    pub given: Given,
    /// The moves: keys of options, with `2>` before them for an answer of seat 2.
    pub moves: Vec<At<String>>,
    /// Who goes on after the moves: `random`, to the end.
    pub then: Option<At<String>>,
    /// What is expected.
    pub expect: Expect,
}

impl Case {
    /// Whether there is anything to play: a case may only say what `kaer check` has to find.
    #[must_use]
    pub fn is_played(&self) -> bool {
        let asked = Expect {
            diagnostics: None,
            ..self.expect.clone()
        };
        let moved = !self.moves.is_empty() || self.then.is_some();
        self.expect.diagnostics.is_none()
            || moved
            || self.given.at().is_some()
            || asked != Expect::default()
    }
}

/// A result of chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forced {
    /// A number from 1.
    Number(u32),
    /// An order or a piece.
    Text(String),
}

/// What is so before the first move.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Files that are laid over the pack in memory: `"extra.toml" = '''…'''`.
    pub files: Rows<String>,
    /// Counters: `"1.coins" = 3`.
    pub counters: Rows<i64>,
    /// Zones, the top first: `"1.hand" = ["a", "b"]`.
    pub zones: Rows<Vec<At<String>>>,
    /// Places of seats: `"1" = "mill"`.
    pub places: Rows<At<String>>,
    /// A script, after all of that, which all cases of the file have.
    pub first: Option<At<String>>,
    /// The case's own script.
    pub run: Option<At<String>>,
}

impl Given {
    /// Where the case itself says what is so; nothing if it says nothing, files apart.
    #[must_use]
    pub fn at(&self) -> Option<Span> {
        let own = self.run.as_ref().map(|script| script.at);
        let rows = self
            .zones
            .iter()
            .map(|(path, _)| path.at)
            .chain(self.counters.iter().map(|(path, _)| path.at));
        own.or_else(|| {
            rows.chain(self.places.iter().map(|(seat, _)| seat.at))
                .next()
        })
    }
}

/// What is wanted at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A number, of a counter or of pieces.
    Number(i64),
    /// A word.
    Word(String),
    /// The ids of pieces, the top first.
    Pieces(Vec<String>),
}

/// What is expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// How many moves are made before the log counts.
    pub after: Option<At<usize>>,
    /// Parts of lines, in this order.
    pub log: Vec<At<String>>,
    /// Parts of lines that must not be there.
    pub not_log: Vec<At<String>>,
    /// Counters, zones, places.
    pub state: Rows<Wanted>,
    /// What statistics have counted, all groups of each that is named: `fights = { "Ogre: won" = 1 }`.
    pub counted: Rows<BTreeMap<String, i64>>,
    /// A part of the question that waits, or of its id.
    pub decision: Option<At<String>>,
    /// The keys that are open, all of them, in any order.
    pub options: Option<At<Vec<String>>>,
    /// Keys that are closed, and a part of the reason.
    pub closed: Rows<String>,
    /// Keys that are not shown.
    pub hidden: Vec<At<String>>,
    /// Whether the game is over.
    pub over: Option<At<bool>>,
    /// The winners, by number.
    pub winners: Option<At<Vec<u8>>>,
    /// Parts of faults of scripts; none are expected where none are named.
    pub faults: Vec<At<String>>,
    /// Why the last move does not fit.
    pub refused: Option<At<String>>,
    /// What a seat may not find anywhere in its view: `"2" = ["Low Sweep"]`.
    pub unseen: Rows<Vec<String>>,
    /// What `kaer check` finds in the pack, all of it: codes, perhaps with a file and a line before them.
    pub diagnostics: Option<At<Vec<At<String>>>>,
    /// Whether the whole log is compared with a snapshot.
    pub snapshot: bool,
}

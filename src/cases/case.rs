//! The format of test cases: an initial state, moves by option key, and expectations.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::diagnostic::Span;

/// A value with its source location, so that failures can name the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value itself; `Located` derefs to it.
    pub value: T,
    /// Its source location.
    pub at: Span,
}

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A table with arbitrary keys, sorted by key.
pub type KeyedTable<T> = Vec<(Located<String>, T)>;

/// The players of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerList {
    /// Only the number; the players are called `P1`, `P2` and so on.
    Count(u8),
    /// The players' names.
    Names(Vec<String>),
}

/// A case, with the defaults of its file applied. Each row of `rows` becomes a separate case.
#[derive(Clone, Debug)]
pub struct Case {
    /// A sentence that says what the case shows.
    pub name: Located<String>,
    /// The rules it covers.
    pub rule: Vec<String>,
    /// The mode to play; by default the pack's first.
    pub mode: Option<Located<String>>,
    /// The role of each player, by id; empty if the game assigns roles.
    pub roles: Vec<Located<String>>,
    /// Expansions to add, by id.
    pub with: Vec<Located<String>>,
    /// Options to enable.
    pub options: Vec<Located<String>>,
    /// The players; by default the smallest number that the mode allows.
    pub players: Option<Located<PlayerList>>,
    /// The random seed.
    pub seed: u64,
    /// Forced random results after the setup: numbers from 1, `order: a, b`, `piece: a`.
    pub chance: Vec<Located<ForcedResult>>,
    /// Whether `chance` comes from `[defaults]`, so that it may have more results than the case
    /// needs.
    pub inherits_chance: bool,
    /// The state before the first move.
    pub setup: CaseSetup,
    /// The moves: keys of options, with a prefix such as `2>` if another seat answers.
    pub moves: Vec<Located<String>>,
    /// Who plays the game to its end after the moves; only `random`.
    pub then: Option<Located<String>>,
    /// What must be true afterwards.
    pub expect: Expectation,
}

impl Case {
    /// Whether the case plays a game. A case that only lists expected diagnostics does not.
    #[must_use]
    pub fn is_played(&self) -> bool {
        let asked = Expectation {
            diagnostics: None,
            ..self.expect.clone()
        };
        let moved = !self.moves.is_empty() || self.then.is_some();
        self.expect.diagnostics.is_none()
            || moved
            || self.setup.at().is_some()
            || asked != Expectation::default()
    }
}

/// A forced random result, before it is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForcedResult {
    /// A number, counted from 1.
    Number(u32),
    /// `order: a, b` or `piece: a`.
    Text(String),
}

/// The state before the first move.
#[derive(Clone, Debug, Default)]
pub struct CaseSetup {
    /// The entry the game starts at, as with `kaer play --at`.
    pub start: Option<Located<String>>,
    /// Files that replace or extend those of the pack, in memory: `"extra.toml" = '''…'''`.
    pub files: KeyedTable<String>,
    /// Counters: `"1.coins" = 3`.
    pub counters: KeyedTable<i64>,
    /// Flags: `"table.baron" = "spared"`, `"1.met" = true`.
    pub flags: KeyedTable<Located<String>>,
    /// Zones, top first: `"1.hand" = ["a", "b"]`.
    pub zones: KeyedTable<Vec<Located<String>>>,
    /// Places of seats: `"1" = "mill"`.
    pub places: KeyedTable<Located<String>>,
    /// Forced random results of the setup.
    pub chance: Vec<Located<ForcedResult>>,
    /// Whether `chance` comes from `[defaults]`.
    pub inherits_chance: bool,
    /// The scripts that run before the setup of the mode: that of `[defaults]` and that of the
    /// case.
    pub before: Vec<Located<String>>,
    /// The scripts that run last: that of `[defaults]` and that of the case.
    pub run: Vec<Located<String>>,
}

impl CaseSetup {
    /// The source location of the first part of the setup other than `files`; `None` without a
    /// setup.
    #[must_use]
    pub fn at(&self) -> Option<Span> {
        let own = self
            .run
            .iter()
            .rev()
            .chain(self.before.iter().rev())
            .chain(&self.start)
            .map(|text| text.at)
            .next();
        let rows = self
            .zones
            .iter()
            .map(|(path, _)| path.at)
            .chain(self.counters.iter().map(|(path, _)| path.at))
            .chain(self.flags.iter().map(|(path, _)| path.at));
        own.or_else(|| {
            rows.chain(self.places.iter().map(|(seat, _)| seat.at))
                .next()
        })
    }
}

/// The expected value at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedValue {
    /// The value of a counter, or the number of pieces in a zone.
    Number(i64),
    /// The id of a place or a zone, or the value of a flag.
    Word(String),
    /// The ids of pieces, top first.
    Pieces(Vec<String>),
}

/// What must be true after the moves. A field that the case omits is not checked, except `faults`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The number of moves whose log lines are skipped.
    pub after: Option<Located<usize>>,
    /// Parts of log lines, in this order.
    pub log: Vec<Located<String>>,
    /// Texts that no log line may contain.
    pub not_log: Vec<Located<String>>,
    /// Counters, zones and places by path.
    pub state: KeyedTable<ExpectedValue>,
    /// Expected statistics, by group: `fights = { "Ogre: won" = 1 }`. A statistic listed here must
    /// match in every group.
    pub counted: KeyedTable<BTreeMap<String, i64>>,
    /// Part of the pending question or of its id.
    pub decision: Option<Located<String>>,
    /// The keys of all open options, in any order.
    pub options: Option<Located<Vec<String>>>,
    /// Keys of options that must be open, among others.
    pub open: Vec<Located<String>>,
    /// Keys of closed options, each with part of the reason.
    pub closed: KeyedTable<String>,
    /// Keys of options that must not be offered, open or closed.
    pub hidden: Vec<Located<String>>,
    /// Whether the game is over.
    pub over: Option<Located<bool>>,
    /// The winners by seat number.
    pub winners: Option<Located<Vec<u8>>>,
    /// Parts of script faults; if the list is empty, no script may fail.
    pub faults: Vec<Located<String>>,
    /// Part of the reason why the last move is refused.
    pub refused: Option<Located<String>>,
    /// Texts that must not appear anywhere in a seat's view: `"2" = ["Low Sweep"]`.
    pub unseen: KeyedTable<Vec<String>>,
    /// Every diagnostic of `kaer check` for the pack: codes, optionally preceded by a file and a
    /// line.
    pub diagnostics: Option<Located<Vec<Located<String>>>>,
    /// Whether the whole log is compared with a snapshot.
    pub snapshot: bool,
}

//! The scenario format: a game from a given state, moves by key, and what is expected.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A file of cases.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// What each case of the file takes over where it says nothing.
    #[serde(default)]
    pub defaults: Defaults,
    /// The cases.
    #[serde(default)]
    pub case: Vec<Case>,
}

/// What each case of a file takes over.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Defaults {
    /// The mode.
    pub mode: Option<String>,
    /// The players.
    pub players: Option<Players>,
    /// A script that runs before each case's own.
    #[serde(rename = "do")]
    pub run: Option<String>,
}

/// How many players, or their names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Players {
    /// So many.
    Count(u8),
    /// These.
    Names(Vec<String>),
}

/// One word, or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl Words {
    /// All of them.
    #[must_use]
    pub fn list(&self) -> &[String] {
        match self {
            Words::One(one) => std::slice::from_ref(one),
            Words::Many(many) => many,
        }
    }
}

/// One case.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// The rules it proves.
    #[serde(default)]
    pub rule: Option<Words>,
    /// The mode that is played; the pack's first where none is given.
    #[serde(default)]
    pub mode: Option<String>,
    /// What each player is, by id, where that is not left to the game.
    #[serde(default)]
    pub roles: Vec<String>,
    /// Further packs.
    #[serde(default)]
    pub with: Vec<String>,
    /// Options.
    #[serde(default)]
    pub options: Vec<String>,
    /// The players; as few as the mode takes where none are given.
    #[serde(default)]
    pub players: Option<Players>,
    /// The seed.
    #[serde(default)]
    pub seed: u64,
    /// Results of chance given in advance: numbers from 1, `order: a, b`, `piece: a`.
    #[serde(default)]
    pub chance: Vec<Forced>,
    /// What is so before the first move.
    #[serde(default)]
    pub given: Given,
    /// The moves: keys of options, with `2>` before them for an answer of seat 2.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Who goes on after the moves: `random`, to the end.
    #[serde(default)]
    pub then: Option<String>,
    /// What is expected.
    #[serde(default)]
    pub expect: Expect,
}

/// A result of chance.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Forced {
    /// A number from 1.
    Number(u32),
    /// An order or a piece.
    Text(String),
}

/// What is so before the first move.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Counters: `"1.coins" = 3`.
    #[serde(default)]
    pub counters: BTreeMap<String, i64>,
    /// Zones, the top first: `"1.hand" = ["a", "b"]`.
    #[serde(default)]
    pub zones: BTreeMap<String, Vec<String>>,
    /// Places of seats: `"1" = "mill"`.
    #[serde(default)]
    pub places: BTreeMap<String, String>,
    /// A script, after all of that.
    #[serde(default, rename = "do")]
    pub run: Option<String>,
}

/// What is expected.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Parts of lines, in this order.
    #[serde(default)]
    pub log: Vec<String>,
    /// Parts of lines that must not be there.
    #[serde(default)]
    pub not_log: Vec<String>,
    /// Counters, zones, places.
    #[serde(default)]
    pub state: BTreeMap<String, toml::Value>,
    /// What statistics have counted, all groups of each that is named: `fights = { "Rotfiend: won" = 1 }`.
    #[serde(default)]
    pub counted: BTreeMap<String, BTreeMap<String, i64>>,
    /// A part of the question that waits, or of its id.
    #[serde(default)]
    pub decision: Option<String>,
    /// The keys that are open, all of them, in any order.
    #[serde(default)]
    pub options: Option<Vec<String>>,
    /// Keys that are closed, and a part of the reason.
    #[serde(default)]
    pub closed: BTreeMap<String, String>,
    /// Keys that are not shown.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Whether the game is over.
    #[serde(default)]
    pub over: Option<bool>,
    /// The winners, by number.
    #[serde(default)]
    pub winners: Option<Vec<u8>>,
    /// Parts of faults of scripts; none are expected where none are named.
    #[serde(default)]
    pub faults: Vec<String>,
    /// Why the last move does not fit.
    #[serde(default)]
    pub refused: Option<String>,
    /// What a seat may not find anywhere in its view: `"2" = ["Low Sweep"]`.
    #[serde(default)]
    pub unseen: BTreeMap<String, Vec<String>>,
    /// Whether the whole log is compared with a snapshot.
    #[serde(default)]
    pub snapshot: bool,
}

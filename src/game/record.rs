//! A game as a document for programs: how it began, what was answered, what happened, what it came to.

use serde::Serialize;

use super::journal::Header;
use super::play::Game;
use super::setup::InitialState;
use super::summary::Summary;
use super::text;

/// The version of the document.
pub const VERSION: u32 = 2;

/// A game as a document.
#[derive(Clone, Debug, Serialize)]
pub struct Record<'a> {
    /// `kaer-record`.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// How it began.
    pub header: HeaderRecord<'a>,
    /// What was answered.
    pub answers: Vec<AnswerRecord<'a>>,
    /// What happened, bookkeeping and all.
    pub log: Vec<LineRecord>,
    /// What it came to, or how it stands.
    pub summary: Summary,
    /// The hash of the state.
    pub hash: String,
    /// The command that begins the same game, if there is one.
    pub command: Option<String>,
}

/// How a game began.
#[derive(Clone, Debug, Serialize)]
pub struct HeaderRecord<'a> {
    /// `pack:mode`.
    pub mode: &'a str,
    /// The packs in force, in layer order.
    pub packs: Vec<PackRecord<'a>>,
    /// Packs that were chosen on top of the mode's.
    pub with: &'a [String],
    /// The options.
    pub options: &'a [String],
    /// The players, in the order of their seats.
    pub players: Vec<PlayerRecord<'a>>,
    /// The seed of all chance.
    pub seed: u64,
    /// The state it was brought into after set-up, if it did not start as its mode says.
    pub setup: Option<&'a InitialState>,
}

/// A pack in force.
#[derive(Clone, Debug, Serialize)]
pub struct PackRecord<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its version.
    pub version: &'a str,
    /// The hash of its content.
    pub hash: &'a str,
}

/// A player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerRecord<'a> {
    /// The number of the seat, from 0.
    pub seat: usize,
    /// The name.
    pub name: &'a str,
    /// Who decides, and what the player is: `human`, `greedy:bear`.
    pub who: &'a str,
}

/// An answer.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerRecord<'a> {
    /// Whose, from 0.
    pub seat: u8,
    /// To which question.
    pub id: &'a str,
    /// What was picked.
    pub keys: &'a [String],
}

/// A line of the log.
#[derive(Clone, Debug, Serialize)]
pub struct LineRecord {
    /// What kind of thing happened.
    pub what: &'static str,
    /// In words, for someone who sees everything.
    pub text: Option<String>,
    /// Whether it is bookkeeping.
    pub quiet: bool,
    /// The pack, entry and script that did it; nothing means the engine itself.
    pub cause: Option<String>,
}

impl<'a> From<&'a Header> for HeaderRecord<'a> {
    fn from(header: &'a Header) -> HeaderRecord<'a> {
        let pack = |pack: &'a crate::content::PackStamp| PackRecord {
            id: &pack.id,
            version: &pack.version,
            hash: &pack.hash,
        };
        let player =
            |(seat, (name, who)): (usize, &'a (String, String))| PlayerRecord { seat, name, who };
        HeaderRecord {
            mode: &header.mode,
            packs: header.packs.iter().map(pack).collect(),
            with: &header.with,
            options: &header.options,
            players: header.players.iter().enumerate().map(player).collect(),
            seed: header.seed,
            setup: header.initial.as_ref(),
        }
    }
}

impl Game {
    /// The game as a document.
    #[must_use]
    pub fn record<'a>(&'a self, header: &'a Header, command: Option<String>) -> Record<'a> {
        let core = self.core();
        let line = |line: &super::log::Line| LineRecord {
            what: line.what.word(),
            text: text::whole(core, line, None),
            quiet: text::is_quiet(core, &line.what),
            cause: text::cause(core, line),
        };
        let answer = |line: &'a super::journal::Line| AnswerRecord {
            seat: line.seat.0,
            id: &line.id,
            keys: &line.keys,
        };
        Record {
            format: "kaer-record",
            version: VERSION,
            header: header.into(),
            answers: self.journal().iter().map(answer).collect(),
            log: self.log().lines.iter().map(line).collect(),
            summary: self.summary(),
            hash: self.state().hash(),
            command,
        }
    }
}

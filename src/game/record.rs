//! A game as a JSON document for programs: header, answers, log and summary.

use serde::Serialize;

use super::journal::GameHeader;
use super::play::Game;
use super::render::log_line;
use super::setup::InitialState;
use super::summary::Summary;

/// The version of the document.
pub const VERSION: u32 = 2;

/// A game as a document.
#[derive(Clone, Debug, Serialize)]
pub struct Record<'a> {
    /// Always `kaer-record`.
    pub format: &'static str,
    /// [`VERSION`].
    pub version: u32,
    /// How the game was started.
    pub header: HeaderRecord<'a>,
    /// The answers, oldest first.
    pub answers: Vec<AnswerRecord<'a>>,
    /// Every log line, including bookkeeping.
    pub log: Vec<LineRecord>,
    /// The result, or the present state of an unfinished game.
    pub summary: Summary,
    /// The hash of the state.
    pub hash: String,
    /// The command that starts the same game, if there is one.
    pub command: Option<String>,
}

/// How a game was started.
#[derive(Clone, Debug, Serialize)]
pub struct HeaderRecord<'a> {
    /// `pack:mode`.
    pub mode: &'a str,
    /// The enabled packs, in layer order.
    pub packs: Vec<PackRecord<'a>>,
    /// Expansions that were added to those of the mode.
    pub with: &'a [String],
    /// Options of the mode that were switched on.
    pub options: &'a [String],
    /// The players, by seat.
    pub players: Vec<PlayerRecord<'a>>,
    /// The random seed.
    pub seed: u64,
    /// The state to change the game into after setup; `None` for the regular start of the mode.
    pub setup: Option<&'a InitialState>,
}

/// An enabled pack.
#[derive(Clone, Debug, Serialize)]
pub struct PackRecord<'a> {
    /// The id in its `pack.toml`.
    pub id: &'a str,
    /// The version in its `pack.toml`.
    pub version: &'a str,
    /// The hash of its content.
    pub hash: &'a str,
}

/// A player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerRecord<'a> {
    /// Counted from 0.
    pub seat: usize,
    /// The name shown to players.
    pub name: &'a str,
    /// The controller, with the role after a colon: `human`, `greedy:smith`.
    pub who: &'a str,
}

/// An answer of a player.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerRecord<'a> {
    /// Counted from 0.
    pub seat: u8,
    /// The id of the question.
    pub id: &'a str,
    /// The keys of the chosen options.
    pub keys: &'a [String],
}

/// A line of the log.
#[derive(Clone, Debug, Serialize)]
pub struct LineRecord {
    /// The kind of event; see [`LogEvent::kind_name`](super::log::LogEvent::kind_name).
    pub what: &'static str,
    /// The verbose text, for a reader who sees everything.
    pub text: Option<String>,
    /// Whether it is bookkeeping, which only `--verbose` shows.
    pub quiet: bool,
    /// The pack, entry and script that caused it; `None` means the engine.
    pub cause: Option<String>,
}

impl<'a> From<&'a GameHeader> for HeaderRecord<'a> {
    fn from(header: &'a GameHeader) -> HeaderRecord<'a> {
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
    /// The record of this game so far; `command` starts the same game again.
    #[must_use]
    pub fn record<'a>(&'a self, header: &'a GameHeader, command: Option<String>) -> Record<'a> {
        let context = self.context();
        let line = |line: &super::log::LogLine| LineRecord {
            what: line.event.kind_name(),
            text: log_line::render_verbose(context, line, None),
            quiet: log_line::is_quiet(context, &line.event),
            cause: log_line::describe_cause(context, line),
        };
        let answer = |line: &'a super::journal::JournalLine| AnswerRecord {
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

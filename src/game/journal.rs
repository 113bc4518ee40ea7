//! The journal: packs, options, seed and answers, which together reproduce a game.
//!
//! It is a text file: a header, a blank line, then one row per answer with seat, question and keys.
//! Notes are rows of their own: `undo 2` takes back the last two answers. A journal is append-only,
//! so an interrupted write damages nothing but its last row.
//!
//! A journal holds answers and no results, so whatever decides what the answers lead to belongs to
//! the format. The work count of a step does: a step that exceeds
//! `MAX_WORK` is rewound, and its action is closed. If an instruction or
//! a primitive costs more or less, a step near the limit ends differently, and the answers after it
//! may fit no question. Changing what things cost therefore needs a new format version.

use std::fmt::Write as _;

use super::context::Cx;
use super::decision;
use super::question::{Answer, Question};
use super::setup::InitialState;
use crate::content::{PackStamp, SeatId};
use crate::migrate;

/// The version of the file format, which is that of the language. Raise it when packs have to be
/// rewritten, and when work, randomness or hook order change what the same answers lead to.
pub(crate) const FORMAT: u32 = migrate::VERSION;

/// A recorded answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalLine {
    /// The seat that answered; files count from 1.
    pub seat: SeatId,
    /// The id of the question.
    pub id: String,
    /// The keys of the options that were picked.
    pub keys: Vec<String>,
}

/// The information that a game starts from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameHeader {
    /// The enabled packs, in layer order.
    pub packs: Vec<PackStamp>,
    /// The mode, as `pack:mode`.
    pub mode: String,
    /// The title of the mode, for lists of journals.
    pub title: String,
    /// The packs enabled in addition to those of the mode.
    pub with: Vec<String>,
    /// The enabled options.
    pub options: Vec<String>,
    /// The name of each player, and its controller.
    pub players: Vec<(String, String)>,
    /// The random seed.
    pub seed: u64,
    /// The state to change the game into after setup; `None` for the regular start of the mode.
    pub initial: Option<InitialState>,
    /// The campaign that the game belongs to.
    pub campaign: Option<CampaignGame>,
    /// Random results that are set in advance.
    pub forced: Vec<String>,
    /// Folders of packs outside the search path, for journals that stay on one machine.
    pub folders: Vec<String>,
}

/// A game's position in a campaign.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CampaignGame {
    /// The full name of the campaign.
    pub name: String,
    /// The id of the scenario.
    pub scenario: String,
    /// The name of the campaign log.
    pub log: String,
}

/// The progress of a game, apart from its answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JournalNotes {
    /// For games that start at a later point, the number of answers before that point.
    pub begun: usize,
    /// How many times answers were taken back after new information had been revealed.
    pub hindsight: u32,
    /// The current round.
    pub round: u32,
    /// Whether the game is over.
    pub over: bool,
}

/// A recorded game: its starting point and its answers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Journal {
    /// What the game starts from.
    pub header: GameHeader,
    /// The answers that were not taken back.
    pub lines: Vec<JournalLine>,
    /// The progress recorded with them.
    pub notes: JournalNotes,
}

/// Records an answer, if the game keeps a journal.
pub(crate) fn record_answer(cx: &mut Cx, question: &Question, answer: &Answer) {
    if cx.journal.is_some() {
        let line = JournalLine {
            seat: answer.seat,
            id: decision::id(cx, question),
            keys: decision::answer_keys(cx, question, answer),
        };
        if let Some(journal) = &mut cx.journal {
            journal.push(line);
        }
    }
}

impl JournalLine {
    /// The row in the file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{} {}", self.seat.0 + 1, self.id);
        for key in &self.keys {
            let _ = write!(text, " {key}");
        }
        text
    }

    fn parse(text: &str) -> Option<JournalLine> {
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        let seat = words
            .next()?
            .parse::<u8>()
            .ok()?
            .checked_sub(1)
            .filter(|seat| *seat < 8)?;
        let id = words.next()?.to_owned();
        Some(JournalLine {
            seat: SeatId(seat),
            id,
            keys: words.map(str::to_owned).collect(),
        })
    }
}

impl GameHeader {
    /// The header of the file, including the blank line that ends it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("kaer-journal {FORMAT}\n");
        let mut row = |name: &str, value: &str| {
            let _ = writeln!(text, "{name} {}", escape(value));
        };
        for pack in &self.packs {
            row(
                "pack",
                &format!("{} {} {}", pack.id, pack.version, pack.hash),
            );
        }
        row("mode", &self.mode);
        if !self.title.is_empty() {
            row("title", &self.title);
        }
        self.with.iter().for_each(|pack| row("with", pack));
        self.options.iter().for_each(|option| row("option", option));
        self.players
            .iter()
            .for_each(|(name, agent)| row("player", &format!("{agent} {name}")));
        row("seed", &self.seed.to_string());
        self.forced.iter().for_each(|forced| row("forced", forced));
        let initial = self.initial.iter().flat_map(InitialState::rows);
        initial.for_each(|value| row("setup", &value));
        if let Some(CampaignGame {
            name,
            scenario,
            log,
        }) = &self.campaign
        {
            row("campaign", &format!("{name} {scenario} {log}"));
        }
        self.folders.iter().for_each(|folder| row("folder", folder));
        text.push('\n');
        text
    }
}

impl Journal {
    /// The complete file.
    #[must_use]
    pub fn text(&self) -> String {
        let new = Journal::default();
        format!(
            "{}{}",
            self.header.text(),
            new.rows(&self.lines, self.notes)
        )
    }

    /// The rows to append to this journal so that it contains these answers and notes.
    #[must_use]
    pub fn rows(&self, lines: &[JournalLine], notes: JournalNotes) -> String {
        let mut text = String::new();
        let mut note = |name: &str, value: usize| {
            let _ = writeln!(text, "{name} {value}");
        };
        // Notes that cannot be reconstructed come first, because the last rows may be lost.
        if notes.begun != self.notes.begun {
            note("begun", notes.begun);
        }
        if notes.hindsight != self.notes.hindsight {
            note("hindsight", notes.hindsight as usize);
        }
        let same = self.same(lines);
        let removed = self.lines.len() - same;
        if removed > 0 || (self.notes.over && !notes.over && lines.len() == same) {
            note("undo", removed);
        }
        let was_over = self.notes.over && removed == 0 && lines.len() == same;
        for line in &lines[same..] {
            text += &line.text();
            text.push('\n');
        }
        if notes.round != self.notes.round {
            let _ = writeln!(text, "round {}", notes.round);
        }
        if notes.over && !was_over {
            text += "over\n";
        }
        text
    }

    /// Replaces the answers and notes.
    pub fn replace(&mut self, lines: &[JournalLine], notes: JournalNotes) {
        let same = self.same(lines);
        self.lines.truncate(same);
        self.lines.extend_from_slice(&lines[same..]);
        self.notes = notes;
    }

    /// The number of leading answers that both have in common.
    fn same(&self, lines: &[JournalLine]) -> usize {
        self.lines
            .iter()
            .zip(lines)
            .take_while(|(held, line)| held == line)
            .count()
    }

    /// Parses a file. A last line without a line break was cut off while it was being written, and
    /// is dropped.
    ///
    /// # Errors
    /// Returns what is wrong, with the line number.
    pub fn parse(text: &str) -> Result<Journal, String> {
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines().enumerate();
        let first = lines.next().map_or("", |(_, line)| line);
        match first.strip_prefix("kaer-journal ").map(str::parse::<u32>) {
            Some(Ok(FORMAT)) => {}
            // Every journal of an older version can be migrated.
            Some(Ok(1..FORMAT)) => {
                return Journal::parse(&migrate::journal(whole, &migrate::PackNames::default()));
            }
            Some(Ok(other)) => {
                return Err(format!(
                    "unsupported journal format {other}: this version of Kaer reads formats 1 to {FORMAT}; get a newer one"
                ));
            }
            _ => {
                return Err(
                    "not a journal: the first line must start with `kaer-journal`".to_owned(),
                );
            }
        }
        let mut journal = Journal::default();
        for (ix, line) in lines.by_ref() {
            if line.is_empty() {
                break;
            }
            journal
                .header
                .read_row(line)
                .map_err(|reason| format!("line {}: {reason}", ix + 1))?;
        }
        for (ix, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            journal
                .read_row(line)
                .ok_or_else(|| format!("line {}: not a valid answer: `{line}`", ix + 1))?;
        }
        Ok(journal)
    }

    /// Reads an answer or a note.
    fn read_row(&mut self, row: &str) -> Option<()> {
        if row == "over" {
            self.notes.over = true;
            return Some(());
        }
        let number = |text: &str| text.parse::<u32>().ok();
        match row.split_once(' ').unwrap_or((row, "")) {
            ("begun", count) => self.notes.begun = number(count)? as usize,
            ("hindsight", count) => self.notes.hindsight = number(count)?,
            ("round", round) => self.notes.round = number(round)?,
            ("undo", count) => {
                let left = self.lines.len().checked_sub(number(count)? as usize)?;
                self.lines.truncate(left);
                self.notes.over = false;
            }
            _ => {
                self.lines.push(JournalLine::parse(row)?);
                self.notes.over = false;
            }
        }
        Some(())
    }
}

impl GameHeader {
    fn read_row(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = unescape(value);
        match name {
            "pack" => {
                let mut words = value.split(' ').map(str::to_owned);
                let (Some(id), Some(version), Some(hash)) =
                    (words.next(), words.next(), words.next())
                else {
                    return Err("`pack` needs an id, a version and a hash".to_owned());
                };
                self.packs.push(PackStamp { id, version, hash });
            }
            "mode" => self.mode = value,
            "title" => self.title = value,
            "with" => self.with.push(value),
            "option" => self.options.push(value),
            "player" => {
                let (agent, name) = value
                    .split_once(' ')
                    .ok_or("`player` needs a player type and a name")?;
                self.players.push((name.to_owned(), agent.to_owned()));
            }
            "seed" => {
                self.seed = value
                    .parse()
                    .map_err(|_| format!("`{value}` is not a valid seed"))?;
            }
            "forced" => self.forced.push(value),
            "setup" => self.initial.get_or_insert_default().read_row(&value)?,
            "campaign" => {
                let words: Vec<String> = value.split(' ').map(str::to_owned).collect();
                let [name, scenario, log] = <[String; 3]>::try_from(words)
                    .map_err(|_| "`campaign` needs a name, a scenario and a log".to_owned())?;
                self.campaign = Some(CampaignGame {
                    name,
                    scenario,
                    log,
                });
            }
            "folder" => self.folders.push(value),
            other => return Err(format!("unknown field `{other}` in the header")),
        }
        Ok(())
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\r', "")
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            },
            (c, false) => out.push(c),
        }
    }
    out
}

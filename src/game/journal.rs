//! The journal: seed, packs, options and answers: all it takes to be in the same place again.
//!
//! A text file: a header, a blank line, then one line an answer: seat, question, keys.

use std::fmt::Write as _;

use super::ask::{Answer, Ask};
use super::cx::Cx;
use super::decision;
use crate::content::{PackStamp, SeatId};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// An answer, as the journal holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Who, from 1 in the file.
    pub seat: SeatId,
    /// Which question.
    pub id: String,
    /// What was picked.
    pub keys: Vec<String>,
}

/// What a game starts from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// The packs in force, in layer order.
    pub packs: Vec<PackStamp>,
    /// `pack:mode`.
    pub mode: String,
    /// Packs that were chosen on top of the mode's.
    pub with: Vec<String>,
    /// The options.
    pub options: Vec<String>,
    /// The players' names and who plays them.
    pub players: Vec<(String, String)>,
    /// The seed of all chance.
    pub seed: u64,
    /// A script that ran after set-up, to start in the middle of things.
    pub given: Option<String>,
    /// Results of chance given in advance.
    pub forced: Vec<String>,
}

/// A journal: where a game started and what was answered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Journal {
    /// Where it started.
    pub header: Header,
    /// What was answered.
    pub lines: Vec<Line>,
}

/// Notes an answer, if a journal is kept.
pub fn note(cx: &mut Cx, ask: &Ask, answer: &Answer) {
    if cx.journal.is_some() {
        let line = Line { seat: answer.seat, id: decision::id(cx, ask), keys: decision::answer_keys(cx, ask, answer) };
        if let Some(journal) = &mut cx.journal {
            journal.push(line);
        }
    }
}

impl Line {
    /// The line as it stands in the file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{} {}", self.seat.0 + 1, self.id);
        for key in &self.keys {
            let _ = write!(text, " {key}");
        }
        text
    }

    fn parse(text: &str) -> Option<Line> {
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        let seat = words.next()?.parse::<u8>().ok()?.checked_sub(1).filter(|seat| *seat < 8)?;
        let id = words.next()?.to_owned();
        Some(Line { seat: SeatId(seat), id, keys: words.map(str::to_owned).collect() })
    }
}

impl Header {
    /// The header as it stands in the file, with the blank line that ends it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("kaer-journal {FORMAT}\n");
        let mut row = |name: &str, value: &str| {
            let _ = writeln!(text, "{name} {}", escape(value));
        };
        for pack in &self.packs {
            row("pack", &format!("{} {} {}", pack.id, pack.version, pack.hash));
        }
        row("mode", &self.mode);
        self.with.iter().for_each(|pack| row("with", pack));
        self.options.iter().for_each(|option| row("option", option));
        self.players.iter().for_each(|(name, agent)| row("player", &format!("{agent} {name}")));
        row("seed", &self.seed.to_string());
        self.forced.iter().for_each(|forced| row("forced", forced));
        if let Some(given) = &self.given {
            row("given", given);
        }
        text.push('\n');
        text
    }
}

impl Journal {
    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.header.text();
        for line in &self.lines {
            let _ = writeln!(text, "{}", line.text());
        }
        text
    }

    /// Reads a file. A last line without its end was torn while it was written, and is dropped.
    ///
    /// # Errors
    /// What is wrong, with the number of the line.
    pub fn parse(text: &str) -> Result<Journal, String> {
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines().enumerate();
        let first = lines.next().map_or("", |(_, line)| line);
        match first.strip_prefix("kaer-journal ").map(str::parse::<u32>) {
            Some(Ok(FORMAT)) => {}
            Some(Ok(other)) => return Err(format!("this journal has format {other}; this kaer reads format {FORMAT}")),
            _ => return Err("this is no journal: it does not begin with `kaer-journal`".to_owned()),
        }
        let mut journal = Journal::default();
        for (ix, line) in lines.by_ref() {
            if line.is_empty() {
                break;
            }
            journal.header.read_row(line).map_err(|why| format!("line {}: {why}", ix + 1))?;
        }
        for (ix, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let line = Line::parse(line).ok_or_else(|| format!("line {}: this is no answer: `{line}`", ix + 1))?;
            journal.lines.push(line);
        }
        Ok(journal)
    }
}

impl Header {
    fn read_row(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = unescape(value);
        match name {
            "pack" => {
                let mut words = value.split(' ').map(str::to_owned);
                let (Some(id), Some(version), Some(hash)) = (words.next(), words.next(), words.next()) else {
                    return Err("a pack has an id, a version and a hash".to_owned());
                };
                self.packs.push(PackStamp { id, version, hash });
            }
            "mode" => self.mode = value,
            "with" => self.with.push(value),
            "option" => self.options.push(value),
            "player" => {
                let (agent, name) = value.split_once(' ').ok_or("a player has an agent and a name")?;
                self.players.push((name.to_owned(), agent.to_owned()));
            }
            "seed" => self.seed = value.parse().map_err(|_| format!("`{value}` is no seed"))?,
            "forced" => self.forced.push(value),
            "given" => self.given = Some(value),
            other => return Err(format!("`{other}` is nothing a journal's header has")),
        }
        Ok(())
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_reads_what_it_wrote() {
        let header = Header {
            packs: vec![PackStamp { id: "a".into(), version: "1.0.0".into(), hash: "ff".into() }],
            mode: "a:b".into(),
            with: vec!["c".into()],
            options: vec!["long".into()],
            players: vec![("Ann Lee".into(), "human".into())],
            seed: 7,
            given: Some("a\\\nb".into()),
            forced: vec!["3".into()],
        };
        let line = Line { seat: SeatId(1), id: "a:b/c/do/1".into(), keys: vec!["x".into(), "y#2".into()] };
        let journal = Journal { header, lines: vec![line] };
        assert_eq!(Journal::parse(&journal.text()), Ok(journal.clone()));
        let torn = journal.text() + "1 a:b/c";
        assert_eq!(Journal::parse(&torn), Ok(journal));
    }

    #[test]
    fn what_is_no_journal_says_so() {
        assert!(Journal::parse("hello\n").is_err_and(|why| why.contains("no journal")));
        assert!(Journal::parse("kaer-journal 9\n\n").is_err_and(|why| why.contains("format 9")));
        assert!(Journal::parse("kaer-journal 1\nseed x\n").is_err_and(|why| why.contains("line 2")));
        assert!(Journal::parse("kaer-journal 1\n\n9 a\n").is_err_and(|why| why.contains("line 3")));
    }
}

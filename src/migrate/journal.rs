//! Migrates journals. The format number of a journal is the language version it was written with.

use super::table::{Area, Hook, RENAMES, VERSION, rows};
use super::{PackNames, Rewrites, script};

/// The start of a journal; the number of its format follows.
const MARK: &str = "kaer-journal ";

/// The format of a journal, if the text is one.
#[must_use]
pub fn journal_format(text: &str) -> Option<u32> {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix(MARK)?.trim_end().parse().ok()
}

/// Converts a journal to the current format. Other texts and newer journals are unchanged.
#[must_use]
pub fn journal(text: &str, scope: &PackNames) -> String {
    let Some(format) = journal_format(text).filter(|format| (1..VERSION).contains(format)) else {
        return text.to_owned();
    };
    let mut out = text.to_owned();
    for version in format + 1..=VERSION {
        out = step(&out, version, scope);
    }
    out
}

/// Converts a journal to the next version.
fn step(text: &str, version: u32, scope: &PackNames) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_header = true;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let row = line.trim_end_matches(['\n', '\r']);
        let end = &line[row.len()..];
        if number == 0 {
            out += &format!("{MARK}{version}");
        } else if row.is_empty() {
            in_header = false;
        } else if in_header {
            out += &header_row(row, version, scope);
        } else {
            out += &answer(row, version);
        }
        out += end;
    }
    out
}

fn header_row(row: &str, version: u32, scope: &PackNames) -> String {
    let (name, value) = row.split_once(' ').unwrap_or((row, ""));
    let renamed = rows(version).find(|row| row.of == Area::HeaderRow && row.old == name);
    let Some(renamed) = renamed else {
        return row.to_owned();
    };
    let (script, at) = unescaped(value);
    let (mut inner, mut changes) = (Rewrites::default(), Rewrites::default());
    script::script(&script, Hook::Action, version, scope, &mut inner);
    changes.extend(inner, &at, value, &script);
    format!("{} {}", renamed.new, changes.applied(value))
}

/// Unescapes a script written in one line, with the position of each byte in that line.
fn unescaped(line: &str) -> (String, Vec<usize>) {
    let (mut out, mut at) = (String::new(), Vec::new());
    let mut chars = line.char_indices();
    while let Some((ix, c)) = chars.next() {
        let c = match c {
            '\\' => match chars.next() {
                Some((_, 'n')) => '\n',
                Some((_, other)) => other,
                None => break,
            },
            c => c,
        };
        at.extend(std::iter::repeat_n(ix, c.len_utf8()));
        out.push(c);
    }
    at.push(line.len());
    (out, at)
}

/// Renames the question in an answer line: seat, question, keys.
fn answer(row: &str, version: u32) -> String {
    let mut words: Vec<String> = row.split(' ').map(str::to_owned).collect();
    if let [seat, id, ..] = &mut words[..]
        && seat.parse::<u8>().is_ok()
    {
        *id = decision(id, version);
    }
    words.join(" ")
}

/// Renames the id of a question: `pack:kind/entry/may.event/1`.
pub(super) fn decision(id: &str, version: u32) -> String {
    let hooks: Vec<_> = rows(version).filter(|row| row.of == Area::Hooks).collect();
    let part = |part: &str| {
        let mut names: Vec<&str> = part.split('.').collect();
        let at = if names.first() == Some(&"face") { 2 } else { 0 };
        if let Some(name) = names.get(at).copied().filter(|_| names.len() > at + 1)
            && let Some(row) = hooks.iter().find(|row| row.old == name)
        {
            names[at] = row.new;
        }
        names.join(".")
    };
    id.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// The id of a question in the current version.
#[must_use]
pub fn decision_id(id: &str) -> String {
    let mut versions: Vec<u32> = RENAMES.iter().map(|row| row.version).collect();
    versions.dedup();
    let step = |id: String, version: u32| decision(&id, version);
    versions.into_iter().fold(id.to_owned(), step)
}

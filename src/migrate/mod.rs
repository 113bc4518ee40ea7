//! Packs, scripts, cases and journals of an older version of the language, rewritten for this one.
//!
//! All renames stand in one table, [`RENAMES`]; the rest of this module finds where they apply. Bytes that are no part of
//! a renamed name stay as they are: comments, formatting, line ends. Nothing is read or written here.

mod codes;
mod document;
mod journal;
mod lexer;
mod markdown;
mod scope;
mod script;
mod table;
mod toml;

pub use journal::{decision_id, journal, journal_format};
pub use scope::Scope;
pub use table::{
    Area, Hook, RENAMES, Rename, VERSION, case_field, code, field, function, handed, kind,
    known_field, method,
};

/// What a file is, as far as renaming it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A TOML file of a pack.
    Toml,
    /// A file of functions.
    Rhai,
    /// A document with blocks of code.
    Markdown,
    /// A recorded game.
    Journal,
}

impl Format {
    /// By the name of a file and what it holds.
    #[must_use]
    pub fn of(name: &str, text: &str) -> Option<Format> {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("toml") => Some(Format::Toml),
            Some("rhai") => Some(Format::Rhai),
            Some("md") => Some(Format::Markdown),
            _ => journal_format(text).map(|_| Format::Journal),
        }
    }
}

/// A file that was rewritten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migrated {
    /// What it holds now.
    pub text: String,
    /// How many names were changed.
    pub changes: usize,
    /// What its author has to look at, with line and column in the old text.
    pub notes: Vec<(Place, String)>,
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// Rewrites a file of a given version for [`VERSION`].
///
/// # Errors
/// Why it cannot be read, or that it would be broken afterwards: then it has to be changed by hand.
pub fn migrate(text: &str, format: Format, from: u32, scope: &Scope) -> Result<Migrated, String> {
    let mut out = Migrated {
        text: text.to_owned(),
        ..Migrated::default()
    };
    if format == Format::Journal {
        out.text = journal(text, scope);
        out.changes = out
            .text
            .lines()
            .zip(text.lines())
            .filter(|(new, old)| new != old)
            .count();
        return Ok(out);
    }
    for version in from + 1..=VERSION {
        let changes = match format {
            Format::Toml => toml::toml(&out.text, version, scope)?,
            Format::Markdown => markdown::markdown(&out.text, version, scope),
            Format::Rhai | Format::Journal => {
                let mut changes = Changes::default();
                codes::comments(&out.text, version, &mut changes);
                script::library(&out.text, version, scope, &mut changes);
                changes
            }
        };
        let notes = changes.notes.iter();
        out.notes
            .extend(notes.map(|(at, note)| (place(&out.text, *at), note.clone())));
        let text = changes.applied(&out.text);
        out.changes += changes.list.len();
        out.text = text;
    }
    if format == Format::Toml {
        sound(text, &out.text)?;
    }
    Ok(out)
}

/// The version of the language a pack was written for, by the text of its `pack.toml`: the newest that its `engine` allows,
/// and the oldest where it names none.
///
/// # Errors
/// Why it cannot be told, or that it is newer than this one.
pub fn version_of(manifest: &str) -> Result<u32, String> {
    let table: ::toml::Table = manifest.parse().map_err(|why: ::toml::de::Error| {
        let Place { line, column } = place(manifest, why.span().map_or(0, |at| at.start));
        format!("{line}:{column}: this is not TOML: {}", why.message())
    })?;
    let engine = table.get("pack").and_then(|pack| pack.get("engine"));
    let Some(engine) = engine.and_then(::toml::Value::as_str) else {
        return Ok(1);
    };
    let range = semver::VersionReq::parse(engine)
        .map_err(|_| format!("`engine = \"{engine}\"` is not a range of versions"))?;
    (1..=VERSION)
        .rev()
        .find(|version| range.matches(&semver::Version::new((*version).into(), 0, 0)))
        .ok_or_else(|| {
            format!("written for engine {engine}, and this version of Kaer has engine {VERSION}")
        })
}

/// The declarations in the code blocks of a document, for its [`Scope`].
pub fn declared(markdown: &str) -> impl Iterator<Item = &str> {
    markdown::declared(markdown)
}

/// Whether a file that could be read can still be read: a name may stand there twice now.
fn sound(old: &str, new: &str) -> Result<(), String> {
    let parsed = |text: &str| ::toml::de::DeTable::parse(text).map(drop);
    match (parsed(old), parsed(new)) {
        (Ok(()), Err(why)) => {
            let Place { line, .. } = place(new, why.span().map_or(0, |at| at.start));
            Err(format!(
                "{line}: with the new names this would not be TOML: {}",
                why.message()
            ))
        }
        _ => Ok(()),
    }
}

/// A change of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    start: usize,
    end: usize,
    new: String,
}

/// The changes of a text, in any order, and what is to be said about them.
#[derive(Clone, Debug, Default)]
struct Changes {
    list: Vec<Change>,
    notes: Vec<(usize, String)>,
}

impl Changes {
    fn note(&mut self, at: usize, text: String) {
        self.notes.push((at, text));
    }

    /// Takes in the changes of a text that stands in another one: `at` says where each of its bytes is there.
    fn extend(&mut self, inner: Changes, at: &[usize], text: &str, held: &str) {
        for change in inner.list {
            let (start, end) = (at[change.start], at[change.end]);
            let same = text.get(start..end) == held.get(change.start..change.end);
            if same {
                self.list.push(Change {
                    start,
                    end,
                    ..change
                });
            } else {
                let old = &held[change.start..change.end];
                self.note(
                    start,
                    format!("`{old}` is now `{}`: write it without escapes", change.new),
                );
            }
        }
        for (place, note) in inner.notes {
            self.note(at[place.min(at.len() - 1)], note);
        }
    }

    /// The same for a text that stands there as it is.
    fn shift(&mut self, inner: Changes, by: usize) {
        for change in inner.list {
            self.list.push(Change {
                start: change.start + by,
                end: change.end + by,
                ..change
            });
        }
        let notes = inner.notes.into_iter();
        self.notes.extend(notes.map(|(at, note)| (at + by, note)));
    }

    /// The text with the changes made.
    fn applied(&self, text: &str) -> String {
        let mut list: Vec<&Change> = self.list.iter().collect();
        list.sort_by_key(|change| (change.start, change.end));
        list.dedup();
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for change in list {
            if change.start < at {
                continue;
            }
            out += &text[at..change.start];
            out += &change.new;
            at = change.end;
        }
        out + &text[at..]
    }
}

fn place(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Place {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

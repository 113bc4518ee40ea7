//! Migrates packs, scripts, cases and journals of older language versions to the current one.
//!
//! All renames are in one table, [`RENAMES`]; the rest of this module finds where they apply. Only
//! the bytes of renamed names change; comments, formatting and line endings are kept. This module
//! does not access files.

mod codes;
mod document;
mod journal;
mod markdown;
mod scope;
mod script;
mod table;
mod toml;

pub use journal::{decision_id, journal, journal_format};
pub use scope::PackNames;
pub use table::{
    Area, Hook, RENAMES, Rename, VERSION, case_field, code, field, function, hook_variable, kind,
    known_field, method,
};

/// The format of a file to migrate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// A TOML file of a pack.
    Toml,
    /// A function file.
    Rhai,
    /// A document with code blocks.
    Markdown,
    /// A recorded game.
    Journal,
}

impl FileFormat {
    /// Detects the format from the name and text of a file; `None` if it needs no migration.
    #[must_use]
    pub fn detect(name: &str, text: &str) -> Option<FileFormat> {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("toml") => Some(FileFormat::Toml),
            Some("rhai") => Some(FileFormat::Rhai),
            Some("md") => Some(FileFormat::Markdown),
            _ => journal_format(text).map(|_| FileFormat::Journal),
        }
    }
}

/// A migrated file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migrated {
    /// The new text.
    pub text: String,
    /// The number of renames.
    pub changes: usize,
    /// Notes on what the author has to check by hand, with positions in the old text.
    pub notes: Vec<(LineColumn, String)>,
}

/// A line and a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
}

/// Migrates a file from a version to [`VERSION`].
///
/// # Errors
/// Returns a message if the file cannot be parsed, or if the result would be invalid and must be
/// fixed by hand.
pub fn migrate(
    text: &str,
    format: FileFormat,
    from: u32,
    scope: &PackNames,
) -> Result<Migrated, String> {
    let mut out = Migrated {
        text: text.to_owned(),
        ..Migrated::default()
    };
    if format == FileFormat::Journal {
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
            FileFormat::Toml => toml::toml(&out.text, version, scope)?,
            FileFormat::Markdown => markdown::markdown(&out.text, version, scope),
            FileFormat::Rhai | FileFormat::Journal => {
                let mut changes = Rewrites::default();
                codes::comments(&out.text, version, &mut changes);
                script::library(&out.text, version, scope, &mut changes);
                changes
            }
        };
        let notes = changes.notes.iter();
        out.notes
            .extend(notes.map(|(at, note)| (location(&out.text, *at), note.clone())));
        let text = changes.applied(&out.text);
        out.changes += changes.list.len();
        out.text = text;
    }
    if format == FileFormat::Toml {
        check_still_valid(text, &out.text)?;
    }
    Ok(out)
}

/// The language version of a pack, from the text of its `pack.toml`: the newest version that its
/// `engine` allows, or the oldest if it has no `engine`.
///
/// # Errors
/// Returns a message if the file cannot be parsed, or if the version is newer than the current one.
pub fn version_of(manifest: &str) -> Result<u32, String> {
    let table: ::toml::Table = manifest.parse().map_err(|reason: ::toml::de::Error| {
        let LineColumn { line, column } =
            location(manifest, reason.span().map_or(0, |at| at.start));
        format!("{line}:{column}: invalid TOML: {}", reason.message())
    })?;
    let engine = table.get("pack").and_then(|pack| pack.get("engine"));
    let Some(engine) = engine.and_then(::toml::Value::as_str) else {
        return Ok(1);
    };
    let range = semver::VersionReq::parse(engine)
        .map_err(|_| format!("`engine = \"{engine}\"` is not a version range"))?;
    (1..=VERSION)
        .rev()
        .find(|version| range.matches(&semver::Version::new((*version).into(), 0, 0)))
        .ok_or_else(|| {
            format!("written for engine {engine}, but this version of Kaer has engine {VERSION}")
        })
}

/// The declarations in the code blocks of a document, for its [`PackNames`].
pub fn declared(markdown: &str) -> impl Iterator<Item = &str> {
    markdown::declared(markdown)
}

/// Checks that a valid file is still valid. A renamed key may have become a duplicate.
fn check_still_valid(old: &str, new: &str) -> Result<(), String> {
    let parsed = |text: &str| ::toml::de::DeTable::parse(text).map(drop);
    match (parsed(old), parsed(new)) {
        (Ok(()), Err(reason)) => {
            let LineColumn { line, .. } = location(new, reason.span().map_or(0, |at| at.start));
            Err(format!(
                "{line}: the new names would make this invalid TOML: {}",
                reason.message()
            ))
        }
        _ => Ok(()),
    }
}

/// A replacement of a byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rewrite {
    start: usize,
    end: usize,
    new: String,
}

/// Changes of a text, in any order, and notes for the author.
#[derive(Clone, Debug, Default)]
struct Rewrites {
    list: Vec<Rewrite>,
    notes: Vec<(usize, String)>,
}

impl Rewrites {
    fn note(&mut self, at: usize, text: String) {
        self.notes.push((at, text));
    }

    /// Adds the changes of an embedded text; `at` maps its bytes to this text.
    fn extend(&mut self, inner: Rewrites, at: &[usize], text: &str, held: &str) {
        for change in inner.list {
            let (start, end) = (at[change.start], at[change.end]);
            let same = text.get(start..end) == held.get(change.start..change.end);
            if same {
                self.list.push(Rewrite {
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
        for (at_inner, note) in inner.notes {
            self.note(at[at_inner.min(at.len() - 1)], note);
        }
    }

    /// Adds the changes of an embedded text without escapes.
    fn shift(&mut self, inner: Rewrites, by: usize) {
        for change in inner.list {
            self.list.push(Rewrite {
                start: change.start + by,
                end: change.end + by,
                ..change
            });
        }
        let notes = inner.notes.into_iter();
        self.notes.extend(notes.map(|(at, note)| (at + by, note)));
    }

    /// Applies the changes.
    fn applied(&self, text: &str) -> String {
        let mut list: Vec<&Rewrite> = self.list.iter().collect();
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

fn location(text: &str, at: usize) -> LineColumn {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    LineColumn {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

//! The context that all readers share, and the messages they have in common.

use crate::diagnostic::{Diagnostic, Edit, Files, Misspelling, Report, Span, find_misspelling};

use super::field_help;
use super::toml_tree::{TomlNode, TomlPair};
use crate::migrate;

/// Reports longer than this get no more suggestions, because computing them takes time.
pub(super) const MAX_FOR_SUGGESTIONS: usize = 200;

/// The context of a reader.
pub(crate) struct ReadContext<'a> {
    pub files: &'a Files,
    pub report: &'a mut Report,
    /// The index of the pack being read.
    pub pack: u16,
}

impl ReadContext<'_> {
    /// The nearest of some words, unless the report is already too long for suggestions.
    pub fn suggest<'w>(
        &self,
        word: &str,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Option<Misspelling<'w>> {
        if self.report.len() < MAX_FOR_SUGGESTIONS {
            find_misspelling(word, words)
        } else {
            None
        }
    }

    /// Reports an unknown key of a table, which `what` describes.
    pub fn unknown_field<'w>(
        &mut self,
        pair: &TomlPair,
        what: &str,
        known: impl Iterator<Item = &'w str> + Clone,
    ) {
        self.unknown_field_or(pair, what, known, None);
    }

    /// Like [`unknown_field`](Self::unknown_field), with a remedy if the name is not a misspelling.
    pub fn unknown_field_or<'w>(
        &mut self,
        pair: &TomlPair,
        what: &str,
        known: impl Iterator<Item = &'w str> + Clone,
        remedy: Option<String>,
    ) {
        let renamed = migrate::known_field(&pair.key, |new| known.clone().any(|own| own == new));
        let near = match field_help::synonym(&pair.key, &known) {
            Some(meant) => Some(Misspelling::from(meant)),
            None => self.suggest(&pair.key, known.clone()),
        };
        let help = (near.is_none() && renamed.is_none()).then(|| {
            let known = list_help(known);
            match remedy {
                Some(remedy) if known.ends_with(": ") => remedy,
                Some(remedy) => format!("{remedy}; {known}"),
                None => known,
            }
        });
        Diagnostic::unknown(pair.at, "unknown-field", "field", &pair.key)
            .label(format!("not a field of {what}"))
            .did_you_mean(near)
            .renamed(&pair.key, renamed)
            .maybe_help(help)
            .push(self.report);
    }

    /// Reports a missing field, with a fix if its value is obvious.
    pub fn missing_field(
        &mut self,
        at: Span,
        what: &str,
        name: &str,
        expected: &str,
        fix: Option<Edit>,
    ) {
        Diagnostic::error(at, "missing-field", format!("missing field `{name}`"))
            .label(format!("{what} needs it"))
            .help(match &fix {
                Some(edit) if edit.new.contains(" = ") => {
                    format!(
                        "add a line: {} ({expected})",
                        edit.new.trim().trim_end_matches(',')
                    )
                }
                _ => format!("add a line: {name} = … ({expected})"),
            })
            .fix(fix)
            .push(self.report);
    }

    /// Reports a value of the wrong type.
    pub fn wrong_type(&mut self, node: &TomlNode, name: &str, expected: &str) {
        let help = field_help::other_type(self.files, node, name, expected);
        Diagnostic::error(
            node.span,
            "wrong-type",
            format!("wrong type for `{name}`: found {}", node.type_phrase()),
        )
        .label(format!("expected {expected}"))
        .maybe_help(help)
        .push(self.report);
    }
}

fn list_help<'w>(known: impl Iterator<Item = &'w str>) -> String {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    format!("known fields: {}", known.join(", "))
}

//! The context that all readers share, and the messages they have in common.

use crate::diagnostic::{Diagnostic, Edit, Files, Misspelling, Report, Span, find_misspelling};

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
        let renamed = migrate::known_field(&pair.key, |new| known.clone().any(|own| own == new));
        let near = self.suggest(&pair.key, known.clone());
        let help = (near.is_none() && renamed.is_none()).then(|| list_help(known));
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
            .help(format!("add a line: {name} = … ({expected})"))
            .fix(fix)
            .push(self.report);
    }

    /// Reports a value of the wrong type.
    pub fn wrong_type(&mut self, node: &TomlNode, name: &str, expected: &str) {
        Diagnostic::error(
            node.span,
            "wrong-type",
            format!("wrong type for `{name}`: found {}", node.type_phrase()),
        )
        .label(format!("expected {expected}"))
        .maybe_help(type_help(node, expected))
        .push(self.report);
    }
}

fn list_help<'w>(known: impl Iterator<Item = &'w str>) -> String {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    format!("known fields: {}", known.join(", "))
}

fn type_help(node: &TomlNode, expected: &str) -> Option<String> {
    let text = node.as_text()?;
    if expected.starts_with("a whole number") && text.trim().parse::<i64>().is_ok() {
        return Some(format!("write it without quotes: {}", text.trim()));
    }
    if expected == "true or false" && matches!(text, "true" | "false" | "yes" | "no") {
        return Some("write true or false without quotes".into());
    }
    None
}

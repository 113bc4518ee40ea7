//! The faults that several readers of TOML find, each worded once.

use crate::diagnostic::{Diagnostic, Edit, Files, Report, Slip, Span, slip};

use super::node::{Node, Pair};
use crate::migrate;

/// When a report is this long already, nobody reads suggestions, and they take time.
const SUGGESTIONS: usize = 200;

/// What every reader of a file carries along.
pub(crate) struct Cx<'a> {
    pub files: &'a Files,
    pub report: &'a mut Report,
    /// The pack that is being read.
    pub pack: u16,
}

impl Cx<'_> {
    /// The nearest of some words, unless there are so many faults that it is not worth looking.
    pub fn suggest<'w>(
        &self,
        word: &str,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Option<Slip<'w>> {
        if self.report.len() < SUGGESTIONS {
            slip(word, words)
        } else {
            None
        }
    }

    /// A key nobody asked for. All unknown keys of all tables end here.
    pub fn unknown_field<'w>(
        &mut self,
        pair: &Pair,
        what: &str,
        known: impl Iterator<Item = &'w str> + Clone,
    ) {
        let renamed = migrate::known_field(&pair.key, |new| known.clone().any(|own| own == new));
        let near = self.suggest(&pair.key, known.clone());
        let help = (near.is_none() && renamed.is_none()).then(|| list_help(what, known));
        Diagnostic::wrong(
            pair.at,
            "unknown-field",
            format!("{what} has no field `{}`", pair.key),
        )
        .label("nobody reads this")
        .did_you_mean(near)
        .renamed(&pair.key, renamed)
        .maybe_help(help)
        .push(self.report);
    }

    /// A field that has to be there and is not, and how it is added if one can know what it shall hold.
    pub fn missing_field(
        &mut self,
        at: Span,
        what: &str,
        name: &str,
        expected: &str,
        fix: Option<Edit>,
    ) {
        Diagnostic::wrong(
            at,
            "missing-field",
            format!("{what} needs a field `{name}`"),
        )
        .label(format!("`{name}` is missing"))
        .help(format!("add a line: {name} = … ({expected})"))
        .fix(fix)
        .push(self.report);
    }

    /// A value of another type than was asked for.
    pub fn wrong_type(&mut self, node: &Node, name: &str, expected: &str) {
        Diagnostic::wrong(
            node.span,
            "wrong-type",
            format!(
                "`{name}` should be {expected}, but this is {}",
                node.words()
            ),
        )
        .label(format!("expected {expected}"))
        .maybe_help(type_help(node, expected))
        .push(self.report);
    }
}

fn list_help<'w>(what: &str, known: impl Iterator<Item = &'w str>) -> String {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    format!("{what} may have: {}", known.join(", "))
}

fn type_help(node: &Node, expected: &str) -> Option<String> {
    let text = node.as_text()?;
    if expected.starts_with("a whole number") && text.trim().parse::<i64>().is_ok() {
        return Some(format!("write it without quotes: {}", text.trim()));
    }
    if expected == "true or false" && matches!(text, "true" | "false" | "yes" | "no") {
        return Some("write true or false without quotes".into());
    }
    None
}

//! Fields of the types `options` and `results`: lists of tables with conditions.
//!
//! An option with `when` is closed unless its script returns true. Of a list of results, the first
//! whose `when` returns true applies; the last has no `when`, so that there always is one.

use crate::diagnostic::{Diagnostic, Span};

use super::builtin::row_fields;
use super::convert::Converter;
use super::kind::{FieldRules, FieldSpec, RowForm, Type};
use super::toml_tree::{TomlNode, TomlShape, TomlTable};

impl RowForm {
    /// The form of a type.
    pub fn of(word: &str) -> RowForm {
        match word {
            "options" => RowForm::Options,
            "results" => RowForm::Results,
            _ => RowForm::Plain,
        }
    }
}

/// The type of a list with the engine's fields and those of the kind, which may redeclare them.
pub(super) fn list_type(form: RowForm, added: Vec<FieldSpec>) -> Type {
    let mut own = row_fields(form).to_vec();
    own.retain(|spec| added.iter().all(|other| other.name != spec.name));
    own.extend(added);
    Type::List(Box::new(Type::Table(own)))
}

impl Converter<'_, '_> {
    /// Checks the rows of a field of the type `options` or `results`.
    pub(super) fn check_rows(&mut self, node: &TomlNode, spec: &FieldSpec) {
        let rows: Vec<(&TomlTable, Span)> = (node.items().iter())
            .filter_map(|item| Some((item.as_table()?, item.span)))
            .collect();
        let FieldRules { rows: form, .. } = spec.rules;
        match form {
            RowForm::Plain => {}
            RowForm::Options => self.check_options(&rows, node.span, &spec.name),
            RowForm::Results => self.check_results(&rows, node.span, &spec.name),
        }
    }

    fn check_options(&mut self, rows: &[(&TomlTable, Span)], at: Span, name: &str) {
        for (row, span) in rows {
            let has = |key: &str| row.get(key).is_some();
            let is_secret = row
                .get("secret")
                .is_some_and(|pair| matches!(pair.node.shape, TomlShape::Bool(true)));
            let found = match (has("when"), has("closed"), is_secret) {
                (true, false, false) => (
                    "an option with `when` needs `closed`",
                    "players would not know why it is closed",
                    "add `closed = \"the reason\"`, or `secret = true` to hide the option until then",
                ),
                (false, true, _) | (false, _, true) => (
                    "`closed` and `secret` need `when`",
                    "this option is never closed",
                    "add `when` with the condition, or remove them",
                ),
                (true, true, true) => (
                    "`closed` is never shown",
                    "`secret` hides this option while it is closed",
                    "remove `closed`, or remove `secret` to show the reason",
                ),
                _ => continue,
            };
            self.bad_rows(*span, found);
        }
        let limited = |row: &TomlTable| row.get("when").is_some() || row.get("cost").is_some();
        if !rows.is_empty() && rows.iter().all(|(row, _)| limited(row)) {
            Diagnostic::warning(
                at,
                "no-open-option",
                format!("all of `{name}` may be closed at once"),
            )
            .label("each has `when` or a cost")
            .help("add an option without either, so that there is always an answer")
            .push(self.cx.report);
        }
    }

    fn check_results(&mut self, rows: &[(&TomlTable, Span)], at: Span, name: &str) {
        let Some(((last, span), before)) = rows.split_last() else {
            let message = format!("`{name}` has no result");
            let found = (message.as_str(), "empty", "add a result without `when`");
            return self.bad_rows(at, found);
        };
        if last.get("when").is_some() {
            let found = (
                "the last result has a condition",
                "nothing happens if this one does not apply either",
                "remove its `when`, or add a last result without one",
            );
            self.bad_rows(*span, found);
        }
        for (_, span) in before.iter().filter(|(row, _)| row.get("when").is_none()) {
            let found = (
                "only the last result has no `when`",
                "the results after this one never apply",
                "add `when` with the condition, or move it to the end",
            );
            self.bad_rows(*span, found);
        }
    }

    fn bad_rows(&mut self, at: Span, (message, label, help): (&str, &str, &str)) {
        Diagnostic::error(at, "bad-condition", message)
            .label(label)
            .help(help)
            .push(self.cx.report);
    }
}

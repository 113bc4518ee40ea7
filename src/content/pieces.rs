//! Builds what is true of pieces: which kinds have a counter, and what the faces of a die show.

use super::build::ContentBuilder;
use super::defs::Owner;
use crate::diagnostic::{Diagnostic, find_misspelling};
use crate::pack;
use crate::value::{KindId, Value};

impl ContentBuilder<'_> {
    /// The kinds of pieces that have a counter; empty for all.
    pub(super) fn counted_kinds(&mut self, source: &pack::Entry, owners: &[Owner]) -> Vec<KindId> {
        let Some(field) = source.field("pieces").filter(|field| field.is_explicit) else {
            return Vec::new();
        };
        if !owners.contains(&Owner::Piece) {
            Diagnostic::error(
                field.span,
                "missing-field",
                "`pieces` needs `of = \"piece\"`",
            )
            .label("no piece has this counter")
            .help("add \"piece\" to `of`")
            .push(self.report);
        }
        let mut kinds = Vec::new();
        for name in source
            .list("pieces")
            .iter()
            .filter_map(|name| name.as_text())
        {
            match self.content.kind(name) {
                Some(kind) => kinds.push(kind),
                None => {
                    let all = self.content.kinds.iter().map(|kind| &*kind.id);
                    Diagnostic::unknown(field.span, "unknown-kind", "kind", name)
                        .label("a kind of pieces")
                        .did_you_mean(find_misspelling(name, all))
                        .help("write the ids of kinds: `pieces = [\"card\"]`")
                        .push(self.report);
                }
            }
        }
        kinds
    }

    /// Reports faces of a die that no function of a roll could count.
    pub(super) fn die_faces(&mut self, source: &pack::Entry, faces: &[Value]) {
        let is_number = |(_, value): &(crate::value::Text, Value)| matches!(value, Value::Int(_));
        let counts = |face: &&Value| match face {
            Value::Int(_) | Value::Text(_) => true,
            Value::Table(rows) => rows.iter().all(is_number),
            _ => false,
        };
        if let ([] | [_], Some(field)) = (faces, source.field("faces")) {
            let help = match faces {
                [Value::Int(n @ 2..=20)] => {
                    let list: Vec<String> = (1..=*n).map(|n| n.to_string()).collect();
                    format!("list them: faces = [{}]", list.join(", "))
                }
                _ => "list them: faces = [1, 2, 3, 4, 5, 6]".to_owned(),
            };
            Diagnostic::error(field.span, "out-of-range", "a die needs at least two faces")
                .label(format!("has {}", faces.len()))
                .help(help)
                .push(self.report);
        }
        let wrong = faces.iter().position(|face| !counts(&face));
        let Some((position, field)) = wrong.zip(source.field("faces")) else {
            return;
        };
        let message = format!("face {} of the die shows no result", position + 1);
        Diagnostic::error(field.span, "wrong-type", message)
            .label("a face is a number, a word, or a table of numbers")
            .help("write the results of a face with their numbers: { leaf = 1, thorn = 2 }")
            .push(self.report);
    }
}

//! The engine's own kinds, read from `builtin.toml`, which is written in the language of packs.

use std::sync::OnceLock;

use crate::diagnostic::{Files, Report, Span};

use super::declare::{self, KindNames};
use super::faults::Cx;
use super::kind::{FieldSpec, Kind, Type};
use super::node::{self, Shape, Table};

/// The declarations; a person who looks for the engine's kinds is shown this file.
const TEXT: &str = include_str!("builtin.toml");

/// The kinds every pack knows.
pub(super) fn kinds(files: &mut Files, report: &mut Report) -> Vec<Kind> {
    let file = files.add("builtin.toml", TEXT);
    let (table, _) = node::parse(files, file, report);
    let mut cx = Cx { files, report, pack: u16::MAX };
    let known = kind_names(&table);
    let Some(Shape::List(items)) = table.get("kind").map(|pair| &pair.node.shape) else { return Vec::new() };
    items
        .iter()
        .filter_map(|item| declare::kind(&mut cx, item.as_table()?, item.span, &known, None))
        .collect()
}

/// The fields every entry may have, whatever its kind. A field of the kind with the same name comes before them.
#[must_use]
pub fn common() -> &'static [FieldSpec] {
    static COMMON: OnceLock<Vec<FieldSpec>> = OnceLock::new();
    COMMON.get_or_init(read_common)
}

fn read_common() -> Vec<FieldSpec> {
    let mut files = Files::new();
    let mut report = Report::new();
    let file = files.add("builtin.toml", TEXT);
    let (table, _) = node::parse(&files, file, &mut report);
    let known = kind_names(&table);
    let mut cx = Cx { files: &files, report: &mut report, pack: u16::MAX };
    let Some(fields) = table.get("common").and_then(|pair| pair.node.as_table()) else { return Vec::new() };
    let Some(fields) = fields.get("fields").and_then(|pair| pair.node.as_table()) else { return Vec::new() };
    let mut specs = declare::field_specs(&mut cx, fields, &known, false);
    specs.push(face());
    specs
}

/// The one type that only the engine has, because it depends on the kind of the entry.
fn face() -> FieldSpec {
    FieldSpec {
        name: "face".into(),
        ty: Type::Face,
        optional: true,
        default: None,
        text: "Other faces of the piece, by name, with fields of their own.".into(),
        span: Span::default(),
    }
}

fn kind_names(table: &Table) -> KindNames<'_> {
    let Some(Shape::List(items)) = table.get("kind").map(|pair| &pair.node.shape) else { return KindNames::new() };
    items.iter().filter_map(|item| item.as_table()?.get("id")?.node.as_text()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_own_declarations_are_sound() {
        let mut files = Files::new();
        let mut report = Report::new();
        let kinds = kinds(&mut files, &mut report);
        assert_eq!(report.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>(), Vec::<&str>::new());
        assert!(kinds.iter().any(|kind| kind.id == "place"));
        assert!(common().iter().any(|spec| spec.name == "copies" && spec.default.is_some()));
    }
}

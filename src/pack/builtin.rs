//! The engine's own kinds, read from `builtin.toml`, which has the same syntax as packs.

use std::sync::OnceLock;

use crate::diagnostic::{Files, Report, Span};

use super::declare::{self, KindNames};
use super::kind::{FieldSpec, Kind, RowForm, Type};
use super::read_context::ReadContext;
use super::toml_tree;

const TEXT: &str = include_str!("builtin.toml");

/// The name of the file in diagnostics.
const NAME: &str = "(engine)/builtin.toml";

/// The contents of the file, parsed once. Every set contains the same file with the same number.
struct Builtin {
    kinds: Vec<Kind>,
    common: Vec<FieldSpec>,
    options: Vec<FieldSpec>,
    results: Vec<FieldSpec>,
    /// Diagnostics about the file itself; a debug build asserts that there are none.
    faults: Report,
}

/// Adds the file to a new source map, and returns the kinds that every pack can use.
pub(super) fn kinds(files: &mut Files) -> Vec<Kind> {
    debug_assert!(builtin().faults.is_empty());
    files.add(NAME, TEXT);
    builtin().kinds.clone()
}

/// The fields that every entry may have. A field of the entry's kind with the same name takes
/// precedence.
#[must_use]
pub fn common() -> &'static [FieldSpec] {
    &builtin().common
}

/// The fields that the engine gives to each row of a list of this form.
pub(super) fn row_fields(form: RowForm) -> &'static [FieldSpec] {
    match form {
        RowForm::Plain => &[],
        RowForm::Options => &builtin().options,
        RowForm::Results => &builtin().results,
    }
}

/// The kinds that every pack can use.
pub(super) fn builtin_kinds() -> &'static [Kind] {
    &builtin().kinds
}

fn builtin() -> &'static Builtin {
    static BUILTIN: OnceLock<Builtin> = OnceLock::new();
    BUILTIN.get_or_init(read)
}

fn read() -> Builtin {
    let mut files = Files::new();
    let mut faults = Report::new();
    let file = files.add(NAME, TEXT);
    let (table, _) = toml_tree::parse(&files, file, &mut faults);
    let blocks = table.get("kind").map_or(&[][..], |pair| pair.node.items());
    let names: KindNames = blocks
        .iter()
        .filter_map(|block| block.as_table()?.get("id")?.node.as_text())
        .collect();
    let mut cx = ReadContext {
        files: &files,
        report: &mut faults,
        pack: u16::MAX,
    };
    let mut fields = |name: &str| {
        let fields = table
            .get(name)
            .and_then(|pair| pair.node.as_table()?.get("fields")?.node.as_table());
        fields.map_or_else(Vec::new, |fields| {
            declare::field_specs(&mut cx, fields, &names, false)
        })
    };
    let mut common = fields("common");
    common.push(face());
    let (options, results) = (fields("options"), fields("results"));
    let kinds = blocks
        .iter()
        .filter_map(|block| declare::kind(&mut cx, block.as_table()?, block.span, &names, None));
    let kinds = kinds.collect();
    Builtin {
        kinds,
        common,
        options,
        results,
        faults,
    }
}

/// The field `face`, whose type no pack can declare, because it depends on the kind of the entry.
fn face() -> FieldSpec {
    FieldSpec {
        name: "face".into(),
        ty: Type::Face,
        optional: true,
        default: None,
        text: "Other faces of the piece, by name, with fields of their own.".into(),
        default_at: None,
        rules: super::kind::FieldRules::default(),
        added_by: None,
        span: Span::default(),
    }
}

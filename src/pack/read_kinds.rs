//! Reads the `[[kind]]` blocks of all packs.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Report};

use super::declare::{self, KindNames};
use super::extension;
use super::kind::{FieldSpec, Kind, Type};
use super::parsed::ParsedFile;
use super::read_context::ReadContext;
use super::scope::TemplateScope;
use super::set::PackSet;
use super::toml_tree::{TomlNode, TomlShape, TomlTable};
use super::value::FieldValue;

/// The blocks under a top-level key in all files of a pack.
fn blocks<'t>(trees: &'t [ParsedFile], word: &'t str) -> impl Iterator<Item = &'t TomlNode> {
    trees
        .iter()
        .filter_map(move |tree| tree.table.get(word))
        .flat_map(|pair| pair.node.items())
}

/// Reads the kinds of each pack. They may refer to kinds of all packs that the pack sees.
pub(super) fn read_kinds(set: &mut PackSet, trees: &[Vec<ParsedFile>], report: &mut Report) {
    for (pack, trees) in (0u16..).zip(trees) {
        let mut known: KindNames = set.kinds_of(pack).map(|kind| kind.id.as_str()).collect();
        known.extend(
            blocks(trees, "kind").filter_map(|node| node.as_table()?.get("id")?.node.as_text()),
        );
        let mut cx = ReadContext {
            files: &set.files,
            report: &mut *report,
            pack,
        };
        let mut kinds: Vec<Kind> = Vec::new();
        for node in blocks(trees, "kind") {
            let Some(table) = node.as_table() else {
                cx.wrong_type(node, "kind", "a block that begins with [[kind]]");
                continue;
            };
            let table = &with_shared_fields(table, trees);
            let Some(kind) = declare::kind(&mut cx, table, node.span, &known, Some(pack)) else {
                continue;
            };
            let other = set
                .kinds_of(pack)
                .chain(&kinds)
                .find(|other| other.id == kind.id);
            let is_new = other.is_none();
            if let Some(other) = other {
                duplicate_kind(&mut cx, &kind, other);
            }
            kinds.extend(is_new.then_some(kind));
        }
        for kind in &kinds {
            defaults(&mut cx, kind, &kind.fields);
        }
        set.packs[usize::from(pack)].kinds = kinds;
    }
}

/// A declaration in which `fields = "quest"` stands for the fields of the kind `quest` of the same pack.
fn with_shared_fields(table: &TomlTable, trees: &[ParsedFile]) -> TomlTable {
    let mut table = table.clone();
    for pair in &mut table.pairs {
        let shared = pair
            .node
            .as_text()
            .filter(|_| pair.key == "fields")
            .and_then(|id| {
                let mut kinds = blocks(trees, "kind").filter_map(TomlNode::as_table);
                let kind = kinds
                    .find(|kind| kind.get("id").and_then(|own| own.node.as_text()) == Some(id))?;
                Some(kind.get("fields")?.node.as_table()?.clone())
            });
        match (shared, &mut pair.node.shape) {
            (Some(fields), shape) => *shape = TomlShape::Table(fields),
            (None, TomlShape::Table(inner)) => *inner = with_shared_fields(inner, trees),
            _ => {}
        }
    }
    table
}

/// Reads what each pack adds to kinds of other packs. Packs come in load order, so that a pack can
/// build on the additions of the packs it sees.
pub(super) fn read_extensions(set: &mut PackSet, trees: &[Vec<ParsedFile>], report: &mut Report) {
    for (pack, trees) in (0u16..).zip(trees) {
        extend_kinds(set, pack);
        let mut extensions = Vec::new();
        for node in blocks(trees, "extend") {
            let mut cx = ReadContext {
                files: &set.files,
                report: &mut *report,
                pack,
            };
            extensions.extend(extension::read(&mut cx, set, node));
        }
        let is_new = !extensions.is_empty();
        set.packs[usize::from(pack)].extensions = extensions;
        if is_new {
            extend_kinds(set, pack);
        }
    }
}

/// Stores the kinds as a pack sees them: with the additions of all packs it sees.
fn extend_kinds(set: &mut PackSet, pack: u16) {
    let mut extended: BTreeMap<String, Kind> = BTreeMap::new();
    let seen = (0u16..).zip(&set.packs);
    for (_, other) in seen.filter(|(other, _)| set.sees(pack, *other)) {
        for extension in &other.extensions {
            let declared = || {
                let seen = (0u16..).zip(&set.packs);
                let seen = seen.filter(|(other, _)| set.sees(extension.pack, *other));
                let declared = seen.flat_map(|(_, other)| &other.kinds);
                let mut all = set.builtin.iter().chain(declared);
                all.find(|kind| kind.id == extension.kind).cloned()
            };
            let known = extended.remove(&extension.kind);
            if let Some(mut kind) = known.or_else(declared) {
                // Conflicts are reported in the games in which both packs take part.
                extension.merge_into(&mut kind, &mut Report::new());
                extended.insert(kind.id.clone(), kind);
            }
        }
    }
    set.packs[usize::from(pack)].extended = extended;
}

/// Checks the default texts of fields.
fn defaults(cx: &mut ReadContext, kind: &Kind, fields: &[FieldSpec]) {
    for spec in fields {
        if let (Type::Text, Some(FieldValue::Text(text)), Some(span)) =
            (&spec.ty, &spec.default, spec.default_at)
        {
            let node = TomlNode {
                span,
                shape: TomlShape::Text(text.clone()),
            };
            TemplateScope::new(kind, None).check(cx, &node, text);
        }
    }
}

fn duplicate_kind(cx: &mut ReadContext, kind: &Kind, other: &Kind) {
    let who = if other.pack.is_none() {
        "declared by the engine"
    } else {
        "declared here"
    };
    Diagnostic::error(
        kind.span,
        "duplicate-kind",
        format!("duplicate kind `{}`", kind.id),
    )
    .label("declared again")
    .related(other.span, who)
    .help("use the existing kind, or choose another id")
    .push(cx.report);
}

//! Reads the `[[patch]]` and `[[remove]]` blocks of all packs.

use crate::diagnostic::Report;

use super::entry::Entry;
use super::parsed::ParsedFile;
use super::patch::{self, Patch};
use super::read_context::ReadContext;
use super::resolve::{self, Resolution};
use super::set::PackSet;
use super::table_reader::TableReader;
use super::toml_tree::{TomlNode, TomlTable};

/// Reads patches. They come last, because the kinds of the entries they change determine which
/// fields are valid.
pub(super) fn read_patches(
    set: &mut PackSet,
    trees: &[Vec<ParsedFile>],
    broken: &[bool],
    report: &mut Report,
) {
    for (pack, trees) in (0u16..).zip(trees) {
        let mut cx = ReadContext {
            files: &set.files,
            report: &mut *report,
            pack,
        };
        let mut patches = Vec::new();
        for tree in trees {
            let mut found: Vec<Patch> = Vec::new();
            found.extend(
                nodes(&tree.table, "patch")
                    .filter_map(|node| read_patch(&mut cx, set, broken, node)),
            );
            found.extend(
                nodes(&tree.table, "remove")
                    .filter_map(|node| read_remove(&mut cx, set, broken, node)),
            );
            found.sort_by_key(|patch| patch.span.start);
            patches.extend(found);
        }
        set.packs[usize::from(pack)].patches = patches;
    }
}

fn nodes<'t>(table: &'t TomlTable, word: &str) -> impl Iterator<Item = &'t TomlNode> + use<'t> {
    table
        .get(word)
        .into_iter()
        .flat_map(|pair| pair.node.items())
}

fn read_remove(
    cx: &mut ReadContext,
    set: &PackSet,
    broken: &[bool],
    node: &TomlNode,
) -> Option<Patch> {
    let table = block(cx, node, "remove")?;
    let patch = patch::remove(cx, table, node.span)?;
    target(cx, set, broken, &patch).map(|_| patch)
}

fn read_patch(
    cx: &mut ReadContext,
    set: &PackSet,
    broken: &[bool],
    node: &TomlNode,
) -> Option<Patch> {
    let mut reader = TableReader::new(block(cx, node, "patch")?, "[[patch]]", node.span);
    let mut patch = patch::head(cx, &mut reader);
    let found = patch
        .as_ref()
        .and_then(|patch| target(cx, set, broken, patch));
    let kind = found.and_then(|entry| set.kinds_of(cx.pack).find(|kind| kind.id == entry.kind));
    match (&mut patch, found, kind) {
        (Some(patch), Some(entry), Some(kind)) => {
            patch.ops = patch::ops(cx, &mut reader, kind, entry);
        }
        _ => patch::skip_ops(&mut reader),
    }
    reader.finish(cx);
    patch.filter(|_| found.is_some())
}

fn block<'t>(cx: &mut ReadContext, node: &'t TomlNode, word: &str) -> Option<&'t TomlTable> {
    let table = node.as_table();
    if table.is_none() {
        cx.wrong_type(node, word, &format!("a block that begins with [[{word}]]"));
    }
    table
}

/// The entry a patch changes.
fn target<'s>(
    cx: &mut ReadContext,
    set: &'s PackSet,
    broken: &[bool],
    patch: &Patch,
) -> Option<&'s Entry> {
    match resolve::resolve_name(set, &patch.entry, None) {
        Resolution::Unique(loc) => set
            .packs
            .get(usize::from(loc.pack))?
            .entries()
            .nth(loc.entry as usize),
        Resolution::NotFound => {
            resolve::report_unknown(set, broken, &patch.entry, cx.report);
            None
        }
        Resolution::Ambiguous(all) => {
            resolve::report_ambiguous(set, &patch.entry, &all, cx.report);
            None
        }
    }
}

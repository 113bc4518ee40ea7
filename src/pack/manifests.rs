//! Reads the `pack.toml` of every source, and decides which packs are used.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Files, Report, Span};

use super::find::{PackSource, SEARCH_PATH_HELP};
use super::manifest::{self, Manifest};
use super::read::{self, PackFile};
use super::read_context::ReadContext;
use super::set::Shadowed;
use super::toml_tree::{self, TomlTable};

/// The maximum number of packs. Pack indices must fit into 16 bits.
const MAX_PACKS: usize = 1_000;

/// A pack of which only `pack.toml` has been read.
pub(super) struct PackHead {
    pub source: PackSource,
    pub manifest: Manifest,
    pub file: PackFile,
    pub table: TomlTable,
    pub broken: bool,
}

/// Reads all `pack.toml` files. If several packs have the same id, the last is used and errors in
/// the others are ignored.
pub(super) fn read(
    sources: Vec<PackSource>,
    files: &mut Files,
    report: &mut Report,
) -> (Vec<PackHead>, Vec<Shadowed>) {
    let mut taken: BTreeMap<String, (PackHead, Report)> = BTreeMap::new();
    let mut shadowed = Vec::new();
    for source in sources {
        let mut faults = Report::new();
        let Some(head) = head(source, files, &mut faults) else {
            report.extend(faults);
            continue;
        };
        if taken.len() >= MAX_PACKS && !taken.contains_key(&head.manifest.id) {
            too_many(&head, report);
            continue;
        }
        if let Some((old, _)) = taken.insert(head.manifest.id.clone(), (head, faults)) {
            let (origin, root) = (old.source.origin(), old.source.root());
            shadowed.push(Shadowed {
                id: old.manifest.id,
                origin,
                root,
            });
        }
    }
    let heads = taken.into_values().map(|(head, faults)| {
        report.extend(faults);
        head
    });
    (heads.collect(), shadowed)
}

fn head(source: PackSource, files: &mut Files, report: &mut Report) -> Option<PackHead> {
    let before = report.len();
    let Some(file) = read::one(&source, "pack.toml", files, report) else {
        if report.len() == before {
            let name = files.add(format!("{}/pack.toml", source.root()), "");
            Diagnostic::fatal(
                Span::start_of(name),
                "missing-manifest",
                "no pack.toml in this folder",
            )
            .help(match read::misnamed_manifest(&source) {
                Some(name) => format!("rename {name} to pack.toml"),
                None => {
                    "add a file pack.toml with two lines: [pack] and id = \"my-pack\"".to_owned()
                }
            })
            .push(report);
        }
        return None;
    };
    let (table, valid) = toml_tree::parse_on_large_stack(files, file.file, report);
    let mut cx = ReadContext {
        files,
        report,
        pack: 0,
    };
    let manifest = manifest_of(&mut cx, &table, &file, &source.folder_name());
    Some(PackHead {
        source,
        manifest,
        file,
        table,
        broken: !valid,
    })
}

fn manifest_of(cx: &mut ReadContext, table: &TomlTable, file: &PackFile, folder: &str) -> Manifest {
    let start = Span::start_of(file.file);
    let Some(pair) = table.get("pack") else {
        Diagnostic::fatal(start, "missing-manifest", "no [pack] block in pack.toml")
            .help("add two lines: [pack] and id = \"my-pack\"")
            .push(cx.report);
        return Manifest::nameless(folder, start);
    };
    let Some(head) = pair.node.as_table() else {
        cx.wrong_type(
            &pair.node,
            "pack",
            "a block that begins with [pack], in single brackets",
        );
        return Manifest::nameless(folder, pair.at);
    };
    let mut manifest = manifest::read(cx, head, pair.node.span, folder);
    if let Some(check) = table.get("check") {
        match check.node.as_table() {
            Some(rows) => manifest::allowed(cx, rows, check.node.span, &mut manifest),
            None => cx.wrong_type(
                &check.node,
                "check",
                "a block that begins with [check], in single brackets",
            ),
        }
    }
    manifest
}

fn too_many(head: &PackHead, report: &mut Report) {
    Diagnostic::fatal(
        head.manifest.span,
        "too-many-files",
        format!("too many packs (at most {MAX_PACKS})"),
    )
    .help(SEARCH_PATH_HELP)
    .push(report);
}

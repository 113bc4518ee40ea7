//! Collects the diagnostics of loading packs, layering them and compiling their scripts, in every
//! mode.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Report};
use crate::library::{LintLevel, OpenedGame, PackLibrary};
use crate::pack::{GameChoice, Origin, Reuse};

/// The diagnostics of the selected packs, and their opened modes.
pub(super) fn check(
    library: &PackLibrary,
    wanted: &impl Fn(Origin) -> bool,
    with: &[String],
) -> (Report, Vec<(GameChoice, OpenedGame)>) {
    let mut report = Report::new();
    report.extend(library.report.clone());
    let mut all: Vec<(GameChoice, OpenedGame)> = Vec::new();
    for choice in choices(library, wanted, with) {
        let old = all.last().map(|(_, opened)| opened);
        let reuse = Reuse::other_choice(old);
        let (opened, mut found) = library.open_reusing(&choice, None, reuse, LintLevel::All);
        doubt_consequences(library, &mut found);
        report.extend(found);
        all.extend(opened.map(|opened| (choice, opened)));
    }
    let mut reported = BTreeSet::new();
    report.retain(|fault| reported.insert((fault.code, fault.label.span, fault.message.clone())));
    let roots = |own: bool| -> Vec<&str> {
        let packs = library
            .set
            .packs
            .iter()
            .filter(|pack| wanted(pack.origin) == own);
        packs.map(|pack| pack.root.as_str()).collect()
    };
    let (own, elsewhere) = (roots(true), roots(false));
    report.retain(|fault| {
        let file = library.set.files.name(fault.label.span.file);
        own.iter().any(|root| file.starts_with(root))
            || !elsewhere.iter().any(|root| file.starts_with(root))
    });
    (report, all)
}

/// Marks diagnostics about scripts that may come from errors in the files of the same pack: a
/// property is unknown because the line that declares it is broken.
fn doubt_consequences(library: &PackLibrary, found: &mut Report) {
    let files = &library.set.files;
    let root = |fault: &Diagnostic| {
        let file = files.name(fault.label.span.file);
        let mut packs = library.set.packs.iter();
        packs.find_map(|pack| {
            file.starts_with(&format!("{}/", pack.root))
                .then_some(&pack.root)
        })
    };
    let is_lost = |fault: &&Diagnostic| matches!(fault.code, "toml-syntax" | "ignored-file");
    let broken: BTreeSet<_> = library
        .report
        .iter()
        .filter(is_lost)
        .filter_map(root)
        .collect();
    let mut faulty: BTreeSet<_> = library.report.errors().filter_map(root).collect();
    faulty.extend(&broken);
    if faulty.is_empty() {
        return;
    }
    found.downgrade_to_guesses_if(|fault| {
        let (Some(root), false) = (root(fault), fault.code.ends_with("-syntax")) else {
            return false;
        };
        broken.contains(root)
            || fault.code.starts_with("unknown-")
                && !fault.severity.is_error()
                && faulty.contains(root)
    });
}

/// Every mode of the selected packs, and every mode of the packs they extend, with the pack added;
/// then every mode with all selected packs that can be added to it. The packs `extra` are added to
/// each.
fn choices(
    library: &PackLibrary,
    wanted: &impl Fn(Origin) -> bool,
    extra: &[String],
) -> Vec<GameChoice> {
    let modes = library.modes();
    let modes_of = |pack: &str| -> Vec<String> {
        let prefix = format!("{pack}:");
        modes
            .iter()
            .filter(|mode| mode.name.starts_with(&prefix))
            .map(|mode| mode.name.clone())
            .collect()
    };
    let mut list = Vec::new();
    for pack in library.set.packs.iter().filter(|pack| wanted(pack.origin)) {
        let id = &pack.manifest.id;
        list.extend(modes_of(id).into_iter().map(|mode| GameChoice {
            mode,
            with: extra.to_vec(),
            options: Vec::new(),
        }));
        for base in pack.manifest.extends.iter().chain(&pack.manifest.depends) {
            let mut with = vec![id.clone()];
            with.extend(extra.iter().filter(|other| *other != id).cloned());
            list.extend(modes_of(&base.id).into_iter().map(|mode| GameChoice {
                mode,
                with: with.clone(),
                options: Vec::new(),
            }));
        }
    }
    for mode in &modes {
        let base = mode.name.split(':').next().unwrap_or_default();
        let packs = library.set.packs.iter().filter(|pack| wanted(pack.origin));
        let extending = packs.filter(|pack| pack.manifest.extends.iter().any(|of| of.id == base));
        let mut with: Vec<String> = extending.map(|pack| pack.manifest.id.clone()).collect();
        if with.len() > 1 {
            with.extend(
                extra
                    .iter()
                    .filter(|id| !with.contains(id))
                    .cloned()
                    .collect::<Vec<_>>(),
            );
            list.push(GameChoice {
                mode: mode.name.clone(),
                with,
                options: Vec::new(),
            });
        }
    }
    list
}

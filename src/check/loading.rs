//! Collects the diagnostics of loading packs, layering them and compiling their scripts, in every
//! mode.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Report};
use crate::library::{LintLevel, ModeInfo, OpenedGame, PackLibrary};
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

/// Every mode of the selected packs, and every mode of the packs they build on, with the pack added;
/// then every mode with all selected packs that can be added to it. The packs `extra` are added to
/// each. Packs that cannot be played together are not.
fn choices(
    library: &PackLibrary,
    wanted: &impl Fn(Origin) -> bool,
    extra: &[String],
) -> Vec<GameChoice> {
    let modes = library.modes();
    let packs = || library.set.packs.iter().filter(|pack| wanted(pack.origin));
    let modes_of = |pack: &str| -> Vec<&str> {
        let of_pack = |mode: &&ModeInfo| mode.name.split(':').next() == Some(pack);
        modes
            .iter()
            .filter(of_pack)
            .map(|mode| &*mode.name)
            .collect()
    };
    let mut list = Vec::new();
    for pack in packs() {
        let manifest = &pack.manifest;
        for mode in modes_of(&manifest.id) {
            list.push(library.compatible(mode, extra));
        }
        let mut with = vec![manifest.id.clone()];
        with.extend_from_slice(extra);
        for base in manifest.extends.iter().chain(&manifest.depends) {
            let choices = modes_of(&base.id).into_iter();
            let choices = choices.map(|mode| library.compatible(mode, &with));
            list.extend(choices.filter(|choice| choice.with.contains(&manifest.id)));
        }
    }
    for mode in &modes {
        let base = mode.name.split(':').next().unwrap_or_default();
        let extending = packs().filter(|pack| pack.manifest.extends.iter().any(|of| of.id == base));
        let mut with: Vec<String> = extending.map(|pack| pack.manifest.id.clone()).collect();
        if with.len() > 1 {
            with.extend_from_slice(extra);
            list.push(library.compatible(&mode.name, &with));
        }
    }
    list
}

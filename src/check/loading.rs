//! Collects the diagnostics of loading packs, layering them and compiling their scripts, in every
//! mode.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Report, Span};
use crate::library::{LintLevel, ModeInfo, OpenedGame, PackLibrary};
use crate::pack::{GameChoice, Origin, Reuse, offered_options};

/// The diagnostics of the selected packs, and their opened modes.
pub(super) fn check(
    library: &PackLibrary,
    wanted: &impl Fn(Origin) -> bool,
    with: &[String],
) -> (Report, Vec<(GameChoice, OpenedGame)>) {
    let mut report = Report::new();
    report.extend(library.report.clone());
    let mut all: Vec<(GameChoice, OpenedGame)> = Vec::new();
    let choices = choices(library, wanted, with).into_iter();
    for choice in choices.flat_map(|choice| with_options(library, wanted, choice)) {
        let old = all.last().map(|(_, opened)| opened);
        let reuse = Reuse::other_choice(old);
        let (opened, mut found) = library.open_reusing(&choice, None, reuse, LintLevel::All);
        downgrade_parse_consequences(library, &mut found);
        report.extend(found);
        all.extend(opened.map(|opened| (choice, opened)));
    }
    let mut reported = BTreeSet::new();
    report.retain(|fault| reported.insert((fault.code, fault.label.span, fault.message.clone())));
    report.retain(|fault| concerns(library, wanted, with, fault));
    (report, all)
}

/// Whether a diagnostic concerns the checked packs: it is in their files, or says that they and
/// other packs do not fit together. For the packs in `with`, only errors count.
fn concerns(
    library: &PackLibrary,
    wanted: &impl Fn(Origin) -> bool,
    with: &[String],
    fault: &Diagnostic,
) -> bool {
    let pack_of = |span: Span| {
        let file = library.set.files.name(span.file);
        let mut packs = library.set.packs.iter();
        packs.find(|pack| file.starts_with(&format!("{}/", pack.root)))
    };
    let Some(pack) = pack_of(fault.label.span) else {
        return true;
    };
    let mut related = fault.also.iter().filter_map(|label| pack_of(label.span));
    wanted(pack.origin)
        || related.any(|pack| wanted(pack.origin))
        || fault.severity.is_error() && with.contains(&pack.manifest.id)
}

/// A choice, and variants of it in which each option of the checked packs is on, or has each of its
/// values.
fn with_options(
    library: &PackLibrary,
    wanted: &impl Fn(Origin) -> bool,
    choice: GameChoice,
) -> Vec<GameChoice> {
    let is_own = |id: &str| {
        let found = library.set.pack(id);
        found.is_some_and(|(_, pack)| wanted(pack.origin))
    };
    let mut missing: Vec<String> = Vec::new();
    for option in offered_options(&library.set, &choice) {
        if !is_own(&option.entry.pack_id) {
            continue;
        }
        let default = option.values.default.as_ref();
        let values = option
            .values
            .all
            .iter()
            .filter(|value| Some(*value) != default);
        missing.extend(values.map(|value| format!("{}={value}", option.name)));
        if option.values.all.is_empty() {
            missing.push(option.name);
        }
    }
    let mut variants = vec![choice];
    loop {
        let mut variant = variants[0].clone();
        missing.retain(|option| !add_option(library, &mut variant, option));
        if variant.options.is_empty() {
            return variants;
        }
        variants.push(variant);
    }
}

/// Adds an option to a choice if it does not set it yet, and the others still exist with it.
fn add_option(library: &PackLibrary, choice: &mut GameChoice, option: &str) -> bool {
    let name = |text: &str| text.split('=').next().unwrap_or(text).to_owned();
    if choice.options.iter().any(|own| name(own) == name(option)) {
        return false;
    }
    let mut more = choice.clone();
    more.options.push(option.to_owned());
    let offered = offered_options(&library.set, &more);
    let exists = |own: &String| offered.iter().any(|option| option.name == name(own));
    let fits = more.options.iter().all(exists);
    if fits {
        *choice = more;
    }
    fits
}

/// Marks diagnostics about scripts that may come from errors in the files of the same pack: a
/// property is unknown because the line that declares it is broken.
fn downgrade_parse_consequences(library: &PackLibrary, found: &mut Report) {
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
        let mut bases = library.extended(&manifest.id);
        bases.extend(manifest.depends.iter().map(|base| base.id.clone()));
        for base in bases {
            let choices = modes_of(&base).into_iter();
            let choices = choices.map(|mode| library.compatible(mode, &with));
            list.extend(choices.filter(|choice| choice.with.contains(&manifest.id)));
        }
    }
    for mode in &modes {
        let base = mode.name.split(':').next().unwrap_or_default();
        let ids = packs().map(|pack| pack.manifest.id.clone());
        let mut with: Vec<String> = ids
            .filter(|id| library.extended(id).iter().any(|extended| extended == base))
            .collect();
        if with.len() > 1 {
            with.extend_from_slice(extra);
            list.push(library.compatible(&mode.name, &with));
        }
    }
    list
}

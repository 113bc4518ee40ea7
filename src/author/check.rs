//! Every fault that can be found without playing: of loading, and of each mode's layers and scripts.

use crate::diagnostic::Report;
use crate::pack::{Choice, Origin};
use crate::shelf::Shelf;

/// The faults of the packs that are wanted; a fault in two modes is told once.
#[must_use]
pub fn check(shelf: &Shelf, wanted: impl Fn(Origin) -> bool) -> Report {
    let mut report = Report::new();
    report.extend(shelf.report.clone());
    let mut last = None;
    for choice in choices(shelf, &wanted) {
        let (opened, found) = shelf.open_again(&choice, None, last.as_ref());
        report.extend(found);
        last = opened.or(last);
    }
    let mut told: Vec<String> = Vec::new();
    report.retain(|fault| {
        let words = format!("{}{:?}{}", fault.code, fault.label.span, fault.message);
        let new = !told.contains(&words);
        told.push(words);
        new
    });
    let own: Vec<String> =
        shelf.set.packs.iter().filter(|pack| wanted(pack.origin)).map(|pack| pack.root.clone()).collect();
    let elsewhere: Vec<&str> =
        shelf.set.packs.iter().filter(|pack| !wanted(pack.origin)).map(|pack| pack.root.as_str()).collect();
    report.retain(|fault| {
        let file = shelf.set.files.name(fault.label.span.file);
        own.iter().any(|root| file.starts_with(root.as_str())) || !elsewhere.iter().any(|root| file.starts_with(root))
    });
    report.sort(&shelf.set.files);
    report
}

/// Every mode of the packs that are wanted, and for packs without one, the modes they extend with the pack on top.
fn choices(shelf: &Shelf, wanted: &impl Fn(Origin) -> bool) -> Vec<Choice> {
    let modes = shelf.modes();
    let of = |pack: &str| -> Vec<String> {
        let prefix = format!("{pack}:");
        modes.iter().filter(|mode| mode.name.starts_with(&prefix)).map(|mode| mode.name.clone()).collect()
    };
    let mut list = Vec::new();
    for pack in shelf.set.packs.iter().filter(|pack| wanted(pack.origin)) {
        let id = &pack.manifest.id;
        list.extend(of(id).into_iter().map(|mode| Choice { mode, ..Choice::default() }));
        for base in pack.manifest.extends.iter().chain(&pack.manifest.depends) {
            let with = vec![id.clone()];
            list.extend(of(&base.id).into_iter().map(|mode| Choice { mode, with: with.clone(), options: Vec::new() }));
        }
    }
    list
}

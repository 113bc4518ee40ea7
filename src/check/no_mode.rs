//! `cannot-start`: a pack with actions and phases, but without a mode, that no other pack builds on.

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report};
use crate::pack::Pack;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let has = |kind: &str| pack.entries().any(|entry| entry.kind == kind);
        let manifest = &pack.manifest;
        let builds_on_others = manifest.all_dependencies().next().is_some();
        let is_base = |other: &Pack| {
            let mut needed = other.manifest.all_dependencies();
            needed.any(|needed| needed.id == manifest.id)
        };
        let is_needed = subject.library.set.packs.iter().any(is_base);
        if has("mode") || builds_on_others || is_needed || !(has("action") || has("phase")) {
            continue;
        }
        Diagnostic::warning(manifest.span, "cannot-start", "a game without a mode")
            .label("nobody can play it")
            .help("add a block [[mode]] with `seats` and `turn`; if the pack adds to a game, write extends = [\"…\"] below [pack]")
            .push(report);
    }
}

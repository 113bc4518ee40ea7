//! Reads packs: files, kinds, entries, patches, and whether all their names mean something.

use crate::diagnostic::{Files, Report};

use super::builtin;
use super::draft::drafts;
use super::find::Source;
use super::force;
use super::heads;
use super::links::Links;
use super::read_entries::read_entries;
use super::read_kinds::read_kinds;
use super::read_patches::read_patches;
use super::resolve;
use super::set::PackSet;

/// Top-level words that are not kinds of entries.
pub(super) const DIRECTIVES: [&str; 5] = ["pack", "check", "kind", "patch", "remove"];

/// Reads all packs. Whatever is wrong is in the report, all of it, and what is sound comes back.
pub fn load(sources: Vec<Source>, report: &mut Report) -> PackSet {
    let mut files = Files::new();
    let builtin = builtin::kinds(&mut files);
    let (heads, shadowed) = heads::read(sources, &mut files, report);
    let drafts = drafts(heads, &mut files, report);
    let manifests: Vec<_> = drafts.iter().map(|draft| &draft.pack.manifest).collect();
    let links = Links::new(&manifests, report);
    let mut set = PackSet { files, packs: Vec::new(), builtin, shadowed, links, ..PackSet::default() };
    let mut trees = Vec::new();
    let mut broken = Vec::new();
    for draft in drafts {
        set.packs.push(draft.pack);
        trees.push(draft.trees);
        broken.push(draft.broken);
    }
    read_kinds(&mut set, &trees, report);
    read_entries(&mut set, &trees, report);
    set.replaced = resolve::replaced(&set);
    read_patches(&mut set, &trees, &broken, report);
    resolve::check(&set, &broken, report);
    force::check_chains(&set, report);
    set
}

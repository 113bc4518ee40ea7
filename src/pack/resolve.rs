//! Checks that every reference in every pack refers to exactly one entry.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Confidence, Diagnostic, Misspelling, Report, find_misspelling, nearest};

use super::kind::quoted;
use super::names::{EntryLocation, id_part, pack_part};
use super::options;
use super::patch::{Patch, PatchChange};
use super::read_context::MAX_FOR_SUGGESTIONS;
use super::set::PackSet;
use super::value::{FieldValue, Reference};

/// Maps each replaced entry to the entries that replace it.
pub(super) type Replacements = BTreeMap<EntryLocation, BTreeSet<EntryLocation>>;

/// What a name refers to.
pub(super) enum Resolution {
    Unique(EntryLocation),
    Ambiguous(Vec<EntryLocation>),
    NotFound,
}

pub(super) fn replaced(set: &PackSet) -> Replacements {
    let mut out = Replacements::new();
    for (own, name) in replacing(set) {
        for old in set
            .index
            .candidates(&set.packs, &set.visibility, name, &|loc| loc != own)
        {
            out.entry(old).or_default().insert(own);
        }
    }
    out
}

fn replacing(set: &PackSet) -> impl Iterator<Item = (EntryLocation, &Reference)> {
    let all = (0u16..).zip(&set.packs).flat_map(|(number, pack)| {
        (0u32..).zip(&pack.entries).map(move |(entry, def)| {
            (
                EntryLocation {
                    pack: number,
                    entry,
                },
                def,
            )
        })
    });
    all.filter_map(|(loc, def)| match def.get("replaces") {
        Some(FieldValue::Name(name)) => Some((loc, name)),
        _ => None,
    })
}

/// Looks up a name among all packs. An entry that another candidate replaces does not count.
pub(super) fn resolve_name(
    set: &PackSet,
    name: &Reference,
    except: Option<EntryLocation>,
) -> Resolution {
    if let Some(only) = set
        .index
        .only(&set.packs, &set.visibility, name)
        .filter(|only| Some(*only) != except)
    {
        return Resolution::Unique(only);
    }
    let mut found = set
        .index
        .candidates(&set.packs, &set.visibility, name, &|loc| {
            Some(loc) != except
        });
    if found.len() > 1 {
        let all: BTreeSet<EntryLocation> = found.iter().copied().collect();
        found.retain(|loc| set.replaced.get(loc).is_none_or(|by| by.is_disjoint(&all)));
    }
    match found.as_slice() {
        [] => Resolution::NotFound,
        [one] => Resolution::Unique(*one),
        _ => Resolution::Ambiguous(found),
    }
}

/// Checks all references. `broken` says which packs have files that could not be parsed.
pub(super) fn check(set: &PackSet, broken: &[bool], report: &mut Report) {
    let mut checker = ReferenceChecker {
        set,
        broken,
        report,
    };
    for (number, pack) in (0u16..).zip(&set.packs) {
        for name in &pack.manifest.only_in {
            checker.check_name(name, None);
        }
        for (entry, def) in (0u32..).zip(&pack.entries) {
            if def.kind == "option" {
                let option = EntryLocation {
                    pack: number,
                    entry,
                };
                options::check(set, option, checker.report);
            }
            for field in &def.fields {
                let own = (field.name == "replaces").then_some(EntryLocation {
                    pack: number,
                    entry,
                });
                each_name(&field.value, &mut |name| checker.check_name(name, own));
            }
        }
        pack.patches
            .iter()
            .for_each(|patch| checker.check_patch(patch));
    }
}

struct ReferenceChecker<'a> {
    set: &'a PackSet,
    broken: &'a [bool],
    report: &'a mut Report,
}

impl ReferenceChecker<'_> {
    fn check_patch(&mut self, patch: &Patch) {
        patch
            .only_in
            .iter()
            .for_each(|name| self.check_name(name, None));
        for op in &patch.ops {
            each_value(&op.change, &mut |value| {
                each_name(value, &mut |name| self.check_name(name, None));
            });
        }
    }

    fn check_name(&mut self, name: &Reference, own: Option<EntryLocation>) {
        match resolve_name(self.set, name, own) {
            Resolution::Unique(loc) => options::check_condition(self.set, name, loc, self.report),
            Resolution::NotFound => report_unknown(self.set, self.broken, name, self.report),
            Resolution::Ambiguous(all) => report_ambiguous(self.set, name, &all, self.report),
        }
    }
}

/// Reports an unknown name, unless it may be defined in a missing pack.
pub(super) fn report_unknown(
    set: &PackSet,
    broken: &[bool],
    name: &Reference,
    report: &mut Report,
) {
    let by = usize::from(name.by);
    let absent = set.visibility.absent.get(by).map_or(&[][..], Vec::as_slice);
    let elsewhere = pack_part(&name.text).is_some_and(|pack| absent.iter().any(|id| id == pack));
    if elsewhere
        || set
            .visibility
            .has_missing_dependency
            .get(by)
            .copied()
            .unwrap_or(true)
    {
        return;
    }
    let option = is_option(&name.to);
    let (code, what) = if option {
        ("unknown-option", "mode or option".into())
    } else {
        ("unknown-entry", expected(name))
    };
    let sees_broken = (0u16..)
        .zip(broken)
        .any(|(pack, broken)| *broken && set.sees(name.by, pack));
    let confidence = if sees_broken {
        Confidence::Guess
    } else {
        Confidence::Sure
    };
    let (near, help) = unknown_help(set, name, report);
    Diagnostic::unknown(name.span, code, &what, &name.text)
        .label("not found")
        .did_you_mean(near)
        .maybe_help(help)
        .confidence(confidence)
        .push(report);
}

/// Whether these are the kinds that `in` names.
pub(super) fn is_option(to: &[String]) -> bool {
    matches!(to, [mode, option] if mode == "mode" && option == "option")
}

fn expected(name: &Reference) -> String {
    if name.to.is_empty() {
        "entry".into()
    } else {
        name.to.join(" or ")
    }
}

/// A suggestion, or else a help text.
fn unknown_help<'s>(
    set: &'s PackSet,
    name: &Reference,
    report: &Report,
) -> (Option<Misspelling<'s>>, Option<String>) {
    if report.len() >= MAX_FOR_SUGGESTIONS {
        return (None, None);
    }
    let elsewhere = help_elsewhere(set, name);
    let near = if elsewhere.is_none() {
        near_id(set, name)
    } else {
        None
    };
    let help = elsewhere.or_else(|| near.is_none().then(|| add_help(name)));
    (near, help)
}

/// Help for a name that exists, but is not visible or has another kind.
fn help_elsewhere(set: &PackSet, name: &Reference) -> Option<String> {
    if let Some(loc) = set.index.unseen(&set.packs, &set.visibility, name) {
        let pack = &set.packs[usize::from(loc.pack)].manifest.id;
        return Some(format!(
            "the pack `{pack}` has it; add it to your pack.toml: depends = [\"{pack}\"]"
        ));
    }
    if let Some(loc) = set.index.other_kind(&set.packs, &set.visibility, name) {
        let other = &set.packs[usize::from(loc.pack)].entries[loc.entry as usize];
        return Some(format!(
            "`{}` is of kind `{}`; expected `{}`",
            other.id,
            other.kind,
            expected(name)
        ));
    }
    if let Some(pack) = pack_part(&name.text).filter(|pack| set.pack(pack).is_none()) {
        let id = id_part(&name.text);
        return Some(if name.to.iter().any(|kind| kind == pack) {
            format!("a colon follows the id of a pack: write `{id}`, or `{pack}/{id}`")
        } else {
            format!("unknown pack `{pack}`; check its name, and add it to depends")
        });
    }
    None
}

fn add_help(name: &Reference) -> String {
    let Some(kind) = name.to.last() else {
        return "correct the name, or remove this block".into();
    };
    format!(
        "add a block [[{kind}]] with id = \"{}\", or correct the name",
        id_part(&name.text)
    )
}

fn near_id<'s>(set: &'s PackSet, name: &Reference) -> Option<Misspelling<'s>> {
    let seen = (0u16..)
        .zip(&set.packs)
        .filter(|(pack, _)| set.sees(name.by, *pack));
    let entries = seen.flat_map(|(_, pack)| &pack.entries);
    let fitting = entries.filter(|entry| set.index.fits(&entry.kind, &name.to));
    let near = fitting.map(|entry| entry.id.as_str());
    if pack_part(&name.text).is_some() {
        // No fix: the nearest entry may be in a different pack than the name says.
        return nearest(id_part(&name.text), near).map(Misspelling::from);
    }
    find_misspelling(id_part(&name.text), near)
}

/// Reports a name that refers to several entries.
pub(super) fn report_ambiguous(
    set: &PackSet,
    name: &Reference,
    all: &[EntryLocation],
    report: &mut Report,
) {
    let entries: Vec<_> = all
        .iter()
        .map(|loc| &set.packs[usize::from(loc.pack)].entries[loc.entry as usize])
        .collect();
    let names: Vec<String> = entries.iter().map(|entry| entry.full_name()).collect();
    let mut diagnostic = Diagnostic::error(
        name.span,
        "ambiguous-entry",
        format!("ambiguous name `{}`", name.text),
    )
    .label("means several entries")
    .help(format!("write {}", quoted(&names, "or")));
    for entry in &entries {
        diagnostic = diagnostic.related(entry.span, entry.full_name());
    }
    diagnostic.push(report);
}

/// Visits every name in a value.
pub(super) fn each_name(value: &FieldValue, visit: &mut dyn FnMut(&Reference)) {
    match value {
        FieldValue::Name(name) => visit(name),
        FieldValue::List(items) => items.iter().for_each(|item| each_name(item, visit)),
        FieldValue::Table(pairs) => pairs.iter().for_each(|(_, inner)| each_name(inner, visit)),
        _ => {}
    }
}

fn each_value(change: &PatchChange, visit: &mut dyn FnMut(&FieldValue)) {
    match change {
        PatchChange::Drop => {}
        PatchChange::Set(value) => visit(value),
        PatchChange::Add(values) | PatchChange::Remove(values) => values.iter().for_each(visit),
        PatchChange::Insert { values, anchor, .. } => {
            values.iter().for_each(&mut *visit);
            visit(anchor);
        }
        PatchChange::Swap { from, to } => {
            visit(from);
            visit(to);
        }
    }
}

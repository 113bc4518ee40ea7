//! Resolves a [`GameChoice`]: finds its mode, packs and options by name.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Files, Report, Severity, nearest};

use super::entry::Entry;
use super::kind::quoted;
use super::names::EntryLocation;
use super::resolve::{NameMeaning, meaning};
use super::set::PackSet;
use super::value::{FieldValue, Reference};

/// A choice of mode, expansions and options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameChoice {
    /// The mode: `pack:mode` or `mode`.
    pub mode: String,
    /// The ids of packs to add.
    pub with: Vec<String>,
    /// Options: `pack:option` or `option`.
    pub options: Vec<String>,
}

/// The resolved form of a [`GameChoice`].
pub(super) struct Selection {
    /// The packs in load order.
    pub packs: Vec<u16>,
    pub mode: EntryLocation,
    /// The chosen mode, the modes it extends, and the chosen options.
    pub active: BTreeSet<EntryLocation>,
}

impl Selection {
    /// Whether something with `in = [...]` is part of the game.
    pub fn contains<'n>(
        &self,
        set: &PackSet,
        only_in: impl Iterator<Item = &'n Reference>,
    ) -> bool {
        let mut none = true;
        for name in only_in {
            none = false;
            let meant = set
                .index
                .candidates(&set.packs, &set.visibility, name, &|loc| {
                    self.active.contains(&loc)
                });
            if !meant.is_empty() {
                return true;
            }
        }
        none
    }
}

/// Resolves a [`GameChoice`], and reports names that do not exist.
pub(super) fn select(set: &PackSet, choice: &GameChoice, report: &mut Report) -> Option<Selection> {
    let mode = mode(set, &choice.mode, &choice.with, report);
    let mut chosen: Vec<u16> = mode.iter().map(|loc| loc.pack).collect();
    for id in &choice.with {
        match set.pack(id) {
            Some((pack, _)) => chosen.push(pack),
            None => unknown_pack(set, id, report),
        }
    }
    let all = (0u16..).zip(&set.packs).map(|(pack, _)| pack);
    let packs: Vec<u16> = all
        .filter(|pack| {
            chosen
                .iter()
                .any(|root| set.visibility.requires(*root, *pack))
        })
        .collect();
    let mode = mode?;
    let mut active: BTreeSet<EntryLocation> = chain(set, mode).0.into_iter().collect();
    active.extend(
        choice
            .options
            .iter()
            .filter_map(|option| self::option(set, &packs, option, report)),
    );
    Some(Selection {
        packs,
        mode,
        active,
    })
}

/// A mode and the modes it extends, nearest first, and whether they form a cycle.
pub(super) fn chain(set: &PackSet, mode: EntryLocation) -> (Vec<EntryLocation>, bool) {
    let mut out = vec![mode];
    let mut current = mode;
    while let Some(FieldValue::Name(name)) =
        entry(set, current).and_then(|entry| entry.get("extends"))
    {
        let NameMeaning::One(next) = meaning(set, name, None) else {
            break;
        };
        if out.contains(&next) {
            return (out, next == mode);
        }
        out.push(next);
        current = next;
    }
    (out, false)
}

/// Reports modes that extend each other in a cycle.
pub(super) fn check_chains(set: &PackSet, report: &mut Report) {
    for (loc, entry) in modes(set) {
        let (chain, is_cycle) = chain(set, loc);
        let first = chain.iter().min() == Some(&loc);
        if is_cycle && first {
            let mut names: Vec<&str> = chain
                .iter()
                .filter_map(|loc| Some(self::entry(set, *loc)?.id.as_str()))
                .collect();
            names.push(&entry.id);
            Diagnostic::fatal(
                entry
                    .field("extends")
                    .map_or(entry.span, |field| field.span),
                "mode-cycle",
                format!("modes extend each other in a cycle: {}", names.join(" → ")),
            )
            .help("remove extends from one of them")
            .push(report);
        }
    }
}

fn entry(set: &PackSet, loc: EntryLocation) -> Option<&Entry> {
    set.packs
        .get(usize::from(loc.pack))?
        .entries()
        .nth(loc.entry as usize)
}

fn modes(set: &PackSet) -> impl Iterator<Item = (EntryLocation, &Entry)> {
    of_kind(set, "mode")
}

fn of_kind<'s>(
    set: &'s PackSet,
    kind: &'static str,
) -> impl Iterator<Item = (EntryLocation, &'s Entry)> {
    let all = (0u16..).zip(&set.packs).flat_map(|(pack, held)| {
        (0u32..)
            .zip(&held.entries)
            .map(move |(entry, def)| (EntryLocation { pack, entry }, &**def))
    });
    all.filter(move |(_, def)| def.kind == kind)
}

/// Whether `pack:id`, `pack:kind/id`, `kind/id` or `id` names an entry, as players write it.
fn is_named(entry: &Entry, text: &str) -> bool {
    let (pack, rest) = text
        .split_once(':')
        .map_or((None, text), |(pack, rest)| (Some(pack), rest));
    let id = rest
        .strip_prefix(&entry.kind)
        .and_then(|rest| rest.strip_prefix('/'))
        .unwrap_or(rest);
    pack.is_none_or(|pack| pack == entry.pack_id) && id == entry.id
}

fn mode(set: &PackSet, text: &str, with: &[String], report: &mut Report) -> Option<EntryLocation> {
    let mut found: Vec<(EntryLocation, &Entry)> = modes(set)
        .filter(|(_, entry)| is_named(entry, text))
        .collect();
    if found.len() > 1 {
        let all: BTreeSet<EntryLocation> = found.iter().map(|(loc, _)| *loc).collect();
        found.retain(|(loc, _)| set.replaced.get(loc).is_none_or(|by| by.is_disjoint(&all)));
    }
    if found.len() > 1 && found.iter().any(|(_, entry)| with.contains(&entry.pack_id)) {
        found.retain(|(_, entry)| with.contains(&entry.pack_id));
    }
    if let [(loc, _)] = found.as_slice() {
        return Some(*loc);
    }
    let full = |(_, entry): &(EntryLocation, &Entry)| format!("{}:{}", entry.pack_id, entry.id);
    if found.is_empty() {
        let mut known: Vec<String> = modes(set).map(|mode| full(&mode)).collect();
        known.sort();
        let near = nearest(text, modes(set).map(|(_, entry)| entry.id.as_str()));
        Diagnostic::unknown(Files::outside(), "unknown-mode", "mode", text)
            .severity(Severity::Fatal)
            .did_you_mean(near)
            .help(format!("known modes: {}", quoted(&known, "and")))
            .push(report);
    } else {
        let mut names: Vec<String> = found.iter().map(full).collect();
        names.sort();
        let message = format!("ambiguous mode `{text}`");
        Diagnostic::fatal(Files::outside(), "ambiguous-entry", message)
            .help(format!("write {}", quoted(&names, "or")))
            .push(report);
    }
    None
}

fn unknown_pack(set: &PackSet, id: &str, report: &mut Report) {
    let near = nearest(id, set.packs.iter().map(|pack| pack.manifest.id.as_str()));
    Diagnostic::unknown(Files::outside(), "missing-pack", "pack", id)
        .severity(Severity::Fatal)
        .did_you_mean(near)
        .help(super::find::LOOKED_FOR)
        .push(report);
}

fn option(set: &PackSet, packs: &[u16], text: &str, report: &mut Report) -> Option<EntryLocation> {
    let is_chosen = |loc: &EntryLocation| packs.contains(&loc.pack);
    let mut found =
        of_kind(set, "option").filter(|(loc, entry)| is_chosen(loc) && is_named(entry, text));
    if let Some((loc, _)) = found.next() {
        return Some(loc);
    }
    let known: Vec<&str> = of_kind(set, "option")
        .filter(|(loc, _)| is_chosen(loc))
        .map(|(_, entry)| entry.id.as_str())
        .collect();
    let near = nearest(text, known.iter().copied());
    let help = match near {
        Some(_) => None,
        None if known.is_empty() => Some("the chosen packs have no options".to_owned()),
        None => Some(format!("known options: {}", quoted(&known, "and"))),
    };
    Diagnostic::unknown(Files::outside(), "unknown-option", "option", text)
        .severity(Severity::Fatal)
        .did_you_mean(near)
        .maybe_help(help)
        .push(report);
    None
}

//! Resolves a [`GameChoice`]: finds its mode, packs and options by name.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Files, Report, Severity, nearest};

use super::entry::Entry;
use super::kind::quoted;
use super::manifest::{Dependency, Manifest};
use super::names::EntryLocation;
use super::options::{self, ChosenOption, OptionValue, OptionValues};
use super::resolve::{Resolution, resolve_name};
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
    /// The chosen mode, the modes it extends, and the switches that are on.
    pub active: BTreeSet<EntryLocation>,
    /// The values of the options that have one.
    values: BTreeMap<EntryLocation, String>,
    /// All options of the packs.
    pub options: Vec<ChosenOption>,
}

impl Selection {
    /// Whether something with `in = [...]` is part of the game: if no name with `!` applies, and
    /// one of the others does.
    pub fn contains<'n>(
        &self,
        set: &PackSet,
        only_in: impl Iterator<Item = &'n Reference>,
    ) -> bool {
        let (mut has_positive, mut is_met) = (false, false);
        for name in only_in {
            let applies = self.applies(set, name);
            if name.condition.negated {
                if applies {
                    return false;
                }
            } else {
                has_positive = true;
                is_met |= applies;
            }
        }
        is_met || !has_positive
    }

    /// Whether a mode or an option is active, or has a value, regardless of `!`.
    fn applies(&self, set: &PackSet, name: &Reference) -> bool {
        let is_active = |loc: EntryLocation| match &name.condition.value {
            Some(value) => self.values.get(&loc) == Some(value),
            None => self.active.contains(&loc),
        };
        let (packs, visibility) = (&set.packs, &set.visibility);
        let meant = set.index.candidates(packs, visibility, name, &is_active);
        !meant.is_empty()
    }

    /// Sets the options that players chose, and the others to their defaults.
    fn choose_options(&mut self, set: &PackSet, choice: &GameChoice, report: &mut Report) {
        let mut chosen = BTreeSet::new();
        for text in &choice.options {
            if let Some(loc) = self.choose_option(set, text, report) {
                chosen.insert(loc);
            }
        }
        let packs = self.packs.clone();
        let of_packs = of_kind(set, "option").filter(|(loc, _)| packs.contains(&loc.pack));
        for (loc, entry) in of_packs {
            let is_available = self.contains(set, conditions(entry));
            if !is_available {
                self.active.remove(&loc);
                self.values.remove(&loc);
                if chosen.contains(&loc) {
                    excluded(entry, report);
                }
            }
            let values = options::values(set, loc, |pack| packs.contains(&pack));
            let value = match values.default {
                None => OptionValue::Switch(self.active.contains(&loc)),
                Some(_) if !is_available => OptionValue::Switch(false),
                Some(default) => {
                    OptionValue::One(self.values.entry(loc).or_insert(default).clone())
                }
            };
            self.options.push(ChosenOption {
                pack: loc.pack,
                id: entry.id.clone(),
                value,
            });
        }
    }

    /// Sets an option from `name` or `name=value`.
    fn choose_option(
        &mut self,
        set: &PackSet,
        text: &str,
        report: &mut Report,
    ) -> Option<EntryLocation> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text, None),
        };
        let loc = option(set, &self.packs, name, report)?;
        let values = options::values(set, loc, |pack| self.packs.contains(&pack));
        let example = |value: &String| format!("{name}={value}");
        let examples: Vec<String> = values.all.iter().map(example).collect();
        let (message, help) = match value {
            None if values.all.is_empty() => {
                self.active.insert(loc);
                return Some(loc);
            }
            Some(value) if values.has(value) => {
                let before = self.values.insert(loc, value.to_owned());
                if before.is_none_or(|before| before == value) {
                    return Some(loc);
                }
                (
                    format!("option `{name}` has two values"),
                    format!("choose one: {}", quoted(&examples, "or")),
                )
            }
            None => (
                format!("option `{name}` needs a value"),
                format!("write {}", quoted(&examples, "or")),
            ),
            Some(_) if values.all.is_empty() => (
                format!("option `{name}` has no values"),
                format!("write `{name}`"),
            ),
            Some(value) => {
                let known = values.all.iter().map(String::as_str);
                let near = nearest(value, known).map(|near| format!("did you mean `{near}`? "));
                (
                    format!("unknown value `{value}` of option `{name}`"),
                    format!(
                        "{}known values: {}",
                        near.unwrap_or_default(),
                        quoted(&values.all, "and")
                    ),
                )
            }
        };
        Diagnostic::fatal(Files::outside(), "unknown-option", message)
            .help(help)
            .push(report);
        None
    }
}

/// The names in the `in` of an entry.
pub(super) fn conditions(entry: &Entry) -> impl Iterator<Item = &Reference> {
    entry.list("in").iter().filter_map(|value| match value {
        FieldValue::Name(name) => Some(name),
        _ => None,
    })
}

/// Reports a chosen option that the mode or the other options exclude.
fn excluded(entry: &Entry, report: &mut Report) {
    let names: Vec<_> = conditions(entry).map(Reference::written).collect();
    let message = format!("option `{}` does not exist in this game", entry.id);
    Diagnostic::fatal(Files::outside(), "unknown-option", message)
        .related(entry.span, format!("only in {}", quoted(&names, "or")))
        .help("leave it out, or choose another mode")
        .push(report);
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
    let packs = required(set, &chosen);
    let mode = mode?;
    let mut selection = Selection {
        packs,
        mode,
        active: chain(set, mode).0.into_iter().collect(),
        values: BTreeMap::new(),
        options: Vec::new(),
    };
    for incompatibility in incompatibilities(set, &selection) {
        report.push(incompatibility.diagnostic);
    }
    selection.choose_options(set, choice, report);
    Some(selection)
}

/// The given packs and the packs they depend on, in load order.
fn required(set: &PackSet, roots: &[u16]) -> Vec<u16> {
    let all = (0u16..).zip(&set.packs).map(|(pack, _)| pack);
    let is_required = |pack: &u16| {
        let mut roots = roots.iter();
        roots.any(|root| set.visibility.requires(*root, *pack))
    };
    all.filter(is_required).collect()
}

/// A reason why packs cannot be played together in a mode.
struct Incompatibility {
    diagnostic: Diagnostic,
    /// The reason for players.
    reason: String,
}

/// Why the packs cannot be played together in the mode.
fn incompatibilities(set: &PackSet, selection: &Selection) -> Vec<Incompatibility> {
    let mut all = Vec::new();
    let packs = || {
        selection
            .packs
            .iter()
            .map(|pack| &set.packs[usize::from(*pack)].manifest)
    };
    for manifest in packs() {
        for conflict in &manifest.conflicts {
            let is_meant = |other: &&Manifest| {
                other.id == conflict.id && conflict.range.matches(&other.version)
            };
            all.extend(
                packs()
                    .find(is_meant)
                    .map(|other| conflicting(manifest, other, conflict)),
            );
        }
        if !selection.contains(set, manifest.only_in.iter()) {
            all.extend(excluded_by_mode(set, manifest, selection.mode));
        }
    }
    all
}

fn conflicting(manifest: &Manifest, other: &Manifest, conflict: &Dependency) -> Incompatibility {
    let message = format!("`{}` cannot be played with `{}`", manifest.id, other.id);
    let diagnostic = Diagnostic::fatal(conflict.span, "pack-conflict", message)
        .label(format!("declared by `{}`", manifest.id))
        .help("choose one of the two packs")
        .into();
    let reason = format!("{} cannot be played with {}", manifest.title, other.title);
    Incompatibility { diagnostic, reason }
}

/// A pack in a mode that its `in` excludes.
fn excluded_by_mode(
    set: &PackSet,
    manifest: &Manifest,
    mode: EntryLocation,
) -> Option<Incompatibility> {
    let mode = entry(set, mode)?;
    // A name that does not exist is reported where packs are read.
    if manifest
        .only_in
        .iter()
        .any(|name| set.resolve(name).is_none())
    {
        return None;
    }
    let title = |name: &Reference| {
        let meant = set.resolve(name).and_then(|entry| entry.text("title"));
        meant.map_or_else(|| name.text.clone(), str::to_owned)
    };
    let listed = |negated: bool| -> Vec<String> {
        let names = manifest.only_in.iter();
        names
            .filter(|name| name.condition.negated == negated)
            .map(title)
            .collect()
    };
    let only = listed(false);
    let reason = if only.is_empty() {
        format!(
            "{} is not for {}",
            manifest.title,
            listed(true).join(" or ")
        )
    } else {
        format!("{} is only for {}", manifest.title, only.join(" or "))
    };
    let names: Vec<_> = manifest.only_in.iter().map(Reference::written).collect();
    let span = manifest.only_in.first()?.span;
    let message = format!(
        "`{}` cannot be played in the mode `{}`",
        manifest.id, mode.id
    );
    let diagnostic = Diagnostic::fatal(span, "pack-conflict", message)
        .label(format!("only in {}", quoted(&names, "or")))
        .help("choose another mode, or leave the pack out")
        .into();
    Some(Incompatibility { diagnostic, reason })
}

/// Why packs cannot be added to a mode, for players; `None` if they can be.
#[must_use]
pub fn incompatibility(set: &PackSet, choice: &GameChoice) -> Option<String> {
    let mode = mode(set, &choice.mode, &choice.with, &mut Report::new())?;
    let added = choice.with.iter().filter_map(|id| Some(set.pack(id)?.0));
    let roots: Vec<u16> = added.chain([mode.pack]).collect();
    let selection = Selection {
        packs: required(set, &roots),
        mode,
        active: chain(set, mode).0.into_iter().collect(),
        values: BTreeMap::new(),
        options: Vec::new(),
    };
    let first = incompatibilities(set, &selection).into_iter().next();
    first.map(|incompatibility| incompatibility.reason)
}

/// An option to offer before a game.
pub struct OfferedOption<'s> {
    /// Its entry, with title and texts.
    pub entry: &'s Entry,
    /// The name for `--option`: the id, or `pack:id` if several packs have the id.
    pub name: String,
    /// Its values; empty for a switch.
    pub values: OptionValues,
}

/// The options that exist in a mode with the given packs and options.
#[must_use]
pub fn offered_options<'s>(set: &'s PackSet, choice: &GameChoice) -> Vec<OfferedOption<'s>> {
    let Some(selection) = select(set, choice, &mut Report::new()) else {
        return Vec::new();
    };
    let of_packs = of_kind(set, "option").filter(|(loc, _)| selection.packs.contains(&loc.pack));
    let all: Vec<_> = of_packs.collect();
    let fitting = all
        .iter()
        .filter(|(_, entry)| selection.contains(set, conditions(entry)));
    let offered = fitting.map(|(loc, entry)| {
        let is_shared = all.iter().filter(|(_, other)| other.id == entry.id).count() > 1;
        let name = if is_shared {
            format!("{}:{}", entry.pack_id, entry.id)
        } else {
            entry.id.clone()
        };
        OfferedOption {
            entry,
            name,
            values: options::values(set, *loc, |pack| selection.packs.contains(&pack)),
        }
    });
    offered.collect()
}

/// A mode and the modes it extends, nearest first, and whether they form a cycle.
pub(super) fn chain(set: &PackSet, mode: EntryLocation) -> (Vec<EntryLocation>, bool) {
    let mut out = vec![mode];
    let mut current = mode;
    while let Some(FieldValue::Name(name)) =
        entry(set, current).and_then(|entry| entry.get("extends"))
    {
        let Resolution::Unique(next) = resolve_name(set, name, None) else {
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
    let all = (0u16..).zip(&set.packs).flat_map(|(pack, pack_def)| {
        (0u32..)
            .zip(&pack_def.entries)
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
        .help(super::find::SEARCH_PATH_HELP)
        .push(report);
}

fn option(set: &PackSet, packs: &[u16], text: &str, report: &mut Report) -> Option<EntryLocation> {
    let is_chosen = |loc: &EntryLocation| packs.contains(&loc.pack);
    let mut found: Vec<(EntryLocation, &Entry)> = of_kind(set, "option")
        .filter(|(loc, entry)| is_chosen(loc) && is_named(entry, text))
        .collect();
    let all: BTreeSet<EntryLocation> = found.iter().map(|(loc, _)| *loc).collect();
    found.retain(|(loc, _)| set.replaced.get(loc).is_none_or(|by| by.is_disjoint(&all)));
    match &found[..] {
        [] => {}
        [(loc, _)] => return Some(*loc),
        several => {
            let names: Vec<String> = several
                .iter()
                .map(|(_, entry)| format!("{}:{}", entry.pack_id, entry.id))
                .collect();
            let message = format!("ambiguous option `{text}`");
            Diagnostic::fatal(Files::outside(), "ambiguous-entry", message)
                .help(format!("write {}", quoted(&names, "or")))
                .push(report);
            return None;
        }
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

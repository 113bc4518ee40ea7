//! What a choice of mode, packs and options puts in force.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Files, Report, nearest};

use super::entry::Entry;
use super::kind::quoted;
use super::names::Loc;
use super::resolve::{Meaning, meaning};
use super::set::PackSet;
use super::value::{Name, Value};

/// What somebody wants to play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The mode: `pack:mode` or `mode`.
    pub mode: String,
    /// Ids of further packs whose layers are to apply.
    pub with: Vec<String>,
    /// Options: `pack:option` or `option`.
    pub options: Vec<String>,
}

/// What is in force.
pub(super) struct Force {
    /// The packs, in load order.
    pub packs: Vec<u16>,
    /// The chosen mode.
    pub mode: Loc,
    /// The chosen mode, the modes it extends, and the chosen options.
    pub active: BTreeSet<Loc>,
}

impl Force {
    /// Whether something that says `in = [...]` exists.
    pub fn holds<'n>(&self, set: &PackSet, only_in: impl Iterator<Item = &'n Name>) -> bool {
        let mut none = true;
        for name in only_in {
            none = false;
            let meant = set.index.candidates(&set.packs, &set.links, name, &|loc| {
                self.active.contains(&loc)
            });
            if !meant.is_empty() {
                return true;
            }
        }
        none
    }
}

/// Finds out what a choice puts in force; what it names and nobody has is reported.
pub(super) fn force(set: &PackSet, choice: &Choice, report: &mut Report) -> Option<Force> {
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
        .filter(|pack| chosen.iter().any(|root| set.links.needs(*root, *pack)))
        .collect();
    let mode = mode?;
    let mut active: BTreeSet<Loc> = chain(set, mode).0.into_iter().collect();
    active.extend(
        choice
            .options
            .iter()
            .filter_map(|option| self::option(set, &packs, option, report)),
    );
    Some(Force {
        packs,
        mode,
        active,
    })
}

/// A mode and the modes it extends, nearest first, and whether they extend one another in a circle.
pub(super) fn chain(set: &PackSet, mode: Loc) -> (Vec<Loc>, bool) {
    let mut out = vec![mode];
    let mut current = mode;
    while let Some(Value::Name(name)) = entry(set, current).and_then(|entry| entry.get("extends")) {
        let Meaning::One(next) = meaning(set, name, None) else {
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

/// Reports modes that extend one another in a circle.
pub(super) fn check_chains(set: &PackSet, report: &mut Report) {
    for (loc, entry) in modes(set) {
        let (chain, circle) = chain(set, loc);
        let first = chain.iter().min() == Some(&loc);
        if circle && first {
            let mut names: Vec<&str> = chain
                .iter()
                .filter_map(|loc| Some(self::entry(set, *loc)?.id.as_str()))
                .collect();
            names.push(&entry.id);
            Diagnostic::crash(
                entry
                    .field("extends")
                    .map_or(entry.span, |field| field.span),
                "mode-cycle",
                format!(
                    "modes extend one another in a circle: {}",
                    names.join(" → ")
                ),
            )
            .help("take extends out of one of them")
            .push(report);
        }
    }
}

fn entry(set: &PackSet, loc: Loc) -> Option<&Entry> {
    set.packs
        .get(usize::from(loc.pack))?
        .entries()
        .nth(loc.entry as usize)
}

fn modes(set: &PackSet) -> impl Iterator<Item = (Loc, &Entry)> {
    of_kind(set, "mode")
}

fn of_kind<'s>(set: &'s PackSet, kind: &'static str) -> impl Iterator<Item = (Loc, &'s Entry)> {
    let all = (0u16..).zip(&set.packs).flat_map(|(pack, held)| {
        (0u32..)
            .zip(&held.entries)
            .map(move |(entry, def)| (Loc { pack, entry }, &**def))
    });
    all.filter(move |(_, def)| def.kind == kind)
}

/// Whether `pack:id`, `pack:kind/id`, `kind/id` or `id` names an entry, seen from outside of all packs.
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

fn mode(set: &PackSet, text: &str, with: &[String], report: &mut Report) -> Option<Loc> {
    let mut found: Vec<(Loc, &Entry)> = modes(set)
        .filter(|(_, entry)| is_named(entry, text))
        .collect();
    if found.len() > 1 {
        let all: BTreeSet<Loc> = found.iter().map(|(loc, _)| *loc).collect();
        found.retain(|(loc, _)| set.replaced.get(loc).is_none_or(|by| by.is_disjoint(&all)));
    }
    if found.len() > 1 && found.iter().any(|(_, entry)| with.contains(&entry.pack_id)) {
        found.retain(|(_, entry)| with.contains(&entry.pack_id));
    }
    if let [(loc, _)] = found.as_slice() {
        return Some(*loc);
    }
    let (code, message, which) = if found.is_empty() {
        (
            "unknown-mode",
            format!("there is no mode `{text}`"),
            modes(set).collect(),
        )
    } else {
        (
            "ambiguous-entry",
            format!("several packs have a mode `{text}`"),
            found,
        )
    };
    let mut names: Vec<String> = which
        .iter()
        .map(|(_, entry)| format!("{}:{}", entry.pack_id, entry.id))
        .collect();
    names.sort();
    let near = nearest(
        text,
        which
            .iter()
            .map(|(_, entry)| entry.id.as_str())
            .filter(|id| *id != text),
    );
    let near = near
        .map(|near| format!("did you mean `{near}`? "))
        .unwrap_or_default();
    Diagnostic::crash(Files::outside(), code, message)
        .help(format!("{near}there is {}", quoted(&names, "and")))
        .push(report);
    None
}

fn unknown_pack(set: &PackSet, id: &str, report: &mut Report) {
    let near = nearest(id, set.packs.iter().map(|pack| pack.manifest.id.as_str()));
    let near = near
        .map(|near| format!("did you mean `{near}`? "))
        .unwrap_or_default();
    Diagnostic::crash(
        Files::outside(),
        "missing-pack",
        format!("there is no pack `{id}`"),
    )
    .help(format!("{near}{}", super::find::LOOKED_FOR))
    .push(report);
}

fn option(set: &PackSet, packs: &[u16], text: &str, report: &mut Report) -> Option<Loc> {
    let in_force = |loc: &Loc| packs.contains(&loc.pack);
    let mut found =
        of_kind(set, "option").filter(|(loc, entry)| in_force(loc) && is_named(entry, text));
    if let Some((loc, _)) = found.next() {
        return Some(loc);
    }
    let known: Vec<&str> = of_kind(set, "option")
        .filter(|(loc, _)| in_force(loc))
        .map(|(_, entry)| entry.id.as_str())
        .collect();
    let help = match nearest(text, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "the chosen packs have no options".to_owned(),
        None => format!("the chosen packs have {}", quoted(&known, "and")),
    };
    Diagnostic::crash(
        Files::outside(),
        "unknown-option",
        format!("the chosen packs have no option `{text}`"),
    )
    .help(help)
    .push(report);
    None
}

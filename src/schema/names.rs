//! The kinds, entries, events and queries that pack files can refer to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::content::events::{self, EventSpec};
use crate::diagnostic::Report;
use crate::pack::{Entry, EntryNature, Kind, Pack, PackSet, visible};

/// Everything that the files of a set of packs can refer to.
pub struct SchemaNames<'s> {
    /// The kinds of the engine, of the packs, and of all packs visible to them.
    pub kinds: Vec<Cow<'s, Kind>>,
    /// The entries of the packs and of all packs visible to them.
    pub entries: Vec<&'s Entry>,
    /// Whether a pack that is named is missing, so that unknown kinds and events may be valid.
    pub open: bool,
    /// Whether a required pack is missing, so that any id may be valid.
    pub has_missing_dependency: bool,
    set: &'s PackSet,
}

/// A kind with what the packs add to it.
fn extended<'s>(kind: &'s Kind, packs: &[&Pack]) -> Cow<'s, Kind> {
    let mut kind = Cow::Borrowed(kind);
    for extension in packs.iter().flat_map(|pack| &pack.extensions) {
        if extension.kind == kind.id {
            extension.merge_into(kind.to_mut(), &mut Report::new());
        }
    }
    kind
}

/// An event or a query, from the engine or a pack.
pub struct NamedEvent {
    pub name: String,
    /// When it fires or what it asks, and the fields of `event`.
    pub text: String,
}

impl<'s> SchemaNames<'s> {
    pub fn new(set: &'s PackSet, chosen: &[u16]) -> Self {
        let mut numbers: Vec<u16> = chosen.iter().flat_map(|pack| visible(set, *pack)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let packs: Vec<_> = numbers
            .iter()
            .filter_map(|pack| set.packs.get(usize::from(*pack)))
            .collect();
        let missing = |id: &str| set.pack(id).is_none();
        Self {
            kinds: set
                .builtin
                .iter()
                .chain(packs.iter().flat_map(|pack| &pack.kinds))
                .map(|kind| extended(kind, &packs))
                .collect(),
            entries: packs.iter().copied().flat_map(Pack::entries).collect(),
            open: packs.iter().any(|pack| {
                pack.manifest
                    .all_dependencies()
                    .any(|dependency| missing(&dependency.id))
            }),
            has_missing_dependency: packs.iter().any(|pack| {
                pack.manifest
                    .required()
                    .any(|dependency| missing(&dependency.id))
            }),
            set,
        }
    }

    /// The ids of entries of some kinds, with their titles; an empty list means all kinds.
    pub fn ids(&self, to: &[String]) -> BTreeMap<&'s str, Option<&'s str>> {
        let fits =
            |entry: &&&Entry| to.is_empty() || to.iter().any(|wanted| self.is(&entry.kind, wanted));
        self.entries
            .iter()
            .filter(fits)
            .map(|entry| (&*entry.id, entry.text("title")))
            .collect()
    }

    /// Whether a kind matches: by its id, or as a `piece` or `place`.
    fn is(&self, kind: &str, wanted: &str) -> bool {
        let mut named = self.kinds.iter().filter(|known| known.id == kind);
        kind == wanted
            || named.any(|known| known.is != EntryNature::Data && known.is.word() == wanted)
    }

    /// The names of all entries in the form `pack:kind/id`.
    pub fn full_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.entries.iter().map(|entry| entry.full_name()).collect();
        names.sort();
        names
    }

    /// The ids of all packs found, visible or not: a pack can depend on any of them.
    pub fn pack_ids(&self) -> Vec<&'s str> {
        self.set
            .packs
            .iter()
            .map(|pack| &*pack.manifest.id)
            .collect()
    }

    /// The id of the pack that declares a kind; `engine` for the built-in kinds.
    pub fn pack_of(&self, kind: &Kind) -> &'s str {
        let pack = kind
            .pack
            .and_then(|pack| self.set.packs.get(usize::from(pack)));
        pack.map_or("engine", |pack| &pack.manifest.id)
    }

    pub fn events(&self) -> Vec<NamedEvent> {
        self.named_events(events::on::EVENTS, "event")
    }

    pub fn queries(&self) -> Vec<NamedEvent> {
        self.named_events(events::ask::QUERIES, "query")
    }

    fn named_events(&self, natives: &[EventSpec], kind: &str) -> Vec<NamedEvent> {
        let natives = natives.iter().map(|native| NamedEvent {
            name: native.name.into(),
            text: with_provided(native.text, native.provides.split_whitespace()),
        });
        let own = self
            .entries
            .iter()
            .filter(|entry| entry.kind == kind)
            .map(|entry| NamedEvent {
                name: entry.id.clone(),
                text: with_provided(
                    entry
                        .text("text")
                        .or(entry.text("title"))
                        .unwrap_or_default(),
                    entry
                        .list("provides")
                        .iter()
                        .filter_map(|value| value.as_text()),
                ),
            });
        natives.chain(own).collect()
    }
}

fn with_provided<'t>(text: &str, provides: impl Iterator<Item = &'t str>) -> String {
    let name = |text| match events::provided(text) {
        (name, Some(of)) => format!("`event.{name}` ({of})"),
        (name, None) => format!("`event.{name}`"),
    };
    let names: Vec<String> = provides.map(name).collect();
    let gives = if names.is_empty() {
        String::new()
    } else {
        format!("Provides {}.", names.join(", "))
    };
    format!("{text}\n\n{gives}").trim().to_owned()
}

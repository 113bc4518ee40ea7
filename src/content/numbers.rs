//! Assigns ids to all names first, so that fields can refer to entries that come later.

use crate::value::Text;
use std::sync::Arc;

use super::build::ContentBuilder;
use super::defs::{EventDef, KindDef};
use super::events::{self, ProvidedType};
use super::names::{ENGINE, Symbols};
use crate::diagnostic::{Diagnostic, nearest};
use crate::pack;
use crate::value::{
    ChainId, CounterId, DieId, EntryId, EventId, FightId, PhaseId, QueryId, ZoneId,
};

impl ContentBuilder<'_> {
    pub fn number_names(&mut self) {
        for native in events::on::EVENTS {
            let provides: Vec<Text> = native.provides.split_whitespace().map(Text::from).collect();
            self.content.events.push(EventDef {
                name: native.name.into(),
                types: vec![None; provides.len()],
                provides,
            });
        }
        for native in events::ask::QUERIES {
            let provides: Vec<Text> = native.provides.split_whitespace().map(Text::from).collect();
            self.content.queries.push(EventDef {
                name: native.name.into(),
                types: vec![None; provides.len()],
                provides,
            });
        }
        for kind in self.layered.kinds.iter() {
            let fields = kind
                .fields
                .iter()
                .map(|field| field.name.as_str().into())
                .collect();
            self.content.kinds.push(KindDef {
                id: kind.id.as_str().into(),
                title: kind.title.as_str().into(),
                is_piece: kind.is == pack::EntryNature::Piece,
                nested: nested_names(&kind.fields),
                words: words_of(&kind.fields)
                    .chain(kind.faces.iter().cloned())
                    .map(Text::from)
                    .collect(),
                fields,
                entries: Vec::new(),
            });
        }
        let symbols = Arc::make_mut(&mut self.content.symbols);
        for (ix, event) in self.content.events.iter().enumerate() {
            symbols.define(ENGINE, &event.name).event = Some(EventId::at(ix));
        }
        for (ix, query) in self.content.queries.iter().enumerate() {
            symbols.define(ENGINE, &query.name).query = Some(QueryId::at(ix));
        }
    }

    /// Collects the names of each entry, and assigns ids to counters, zones, phases and so on.
    pub fn number_entries(&mut self) {
        let mut counts = IdCounters::default();
        for (ix, entry) in self.layered.entries.iter().enumerate() {
            let id = EntryId::at(ix);
            let pack = &self.content.packs[usize::from(self.pack_index(entry.pack))].id;
            let names = [
                entry.id.clone(),
                format!("{}/{}", entry.kind, entry.id),
                format!("{pack}:{}", entry.id),
                entry.full_name(),
            ];
            for name in names {
                let names = Arc::make_mut(&mut self.content.entry_names);
                names.entry(name).or_default().push(id);
            }
            if IdCounters::counts(&entry.kind) {
                let number = self.pack_index(entry.pack);
                let symbols = Arc::make_mut(&mut self.content.symbols);
                for name in spellings(&entry.id) {
                    counts.note(&entry.kind, symbols.define(number, &name));
                }
            }
            counts.next(&entry.kind);
            if self.is_place(&entry.kind) {
                self.content.map.places.push(super::map::PlaceNode {
                    entry: id,
                    edges: Vec::new(),
                });
            }
        }
        self.number_events();
    }

    fn number_events(&mut self) {
        for entry in &self.layered.entries {
            if !matches!(entry.kind.as_str(), "event" | "query") {
                continue;
            }
            let def = self.event(entry);
            let number = self.pack_index(entry.pack);
            let symbols = Arc::make_mut(&mut self.content.symbols);
            match entry.kind.as_str() {
                "event" => {
                    let id = EventId::at(self.content.events.len());
                    symbols.define(number, &entry.id).event = Some(id);
                    self.content.events.push(def);
                }
                "query" => {
                    let id = QueryId::at(self.content.queries.len());
                    symbols.define(number, &entry.id).query = Some(id);
                    self.content.queries.push(def);
                }
                _ => {}
            }
        }
    }

    /// An event or a query of a pack.
    fn event(&mut self, entry: &pack::Entry) -> EventDef {
        let mut def = EventDef {
            name: entry.id.as_str().into(),
            provides: Vec::new(),
            types: Vec::new(),
        };
        for text in entry
            .list("provides")
            .iter()
            .filter_map(|item| item.as_text())
        {
            let (name, of) = events::provided(text);
            let ty = of.and_then(ProvidedType::parse);
            if let (Some(of), None) = (of, ty) {
                let names = ProvidedType::ALL.map(|(name, _)| name);
                let span = entry.field("provides").map_or(entry.span, |own| own.span);
                Diagnostic::unknown(span, "unknown-value", "type", of)
                    .label(format!("in \"{text}\""))
                    .did_you_mean(nearest(of, names))
                    .help(format!("the types are {}", names.join(", ")))
                    .push(self.report);
            }
            def.provides.push(name.into());
            def.types.push(ty);
        }
        def
    }
}

/// The enum values that fields accept.
fn words_of(fields: &[pack::FieldSpec]) -> impl Iterator<Item = String> {
    fn enum_values(ty: &pack::Type) -> Vec<String> {
        match ty {
            pack::Type::Enum(values) => values.to_vec(),
            pack::Type::List(of_items) | pack::Type::Map(of_items) => enum_values(of_items),
            pack::Type::Table(specs) => specs
                .iter()
                .flat_map(|spec| enum_values(&spec.ty))
                .collect(),
            _ => Vec::new(),
        }
    }
    fields.iter().flat_map(|spec| enum_values(&spec.ty))
}

/// The names of fields inside tables, at any depth.
fn nested_names(fields: &[pack::FieldSpec]) -> Vec<Text> {
    fn add_names(ty: &pack::Type, names: &mut Vec<Text>) {
        match ty {
            pack::Type::List(of_what) | pack::Type::Map(of_what) => add_names(of_what, names),
            pack::Type::Table(fields) => fields.iter().for_each(|field| {
                names.push(field.name.as_str().into());
                add_names(&field.ty, names);
            }),
            _ => {}
        }
    }
    let mut names = Vec::new();
    fields
        .iter()
        .for_each(|field| add_names(&field.ty, &mut names));
    names
}

/// The next id of each type of definition.
#[derive(Default)]
struct IdCounters {
    counter: usize,
    zone: usize,
    phase: usize,
    fight: usize,
    chain: usize,
    die: usize,
}

/// A name as files write it, and as scripts write it.
pub(super) fn spellings(id: &str) -> impl Iterator<Item = String> {
    let in_scripts = id.contains('-').then(|| id.replace('-', "_"));
    std::iter::once(id.to_owned()).chain(in_scripts)
}

impl IdCounters {
    /// Whether the entries of a kind have ids of their own.
    fn counts(kind: &str) -> bool {
        matches!(
            kind,
            "counter" | "flag" | "zone" | "phase" | "fight" | "chain" | "die"
        )
    }

    fn note(&self, kind: &str, symbols: &mut Symbols) {
        match kind {
            "counter" | "flag" => symbols.counter = Some(CounterId::at(self.counter)),
            "zone" => symbols.zone = Some(ZoneId::at(self.zone)),
            "phase" => symbols.phase = Some(PhaseId::at(self.phase)),
            "fight" => symbols.fight = Some(FightId::at(self.fight)),
            "chain" => symbols.chain = Some(ChainId::at(self.chain)),
            "die" => symbols.die = Some(DieId::at(self.die)),
            _ => {}
        }
    }

    fn next(&mut self, kind: &str) {
        match kind {
            "counter" | "flag" => self.counter += 1,
            "zone" => self.zone += 1,
            "phase" => self.phase += 1,
            "fight" => self.fight += 1,
            "chain" => self.chain += 1,
            "die" => self.die += 1,
            _ => {}
        }
    }
}

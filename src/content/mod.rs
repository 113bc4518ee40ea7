//! The content of a game, with names resolved to small integers. It does not change during a game.
//!
//! Files and spans are in `pack`, compiled scripts in `script`, and the state of a game is in
//! `game`.

mod build;
mod chains;
mod costs;
mod defs;
pub mod events;
mod flags;
mod hooks;
mod listeners;
mod map;
mod modes;
mod names;
mod numbers;
mod per_owner;
mod pieces;
mod places;
mod seat_set;

use std::collections::HashMap;
use std::sync::Arc;

pub use crate::value::*;
pub use build::build;
pub(crate) use chains::link;
pub use costs::{
    Amount, CostAlternative, CostError, CostPart, CostReader, KEYWORDS as COST_KEYWORDS,
};
pub use defs::*;
pub use listeners::{EventListeners, ListenerIndex, QueryListeners};
pub use map::{BoardMap, Edge};
pub(crate) use names::SymbolTable;
pub use names::Symbols;
pub use per_owner::PerOwner;
pub use seat_set::SeatSet;

use ahash::AHashMap;
use smallvec::SmallVec;

use crate::pack::EntryIndices;

/// An enabled pack, as in the header of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackStamp {
    /// The id of the pack.
    pub id: String,
    /// The version in its `pack.toml`.
    pub version: String,
    /// SHA-256 of its files.
    pub hash: String,
}

/// Everything that packs define for a game. The ids are indices into these vectors.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The enabled packs, in layer order.
    pub packs: Vec<PackStamp>,
    /// For each enabled pack, the packs whose functions its scripts can call.
    pub visible: Vec<Vec<u16>>,
    /// For each enabled pack, the packs that its `pack.toml` names, enabled or not, and itself.
    pub related: Vec<Vec<String>>,
    /// For each enabled pack, its function files.
    pub libraries: Vec<Vec<crate::diagnostic::FileId>>,
    /// Names of fields and keys. Never iterated, so hash order does not matter.
    pub(crate) field_names: Arc<HashMap<String, Text>>,
    /// By [`EntryId`].
    pub entries: Vec<Arc<EntryDef>>,
    /// By [`KindId`].
    pub kinds: Vec<KindDef>,
    /// By [`CounterId`].
    pub counters: Vec<CounterDef>,
    /// The counters that each kind of owner has, in the order of their slots.
    pub counters_of: PerOwner<Vec<CounterId>>,
    /// The slot of each counter for each kind of owner.
    pub counter_slot: Vec<PerOwner<Option<u16>>>,
    /// By [`ZoneId`].
    pub zones: Vec<ZoneDef>,
    /// The zones that each kind of owner has, in the order of their slots.
    pub zones_of: PerOwner<Vec<ZoneId>>,
    /// The slot of each zone for each kind of owner.
    pub zone_slot: Vec<PerOwner<Option<u16>>>,
    /// The places and the routes between them.
    pub map: BoardMap,
    /// The fields of routes that no entry declares.
    pub route_defaults: Vec<(Text, Value)>,
    /// By [`PhaseId`].
    pub phases: Vec<PhaseDef>,
    /// Lists of phases, by [`ListId`].
    pub lists: Vec<Vec<PhaseId>>,
    /// By [`FightId`].
    pub fights: Vec<FightDef>,
    /// By [`ChainId`].
    pub chains: Vec<ChainDef>,
    /// By [`DieId`].
    pub dice: Vec<DieDef>,
    /// By [`EventId`].
    pub events: Vec<EventDef>,
    /// By [`QueryId`].
    pub queries: Vec<EventDef>,
    /// The scripts of all entries, by [`HookId`].
    pub hooks: Vec<Arc<HookDef>>,
    /// The panels, in layer order.
    pub panels: Vec<PanelDef>,
    /// The mode that is played.
    pub mode: Option<ModeDef>,
    /// A script of a test case that runs before the setup of the mode.
    pub script_before_setup: Option<(EntryId, HookId)>,
    /// A script that runs after setup, to start a game at a later point.
    pub setup_script: Option<(EntryId, HookId)>,
    /// All options of the packs, with their values.
    pub options: Vec<OptionDef>,
    /// The listeners of each event and query.
    pub listeners: ListenerIndex,
    /// The zones of each kind of owner in which the hooks of pieces run.
    pub listening_zones: PerOwner<Vec<ZoneId>>,
    /// For each scope, the counters that are reset with it.
    pub scoped: [Vec<CounterId>; 7],
    /// How to start a game at an entry.
    pub starts: Vec<StartDef>,
    /// Scripts that evaluate a seat's position, for bots.
    pub evaluations: Vec<(EntryId, HookId)>,
    /// Scripts whose results are shown for each seat at the end of a game.
    pub statistics: Vec<(EntryId, HookId)>,
    /// Scripts that must return `true` at every decision.
    pub invariants: Vec<(EntryId, HookId)>,
    /// Scripts of rules that run after each step.
    pub state_rules: Vec<(EntryId, HookId)>,
    /// The indices of the layered entries that this was built from.
    pub(crate) indices: EntryIndices,
    /// Entries by `id`, `kind/id`, `pack:id` and `pack:kind/id`. Never iterated.
    pub(crate) entry_names: Arc<AHashMap<String, SmallVec<[EntryId; 1]>>>,
    /// Counters, zones and other definitions by name.
    pub(crate) symbols: Arc<SymbolTable>,
}

impl Content {
    /// Whether one was built from the other, so that entries and scripts have the same ids in both.
    pub(crate) fn shares_numbers_with(&self, other: &Content) -> bool {
        Arc::ptr_eq(&self.entry_names, &other.entry_names)
    }

    /// The entry with an id.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> &EntryDef {
        &self.entries[id.ix()]
    }

    /// A name of a field, as the same text in memory as in the entries that have it.
    #[must_use]
    pub fn interned(&self, name: &str) -> Text {
        self.field_names
            .get(name)
            .cloned()
            .unwrap_or_else(|| name.into())
    }

    /// How to start a game at an entry. The last `[[start]]` for its kind applies.
    #[must_use]
    pub fn start_of(&self, entry: EntryId) -> Option<&StartDef> {
        self.starts
            .iter()
            .rev()
            .find(|start| start.of == self.entry(entry).kind)
    }

    /// The entries of a kind, in order.
    pub fn of_kind(&self, kind: KindId) -> impl Iterator<Item = EntryId> + '_ {
        self.kinds[kind.ix()].entries.iter().copied()
    }

    /// Finds a kind by id.
    #[must_use]
    pub fn kind(&self, id: &str) -> Option<KindId> {
        self.kinds
            .iter()
            .position(|kind| &*kind.id == id)
            .map(KindId::at)
    }

    /// A counter's title.
    #[must_use]
    pub fn counter_title(&self, id: CounterId) -> &Text {
        &self.entry(self.counters[id.ix()].entry).title
    }

    /// A zone's title.
    #[must_use]
    pub fn zone_title(&self, id: ZoneId) -> &Text {
        &self.entry(self.zones[id.ix()].entry).title
    }

    /// An event's name.
    #[must_use]
    pub fn event_name(&self, id: EventId) -> &Text {
        &self.events[id.ix()].name
    }

    /// `pack:kind/id/hook`, the name of a script in messages and journals.
    #[must_use]
    pub fn hook_name(&self, id: HookId) -> String {
        self.hook_name_of(&self.hooks[id.ix()])
    }

    /// `pack:kind/id/hook` for a script that may not be part of this content.
    #[must_use]
    pub fn hook_name_of(&self, hook: &HookDef) -> String {
        format!("{}/{}", self.entry(hook.entry).name, hook.name)
    }

    /// The text in a field of an entry, with its placeholders filled in.
    #[must_use]
    pub fn render(&self, id: EntryId, field: &str) -> Option<String> {
        let entry = self.entry(id);
        let text = entry.text(field)?;
        Some(self.render_text(text, &|name| entry.field(name)))
    }

    /// Fills in the placeholders of a template. Unknown placeholders are left unchanged.
    #[must_use]
    pub fn render_text<'a>(
        &'a self,
        text: &str,
        look: &dyn Fn(&str) -> Option<&'a Value>,
    ) -> String {
        Self::fill(text, &|name| self.placeholder(name, look))
    }

    /// The text for a placeholder such as `{damage}` or `{foe.life}`.
    #[must_use]
    pub fn placeholder<'a>(
        &'a self,
        name: &str,
        look: &dyn Fn(&str) -> Option<&'a Value>,
    ) -> Option<String> {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        self.display_path(look(first)?, rest)
    }

    /// The text at a path of names and positions from 1 in a value. A path leads through references
    /// to the fields of the entries that they name.
    #[must_use]
    pub fn display_path(&self, value: &Value, path: &str) -> Option<String> {
        let Value::Entry(id) = value else {
            let (step, rest) = path.split_once('.').unwrap_or((path, ""));
            return match step {
                "" => Some(self.display(value)),
                step => self.display_path(value.path(step)?, rest),
            };
        };
        let entry = self.entry(*id);
        match path.split_once('.').unwrap_or((path, "")) {
            ("" | "title", "") => Some(entry.title.to_string()),
            ("id", "") => Some(entry.id.to_string()),
            (field, rest) => self.display_path(entry.field(field)?, rest),
        }
    }

    /// The zone that draws from another one, such as a hand.
    #[must_use]
    pub fn drawing_zone(&self) -> Option<ZoneId> {
        let found = self.zones.iter().position(|zone| zone.draws_from.is_some());
        found.map(ZoneId::at)
    }

    /// Fills in the placeholders of a template from a function.
    #[must_use]
    pub fn fill(text: &str, look: &dyn Fn(&str) -> Option<String>) -> String {
        // Most texts have no placeholders.
        if !text.bytes().any(|byte| matches!(byte, b'{' | b'}')) {
            return text.to_owned();
        }
        crate::pack::Template::parse(text).0.render(look)
    }

    /// A row of a table for display: texts alone, numbers with their name; `None` for zero, `false`
    /// and empty values.
    fn show_row(&self, (name, value): &(Text, Value)) -> Option<String> {
        match value {
            Value::Int(0) | Value::Bool(false) | Value::Unit | Value::Script(_) => None,
            Value::Int(n) => Some(format!("{n} {name}")),
            Value::Bool(true) => Some(name.to_string()),
            other => Some(self.display(other)).filter(|text| !text.is_empty()),
        }
    }

    /// A value for display.
    #[must_use]
    pub fn display(&self, value: &Value) -> String {
        match value {
            Value::Int(n) => n.to_string(),
            Value::Bool(yes) => if *yes { "yes" } else { "" }.to_owned(),
            Value::Text(text) => text.to_string(),
            Value::Entry(id) => self.entry(*id).title.to_string(),
            Value::List(list) | Value::Rows(list) => list
                .iter()
                .map(|value| self.display(value))
                .collect::<Vec<_>>()
                .join(", "),
            Value::Table(rows) => rows
                .iter()
                .filter_map(|row| self.show_row(row))
                .collect::<Vec<_>>()
                .join(" "),
            _ => String::new(),
        }
    }
}

impl Owner {
    /// All kinds of owners, in the order of [`PerOwner`].
    pub const ALL: [Owner; 4] = [Owner::Table, Owner::Seat, Owner::Place, Owner::Piece];

    /// The index in [`Owner::ALL`].
    #[must_use]
    pub const fn ix(self) -> usize {
        self as usize
    }
}

/// The 64-bit FNV-1a hash, which is the same in every version and on every machine. Shuffles depend
/// on it.
#[must_use]
pub fn stable_hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

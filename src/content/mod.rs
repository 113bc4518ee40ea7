//! What the packs in force say, with names resolved to small integers: immutable while a game is played.
//!
//! Not here: files and spans of fields (`pack`), compiled scripts (`script`), anything that changes in play (`game`).

mod build;
mod defs;
pub mod events;
mod hooks;
mod ids;
mod listeners;
mod map;
mod modes;
mod numbers;
mod per_owner;
mod places;
mod seat_set;
mod value;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub use build::build;
pub(crate) use build::link;
pub use defs::*;
pub use ids::*;
pub use listeners::{EventListeners, ListenerIndex, QueryListeners};
pub use map::Map;
pub use per_owner::PerOwner;
pub use seat_set::SeatSet;
pub use value::Value;

use crate::pack::EntryNumbers;

/// A pack in force, as the journal's header names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackStamp {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The hash of its content.
    pub hash: String,
}

/// Everything that is in force, by number.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The packs in force, in layer order.
    pub packs: Vec<PackStamp>,
    /// For each pack in force, the packs whose functions its scripts see, itself first.
    pub visible: Vec<Vec<u16>>,
    /// The files of functions of each pack in force: name and text.
    pub libraries: Vec<Vec<crate::diagnostic::FileId>>,
    /// Every entry.
    pub entries: Vec<Arc<Entry>>,
    /// Every kind.
    pub kinds: Vec<KindDef>,
    /// Every counter.
    pub counters: Vec<CounterDef>,
    /// The counters of each kind of owner, in the order of their slots.
    pub counters_of: PerOwner<Vec<CounterId>>,
    /// The slot of each counter for each kind of owner.
    pub counter_slot: Vec<PerOwner<Option<u16>>>,
    /// Every zone.
    pub zones: Vec<ZoneDef>,
    /// The zones of each kind of owner, in the order of their slots.
    pub zones_of: PerOwner<Vec<ZoneId>>,
    /// The slot of each zone for each kind of owner.
    pub zone_slot: Vec<PerOwner<Option<u16>>>,
    /// The places and their routes.
    pub map: Map,
    /// Every phase.
    pub phases: Vec<PhaseDef>,
    /// Lists of phases.
    pub lists: Vec<Vec<PhaseId>>,
    /// Every fight.
    pub fights: Vec<FightDef>,
    /// Every chain.
    pub chains: Vec<ChainDef>,
    /// Every die.
    pub dice: Vec<DieDef>,
    /// Every event.
    pub events: Vec<EventDef>,
    /// Every query's name.
    pub queries: Vec<EventDef>,
    /// Every script.
    pub hooks: Vec<Arc<HookDef>>,
    /// The panels.
    pub panels: Vec<PanelDef>,
    /// The mode that is played.
    pub mode: Option<ModeDef>,
    /// A script that runs after set-up, to start in the middle of things.
    pub given: Option<(EntryId, HookId)>,
    /// The options in force.
    pub options: Vec<String>,
    /// The listeners of each event and query.
    pub listeners: ListenerIndex,
    /// The zones of each kind of owner in which pieces listen.
    pub listening_zones: PerOwner<Vec<ZoneId>>,
    /// For each scope, whether a counter starts anew with it.
    pub scoped: [bool; 7],
    /// How games begin right at an entry.
    pub starts: Vec<StartDef>,
    /// What a seat's position is worth, for bots.
    pub worths: Vec<(EntryId, HookId)>,
    /// What is shown of each seat when a game is over.
    pub statistics: Vec<(EntryId, HookId)>,
    /// What must be so at every decision.
    pub invariants: Vec<(EntryId, HookId)>,
    /// Rules looked at after each step.
    pub state_rules: Vec<(EntryId, HookId)>,
    /// The numbers of entries in the layers this was built from.
    pub(crate) numbers: EntryNumbers,
    /// Names of entries: short, with kind, with pack; `None` is ambiguous.
    pub(crate) entry_names: Arc<HashMap<String, Option<EntryId>>>,
    /// Names of counters, zones and so on, as scripts write them.
    pub(crate) symbols: Arc<BTreeMap<String, Symbols>>,
}

/// What a plain name means, in each of the drawers it may be looked up in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symbols {
    /// A counter of that name.
    pub counter: Option<CounterId>,
    /// A zone of that name.
    pub zone: Option<ZoneId>,
    /// An event of that name.
    pub event: Option<EventId>,
    /// A query of that name.
    pub query: Option<QueryId>,
    /// A chain of that name.
    pub chain: Option<ChainId>,
    /// A die of that name.
    pub die: Option<DieId>,
    /// A fight of that name.
    pub fight: Option<FightId>,
    /// A phase of that name.
    pub phase: Option<PhaseId>,
    /// A list of phases of that name.
    pub list: Option<ListId>,
}

impl Content {
    /// Whether one of the two was built from the other, so that entries and scripts have the same numbers in both.
    pub(crate) fn shares_numbers_with(&self, other: &Content) -> bool {
        Arc::ptr_eq(&self.entry_names, &other.entry_names)
    }

    /// The definition of an entry.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[id.ix()]
    }

    /// What a plain name means.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Symbols {
        self.symbols.get(name).copied().unwrap_or_default()
    }

    /// The entry of a name: `id`, `kind/id`, `pack:id` or `pack:kind/id`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<EntryId> {
        self.entry_names.get(name).copied().flatten()
    }

    /// Whether a name stands for several entries.
    #[must_use]
    pub fn is_ambiguous(&self, name: &str) -> bool {
        matches!(self.entry_names.get(name), Some(None))
    }

    /// How a game begins at an entry: the last word on its kind.
    #[must_use]
    pub fn start_of(&self, entry: EntryId) -> Option<&StartDef> {
        self.starts
            .iter()
            .rev()
            .find(|start| start.of == self.entry(entry).kind)
    }

    /// The entries of a kind, in order.
    pub fn of_kind(&self, kind: KindId) -> impl Iterator<Item = EntryId> + '_ {
        (0..self.entries.len())
            .map(EntryId::at)
            .filter(move |id| self.entry(*id).kind == kind)
    }

    /// The kind of an id.
    #[must_use]
    pub fn kind(&self, id: &str) -> Option<KindId> {
        self.kinds
            .iter()
            .position(|kind| &*kind.id == id)
            .map(KindId::at)
    }

    /// A counter's title.
    #[must_use]
    pub fn counter_title(&self, id: CounterId) -> &Arc<str> {
        &self.entry(self.counters[id.ix()].entry).title
    }

    /// A zone's title.
    #[must_use]
    pub fn zone_title(&self, id: ZoneId) -> &Arc<str> {
        &self.entry(self.zones[id.ix()].entry).title
    }

    /// An event's name.
    #[must_use]
    pub fn event_name(&self, id: EventId) -> &Arc<str> {
        &self.events[id.ix()].name
    }

    /// `pack:kind/id/hook`, which names a script in diagnostics, journals and `why`.
    #[must_use]
    pub fn hook_name(&self, id: HookId) -> String {
        self.hook_name_of(&self.hooks[id.ix()])
    }

    /// The name of a script by its definition.
    #[must_use]
    pub fn hook_name_of(&self, hook: &HookDef) -> String {
        format!("{}/{}", self.entry(hook.entry).name, hook.name)
    }

    /// The text of an entry's field with its numbers filled in.
    #[must_use]
    pub fn render(&self, id: EntryId, field: &str) -> Option<String> {
        let entry = self.entry(id);
        let text = entry.text(field)?;
        Some(self.render_text(text, &|name| entry.field(name)))
    }

    /// A template with its numbers filled in; a name that nothing answers stays as it stands.
    #[must_use]
    pub fn render_text<'a>(
        &'a self,
        text: &str,
        look: &dyn Fn(&str) -> Option<&'a Value>,
    ) -> String {
        Self::fill(text, &|name| self.filling(name, look))
    }

    /// What fills a hole such as `{damage}` or `{foe.life}`.
    #[must_use]
    pub fn filling<'a>(
        &'a self,
        name: &str,
        look: &dyn Fn(&str) -> Option<&'a Value>,
    ) -> Option<String> {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        look(first)
            .and_then(|value| value.along(rest))
            .map(|value| self.show(value))
    }

    /// A template with texts filled in.
    #[must_use]
    pub fn fill(text: &str, look: &dyn Fn(&str) -> Option<String>) -> String {
        crate::pack::Template::parse(text).0.render(look)
    }

    /// A row of a table as people read it: a word stands for itself, a number with its name; nothing says nothing.
    fn show_row(&self, (name, value): &(Arc<str>, Value)) -> Option<String> {
        match value {
            Value::Int(0) | Value::Bool(false) | Value::Unit | Value::Script(_) => None,
            Value::Int(n) => Some(format!("{n} {name}")),
            Value::Bool(true) => Some(name.to_string()),
            other => Some(self.show(other)).filter(|text| !text.is_empty()),
        }
    }

    /// A value as people read it.
    #[must_use]
    pub fn show(&self, value: &Value) -> String {
        match value {
            Value::Int(n) => n.to_string(),
            Value::Bool(yes) => if *yes { "yes" } else { "" }.to_owned(),
            Value::Text(text) => text.to_string(),
            Value::Entry(id) => self.entry(*id).title.to_string(),
            Value::List(list) => list
                .iter()
                .map(|value| self.show(value))
                .collect::<Vec<_>>()
                .join(", "),
            Value::Table(rows) => rows
                .iter()
                .filter_map(|row| self.show_row(row))
                .collect::<Vec<_>>()
                .join(" "),
            Value::Unit | Value::Script(_) => String::new(),
        }
    }
}

/// The position of an owner in tables by owner.
impl Owner {
    /// Every owner, in the order of tables by owner.
    pub const ALL: [Owner; 4] = [Owner::Table, Owner::Seat, Owner::Place, Owner::Piece];

    /// The position.
    #[must_use]
    pub const fn ix(self) -> usize {
        self as usize
    }
}

/// A hash of a name that never changes: FNV-1a, 64 bits.
#[must_use]
pub fn stable_hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

//! The definitions of packs, in the form a game runs.

use std::sync::Arc;

use super::ids::{
    ChainId, CounterId, EntryId, EventId, HookId, KindId, ListId, PhaseId, QueryId, ZoneId,
};
use super::value::Value;
use crate::pack;

/// The kind of thing that owns a counter or a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The table itself.
    Table,
    /// Each seat.
    Seat,
    /// Each place.
    Place,
    /// Each piece.
    Piece,
}

/// A number, or the value of another counter of the same owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// A constant.
    Fixed(i32),
    /// The current value of that counter.
    Counter(CounterId),
}

/// When something is reset, or how long it lasts.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Scope {
    /// Never within a game.
    Game,
    /// With each round.
    Round,
    /// With each turn.
    Turn,
    /// With each phase.
    Phase,
    /// With each fight.
    Fight,
    /// With each turn of a fighter.
    FightTurn,
    /// Each time a window opens.
    Window,
}

/// A `[[counter]]`.
#[derive(Clone, Debug)]
pub struct CounterDef {
    /// The entry with its title and fields.
    pub entry: EntryId,
    /// The minimum.
    pub min: Bound,
    /// The maximum, if there is one.
    pub max: Option<Bound>,
    /// The value at the start and after each reset.
    pub start: Bound,
    /// When it is reset.
    pub scope: Scope,
    /// The kinds of owners that have one.
    pub owners: Vec<Owner>,
    /// Whether only its owner sees it.
    pub secret: bool,
    /// Whether it is bookkeeping, which the log does not show.
    pub quiet: bool,
}

/// Who sees the pieces of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenBy {
    /// All seats.
    All,
    /// Only the owner.
    Owner,
    /// Nobody.
    Nobody,
}

/// A `[[zone]]`.
#[derive(Clone, Debug)]
pub struct ZoneDef {
    /// The entry with its title and fields.
    pub entry: EntryId,
    /// The kinds of owners that have one.
    pub owners: Vec<Owner>,
    /// Who sees the pieces in it.
    pub seen_by: SeenBy,
    /// How many pieces it can hold.
    pub limit: Option<Bound>,
    /// The zone that `draw` takes from.
    pub draws_from: Option<ZoneId>,
    /// The zone that `discard` moves to.
    pub discards_to: Option<ZoneId>,
    /// The zone whose pieces are shuffled into it when it is empty.
    pub refills_from: Option<ZoneId>,
    /// Whether the hooks of pieces in it run.
    pub listens: bool,
    /// Whether it is bookkeeping: the log does not show moves into it or out of it.
    pub quiet: bool,
}

/// The seats that get the menu of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MenuSeats {
    /// The active seat.
    Active,
    /// Each seat in turn, from the active one on.
    Each,
    /// All seats at once.
    All,
    /// No seat: the phase only runs scripts.
    Nobody,
}

/// A `[[phase]]`.
#[derive(Clone, Debug)]
pub struct PhaseDef {
    /// The entry with its title and fields.
    pub entry: EntryId,
    /// The seats that get its menu.
    pub who: MenuSeats,
    /// Whether it has a menu.
    pub menu: bool,
    /// In a fight turn, the phase is only for fighters that are seats (`true`) or pieces (`false`).
    pub fighter_is_seat: Option<bool>,
    /// The zones from which and to which the menu plays a combo.
    pub combo: Option<(ZoneId, ZoneId)>,
    /// Whether players must choose while the menu offers something.
    pub must: bool,
    /// The maximum number of actions.
    pub limit: Option<Bound>,
    /// A condition; the phase is skipped if it is false.
    pub when: Option<HookId>,
    /// Runs at its start.
    pub run: Option<HookId>,
    /// Runs at its end.
    pub end: Option<HookId>,
    /// The actions in its menu, by order, layer and position.
    pub actions: Vec<EntryId>,
}

/// A `[[fight]]`.
#[derive(Clone, Debug)]
pub struct FightDef {
    /// The entry with its title and fields.
    pub entry: EntryId,
    /// Phases before the first fight turn.
    pub start: ListId,
    /// Phases of a fight turn.
    pub turn: ListId,
    /// Phases after the last fight turn.
    pub end: ListId,
    /// The passes in which a combo is resolved.
    pub passes: Vec<ComboPass>,
}

/// A pass in which a combo is resolved.
#[derive(Clone, Debug)]
pub struct ComboPass {
    /// The field that is summed; `cards` goes card by card.
    pub field: Arc<str>,
    /// Whether the sum is dealt to the foe as damage.
    pub hits: bool,
    /// The counter that the sum is added to.
    pub gains: Option<CounterId>,
    /// The counter whose value is added to the sum to draw that many cards.
    pub draws: Option<CounterId>,
}

impl ComboPass {
    /// A pass that only announces its sum.
    #[must_use]
    pub const fn announcing(field: Arc<str>) -> ComboPass {
        ComboPass {
            field,
            hits: false,
            gains: None,
            draws: None,
        }
    }
}

/// One link of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainLink {
    /// Points of a counter.
    Counter(CounterId),
    /// Pieces from the top of a zone.
    Top(ZoneId),
    /// Pieces of a zone, chosen by the loser.
    Chosen(ZoneId),
    /// Pieces of a zone, at random.
    Random(ZoneId),
    /// A counter that goes up: wounds, tracks.
    Rising(CounterId),
}

/// A `[[chain]]`.
#[derive(Clone, Debug)]
pub struct ChainDef {
    pub(crate) entry: EntryId,
    /// Its links, in the order that losses use them up.
    pub links: Vec<ChainLink>,
    /// A fighter is defeated once all these zones are empty.
    pub falls_without: Vec<ZoneId>,
}

/// A `[[die]]`.
#[derive(Clone, Debug)]
pub struct DieDef {
    /// The entry with its title and fields.
    pub entry: EntryId,
    /// The value of each face.
    pub faces: Vec<Value>,
}

/// An event or a query.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// The name in `on.<name>` or `ask.<name>`.
    pub name: Arc<str>,
    /// The fields of `event` in its hooks.
    pub provides: Vec<Arc<str>>,
}

/// One way to pay a cost.
#[derive(Clone, Debug)]
pub struct CostAlternative {
    /// What to pay: all of these.
    pub parts: Vec<CostPart>,
}

/// A constant or computed number.
#[derive(Clone, Debug)]
pub enum Amount {
    /// A constant.
    Fixed(i64),
    /// A script that returns it.
    Script(HookId),
}

/// One part of a cost.
#[derive(Clone, Debug)]
pub enum CostPart {
    /// Points of a counter.
    Counter(CounterId, Amount),
    /// Pieces of a zone, which the payer chooses and discards.
    Pieces {
        /// The zone to discard from.
        zone: ZoneId,
        /// The number of pieces.
        amount: Amount,
        /// A condition for pieces, which it sees as `it`.
        only: Option<HookId>,
    },
    /// A loss along a chain.
    Chain(ChainId, Amount),
}

/// What an entry offers in menus.
#[derive(Clone, Debug, Default)]
pub struct ActionDef {
    /// The phases in whose menus it is.
    pub windows: Vec<PhaseId>,
    /// A script that returns a list; the menu has a line for each item.
    pub each: Option<HookId>,
    /// A script that says whether it is open.
    pub can: Option<HookId>,
    /// The script it runs.
    pub run: Option<HookId>,
    /// The ways to pay for it; empty if it is free.
    pub cost: Vec<CostAlternative>,
    /// The scopes within which its use is limited.
    pub once: Vec<Scope>,
    /// How often it can be used within each of them; once by default.
    pub limit: Option<Bound>,
    /// Whether `once` counts each place separately.
    pub once_place: bool,
    /// Its position in the menu.
    pub order: i64,
}

/// A face of an entry, with the fields that differ from the entry.
#[derive(Clone, Debug)]
pub struct FaceDef {
    pub(crate) name: Arc<str>,
    pub(crate) fields: Vec<(Arc<str>, Value)>,
    pub(crate) hooks: HookTable,
}

/// The hooks of an entry or a face.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookTable {
    /// Hooks that always run, by event.
    pub on: Vec<(EventId, HookId)>,
    /// Hooks for events about the piece itself, which run in any zone.
    pub on_self: Vec<(EventId, HookId)>,
    /// Hooks that are offered to the owner.
    pub may: Vec<(EventId, HookId)>,
    /// Answers to queries.
    pub ask: Vec<(QueryId, HookId)>,
}

/// An entry of the game, with all names resolved.
#[derive(Clone, Debug)]
pub struct EntryDef {
    /// `pack:kind/id`.
    pub name: Arc<str>,
    /// The part of its name after the slash.
    pub id: Arc<str>,
    /// Its title; the id if it has none.
    pub title: Arc<str>,
    /// Its pack, as an index into [`Content::packs`](super::Content::packs).
    pub pack: u16,
    /// The kind it is declared with.
    pub kind: KindId,
    /// A stable hash of its name, which shuffles depend on.
    pub hash: u64,
    /// Its fields, defaults included.
    pub fields: Vec<(Arc<str>, Value)>,
    /// The words in its field `tags`.
    pub tags: Vec<Arc<str>>,
    /// How many copies `create_all` makes.
    pub copies: u16,
    /// Its hooks, except those of its faces.
    pub hooks: HookTable,
    /// What it offers in menus, if anything.
    pub action: Option<Box<ActionDef>>,
    /// Its other faces.
    pub faces: Vec<FaceDef>,
    /// Its position on the map, if it is a place.
    pub place: Option<super::ids::PlaceId>,
    /// Where its id is.
    pub span: crate::diagnostic::Span,
}

impl EntryDef {
    /// The value of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.fields
            .iter()
            .find(|(key, _)| &**key == name)
            .map(|(_, value)| value)
    }

    /// The text of a field.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name).and_then(Value::text)
    }
}

/// What a script is for, which decides whether it may change the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookRole {
    /// Runs when the event fires.
    On(EventId),
    /// Is offered when the event fires.
    May(EventId),
    /// Answers the query; read-only.
    Ask(QueryId),
    /// Says whether an action is open; read-only.
    Can,
    /// Returns the items of an action; read-only.
    Each,
    /// Returns a number or a condition; read-only.
    Look,
    /// May change the game.
    Do,
}

impl HookRole {
    /// Whether the script must not change the game.
    #[must_use]
    pub const fn read_only(self) -> bool {
        matches!(
            self,
            HookRole::Ask(_) | HookRole::Can | HookRole::Each | HookRole::Look
        )
    }
}

/// What a script is handed besides the event, and under which name it sees that.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HookArgument {
    /// `each`: the item of an action's list.
    #[default]
    Each,
    /// `value`: what `later`, `run_sequence` or `start_fight` handed over.
    Value,
    /// `entry`: where a game starts.
    Entry,
    /// `typed`: what was typed after the command of a panel.
    Typed,
}

impl HookArgument {
    /// The name under which scripts see it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            HookArgument::Each => "each",
            HookArgument::Value => "value",
            HookArgument::Entry => "entry",
            HookArgument::Typed => "typed",
        }
    }
}

/// A script and the entry it belongs to.
#[derive(Clone, Debug)]
pub struct HookDef {
    /// The entry it belongs to.
    pub entry: EntryId,
    /// Its path in the entry: `on.fight_start`, `do`.
    pub name: Arc<str>,
    /// What it is for.
    pub role: HookRole,
    /// Its text and position.
    pub script: pack::ScriptSource,
    /// The script it replaced, which `replaced()` runs.
    pub base: Option<HookId>,
    /// What it is handed.
    pub handed: HookArgument,
    /// The only counter it reacts to, if all of it is inside `if event.counter == "…"`.
    pub only: Option<CounterId>,
}

/// A `[[kind]]`.
#[derive(Clone, Debug)]
pub struct KindDef {
    /// The word in `[[id]]`.
    pub id: Arc<str>,
    /// Its name for players.
    pub title: Arc<str>,
    /// Whether its entries are pieces.
    pub is_piece: bool,
    /// The names of its fields.
    pub fields: Vec<Arc<str>>,
    /// The names of fields inside tables of its fields.
    pub nested: Vec<Arc<str>>,
    /// The enum values of its fields, and the names of its faces.
    pub words: Vec<Arc<str>>,
}

/// The `[[mode]]` that is played.
#[derive(Clone, Debug)]
pub struct ModeDef {
    pub(crate) entry: EntryId,
    /// The minimum number of seats.
    pub seats_min: u8,
    /// The maximum number of seats.
    pub seats_max: u8,
    /// The kind of entries that players choose their role from.
    pub roles: Option<KindId>,
    /// A script that returns the role of a seat, if the game decides it.
    pub role_in_play: Option<HookId>,
    /// Whether the game is co-operative: all players win or lose together.
    pub together: bool,
    /// The script that sets the game up.
    pub setup: Option<HookId>,
    /// The phases of a turn.
    pub turn: Option<ListId>,
    /// The phases after all seats had their turn.
    pub round: Option<ListId>,
}

/// A `[[start]]`: how a game begins at an entry of a kind.
#[derive(Clone, Copy, Debug)]
pub struct StartDef {
    pub(crate) entry: EntryId,
    /// The kind of entries it can begin at.
    pub of: KindId,
    /// A script that runs before, without log lines.
    pub prepare: Option<HookId>,
    /// Brings the game there; `entry` is where.
    pub run: HookId,
    /// Whether snapshots record the outcomes of its entries.
    pub outcomes: bool,
}

/// A `[[panel]]`: text that a command at the prompt shows.
#[derive(Clone, Debug)]
pub struct PanelDef {
    pub(crate) entry: EntryId,
    /// The command.
    pub word: Arc<str>,
    /// Whether it is shown with every decision.
    pub always: bool,
    /// A script that returns the text.
    pub show: HookId,
}

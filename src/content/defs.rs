//! What packs declare, in a form the game can run.

use std::sync::Arc;

use super::ids::{
    ChainId, CounterId, EntryId, EventId, HookId, KindId, ListId, PhaseId, QueryId, ZoneId,
};
use super::value::Value;
use crate::pack;

/// Who owns a counter or a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The table: there is one.
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
    /// A fixed number.
    Fixed(i32),
    /// Whatever that counter says now.
    Counter(CounterId),
}

/// When something starts anew, or how long something lasts.
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
    /// With each fighter's turn.
    FightTurn,
    /// Each time a window opens.
    Window,
}

/// A counter's definition.
#[derive(Clone, Debug)]
pub struct CounterDef {
    /// Its entry.
    pub entry: EntryId,
    /// The lowest value.
    pub min: Bound,
    /// The highest value, if there is one.
    pub max: Option<Bound>,
    /// The value at the start and after its scope began anew.
    pub start: Bound,
    /// When it starts anew.
    pub scope: Scope,
    /// Where its values lie, for each kind of owner: table, seat, place, piece.
    pub owners: Vec<Owner>,
    /// Whether only its owner sees it.
    pub secret: bool,
    /// Whether it is bookkeeping, which no story tells.
    pub quiet: bool,
}

/// Who sees the pieces of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenBy {
    /// Everyone.
    All,
    /// The owner.
    Owner,
    /// Nobody.
    Nobody,
}

/// A zone's definition.
#[derive(Clone, Debug)]
pub struct ZoneDef {
    /// Its entry.
    pub entry: EntryId,
    /// Who owns one.
    pub owners: Vec<Owner>,
    /// Who sees what lies in it.
    pub seen_by: SeenBy,
    /// How many pieces it takes.
    pub limit: Option<Bound>,
    /// Where `draw` takes from.
    pub draws_from: Option<ZoneId>,
    /// Where `discard` puts.
    pub discards_to: Option<ZoneId>,
    /// What is shuffled in when it is empty.
    pub refills_from: Option<ZoneId>,
    /// Whether pieces in it hear events.
    pub listens: bool,
    /// Whether it is bookkeeping, which no story tells: who comes and goes there.
    pub quiet: bool,
}

/// Whose menu a phase is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The active seat's.
    Active,
    /// Each seat's, in order from the active one.
    Each,
    /// Open to all at once.
    All,
    /// Nobody's: scripts only.
    Nobody,
}

/// A phase's definition.
#[derive(Clone, Debug)]
pub struct PhaseDef {
    /// Its entry.
    pub entry: EntryId,
    /// Whose it is.
    pub who: Who,
    /// Whether it is a window.
    pub menu: bool,
    /// In fight turns, only for fighters that are seats (`true`) or pieces (`false`).
    pub fighter_is_seat: Option<bool>,
    /// The menu plays a combo from one zone to another.
    pub combo: Option<(ZoneId, ZoneId)>,
    /// Whether the menu must be used while it offers something.
    pub must: bool,
    /// At most so many actions.
    pub limit: Option<Bound>,
    /// Skips the phase unless true.
    pub when: Option<HookId>,
    /// Runs at its start.
    pub run: Option<HookId>,
    /// Runs at its end.
    pub end: Option<HookId>,
    /// The actions that name it, by order, layer and position.
    pub actions: Vec<EntryId>,
}

/// A fight's definition.
#[derive(Clone, Debug)]
pub struct FightDef {
    /// Its entry.
    pub entry: EntryId,
    /// Phases before the first fight turn.
    pub start: ListId,
    /// Phases of a fight turn.
    pub turn: ListId,
    /// Phases after the last fight turn.
    pub end: ListId,
    /// The passes in which a combo is resolved.
    pub passes: Vec<Pass>,
}

/// A pass in which a combo is resolved.
#[derive(Clone, Debug)]
pub struct Pass {
    /// The field that is summed; `cards` goes card by card.
    pub field: Arc<str>,
    /// The sum hits the foe.
    pub hits: bool,
    /// The sum raises this counter.
    pub gains: Option<CounterId>,
    /// So many more than this counter says are drawn.
    pub draws: Option<CounterId>,
}

impl Pass {
    /// A pass that only tells its sum.
    #[must_use]
    pub const fn telling(field: Arc<str>) -> Pass {
        Pass {
            field,
            hits: false,
            gains: None,
            draws: None,
        }
    }
}

/// One link of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// Points of a counter.
    Counter(CounterId),
    /// Pieces from the top of a zone.
    Top(ZoneId),
    /// Pieces of a zone, chosen by who loses them.
    Chosen(ZoneId),
    /// Pieces of a zone, at random.
    Random(ZoneId),
    /// A counter that goes up: wounds, tracks.
    Rising(CounterId),
}

/// A chain's definition.
#[derive(Clone, Debug)]
pub struct ChainDef {
    /// Its entry.
    pub entry: EntryId,
    /// Its links, in order.
    pub links: Vec<Link>,
    /// A fighter with no piece left in these zones falls.
    pub falls_without: Vec<ZoneId>,
}

/// A die's definition.
#[derive(Clone, Debug)]
pub struct DieDef {
    /// Its entry.
    pub entry: EntryId,
    /// What stands on each face.
    pub faces: Vec<Value>,
}

/// An event's definition.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// Its name.
    pub name: Arc<str>,
    /// What its hooks find in `event`, for pack events.
    pub provides: Vec<Arc<str>>,
}

/// One alternative of a cost: parts that are all paid.
#[derive(Clone, Debug)]
pub struct CostAlternative {
    /// Its parts.
    pub parts: Vec<CostPart>,
}

/// A number that stands in the content or is computed.
#[derive(Clone, Debug)]
pub enum Amount {
    /// A fixed number.
    Fixed(i64),
    /// A script that gives it.
    Script(HookId),
}

/// One part of a cost.
#[derive(Clone, Debug)]
pub enum CostPart {
    /// So many points of a counter.
    Counter(CounterId, Amount),
    /// So many pieces of a zone, chosen, discarded.
    Pieces {
        /// Which zone.
        zone: ZoneId,
        /// How many.
        amount: Amount,
        /// Which pieces count; sees the piece as `it`.
        only: Option<HookId>,
    },
    /// A loss along a chain.
    Chain(ChainId, Amount),
}

/// What an entry offers in windows.
#[derive(Clone, Debug, Default)]
pub struct ActionDef {
    /// The windows it names.
    pub windows: Vec<PhaseId>,
    /// One line for each of what this gives.
    pub each: Option<HookId>,
    /// Whether it is open.
    pub can: Option<HookId>,
    /// What it does.
    pub run: Option<HookId>,
    /// What it costs.
    pub cost: Vec<CostAlternative>,
    /// How often: once in each of these scopes.
    pub once: Vec<Scope>,
    /// How often within each of them; once where nothing is said.
    pub limit: Option<Bound>,
    /// Whether `once` is counted for each place apart.
    pub once_place: bool,
    /// Where it stands in the menu.
    pub order: i64,
}

/// A face of an entry: what differs from the entry itself.
#[derive(Clone, Debug)]
pub struct Face {
    /// Its name.
    pub name: Arc<str>,
    /// Its fields.
    pub fields: Vec<(Arc<str>, Value)>,
    /// Its hooks.
    pub hooks: Hooks,
}

/// The hooks of an entry or a face.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// Mandatory ones by event.
    pub on: Vec<(EventId, HookId)>,
    /// Those about the piece itself, heard from any zone.
    pub on_self: Vec<(EventId, HookId)>,
    /// Optional ones, offered to the owner.
    pub may: Vec<(EventId, HookId)>,
    /// Answers to queries.
    pub ask: Vec<(QueryId, HookId)>,
}

/// An entry: one definition of a kind.
#[derive(Clone, Debug)]
pub struct Entry {
    /// `pack:kind/id`.
    pub name: Arc<str>,
    /// The part after the slash.
    pub id: Arc<str>,
    /// What people read; the id where no title was given.
    pub title: Arc<str>,
    /// Its pack, as a position among the packs in force.
    pub pack: u16,
    /// Its kind.
    pub kind: KindId,
    /// A hash of its name that never changes, for shuffles.
    pub hash: u64,
    /// Its fields, defaults included.
    pub fields: Vec<(Arc<str>, Value)>,
    /// Its tags.
    pub tags: Vec<Arc<str>>,
    /// How many copies `create_all` makes.
    pub copies: u16,
    /// Its hooks.
    pub hooks: Hooks,
    /// Its action, if it names a window.
    pub action: Option<Box<ActionDef>>,
    /// Its faces; none means one nameless face.
    pub faces: Vec<Face>,
    /// Its place, if it is one.
    pub place: Option<super::ids::PlaceId>,
    /// Where it stands.
    pub span: crate::diagnostic::Span,
}

impl Entry {
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

/// What a script is there for; decides which names it sees and what it may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Runs when an event fires.
    On(EventId),
    /// Offered when an event fires.
    May(EventId),
    /// Answers a query, read-only.
    Ask(QueryId),
    /// Says whether an action is open, read-only.
    Can,
    /// Gives the lines of an action, read-only.
    Each,
    /// Gives a number or a yes, read-only.
    Look,
    /// Does something.
    Do,
}

impl Role {
    /// Whether the script may change nothing.
    #[must_use]
    pub const fn read_only(self) -> bool {
        matches!(self, Role::Ask(_) | Role::Can | Role::Each | Role::Look)
    }
}

/// What a script is handed besides the event, and under which name it sees that.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Handed {
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

impl Handed {
    /// The name under which scripts see it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Handed::Each => "each",
            Handed::Value => "value",
            Handed::Entry => "entry",
            Handed::Typed => "typed",
        }
    }
}

/// A script with its place.
#[derive(Clone, Debug)]
pub struct HookDef {
    /// The entry it belongs to.
    pub entry: EntryId,
    /// What it is called there: `on.fight_start`, `do`.
    pub name: Arc<str>,
    /// What it is there for.
    pub role: Role,
    /// Its text and where it stands.
    pub script: pack::Script,
    /// The script it replaced, which `replaced()` runs.
    pub base: Option<HookId>,
    /// What it is handed.
    pub handed: Handed,
    /// The one counter it speaks of, if all of it stands behind `if event.counter == "…"`.
    pub only: Option<CounterId>,
}

/// A kind, as the game needs it.
#[derive(Clone, Debug)]
pub struct KindDef {
    /// Its id.
    pub id: Arc<str>,
    /// What people call one of its entries.
    pub title: Arc<str>,
    /// Whether its entries become pieces.
    pub is_piece: bool,
    /// Its fields' names.
    pub fields: Vec<Arc<str>>,
    /// The names in tables of its fields, given or not.
    pub nested: Vec<Arc<str>>,
    /// The words its fields may hold, and the names of its faces.
    pub words: Vec<Arc<str>>,
}

/// The mode that is played.
#[derive(Clone, Debug)]
pub struct ModeDef {
    /// Its entry.
    pub entry: EntryId,
    /// The fewest seats.
    pub seats_min: u8,
    /// The most seats.
    pub seats_max: u8,
    /// The kind of what a player may be.
    pub roles: Option<KindId>,
    /// What a seat is in the game, where that is settled in play.
    pub came_as: Option<HookId>,
    /// Whether all win or lose together.
    pub together: bool,
    /// Runs once.
    pub setup: Option<HookId>,
    /// A seat's turn.
    pub turn: Option<ListId>,
    /// The table's phases after each seat's turn.
    pub round: Option<ListId>,
}

/// How a game begins right at an entry of a kind.
#[derive(Clone, Copy, Debug)]
pub struct StartDef {
    /// Its entry.
    pub entry: EntryId,
    /// The kind.
    pub of: KindId,
    /// Runs before, unseen.
    pub prepare: Option<HookId>,
    /// Brings the game there; `entry` is where.
    pub run: HookId,
    /// Whether what comes of its entries is kept in a snapshot.
    pub outcomes: bool,
}

/// What a word typed at the prompt shows.
#[derive(Clone, Debug)]
pub struct PanelDef {
    /// Its entry.
    pub entry: EntryId,
    /// The word.
    pub word: Arc<str>,
    /// Whether it is shown with every decision.
    pub always: bool,
    /// Gives the text.
    pub show: HookId,
}

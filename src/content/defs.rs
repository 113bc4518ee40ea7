//! The definitions of packs, in the form that a game uses.

use super::costs::CostAlternative;
use super::events::ProvidedType;
use crate::pack;
use crate::value::{CounterId, EntryId, EventId, HookId, KindId, ListId, PhaseId, QueryId, ZoneId};
use crate::value::{Text, Value};

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

/// The values of a `[[flag]]`. Its counter holds them as numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FlagType {
    /// No is 0, yes is 1.
    YesOrNo,
    /// The number itself.
    Number,
    /// The position in this list.
    Word(Vec<Text>),
    /// 0 is none; otherwise the position among the entries of the kind, from 1.
    Entry(KindId),
}

/// A `[[counter]]` or a `[[flag]]`.
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
    /// The kinds of owners that have this counter.
    pub owners: Vec<Owner>,
    /// The kinds of pieces that have it; empty for all.
    pub kinds: Vec<KindId>,
    /// Whether only the seat that owns it sees it.
    pub secret: bool,
    /// Whether it is bookkeeping, which the log does not show.
    pub quiet: bool,
    /// The owners for which it is bookkeeping even if it is not for others.
    pub quiet_of: Vec<Owner>,
    /// How to read its number, if it is a flag.
    pub flag: Option<FlagType>,
    /// Whether it keeps its value in the next game of a campaign.
    pub of_campaign: bool,
}

impl CounterDef {
    /// Whether the log does not show changes of the counters of an owner.
    #[must_use]
    pub fn is_quiet_for(&self, owner: Owner) -> bool {
        self.quiet || self.quiet_of.contains(&owner)
    }
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
    /// The kinds of owners that have this zone.
    pub owners: Vec<Owner>,
    /// Who sees the pieces in it.
    pub seen_by: SeenBy,
    /// How many pieces it can hold.
    pub limit: Option<Bound>,
    /// The zone that `draw` draws from.
    pub draws_from: Option<ZoneId>,
    /// The zone that `discard` moves to.
    pub discards_to: Option<ZoneId>,
    /// The zone whose pieces are shuffled into this one when it is empty.
    pub refills_from: Option<ZoneId>,
    /// Whether it is refilled as soon as it is empty, and not at the next draw.
    pub refills_at_once: bool,
    /// Whether pieces in it listen: their hooks run.
    pub listens: bool,
    /// Whether it is bookkeeping: the log does not show moves into or out of it.
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
    /// In a fight turn: whether the phase is only for fighters that are seats (`true`) or pieces
    /// (`false`).
    pub fighter_must_be_seat: Option<bool>,
    /// The zones that the menu plays a combo from and to.
    pub combo: Option<(ZoneId, ZoneId)>,
    /// Whether players must choose as long as the menu has an open option.
    pub must: bool,
    /// The maximum number of actions.
    pub limit: Option<Bound>,
    /// A condition; the phase is skipped if it is false.
    pub when: Option<HookId>,
    /// A script that runs at the start.
    pub run: Option<HookId>,
    /// A script that runs at the end.
    pub end: Option<HookId>,
    /// The actions in its menu, sorted by order, layer and position.
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
    /// The field that is summed; `cards` resolves card by card.
    pub field: Text,
    /// Whether the sum is dealt to the foe as damage.
    pub hits: bool,
    /// The counter that the sum is added to.
    pub gains: Option<CounterId>,
    /// The counter that is added to the sum; the total is the number of cards to draw.
    pub draws: Option<CounterId>,
}

impl ComboPass {
    /// A pass that only announces its sum.
    #[must_use]
    pub const fn announcing(field: Text) -> ComboPass {
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
    /// A counter that goes up, such as wounds.
    Rising(CounterId),
}

/// A `[[chain]]`.
#[derive(Clone, Debug)]
pub struct ChainDef {
    pub(crate) entry: EntryId,
    /// The links, in the order in which losses use them.
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

/// An option of a pack in this game.
#[derive(Clone, Debug)]
pub struct OptionDef {
    /// The index of its pack.
    pub pack: u16,
    /// The id.
    pub id: String,
    /// Whether it is on, or its value.
    pub value: Value,
}

/// An event or a query.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// The name in `on.<name>` or `answer.<name>`.
    pub name: Text,
    /// The fields of `event` in its hooks.
    pub provides: Vec<Text>,
    /// The type of each field, if it is declared.
    pub types: Vec<Option<ProvidedType>>,
}

/// The options that an entry adds to menus.
#[derive(Clone, Debug, Default)]
pub struct ActionDef {
    /// The phases whose menus contain it.
    pub windows: Vec<PhaseId>,
    /// A script that returns a list. The menu has an option for each item.
    pub each: Option<HookId>,
    /// A script that decides whether it is open.
    pub can: Option<HookId>,
    /// The script it runs.
    pub run: Option<HookId>,
    /// The alternative costs; empty if the action is free.
    pub cost: Vec<CostAlternative>,
    /// The scripts of `can` and of the cost, which decide about an option.
    pub option_hooks: Vec<HookId>,
    /// The scopes that limit its use.
    pub once: Vec<Scope>,
    /// How often it can be used in each of these scopes; once by default.
    pub limit: Option<Bound>,
    /// Whether `once` counts each place separately.
    pub once_place: bool,
    /// Its position in the menu.
    pub order: i64,
    /// The number of the face that a piece must show to offer it; `None` if any face does.
    pub face: Option<u8>,
}

/// A face of an entry, with the fields that differ from the entry.
#[derive(Clone, Debug)]
pub struct FaceDef {
    pub(crate) name: Text,
    pub(crate) fields: Vec<(Text, Value)>,
    pub(crate) hooks: HookTable,
}

/// The bit of an event or a query in a set. Ids that are 128 apart share one, so that a set may say
/// yes too often, and never no.
#[must_use]
pub const fn id_bit(id: u16) -> u128 {
    1 << (id & 127)
}

/// Events and queries as sets of [bits](id_bit).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookFilter {
    /// The events.
    pub events: u128,
    /// The queries.
    pub queries: u128,
}

/// The hooks of an entry or a face.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookTable {
    /// Hooks that always run, by event.
    pub on: Vec<(EventId, HookId)>,
    /// Hooks for events about the piece itself, which run in any zone.
    pub on_self: Vec<(EventId, HookId)>,
    /// Optional hooks, offered to the owner.
    pub offers: Vec<(EventId, HookId)>,
    /// Answers to queries.
    pub answers: Vec<(QueryId, HookId)>,
}

/// An entry of the game, with all names resolved.
#[derive(Clone, Debug)]
pub struct EntryDef {
    /// `pack:kind/id`.
    pub name: Text,
    /// The id, without pack and kind.
    pub id: Text,
    /// Whether another pack has an entry with the same kind and id.
    pub shares_name: bool,
    /// The title; the id if it has none.
    pub title: Text,
    /// Its pack, as an index into [`Content::packs`](super::Content::packs).
    pub pack: u16,
    /// The kind it is declared with.
    pub kind: KindId,
    /// A stable hash of its name, which shuffles depend on.
    pub hash: u64,
    /// Its fields, defaults included.
    pub fields: Vec<(Text, Value)>,
    /// The words in its field `tags`.
    pub tags: Vec<Text>,
    /// How many copies `create_all` makes.
    pub copies: u16,
    /// Its hooks, except those of its faces.
    pub hooks: HookTable,
    /// The options that it adds to menus, if any.
    pub action: Option<Box<ActionDef>>,
    /// Its other faces.
    pub faces: Vec<FaceDef>,
    /// The node on the map, if it is a place.
    pub place: Option<crate::value::PlaceId>,
    /// The events and queries that the entry or one of its faces may have a hook for.
    pub hook_filter: HookFilter,
    /// The source location of its id.
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

    /// The value of a field whose name is [interned](super::Content::interned).
    #[must_use]
    pub fn named_field(&self, name: &Text) -> Option<&Value> {
        let same = |(key, _): &&(Text, Value)| Text::ptr_eq(key, name);
        match self.fields.iter().find(same) {
            Some((_, value)) => Some(value),
            None => self.field(name),
        }
    }

    /// Computes [`EntryDef::hook_filter`] from the hooks.
    pub fn index_hooks(&mut self) {
        let tables = self.faces.iter().map(|face| &face.hooks);
        let mut hook_filter = HookFilter::default();
        for hooks in tables.chain([&self.hooks]) {
            for (event, _) in hooks.on.iter().chain(&hooks.offers) {
                hook_filter.events |= id_bit(event.0);
            }
            for (query, _) in &hooks.answers {
                hook_filter.queries |= id_bit(query.0);
            }
        }
        self.hook_filter = hook_filter;
    }

    /// The text of a field.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name).and_then(Value::text)
    }
}

/// The role of a script, which determines whether it may change the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookRole {
    /// Runs when the event fires.
    On(EventId),
    /// Is offered as an option when the event fires.
    Offer(EventId),
    /// Answers the query; read-only.
    Answer(QueryId),
    /// Decides whether an action is open; read-only.
    Can,
    /// Returns the list of an action's items; read-only.
    Each,
    /// Returns a number or a condition; read-only.
    Value,
    /// May change the game.
    Do,
}

impl HookRole {
    /// Whether the script must not change the game.
    #[must_use]
    pub const fn read_only(self) -> bool {
        matches!(
            self,
            HookRole::Answer(_) | HookRole::Can | HookRole::Each | HookRole::Value
        )
    }
}

/// The argument that a script receives besides the event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HookArgument {
    /// `each`: an item of the action's list.
    #[default]
    Each,
    /// `value`: the value passed to `later`, `run_sequence` or `start_fight`.
    Value,
    /// `entry`: the entry at which a game starts.
    Entry,
    /// `typed`: the text typed after the command of a panel.
    Typed,
}

impl HookArgument {
    /// The name of the variable in scripts.
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
    pub name: Text,
    /// The role of the script.
    pub role: HookRole,
    /// The source and its location.
    pub script: pack::ScriptSource,
    /// The script it replaced, which `replaced()` runs.
    pub base: Option<HookId>,
    /// The argument it receives.
    pub argument: HookArgument,
}

/// A `[[kind]]`.
#[derive(Clone, Debug)]
pub struct KindDef {
    /// The id, as in `[[id]]`.
    pub id: Text,
    /// The title, for players.
    pub title: Text,
    /// Whether its entries are pieces.
    pub is_piece: bool,
    /// The names of its fields.
    pub fields: Vec<Text>,
    /// The names of fields inside tables.
    pub nested: Vec<Text>,
    /// The enum values of its fields, and the names of its faces.
    pub words: Vec<Text>,
    /// Its entries, in order.
    pub entries: Vec<EntryId>,
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
    /// A script that returns the role of a seat, if the game determines it.
    pub role_in_play: Option<HookId>,
    /// Whether the game is co-operative: all players win or lose together.
    pub cooperative: bool,
    /// The script that sets the game up.
    pub setup: Option<HookId>,
    /// The phases of a turn.
    pub turn: Option<ListId>,
    /// Whether all seats take their turns at the same time.
    pub turns_together: bool,
    /// The phases after all seats have had their turn.
    pub round: Option<ListId>,
}

/// A `[[start]]`: how to start a game at an entry of a kind.
#[derive(Clone, Copy, Debug)]
pub struct StartDef {
    pub(crate) entry: EntryId,
    /// The kind of entries to start at.
    pub of: KindId,
    /// A script that runs first, without log lines.
    pub prepare: Option<HookId>,
    /// The script that starts there; it receives the entry as `entry`.
    pub run: HookId,
    /// Whether snapshots record the outcomes of its entries.
    pub outcomes: bool,
}

/// A `[[panel]]`: text that a command at the prompt shows.
#[derive(Clone, Debug)]
pub struct PanelDef {
    pub(crate) entry: EntryId,
    /// The command.
    pub word: Text,
    /// Whether it is shown with every decision.
    pub always: bool,
    /// A script that returns the text.
    pub show: HookId,
}

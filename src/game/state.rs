//! The state of a game: plain data that is cheap to copy, without scripts or texts of packs.
//!
//! States are hashed and saved as `postcard` bytes, so the order and types of the fields are part
//! of the format.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::zones::Zones;
use crate::content::{
    ChainId, Content, CounterId, DieId, EntryId, EventId, FightId, HookId, ListId, Owner, PerOwner,
    PhaseId, PieceId, PlaceId, QueryId, Scope, SeatId, SeatSet,
};
pub use crate::value::Entity;
use crate::value::{Text, Value};

impl Entity {
    /// The kind of owner, and the index within that kind.
    #[must_use]
    pub const fn owner(self) -> (Owner, usize) {
        match self {
            Entity::Table => (Owner::Table, 0),
            Entity::Seat(seat) => (Owner::Seat, seat.ix()),
            Entity::Place(place) => (Owner::Place, place.ix()),
            Entity::Piece(piece) => (Owner::Piece, piece.ix()),
        }
    }

    /// The seat, if the entity is a seat.
    #[must_use]
    pub const fn seat(self) -> Option<SeatId> {
        match self {
            Entity::Seat(seat) => Some(seat),
            _ => None,
        }
    }
}

/// A copy of an entry in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    pub entry: EntryId,
    /// The number of the copy, counted from 0.
    pub copy: u16,
    /// The face it shows: 0 is the entry itself, 1 its first declared face.
    pub face: u8,
    /// The seats that know what it is.
    pub known: SeatSet,
}

/// What a frame of the agenda runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FrameKind {
    /// The game itself: setup, then turns and rounds.
    Game { stage: GameStage },
    /// A list of phases.
    List {
        list: ListId,
        /// The index of the next phase.
        next: u16,
        of: PhaseListKind,
    },
    /// A phase.
    Phase {
        phase: PhaseId,
        stage: PhaseStage,
        /// The seats that are done, for a phase that each seat takes in turn.
        seats_done: u8,
    },
    /// A menu of a phase.
    Window {
        phase: PhaseId,
        /// The seats that have not closed the menu yet.
        seats: SeatSet,
        /// The actions taken so far.
        taken: u16,
    },
    /// A chosen action, waiting for the frames queued by its `before_` hooks.
    Action { phase: PhaseId, entry: EntryId },
    /// The announcement of a finished action.
    ActionDone { entry: EntryId },
    /// A fight.
    Fight { stage: FightStage },
    /// A named follow-up.
    Call { hook: HookId },
}

/// The next operation of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameStage {
    Setup,
    /// After setup, before the first round.
    Start,
    Round,
    Turn,
    /// After the phases of the turn.
    TurnOver,
    /// After the round's own phases.
    RoundOver,
    /// The extra turn of one seat, in a mode whose turns are taken together.
    ExtraTurn,
    /// After that turn.
    ExtraTurnOver,
}

/// The next operation of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PhaseStage {
    Start,
    Do,
    Menu,
    End,
    /// In turns taken together: the script must still run for the seats in `left`.
    SharedDo {
        seats: SeatSet,
        left: SeatSet,
    },
    /// In turns taken together: the phase ends for these seats.
    SharedEnd(SeatSet),
}

/// What a list of phases belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PhaseListKind {
    Turn,
    Round,
    /// A sequence started by a script.
    Sequence,
    Fight,
    /// The turns of several seats, taken together.
    Together(SeatSet),
}

/// The next operation of a fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FightStage {
    Start,
    /// Before the next fighter's turn.
    Next,
    TurnOver,
    /// After the last phases.
    End,
}

/// An item of the agenda.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Frame {
    pub kind: FrameKind,
    /// The seat it runs for.
    pub seat: SeatId,
    /// The piece concerned.
    pub piece: Option<PieceId>,
    /// The item of the action's `each` list, or a value passed along.
    pub argument: Value,
}

/// The event at which an effect starts or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EffectTrigger {
    pub event: EventId,
    /// Whether the event must concern the effect's subject.
    pub subject_only: bool,
}

/// A change to a number that needs no script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Modifier {
    /// The counter it modifies, if any.
    pub counter: Option<CounterId>,
    /// The query it modifies, if any.
    pub query: Option<QueryId>,
    pub op: ModifierOp,
    pub amount: i64,
}

/// How a contribution changes the result of a query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ModifierOp {
    /// The initial value.
    Base,
    /// Replaces the value.
    Set,
    /// Adds to the value.
    Add,
    /// The result is at least this.
    Floor,
    /// The result is at most this.
    Cap,
    /// Overrides everything else.
    Lock,
    Deny,
    Allow,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Effect {
    /// Increases with every effect, so an older effect has a lower id.
    pub id: u32,
    /// The effect entry with its hooks, or the entry that started it.
    pub entry: EntryId,
    /// The piece that started it.
    pub piece: Option<PieceId>,
    pub subject: Entity,
    /// False until the `from` event fires.
    pub active: bool,
    pub from: Option<EffectTrigger>,
    /// The effect ends at the first of these events.
    pub until: [Option<EffectTrigger>; 3],
    /// The number of fights in progress when it started: an effect that lasts for a part of a fight
    /// ends with that fight.
    pub fight_depth: u8,
    /// The effect ends when its piece leaves this zone.
    pub while_in: Option<u16>,
    /// The remaining uses.
    pub uses: Option<u16>,
    pub modifier: Option<Modifier>,
    /// Parameters for its hooks.
    pub params: Vec<(Text, Value)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fighter {
    pub who: Entity,
    pub side: u8,
    /// The chain that absorbs its losses.
    pub chain: ChainId,
    /// The seat that decides for it.
    pub controller: SeatId,
    /// The position of its target among the fighters.
    pub target: u8,
    pub standing: bool,
    /// The fight turns it has had.
    pub turns: u16,
    /// Whether it has had its turn in this round of the fight.
    pub done: bool,
}

/// A card of a combo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ComboCard {
    pub piece: PieceId,
    /// The index of the link that the next card uses.
    pub link: Option<u8>,
}

/// Dice of one kind that were rolled together. A roll of different dice has a part for each kind, all
/// with the same id.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Roll {
    pub id: u32,
    pub die: DieId,
    pub seat: Option<SeatId>,
    /// The face that each die shows, from 0.
    pub faces: Vec<u8>,
    /// Which part of each die is spent.
    pub spent: Vec<DieUse>,
}

/// Which part of a die is spent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum DieUse {
    /// Nothing.
    #[default]
    Open,
    /// The whole die.
    Spent,
    /// Some of the results that its face shows.
    Partly(Vec<(Text, i64)>),
}

/// A fight in progress.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
pub struct Fight {
    pub def: FightId,
    /// The piece that the fight is about.
    pub piece: Option<PieceId>,
    /// Every fighter, in turn order.
    pub fighters: Vec<Fighter>,
    /// The position of the fighter whose turn it is.
    pub current: u8,
    pub round: u16,
    /// The fight turns so far.
    pub turns: u16,
    /// Whether the current fighter takes another turn.
    pub again: bool,
    /// Whether a script has ended the fight.
    pub ended: bool,
    /// Whether a fighter fell or left since the end of the fight was last checked.
    pub check: bool,
    /// The hook that runs after the fight.
    pub then: Option<HookId>,
    /// The piece that the follow-up hook belongs to.
    pub then_piece: Option<PieceId>,
}

impl Clone for Fight {
    fn clone(&self) -> Self {
        Fight {
            fighters: self.fighters.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, from: &Self) {
        let mut fighters = std::mem::take(&mut self.fighters);
        fighters.clone_from(&from.fighters);
        *self = Fight { fighters, ..*from };
    }
}

/// A use of an action that is limited within a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UsedAction {
    pub entry: EntryId,
    /// The piece, for actions of pieces.
    pub piece: Option<PieceId>,
    pub seat: SeatId,
    /// The place, if each place counts separately.
    pub place: Option<PlaceId>,
    /// The scope at whose end the use is forgotten.
    pub scope: Scope,
    /// Whether the action is closed because its script failed.
    pub fault: bool,
}

/// The draws that a pending step has made so far. A determinized copy of the step repeats them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedDraws {
    /// The seed that produced them.
    pub seed: u64,
    /// The number of draws from each stream.
    pub streams: Vec<(u64, u32)>,
    /// Whether each piece is unknown to the observer; shuffles permute these pieces among
    /// themselves.
    pub unknown: Vec<bool>,
}

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameOutcome {
    /// The winners; empty if nobody won.
    pub winners: Vec<SeatId>,
    /// The score of each seat, if the pack declares scores.
    pub scores: Vec<(SeatId, i64)>,
    /// The text shown at the end.
    pub text: Box<str>,
}

/// The state of a game.
#[derive(PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The number of seats.
    pub seats: u8,
    /// The seats that have left the game.
    pub eliminated: SeatSet,
    /// The seat whose turn it is.
    pub active: u8,
    /// The seat that starts a round.
    pub first: u8,
    /// The current round, from 1; 0 during setup.
    pub round: u32,
    /// The number of turns each seat has had.
    pub turns: Vec<u32>,
    /// The current place of each seat.
    pub at: Vec<Option<PlaceId>>,
    /// Every piece ever created; a piece id is an index.
    pub pieces: Vec<Piece>,
    /// The position of every piece.
    pub zones: Zones,
    /// The base values of all counters, by kind of owner.
    pub counters: PerOwner<Vec<i32>>,
    /// The frames to run; the last one is next.
    pub agenda: Vec<Frame>,
    /// The seats with extra turns, in order, before the next regular turn.
    pub extra_turns: Vec<SeatId>,
    /// The running effects, oldest first.
    pub effects: Vec<Effect>,
    /// The id of the next effect.
    pub next_effect: u32,
    /// A bit for each event that starts or ends an effect, by event id modulo 128.
    pub awaited: u128,
    /// The fights in progress, innermost last.
    pub fights: Vec<Fight>,
    /// Fights that are queued but have not started, by number.
    pub upcoming: Vec<(u32, Fight)>,
    /// The number of the next fight.
    pub next_fight: u32,
    /// The combo being played.
    pub combo: Vec<ComboCard>,
    /// The last rolls, newest last.
    pub rolls: Vec<Roll>,
    /// The id of the next roll.
    pub next_roll: u32,
    /// Uses of actions that are limited within a scope.
    pub used: Vec<UsedAction>,
    /// Marks on entities, sorted.
    pub marks: Vec<(Entity, Text)>,
    /// The statistics: entry, group and value.
    pub tallies: Arc<Vec<(EntryId, Text, i64)>>,
    /// The number of draws from each random stream, sorted by the hash of its name.
    pub streams: Vec<(u64, u32)>,
    /// The random seed.
    pub seed: u64,
    /// Random results to repeat, in a determinized game. Not serialized.
    #[serde(skip)]
    pub recorded_draws: Vec<RecordedDraws>,
    /// The indistinguishable group of each piece for each seat. Not serialized.
    #[serde(skip)]
    pub indistinguishable_groups: Vec<u16>,
    /// The number of random numbers requested while they are forced. Not serialized.
    #[serde(skip)]
    pub numbers_requested: u32,
    /// Random results that are set in advance, next first.
    pub forced: Vec<super::chance::Forced>,
    /// Increases with every random result and every newly known piece.
    pub reveals: u32,
    /// The result; `None` while the game is in progress.
    pub outcome: Option<GameOutcome>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = State::default();
        copy.clone_from(self);
        copy
    }

    /// Copies into the existing buffers, which is much cheaper than a new copy. The pattern names
    /// every field, so that the compiler reports a missing one.
    fn clone_from(&mut self, from: &Self) {
        let State {
            seats,
            eliminated,
            active,
            first,
            round,
            turns,
            at,
            pieces,
            zones,
            counters,
            agenda,
            extra_turns,
            effects,
            next_effect,
            awaited,
            fights,
            upcoming,
            next_fight,
            combo,
            rolls,
            next_roll,
            used,
            marks,
            tallies,
            streams,
            seed,
            recorded_draws,
            indistinguishable_groups,
            numbers_requested,
            forced,
            reveals,
            outcome,
        } = from;
        self.seats = *seats;
        self.eliminated = *eliminated;
        self.active = *active;
        self.first = *first;
        self.round = *round;
        self.turns.clone_from(turns);
        self.at.clone_from(at);
        self.pieces.clone_from(pieces);
        self.zones.clone_from(zones);
        self.counters.clone_values_from(counters);
        self.agenda.clone_from(agenda);
        self.extra_turns.clone_from(extra_turns);
        self.effects.clone_from(effects);
        self.next_effect = *next_effect;
        self.awaited = *awaited;
        self.fights.clone_from(fights);
        self.upcoming.clone_from(upcoming);
        self.next_fight = *next_fight;
        self.combo.clone_from(combo);
        self.rolls.clone_from(rolls);
        self.next_roll = *next_roll;
        self.used.clone_from(used);
        self.marks.clone_from(marks);
        self.tallies.clone_from(tallies);
        self.streams.clone_from(streams);
        self.seed = *seed;
        self.recorded_draws.clone_from(recorded_draws);
        self.indistinguishable_groups
            .clone_from(indistinguishable_groups);
        self.numbers_requested = *numbers_requested;
        self.forced.clone_from(forced);
        self.reveals = *reveals;
        self.outcome.clone_from(outcome);
    }
}

impl State {
    /// The state before setup.
    #[must_use]
    pub fn new(content: &Content, seats: u8, seed: u64) -> State {
        let mut state = State {
            seats,
            seed,
            ..State::default()
        };
        state.turns = vec![0; usize::from(seats)];
        state.at = vec![None; usize::from(seats)];
        state.zones = Zones::new(content, usize::from(seats));
        for owner in Owner::ALL {
            let owners = match owner {
                Owner::Table => 1,
                Owner::Seat => usize::from(seats),
                Owner::Place => content.map.places.len(),
                Owner::Piece => 0,
            };
            state.counters[owner] = vec![0; owners * content.counters_of[owner].len()];
        }
        state.agenda.push(Frame {
            kind: FrameKind::Game {
                stage: GameStage::Setup,
            },
            seat: SeatId(0),
            piece: None,
            argument: Value::Unit,
        });
        state
    }

    /// The canonical bytes: equal states have equal bytes on every machine.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Restores a state from its canonical bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<State> {
        postcard::from_bytes(bytes).ok()
    }

    /// The first sixteen hexadecimal digits of the SHA-256 of the canonical bytes.
    #[must_use]
    pub fn hash(&self) -> String {
        Sha256::digest(self.bytes())
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The index of a counter's value, if the owner has this counter.
    #[must_use]
    pub fn counter_at(
        content: &Content,
        entity: Entity,
        counter: CounterId,
    ) -> Option<(Owner, usize)> {
        let (owner, number) = entity.owner();
        let slot = content.counter_slot[counter.ix()][owner]?;
        Some((
            owner,
            number * content.counters_of[owner].len() + usize::from(slot),
        ))
    }

    /// Whether an entity has a counter. A piece may have a slot for a counter of other kinds of pieces.
    #[must_use]
    pub fn has_counter(&self, content: &Content, entity: Entity, counter: CounterId) -> bool {
        let kinds = &content.counters[counter.ix()].kinds;
        if let (Entity::Piece(piece), [_, ..]) = (entity, &kinds[..]) {
            let entry = self.pieces[piece.ix()].entry;
            return kinds.contains(&content.entry(entry).kind);
        }
        Self::counter_at(content, entity, counter).is_some()
    }

    /// The base value of a counter; 0 if the owner does not have it.
    #[must_use]
    pub fn base(&self, content: &Content, entity: Entity, counter: CounterId) -> i32 {
        let at = Self::counter_at(content, entity, counter);
        at.and_then(|(owner, ix)| self.counters[owner].get(ix).copied())
            .unwrap_or(0)
    }

    /// The seats in turn order from `first` on, without those that have left.
    pub fn seats_from(&self, first: u8) -> impl Iterator<Item = SeatId> + use<> {
        let (seats, out) = (self.seats.max(1), self.eliminated);
        (0..self.seats)
            .map(move |n| (first + n) % seats)
            .map(SeatId)
            .filter(move |seat| !out.contains(*seat))
    }
}

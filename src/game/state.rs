//! The state of a game: a plain value, cheap to copy, with no script and no text of any pack in it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::val::Val;
use super::zones::Zones;
use crate::content::{
    ChainId, Content, CounterId, DieId, EntryId, EventId, FightId, HookId, ListId, Owner, PerOwner,
    PhaseId, PieceId, PlaceId, QueryId, Scope, SeatId, SeatSet,
};

/// Anything that may own counters and zones, carry effects or fight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Entity {
    /// The table itself.
    Table,
    /// A seat.
    Seat(SeatId),
    /// A place.
    Place(PlaceId),
    /// A piece.
    Piece(PieceId),
}

impl Entity {
    /// Its kind of owner and its number among those.
    #[must_use]
    pub const fn owner(self) -> (Owner, usize) {
        match self {
            Entity::Table => (Owner::Table, 0),
            Entity::Seat(seat) => (Owner::Seat, seat.ix()),
            Entity::Place(place) => (Owner::Place, place.ix()),
            Entity::Piece(piece) => (Owner::Piece, piece.ix()),
        }
    }

    /// The seat, if it is one.
    #[must_use]
    pub const fn seat(self) -> Option<SeatId> {
        match self {
            Entity::Seat(seat) => Some(seat),
            _ => None,
        }
    }
}

/// One copy of an entry in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// What it is a copy of.
    pub entry: EntryId,
    /// Which copy, from 0.
    pub copy: u16,
    /// The face it shows: 0 is the entry itself, 1 its first declared face.
    pub face: u8,
    /// Which seats know what it is.
    pub known: SeatSet,
}

/// What is to run, as plain data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Run {
    /// The game itself: set-up, then turns and rounds.
    Game {
        /// Where in a round it is.
        stage: Stage,
    },
    /// A list of phases.
    List {
        /// Which list.
        list: ListId,
        /// The next phase.
        next: u16,
        /// What it is, which decides the events at its end.
        of: ListOf,
    },
    /// A phase.
    Phase {
        /// Which phase.
        phase: PhaseId,
        /// How far it is.
        stage: PhaseStage,
        /// How many seats had it, for a phase of each.
        seats_done: u8,
    },
    /// A menu.
    Window {
        /// The phase whose menu it is.
        phase: PhaseId,
        /// Whose it is.
        seats: SeatSet,
        /// How many actions were taken in it.
        taken: u16,
    },
    /// An action that was chosen and waits for what its before-hooks queued.
    Act {
        /// The window it was chosen in.
        phase: PhaseId,
        /// The entry whose action it is.
        entry: EntryId,
    },
    /// What follows an action.
    Acted {
        /// The entry whose action it was.
        entry: EntryId,
    },
    /// A fight.
    Fight {
        /// How far it is.
        stage: FightStage,
    },
    /// A named follow-up.
    Call {
        /// The script.
        hook: HookId,
    },
}

/// How far a round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stage {
    /// Before set-up.
    Setup,
    /// After set-up, before the first round.
    Start,
    /// A round begins.
    Round,
    /// A turn begins.
    Turn,
    /// The turn's phases are over.
    TurnOver,
    /// The round's own phases are over.
    RoundOver,
}

/// How far a phase is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PhaseStage {
    /// Not begun.
    Start,
    /// Its script is next.
    Do,
    /// Its menu is next.
    Menu,
    /// Its end is next.
    End,
}

/// What a list of phases is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ListOf {
    /// A seat's turn.
    Turn,
    /// A round.
    Round,
    /// A sequence a script started.
    Sequence,
    /// A part of a fight.
    Fight,
}

/// How far a fight is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FightStage {
    /// Not begun.
    Start,
    /// The next fighter's turn is to be found.
    Next,
    /// A fight turn is over.
    TurnOver,
    /// The last phases are over.
    End,
}

/// One item of the agenda.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// What runs.
    pub run: Run,
    /// For whom.
    pub seat: SeatId,
    /// The piece it is about.
    pub piece: Option<PieceId>,
    /// The line of `each`, or a value given along.
    pub each: Val,
}

/// When an effect begins or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Until {
    /// At this event.
    pub event: EventId,
    /// Only when it concerns the effect's subject.
    pub own: bool,
}

/// How an effect changes a number without a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Modifier {
    /// A counter's value, if it is one.
    pub counter: Option<CounterId>,
    /// A query's answer, if it is one.
    pub query: Option<QueryId>,
    /// How.
    pub op: Op,
    /// By how much.
    pub amount: i64,
}

/// How a contribution changes a query's answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Op {
    /// The value to start from.
    Base,
    /// Replaces it.
    Set,
    /// Adds to it.
    Add,
    /// It is at least this.
    Floor,
    /// It is at most this.
    Cap,
    /// It is this, whatever else is said.
    Lock,
    /// It is refused.
    Deny,
    /// It is allowed.
    Allow,
}

/// A running effect.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Effect {
    /// Its number; older ones are lower.
    pub id: u32,
    /// The effect entry with its hooks, or the entry that made it.
    pub entry: EntryId,
    /// The piece that made it.
    pub piece: Option<PieceId>,
    /// On whom.
    pub subject: Entity,
    /// Whether it is in force yet.
    pub active: bool,
    /// When it comes into force.
    pub from: Option<Until>,
    /// When it ends: at the first of these.
    pub until: [Option<Until>; 3],
    /// How many fights were going on when it began: what was to end within a fight ends with it.
    pub fights: u8,
    /// It ends when its piece leaves the zone it lay in.
    pub while_in: Option<u16>,
    /// How often it may still be used.
    pub uses: Option<u16>,
    /// A number it changes.
    pub modifier: Option<Modifier>,
    /// Values given along, for its hooks.
    pub vals: Vec<(Box<str>, Val)>,
}

/// Someone in a fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fighter {
    /// Who.
    pub who: Entity,
    /// On which side.
    pub side: u8,
    /// Where losses go.
    pub chain: ChainId,
    /// Who decides for it.
    pub controller: SeatId,
    /// Whom it attacks: a position among the fighters.
    pub target: u8,
    /// Whether it still stands.
    pub standing: bool,
    /// How many fight turns it had.
    pub turns: u16,
    /// Whether it had its turn in this round of the fight.
    pub done: bool,
}

/// One card of a combo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ComboCard {
    /// The piece.
    pub piece: PieceId,
    /// Which of its links the next card used.
    pub link: Option<u8>,
}

/// Dice that were rolled together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Roll {
    /// Its number.
    pub id: u32,
    /// Which die.
    pub die: DieId,
    /// By whom.
    pub seat: Option<SeatId>,
    /// The face each shows, from 0.
    pub faces: Vec<u8>,
    /// Which of them were spent.
    pub spent: Vec<bool>,
}

/// A fight that is going on.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
pub struct Fight {
    /// Its definition.
    pub def: FightId,
    /// The piece or entry it is about.
    pub piece: Option<PieceId>,
    /// Everyone in it, in turn order.
    pub fighters: Vec<Fighter>,
    /// Whose turn it is.
    pub current: u8,
    /// Which round of turns.
    pub round: u16,
    /// How many turns there were.
    pub turns: u16,
    /// The current fighter has another turn at once.
    pub again: bool,
    /// A script ended it.
    pub ended: bool,
    /// A fighter fell or left since it was last looked at whether the fight is over.
    pub check: bool,
    /// What follows it.
    pub then: Option<HookId>,
    /// The piece the follow-up belongs to.
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

/// Something that may be done once in a scope was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Used {
    /// The entry.
    pub entry: EntryId,
    /// The piece, for actions of pieces.
    pub piece: Option<PieceId>,
    /// By whom.
    pub seat: SeatId,
    /// Where, if it counts for each place apart.
    pub place: Option<PlaceId>,
    /// Until when it counts.
    pub scope: Scope,
    /// Whether a script's fault closed it.
    pub fault: bool,
}

/// What chance has said in a step that waits for an answer, and says again when the step is imagined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// The seed from which it came.
    pub seed: u64,
    /// How often streams were asked under it.
    pub streams: Vec<(u64, u32)>,
    /// For each piece, whether the seat that imagines does not know it: among those, an order may be any other.
    pub unknown: Vec<bool>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The winners; there may be none.
    pub winners: Vec<SeatId>,
    /// Each seat's score, where the pack gave scores.
    pub scores: Vec<(SeatId, i64)>,
    /// What to say of it.
    pub text: Box<str>,
}

/// The state of a game.
#[derive(PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// How many seats.
    pub seats: u8,
    /// The seats that are out of the game.
    pub out: SeatSet,
    /// Whose turn it is.
    pub active: u8,
    /// The seat that begins a round.
    pub first: u8,
    /// Which round.
    pub round: u32,
    /// How many turns each seat had.
    pub turns: Vec<u32>,
    /// Where each seat is.
    pub at: Vec<Option<PlaceId>>,
    /// Every piece.
    pub pieces: Vec<Piece>,
    /// Which piece lies where.
    pub zones: Zones,
    /// The counters of the table, of seats, of places and of pieces.
    pub counters: PerOwner<Vec<i32>>,
    /// What is to run; the last is next.
    pub agenda: Vec<Frame>,
    /// Turns to be taken before the next seat's: who, in order.
    pub extra: Vec<SeatId>,
    /// Running effects, oldest first.
    pub effects: Vec<Effect>,
    /// The number of the next effect.
    pub next_effect: u32,
    /// A bit for each event (by its number, modulo 128) that an effect waits for.
    pub awaited: u128,
    /// The fights going on; the last is the innermost.
    pub fights: Vec<Fight>,
    /// Fights that were started and did not begin yet, by number.
    pub upcoming: Vec<(u32, Fight)>,
    /// The number of the next fight.
    pub next_fight: u32,
    /// The combo that is being played.
    pub combo: Vec<ComboCard>,
    /// Dice that were rolled, the latest last.
    pub rolls: Vec<Roll>,
    /// The number of the next roll.
    pub next_roll: u32,
    /// What may be done once and was done.
    pub used: Vec<Used>,
    /// Marks: words that stick to something.
    pub marks: Vec<(Entity, Box<str>)>,
    /// What statistics counted: which, for whom or what, how much.
    pub tallies: Vec<(EntryId, Box<str>, i64)>,
    /// How often each stream of chance was asked.
    pub streams: Vec<(u64, u32)>,
    /// The seed of all chance.
    pub seed: u64,
    /// In an imagined game: what chance has said in the step that waits.
    #[serde(skip)]
    pub earlier: Vec<Earlier>,
    /// For each piece, and of it for each seat, in which keeping it is.
    #[serde(skip)]
    pub keepings: Vec<u16>,
    /// How many numbers chance was asked for, while somebody counts them.
    #[serde(skip)]
    pub lots: u32,
    /// Results of chance given in advance, the next one first.
    pub forced: Vec<super::chance::Forced>,
    /// Rises with every random result and every piece newly known.
    pub reveals: u32,
    /// How it ended.
    pub over: Option<Outcome>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = State::default();
        copy.clone_from(self);
        copy
    }

    /// Copies into the buffers that are there, which costs a fraction of a fresh copy. The pattern names
    /// every field, so that the compiler reports a forgotten one.
    fn clone_from(&mut self, from: &Self) {
        let State {
            seats,
            out,
            active,
            first,
            round,
            turns,
            at,
            pieces,
            zones,
            counters,
            agenda,
            extra,
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
            earlier,
            keepings,
            lots,
            forced,
            reveals,
            over,
        } = from;
        self.seats = *seats;
        self.out = *out;
        self.active = *active;
        self.first = *first;
        self.round = *round;
        self.turns.clone_from(turns);
        self.at.clone_from(at);
        self.pieces.clone_from(pieces);
        self.zones.clone_from(zones);
        self.counters.clone_values_from(counters);
        self.agenda.clone_from(agenda);
        self.extra.clone_from(extra);
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
        self.earlier.clone_from(earlier);
        self.keepings.clone_from(keepings);
        self.lots = *lots;
        self.forced.clone_from(forced);
        self.reveals = *reveals;
        self.over.clone_from(over);
    }
}

impl State {
    /// The state before set-up.
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
            run: Run::Game {
                stage: Stage::Setup,
            },
            seat: SeatId(0),
            piece: None,
            each: Val::Unit,
        });
        state
    }

    /// The canonical bytes: the same state gives the same bytes on every machine.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// The state of canonical bytes.
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

    /// The position of a counter's value, if that owner has that counter.
    #[must_use]
    pub fn counter_at(content: &Content, of: Entity, counter: CounterId) -> Option<(Owner, usize)> {
        let (owner, number) = of.owner();
        let slot = content.counter_slot[counter.ix()][owner]?;
        Some((
            owner,
            number * content.counters_of[owner].len() + usize::from(slot),
        ))
    }

    /// A counter's base value; 0 where that owner has no such counter.
    #[must_use]
    pub fn base(&self, content: &Content, of: Entity, counter: CounterId) -> i32 {
        let at = Self::counter_at(content, of, counter);
        at.and_then(|(owner, ix)| self.counters[owner].get(ix).copied())
            .unwrap_or(0)
    }

    /// The seats in turn order from one on, without those that are out.
    pub fn seats_from(&self, first: u8) -> impl Iterator<Item = SeatId> + use<> {
        let (seats, out) = (self.seats.max(1), self.out);
        (0..self.seats)
            .map(move |n| (first + n) % seats)
            .map(SeatId)
            .filter(move |seat| !out.contains(*seat))
    }
}

//! Snapshots of a game's state, by name. They can be compared even across versions of a pack.

use std::collections::BTreeMap;

use crate::content::{CounterId, EntryId, Owner, PieceId, PlaceId, SeatId};
use crate::game::zones::ZoneAt;
use crate::game::{Entity, StepContext, names, view};
use crate::value::Value;

/// The state of a game as named facts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateSnapshot {
    rows: BTreeMap<FactKey, Fact>,
}

/// The sort position of the owner, its name, the kind of fact (numbers, then words, then pieces),
/// and the name of the fact.
type FactKey = (u32, String, u8, String);

/// The sort position of pieces, after all other owners.
const PIECES: u32 = 102;

/// The value of a mark or an active effect.
const PRESENT: &str = "yes";

#[derive(Clone, PartialEq, Eq, Debug)]
enum Fact {
    Number(i64),
    /// The number of pieces by title.
    Pieces(BTreeMap<String, i64>),
    Word(String),
}

/// A difference between two snapshots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateChange {
    /// The name of the owner.
    pub owner: String,
    /// The title of the counter, zone, mark or effect; `place` for the place of a seat.
    pub name: String,
    /// The old and the new value.
    pub change: StateChangeKind,
    /// Whether the owner is a piece.
    of_piece: bool,
}

/// How a value changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StateChangeKind {
    /// A number, before and after.
    Number(i64, i64),
    /// Titles of pieces that were added (above 0) or removed (below 0), and how many.
    Pieces(Vec<(String, i64)>),
    /// A word, before and after; empty if there was none.
    Word(String, String),
}

impl StateSnapshot {
    /// Takes a snapshot, including hidden information.
    #[must_use]
    pub fn capture(context: &StepContext) -> StateSnapshot {
        StateSnapshot::without(context, None)
    }

    /// Like [`StateSnapshot::capture`], but ignores pieces of an entry in zones of the table.
    #[must_use]
    pub fn without(context: &StepContext, entry: Option<EntryId>) -> StateSnapshot {
        let content = context.content();
        let mut snapshot = StateSnapshot::default();
        let seats = (0..context.state.seats).map(|seat| Entity::Seat(SeatId(seat)));
        let places = (0..content.map.places.len()).map(|place| Entity::Place(PlaceId::at(place)));
        for entity in seats.chain([Entity::Table]).chain(places) {
            snapshot.owner(context, entity, entry);
        }
        for piece in (0..context.state.pieces.len()).map(PieceId::at) {
            snapshot.counters(context, Entity::Piece(piece));
        }
        snapshot
    }

    fn owner(&mut self, context: &StepContext, entity: Entity, left_out: Option<EntryId>) {
        let content = context.content();
        self.counters(context, entity);
        for zone in &content.zones_of[entity.owner().0] {
            let Some(at) = context.state.zones.at(content, entity, *zone) else {
                continue;
            };
            let left_out = left_out.filter(|_| entity == Entity::Table);
            let pieces = pieces(context, at, left_out);
            self.note(
                context,
                entity,
                content.zone_title(*zone),
                Fact::Pieces(pieces),
            );
        }
        if let Some(place) = entity.seat().and_then(|seat| context.state.at[seat.ix()]) {
            self.note(
                context,
                entity,
                "place",
                Fact::Word(names::entity(context, Entity::Place(place))),
            );
        }
        for mark in view::marks(context, entity) {
            self.note(context, entity, &mark, Fact::Word(PRESENT.to_owned()));
        }
    }

    fn counters(&mut self, context: &StepContext, entity: Entity) {
        let content = context.content();
        let (kind, _) = entity.owner();
        for counter in &content.counters_of[kind] {
            let value = i64::from(context.state.base(content, entity, *counter));
            if !context.state.has_counter(content, entity, *counter) {
                continue;
            }
            if content.flag(*counter).is_some() {
                self.flag(context, entity, *counter, value);
            } else if value != 0 || matches!(kind, Owner::Seat | Owner::Table) {
                self.note(
                    context,
                    entity,
                    content.counter_title(*counter),
                    Fact::Number(value),
                );
            }
        }
    }

    /// Notes the value of a flag; no, and no entry, are as if there were no flag.
    fn flag(&mut self, context: &StepContext, entity: Entity, flag: CounterId, number: i64) {
        let content = context.content();
        let fact = match content.counter_as_value(flag, number) {
            Value::Bool(false) | Value::Unit => return,
            Value::Int(number) => Fact::Number(number),
            _ => Fact::Word(content.counter_text(flag, number)),
        };
        self.note(context, entity, content.counter_title(flag), fact);
    }

    fn note(&mut self, context: &StepContext, entity: Entity, field: &str, fact: Fact) {
        let order = match entity {
            Entity::Seat(seat) => u32::from(seat.0),
            Entity::Table => 100,
            Entity::Place(_) => 101,
            Entity::Piece(_) => PIECES,
        };
        let name = match entity {
            Entity::Piece(piece) => {
                format!("{}{}", names::piece(context, piece), nth(context, piece))
            }
            entity => names::entity(context, entity),
        };
        let rank = match fact {
            Fact::Number(_) => 0,
            Fact::Word(_) => 1,
            Fact::Pieces(_) => 2,
        };
        self.rows
            .insert((order, name, rank, field.to_owned()), fact);
    }

    /// The differences from this snapshot to a later one: seats, table, places, pieces.
    #[must_use]
    pub fn changes(&self, now: &StateSnapshot) -> Vec<StateChange> {
        let keys: std::collections::BTreeSet<&FactKey> =
            self.rows.keys().chain(now.rows.keys()).collect();
        let changed = |key: &&FactKey| {
            let change = compare(self.rows.get(*key), now.rows.get(*key))?;
            Some(StateChange {
                owner: key.1.clone(),
                name: key.3.clone(),
                change,
                of_piece: key.0 == PIECES,
            })
        };
        keys.iter().filter_map(changed).collect()
    }
}

/// The number of a copy, if there are several.
fn nth(context: &StepContext, piece: PieceId) -> String {
    let state = &context.state.pieces[piece.ix()];
    let several = context
        .state
        .pieces
        .iter()
        .filter(|other| other.entry == state.entry)
        .nth(1)
        .is_some();
    if several {
        format!(" #{}", state.copy)
    } else {
        String::new()
    }
}

fn pieces(context: &StepContext, at: ZoneAt, left_out: Option<EntryId>) -> BTreeMap<String, i64> {
    let mut all = BTreeMap::new();
    let pieces = context
        .state
        .zones
        .pieces(at)
        .iter()
        .map(|piece| PieceId(*piece));
    for piece in pieces.filter(|piece| left_out != Some(context.entry_of(*piece))) {
        *all.entry(names::piece(context, piece)).or_default() += 1;
    }
    all
}

fn compare(before: Option<&Fact>, now: Option<&Fact>) -> Option<StateChangeKind> {
    if before == now {
        return None;
    }
    let number = |fact: Option<&Fact>| match fact {
        Some(Fact::Number(number)) => *number,
        _ => 0,
    };
    let word = |fact: Option<&Fact>| match fact {
        Some(Fact::Word(word)) => word.clone(),
        _ => String::new(),
    };
    match before.or(now)? {
        Fact::Number(_) => Some(StateChangeKind::Number(number(before), number(now))),
        Fact::Word(_) => Some(StateChangeKind::Word(word(before), word(now))),
        Fact::Pieces(_) => {
            let mut sum: BTreeMap<String, i64> = BTreeMap::new();
            for (fact, sign) in [(before, -1), (now, 1)] {
                if let Some(Fact::Pieces(pieces)) = fact {
                    pieces.iter().for_each(|(title, count)| {
                        *sum.entry(title.clone()).or_default() += sign * count;
                    });
                }
            }
            let changed: Vec<(String, i64)> =
                sum.into_iter().filter(|(_, count)| *count != 0).collect();
            (!changed.is_empty()).then_some(StateChangeKind::Pieces(changed))
        }
    }
}

impl StateChange {
    /// The full line: `You: Gold 3 → 1`, `You: Hand + Slither, - Low Sweep`.
    #[must_use]
    pub fn line(&self) -> String {
        let (owner, name) = (&self.owner, &self.name);
        match &self.change {
            StateChangeKind::Number(before, now) => format!("{owner}: {name} {before} → {now}"),
            StateChangeKind::Word(before, now) if before.is_empty() && now == PRESENT => {
                format!("{owner}: now {name}")
            }
            StateChangeKind::Word(before, now) if now.is_empty() && before == PRESENT => {
                format!("{owner}: no longer {name}")
            }
            StateChangeKind::Word(before, now) if before.is_empty() => {
                format!("{owner}: {name} {now}")
            }
            StateChangeKind::Word(before, now) if now.is_empty() => {
                format!("{owner}: no longer {name} ({before})")
            }
            StateChangeKind::Word(before, now) => format!("{owner}: {name} {before} → {now}"),
            StateChangeKind::Pieces(pieces) => {
                let piece = |(title, count): &(String, i64)| {
                    let sign = if *count > 0 { '+' } else { '-' };
                    let times = if count.abs() > 1 {
                        format!(" (×{})", count.abs())
                    } else {
                        String::new()
                    };
                    format!("{sign} {title}{times}")
                };
                format!(
                    "{owner}: {name} {}",
                    pieces.iter().map(piece).collect::<Vec<_>>().join(", ")
                )
            }
        }
    }

    /// The short form for the player `you`: `gold -2`, `hand +1`. Only pieces with this title are
    /// named. Returns `None` if pieces were swapped.
    #[must_use]
    pub fn short(&self, you: &str, title_shown: &str) -> Option<String> {
        let owner = if self.owner == you {
            String::new()
        } else {
            format!("{}: ", self.owner)
        };
        let name = &self.name;
        Some(match &self.change {
            StateChangeKind::Number(_, now) if self.of_piece => format!("{owner}{name} {now}"),
            StateChangeKind::Number(before, now) => format!("{owner}{name} {:+}", now - before),
            StateChangeKind::Word(before, now) if before.is_empty() && now == PRESENT => {
                format!("{owner}+{name}")
            }
            StateChangeKind::Word(before, now) if now.is_empty() && before == PRESENT => {
                format!("{owner}-{name}")
            }
            StateChangeKind::Word(_, now) => format!("{owner}{name} {now}"),
            StateChangeKind::Pieces(pieces) => {
                let gained = pieces
                    .iter()
                    .find(|(title, count)| title == title_shown && *count > 0);
                let net: i64 = pieces.iter().map(|(_, count)| count).sum();
                match gained {
                    Some((title, _)) => format!("{owner}{name} + {title}"),
                    None if net == 0 => return None,
                    None => format!("{owner}{name} {net:+}"),
                }
            }
        })
    }
}

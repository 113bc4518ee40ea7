//! What a seat may see, and states that are consistent with it.

use serde::Serialize;

use super::chance::mix;
use super::context::StepContext;
use super::indistinguishable;
use super::render::catalogue;
use super::render::decision::{self, Decision};
use super::render::names;
use super::state::{Entity, State};
use super::zones::ZoneAt;
use crate::content::{Bound, Content, CounterId, Owner, PieceId, PlaceId, SeatId, SeenBy};
use crate::number::cast;

/// A piece as a seat sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceView {
    /// `None` if the seat sees only its back.
    pub id: Option<String>,
    /// The title, or the kind if the seat sees only its back.
    pub title: String,
    /// Titles and values of the counters that are not 0.
    pub counters: Vec<(String, i64)>,
}

/// A zone as a seat sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ZoneView {
    /// The id in its pack.
    pub id: String,
    /// The title shown to players.
    pub title: String,
    /// Whether only this seat may look into it.
    pub own: bool,
    /// The number of pieces.
    pub count: usize,
    /// Empty if the seat may not see any of them.
    pub pieces: Vec<PieceView>,
}

/// A seat, a place or the table as a seat sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OwnerView {
    /// The name shown to players.
    pub name: String,
    /// The current place of a seat.
    pub place: Option<String>,
    /// Titles and values.
    pub counters: Vec<(String, i64)>,
    /// Titles and values of flags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<(String, String)>,
    /// Marks, and titles of effects.
    pub marks: Vec<String>,
    /// The zones; for places, only those that are not empty.
    pub zones: Vec<ZoneView>,
}

/// Everything a seat may see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The number of the round.
    pub round: u32,
    /// The name of the player whose turn it is.
    pub active: String,
    /// The counters, marks and zones of the table.
    pub table: OwnerView,
    /// The seats, in table order.
    pub seats: Vec<OwnerView>,
    /// The places that have counters or pieces.
    pub places: Vec<OwnerView>,
    /// The pending decision, if it is this seat's.
    pub decision: Option<Decision>,
}

/// Shows the game to a seat.
#[must_use]
pub fn view(context: &StepContext, seat: SeatId) -> View {
    let places = (0..context.content().map.places.len()).map(PlaceId::at);
    let places = places.map(|place| owner(context, seat, Entity::Place(place)));
    let asked = context
        .pending
        .as_deref()
        .filter(|question| question.seats.contains(seat));
    View {
        round: context.state.round,
        active: names::seat(context, context.active()),
        table: owner(context, seat, Entity::Table),
        seats: (0..context.state.seats)
            .map(|number| owner(context, seat, Entity::Seat(SeatId(number))))
            .collect(),
        places: places
            .filter(|place| {
                !(place.zones.is_empty() && place.counters.is_empty() && place.flags.is_empty())
            })
            .collect(),
        decision: asked.map(|question| own_options(decision::render(context, question), seat)),
    }
}

/// Removes the options of other seats.
fn own_options(mut decision: Decision, seat: SeatId) -> Decision {
    decision
        .options
        .retain(|option| option.seat.is_none_or(|owner| owner == seat));
    decision
}

fn owner(context: &StepContext, seat: SeatId, subject: Entity) -> OwnerView {
    let content = context.content();
    let (kind, _) = subject.owner();
    let zones = content.zones_of[kind].iter().filter_map(|zone| {
        let at = context.state.zones.at(content, subject, *zone)?;
        (context.state.zones.count(at) > 0 || kind != Owner::Place)
            .then(|| zone_view(context, seat, at))
    });
    let place = subject.seat().and_then(|seat| context.state.at[seat.ix()]);
    OwnerView {
        name: match subject {
            Entity::Table => catalogue::name::TABLE_TITLE.to_owned(),
            subject => names::entity(context, subject),
        },
        place: place.map(|place| names::entity(context, Entity::Place(place))),
        counters: counters(context, seat, subject),
        flags: flags(context, seat, subject),
        marks: marks(context, subject),
        zones: zones.collect(),
    }
}

/// The marks of an owner and the titles of the effects on it.
pub(crate) fn marks(context: &StepContext, entity: Entity) -> Vec<String> {
    let marks = context
        .state
        .marks
        .iter()
        .filter(|(own, _)| *own == entity)
        .map(|(_, mark)| mark.to_string());
    let effects = context
        .state
        .effects
        .iter()
        .filter(|effect| effect.subject == entity && effect.active);
    marks
        .chain(effects.map(|effect| context.content().entry(effect.entry).title.to_string()))
        .collect()
}

/// The counters or the flags of an owner that a seat may see.
fn visible(
    context: &StepContext,
    seat: SeatId,
    entity: Entity,
    are_flags: bool,
) -> impl Iterator<Item = (CounterId, i32)> {
    let content = context.content();
    let (kind, _) = entity.owner();
    let shown = content.counters_of[kind].iter().filter(move |counter| {
        let def = &content.counters[counter.ix()];
        def.flag.is_some() == are_flags
            && (!def.secret || entity.seat() == Some(seat))
            && context.state.has_counter(content, entity, **counter)
    });
    shown.map(move |counter| (*counter, context.state.base(content, entity, *counter)))
}

/// The flags of an owner that do not have their first value.
fn flags(context: &StepContext, seat: SeatId, entity: Entity) -> Vec<(String, String)> {
    let content = context.content();
    let set = visible(context, seat, entity, true).filter(|(flag, value)| {
        !content.counters[flag.ix()].quiet
            && content.counters[flag.ix()].min != Bound::Fixed(*value)
    });
    set.map(|(flag, value)| {
        (
            content.counter_title(flag).to_string(),
            content.counter_text(flag, value.into()),
        )
    })
    .collect()
}

fn counters(context: &StepContext, seat: SeatId, entity: Entity) -> Vec<(String, i64)> {
    let content = context.content();
    let (kind, _) = entity.owner();
    let all = visible(context, seat, entity, false)
        .map(|(counter, value)| (content.counter_title(counter).to_string(), value.into()));
    all.filter(|(_, value)| kind == Owner::Seat || kind == Owner::Table || *value != 0)
        .collect()
}

fn zone_view(context: &StepContext, seat: SeatId, at: ZoneAt) -> ZoneView {
    let content = context.content();
    let pieces = context.state.zones.pieces(at);
    let def = context
        .state
        .zones
        .def(content, at)
        .map(|(_, zone)| &content.zones[zone.ix()]);
    let hidden = def.is_some_and(|def| def.seen_by == SeenBy::Nobody);
    let known = |piece: &u16| {
        context.state.pieces[usize::from(*piece)]
            .known
            .contains(seat)
    };
    let listed = !hidden || pieces.iter().any(known);
    let (id, title) = def.map_or(
        ("box".to_owned(), catalogue::name::BOX_TITLE.to_owned()),
        |def| {
            let entry = content.entry(def.entry);
            (entry.id.to_string(), entry.title.to_string())
        },
    );
    let piece = |piece: &u16| piece_view(context, seat, PieceId(*piece), known(piece));
    let own = def.is_some_and(|def| def.seen_by == SeenBy::Owner);
    let own = own
        && context
            .state
            .zones
            .def(content, at)
            .is_some_and(|(entity, _)| entity == Entity::Seat(seat));
    ZoneView {
        id,
        title,
        own,
        count: pieces.len(),
        pieces: if listed {
            pieces.iter().map(piece).collect()
        } else {
            Vec::new()
        },
    }
}

fn piece_view(context: &StepContext, seat: SeatId, piece: PieceId, known: bool) -> PieceView {
    let entry = context.content().entry(context.entry_of(piece));
    PieceView {
        id: known.then(|| entry.id.to_string()),
        title: if known {
            names::piece(context, piece)
        } else {
            names::kind_of(context, piece)
        },
        counters: counters(context, seat, Entity::Piece(piece)),
    }
}

/// A state that is consistent with what a seat knows: pieces unknown to it are shuffled within
/// their indistinguishable group and kind, and random numbers start from a new seed.
#[must_use]
pub fn determinize(state: &State, content: &Content, seat: SeatId, seed: u64) -> State {
    let mut state = state.clone();
    let mut groups: Vec<((u16, u16), Vec<PieceId>)> = Vec::new();
    let mut last = 0;
    for (ix, piece) in state.pieces.iter().enumerate() {
        if !piece.known.contains(seat) {
            let kind = content.entry(piece.entry).kind.0;
            let group = (
                kind,
                indistinguishable::group_of(&state, PieceId::at(ix), seat),
            );
            // Neighbours mostly belong to the same group.
            if groups.get(last).is_none_or(|(other, _)| *other != group) {
                let found = groups.iter().position(|(other, _)| *other == group);
                last = found.unwrap_or(groups.len());
            }
            match groups.get_mut(last) {
                Some((_, group)) => group.push(PieceId::at(ix)),
                None => groups.push((group, vec![PieceId::at(ix)])),
            }
        }
    }
    let mut roll = seed;
    let mut pairs = Vec::with_capacity(state.pieces.len());
    for (_, group) in &groups {
        for ix in (1..group.len()).rev() {
            roll = mix(roll);
            let other = cast::<_, usize>(roll % (ix as u64 + 1));
            if ix != other {
                let (one, two) = (group[ix], group[other]);
                pairs.push((one, two));
                let known = state.pieces[one.ix()].known;
                state.pieces[one.ix()].known = state.pieces[two.ix()].known;
                state.pieces[two.ix()].known = known;
            }
        }
    }
    state.zones.exchange_all(&pairs);
    state.seed = mix(roll ^ seed);
    state.forced.clear();
    state
}

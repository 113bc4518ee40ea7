//! Events: every primitive announces itself, and rules, pieces and effects listen.
//!
//! Hooks run in this order: rules, modes and statistics by layer; the `self_` hooks of the piece
//! that the event is about; pieces of seats (from the active seat on, zone by zone, position by
//! position); pieces of the table, of places, on pieces, and fighting pieces; effects, oldest
//! first. Optional hooks come after all mandatory ones, in one menu for each seat, so that its
//! player chooses the order.

use std::rc::Rc;

use smallvec::SmallVec;

use super::context::{Cx, HookCall, MAX_EVENTS, StepContext, StepResult, run_hook};
use super::question::{self, QuestionOption};
use super::state::Entity;
use super::zones::{ListeningVersion, ZoneAt};
use super::{effect, log, menu};
use crate::content::{
    CounterId, EntryId, EventId, HookFilter, HookId, HookTable, Owner, PhaseId, PieceId, PlaceId,
    QueryId, SeatId, SeatSet, id_bit,
};
use crate::value::{Text, Value};

/// An event, with every field that a hook may read. Each event sets only the fields it documents.
#[derive(Clone, Debug)]
pub struct Event {
    /// The id of the event.
    pub id: EventId,
    /// The seat concerned.
    pub seat: Option<SeatId>,
    /// The entity that the event happens to.
    pub of: Option<Entity>,
    /// The entity that causes the event.
    pub source: Option<Entity>,
    /// The piece concerned.
    pub piece: Option<PieceId>,
    /// The zone that a piece leaves.
    pub from: Option<ZoneAt>,
    /// The zone that a piece enters.
    pub to: Option<ZoneAt>,
    /// The place concerned, or the place that a seat enters.
    pub place: Option<PlaceId>,
    /// The place that a seat leaves.
    pub from_place: Option<PlaceId>,
    /// The counter concerned.
    pub counter: Option<CounterId>,
    /// The entry concerned.
    pub entry: Option<EntryId>,
    /// The phase concerned.
    pub phase: Option<PhaseId>,
    /// The amount. Hooks of a `before_` event may change it.
    pub amount: i64,
    /// A number whose meaning depends on the event: a position, a face, a new value, or the id of a
    /// roll.
    pub value: i64,
    /// A text whose meaning depends on the event: the purpose of a packet, the name of a mark, or
    /// the field of a pass.
    pub word: Option<Text>,
    /// The contributions to the amount.
    pub parts: Vec<super::log::Contribution>,
    /// The values of events that packs declare.
    pub data: Vec<(Box<str>, Value)>,
    /// The entry whose hook caused the event.
    pub cause: Option<EntryId>,
    /// The reason, if a hook denied the event.
    pub denied: Option<Box<str>>,
}

impl Event {
    /// An event with no fields set except its id.
    #[must_use]
    pub const fn new(id: EventId) -> Event {
        Event {
            id,
            seat: None,
            of: None,
            source: None,
            piece: None,
            from: None,
            to: None,
            place: None,
            from_place: None,
            counter: None,
            entry: None,
            phase: None,
            amount: 0,
            value: 0,
            word: None,
            parts: Vec::new(),
            data: Vec::new(),
            cause: None,
            denied: None,
        }
    }

    /// Whether the event concerns a subject. Every event concerns the table.
    #[must_use]
    pub fn concerns(&self, subject: Entity) -> bool {
        match subject {
            Entity::Table => true,
            Entity::Seat(seat) => self.seat == Some(seat) || self.of == Some(subject),
            Entity::Place(place) => self.place == Some(place) || self.of == Some(subject),
            Entity::Piece(piece) => self.piece == Some(piece) || self.of == Some(subject),
        }
    }
}

/// A hook that listens, with the piece or effect it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listener {
    pub entry: EntryId,
    pub hook: HookId,
    pub it: Option<PieceId>,
    pub effect: Option<u32>,
}

impl Listener {
    /// A hook of a rule, a statistic or the mode.
    pub(super) const fn rule((entry, hook): (EntryId, HookId)) -> Listener {
        Listener {
            entry,
            hook,
            it: None,
            effect: None,
        }
    }
}

/// Listeners, usually only a few.
pub(super) type Listeners = SmallVec<[Listener; 4]>;

/// Fires an event and returns it, possibly changed or denied by a hook.
pub fn fire(cx: &mut Cx, mut event: Event) -> StepResult<Event> {
    if !cx.has_listeners(event.id) {
        return Ok(event);
    }
    cx.fired += 1;
    if cx.fired > MAX_EVENTS {
        return Err(cx.fault(super::context::work_limit_message()));
    }
    event.cause = cx.calls.last().map(|call| call.entry);
    effect::activate(cx, &event);
    let (rules, listeners) = (cx.rules.clone(), listeners(cx, &event));
    let optional = optional_listeners(cx, &event);
    let (id, counter) = (event.id, event.counter);
    let always = &rules.content.listeners.event(id).rules;
    if always.is_empty() && listeners.is_empty() && optional.is_empty() {
        effect::expire(cx, &event)?;
        return Ok(event);
    }
    cx.events.push(event);
    let always = always.iter().copied().map(Listener::rule);
    let result =
        run_listeners(cx, always.chain(listeners), counter).and_then(|()| offer(cx, optional));
    let event = cx.events.pop().unwrap_or_else(|| Event::new(EventId(0)));
    result?;
    effect::expire(cx, &event)?;
    Ok(event)
}

/// Fires an event if it may have listeners; otherwise the event is not even built.
#[inline]
pub fn announce(cx: &mut Cx, id: EventId, fill: impl FnOnce(&mut Event)) -> StepResult {
    if cx.has_listeners(id) {
        let mut event = Event::new(id);
        fill(&mut event);
        fire(cx, event)?;
    }
    Ok(())
}

fn run_listeners(
    cx: &mut Cx,
    listeners: impl Iterator<Item = Listener>,
    counter: Option<CounterId>,
) -> StepResult {
    for listener in listeners {
        if cx.rules.reacts_to(listener.hook, counter) && !is_running(cx, listener) {
            let call = listener_call(cx, listener);
            run_hook(cx, call)?;
        }
    }
    Ok(())
}

/// Whether a listener is already running: a hook does not listen to events that it causes itself.
fn is_running(cx: &Cx, listener: Listener) -> bool {
    cx.calls.iter().any(|call| {
        call.hook == listener.hook && call.it == listener.it && call.effect == listener.effect
    })
}

/// The call of a listener's hook, with the names it sees.
pub(super) fn listener_call(cx: &Cx, listener: Listener) -> HookCall {
    let subject = listener
        .effect
        .and_then(|id| cx.state.effects.iter().find(|effect| effect.id == id))
        .map(|e| e.subject);
    let owner = subject
        .and_then(Entity::seat)
        .or_else(|| listener.it.and_then(|piece| cx.owner_of(piece)));
    let seat = cx.events.last().and_then(|event| event.seat);
    HookCall {
        hook: listener.hook,
        entry: listener.entry,
        it: listener.it,
        owner,
        actor: seat.or(cx.actor).or(owner),
        argument: Value::Unit,
        effect: listener.effect,
        question_count: 0,
        run: 0,
    }
}

/// The listeners of an event besides those that always listen.
fn listeners(cx: &Cx, event: &Event) -> Listeners {
    let content = cx.content();
    let mut list = Listeners::new();
    let listening = content.listeners.event(event.id);
    if let Some(piece) = event.piece.filter(|_| listening.own) {
        let (entry, hooks) = hooks_of(cx, piece);
        add_hooks(
            &mut list,
            event.id,
            &hooks.on_self,
            entry,
            Some(piece),
            None,
        );
    }
    if listening.entries {
        for piece in pieces_listening_to(cx, event.id) {
            let (entry, hooks) = hooks_of(cx, piece);
            add_hooks(&mut list, event.id, &hooks.on, entry, Some(piece), None);
        }
    }
    for effect in &cx.state.effects {
        if effect.active && effect.modifier.is_none() {
            let hooks = &content.entry(effect.entry).hooks.on;
            let (entry, piece) = (effect.entry, effect.piece);
            add_hooks(&mut list, event.id, hooks, entry, piece, Some(effect.id));
        }
    }
    list
}

/// Adds the hooks of an entry, a piece or an effect that listen to an event or answer a query.
pub(super) fn add_hooks<Id: Copy + PartialEq>(
    list: &mut Listeners,
    id: Id,
    hooks: &[(Id, HookId)],
    entry: EntryId,
    it: Option<PieceId>,
    effect: Option<u32>,
) {
    let matching = hooks.iter().filter(|(hook_filter, _)| *hook_filter == id);
    list.extend(matching.map(|&(_, hook)| Listener {
        entry,
        hook,
        it,
        effect,
    }));
}

/// The entry of a piece and its active hooks: those of the face it shows, or else the entry's own.
pub(super) fn hooks_of(cx: &Cx, piece: PieceId) -> (EntryId, &HookTable) {
    let shown = cx.state.pieces[piece.ix()];
    let entry = &cx.rules.content.entries[shown.entry.ix()];
    let face = usize::from(shown.face)
        .checked_sub(1)
        .and_then(|ix| entry.faces.get(ix));
    (shown.entry, face.map_or(&entry.hooks, |face| &face.hooks))
}

/// The pieces in zones that listen, in hook order, as of the last event or query.
#[derive(Clone, Default)]
pub struct ListeningPieces {
    /// What the lists depend on: the listening zones, the active seat and the seats that are out.
    key: Option<(ListeningVersion, u8, SeatSet)>,
    lists: Rc<ListeningLists>,
}

#[derive(Default)]
struct ListeningLists {
    all: Vec<PieceId>,
    /// The pieces of an entry with hooks.
    with_hooks: Vec<(PieceId, HookFilter)>,
    /// The union of their filters.
    hook_filter: HookFilter,
}

/// The pieces of an event, a query or an action, usually only a few.
type FewPieces = SmallVec<[PieceId; 8]>;

/// The listening pieces that offer actions to a seat, in hook order.
pub(super) fn pieces_with_actions(cx: &Cx, seat: SeatId) -> FewPieces {
    let lists = listening_in_zones(cx);
    let offers = |piece: &PieceId| {
        cx.content().entry(cx.entry_of(*piece)).action.is_some()
            && cx.owner_of(*piece).is_none_or(|owner| owner == seat)
    };
    let mut list: FewPieces = lists.all.iter().copied().filter(offers).collect();
    add_fighters(cx, &lists.all, offers, &mut list);
    list
}

/// The pieces that listen and may have a hook for an event, in hook order.
pub(super) fn pieces_listening_to(cx: &Cx, event: EventId) -> FewPieces {
    let bit = id_bit(event.0);
    pieces_with_hooks(cx, |hook_filter| hook_filter.events & bit != 0)
}

/// The pieces that listen and may answer a query, in hook order.
pub(super) fn pieces_answering(cx: &Cx, query: QueryId) -> FewPieces {
    let bit = id_bit(query.0);
    pieces_with_hooks(cx, |hook_filter| hook_filter.queries & bit != 0)
}

fn pieces_with_hooks(cx: &Cx, matches: impl Fn(HookFilter) -> bool) -> FewPieces {
    let lists = listening_in_zones(cx);
    let mut list = FewPieces::new();
    if matches(lists.hook_filter) {
        let listening = lists
            .with_hooks
            .iter()
            .filter(|(_, hook_filter)| matches(*hook_filter));
        list.extend(listening.map(|(piece, _)| *piece));
    }
    let piece_hears =
        |piece: &PieceId| matches(cx.content().entry(cx.entry_of(*piece)).hook_filter);
    add_fighters(cx, &lists.all, piece_hears, &mut list);
    list
}

/// Adds the fighting pieces that listen although they are in no zone that does.
fn add_fighters(
    cx: &Cx,
    in_zones: &[PieceId],
    fits: impl Fn(&PieceId) -> bool,
    list: &mut FewPieces,
) {
    for fighter in cx.fight().iter().flat_map(|fight| &fight.fighters) {
        if let Entity::Piece(piece) = fighter.who
            && fighter.standing
            && fits(&piece)
            && !list.contains(&piece)
            && !in_zones.contains(&piece)
        {
            list.push(piece);
        }
    }
}

/// Whether a piece or an effect may listen to an event, not counting hooks of the piece that the
/// event is about.
pub(super) fn may_have_listener(cx: &StepContext, event: EventId) -> bool {
    !cx.state.effects.is_empty()
        || cx.fight().is_some()
        || listening_in_zones(cx).hook_filter.events & id_bit(event.0) != 0
}

fn listening_in_zones(cx: &StepContext) -> Rc<ListeningLists> {
    let key = (
        cx.state.zones.listening_version(),
        cx.state.active,
        cx.state.eliminated,
    );
    let mut known = cx.listening.borrow_mut();
    let same = |(version, active, out): (ListeningVersion, u8, SeatSet)| {
        version.is(key.0) && active == key.1 && out == key.2
    };
    if !known.key.is_some_and(same) {
        let mut lists = ListeningLists {
            all: find_listening(cx),
            ..ListeningLists::default()
        };
        for piece in &lists.all {
            let hook_filter = cx.content().entry(cx.entry_of(*piece)).hook_filter;
            if hook_filter != HookFilter::default() {
                lists.hook_filter.events |= hook_filter.events;
                lists.hook_filter.queries |= hook_filter.queries;
                lists.with_hooks.push((*piece, hook_filter));
            }
        }
        known.lists = Rc::new(lists);
        known.key = Some(key);
    }
    known.lists.clone()
}

fn find_listening(cx: &StepContext) -> Vec<PieceId> {
    let content = cx.content();
    let zones = &content.listening_zones;
    let mut list = Vec::new();
    let mut add = |entity: Entity, owner: Owner| {
        for &zone in &zones[owner] {
            if let Some(at) = cx.state.zones.at(content, entity, zone) {
                let pieces = cx.state.zones.pieces(at).iter();
                list.extend(pieces.map(|piece| PieceId(*piece)));
            }
        }
    };
    if !zones[Owner::Seat].is_empty() {
        cx.state
            .seats_from(cx.state.active)
            .for_each(|seat| add(Entity::Seat(seat), Owner::Seat));
    }
    add(Entity::Table, Owner::Table);
    if !zones[Owner::Place].is_empty() {
        (0..content.map.places.len())
            .for_each(|place| add(Entity::Place(PlaceId::at(place)), Owner::Place));
    }
    if !zones[Owner::Piece].is_empty() {
        let listens = |(_, zone): &(PieceId, _)| zones[Owner::Piece].contains(zone);
        let nested = cx.state.zones.in_zones_of_pieces(content).filter(listens);
        list.extend(nested.map(|(piece, _)| piece));
    }
    list
}

fn optional_listeners(cx: &Cx, event: &Event) -> Vec<(SeatId, Listener)> {
    if !cx.content().listeners.event(event.id).offers {
        return Vec::new();
    }
    let mut list = Vec::new();
    for piece in pieces_listening_to(cx, event.id) {
        let (entry, hooks) = hooks_of(cx, piece);
        let matching = hooks.offers.iter().filter(|(id, _)| *id == event.id);
        let Some(owner) = cx.owner_of(piece) else {
            continue;
        };
        list.extend(matching.map(|&(_, hook)| {
            (
                owner,
                Listener {
                    entry,
                    hook,
                    it: Some(piece),
                    effect: None,
                },
            )
        }));
    }
    list
}

/// Offers optional hooks in one menu for each seat, until the seat passes or no hook is left. Like
/// an action, a hook is offered only while its entry's `can`, `once` and `cost` allow it.
fn offer(cx: &mut Cx, mut list: Vec<(SeatId, Listener)>) -> StepResult {
    while let Some(&(seat, _)) = list.first() {
        let mut open: Vec<usize> = Vec::new();
        for ix in (0..list.len()).filter(|ix| list[*ix].0 == seat) {
            if menu::is_open(cx, list[ix].1.entry, list[ix].1.it, seat)? {
                open.push(ix);
            }
        }
        if open.is_empty() {
            list.retain(|(other, _)| *other != seat);
            continue;
        }
        let piece = |ix: &usize| {
            QuestionOption::new(Value::Entity(Entity::Piece(
                list[*ix].1.it.unwrap_or(PieceId(0)),
            )))
        };
        let mut options: Vec<QuestionOption> = open.iter().map(piece).collect();
        options.push(QuestionOption::word(
            "pass",
            super::render::catalogue::label::PASS,
        ));
        let event = cx.events.last().map_or(EventId(0), |event| event.id);
        let picked = question::ask_one(cx, seat, question::Prompt::May(event), options)?;
        match open.get(picked) {
            Some(&ix) => {
                let (_, listener) = list.remove(ix);
                log::log_use(cx, seat, listener.it);
                if menu::pay_for(cx, listener.entry, listener.it, seat)? {
                    let call = listener_call(cx, listener);
                    run_hook(cx, call)?;
                }
            }
            None => list.retain(|(other, _)| *other != seat),
        }
    }
    Ok(())
}

//! The changes of a turn for each seat: counters, and pieces that it received or gave up.

use super::super::context::StepContext;
use super::super::log::{LogEvent, LogLine};
use super::super::render::log_line::NamesAt;
use super::super::render::{CounterChange, catalogue, describe_changes, grammar, names};
use super::super::state::Entity;
use super::super::zones::ZoneAt;
use crate::content::{CounterId, Owner, PieceId, Scope, SeatId};

/// A piece that moved between seats, or between a seat and the table.
struct PieceMove {
    piece: PieceId,
    /// The title at the time of the move.
    title: String,
    from: Option<SeatId>,
    to: Option<SeatId>,
}

/// The changes since the last turn ended.
#[derive(Default)]
pub(super) struct TurnChanges {
    counters: Vec<(SeatId, Vec<CounterChange>)>,
    pieces: Vec<PieceMove>,
}

impl TurnChanges {
    pub fn record(&mut self, context: &StepContext, line: &LogLine) {
        match line.event {
            LogEvent::Counter {
                of: Entity::Seat(seat),
                counter,
                ..
            } if lasts(context, counter) => {
                let found = self.counters.iter().position(|(owner, _)| *owner == seat);
                let ix = found.unwrap_or_else(|| {
                    self.counters.push((seat, Vec::new()));
                    self.counters.len() - 1
                });
                CounterChange::collect(&mut self.counters[ix].1, line);
            }
            LogEvent::Moved {
                piece, from, to, ..
            } => self.record_move(
                context,
                line,
                piece,
                (owner(context, from), owner(context, to)),
            ),
            LogEvent::Created { piece, to, .. } => {
                self.record_move(context, line, piece, (None, owner(context, to)));
            }
            _ => {}
        }
    }

    fn record_move(
        &mut self,
        context: &StepContext,
        line: &LogLine,
        piece: PieceId,
        (from, to): (Option<SeatId>, Option<SeatId>),
    ) {
        if from == to && !self.pieces.iter().any(|own| own.piece == piece) {
            return;
        }
        let title = NamesAt::new(context, line).piece(piece);
        match self.pieces.iter_mut().find(|own| own.piece == piece) {
            Some(own) => (own.title, own.to) = (title, to),
            None => self.pieces.push(PieceMove {
                piece,
                title,
                from,
                to,
            }),
        }
    }

    /// Returns a sentence for each seat that has changed, and clears the changes.
    pub fn take_sentences(&mut self, context: &StepContext) -> Vec<String> {
        let sentences = (0..context.state.seats)
            .map(SeatId)
            .filter_map(|seat| self.describe_seat(context, seat))
            .collect();
        *self = TurnChanges::default();
        sentences
    }

    fn describe_seat(&self, context: &StepContext, seat: SeatId) -> Option<String> {
        let pieces = |received: bool| {
            let is_own = |went: &&PieceMove| {
                went.from != went.to && (if received { went.to } else { went.from }) == Some(seat)
            };
            let titles = self.pieces.iter().filter(is_own);
            let list = grammar::count_equal(titles.map(|went| went.title.clone()));
            (!list.is_empty()).then(|| grammar::join_and(&list))
        };
        let received = pieces(true).map(|list| catalogue::chronicle::receives(&list));
        let given_up = pieces(false).map(|list| catalogue::chronicle::gives_up(&list));
        let further = received.into_iter().chain(given_up).collect();
        let counters = self.counters.iter().find(|(own, _)| *own == seat);
        let changes = counters.map_or(&[][..], |(_, changes)| changes);
        let name = names::seat(context, seat);
        describe_changes(context, (Entity::Seat(seat), &name), changes, further)
    }
}

/// Whether a counter of a seat outlives its turn and is not bookkeeping.
fn lasts(context: &StepContext, counter: CounterId) -> bool {
    let def = &context.content().counters[counter.ix()];
    def.scope == Scope::Game && !def.is_quiet_for(Owner::Seat)
}

/// The seat that owns a zone, unless the zone is bookkeeping.
fn owner(context: &StepContext, at: ZoneAt) -> Option<SeatId> {
    let (entity, zone) = context.state.zones.def(context.content(), at)?;
    if context.content().zones[zone.ix()].quiet {
        None
    } else {
        entity.seat()
    }
}

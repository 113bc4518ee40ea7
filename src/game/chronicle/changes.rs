//! What a turn changed, in the end: counters of seats, and what came to them or left them.

use super::super::cx::Core;
use super::super::log::{Line, What};
use super::super::names;
use super::super::state::Entity;
use super::super::telling::counted;
use super::super::text::{self, Then};
use super::super::zones::ZoneAt;
use crate::content::{CounterId, PieceId, Scope, SeatId};

/// A piece that went from one seat to another, or to none.
struct Went {
    piece: PieceId,
    /// What it was called when it went.
    title: String,
    from: Option<SeatId>,
    to: Option<SeatId>,
}

/// What changed since the last time it was told.
#[derive(Default)]
pub(super) struct Changes {
    counters: Vec<(SeatId, CounterId, i64, i64)>,
    pieces: Vec<Went>,
}

impl Changes {
    /// Notes what a line changed.
    pub fn note(&mut self, core: &Core, line: &Line) {
        match line.what {
            What::Counter {
                of: Entity::Seat(seat),
                counter,
                from,
                to,
            } if lasts(core, counter) => {
                let same =
                    |own: &&mut (SeatId, CounterId, i64, i64)| (own.0, own.1) == (seat, counter);
                match self.counters.iter_mut().find(same) {
                    Some(own) => own.3 = to,
                    None => self.counters.push((seat, counter, from, to)),
                }
            }
            What::Moved {
                piece, from, to, ..
            } => self.moved(core, line, piece, (owner(core, from), owner(core, to))),
            What::Created { piece, to, .. } => {
                self.moved(core, line, piece, (None, owner(core, to)));
            }
            _ => {}
        }
    }

    fn moved(
        &mut self,
        core: &Core,
        line: &Line,
        piece: PieceId,
        (from, to): (Option<SeatId>, Option<SeatId>),
    ) {
        if from == to && !self.pieces.iter().any(|own| own.piece == piece) {
            return;
        }
        let title = Then {
            core,
            line,
            whole: false,
        }
        .piece(piece);
        match self.pieces.iter_mut().find(|own| own.piece == piece) {
            Some(own) => (own.title, own.to) = (title, to),
            None => self.pieces.push(Went {
                piece,
                title,
                from,
                to,
            }),
        }
    }

    /// What changed for each seat, a line each; then begins anew.
    pub fn tell(&mut self, core: &Core) -> Vec<String> {
        let told = (0..core.state.seats)
            .map(SeatId)
            .filter_map(|seat| self.of(core, seat))
            .collect();
        *self = Changes::default();
        told
    }

    fn of(&self, core: &Core, seat: SeatId) -> Option<String> {
        let own = self
            .counters
            .iter()
            .filter(|(of, _, from, to)| *of == seat && from != to);
        let mut parts: Vec<String> = own
            .map(|(_, counter, from, to)| {
                format!("{} {from} → {to}", core.content().counter_title(*counter))
            })
            .collect();
        let pieces = |gained: bool| {
            let whose = |went: &&Went| {
                went.from != went.to && (if gained { went.to } else { went.from }) == Some(seat)
            };
            counted(
                self.pieces
                    .iter()
                    .filter(whose)
                    .map(|went| went.title.clone()),
            )
        };
        for (word, list) in [("gains", pieces(true)), ("gives up", pieces(false))] {
            if !list.is_empty() {
                parts.push(format!("{word} {list}"));
            }
        }
        (!parts.is_empty()).then(|| format!("{}: {}", names::seat(core, seat), parts.join("; ")))
    }
}

/// Whether a counter outlives its turn, and is no bookkeeping.
fn lasts(core: &Core, counter: CounterId) -> bool {
    let def = &core.content().counters[counter.ix()];
    def.scope == Scope::Game && !def.quiet
}

/// The seat in whose zone something lies, unless that is bookkeeping.
fn owner(core: &Core, at: ZoneAt) -> Option<SeatId> {
    let (of, zone) = core.state.zones.def(core.content(), at)?;
    if core.content().zones[zone.ix()].quiet {
        None
    } else {
        of.seat()
    }
}

/// What somebody did, for those who see everything.
pub(super) fn deed(core: &Core, line: &Line) -> Option<String> {
    text::line(core, line, None)
}

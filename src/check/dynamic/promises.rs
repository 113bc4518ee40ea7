//! Compares what a script did with what a text promises.

use crate::check::promise::{PromiseMeaning, PromisedChange, Resource};
use crate::content::{Content, HookId};
use crate::game::log::{LogEvent, LogLine};
use crate::game::zones::ZoneAt;
use crate::game::{HookOutcome, HookSnapshot};

/// Whether a run kept a promise at least once.
pub fn is_fulfilled(
    content: &Content,
    snapshot: &HookSnapshot,
    outcome: &HookOutcome,
    hook: HookId,
    promise: &PromiseMeaning,
) -> bool {
    let own: Vec<&LogLine> = outcome
        .lines
        .iter()
        .filter(|line| line.cause.hook == Some(hook))
        .collect();
    promise.resources.iter().any(|thing| match thing {
        Resource::Counter(counter) => {
            let changes = own.iter().filter_map(|line| match line.event {
                LogEvent::Counter {
                    of,
                    counter: own,
                    from,
                    to,
                    ..
                } if own == *counter => Some((of, to - from)),
                _ => None,
            });
            let changes: Vec<_> = changes.collect();
            let wanted = if promise.change == PromisedChange::Gain {
                promise.amount
            } else {
                -promise.amount
            };
            let sum = |owner| {
                changes
                    .iter()
                    .filter(|(of, _)| *of == owner)
                    .map(|(_, by)| by)
                    .sum::<i64>()
            };
            changes
                .iter()
                .any(|(of, by)| *by == wanted || sum(*of) == wanted)
        }
        Resource::Damage => own.iter().any(|line| match line.event {
            LogEvent::Damage { amount, taken, .. } => {
                amount == promise.amount || taken == promise.amount
            }
            _ => false,
        }),
        Resource::Kind(_) | Resource::Zone(_) | Resource::Pieces => {
            pieces(content, snapshot, &own, *thing, promise)
        }
    })
}

fn pieces(
    content: &Content,
    snapshot: &HookSnapshot,
    lines: &[&LogLine],
    thing: Resource,
    promise: &PromiseMeaning,
) -> bool {
    let state = &snapshot.state;
    let in_zone = |at: ZoneAt| match thing {
        Resource::Zone(zone) => state
            .zones
            .def(content, at)
            .is_some_and(|(_, own)| own == zone),
        _ => true,
    };
    let of_kind = |piece: crate::content::PieceId| match thing {
        Resource::Kind(kind) => state
            .pieces
            .get(piece.ix())
            .is_none_or(|own| content.entry(own.entry).kind == kind),
        _ => true,
    };
    let mut counts: Vec<(ZoneAt, i64)> = Vec::new();
    let mut total = 0;
    let mut count = |at: ZoneAt| {
        total += 1;
        match counts.iter_mut().find(|(own, _)| *own == at) {
            Some((_, count)) => *count += 1,
            None => counts.push((at, 1)),
        }
    };
    for line in lines {
        match line.event {
            LogEvent::Moved {
                piece, from, to, ..
            } if of_kind(piece) => {
                if promise.change == PromisedChange::Gain && in_zone(to) {
                    count(to);
                } else if promise.change == PromisedChange::Loss && (in_zone(from) || in_zone(to)) {
                    count(from);
                }
            }
            LogEvent::Created { to, .. }
                if promise.change == PromisedChange::Gain && in_zone(to) =>
            {
                count(to);
            }
            LogEvent::Drew { amount, .. }
                if promise.change == PromisedChange::Gain && amount == promise.amount =>
            {
                return true;
            }
            _ => {}
        }
    }
    total == promise.amount || counts.iter().any(|(_, count)| *count == promise.amount)
}

//! Compares what a script did with what a text promises.

use crate::check::promise::{Meaning, Thing, Way};
use crate::content::{Content, HookId};
use crate::game::log::{Line, What};
use crate::game::zones::ZoneAt;
use crate::game::{Outcome, Scene};

/// Whether a run kept a promise at least once.
pub fn kept(
    content: &Content,
    scene: &Scene,
    outcome: &Outcome,
    hook: HookId,
    promise: &Meaning,
) -> bool {
    let own: Vec<&Line> = outcome
        .lines
        .iter()
        .filter(|line| line.cause.hook == Some(hook))
        .collect();
    promise.things.iter().any(|thing| match thing {
        Thing::Counter(counter) => {
            let changes = own.iter().filter_map(|line| match line.what {
                What::Counter {
                    of,
                    counter: own,
                    from,
                    to,
                } if own == *counter => Some((of, to - from)),
                _ => None,
            });
            let changes: Vec<_> = changes.collect();
            let wanted = if promise.way == Way::To {
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
        Thing::Damage => own.iter().any(|line| match line.what {
            What::Damage { amount, taken, .. } => {
                amount == promise.amount || taken == promise.amount
            }
            _ => false,
        }),
        Thing::Kind(_) | Thing::Zone(_) | Thing::Pieces => {
            pieces(content, scene, &own, *thing, promise)
        }
    })
}

fn pieces(
    content: &Content,
    scene: &Scene,
    lines: &[&Line],
    thing: Thing,
    promise: &Meaning,
) -> bool {
    let state = &scene.state;
    let in_zone = |at: ZoneAt| match thing {
        Thing::Zone(zone) => state
            .zones
            .def(content, at)
            .is_some_and(|(_, own)| own == zone),
        _ => true,
    };
    let of_kind = |piece: crate::content::PieceId| match thing {
        Thing::Kind(kind) => state
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
        match line.what {
            What::Moved {
                piece, from, to, ..
            } if of_kind(piece) => {
                if promise.way == Way::To && in_zone(to) {
                    count(to);
                } else if promise.way == Way::Away && (in_zone(from) || in_zone(to)) {
                    count(from);
                }
            }
            What::Created { to, .. } if promise.way == Way::To && in_zone(to) => count(to),
            What::Drew { amount, .. } if promise.way == Way::To && amount == promise.amount => {
                return true;
            }
            _ => {}
        }
    }
    total == promise.amount || counts.iter().any(|(_, count)| *count == promise.amount)
}

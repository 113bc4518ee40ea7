//! Minimizes a failing snapshot: resets every part of the acting player's state that the fault does
//! not need.

use std::rc::Rc;

use super::snapshots::RecordedSnapshot;
use super::staging::StagedHook;
use crate::agents::RandomPlayer;
use crate::content::{Bound, Content, CounterId, Owner};
use crate::game::zones::ZoneAt;
use crate::game::{Entity, Rules, State};

/// A part of the acting player's state that the fault may not need.
#[derive(Clone, Copy)]
enum RemovablePart {
    /// A counter that differs from its start value, and that value.
    Counter(CounterId, i32),
    /// The pieces in a zone.
    Zone(ZoneAt),
    /// All effects.
    Effects,
}

/// Describes the parts of the state that the fault needs; empty if it needs none of them.
pub fn smallest(
    rules: &Rc<Rules>,
    recorded: &RecordedSnapshot,
    staged: &StagedHook,
    seed_offset: u64,
    seed: u64,
) -> String {
    let content = &rules.content;
    let Some(seat) = staged.call.actor.or(staged.call.owner).map(Entity::Seat) else {
        return String::new();
    };
    let fails = |reset: &[RemovablePart]| {
        let prepare = |state: &mut State| {
            reset
                .iter()
                .for_each(|part| part.reset(content, seat, state));
            staged.apply(state);
            state.seed = state.seed.wrapping_add(seed_offset);
        };
        recorded
            .snapshot
            .run(
                rules,
                &staged.call,
                &prepare,
                Box::new(RandomPlayer::new(seed)),
                true,
            )
            .fault
            .is_some()
    };
    let (mut reset, mut needed) = (Vec::new(), Vec::new());
    for part in parts(content, seat, &recorded.snapshot.state) {
        reset.push(part);
        if !fails(&reset) {
            reset.pop();
            needed.push(part.describe(content, seat, &recorded.snapshot.state));
        }
    }
    if needed.is_empty() {
        String::new()
    } else {
        format!("; it needs {}", needed.join(", "))
    }
}

fn parts(content: &Content, seat: Entity, state: &State) -> Vec<RemovablePart> {
    let counters = (0..content.counters.len())
        .map(CounterId::at)
        .filter_map(|counter| {
            let Bound::Fixed(start) = content.counters[counter.ix()].start else {
                return None;
            };
            State::counter_at(content, seat, counter)?;
            (state.base(content, seat, counter) != start)
                .then_some(RemovablePart::Counter(counter, start))
        });
    let zones = content.zones_of[Owner::Seat]
        .iter()
        .filter_map(|zone| state.zones.at(content, seat, *zone));
    let zones = zones
        .filter(|at| state.zones.count(*at) > 0)
        .map(RemovablePart::Zone);
    let effects = (!state.effects.is_empty()).then_some(RemovablePart::Effects);
    effects.into_iter().chain(counters).chain(zones).collect()
}

impl RemovablePart {
    fn reset(self, content: &Content, seat: Entity, state: &mut State) {
        match self {
            RemovablePart::Counter(counter, start) => {
                if let Some((owner, ix)) = State::counter_at(content, seat, counter) {
                    state.counters[owner][ix] = start;
                }
            }
            RemovablePart::Zone(at) => {
                for piece in state.zones.pieces(at).to_vec() {
                    state
                        .zones
                        .place(crate::content::PieceId(piece), ZoneAt::BOX, usize::MAX);
                }
            }
            RemovablePart::Effects => state.effects.clear(),
        }
    }

    fn describe(self, content: &Content, seat: Entity, state: &State) -> String {
        match self {
            RemovablePart::Counter(counter, _) => {
                format!(
                    "{} {}",
                    content.entry(content.counters[counter.ix()].entry).id,
                    state.base(content, seat, counter)
                )
            }
            RemovablePart::Zone(at) => {
                let pieces = match state.zones.count(at) {
                    1 => "1 piece".to_owned(),
                    count => format!("{count} pieces"),
                };
                let id = state
                    .zones
                    .def(content, at)
                    .map(|(_, zone)| content.entry(content.zones[zone.ix()].entry).id.clone());
                format!("{} with {}", id.unwrap_or_default(), pieces)
            }
            RemovablePart::Effects => format!("{} effects", state.effects.len()),
        }
    }
}

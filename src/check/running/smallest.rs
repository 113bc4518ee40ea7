//! What of a scene it takes for a script to fail: everything else of who acts is put back to how it was at the start.

use std::rc::Rc;

use super::cast::Cast;
use super::scenes::Kept;
use crate::agents::Random;
use crate::content::{Bound, Content, CounterId, Owner};
use crate::game::zones::ZoneAt;
use crate::game::{Entity, Rules, State};

/// Something of who acts that may not matter.
#[derive(Clone, Copy)]
enum Part {
    /// A counter that is not where it started.
    Counter(CounterId, i32),
    /// What lies in a zone.
    Zone(ZoneAt),
    /// What is in force.
    Effects,
}

/// What it takes, in words; whatever can be put back is.
pub fn smallest(rules: &Rc<Rules>, kept: &Kept, cast: &Cast, lots: u64, seed: u64) -> String {
    let content = &rules.content;
    let Some(seat) = cast.call.actor.or(cast.call.owner).map(Entity::Seat) else {
        return String::new();
    };
    let fails = |gone: &[Part]| {
        let prepare = |state: &mut State| {
            gone.iter()
                .for_each(|part| part.put_back(content, seat, state));
            cast.dress(state);
            state.seed = state.seed.wrapping_add(lots);
        };
        kept.scene
            .play(
                rules,
                &cast.call,
                &prepare,
                Box::new(Random::new(seed)),
                true,
            )
            .fault
            .is_some()
    };
    let (mut gone, mut needed) = (Vec::new(), Vec::new());
    for part in parts(content, seat, &kept.scene.state) {
        gone.push(part);
        if !fails(&gone) {
            gone.pop();
            needed.push(part.words(content, seat, &kept.scene.state));
        }
    }
    if needed.is_empty() {
        String::new()
    } else {
        format!("; it takes {}", needed.join(", "))
    }
}

fn parts(content: &Content, seat: Entity, state: &State) -> Vec<Part> {
    let counters = (0..content.counters.len())
        .map(CounterId::at)
        .filter_map(|counter| {
            let Bound::Fixed(start) = content.counters[counter.ix()].start else {
                return None;
            };
            State::counter_at(content, seat, counter)?;
            (state.base(content, seat, counter) != start).then_some(Part::Counter(counter, start))
        });
    let zones = content.zones_of[Owner::Seat]
        .iter()
        .filter_map(|zone| state.zones.at(content, seat, *zone));
    let zones = zones
        .filter(|at| state.zones.count(*at) > 0)
        .map(Part::Zone);
    let effects = (!state.effects.is_empty()).then_some(Part::Effects);
    effects.into_iter().chain(counters).chain(zones).collect()
}

impl Part {
    fn put_back(self, content: &Content, seat: Entity, state: &mut State) {
        match self {
            Part::Counter(counter, start) => {
                if let Some((owner, ix)) = State::counter_at(content, seat, counter) {
                    state.counters[owner][ix] = start;
                }
            }
            Part::Zone(at) => {
                for piece in state.zones.pieces(at).to_vec() {
                    state
                        .zones
                        .place(crate::content::PieceId(piece), ZoneAt::BOX, usize::MAX);
                }
            }
            Part::Effects => state.effects.clear(),
        }
    }

    fn words(self, content: &Content, seat: Entity, state: &State) -> String {
        match self {
            Part::Counter(counter, _) => {
                format!(
                    "{} {}",
                    content.entry(content.counters[counter.ix()].entry).id,
                    state.base(content, seat, counter)
                )
            }
            Part::Zone(at) => {
                let id = state
                    .zones
                    .def(content, at)
                    .map(|(_, zone)| content.entry(content.zones[zone.ix()].entry).id.clone());
                format!("{} of {}", id.unwrap_or_default(), state.zones.count(at))
            }
            Part::Effects => format!("{} effects", state.effects.len()),
        }
    }
}

//! The log as it is told: lines that belong together become one.

use super::cx::Core;
use super::log::{Line, What};
use super::names;
use super::state::Entity;
use super::text::{self, Then};
use super::zones::ZoneAt;
use crate::content::{CounterId, SeatId, SeatSet, SeenBy};

/// Something that is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Its first line in the log.
    pub first: usize,
    /// In words.
    pub text: String,
}

/// What the log says from a line on, to a seat or to someone who sees everything.
#[must_use]
pub fn told(core: &Core, from: usize, to: Option<SeatId>) -> Vec<Told> {
    let all = &core.log.lines;
    let mut list = Vec::new();
    let mut end = None;
    let mut ix = from;
    while ix < all.len() {
        let (count, text) = together(core, &all[ix..], to);
        let told = text.map(|text| Told { first: ix, text });
        // What a script still does after it ended the game is told before that.
        if all[ix].what == What::Over {
            end = told;
        } else {
            list.extend(told);
        }
        ix += count.max(1);
    }
    list.extend(end);
    list
}

/// How many lines belong together, and what they say.
fn together(core: &Core, lines: &[Line], to: Option<SeatId>) -> (usize, Option<String>) {
    let line = &lines[0];
    if text::is_quiet(core, &line.what) || !line.parts.is_empty() {
        return (1, text::line(core, line, to));
    }
    match line.what {
        What::Moved {
            from, to: there, ..
        } => {
            let count = run(
                core,
                lines,
                |what| matches!(what, What::Moved { from: a, to: b, .. } if (*a, *b) == (from, there)),
            );
            let way = Then {
                core,
                line,
                whole: false,
            }
            .way(from, there);
            let hides = core.state.zones.def(core.content(), there);
            let hides = hides
                .is_some_and(|(_, zone)| core.content().zones[zone.ix()].seen_by == SeenBy::Nobody);
            let named = if hides && count > 4 {
                kinds(core, &lines[..count])
            } else {
                titles(core, &lines[..count], to)
            };
            (count, Some(format!("{named}: {way}")))
        }
        What::Drew {
            seat,
            amount,
            wanted,
        } => drew(core, lines, to, (seat, amount, wanted)),
        What::Counter { of, .. } => {
            let count = run(
                core,
                lines,
                |what| matches!(what, What::Counter { of: other, .. } if *other == of),
            );
            (count, counters(core, &lines[..count], to))
        }
        What::Shuffled { .. } => {
            let count = run(core, lines, |what| matches!(what, What::Shuffled { .. }));
            (count, Some(listed(core, &lines[..count], to)))
        }
        What::Looked {
            seats: SeatSet::ALL,
            ..
        } => {
            let count = run(core, lines, |what| {
                matches!(
                    what,
                    What::Looked {
                        seats: SeatSet::ALL,
                        ..
                    }
                )
            });
            (count, Some(listed(core, &lines[..count], to)))
        }
        What::Looked { seats, .. } => {
            let count = run(
                core,
                lines,
                |what| matches!(what, What::Looked { seats: other, .. } if *other == seats),
            );
            (
                count,
                Some(text::looked_at(core, &lines[..count], seats, to)),
            )
        }
        _ => (1, text::line(core, line, to)),
    }
}

/// How many lines from the first on are alike, with nothing to explain.
fn run(core: &Core, lines: &[Line], alike: impl Fn(&What) -> bool) -> usize {
    let same = |line: &&Line| {
        alike(&line.what) && line.parts.is_empty() && !text::is_quiet(core, &line.what)
    };
    lines.iter().take_while(same).count()
}

/// Lines of the same beginning, which is said once.
fn listed(core: &Core, lines: &[Line], to: Option<SeatId>) -> String {
    let mut said = String::new();
    for text in lines.iter().filter_map(|line| text::line(core, line, to)) {
        if said.is_empty() {
            said = text;
        } else {
            let (_, rest) = text.split_once(": ").unwrap_or(("", &text));
            said = format!("{said}, {rest}");
        }
    }
    said
}

/// What the pieces of some lines are called, equal ones with their number.
fn titles(core: &Core, lines: &[Line], to: Option<SeatId>) -> String {
    let title = |line: &Line| match line.what {
        What::Moved { piece, known, .. } => Some(text::piece_title(
            &Then {
                core,
                line,
                whole: false,
            },
            piece,
            known,
            to,
        )),
        _ => None,
    };
    counted(lines.iter().filter_map(title))
}

/// What the pieces of some lines are, where their names do not matter: they go where nobody sees them.
fn kinds(core: &Core, lines: &[Line]) -> String {
    let kind = |line: &Line| match line.what {
        What::Moved { piece, .. } => Some(names::kind_of(core, piece)),
        _ => None,
    };
    counted(lines.iter().filter_map(kind))
}

/// Words in the order in which they first come, with their number where it is not 1.
pub(super) fn counted(words: impl Iterator<Item = String>) -> String {
    let mut list: Vec<(String, usize)> = Vec::new();
    for word in words {
        match list.iter_mut().find(|(other, _)| *other == word) {
            Some((_, count)) => *count += 1,
            None => list.push((word, 1)),
        }
    }
    let named = list.into_iter().map(|(word, count)| {
        if count > 1 {
            format!("{word} ×{count}")
        } else {
            word
        }
    });
    named.collect::<Vec<_>>().join(", ")
}

/// What a seat draws, and what that was, for those who know.
fn drew(
    core: &Core,
    lines: &[Line],
    to: Option<SeatId>,
    (seat, amount, wanted): (SeatId, i64, i64),
) -> (usize, Option<String>) {
    let said = text::drew(&names::seat(core, seat), amount, wanted);
    let Some(way) = lines.get(1).and_then(way) else {
        return (1, Some(said));
    };
    let most = usize::try_from(amount).unwrap_or(0);
    let moved = run(core, &lines[1..], |what| moves(what) == Some(way)).min(most);
    let drawn = &lines[1..=moved];
    let knows = |line: &Line| match line.what {
        What::Moved { known, .. } => to.is_none_or(|to| known.contains(to)),
        _ => false,
    };
    if moved == 0 || !drawn.iter().all(knows) {
        return (1 + moved, Some(said));
    }
    let zone = core
        .state
        .zones
        .def(core.content(), way.1)
        .map(|(_, zone)| core.content().zone_title(zone));
    let zone = zone.map(|title| format!(" to {title}")).unwrap_or_default();
    (
        1 + moved,
        Some(format!("{said}{zone}: {}", titles(core, drawn, to))),
    )
}

const fn moves(what: &What) -> Option<(ZoneAt, ZoneAt)> {
    match what {
        What::Moved { from, to, .. } => Some((*from, *to)),
        _ => None,
    }
}

const fn way(line: &Line) -> Option<(ZoneAt, ZoneAt)> {
    moves(&line.what)
}

/// The counters of one owner: each from what it was to what it became.
fn counters(core: &Core, lines: &[Line], to: Option<SeatId>) -> Option<String> {
    let mut list: Vec<(CounterId, i64, i64)> = Vec::new();
    for line in lines
        .iter()
        .filter(|line| text::line(core, line, to).is_some())
    {
        if let What::Counter {
            counter,
            from,
            to: now,
            ..
        } = line.what
        {
            match list.iter_mut().find(|(other, ..)| *other == counter) {
                Some((_, _, last)) => *last = now,
                None => list.push((counter, from, now)),
            }
        }
    }
    let title = |counter: CounterId| core.content().counter_title(counter);
    let said: Vec<String> = list
        .iter()
        .map(|(counter, was, now)| format!("{} {was} → {now}", title(*counter)))
        .collect();
    let What::Counter { of, .. } = lines.first()?.what else {
        return None;
    };
    let owner = match of {
        Entity::Table => String::new(),
        of => format!(
            "{}: ",
            Then {
                core,
                line: &lines[0],
                whole: false
            }
            .entity(of)
        ),
    };
    (!said.is_empty()).then(|| format!("{owner}{}", said.join(", ")))
}

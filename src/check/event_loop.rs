//! `event-loop`: hooks of events that emit each other, round and round.

use std::collections::{BTreeMap, BTreeSet};

use super::Subject;
use crate::content::{Content, EventId, HookId, Role};
use crate::diagnostic::{Confidence, Diagnostic, Report};

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for (_, opened) in subject.opened {
        let content = &opened.rules.content;
        let emits = emits(content);
        for (&event, causes) in &emits {
            // Told once, at the first event of the round.
            let Some(round) =
                round(&emits, event).filter(|round| round.iter().min() == Some(&event))
            else {
                continue;
            };
            let next = round.get(1).copied().unwrap_or(event);
            let Some((_, hook)) = causes.iter().find(|(to, _)| *to == next) else {
                continue;
            };
            let span = content.hooks[hook.ix()].script.span;
            if !subject.owns(span) {
                continue;
            }
            let names = round
                .iter()
                .chain([&event])
                .map(|event| content.event_name(*event).to_string());
            let names = names.collect::<Vec<_>>().join(" → ");
            Diagnostic::odd(span, "event-loop", format!("events that cause each other: {names}"))
                .label("this emits the next one")
                .help("with several pieces that listen they go round until a step has done too much: emit it only on a condition that ends")
                .confidence(Confidence::Likely)
                .push(report);
        }
    }
}

/// For each event, what its hooks emit whatever happens, and which hook does.
fn emits(content: &Content) -> BTreeMap<EventId, Vec<(EventId, HookId)>> {
    let mut all: BTreeMap<EventId, Vec<(EventId, HookId)>> = BTreeMap::new();
    for (ix, hook) in content.hooks.iter().enumerate() {
        let Role::On(event) = hook.role else { continue };
        // What stands behind a condition may end.
        let text = &hook.script.text;
        let sure = text
            .split("emit(\"")
            .skip(1)
            .zip(text.match_indices("emit(\""))
            .filter(|(_, (at, _))| !text[..*at].contains('{'));
        for (rest, _) in sure {
            let name = rest.split('"').next().unwrap_or_default();
            if let Some(next) = content.symbol(name).event {
                all.entry(event).or_default().push((next, HookId::at(ix)));
            }
        }
    }
    all
}

/// A way from an event back to itself.
fn round(
    emits: &BTreeMap<EventId, Vec<(EventId, HookId)>>,
    start: EventId,
) -> Option<Vec<EventId>> {
    let mut ways = vec![vec![start]];
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop() {
        let last = way.last().copied()?;
        for (next, _) in emits.get(&last).into_iter().flatten() {
            if *next == start {
                return Some(way);
            }
            if seen.insert(*next) {
                ways.push(way.iter().copied().chain([*next]).collect());
            }
        }
    }
    None
}

//! `event-loop`: hooks whose events trigger each other in a cycle.

use std::collections::{BTreeMap, BTreeSet};

use super::CheckSubject;
use crate::content::{Content, EventId, HookId, HookRole};
use crate::diagnostic::{Confidence, Diagnostic, Report};

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for (_, opened) in subject.opened {
        let content = &opened.rules.content;
        let emits = emits(subject, content);
        for (&event, causes) in &emits {
            // Each cycle is reported once, at its first event.
            let Some(cycle) =
                find_cycle(&emits, event).filter(|cycle| cycle.iter().min() == Some(&event))
            else {
                continue;
            };
            let next = cycle.get(1).copied().unwrap_or(event);
            let Some((_, hook)) = causes.iter().find(|(to, _)| *to == next) else {
                continue;
            };
            let span = content.hooks[hook.ix()].script.span;
            if !subject.owns(span) {
                continue;
            }
            let names = cycle
                .iter()
                .chain([&event])
                .map(|event| content.event_name(*event).to_string());
            let names = names.collect::<Vec<_>>().join(" → ");
            Diagnostic::warning(span, "event-loop", format!("events trigger each other: {names}"))
                .label("emits the next event")
                .help("emit it under a condition that becomes false; otherwise the loop runs until the step exceeds the work limit")
                .confidence(Confidence::Likely)
                .push(report);
        }
    }
}

/// For each event, the events that its hooks fire unconditionally, each with the hook.
fn emits(subject: &CheckSubject, content: &Content) -> BTreeMap<EventId, Vec<(EventId, HookId)>> {
    let mut all: BTreeMap<EventId, Vec<(EventId, HookId)>> = BTreeMap::new();
    for (ix, hook) in content.hooks.iter().enumerate() {
        let HookRole::On(event) = hook.role else {
            continue;
        };
        // An event fired inside a block may depend on a condition, so the loop may end.
        let outline = subject.outlines.hook(&hook.script);
        let calls = outline.calls.iter();
        for call in calls.filter(|call| call.always && call.name == "emit") {
            let name = call.text.as_deref().unwrap_or_default();
            if let Some(next) = content.symbol_in(hook.script.by, name).event {
                all.entry(event).or_default().push((next, HookId::at(ix)));
            }
        }
    }
    all
}

/// A cycle from an event back to itself.
fn find_cycle(
    emits: &BTreeMap<EventId, Vec<(EventId, HookId)>>,
    start: EventId,
) -> Option<Vec<EventId>> {
    let mut paths = vec![vec![start]];
    let mut seen = BTreeSet::new();
    while let Some(path) = paths.pop() {
        let last = path.last().copied()?;
        for (next, _) in emits.get(&last).into_iter().flatten() {
            if *next == start {
                return Some(path);
            }
            if seen.insert(*next) {
                paths.push(path.iter().copied().chain([*next]).collect());
            }
        }
    }
    None
}

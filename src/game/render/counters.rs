//! Renders changes of counters as a sentence.
//!
//! A counter without a maximum is a quantity: `Ann gains 2 Coins (now 5)`. A counter with a maximum
//! is a level or a track: `Ann's Skill rises to 3`. Counters of the table have no player, so they
//! always read as levels.

use super::catalogue;
use super::grammar;
use super::names;
use crate::content::CounterId;
use crate::game::context::StepContext;
use crate::game::log::{LogEvent, LogLine};
use crate::game::state::Entity;

#[derive(Clone, Copy)]
pub(crate) struct CounterChange {
    pub counter: CounterId,
    pub from: i64,
    pub to: i64,
}

impl CounterChange {
    /// Adds the change that a log line records; later changes of the same counter extend the first.
    pub(crate) fn collect(changes: &mut Vec<CounterChange>, line: &LogLine) {
        let LogEvent::Counter {
            counter, from, to, ..
        } = line.event
        else {
            return;
        };
        match changes.iter_mut().find(|other| other.counter == counter) {
            Some(change) => change.to = to,
            None => changes.push(CounterChange { counter, from, to }),
        }
    }
}

/// Renders the counter changes of one owner as a sentence. `further` actions of the owner go
/// between quantities and levels. Returns `None` if nothing changed.
pub(crate) fn describe_changes(
    context: &StepContext,
    (of, name): (Entity, &str),
    changes: &[CounterChange],
    further: Vec<String>,
) -> Option<String> {
    let content = context.content();
    let (mut deeds, mut levels) = (Vec::new(), Vec::new());
    for change in changes.iter().filter(|change| change.from != change.to) {
        let rises = change.to > change.from;
        let title = content.counter_title(change.counter);
        let has_max = content.counters[change.counter.ix()].max.is_some();
        if of == Entity::Table || has_max {
            let is_plural = grammar::is_plural(title);
            levels.push(catalogue::log::changes_to(
                title, is_plural, rises, change.to,
            ));
        } else {
            let amount =
                names::counter_amount(content, change.counter, (change.to - change.from).abs());
            deeds.push(if rises {
                catalogue::log::gains(&amount, change.to)
            } else {
                catalogue::log::loses(&amount, change.to)
            });
        }
    }
    deeds.extend(further);
    let levels = levels.join(", ");
    match (deeds.is_empty(), levels.is_empty()) {
        (true, true) => None,
        (true, false) if of == Entity::Table => Some(levels),
        (true, false) => Some(format!("{} {levels}", grammar::possessive(name))),
        (false, true) => Some(format!("{name} {}", grammar::join_and(&deeds))),
        (false, false) => Some(format!("{name} {}, {levels}", grammar::join_and(&deeds))),
    }
}

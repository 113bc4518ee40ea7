//! Renders changes of counters as a sentence.
//!
//! A counter without a maximum is a quantity: `Ann gains 2 Coins (now 5)`. A counter with a maximum
//! is a level or a track: `Ann's Skill rises to 3`. Counters of the table and of places have no
//! player, so they always read as levels: `Coins at the mill rise to 2`. Titles are spelt as in the
//! pack. A flag shows its value: `The baron: spared`.

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
    /// Whether all of it was paid.
    pub paid: bool,
}

impl CounterChange {
    /// Adds the change that a log line records; later changes of the same counter extend the first.
    pub(crate) fn collect(changes: &mut Vec<CounterChange>, line: &LogLine) {
        let LogEvent::Counter {
            counter,
            from,
            to,
            paid,
            ..
        } = line.event
        else {
            return;
        };
        match changes.iter_mut().find(|other| other.counter == counter) {
            Some(change) => {
                change.to = to;
                change.paid &= paid;
            }
            None => changes.push(CounterChange {
                counter,
                from,
                to,
                paid,
            }),
        }
    }
}

/// Renders the counter changes of one owner as a sentence. `further` actions of the owner go
/// between quantities and levels. Returns `None` if nothing changed.
pub(crate) fn describe_changes(
    context: &StepContext,
    (entity, name): (Entity, &str),
    changes: &[CounterChange],
    further: Vec<String>,
) -> Option<String> {
    let content = context.content();
    let has_owner = !matches!(entity, Entity::Table | Entity::Place(_));
    let (mut deeds, mut levels, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    let mut last_verb = None;
    for change in changes.iter().filter(|change| change.from != change.to) {
        let rises = change.to > change.from;
        let title = content.counter_title(change.counter);
        if content.flag(change.counter).is_some() {
            let value = content.counter_text(change.counter, change.to);
            let owner = (entity != Entity::Table).then(|| grammar::possessive(name));
            flags.push(catalogue::log::flag(owner.as_deref(), title, &value));
            continue;
        }
        let has_max = content.counters[change.counter.ix()].max.is_some();
        if !has_owner || has_max {
            let is_plural = grammar::is_plural(title);
            let verb = catalogue::log::change_verb(is_plural, rises);
            levels.push(match entity {
                Entity::Place(_) => {
                    let title = catalogue::name::counter_at(title, name);
                    catalogue::log::changes_to(&title, verb, change.to)
                }
                Entity::Seat(_) | Entity::Piece(_) if !levels.is_empty() => {
                    let of_player = matches!(entity, Entity::Seat(_));
                    let verb = Some(verb).filter(|verb| last_verb != Some(*verb));
                    catalogue::log::also_changes_to(of_player, title, verb, change.to)
                }
                _ => catalogue::log::changes_to(title, verb, change.to),
            });
            last_verb = Some(verb);
        } else {
            let amount =
                names::counter_amount(content, change.counter, (change.to - change.from).abs());
            deeds.push(match (rises, change.paid) {
                (true, _) => catalogue::log::gains(&amount, change.to),
                (false, true) => catalogue::log::pays(&amount, change.to),
                (false, false) => catalogue::log::loses(&amount, change.to),
            });
        }
    }
    deeds.extend(further);
    let levels = match (levels.is_empty(), entity) {
        (true, _) => None,
        (false, Entity::Table | Entity::Place(_)) => {
            Some(grammar::capitalize(&grammar::join_and(&levels)))
        }
        (false, _) => Some(format!(
            "{} {}",
            grammar::possessive(name),
            grammar::join_clauses(&levels)
        )),
    };
    let deeds = (!deeds.is_empty()).then(|| format!("{name} {}", grammar::join_and(&deeds)));
    let sentences: Vec<String> = deeds.into_iter().chain(levels).chain(flags).collect();
    (!sentences.is_empty()).then(|| sentences.join(". "))
}

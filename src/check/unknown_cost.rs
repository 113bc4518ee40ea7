//! `unknown-cost` for options in the tables of an entry, and for counters that nothing can pay. That
//! the names in the cost of an action exist is checked when content is built.

use super::CheckSubject;
use crate::content::{
    Amount, COST_KEYWORDS, Content, CostPart, CounterId, EntryDef, Owner, Symbols,
};
use crate::diagnostic::{Diagnostic, Report, find_misspelling};
use crate::pack::Pack;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let Some(opened) = subject.opened_with(pack) else {
            continue;
        };
        let content = &opened.rules.content;
        unpaid_counters(content, pack, report);
        wrong_alternatives(content, pack, report);
        let by = content.pack_number(&pack.manifest.id);
        for (key, span) in pack.entries().flat_map(|entry| &entry.costs) {
            let known = content.symbol_in(by, key).is_payable();
            if known || key == "discard" || COST_KEYWORDS.contains(&key.as_str()) {
                continue;
            }
            let names = content.symbol_names(Symbols::is_payable);
            Diagnostic::unknown(*span, "unknown-cost", "counter, zone or chain", key)
                .label("in this cost")
                .did_you_mean(find_misspelling(key, names.iter().copied()))
                .help("name a counter, a zone or a chain, as in `cost = { coins = 2 }`")
                .push(report);
        }
    }
}

/// Reports costs in counters that only pieces have, in entries that are no pieces.
fn unpaid_counters(content: &Content, pack: &Pack, report: &mut Report) {
    let by = content.pack_number(&pack.manifest.id);
    for entry in content.entries.iter().filter(|entry| entry.pack == by) {
        if content.kinds[entry.kind.ix()].is_piece {
            continue;
        }
        for counter in costs_of(entry) {
            let def = &content.counters[counter.ix()];
            if def.owners.iter().any(|owner| *owner != Owner::Piece) {
                continue;
            }
            let (counter, title) = (&content.entry(def.entry).id, &entry.id);
            let message = format!("nothing can pay `{counter}` here");
            Diagnostic::error(entry.span, "unknown-cost", message)
                .label(format!(
                    "`{title}` is not a piece, and only pieces have `{counter}`"
                ))
                .help("put the cost on the piece that pays, or pay in `do`: each.counter -= 1")
                .push(report);
        }
    }
}

/// Reports alternatives with the same key, amounts below zero, and counters that `self` cannot pay.
fn wrong_alternatives(content: &Content, pack: &Pack, report: &mut Report) {
    for entry in pack.entries() {
        let Some((field, def)) = entry.field("cost").zip(content.find(&entry.full_name())) else {
            continue;
        };
        let def = content.entry(def);
        let costs = def.action.iter().flat_map(|action| &action.cost);
        let mut keys = Vec::new();
        for alternative in costs {
            let (Some(own), title) = (&alternative.id, &entry.id) else {
                continue;
            };
            if keys.contains(&own) {
                let message = format!("two ways to pay for `{title}` have the id `{own}`");
                Diagnostic::error(field.span, "duplicate-id", message)
                    .label("in this cost")
                    .help("change one of the two ids")
                    .push(report);
            }
            keys.push(own);
        }
        let parts = def.action.iter().flat_map(|action| &action.cost);
        for part in parts.flat_map(|alternative| &alternative.parts) {
            if let Amount::Fixed(amount @ ..0) = part.amount() {
                let message = format!("a cost of {amount}");
                Diagnostic::error(field.span, "out-of-range", message)
                    .label("costs are 0 or more")
                    .help("to give something, write it in `do`: actor.counter += 2")
                    .push(report);
            }
            if let CostPart::Counter {
                counter, own: true, ..
            } = part
                && !content.counters[counter.ix()]
                    .owners
                    .contains(&Owner::Piece)
            {
                let id = &content.entry(content.counters[counter.ix()].entry).id;
                let message = format!("nothing can pay `{id}` here");
                Diagnostic::error(field.span, "unknown-cost", message)
                    .label("`self` is a piece, and pieces have no such counter")
                    .help(format!("leave out `self`: write {{ {id} = 1 }}"))
                    .push(report);
            }
        }
    }
}

fn costs_of(entry: &EntryDef) -> impl Iterator<Item = CounterId> {
    let costs = entry.action.iter().flat_map(|action| &action.cost);
    let parts = costs.flat_map(|alternative| &alternative.parts);
    parts.filter_map(|part| match part {
        CostPart::Counter { counter, .. } => Some(*counter),
        _ => None,
    })
}

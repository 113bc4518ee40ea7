//! `unknown-cost` for options in the tables of an entry, and for counters that nothing can pay. That
//! the names in the cost of an action exist is checked when content is built.

use super::CheckSubject;
use crate::content::{COST_KEYWORDS, Content, CostPart, CounterId, EntryDef, Owner, Symbols};
use crate::diagnostic::{Diagnostic, Report, find_misspelling};
use crate::pack::Pack;

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let Some(opened) = subject.opened_with(pack) else {
            continue;
        };
        let content = &opened.rules.content;
        unpaid_counters(content, pack, report);
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

fn costs_of(entry: &EntryDef) -> impl Iterator<Item = CounterId> {
    let costs = entry.action.iter().flat_map(|action| &action.cost);
    let parts = costs.flat_map(|alternative| &alternative.parts);
    parts.filter_map(|part| match part {
        CostPart::Counter { counter, .. } => Some(*counter),
        _ => None,
    })
}

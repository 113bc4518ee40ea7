//! `unknown-cost` for options in the tables of an entry. The cost of an action is checked when
//! content is built.

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report, find_misspelling};

/// Keys of a cost that are not names.
const KEYWORDS: &[&str] = &["from", "where", "discard"];

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let Some(opened) = subject.opened_with(pack) else {
            continue;
        };
        let content = &opened.rules.content;
        for (key, span) in pack.entries().flat_map(|entry| &entry.costs) {
            let symbols = content.symbol(key);
            let known =
                symbols.counter.is_some() || symbols.zone.is_some() || symbols.chain.is_some();
            if known || KEYWORDS.contains(&key.as_str()) {
                continue;
            }
            let names = content.symbol_names(|own| {
                own.counter.is_some() || own.zone.is_some() || own.chain.is_some()
            });
            Diagnostic::unknown(*span, "unknown-cost", "counter, zone or chain", key)
                .label("in this cost")
                .did_you_mean(find_misspelling(key, names.iter().copied()))
                .help("name a counter, a zone or a chain, as in `cost = { coins = 2 }`")
                .push(report);
        }
    }
}

//! `unknown-carry`: a campaign carries over something that is no counter, flag or zone.

use super::CheckSubject;
use crate::diagnostic::{Diagnostic, Report, find_misspelling};
use crate::pack::{Entry, Pack};

/// Reports a condition of the first scenario: it is always played.
fn first_condition(campaign: &Entry, report: &mut Report) {
    let first = campaign.list("scenario").first();
    if let Some(when) = first.and_then(|row| row.get("when")?.as_script()) {
        Diagnostic::warning(
            when.span,
            "bad-condition",
            "the first scenario has a condition",
        )
        .label("never asked: a campaign begins with this scenario")
        .help("remove `when`, or move the scenario down")
        .push(report);
    }
}

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let is_carried = |entry: &&Entry| matches!(&*entry.kind, "counter" | "flag" | "zone");
        let all = subject.related(pack).flat_map(Pack::entries);
        let known: Vec<&str> = all.filter(is_carried).map(|entry| &*entry.id).collect();
        for campaign in pack.entries().filter(|entry| entry.kind == "campaign") {
            first_condition(campaign, report);
            let Some(field) = campaign.field("carry") else {
                continue;
            };
            let names = campaign
                .list("carry")
                .iter()
                .filter_map(|name| name.as_text());
            for name in names {
                let id = name.rsplit(':').next().unwrap_or(name);
                if known.contains(&id) {
                    continue;
                }
                let span = subject.word_at(field.span, name);
                Diagnostic::unknown(span, "unknown-carry", "counter, flag or zone", name)
                    .label("carried to the next game")
                    .did_you_mean(find_misspelling(name, known.iter().copied()))
                    .help("name a counter, a flag or a zone of seats or of the table")
                    .push(report);
            }
        }
    }
}

//! `unused-entry`: nothing leads to it: no deck, no script, no other entry.

use std::collections::BTreeMap;

use super::Subject;
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::{Entry, Is};

/// Kinds of the engine whose entries work without being named.
const ACTING: &[&str] =
    &["mode", "option", "rule", "action", "place", "panel", "worth", "invariant", "route", "grid", "event", "query"];

pub(super) fn check(subject: &Subject, report: &mut Report) {
    let words = Words::of(subject);
    for entry in subject.packs.iter().flat_map(|pack| &pack.entries) {
        if acts(subject, entry) || words.name(entry) {
            continue;
        }
        Diagnostic::odd(entry.span, "unused-entry", format!("nothing uses the {} `{}`", entry.kind, entry.id))
            .label("never named anywhere")
            .help(help(entry))
            .confidence(Confidence::Likely)
            .push(report);
    }
}

fn help(entry: &Entry) -> String {
    match entry.kind.as_str() {
        "phase" => "name it in the `turn` of a mode, in a sequence or in a fight".to_owned(),
        "counter" | "zone" => format!("scripts would say `actor.{}`; take it out if nothing needs it", entry.id),
        kind => format!("let a script bring it into play, as in `create_all(\"{kind}\", …)`, or take it out"),
    }
}

/// Whether an entry works by being there: rules, places, clauses of a rulebook.
fn acts(subject: &Subject, entry: &Entry) -> bool {
    let mut kinds = subject.shelf.set.packs.iter().flat_map(|pack| &pack.kinds);
    let is = kinds.find(|kind| kind.id == entry.kind).map(|kind| kind.is);
    let speaks = ["window", "on", "ask", "may"].iter().any(|field| entry.get(field).is_some());
    ACTING.contains(&entry.kind.as_str())
        || entry.text("section").is_some()
        || is == Some(Is::Place)
        || (is == Some(Is::Data) && speaks)
}

/// How often each word stands in the files of all packs, comments apart.
struct Words<'a> {
    count: BTreeMap<&'a str, usize>,
    /// How many entries have an id.
    ids: BTreeMap<&'a str, usize>,
    /// Words in quotation marks inside of scripts.
    quoted: BTreeMap<&'a str, usize>,
}

impl<'a> Words<'a> {
    fn of(subject: &Subject<'a>) -> Words<'a> {
        let mut words = Words { count: BTreeMap::new(), ids: BTreeMap::new(), quoted: BTreeMap::new() };
        for pack in &subject.shelf.set.packs {
            for entry in &pack.entries {
                *words.ids.entry(&entry.id).or_default() += 1;
            }
            for file in subject.files(pack) {
                words.read(subject.shelf.set.files.text(file));
            }
        }
        words
    }

    fn read(&mut self, text: &'a str) {
        for line in text.lines() {
            let line = line.trim_start();
            if line.starts_with('#') || line.starts_with("//") {
                continue;
            }
            // An id may have dashes, and a dash may be a minus.
            for word in line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')) {
                *self.count.entry(word).or_default() += 1;
                if word.contains('-') {
                    word.split('-').for_each(|part| *self.count.entry(part).or_default() += 1);
                }
            }
            for call in ["create_all(\"", "entries(\"", "cards_of(\""] {
                for (at, _) in line.match_indices(call) {
                    let rest = &line[at + call.len()..];
                    let kind = rest.split('"').next().unwrap_or_default();
                    *self.quoted.entry(kind).or_default() += 1;
                }
            }
        }
    }

    /// Whether something names an entry, or a script takes all of its kind.
    fn name(&self, entry: &Entry) -> bool {
        let count = |word: &str| self.count.get(word).copied().unwrap_or(0);
        let defined = self.ids.get(entry.id.as_str()).copied().unwrap_or(0);
        // Behind a dot, dashes are underscores.
        let dotted = entry.id.contains('-') && count(&entry.id.replace('-', "_")) > 0;
        count(&entry.id) > defined || dotted || self.quoted.contains_key(entry.kind.as_str()) || self.made_up(&entry.id)
    }

    /// Whether a script may put an id together, as in `stack_${level}`.
    fn made_up(&self, id: &str) -> bool {
        let joint = |c: char| c == '_' || c == '-';
        let parts = id.char_indices().filter(|(at, c)| joint(*c) && *at > 0).map(|(at, _)| at);
        let mut parts = parts.flat_map(|at| [&id[..=at], &id[at..]]);
        parts.any(|part| self.count.contains_key(part))
    }
}

//! `unused-entry`: nothing leads to it: no deck, no script, no other entry.

use ahash::AHashSet;

use super::Subject;
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::{Entry, Is, Pack, Value};

/// Kinds of the engine whose entries work without being named.
const ACTING: &[&str] = &[
    "mode",
    "option",
    "rule",
    "action",
    "place",
    "panel",
    "evaluation",
    "start",
    "invariant",
    "route",
    "grid",
    "event",
    "query",
];

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for pack in &subject.packs {
        let declared = declared(subject, pack);
        let words = Words::of(subject, pack, &declared);
        for entry in pack
            .entries()
            .filter(|entry| !acts(subject, entry) && !words.name(entry))
        {
            Diagnostic::odd(
                entry.span,
                "unused-entry",
                format!("nothing uses the {} `{}`", entry.kind, entry.id),
            )
            .label("never named anywhere")
            .help(help(entry))
            .confidence(Confidence::Likely)
            .push(report);
        }
    }
}

fn help(entry: &Entry) -> String {
    match entry.kind.as_str() {
        "phase" => "name it in the `turn` of a mode, in a sequence or in a fight".to_owned(),
        "counter" | "zone" => format!(
            "scripts would say `actor.{}`; take it out if nothing needs it",
            entry.id
        ),
        kind => format!(
            "let a script bring it into play, as in `create_all(\"{kind}\", …)`, or take it out"
        ),
    }
}

/// Whether an entry works by being there: rules, places, clauses of a rulebook.
fn acts(subject: &Subject, entry: &Entry) -> bool {
    let mut kinds = subject.shelf.set.packs.iter().flat_map(|pack| &pack.kinds);
    let is = kinds.find(|kind| kind.id == entry.kind).map(|kind| kind.is);
    let speaks = ["window", "on", "answer", "offer"]
        .iter()
        .any(|field| entry.get(field).is_some());
    ACTING.contains(&entry.kind.as_str())
        || (entry.kind == "statistic" && entry.get("value").is_some())
        || entry.text("section").is_some()
        || is == Some(Is::Place)
        || (is == Some(Is::Data) && speaks)
}

/// The words by which a pack, those it builds on and those that build on it name things.
#[derive(Default)]
struct Words<'a> {
    /// Words of scripts, references, lists of ids and holes of texts.
    named: AHashSet<&'a str>,
    /// Words in quotation marks inside of scripts.
    quoted: AHashSet<&'a str>,
}

/// Whatever stands in a kind or a patch.
fn declared<'a>(subject: &Subject<'a>, pack: &'a Pack) -> String {
    subject
        .related(pack)
        .map(|other| format!("{:?} {:?}\n", other.kinds, other.patches))
        .collect()
}

impl<'a> Words<'a> {
    fn of(subject: &Subject<'a>, pack: &'a Pack, declared: &'a str) -> Words<'a> {
        let mut words = Words::default();
        for other in subject.related(pack) {
            other
                .entries()
                .flat_map(|entry| &entry.fields)
                .for_each(|field| words.value(&field.value));
            other
                .libraries
                .iter()
                .for_each(|file| words.script(subject.shelf.set.files.text(*file)));
        }
        words.script(declared);
        words
    }

    fn value(&mut self, value: &'a Value) {
        match value {
            Value::Script(script) => self.script(&script.text),
            Value::Name(name) => self.plain(&name.text),
            // A text is no mention, but what it reads is.
            Value::Text(text) if text.contains(' ') => {
                text.split('{')
                    .skip(1)
                    .filter_map(|hole| hole.split('}').next())
                    .for_each(|hole| self.plain(hole));
            }
            Value::Text(text) => self.plain(text),
            Value::List(list) => list.iter().for_each(|value| self.value(value)),
            Value::Table(rows) => rows.iter().for_each(|(key, value)| {
                self.plain(key);
                self.value(value);
            }),
            Value::Int(_) | Value::Bool(_) | Value::Ref(_) => {}
        }
    }

    fn script(&mut self, text: &'a str) {
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            self.plain(line);
            self.quoted
                .extend(line.split('"').map(|part| part.trim_end_matches('\\')));
        }
    }

    fn plain(&mut self, text: &'a str) {
        // An id may have dashes, and a dash may be a minus.
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')) {
            if word.contains('-') {
                self.named.extend(word.split('-'));
            }
            self.named.insert(word);
        }
    }

    /// Whether something names an entry, or a script takes all of its kind.
    fn name(&self, entry: &Entry) -> bool {
        let has = |word: &str| self.named.contains(word);
        // Behind a dot, dashes are underscores.
        has(&entry.id)
            || has(&entry.id.replace('-', "_"))
            || self.quoted.contains(entry.kind.as_str())
            || self.made_up(&entry.id)
    }

    /// Whether a script may put an id together, as in `stack_${level}`.
    fn made_up(&self, id: &str) -> bool {
        let joints = id
            .char_indices()
            .filter(|(at, c)| matches!(c, '_' | '-') && *at > 0)
            .map(|(at, _)| at);
        let mut parts = joints.flat_map(|at| [&id[..=at], &id[at..]]);
        parts.any(|part| self.named.contains(part))
    }
}

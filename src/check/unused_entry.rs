//! `unused-entry`: an entry that no deck, script or other entry refers to.

use std::rc::Rc;

use ahash::AHashSet;

use super::CheckSubject;
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::{Entry, EntryNature, FieldValue, Pack};
use crate::script::ScriptOutline;

/// The engine's kinds whose entries are used without a reference.
const ACTIVE: &[&str] = &[
    "mode",
    "option",
    "rule",
    "campaign",
    "action",
    "place",
    "panel",
    "evaluation",
    "start",
    "invariant",
    "template",
    "route",
    "grid",
    "event",
    "query",
];

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let declared = declared(subject, pack);
        let outlines: Vec<Rc<ScriptOutline>> = subject
            .related(pack)
            .flat_map(|other| subject.outlines.pack(subject.library, other))
            .collect();
        let words = MentionedNames::collect(subject, pack, &declared, &outlines);
        for entry in pack
            .entries()
            .filter(|entry| !is_active(subject, entry) && !words.mention(entry))
        {
            Diagnostic::warning(
                entry.span,
                "unused-entry",
                format!("unused {} `{}`", entry.kind, entry.id),
            )
            .label("nothing refers to it")
            .help(help(entry))
            .confidence(Confidence::Likely)
            .push(report);
        }
    }
}

fn help(entry: &Entry) -> String {
    match entry.kind.as_str() {
        "phase" => "add it to the `turn` of a mode, a sequence or a fight".to_owned(),
        "counter" | "zone" => format!(
            "scripts refer to it as `actor.{}`; remove it if nothing needs it",
            entry.id
        ),
        "action" => {
            "it is in no menu: add `window`, with the id of the phase in whose menu it belongs"
                .to_owned()
        }
        "flag" => format!(
            "scripts read and set it as `table.{}`; remove it if nothing needs it",
            entry.id.replace('-', "_")
        ),
        kind => format!(
            "bring it into play with a script, as in `create_all(\"{kind}\", …)`, or remove it"
        ),
    }
}

/// Whether an entry is used without a reference, such as a rule, a place or a clause of a rulebook.
fn is_active(subject: &CheckSubject, entry: &Entry) -> bool {
    let mut kinds = subject
        .library
        .set
        .packs
        .iter()
        .flat_map(|pack| &pack.kinds);
    let is = kinds.find(|kind| kind.id == entry.kind).map(|kind| kind.is);
    let has_hooks = ["window", "on", "answer", "offer"]
        .iter()
        .any(|field| entry.get(field).is_some());
    // An action without a window is in no menu; only a script can perform it.
    let is_performed = entry.kind == "action" && entry.get("window").is_none();
    ACTIVE.contains(&entry.kind.as_str()) && !is_performed
        || (entry.kind == "statistic" && entry.get("value").is_some())
        || entry.text("section").is_some()
        || is == Some(EntryNature::Place)
        || (is == Some(EntryNature::Data) && has_hooks)
}

/// Every word with which a pack or a related pack could refer to an entry.
#[derive(Default)]
struct MentionedNames<'a> {
    /// Words in scripts, references, lists of ids and placeholders of texts.
    named: AHashSet<&'a str>,
    /// Quoted strings in scripts.
    quoted: AHashSet<&'a str>,
}

/// The kinds and patches of all related packs, as text.
fn declared<'a>(subject: &CheckSubject<'a>, pack: &'a Pack) -> String {
    subject
        .related(pack)
        .map(|other| format!("{:?} {:?}\n", other.kinds, other.patches))
        .collect()
}

impl<'a> MentionedNames<'a> {
    fn collect(
        subject: &CheckSubject<'a>,
        pack: &'a Pack,
        declared: &'a str,
        outlines: &'a [Rc<ScriptOutline>],
    ) -> MentionedNames<'a> {
        let mut words = MentionedNames::default();
        for other in subject.related(pack) {
            other
                .entries()
                .flat_map(|entry| &entry.fields)
                .for_each(|field| words.value(&field.value));
        }
        outlines.iter().for_each(|outline| words.script(outline));
        words.plain(declared);
        words.quoted.extend(declared.split('"'));
        words
    }

    fn value(&mut self, value: &'a FieldValue) {
        match value {
            FieldValue::Name(name) => self.plain(&name.text),
            // The words of a sentence are not references, but its placeholders are.
            FieldValue::Text(text) if text.contains(' ') => {
                text.split('{')
                    .skip(1)
                    .filter_map(|placeholder| placeholder.split('}').next())
                    .for_each(|placeholder| self.plain(placeholder));
            }
            FieldValue::Text(text) => self.plain(text),
            FieldValue::List(list) => list.iter().for_each(|value| self.value(value)),
            FieldValue::Table(rows) => rows.iter().for_each(|(key, value)| {
                self.plain(key);
                self.value(value);
            }),
            FieldValue::Script(_)
            | FieldValue::Int(_)
            | FieldValue::Bool(_)
            | FieldValue::Ref(_) => {}
        }
    }

    fn script(&mut self, outline: &'a ScriptOutline) {
        self.named.extend(outline.names.iter().map(|name| &**name));
        for text in &outline.texts {
            self.plain(text);
            self.quoted.insert(text);
        }
    }

    fn plain(&mut self, text: &'a str) {
        // A dash may be part of an id, or a minus.
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')) {
            if word.contains('-') {
                self.named.extend(word.split('-'));
            }
            self.named.insert(word);
        }
    }

    /// Whether something refers to an entry, or a script uses all entries of its kind.
    fn mention(&self, entry: &Entry) -> bool {
        let has = |word: &str| self.named.contains(word);
        // After a dot, scripts write underscores for dashes.
        has(&entry.id)
            || has(&entry.id.replace('-', "_"))
            || self.quoted.contains(entry.kind.as_str())
            || self.may_be_assembled(&entry.id)
    }

    /// Whether a script may build the id from parts, as in `stack_${level}`.
    fn may_be_assembled(&self, id: &str) -> bool {
        let joints = id
            .char_indices()
            .filter(|(at, c)| matches!(c, '_' | '-') && *at > 0)
            .map(|(at, _)| at);
        let mut parts = joints.flat_map(|at| [&id[..=at], &id[at..]]);
        parts.any(|part| self.named.contains(part))
    }
}

//! Promises: marked phrases such as `{gain 2 coins}` in a text, interpreted so that they can be
//! compared with what scripts do.

use super::CheckSubject;
use crate::content::{Content, CounterId, EntryId, KindId, ZoneId};
use crate::diagnostic::{Diagnostic, Report, nearest};
use crate::pack::{CheckedText, Entry, FieldValue, Promise, Template};

/// Whether a promise adds or removes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PromisedChange {
    Gain,
    Loss,
}

const VERBS: &[(&str, PromisedChange)] = &[
    ("add", PromisedChange::Gain),
    ("deal", PromisedChange::Loss),
    ("discard", PromisedChange::Loss),
    ("draw", PromisedChange::Gain),
    ("drop", PromisedChange::Loss),
    ("earn", PromisedChange::Gain),
    ("find", PromisedChange::Gain),
    ("gain", PromisedChange::Gain),
    ("gains", PromisedChange::Gain),
    ("get", PromisedChange::Gain),
    ("give", PromisedChange::Loss),
    ("heal", PromisedChange::Gain),
    ("lose", PromisedChange::Loss),
    ("loses", PromisedChange::Loss),
    ("lower", PromisedChange::Loss),
    ("pay", PromisedChange::Loss),
    ("raise", PromisedChange::Gain),
    ("receive", PromisedChange::Gain),
    ("remove", PromisedChange::Loss),
    ("return", PromisedChange::Gain),
    ("spend", PromisedChange::Loss),
    ("suffer", PromisedChange::Loss),
    ("take", PromisedChange::Gain),
    ("trash", PromisedChange::Loss),
    ("win", PromisedChange::Gain),
];

/// What a promise adds or removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resource {
    Counter(CounterId),
    /// Pieces of a kind.
    Kind(KindId),
    /// Pieces in a zone.
    Zone(ZoneId),
    /// Any pieces.
    Pieces,
    /// Damage dealt, before anything prevents it.
    Damage,
}

/// A promise, resolved against the content.
pub(super) struct PromiseMeaning {
    pub change: PromisedChange,
    pub resources: Vec<Resource>,
    pub amount: i64,
}

/// Whether an entry has any scripts. Without scripts, its texts cannot be checked.
pub(super) fn has_scripts(entry: &Entry) -> bool {
    let mut found = false;
    entry.fields.iter().for_each(|field| {
        field
            .value
            .each(&mut |value| found |= value.as_script().is_some());
    });
    found
}

pub(super) fn text<'e>(entry: &'e Entry, at: &CheckedText) -> &'e str {
    entry
        .get_path(&at.path)
        .and_then(FieldValue::as_text)
        .unwrap_or_default()
}

/// The promises of a text.
pub(super) fn promises(entry: &Entry, at: &CheckedText) -> Vec<Promise> {
    Template::parse(text(entry, at))
        .0
        .promises()
        .into_iter()
        .cloned()
        .collect()
}

/// Interprets a promise.
///
/// # Errors
/// Returns a message and a similar known word if the verb or the noun is unknown.
pub(super) fn meaning(
    content: &Content,
    known: &NounTable,
    entry: &Entry,
    promise: &Promise,
) -> Result<PromiseMeaning, (String, Option<String>)> {
    let verb = promise.words[0].to_lowercase();
    let Some((_, change)) = VERBS.iter().find(|(known, _)| *known == verb) else {
        let near = nearest(&verb, VERBS.iter().map(|(verb, _)| *verb)).map(str::to_owned);
        return Err((
            format!("`{verb}` is not a verb that promises can use"),
            near,
        ));
    };
    let others = promise
        .words
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(ix, _)| *ix != promise.amount);
    let nouns: Vec<&str> = others.flat_map(|(_, word)| word.split('|')).collect();
    let mut resources: Vec<Resource> = nouns.iter().flat_map(|noun| known.lookup(noun)).collect();
    if nouns.is_empty() {
        resources.push(Resource::Pieces);
    }
    if resources.is_empty() {
        let known = content
            .counters
            .iter()
            .map(|def| &*content.entry(def.entry).id);
        let near = nouns
            .iter()
            .find_map(|noun| nearest(noun, known.clone()))
            .map(str::to_owned);
        return Err((
            format!("“{}” is not a counter, zone or kind", nouns.join(" ")),
            near,
        ));
    }
    let amount = promise
        .number()
        .or_else(|| entry.get_path(promise.field()?)?.as_int());
    Ok(PromiseMeaning {
        change: *change,
        resources,
        amount: amount.unwrap_or(0),
    })
}

/// Nouns for counters, zones and kinds: their ids and titles, in lower case and singular.
pub(super) struct NounTable(Vec<(String, Resource)>);

impl NounTable {
    pub fn new(content: &Content) -> NounTable {
        let mut nouns = vec![
            ("card".to_owned(), Resource::Pieces),
            ("piece".to_owned(), Resource::Pieces),
            ("damage".to_owned(), Resource::Damage),
        ];
        let mut add = |word: &str, thing: Resource| nouns.push((singular(word), thing));
        let names = |entry: EntryId| {
            [
                content.entry(entry).id.clone(),
                content.entry(entry).title.clone(),
            ]
        };
        for (ix, def) in content.counters.iter().enumerate() {
            names(def.entry)
                .iter()
                .for_each(|word| add(word, Resource::Counter(CounterId::at(ix))));
        }
        for (ix, def) in content.zones.iter().enumerate() {
            names(def.entry)
                .iter()
                .for_each(|word| add(word, Resource::Zone(ZoneId::at(ix))));
        }
        for (ix, kind) in content.kinds.iter().enumerate() {
            add(&kind.id, Resource::Kind(KindId::at(ix)));
        }
        NounTable(nouns)
    }

    fn lookup(&self, noun: &str) -> impl Iterator<Item = Resource> {
        let noun = singular(noun);
        self.0
            .iter()
            .filter(move |(word, _)| *word == noun)
            .map(|(_, thing)| *thing)
    }
}

fn singular(word: &str) -> String {
    let word = word.to_lowercase();
    word.strip_suffix('s')
        .map_or_else(|| word.clone(), str::to_owned)
}

/// `unknown-promise`: a phrase in braces that cannot be interpreted.
pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let Some(opened) = subject.opened_with(pack) else {
            continue;
        };
        let nouns = NounTable::new(&opened.rules.content);
        for (entry, at) in pack
            .entries()
            .flat_map(|entry| entry.texts.iter().map(move |at| (entry, at)))
        {
            for promise in promises(entry, at)
                .iter()
                .filter(|promise| promise.words.len() > 1)
            {
                // `{price coins}` is reported as `unknown-template-field`.
                if entry.get(&promise.words[0]).is_some() {
                    continue;
                }
                let Err((message, near)) = meaning(&opened.rules.content, &nouns, entry, promise)
                else {
                    continue;
                };
                Diagnostic::warning(at.part(&subject.library.set.files, text(entry, at), &promise.at), "unknown-promise", message)
                    .label("cannot be checked")
                    .did_you_mean(near.as_deref())
                    .help("write a verb, a number, and a counter, a zone, a kind or cards, as in {gain 2 coins} or {draw 1 card}")
                    .push(report);
            }
        }
    }
}

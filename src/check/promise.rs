//! Promises: marked phrases such as `{gain 2 coins}` in a text, in a form that can be compared with
//! what scripts do.

use super::Subject;
use crate::content::{Content, CounterId, EntryId, KindId, ZoneId};
use crate::diagnostic::{Diagnostic, Report, nearest};
use crate::pack::{Entry, Promise, Template, TextAt, Value};

/// Whether a promise adds or removes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    To,
    Away,
}

const VERBS: &[(&str, Way)] = &[
    ("add", Way::To),
    ("deal", Way::Away),
    ("discard", Way::Away),
    ("draw", Way::To),
    ("drop", Way::Away),
    ("earn", Way::To),
    ("find", Way::To),
    ("gain", Way::To),
    ("gains", Way::To),
    ("get", Way::To),
    ("give", Way::Away),
    ("heal", Way::To),
    ("lose", Way::Away),
    ("loses", Way::Away),
    ("lower", Way::Away),
    ("pay", Way::Away),
    ("raise", Way::To),
    ("receive", Way::To),
    ("remove", Way::Away),
    ("return", Way::To),
    ("spend", Way::Away),
    ("suffer", Way::Away),
    ("take", Way::To),
    ("trash", Way::Away),
    ("win", Way::To),
];

/// What a promise adds or removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
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

/// A promise in the terms of the game's content.
pub(super) struct Meaning {
    pub way: Way,
    pub things: Vec<Thing>,
    pub amount: i64,
}

/// Whether an entry has any script. Without one, its texts cannot contradict it.
pub(super) fn acts(entry: &Entry) -> bool {
    let mut found = false;
    entry.fields.iter().for_each(|field| {
        field
            .value
            .each(&mut |value| found |= value.as_script().is_some());
    });
    found
}

pub(super) fn text<'e>(entry: &'e Entry, at: &TextAt) -> &'e str {
    entry
        .along(&at.path)
        .and_then(Value::as_text)
        .unwrap_or_default()
}

/// The promises of a text.
pub(super) fn of(entry: &Entry, at: &TextAt) -> Vec<Promise> {
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
    known: &Nouns,
    entry: &Entry,
    promise: &Promise,
) -> Result<Meaning, (String, Option<String>)> {
    let verb = promise.words[0].to_lowercase();
    let Some((_, way)) = VERBS.iter().find(|(known, _)| *known == verb) else {
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
    let mut things: Vec<Thing> = nouns.iter().flat_map(|noun| known.mean(noun)).collect();
    if nouns.is_empty() {
        things.push(Thing::Pieces);
    }
    if things.is_empty() {
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
        .or_else(|| entry.along(promise.field()?)?.as_int());
    Ok(Meaning {
        way: *way,
        things,
        amount: amount.unwrap_or(0),
    })
}

/// Nouns for counters, zones and kinds: their ids and titles, in lower case and singular.
pub(super) struct Nouns(Vec<(String, Thing)>);

impl Nouns {
    pub fn of(content: &Content) -> Nouns {
        let mut nouns = vec![
            ("card".to_owned(), Thing::Pieces),
            ("piece".to_owned(), Thing::Pieces),
            ("damage".to_owned(), Thing::Damage),
        ];
        let mut add = |word: &str, thing: Thing| nouns.push((singular(word), thing));
        let names = |entry: EntryId| {
            [
                content.entry(entry).id.clone(),
                content.entry(entry).title.clone(),
            ]
        };
        for (ix, def) in content.counters.iter().enumerate() {
            names(def.entry)
                .iter()
                .for_each(|word| add(word, Thing::Counter(CounterId::at(ix))));
        }
        for (ix, def) in content.zones.iter().enumerate() {
            names(def.entry)
                .iter()
                .for_each(|word| add(word, Thing::Zone(ZoneId::at(ix))));
        }
        for (ix, kind) in content.kinds.iter().enumerate() {
            add(&kind.id, Thing::Kind(KindId::at(ix)));
        }
        Nouns(nouns)
    }

    fn mean(&self, noun: &str) -> impl Iterator<Item = Thing> {
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
pub(super) fn check(subject: &Subject, report: &mut Report) {
    for pack in &subject.packs {
        let Some(opened) = subject.opened_with(pack) else {
            continue;
        };
        let nouns = Nouns::of(&opened.rules.content);
        for (entry, at) in pack
            .entries()
            .flat_map(|entry| entry.texts.iter().map(move |at| (entry, at)))
        {
            for promise in of(entry, at)
                .iter()
                .filter(|promise| promise.words.len() > 1)
            {
                let Err((message, near)) = meaning(&opened.rules.content, &nouns, entry, promise)
                else {
                    continue;
                };
                Diagnostic::odd(at.part(&subject.shelf.set.files, text(entry, at), &promise.at), "unknown-promise", message)
                    .label("cannot be checked")
                    .did_you_mean(near.as_deref())
                    .help("write a verb, a number, and a counter, a zone, a kind or cards, as in {gain 2 coins} or {draw 1 card}")
                    .push(report);
            }
        }
    }
}

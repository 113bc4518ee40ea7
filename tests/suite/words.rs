//! The script reference says what is so: every word has an example that is run, and every event comes when its topic says.
//!
//! All of it happens in the pack `tests/packs/words`. An example in `rhai` is the `do` of an action that Ann chooses in her
//! first turn, or in her turn of a fight if it speaks of one; an example in `toml` is a further file of the pack, and the cases
//! at its end are run. `cargo test words::examples` runs the examples, `cargo test words::examples::draw` those of one word.

mod example;
mod sequences;
mod village;

use std::collections::{BTreeMap, BTreeSet};

use kaer::content::events::{EventSpec, TOPICS, ask, on};
use kaer::script::{EXAMPLE_GAME, Example, Primitive, primitives};

use example::Built;
use libtest_mimic::Trial;
use sequences::{SCENES, Seen, play};
use village::Village;

use crate::support::{trial, trials};

/// A trial for each word with its examples, and others.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![
        every_word_has_an_example_that_shows_something,
        the_game_of_the_examples_runs,
        examples_check_clean,
        events_and_queries_come_in_the_order_that_is_told,
        topics_name_their_events_and_queries_in_the_order_of_the_lists,
        events_and_queries_provide_what_they_say,
        what_is_denied_does_not_happen,
        what_can_be_changed_changes_what_happens,
    ];
    let names: BTreeSet<String> = primitives().into_iter().map(|word| word.name).collect();
    trials.extend(names.into_iter().map(|name| {
        trial(module_path!(), &format!("examples::{name}"), move || {
            examples_do_what_they_say(&name);
        })
    }));
    trials
}

fn every_word_has_an_example_that_shows_something() {
    let mut wrong = Vec::new();
    for word in primitives() {
        let Some(example) = &word.example else {
            wrong.push(format!("{}: there is no example", word.signature));
            continue;
        };
        let shows = match example.language.as_str() {
            "rhai" => example.text.contains(" // is "),
            "toml" => example.text.contains("\n[[case]]\n"),
            _ => false,
        };
        if !shows {
            wrong.push(format!(
                "{}: the example has no `// is` and no `[[case]]`",
                word.signature
            ));
        }
        if !example.text.contains(spoken(&word)) {
            wrong.push(format!(
                "{}: the example does not say `{}`",
                word.signature,
                spoken(&word)
            ));
        }
        if word.text.is_empty() || word.text.contains("```") {
            wrong.push(format!(
                "{}: what it does stands before the example, in a sentence",
                word.signature
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The examples of one word.
fn examples_do_what_they_say(name: &str) {
    let village = Village::read();
    let mut words = primitives();
    words.retain(|word| word.name == name);
    let failed: Vec<String> = words
        .into_iter()
        .filter_map(|word| failure(&village, &word.signature, &word.example?))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn the_game_of_the_examples_runs() {
    let game = Example {
        language: "rhai".to_owned(),
        text: EXAMPLE_GAME.to_owned(),
    };
    assert_eq!(failure(&Village::read(), "the game", &game), None);
}

/// What is wrong with an example, with the word in front.
fn failure(village: &Village, word: &str, example: &Example) -> Option<String> {
    let built = Built::new(example);
    let mut said = village.with(&built.files()).run(&built.cases);
    // What is shown must come of the entries, not of the village.
    if example.language == "toml" && village.with(&[]).run(&built.cases).is_empty() {
        said.push("the case passes without the entries".to_owned());
    }
    (!said.is_empty()).then(|| format!("{word}\n  {}\n{}", said.join("\n  "), example.text))
}

fn examples_check_clean() {
    let village = Village::read();
    let mut said = Vec::new();
    let mut scripts = String::new();
    for (ix, word) in primitives().iter().enumerate() {
        let Some(example) = &word.example else {
            continue;
        };
        let built = Built::new(example);
        if example.language == "rhai" {
            scripts += &built
                .entries
                .replace("\"example\"", &format!("\"example-{ix}\""));
        } else {
            said.extend(village.with(&built.files()).check());
        }
    }
    said.extend(
        village
            .with(&[("examples.toml", &scripts), example::TOLD])
            .check(),
    );
    assert!(said.is_empty(), "{}", said.join("\n"));
}

/// How a word is recognised in a script: by its name, a property by its dot, a look-up by the dot or the bracket before it.
fn spoken(word: &Primitive) -> &str {
    let name = word.name.as_str();
    match name.split_once('.') {
        _ if name.contains("position: number") => "[",
        _ if name.contains('[') => ".",
        // In a text, `${thing}` says it.
        _ if name == "to_string" => "${",
        Some((_, property)) => property,
        None => name,
    }
}

fn events_and_queries_come_in_the_order_that_is_told() {
    let village = Village::read();
    let mut wrong = Vec::new();
    for (sequence, scene) in scenes() {
        let seen = play(&village, scene, &sequence.names().collect::<Vec<_>>(), None);
        let mut met: Vec<String> = Vec::new();
        for Seen { name, .. } in seen {
            if !met.contains(&name) {
                met.push(name);
            }
        }
        if met.join(" ") != sequence.order {
            wrong.push(format!(
                "{}:\n  told {}\n  seen {}",
                sequence.what,
                sequence.order,
                met.join(" ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every sequence with the scene in which it happens.
fn scenes() -> Vec<(
    &'static kaer::content::events::EventSequence,
    &'static sequences::Scene,
)> {
    let sequences: Vec<_> = TOPICS.iter().flat_map(|topic| topic.sequences).collect();
    let whats: BTreeSet<&str> = sequences.iter().map(|sequence| sequence.what).collect();
    let shown: BTreeSet<&str> = SCENES.iter().map(|scene| scene.what).collect();
    assert_eq!(
        whats, shown,
        "tests/suite/words/sequences.rs has a scene for each sequence"
    );
    let scene = |what: &str| SCENES.iter().find(|scene| scene.what == what).unwrap();
    sequences
        .into_iter()
        .map(|sequence| (sequence, scene(sequence.what)))
        .collect()
}

fn natives() -> impl Iterator<Item = &'static EventSpec> {
    on::EVENTS.iter().chain(ask::QUERIES)
}

fn topics_name_their_events_and_queries_in_the_order_of_the_lists() {
    let mut wrong = Vec::new();
    for native in natives() {
        let topic = TOPICS.iter().find(|topic| topic.name == native.topic);
        if !topic.is_some_and(|topic| {
            topic
                .sequences
                .iter()
                .any(|sequence| sequence.names().any(|name| name == native.name))
        }) {
            wrong.push(format!(
                "{}: no sequence of `{}` names it",
                native.name, native.topic
            ));
        }
    }
    for topic in TOPICS {
        for sequence in topic.sequences {
            for list in [on::EVENTS, ask::QUERIES] {
                let place = |name: &str| {
                    list.iter()
                        .position(|native| native.name == name && native.topic == topic.name)
                };
                let places: Vec<usize> = sequence.names().filter_map(place).collect();
                if !places.is_sorted() {
                    wrong.push(format!(
                        "{}: the list has another order than `{}`",
                        topic.name, sequence.what
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn events_and_queries_provide_what_they_say() {
    let village = Village::read();
    let mut given: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (sequence, scene) in scenes() {
        for seen in play(&village, scene, &sequence.names().collect::<Vec<_>>(), None) {
            given.entry(seen.name).or_default().extend(seen.given);
        }
    }
    let mut wrong = Vec::new();
    for native in natives() {
        let found = given.get(native.name).cloned().unwrap_or_default();
        let told: BTreeSet<&str> = native.provides.split_whitespace().collect();
        let lacking: Vec<&str> = told
            .iter()
            .copied()
            .filter(|name| !found.contains(name))
            .collect();
        if !lacking.is_empty() {
            wrong.push(format!(
                "{}: nothing is ever in {}",
                native.name,
                lacking.join(", ")
            ));
        }
        // Where there is an `of`, its seat is there too, and the other way round; one of them is told.
        let same = |a: &&str| {
            sequences::ALIASES
                .iter()
                .any(|names| names.contains(a) && names.iter().any(|b| told.contains(b)))
        };
        let untold: Vec<&str> = found
            .into_iter()
            .filter(|name| *name != "packet" && !same(name))
            .collect();
        if !untold.is_empty() {
            wrong.push(format!(
                "{}: it also has {}",
                native.name,
                untold.join(", ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What does not come when an event is denied, where it is not the `after_` to its `before_`.
const DENIED: &[(&str, &str)] = &[
    ("turn_start", "phase_start"),
    ("phase_start", "phase_end"),
    // A loss of nothing is told all the same.
    ("before_damage", "before_absorb"),
];

fn what_is_denied_does_not_happen() {
    let village = Village::read();
    let mut wrong = Vec::new();
    let mut tried = BTreeSet::new();
    for (sequence, scene) in scenes() {
        let names: Vec<&str> = sequence.names().collect();
        for first in &names {
            let pair = first
                .strip_prefix("before_")
                .map(|what| format!("after_{what}"));
            let other = DENIED
                .iter()
                .find(|(name, _)| name == first)
                .map(|(_, next)| (*next).to_owned());
            let Some(next) = other.or(pair).filter(|next| names.contains(&next.as_str())) else {
                continue;
            };
            tried.insert(*first);
            let seen = play(
                &village,
                scene,
                &names,
                Some((*first, "deny(\"not here\");")),
            );
            assert!(
                seen.iter().any(|seen| seen.name == **first),
                "{first} does not come"
            );
            if seen.iter().any(|seen| seen.name == next) {
                wrong.push(format!(
                    "{}: {next} comes although {first} was denied",
                    sequence.what
                ));
            }
        }
    }
    let all = on::EVENTS
        .iter()
        .map(|native| native.name)
        .filter(|name| name.starts_with("before_"));
    wrong.extend(
        all.filter(|name| !tried.contains(name))
            .map(|name| format!("{name} was not denied")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An amount that a hook may change, by what is told of it, comes to something else.
fn what_can_be_changed_changes_what_happens() {
    let village = Village::read();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for (sequence, scene) in scenes() {
        let names: Vec<&str> = sequence.names().collect();
        let told = on::EVENTS.iter().filter(|native| {
            names.contains(&native.name) && native.text.contains("Hooks can change `amount`")
        });
        for native in told.filter(|native| native.provides.contains("amount")) {
            let Some(after) = native
                .name
                .strip_prefix("before_")
                .map(|what| format!("after_{what}"))
            else {
                continue;
            };
            let amount = |meddler: Option<(&str, &str)>| {
                let seen = play(&village, scene, &names, meddler);
                seen.iter()
                    .find(|seen| seen.name == after)
                    .map_or(0, |seen| seen.amount)
            };
            let (usual, other) = (
                amount(None),
                amount(Some((native.name, "event.amount += 1;"))),
            );
            tried += usize::from(usual != 0);
            if usual != 0 && other == usual {
                wrong.push(format!(
                    "{}: {after} has {usual} all the same",
                    sequence.what
                ));
            }
        }
    }
    assert!(
        wrong.is_empty() && tried > 3,
        "{tried} tried:\n{}",
        wrong.join("\n")
    );
}

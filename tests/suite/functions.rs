//! The script reference is correct: every primitive has an example that runs, and events fire in
//! the documented order.
//!
//! Everything runs in the pack `tests/packs/words`. A `rhai` example is the `do` script of an
//! action that Ann takes in her first turn, or in her turn of a fight if the example uses one. A
//! `toml` example is an additional file of the pack, and the cases at its end are run.
//!
//! `cargo test -- functions::examples` runs all examples, `cargo test -- functions::examples::draw` those
//! of one primitive.

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

/// A trial for the examples of each primitive, and others.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![
        every_primitive_has_an_example_with_a_result,
        the_example_game_runs,
        examples_check_clean,
        events_and_queries_fire_in_the_documented_order,
        topics_list_events_and_queries_in_order,
        events_and_queries_provide_the_documented_fields,
        denied_events_do_not_happen,
        changed_amounts_take_effect,
    ];
    let names: BTreeSet<String> = primitives()
        .into_iter()
        .map(|primitive| primitive.name)
        .collect();
    trials.extend(names.into_iter().map(|name| {
        trial(module_path!(), &format!("examples::{name}"), move || {
            examples_give_the_documented_results(&name);
        })
    }));
    trials
}

fn every_primitive_has_an_example_with_a_result() {
    let mut wrong = Vec::new();
    for primitive in primitives() {
        let Some(example) = &primitive.example else {
            wrong.push(format!("{}: no example", primitive.signature));
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
                primitive.signature
            ));
        }
        if !example.text.contains(usage_of(&primitive)) {
            wrong.push(format!(
                "{}: the example does not use `{}`",
                primitive.signature,
                usage_of(&primitive)
            ));
        }
        if primitive.text.is_empty() || primitive.text.contains("```") {
            wrong.push(format!(
                "{}: the description must be a sentence before the example",
                primitive.signature
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs the examples of one primitive.
fn examples_give_the_documented_results(name: &str) {
    let village = Village::read();
    let mut overloads = primitives();
    overloads.retain(|primitive| primitive.name == name);
    let failed: Vec<String> = overloads
        .into_iter()
        .filter_map(|primitive| failure(&village, &primitive.signature, &primitive.example?))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn the_example_game_runs() {
    let game = Example {
        language: "rhai".to_owned(),
        text: EXAMPLE_GAME.to_owned(),
    };
    assert_eq!(failure(&Village::read(), "the game", &game), None);
}

/// What is wrong with an example, after the name of its primitive.
fn failure(village: &Village, primitive: &str, example: &Example) -> Option<String> {
    let built = Built::new(example);
    let mut problems = village.with(&built.files()).run(&built.cases);
    // The case must depend on the entries, not only on the village.
    if example.language == "toml" && village.with(&[]).run(&built.cases).is_empty() {
        problems.push("the case passes without the entries".to_owned());
    }
    (!problems.is_empty())
        .then(|| format!("{primitive}\n  {}\n{}", problems.join("\n  "), example.text))
}

fn examples_check_clean() {
    let village = Village::read();
    let mut problems = Vec::new();
    let mut scripts = String::new();
    for (ix, primitive) in primitives().iter().enumerate() {
        let Some(example) = &primitive.example else {
            continue;
        };
        let built = Built::new(example);
        if example.language == "rhai" {
            scripts += &built
                .entries
                .replace("\"example\"", &format!("\"example-{ix}\""));
        } else {
            problems.extend(village.with(&built.files()).check());
        }
    }
    problems.extend(
        village
            .with(&[("examples.toml", &scripts), example::EXPECT_VALUE])
            .check(),
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The text by which to recognize a primitive in a script: its name, the part after the dot of a
/// property, the dot or bracket of a lookup.
fn usage_of(primitive: &Primitive) -> &str {
    let name = primitive.name.as_str();
    match name.split_once('.') {
        _ if name.contains("position: number") => "[",
        _ if name.contains(" in ") => " in ",
        _ if name.contains('[') => ".",
        // String interpolation calls it.
        _ if name == "to_string" => "${",
        Some((_, property)) => property,
        None => name,
    }
}

fn events_and_queries_fire_in_the_documented_order() {
    let village = Village::read();
    let mut wrong = Vec::new();
    for (sequence, scene) in scenes() {
        let seen = play(&village, scene, &sequence.names().collect::<Vec<_>>(), None);
        let mut order: Vec<String> = Vec::new();
        for Seen { name, .. } in seen {
            if !order.contains(&name) {
                order.push(name);
            }
        }
        if order.join(" ") != sequence.order {
            wrong.push(format!(
                "{}:\n  documented {}\n  actual {}",
                sequence.what,
                sequence.order,
                order.join(" ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every sequence with the scene that triggers it.
fn scenes() -> Vec<(
    &'static kaer::content::events::EventSequence,
    &'static sequences::Scene,
)> {
    let sequences: Vec<_> = TOPICS.iter().flat_map(|topic| topic.sequences).collect();
    let whats: BTreeSet<&str> = sequences.iter().map(|sequence| sequence.what).collect();
    let shown: BTreeSet<&str> = SCENES.iter().map(|scene| scene.what).collect();
    assert_eq!(
        whats, shown,
        "tests/suite/functions/sequences.rs must have a scene for each sequence"
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

fn topics_list_events_and_queries_in_order() {
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
                        "{}: the list has a different order than `{}`",
                        topic.name, sequence.what
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn events_and_queries_provide_the_documented_fields() {
    let village = Village::read();
    let mut provided: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (sequence, scene) in scenes() {
        for seen in play(&village, scene, &sequence.names().collect::<Vec<_>>(), None) {
            provided.entry(seen.name).or_default().extend(seen.fields);
        }
    }
    let mut wrong = Vec::new();
    for native in natives() {
        let found = provided.get(native.name).cloned().unwrap_or_default();
        let documented: BTreeSet<&str> = native.provides.split_whitespace().collect();
        let missing: Vec<&str> = documented
            .iter()
            .copied()
            .filter(|name| !found.contains(name))
            .collect();
        if !missing.is_empty() {
            wrong.push(format!(
                "{}: never provides {}",
                native.name,
                missing.join(", ")
            ));
        }
        // An alias counts as documented if one of its names is.
        let same = |a: &&str| {
            sequences::ALIASES
                .iter()
                .any(|names| names.contains(a) && names.iter().any(|b| documented.contains(b)))
        };
        let undocumented: Vec<&str> = found
            .into_iter()
            .filter(|name| *name != "packet" && !same(name))
            .collect();
        if !undocumented.is_empty() {
            wrong.push(format!(
                "{}: also provides {}",
                native.name,
                undocumented.join(", ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The event that must not fire when another is denied, unless they are a `before_` and its
/// `after_`.
const DENIED: &[(&str, &str)] = &[
    ("turn_start", "phase_start"),
    ("phase_start", "phase_end"),
    // A loss of nothing still fires its events.
    ("before_damage", "before_absorb"),
];

fn denied_events_do_not_happen() {
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
                "{first} does not fire"
            );
            if seen.iter().any(|seen| seen.name == next) {
                wrong.push(format!(
                    "{}: {next} fires although {first} was denied",
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
            .map(|name| format!("{name} was never denied")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// If the documentation says that hooks can change `amount`, doing so changes the outcome.
fn changed_amounts_take_effect() {
    let village = Village::read();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for (sequence, scene) in scenes() {
        let names: Vec<&str> = sequence.names().collect();
        let changeable = on::EVENTS.iter().filter(|native| {
            names.contains(&native.name) && native.text.contains("Hooks can change `amount`")
        });
        for native in changeable.filter(|native| native.provides.contains("amount")) {
            let Some(after) = native
                .name
                .strip_prefix("before_")
                .map(|what| format!("after_{what}"))
            else {
                continue;
            };
            let amount = |intervention: Option<(&str, &str)>| {
                let seen = play(&village, scene, &names, intervention);
                seen.iter()
                    .find(|seen| seen.name == after)
                    .map_or(0, |seen| seen.amount)
            };
            let (original, changed) = (
                amount(None),
                amount(Some((native.name, "event.amount += 1;"))),
            );
            tried += usize::from(original != 0);
            if original != 0 && changed == original {
                wrong.push(format!("{}: {after} still has {original}", sequence.what));
            }
        }
    }
    assert!(
        wrong.is_empty() && tried > 3,
        "{tried} tried:\n{}",
        wrong.join("\n")
    );
}

//! Scenes that trigger the documented sequences, and a runner that records their events and
//! queries.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use kaer::content::{HookId, HookRole, events};
use kaer::game::Event;
use kaer::game::{Cx, Game, HookRunner, Question, Rules, Setup, StepResult};
use kaer::value::Value;

use super::example;
use super::village::Village;

/// A scene that triggers a sequence.
pub struct Scene {
    /// The name of the sequence.
    pub what: &'static str,
    /// The setup script.
    pub setup: &'static str,
    /// The keys of the answers.
    pub moves: &'static [&'static str],
    /// The script of the action `example`.
    pub script: &'static str,
    /// Whether to record the whole game and not only that action.
    pub whole: bool,
}

const fn plain(what: &'static str, script: &'static str) -> Scene {
    Scene {
        what,
        setup: "",
        moves: &["example"],
        script,
        whole: false,
    }
}

const fn in_fight(what: &'static str, script: &'static str) -> Scene {
    Scene {
        setup: "throw_flowers(seat(1), seat(2));",
        ..plain(what, script)
    }
}

/// A scene for each sequence of the topics.
pub const SCENES: &[Scene] = &[
    Scene {
        moves: &["example", "done", "done", "example"],
        whole: true,
        ..plain("a game", "if round() == 2 { end_game(#{}); }")
    },
    Scene {
        setup: "seat(1).hand.find(\"daisy\").move_to(seat(1).bed);",
        moves: &["daisy"],
        whole: true,
        ..plain("an action is offered and chosen", "")
    },
    Scene {
        moves: &["done"],
        whole: true,
        ..plain("a menu is left", "")
    },
    plain("a counter changes", "actor.coins += 2;"),
    plain("a mark is set", "actor.mark(\"muddy\");"),
    plain("a cost is paid", "actor.pay(#{ coins: 1 });"),
    plain("a piece comes into play", "create(\"lily\", actor.bed);"),
    plain("a piece moves", "piece(\"rose\").move_to(actor.bed);"),
    plain("a draw", "actor.draw(1);"),
    Scene {
        setup: "seat(1).deck.pieces().move_to(seat(1).compost);",
        ..plain("a draw from an empty zone", "actor.draw(1);")
    },
    plain("a shuffle", "actor.deck.shuffle();"),
    plain("a piece turns over", "piece(\"rose\").flip(\"wilted\");"),
    plain("a piece becomes known", "actor.look(actor.deck.top(1));"),
    plain("a roll", "roll(actor, \"d6\", 1); roll(actor, \"d6\", 1);"),
    plain("a seat travels", "actor.move_to(place(\"well\"));"),
    in_fight("damage in a fight", "fight.damage(foe, 2);"),
    plain("a loss", "suffer(actor, 1, [\"hand\"]);"),
    plain(
        "an effect begins and ends",
        "effect(\"sunburn\", #{ subject: actor }); actor.end_effects(\"sunburn\");",
    ),
    Scene {
        moves: &["example", "done", "done", "example"],
        whole: true,
        ..plain(
            "a fight",
            "if in_fight() { fight.end(); } else { throw_flowers(actor, actor.left); }",
        )
    },
    in_fight(
        "someone joins",
        "fight.join(#{ who: piece(\"pedlar\"), side: 1, chain: \"tiring\" });",
    ),
    in_fight("someone leaves", "fight.leave(piece(\"goose\"));"),
    in_fight("someone falls", "fight.fall(piece(\"goose\"));"),
    Scene {
        moves: &["throw:rose", "example"],
        ..in_fight(
            "a piece is added",
            "for flower in combo.next(actor.hand) { combo.add(flower); }",
        )
    },
    Scene {
        moves: &["throw:rose", "throw:tulip", "example"],
        ..in_fight("a combo is resolved", "combo.resolve();")
    },
];

/// A recorded event or query.
pub struct Seen {
    pub name: String,
    pub amount: i64,
    /// The fields that `event` had, under every name.
    pub fields: Vec<&'static str>,
}

/// The names under which scripts read the same thing.
pub const ALIASES: &[&[&str]] = &[
    &["seat", "of", "last"],
    &["source"],
    &["piece"],
    &["place"],
    &["from"],
    &["to", "zone"],
    &["counter"],
    &["action", "entry", "effect", "die"],
    &["phase"],
    &["amount"],
    &["value", "side", "face", "roll"],
    &["pass", "mark", "purpose"],
    &["packet"],
];

/// Plays a scene and returns which of these events and queries fired. An intervention is the name
/// of one of them and a script for its hook.
pub fn play(
    village: &Village,
    scene: &Scene,
    names: &[&str],
    intervention: Option<(&str, &str)>,
) -> Vec<Seen> {
    let mut entries = example::action(scene.script);
    entries += "[[rule]]\nid = \"listener\"\n";
    for name in names {
        let table = if events::on::EVENTS.iter().any(|event| event.name == *name) {
            "on"
        } else {
            "answer"
        };
        let script = intervention
            .filter(|(target, _)| target == name)
            .map_or("true;", |(_, script)| script);
        let _ = writeln!(entries, "{table}.{name} = '{script}'");
    }
    let opened = village
        .with(&[("example.toml", &entries)])
        .open(scene.setup);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let recorder = Recorder {
        rules: opened.rules.clone(),
        whole: scene.whole,
        seen: seen.clone(),
    };
    let rules = Rc::new(opened.rules.with_runner(Box::new(recorder)));
    let names = vec!["Ann".to_owned(), "Ben".to_owned()];
    let mut game = Game::new(
        rules,
        Setup {
            names,
            ..Setup::default()
        },
    )
    .unwrap();
    game.run();
    for key in scene.moves {
        let Some(seat) = game.pending().map(Question::seat) else {
            break;
        };
        let answered = game.answer_keys(seat, &[(*key).to_owned()]);
        // An intervention may prevent what the answer needs.
        assert!(
            answered.is_ok() || intervention.is_some(),
            "{}: {key}: {answered:?}",
            scene.what
        );
    }
    assert!(
        game.faults().is_empty() || intervention.is_some(),
        "{}: {:?}",
        scene.what,
        game.faults()
    );
    seen.take()
}

/// Runs scripts and records the hooks of the listener.
struct Recorder {
    rules: Rc<Rules>,
    whole: bool,
    seen: Rc<RefCell<Vec<Seen>>>,
}

impl HookRunner for Recorder {
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Value> {
        let content = cx.content().clone();
        let def = &content.hooks[hook.ix()];
        let is_of = |entry, id: &str| *content.entry(entry).id == *id;
        let inside = cx.calls.iter().any(|call| is_of(call.entry, "example"));
        let name = match def.role {
            HookRole::On(event) => content.event_name(event).to_string(),
            HookRole::Answer(query) => content.queries[query.ix()].name.to_string(),
            _ => String::new(),
        };
        if is_of(def.entry, "listener") && (self.whole || inside) {
            let amount = cx.events.last().map_or(0, |event| event.amount);
            let mut fields = cx.events.last().map(fields_of).unwrap_or_default();
            if !cx.packets.is_empty() {
                fields.push("packet");
            }
            self.seen.borrow_mut().push(Seen {
                name,
                amount,
                fields,
            });
        }
        self.rules.runner.run(cx, hook)
    }
}

/// The fields of an event, under every name.
fn fields_of(event: &Event) -> Vec<&'static str> {
    let fields = [
        (event.seat.is_some(), &["seat"][..]),
        (event.of.is_some(), &["of", "last"]),
        (event.source.is_some(), &["source"]),
        (event.piece.is_some(), &["piece"]),
        (event.place.is_some(), &["place"]),
        (
            event.from.is_some() || event.from_place.is_some(),
            &["from"],
        ),
        (event.to.is_some(), &["to", "zone"]),
        (event.counter.is_some(), &["counter"]),
        (event.entry.is_some(), &["action", "entry", "effect", "die"]),
        (event.phase.is_some(), &["phase"]),
        (event.amount != 0, &["amount"]),
        (event.value != 0, &["value", "side", "face", "roll"]),
        (event.word.is_some(), &["pass", "mark", "purpose"]),
    ];
    fields
        .into_iter()
        .filter(|(is_set, _)| *is_set)
        .flat_map(|(_, names)| names.iter().copied())
        .collect()
}

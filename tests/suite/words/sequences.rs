//! What happens, so that one can see which events and queries come of it.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use kaer::content::{HookId, HookRole, events};
use kaer::game::Event;
use kaer::game::{Cx, Game, HookRunner, Question, Rules, Setup, StepResult, Val};

use super::example;
use super::village::Village;

/// How something is made to happen.
pub struct Scene {
    /// The sequence it shows.
    pub what: &'static str,
    /// What is so before.
    pub given: &'static str,
    /// What is chosen.
    pub moves: &'static [&'static str],
    /// What the line `example` does.
    pub script: &'static str,
    /// Whether all of the game counts, and not only what that line does.
    pub whole: bool,
}

const fn plain(what: &'static str, script: &'static str) -> Scene {
    Scene {
        what,
        given: "",
        moves: &["example"],
        script,
        whole: false,
    }
}

const fn in_fight(what: &'static str, script: &'static str) -> Scene {
    Scene {
        given: "throw_flowers(seat(1), seat(2));",
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
        given: "seat(1).hand.find(\"daisy\").move_to(seat(1).bed);",
        moves: &["daisy"],
        whole: true,
        ..plain("a line of a menu", "")
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
        given: "seat(1).deck.pieces().move_to(seat(1).compost);",
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

/// An event or a query that came.
pub struct Seen {
    pub name: String,
    pub amount: i64,
    /// What was in `event`, under every name.
    pub given: Vec<&'static str>,
}

/// The names under which scripts read one and the same thing.
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

/// Lets a scene happen and gives what came, of some events and queries, while a hook of one of them meddles.
pub fn play(
    village: &Village,
    scene: &Scene,
    names: &[&str],
    meddler: Option<(&str, &str)>,
) -> Vec<Seen> {
    let mut entries = example::action(scene.script);
    entries += "[[rule]]\nid = \"listener\"\n";
    for name in names {
        let table = if events::on::EVENTS.iter().any(|event| event.name == *name) {
            "on"
        } else {
            "answer"
        };
        let script = meddler
            .filter(|(heard, _)| heard == name)
            .map_or("true;", |(_, script)| script);
        let _ = writeln!(entries, "{table}.{name} = '{script}'");
    }
    let opened = village
        .with(&[("example.toml", &entries)])
        .open(scene.given);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let ear = Ear {
        rules: opened.rules.clone(),
        whole: scene.whole,
        seen: seen.clone(),
    };
    let rules = Rc::new(Rules {
        content: opened.rules.content.clone(),
        runner: Box::new(ear),
    });
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
        // Whatever did not happen may have been needed for it.
        assert!(
            answered.is_ok() || meddler.is_some(),
            "{}: {key}: {answered:?}",
            scene.what
        );
    }
    assert!(
        game.faults().is_empty() || meddler.is_some(),
        "{}: {:?}",
        scene.what,
        game.faults()
    );
    seen.take()
}

/// Runs scripts, and notes what the listener hears.
struct Ear {
    rules: Rc<Rules>,
    whole: bool,
    seen: Rc<RefCell<Vec<Seen>>>,
}

impl HookRunner for Ear {
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Val> {
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
            let mut given = cx.events.last().map(given).unwrap_or_default();
            if !cx.packets.is_empty() {
                given.push("packet");
            }
            self.seen.borrow_mut().push(Seen {
                name,
                amount,
                given,
            });
        }
        self.rules.runner.run(cx, hook)
    }
}

/// What is in an event, under every name.
fn given(event: &Event) -> Vec<&'static str> {
    let there = [
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
    there
        .into_iter()
        .filter(|(is, _)| *is)
        .flat_map(|(_, names)| names.iter().copied())
        .collect()
}

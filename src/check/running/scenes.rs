//! Scenes: moments of random games in which hooks ran, for running others there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::agents::Random;
use crate::content::{Content, Entry, EventId, HookId, KindId, PhaseId, QueryId, Role, SeatId};
use crate::game::log::{Line, What};
use crate::game::{Agent, Ask, Cx, Game, Res, Rules, Runner, Scene, Setup, Status, Val};

/// So many scenes of one hook are kept.
const OF_A_HOOK: usize = 40;
/// So many scenes of one sort are kept.
const OF_A_SORT: usize = 240;

/// A game with so many faults shows no more.
const ENOUGH: usize = 8;

/// What a scene is good for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// This very script.
    Hook(HookId),
    /// The same script of another entry of the kind: `option.2.do` is the same as `option.1.do`.
    Slot(KindId, String),
    /// Any script that hears an event.
    Event(EventId),
    /// Any script that answers a query.
    Query(QueryId),
    /// Any script of an action in a window.
    Window(PhaseId),
}

/// A kept scene, and where it comes from.
pub struct Kept {
    pub scene: Scene,
    pub game: Rc<Played>,
    /// After so many answers.
    pub answers: usize,
}

/// A game that was played.
#[derive(Debug, PartialEq, Eq)]
pub struct Played {
    pub mode: String,
    pub seats: usize,
    pub seed: u64,
}

/// The scenes of some games.
#[derive(Default)]
pub struct Scenes {
    pub all: Vec<Rc<Kept>>,
    pub by: BTreeMap<Sort, Vec<usize>>,
    /// How often each hook ran.
    pub runs: BTreeMap<HookId, u32>,
    /// How often each sort was seen.
    seen: BTreeMap<Sort, u32>,
}

/// A path without its numbers.
pub fn slot(name: &str) -> String {
    let parts = name.split('.').map(|part| {
        if part.parse::<u32>().is_ok() {
            "*"
        } else {
            part
        }
    });
    parts.collect::<Vec<_>>().join(".")
}

/// What the scenes of a hook are good for, and where one of its own can be run; the best first.
pub fn sorts(content: &Content, hook: HookId) -> Vec<Sort> {
    let def = &content.hooks[hook.ix()];
    let entry = content.entry(def.entry);
    let kind = &content.kinds[entry.kind.ix()];
    let mut sorts = vec![Sort::Hook(hook)];
    match def.role {
        Role::On(event) | Role::May(event) => {
            sorts.extend([Sort::Slot(entry.kind, slot(&def.name)), Sort::Event(event)]);
        }
        Role::Ask(query) => {
            sorts.extend([Sort::Slot(entry.kind, slot(&def.name)), Sort::Query(query)]);
        }
        // It is asked before what the entry offers, so that it sees these events.
        Role::Can if !offers(entry).is_empty() => {
            sorts.extend(offers(entry).into_iter().map(Sort::Event));
        }
        Role::Can | Role::Do if matches!(&*def.name, "can" | "do") => {
            if kind.is_piece {
                sorts.push(Sort::Slot(entry.kind, slot(&def.name)));
            }
            let windows = entry.action.iter().flat_map(|action| &action.windows);
            sorts.extend(windows.map(|phase| Sort::Window(*phase)));
        }
        // What stands in a table of an entry.
        Role::Do if def.name.contains('.') && !def.name.starts_with("then.") => {
            sorts.push(Sort::Slot(entry.kind, slot(&def.name)));
        }
        // What these are given only themselves understand.
        Role::Can | Role::Do | Role::Each | Role::Look => {}
    }
    sorts
}

/// The events at which an entry offers something.
fn offers(entry: &Entry) -> Vec<EventId> {
    let faces = entry.faces.iter().map(|face| &face.hooks);
    faces
        .chain([&entry.hooks])
        .flat_map(|hooks| &hooks.may)
        .map(|(event, _)| *event)
        .collect()
}

/// Runs scripts and keeps scenes on the way.
struct Watching {
    rules: Rc<Rules>,
    scenes: Rc<RefCell<Scenes>>,
    game: Rc<Played>,
    answers: Rc<RefCell<usize>>,
}

impl Runner for Watching {
    fn run(&self, cx: &mut Cx, hook: HookId) -> Res<Val> {
        self.scenes
            .borrow_mut()
            .watch(cx, hook, &self.game, *self.answers.borrow());
        self.rules.runner.run(cx, hook)
    }
}

impl Scenes {
    fn watch(&mut self, cx: &Cx, hook: HookId, game: &Rc<Played>, answers: usize) {
        let runs = self.runs.entry(hook).or_default();
        *runs += 1;
        // Most runs are of hooks that were seen often enough.
        if *runs > 64 && !runs.is_multiple_of(64) {
            return;
        }
        let wanted: Vec<Sort> = sorts(cx.content(), hook)
            .into_iter()
            .filter(|sort| self.wants(sort))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let at = self.all.len();
        self.all.push(Rc::new(Kept {
            scene: Scene::of(cx),
            game: game.clone(),
            answers,
        }));
        for sort in wanted {
            self.by.entry(sort).or_default().push(at);
        }
    }

    /// The first ones, then fewer and fewer, so that they come from all parts of a game.
    fn wants(&mut self, sort: &Sort) -> bool {
        let most = if matches!(sort, Sort::Hook(_)) {
            OF_A_HOOK
        } else {
            OF_A_SORT
        };
        let held = self.by.get(sort).map_or(0, Vec::len);
        let seen = self.seen.entry(sort.clone()).or_default();
        *seen += 1;
        held < most && (held < most / 3 || seen.is_multiple_of(7))
    }
}

/// What is wrong in a game.
pub struct Trouble {
    pub game: Rc<Played>,
    pub answers: usize,
    pub what: Broken,
}

/// Something that went wrong.
pub enum Broken {
    /// A script failed.
    Fault(Box<crate::game::Fault>),
    /// Something does not hold.
    Invariant(crate::lab::Broken),
    /// The game cannot begin.
    Start(String),
}

/// Lets the scripts run that only show or judge how things stand. What fails does so again in its scene.
fn look_around(game: &Game) {
    let mut copy = game.clone();
    for panel in &game.content().panels {
        let asked = game.pending().map(Ask::seat);
        let _ = copy.look(panel.show, panel.entry, asked, Val::Text("".into()));
    }
    for seat in 0..game.state().seats {
        let _ = copy.worth(SeatId(seat));
    }
}

/// A draw that got less than it asked for, while a game was set up.
pub struct Short {
    pub hook: Option<HookId>,
    pub wanted: i64,
    pub got: i64,
}

/// Sets a game up, and tells the draws that found too few pieces.
pub fn set_up(rules: &Rc<Rules>, game: &Rc<Played>) -> (Vec<Trouble>, Vec<Short>) {
    let names = (1..=game.seats).map(|seat| format!("P{seat}")).collect();
    let setup = Setup {
        names,
        seed: game.seed,
        log: true,
        ..Setup::default()
    };
    let Ok(mut running) = Game::new(rules.clone(), setup) else {
        return (Vec::new(), Vec::new());
    };
    running.run();
    let fault = |fault: &crate::game::Fault| Trouble {
        game: game.clone(),
        answers: 0,
        what: Broken::Fault(Box::new(fault.clone())),
    };
    let faults = running
        .faults()
        .iter()
        .filter(|fault| fault.hook.is_some())
        .map(fault)
        .collect();
    let short = |line: &Line| match line.what {
        What::Drew { amount, wanted, .. } if amount < wanted => Some(Short {
            hook: line.cause.hook,
            wanted,
            got: amount,
        }),
        _ => None,
    };
    let before = |line: &&Line| !matches!(line.what, What::Turn { .. } | What::Round { .. });
    (
        faults,
        running
            .log()
            .lines
            .iter()
            .take_while(before)
            .filter_map(short)
            .collect(),
    )
}

/// Plays a game by chance for so many answers, and keeps scenes of it.
pub fn play(
    rules: &Rc<Rules>,
    game: &Rc<Played>,
    most: usize,
    into: &Rc<RefCell<Scenes>>,
) -> Vec<Trouble> {
    let answers = Rc::new(RefCell::new(0));
    let trouble = |answers: usize, what: Broken| Trouble {
        game: game.clone(),
        answers,
        what,
    };
    let watching = Watching {
        rules: rules.clone(),
        scenes: into.clone(),
        game: game.clone(),
        answers: answers.clone(),
    };
    let watched = Rc::new(Rules {
        content: rules.content.clone(),
        runner: Box::new(watching),
    });
    let names = (1..=game.seats).map(|seat| format!("P{seat}")).collect();
    let setup = Setup {
        names,
        seed: game.seed,
        ..Setup::default()
    };
    let mut running = match Game::new(watched, setup) {
        Ok(running) => running,
        Err(why) => return vec![trouble(0, Broken::Start(why))],
    };
    let mut random = Random::new(game.seed);
    let (mut found, mut told) = (Vec::new(), 0);
    let mut status = running.run();
    if status != Status::Asking && running.faults().iter().all(|fault| fault.hook.is_none()) {
        let why = running
            .faults()
            .first()
            .map_or("it is over before anybody is asked anything", |fault| {
                &fault.message
            });
        return vec![trouble(0, Broken::Start(why.to_owned()))];
    }
    for number in 0..most {
        for fault in &running.faults()[told..] {
            found.push(trouble(number, Broken::Fault(Box::new(fault.clone()))));
        }
        told = running.faults().len();
        if told >= ENOUGH {
            break;
        }
        if number % 8 == 0
            && let Err(why) = crate::lab::holds(&running)
        {
            found.push(trouble(number, Broken::Invariant(why)));
            break;
        }
        if number % 64 == 0 {
            look_around(&running);
        }
        let (Status::Asking, Some(ask)) = (status, running.pending().cloned()) else {
            break;
        };
        let answer = random.decide(running.core(), &ask);
        *answers.borrow_mut() = number + 1;
        match running.answer(answer) {
            Ok(next) => status = next,
            Err(_) => break,
        }
    }
    found
}

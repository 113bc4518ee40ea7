//! Scenes: moments of random games at which a hook ran, recorded so that others can run there, too.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::agents::Random;
use crate::content::{Content, Entry, EventId, HookId, KindId, PhaseId, QueryId, Role, SeatId};
use crate::game::log::{Line, What};
use crate::game::{Agent, Ask, Cx, Game, Res, Rules, Runner, Scene, Setup, Status, Val};

/// How many scenes of one hook are kept.
const MAX_PER_HOOK: usize = 40;
/// How many scenes of any other sort are kept.
const MAX_PER_SORT: usize = 240;

/// A game with this many faults is abandoned.
const MAX_FAULTS: usize = 8;

/// Which scripts a scene suits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Only this script.
    Hook(HookId),
    /// The same script of any entry of the kind; `option.2.do` counts as the same as `option.1.do`.
    Slot(KindId, String),
    /// Any hook of an event.
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
    /// The number of answers given before it.
    pub answers: usize,
}

/// How to reproduce a random game.
#[derive(Debug, PartialEq, Eq)]
pub struct Played {
    pub mode: String,
    pub seats: usize,
    pub seed: u64,
}

/// The scenes of all games played.
#[derive(Default)]
pub struct Scenes {
    pub all: Vec<Rc<Kept>>,
    pub by: BTreeMap<Sort, Vec<usize>>,
    /// How often each hook ran.
    pub runs: BTreeMap<HookId, u32>,
    /// How often each sort was seen.
    seen: BTreeMap<Sort, u32>,
}

/// The path of a script with `*` for numbers.
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

/// The sorts of scene that a hook produces and can run in; the best first.
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
        // The condition of an offer sees the event of the offer.
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
        // A script in a table of an entry, such as an option.
        Role::Do if def.name.contains('.') && !def.name.starts_with("then.") => {
            sorts.push(Sort::Slot(entry.kind, slot(&def.name)));
        }
        // Other scripts would not understand the values these are given.
        Role::Can | Role::Do | Role::Each | Role::Look => {}
    }
    sorts
}

/// The events at which an entry makes an offer.
fn offers(entry: &Entry) -> Vec<EventId> {
    let faces = entry.faces.iter().map(|face| &face.hooks);
    faces
        .chain([&entry.hooks])
        .flat_map(|hooks| &hooks.may)
        .map(|(event, _)| *event)
        .collect()
}

/// A runner that records scenes as it runs scripts.
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
            .record(cx, hook, &self.game, *self.answers.borrow());
        self.rules.runner.run(cx, hook)
    }
}

impl Scenes {
    fn record(&mut self, cx: &Cx, hook: HookId, game: &Rc<Played>, answers: usize) {
        let runs = self.runs.entry(hook).or_default();
        *runs += 1;
        // Most runs are of hooks that were recorded often enough.
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

    /// Keeps the first ones and then every seventh, so that scenes come from all parts of a game.
    fn wants(&mut self, sort: &Sort) -> bool {
        let limit = if matches!(sort, Sort::Hook(_)) {
            MAX_PER_HOOK
        } else {
            MAX_PER_SORT
        };
        let held = self.by.get(sort).map_or(0, Vec::len);
        let seen = self.seen.entry(sort.clone()).or_default();
        *seen += 1;
        held < limit && (held < limit / 3 || seen.is_multiple_of(7))
    }
}

/// A problem that a random game ran into.
pub struct Trouble {
    pub game: Rc<Played>,
    pub answers: usize,
    pub what: Broken,
}

/// Something that went wrong.
pub enum Broken {
    Fault(Box<crate::game::Fault>),
    /// An invariant of the engine or of a pack is broken.
    Invariant(crate::lab::Broken),
    /// The game cannot start.
    Start(String),
}

/// Runs the read-only scripts of panels and evaluations, to record scenes of them. Faults are
/// ignored here: they show up again when the scene is played.
fn run_views(game: &Game) {
    let mut copy = game.clone();
    for panel in &game.content().panels {
        let asked = game.pending().map(Ask::seat);
        let _ = copy.look(panel.show, panel.entry, asked, Val::Text("".into()));
    }
    for seat in 0..game.state().seats {
        let _ = copy.worth(SeatId(seat));
    }
}

/// A draw during setup that got fewer pieces than it asked for.
pub struct Short {
    pub hook: Option<HookId>,
    pub wanted: i64,
    pub got: i64,
}

/// Sets up a game; returns its faults and the draws that got too few pieces.
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

/// Plays a game with random answers, at most `most` of them, and records scenes of it.
pub fn play(
    rules: &Rc<Rules>,
    game: &Rc<Played>,
    most: usize,
    into: &Rc<RefCell<Scenes>>,
) -> Vec<Trouble> {
    let answers = Rc::new(RefCell::new(0));
    let problem = |answers: usize, what: Broken| Trouble {
        game: game.clone(),
        answers,
        what,
    };
    let recorder = Watching {
        rules: rules.clone(),
        scenes: into.clone(),
        game: game.clone(),
        answers: answers.clone(),
    };
    let recording = Rc::new(Rules {
        content: rules.content.clone(),
        runner: Box::new(recorder),
    });
    let names = (1..=game.seats).map(|seat| format!("P{seat}")).collect();
    let setup = Setup {
        names,
        seed: game.seed,
        ..Setup::default()
    };
    let mut running = match Game::new(recording, setup) {
        Ok(running) => running,
        Err(why) => return vec![problem(0, Broken::Start(why))],
    };
    let mut random = Random::new(game.seed);
    let (mut found, mut reported) = (Vec::new(), 0);
    let mut status = running.run();
    if status != Status::Asking && running.faults().iter().all(|fault| fault.hook.is_none()) {
        let why = running
            .faults()
            .first()
            .map_or("it ends before any player is asked anything", |fault| {
                &fault.message
            });
        return vec![problem(0, Broken::Start(why.to_owned()))];
    }
    for number in 0..most {
        for fault in &running.faults()[reported..] {
            found.push(problem(number, Broken::Fault(Box::new(fault.clone()))));
        }
        reported = running.faults().len();
        if reported >= MAX_FAULTS {
            break;
        }
        if number % 8 == 0
            && let Err(why) = crate::lab::holds(&running)
        {
            found.push(problem(number, Broken::Invariant(why)));
            break;
        }
        if number % 64 == 0 {
            run_views(&running);
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

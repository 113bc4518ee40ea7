//! Snapshots of random games at the moments when a hook ran. Other hooks can run in them, too.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::unfilled::placeholders;
use super::unheard::PieceSightings;
use crate::agents::RandomPlayer;
use crate::content::{
    Content, EntryDef, EntryId, EventId, HookId, HookRole, KindId, PhaseId, QueryId, SeatId,
};
use crate::game::log::{LogEvent, LogLine};
use crate::game::{
    Agent, Cx, Game, HookRunner, HookSnapshot, Question, Rules, Setup, Status, StepResult,
};
use crate::value::Value;

/// The number of snapshots kept for each hook.
const MAX_PER_HOOK: usize = 40;
/// The number of snapshots kept for each other kind of snapshot.
const MAX_PER_KIND: usize = 240;

/// A game with this many faults is aborted.
const MAX_FAULTS: usize = 8;

/// The scripts that a snapshot is suitable for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SnapshotKind {
    /// Only this script.
    Hook(HookId),
    /// The same script of any entry of the kind; `option.2.do` counts as the same script as
    /// `option.1.do`.
    Slot(KindId, String),
    /// Any hook of an event.
    Event(EventId),
    /// Any script that answers a query.
    Query(QueryId),
    /// Any script of an action in a window.
    Window(PhaseId),
}

/// A snapshot and its origin.
pub struct RecordedSnapshot {
    pub snapshot: HookSnapshot,
    pub game: Rc<PlayedGame>,
    /// The number of answers given before the snapshot.
    pub answers: usize,
}

/// How to reproduce a random game.
#[derive(Debug, PartialEq, Eq)]
pub struct PlayedGame {
    pub mode: String,
    pub seats: usize,
    pub seed: u64,
}

/// The snapshots of all games played.
#[derive(Default)]
pub struct Snapshots {
    pub all: Vec<Rc<RecordedSnapshot>>,
    pub by: BTreeMap<SnapshotKind, Vec<usize>>,
    /// How often each hook ran.
    pub runs: BTreeMap<HookId, u32>,
    /// Where pieces were.
    pub sightings: PieceSightings,
    /// How often each kind of snapshot was seen.
    seen: BTreeMap<SnapshotKind, u32>,
}

/// The path of a script, with `*` in place of numbers.
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

/// The kinds of snapshots that a hook produces and can run in, best first.
pub fn snapshot_kinds(content: &Content, hook: HookId) -> Vec<SnapshotKind> {
    let def = &content.hooks[hook.ix()];
    let entry = content.entry(def.entry);
    let kind = &content.kinds[entry.kind.ix()];
    let mut kinds = vec![SnapshotKind::Hook(hook)];
    match def.role {
        HookRole::On(event) | HookRole::Offer(event) => {
            kinds.extend([
                SnapshotKind::Slot(entry.kind, slot(&def.name)),
                SnapshotKind::Event(event),
            ]);
        }
        HookRole::Answer(query) => {
            kinds.extend([
                SnapshotKind::Slot(entry.kind, slot(&def.name)),
                SnapshotKind::Query(query),
            ]);
        }
        // The condition of an offer sees the event of the offer.
        HookRole::Can if !offers(entry).is_empty() => {
            kinds.extend(offers(entry).into_iter().map(SnapshotKind::Event));
        }
        HookRole::Can | HookRole::Do if matches!(&*def.name, "can" | "do") => {
            if kind.is_piece {
                kinds.push(SnapshotKind::Slot(entry.kind, slot(&def.name)));
            }
            let windows = entry.action.iter().flat_map(|action| &action.windows);
            kinds.extend(windows.map(|phase| SnapshotKind::Window(*phase)));
        }
        // The condition of an option or a result.
        HookRole::Value if def.name.ends_with(".when") && def.name.matches('.').count() > 1 => {
            kinds.push(SnapshotKind::Slot(entry.kind, slot(&def.name)));
        }
        // A script in a table of an entry, such as an option.
        HookRole::Do if def.name.contains('.') && !def.name.starts_with("then.") => {
            kinds.push(SnapshotKind::Slot(entry.kind, slot(&def.name)));
        }
        // Other scripts could not use the values that these receive.
        HookRole::Can | HookRole::Do | HookRole::Each | HookRole::Value => {}
    }
    kinds
}

/// The events at which an entry makes an offer.
fn offers(entry: &EntryDef) -> Vec<EventId> {
    let faces = entry.faces.iter().map(|face| &face.hooks);
    faces
        .chain([&entry.hooks])
        .flat_map(|hooks| &hooks.offers)
        .map(|(event, _)| *event)
        .collect()
}

/// A runner that records snapshots as it runs scripts.
struct SnapshotRecorder {
    rules: Rc<Rules>,
    snapshots: Rc<RefCell<Snapshots>>,
    game: Rc<PlayedGame>,
    answers: Rc<RefCell<usize>>,
}

impl HookRunner for SnapshotRecorder {
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Value> {
        self.snapshots
            .borrow_mut()
            .record(cx, hook, &self.game, *self.answers.borrow());
        self.rules.runner.run(cx, hook)
    }
}

impl Snapshots {
    fn record(&mut self, cx: &Cx, hook: HookId, game: &Rc<PlayedGame>, answers: usize) {
        let runs = self.runs.entry(hook).or_default();
        *runs += 1;
        // Most runs are of hooks that have already been recorded often enough.
        if *runs > 64 && !runs.is_multiple_of(64) {
            return;
        }
        let wanted: Vec<SnapshotKind> = snapshot_kinds(cx.content(), hook)
            .into_iter()
            .filter(|kind| self.wants(kind))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let at = self.all.len();
        self.all.push(Rc::new(RecordedSnapshot {
            snapshot: HookSnapshot::capture(cx),
            game: game.clone(),
            answers,
        }));
        for kind in wanted {
            self.by.entry(kind).or_default().push(at);
        }
    }

    /// Keeps the first snapshots and then every seventh, so that they come from all parts of a
    /// game.
    fn wants(&mut self, kind: &SnapshotKind) -> bool {
        let limit = if matches!(kind, SnapshotKind::Hook(_)) {
            MAX_PER_HOOK
        } else {
            MAX_PER_KIND
        };
        let held = self.by.get(kind).map_or(0, Vec::len);
        let seen = self.seen.entry(kind.clone()).or_default();
        *seen += 1;
        held < limit && (held < limit / 3 || seen.is_multiple_of(7))
    }
}

/// A problem that occurred in a random game.
pub struct GameReport {
    pub game: Rc<PlayedGame>,
    pub answers: usize,
    pub what: GameProblem,
}

/// What went wrong.
pub enum GameProblem {
    Fault(Box<crate::game::Fault>),
    /// An invariant of the engine or of a pack was violated.
    Invariant(crate::simulation::Violation),
    /// A placeholder that players see.
    Unfilled((EntryId, String)),
    /// The game cannot start.
    Start(String),
}

/// Runs the read-only scripts of panels and evaluations, to record snapshots for them. Faults are
/// ignored here; they occur again when a hook runs in the snapshot.
fn run_views(game: &Game) {
    let mut copy = game.clone();
    for panel in &game.content().panels {
        let asked = game.pending().map(Question::seat);
        let _ = copy.run_read_only(panel.show, panel.entry, asked, Value::Text("".into()));
    }
    for seat in 0..game.state().seats {
        let _ = copy.evaluation(SeatId(seat));
    }
}

/// Runs the scripts of campaigns that the game belongs to, to record snapshots for them.
fn run_campaigns(game: &Game) {
    for (entry, hook) in crate::game::campaign::scripts(game.content()) {
        let _ = (game.clone()).run_read_only(hook, entry, Some(SeatId(0)), Value::Unit);
    }
}

/// A draw during setup that drew fewer pieces than requested.
pub struct ShortDraw {
    pub hook: Option<HookId>,
    pub wanted: i64,
    pub got: i64,
}

/// Sets up a game; returns its faults and the draws that drew too few pieces.
pub fn set_up(rules: &Rc<Rules>, game: &Rc<PlayedGame>) -> (Vec<GameReport>, Vec<ShortDraw>) {
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
    let fault = |fault: &crate::game::Fault| GameReport {
        game: game.clone(),
        answers: 0,
        what: GameProblem::Fault(Box::new(fault.clone())),
    };
    let faults = running
        .faults()
        .iter()
        .filter(|fault| fault.hook.is_some())
        .map(fault)
        .collect();
    let short = |line: &LogLine| match line.event {
        LogEvent::Drew { amount, wanted, .. } if amount < wanted => Some(ShortDraw {
            hook: line.cause.hook,
            wanted,
            got: amount,
        }),
        _ => None,
    };
    let before =
        |line: &&LogLine| !matches!(line.event, LogEvent::Turn { .. } | LogEvent::Round { .. });
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

/// Plays a game with at most `max_answers` random answers, and records snapshots.
pub fn play(
    rules: &Rc<Rules>,
    game: &Rc<PlayedGame>,
    max_answers: usize,
    into: &Rc<RefCell<Snapshots>>,
) -> Vec<GameReport> {
    let answers = Rc::new(RefCell::new(0));
    let problem = |answers: usize, what: GameProblem| GameReport {
        game: game.clone(),
        answers,
        what,
    };
    let recorder = SnapshotRecorder {
        rules: rules.clone(),
        snapshots: into.clone(),
        game: game.clone(),
        answers: answers.clone(),
    };
    let recording = Rc::new(rules.with_runner(Box::new(recorder)));
    let names = (1..=game.seats).map(|seat| format!("P{seat}")).collect();
    let setup = Setup {
        names,
        seed: game.seed,
        ..Setup::default()
    };
    let mut running = match Game::new(recording, setup) {
        Ok(running) => running,
        Err(why) => return vec![problem(0, GameProblem::Start(why))],
    };
    let mut random = RandomPlayer::new(game.seed);
    let (mut found, mut reported) = (Vec::new(), 0);
    let mut status = running.run();
    if status != Status::Asking && running.faults().iter().all(|fault| fault.hook.is_none()) {
        let why = running
            .faults()
            .first()
            .map_or("it ends before any player is asked anything", |fault| {
                &fault.message
            });
        return vec![problem(0, GameProblem::Start(why.to_owned()))];
    }
    for number in 0..max_answers {
        for fault in &running.faults()[reported..] {
            found.push(problem(number, GameProblem::Fault(Box::new(fault.clone()))));
        }
        reported = running.faults().len();
        if reported >= MAX_FAULTS {
            break;
        }
        if number % 8 == 0
            && let Err(why) = crate::simulation::check_invariants(&running)
        {
            found.push(problem(number, GameProblem::Invariant(why)));
            break;
        }
        into.borrow_mut().sightings.note(running.context());
        if number % 4 == 0 {
            let seen = placeholders(&running).into_iter();
            found.extend(seen.map(|place| problem(number, GameProblem::Unfilled(place))));
        }
        if number % 8 == 0 {
            run_views(&running);
        }
        let (Status::Asking, Some(question)) = (status, running.pending().cloned()) else {
            break;
        };
        let answer = random.decide(running.context(), &question);
        *answers.borrow_mut() = number + 1;
        match running.answer(answer) {
            Ok(next) => status = next,
            Err(_) => break,
        }
    }
    run_campaigns(&running);
    found
}

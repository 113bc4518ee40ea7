//! The context every primitive works in: the state, and what exists only while a step runs.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

use super::ask::{Agent, Answer, Ask};
use super::chance::Lots;
use super::event::Event;
use super::log::{Cause, Log};
use super::packet::Packet;
use super::query::Asked;
use super::state::{Entity, Frame, State};
use super::val::Val;
use crate::content::{Content, EntryId, EventId, HookId, PieceId, SeatId, Value};

/// How deep hooks may fire events that run hooks.
pub const MAX_DEPTH: usize = 32;
/// How many events one step may fire.
pub const MAX_EVENTS: u32 = 10_000;
/// How much work one step may do: script operations, and native work counted in the same coin.
pub const MAX_WORK: u64 = 400_000;

/// Why a primitive did not return.
#[derive(Debug)]
pub enum Stop {
    /// A decision is needed and nobody is there to take it; the step will run again.
    Suspend,
    /// The game was ended at once: whatever was still to be done is not.
    Over,
    /// A script made a mistake or went over a limit.
    Fault(Box<Fault>),
}

/// A script's mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The innermost script that was running; none for a fault in data.
    pub hook: Option<HookId>,
    /// Which run of a hook in this step it was.
    pub run: u32,
    /// What is wrong.
    pub message: String,
    /// Where in the script's text, in bytes, or in a file of functions.
    pub at: Option<FaultAt>,
}

/// Where a fault arose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultAt {
    /// The source's name: the hook's own, or a file's.
    pub source: Option<String>,
    /// Line and column, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// What primitives give back.
pub type Res<T = ()> = Result<T, Stop>;

/// A hook that is running, with the names it sees.
#[derive(Clone, Debug)]
pub struct Call {
    /// Which hook.
    pub hook: HookId,
    /// The entry it belongs to.
    pub entry: EntryId,
    /// The piece it belongs to: `it`.
    pub it: Option<PieceId>,
    /// Whose it is.
    pub owner: Option<SeatId>,
    /// Who acts.
    pub actor: Option<SeatId>,
    /// The line of `each`, or the value a follow-up was given.
    pub each: Val,
    /// The effect it belongs to.
    pub effect: Option<u32>,
    /// How many questions it asked so far.
    pub asked: u16,
    /// Which run of a hook in this step it is.
    pub run: u32,
}

/// What `can` says of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    /// It is open.
    #[default]
    Open,
    /// It is not shown.
    Hidden,
    /// It is closed, and why.
    Closed(Box<str>),
}

/// The one place that runs a hook: scripts, or closures in benchmarks.
pub trait Runner {
    /// Runs the hook that is last among `cx.calls` and gives what it returned.
    ///
    /// # Errors
    /// Stops when the hook needs a decision nobody took yet, or makes a mistake.
    fn run(&self, cx: &mut Cx, hook: HookId) -> Res<Val>;
}

/// What does not change in a game.
pub struct Rules {
    /// What the packs say.
    pub content: Arc<Content>,
    /// What runs their scripts.
    pub runner: Box<dyn Runner>,
}

/// Everything a step works with.
pub struct Core {
    /// The state.
    pub state: State,
    /// What does not change.
    pub rules: Rc<Rules>,
    /// The players' names.
    pub names: Vec<String>,
    /// What each player is, where that is not left to the game.
    pub(crate) roles: Vec<Option<EntryId>>,
    /// What happened.
    pub log: Log,
    /// The hooks that are running, innermost last.
    pub calls: Vec<Call>,
    /// The events being fired, innermost last.
    pub events: Vec<Event>,
    /// The losses in flight, innermost last.
    pub packets: Vec<Packet>,
    /// The queries being asked, innermost last.
    pub(crate) queries: Vec<Asked>,
    /// The answers of this step so far.
    pub answers: Vec<Answer>,
    /// Which of them is next.
    pub(crate) next_answer: usize,
    /// Who decides at once, if anyone does.
    pub(crate) agent: Option<Box<dyn Agent>>,
    /// The decision nobody took yet.
    pub(crate) pending: Option<Box<Ask>>,
    /// Frames started in this step, in order.
    pub(crate) queue: Vec<Frame>,
    /// Above 0 while a script may only look.
    pub(crate) read_only: u16,
    /// Whether it is only asked how things stand after an answer: nobody needs the lines of the next menu.
    pub(crate) imagined: bool,
    /// Work done in this step.
    pub(crate) work: u64,
    /// Events fired in this step.
    pub(crate) fired: u32,
    /// Runs of hooks in this step.
    pub(crate) runs: u32,
    /// Runs of hooks since the game began, those of steps that ran again included.
    pub(crate) all_runs: u32,
    /// The runs that failed before and are left out now, and why they failed.
    pub(crate) skips: Vec<(u32, Box<str>)>,
    /// The options of entries that were chosen, each with the list it stands in, if somebody wants to know.
    pub(crate) taken: Option<Vec<(Value, usize)>>,
    /// Numbers of chance that somebody wants to see.
    pub(crate) lots: Option<Lots>,
    /// What `can` said of the line being looked at.
    pub(crate) verdict: Verdict,
    /// Where the amount of the next loss came from.
    pub(crate) known_parts: Vec<super::log::Part>,
    /// Who acts now.
    pub(crate) actor: Option<SeatId>,
    /// Where answers are noted; none in simulations.
    pub(crate) journal: Option<Vec<super::journal::Line>>,
    /// Faults met in this game.
    pub(crate) faults: Vec<Fault>,
}

/// A context that can be handed to a script and taken back: the core moves as one pointer.
pub struct Cx(Option<Box<Core>>);

impl Cx {
    /// Wraps a core.
    #[must_use]
    pub fn new(core: Core) -> Cx {
        Cx(Some(Box::new(core)))
    }

    /// Takes the core out, for as long as a script holds it.
    pub fn lend(&mut self) -> Option<Box<Core>> {
        self.0.take()
    }

    /// Puts the core back.
    pub fn give_back(&mut self, core: Option<Box<Core>>) {
        self.0 = core;
    }

    /// A context around a core that a script lends.
    #[must_use]
    pub const fn around(core: Option<Box<Core>>) -> Cx {
        Cx(core)
    }
}

const LENT: &str = "the context is lent to a script only while that script runs";

impl Deref for Cx {
    type Target = Core;

    fn deref(&self) -> &Core {
        self.0.as_deref().expect(LENT)
    }
}

impl DerefMut for Cx {
    fn deref_mut(&mut self) -> &mut Core {
        self.0.as_deref_mut().expect(LENT)
    }
}

impl Core {
    /// What the packs say.
    #[must_use]
    pub fn content(&self) -> &Arc<Content> {
        &self.rules.content
    }

    /// Whether anyone could hear an event: one load and a branch for those that nobody hears.
    #[must_use]
    #[inline]
    pub fn hears(&self, event: EventId) -> bool {
        self.rules.content.listeners.event(event).any()
            || self.state.awaited >> (event.0 & 127) & 1 == 1
    }

    /// What the hook that is running is called, for the log.
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.calls.last().map_or(Cause::default(), |call| Cause {
            entry: Some(call.entry),
            hook: Some(call.hook),
            piece: call.it,
        })
    }

    /// A fault of the script that is running.
    #[must_use]
    pub fn fault(&self, message: impl Into<String>) -> Stop {
        let call = self.calls.last();
        Stop::Fault(Box::new(Fault {
            hook: call.map(|call| call.hook),
            run: call.map_or(0, |call| call.run),
            message: message.into(),
            at: None,
        }))
    }

    /// Counts work, and stops a script that does too much.
    ///
    /// # Errors
    /// A fault when the step is over its limit.
    pub fn spend(&mut self, work: u64) -> Res {
        self.work += work;
        if self.work > MAX_WORK {
            Err(self.fault(too_much()))
        } else {
            Ok(())
        }
    }

    /// Refuses a change while a script may only look.
    ///
    /// # Errors
    /// A fault inside `can`, `each`, `ask` and the like.
    pub fn changing(&mut self, what: &str) -> Res {
        if self.read_only > 0 {
            return Err(self.fault(format!(
                "{what} is a change, and this script may only look: it runs whenever a menu or a number is shown"
            )));
        }
        self.spend(8)
    }

    /// The zone's owner as a seat, through pieces that lie with a seat.
    #[must_use]
    pub fn owner_of(&self, piece: PieceId) -> Option<SeatId> {
        let mut piece = piece;
        for _ in 0..8 {
            let zone = self.state.zones.zone_of(piece);
            match self.state.zones.def(self.content(), zone)?.0 {
                Entity::Seat(seat) => return Some(seat),
                Entity::Piece(holder) => piece = holder,
                Entity::Table | Entity::Place(_) => return None,
            }
        }
        None
    }

    /// The fight going on.
    #[must_use]
    pub fn fight(&self) -> Option<&super::state::Fight> {
        self.state.fights.last()
    }

    /// The entry of a piece.
    #[must_use]
    pub fn entry_of(&self, piece: PieceId) -> EntryId {
        self.state.pieces[piece.ix()].entry
    }

    /// The seat whose turn it is.
    #[must_use]
    pub const fn active(&self) -> SeatId {
        SeatId(self.state.active)
    }
}

/// What a script over its limit is told.
#[must_use]
pub fn too_much() -> String {
    "this step does too much work: look for a loop that never ends, or events that keep causing each other".to_owned()
}

/// Runs a hook and gives what it returned; a run that failed before is left out.
///
/// # Errors
/// Stops when the hook does.
pub fn run_hook(cx: &mut Cx, mut call: Call) -> Res<Val> {
    cx.runs += 1;
    cx.all_runs = cx.all_runs.wrapping_add(1);
    let run = cx.runs;
    if let Some((_, why)) = cx.skips.iter().find(|(skip, _)| *skip == run) {
        let text = why.clone();
        return Ok(skip(cx, call.hook, text));
    }
    if cx.calls.len() >= MAX_DEPTH {
        return Err(cycle(cx));
    }
    let content = cx.content().clone();
    let hook = call.hook;
    let looks = content.hooks[hook.ix()].role.read_only();
    call.run = run;
    cx.calls.push(call);
    cx.read_only += u16::from(looks);
    let rules = cx.rules.clone();
    let result = rules.runner.run(cx, hook);
    cx.read_only -= u16::from(looks);
    cx.calls.pop();
    result
}

/// Leaves a run out that failed before.
fn skip(cx: &mut Cx, hook: HookId, text: Box<str>) -> Val {
    if cx.content().hooks[hook.ix()].role == crate::content::Role::Can {
        cx.verdict = Verdict::Closed("its script failed".into());
    }
    cx.log
        .push(super::log::What::Fault { text }, Cause::default(), &[]);
    Val::Unit
}

fn cycle(cx: &Cx) -> Stop {
    let names: Vec<String> = cx
        .calls
        .iter()
        .rev()
        .take(6)
        .map(|call| cx.content().hook_name(call.hook))
        .collect();
    cx.fault(format!(
        "hooks cause each other {MAX_DEPTH} levels deep: {}",
        names.join(" ← ")
    ))
}

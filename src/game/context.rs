//! The context of every primitive: the state, plus what exists only while a step runs.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::chance::ForcedNumbers;
use super::event::Event;
use super::log::{Cause, Log};
use super::packet::Packet;
use super::query::QueryContext;
use super::question::{Agent, Answer, Question};
use super::rules::{ListenerKind, Rules};
use super::setup::Setup;
use super::state::{Entity, Frame, State};
use crate::content::{
    Content, CounterId, EntryId, EventId, HookId, PhaseId, PieceId, SeatId, Symbols,
};
use crate::value::{Text, Value};

/// The deepest nesting of hooks that trigger each other.
pub const MAX_DEPTH: usize = 32;
/// The most events that one step may fire.
pub const MAX_EVENTS: u32 = 10_000;
/// The work limit of a step, in script operations. Native work is counted in the same unit.
pub const MAX_WORK: u64 = 400_000;

/// Why a primitive returned early.
#[derive(Debug)]
pub enum Stop {
    /// No recorded answer and no agent can answer a question. The step runs again once it is
    /// answered.
    Suspend,
    /// The game has ended; the rest of the step is dropped.
    Over,
    /// The script has decided and ends, as after `deny`. The runner catches it.
    Leave,
    /// A script failed or exceeded a limit.
    Fault(Box<Fault>),
}

/// A run-time error in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The innermost hook that was running; `None` for an error in data.
    pub hook: Option<HookId>,
    /// The number of the hook run within the step; 0 outside any hook.
    pub run: u32,
    /// The message, for the pack's author.
    pub message: String,
    /// The source location, if known.
    pub at: Option<FaultLocation>,
}

/// A source location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultLocation {
    /// The file of functions; `None` for the hook's own script.
    pub source: Option<String>,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
}

/// The result of a primitive. Any primitive that can run a hook returns [`Stop`] if that hook
/// suspends or faults.
pub type StepResult<T = ()> = Result<T, Stop>;

/// A running hook and the names it sees.
#[derive(Clone, Debug)]
pub struct HookCall {
    pub hook: HookId,
    /// The entry that declares the hook.
    pub entry: EntryId,
    /// The piece that the script sees as `it`.
    pub it: Option<PieceId>,
    pub owner: Option<SeatId>,
    pub actor: Option<SeatId>,
    /// The item of the action's `each` list, or the value passed to a follow-up.
    pub argument: Value,
    /// The effect that the hook belongs to.
    pub effect: Option<u32>,
    /// The number of questions the hook has asked so far, used in the id of the next one.
    pub question_count: u16,
    /// The number of this hook run within the step.
    pub run: u32,
}

/// What the `can` script decided about a menu option.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    #[default]
    Open,
    Hidden,
    /// Closed, with the reason.
    Closed(Box<str>),
}

/// A script that waits for an answer, with everything it needs to resume.
pub trait SuspendedScript {
    /// Resumes with the recorded answer.
    ///
    /// # Errors
    /// Returns [`Stop`] if the script suspends again or faults.
    fn resume(self: Box<Self>, cx: &mut Cx) -> StepResult<Value>;

    /// Clones the script, for a copy of the game.
    fn boxed(&self) -> Box<dyn SuspendedScript>;
}

/// What a step still has to do after its final hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterHook {
    /// Nothing.
    StepEnds,
    /// The next stages of a phase, while the agenda has this many frames.
    Phase(PhaseId, usize),
}

/// What an exploration of outcomes records.
#[derive(Clone, Debug, Default)]
pub struct ExplorationRecord {
    /// The flags that scripts have read, in order.
    pub flags: Vec<(Entity, CounterId)>,
    /// The texts of the results that have applied, in order.
    pub results: Vec<String>,
}

/// A step that waits for an answer and can resume where it stopped.
pub struct SuspendedStep {
    /// The script that asks.
    pub script: Box<dyn SuspendedScript>,
    /// The call of its hook.
    pub call: HookCall,
    /// What the step still has to do after the hook.
    pub after: AfterHook,
}

impl Clone for SuspendedStep {
    fn clone(&self) -> SuspendedStep {
        SuspendedStep {
            script: self.script.boxed(),
            call: self.call.clone(),
            after: self.after,
        }
    }
}

/// The parts of the `each` item that an option's hooks read. Options with equal inputs get the same
/// verdict, so the verdict is cached.
pub type OptionInputs = SmallVec<[Value; 4]>;

/// Runs hooks. Packs use scripts, benchmarks use closures.
pub trait HookRunner {
    /// Runs the hook of the last call in `cx.calls` and returns its value.
    ///
    /// # Errors
    /// Returns [`Stop`] if the hook suspends or faults.
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Value>;

    /// The counter that a hook is restricted to, if the runner knows it.
    fn counter_guard(&self, _hook: HookId) -> Option<Text> {
        None
    }

    /// The parts of the `each` item that the hooks of an option read; `None` if the runner cannot
    /// tell.
    fn option_inputs(&self, _hooks: &[HookId], _each: &Value) -> Option<OptionInputs> {
        None
    }

    /// Resumes the script of a hook that waited for an answer.
    ///
    /// # Errors
    /// Returns [`Stop`] if the hook suspends again or faults.
    fn resume(
        &self,
        cx: &mut Cx,
        _hook: HookId,
        script: Box<dyn SuspendedScript>,
    ) -> StepResult<Value> {
        script.resume(cx)
    }
}

/// The data of a running step.
pub struct StepContext {
    /// The game state, which the step changes.
    pub state: State,
    /// The immutable part of the game.
    pub rules: Rc<Rules>,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The role of each player, if it was chosen before the game.
    pub(crate) roles: Vec<Option<EntryId>>,
    /// What has happened so far.
    pub log: Log,
    /// The running hooks, innermost last.
    pub calls: Vec<HookCall>,
    /// The pack of the running script, in which its names are resolved.
    pub script_pack: u16,
    /// The pieces that listen, as of the last event or query.
    pub(crate) listening: RefCell<super::event::ListeningPieces>,
    /// The events being fired, innermost last.
    pub events: Vec<Event>,
    /// The packets in flight, innermost last.
    pub packets: Vec<Packet>,
    /// The queries being evaluated, innermost last.
    pub(crate) queries: Vec<QueryContext>,
    /// The answers recorded since the checkpoint. Steps that run again consume them in order.
    pub answers: Vec<Answer>,
    /// How many of them the steps before this one have consumed.
    pub(crate) first_answer: usize,
    /// The index of the next answer to consume.
    pub(crate) next_answer: usize,
    /// Decides at once instead of suspending the step.
    pub(crate) agent: Option<Box<dyn Agent>>,
    /// The labels of the next question.
    pub(crate) labels: super::question::QuestionLabels,
    /// The question that waits for an answer.
    pub(crate) pending: Option<Box<Question>>,
    /// What the step still has to do after the running hook, if that is its final hook: only then
    /// can a script resume where it asked.
    pub after_hook: Option<AfterHook>,
    /// The step that waits for an answer, if it can resume where it stopped.
    pub suspended: Option<Box<SuspendedStep>>,
    /// Frames started in this step, in order.
    pub(crate) queue: Vec<Frame>,
    /// How many read-only scripts are running; writes are refused while it is above 0.
    pub(crate) read_only: u16,
    /// Whether the game is only evaluated after one answer. It then stops before the next menu,
    /// because building its options would cost time.
    pub(crate) evaluation_only: bool,
    /// Operations used by this step; see [`MAX_WORK`].
    pub(crate) work: u64,
    /// Events fired in this step; see [`MAX_EVENTS`].
    pub(crate) fired: u32,
    /// Hook runs in this step.
    pub(crate) runs: u32,
    /// Hook runs since the game started, including those of repeated steps.
    pub(crate) all_runs: u32,
    /// Hook runs of this step that failed before and are skipped, with the fault text.
    pub(crate) skips: Vec<(u32, Box<str>)>,
    /// Chosen entry options as (option list, index); `None` if they are not recorded.
    pub(crate) chosen_options: Option<Vec<(Value, usize)>>,
    /// What an exploration of outcomes records; `None` in games.
    pub(crate) exploration: Option<Box<ExplorationRecord>>,
    /// The numbers being forced, if any.
    pub(crate) forced_numbers: Option<ForcedNumbers>,
    /// How results that were set in advance were used, in order.
    pub(crate) forced_uses: Vec<super::chance::ForcedUse>,
    /// What the `can` script has decided about the current menu option.
    pub(crate) verdict: Verdict,
    /// The contributions to the amount of the next packet.
    pub(crate) pending_contributions: Vec<super::log::Contribution>,
    /// The acting seat.
    pub(crate) actor: Option<SeatId>,
    /// The recorded answers; `None` in simulations.
    pub(crate) journal: Option<Vec<super::journal::JournalLine>>,
    /// Whether questions with a single valid answer are asked anyway, as replays need it.
    pub(crate) asks_forced: bool,
    /// Every fault of this game.
    pub(crate) faults: Vec<Fault>,
}

/// The step context. It is boxed, so that moving it moves a single pointer.
pub struct Cx(Box<StepContext>);

impl Cx {
    /// Wraps the context of a step.
    #[must_use]
    pub fn new(context: StepContext) -> Cx {
        Cx(Box::new(context))
    }

    /// Records that a script reads a flag.
    pub(crate) fn record_flag_read(&mut self, entity: Entity, flag: CounterId) {
        if let Some(record) = &mut self.exploration
            && !record.flags.contains(&(entity, flag))
        {
            record.flags.push((entity, flag));
        }
    }

    /// Records the text of a result that applies.
    pub(crate) fn record_result(&mut self, text: String) {
        if let Some(record) = &mut self.exploration
            && !record.results.contains(&text)
        {
            record.results.push(text);
        }
    }

    /// Takes the step context out, leaving an empty one.
    #[must_use]
    pub fn take(&mut self) -> Cx {
        let empty =
            super::step::new_step_context(self.rules.clone(), State::default(), &Setup::default());
        std::mem::replace(self, Cx::new(empty))
    }
}

impl Deref for Cx {
    type Target = StepContext;

    #[inline]
    fn deref(&self) -> &StepContext {
        &self.0
    }
}

impl DerefMut for Cx {
    #[inline]
    fn deref_mut(&mut self) -> &mut StepContext {
        &mut self.0
    }
}

impl StepContext {
    /// The compiled definitions of the packs.
    #[must_use]
    pub fn content(&self) -> &Arc<Content> {
        &self.rules.content
    }

    /// Whether any hook may listen to an event. For most events this is a load and a branch, so
    /// that events without listeners cost almost nothing.
    #[must_use]
    #[inline]
    pub fn has_listeners(&self, event: EventId) -> bool {
        match self.rules.listener_kind(event) {
            ListenerKind::Always => true,
            ListenerKind::Nobody => self.is_awaited(event),
            ListenerKind::Sometimes => {
                self.is_awaited(event) || super::event::may_have_listener(self, event)
            }
        }
    }

    /// Whether an effect may start or end at an event.
    #[must_use]
    #[inline]
    pub fn is_awaited(&self, event: EventId) -> bool {
        self.state.awaited != 0 && self.state.awaited >> (event.0 & 127) & 1 == 1
    }

    /// Whether a script that asks now can resume at the question: its hook is the final one of the
    /// step, and no other hook is running. Otherwise the step runs again with the answer.
    #[must_use]
    #[inline]
    pub fn can_resume_in_place(&self) -> bool {
        self.after_hook.is_some() && self.calls.len() == 1
    }

    /// The running hook, as the cause of a log line.
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.calls.last().map_or(Cause::default(), |call| Cause {
            entry: Some(call.entry),
            hook: Some(call.hook),
            piece: call.it,
        })
    }

    /// The definitions that a name refers to in the running script. A function of another pack may
    /// have received the name from the hook, so the pack of the hook is searched, too.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Symbols {
        let symbols = self.content().symbol_in(self.script_pack, name);
        match self.other_hook_pack() {
            Some(pack) => symbols.or(self.content().symbol_in(pack, name)),
            None => symbols,
        }
    }

    /// The entry that a name refers to in the running script.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<EntryId> {
        let found = self.content().find_in(self.script_pack, name);
        found.or_else(|| self.content().find_in(self.other_hook_pack()?, name))
    }

    /// The pack of the running hook, if the hook has called a function of another pack.
    fn other_hook_pack(&self) -> Option<u16> {
        let call = self.calls.last()?;
        let pack = self.content().hooks[call.hook.ix()].script.by;
        (pack != self.script_pack).then_some(pack)
    }

    /// The name by which the running script refers to an entry of its kind.
    #[must_use]
    pub fn name_of(&self, entry: EntryId) -> Text {
        self.content().name_in(self.script_pack, entry)
    }

    /// Whether a name refers to an entry in the running script.
    #[must_use]
    pub fn is_named(&self, entry: EntryId, name: &str) -> bool {
        self.content().is_name_in(self.script_pack, entry, name)
    }

    /// Creates a fault of the running hook.
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

    /// Charges work to the step.
    ///
    /// # Errors
    /// Returns a fault if the step exceeds `MAX_WORK`.
    #[inline]
    pub fn charge_work(&mut self, work: u64) -> StepResult {
        self.work += work;
        if self.work > MAX_WORK {
            Err(self.exceeded_work())
        } else {
            Ok(())
        }
    }

    #[cold]
    fn exceeded_work(&self) -> Stop {
        self.fault(work_limit_message())
    }

    /// Refuses a write while a read-only script runs, and charges its work.
    ///
    /// # Errors
    /// Returns a fault in a read-only script, or if the step exceeds its work limit.
    #[inline]
    pub fn require_write_access(&mut self, action: &str) -> StepResult {
        if self.read_only > 0 {
            return Err(self.refused_write(action));
        }
        self.charge_work(8)
    }

    #[cold]
    fn refused_write(&self, action: &str) -> Stop {
        self.fault(format!(
            "{action} changes the game, but this script is read-only: it runs whenever a menu or a number is shown"
        ))
    }

    /// The seat that owns a piece, directly or through up to eight nested pieces.
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

    /// The innermost fight.
    #[must_use]
    pub fn fight(&self) -> Option<&super::state::Fight> {
        self.state.fights.last()
    }

    /// The entry that a piece is a copy of.
    #[must_use]
    pub fn entry_of(&self, piece: PieceId) -> EntryId {
        self.state.pieces[piece.ix()].entry
    }

    /// The seat whose turn it is.
    #[must_use]
    pub const fn active(&self) -> SeatId {
        SeatId(self.state.active)
    }

    /// The seat whose turn it is for the running script: the acting seat if all take their turns
    /// together, otherwise the active seat.
    #[must_use]
    pub fn acting(&self) -> SeatId {
        let mode = self.content().mode.as_ref();
        let actor = self.calls.last().and_then(|call| call.actor);
        let shared = actor.filter(|_| mode.is_some_and(|mode| mode.turns_together));
        shared.unwrap_or(self.active())
    }
}

#[must_use]
pub fn work_limit_message() -> String {
    const { assert!(MAX_WORK == 400_000 && MAX_EVENTS == 10_000) };
    "work limit exceeded (400,000 operations or 10,000 events in one step): check for an endless loop, or for events that cause each other"
        .to_owned()
}

/// Runs a hook and returns its value. A run that failed before is skipped.
pub fn run_hook(cx: &mut Cx, mut call: HookCall) -> StepResult<Value> {
    cx.runs += 1;
    cx.all_runs = cx.all_runs.wrapping_add(1);
    let run = cx.runs;
    if let Some((_, reason)) = cx.skips.iter().find(|(skip, _)| *skip == run) {
        let text = reason.clone();
        return Ok(skip_failed_run(cx, call.hook, text));
    }
    if cx.calls.len() >= MAX_DEPTH {
        return Err(cycle_diagnostic(cx));
    }
    let hook = call.hook;
    let (read_only, pack) = {
        let def = &cx.content().hooks[hook.ix()];
        (def.role.read_only(), def.script.by)
    };
    call.run = run;
    cx.calls.push(call);
    cx.read_only += u16::from(read_only);
    let rules = cx.rules.clone();
    let outer_pack = std::mem::replace(&mut cx.script_pack, pack);
    let result = rules.runner.run(cx, hook);
    cx.script_pack = outer_pack;
    cx.read_only -= u16::from(read_only);
    cx.calls.pop();
    result
}

/// Runs the hook that is the last part of a step, so that a question of its script can be answered
/// without running the step again.
pub fn run_last_hook(cx: &mut Cx, call: HookCall, after: AfterHook) -> StepResult {
    cx.after_hook = Some(after);
    let result = run_hook(cx, call);
    cx.after_hook = None;
    result.map(|_| ())
}

/// Skips a run that failed before: logs the fault, and closes the option if the hook is a `can`.
fn skip_failed_run(cx: &mut Cx, hook: HookId, text: Box<str>) -> Value {
    if cx.content().hooks[hook.ix()].role == crate::content::HookRole::Can {
        cx.verdict = Verdict::Closed(super::render::catalogue::closed::SCRIPT_FAILED.into());
    }
    cx.log
        .push(super::log::LogEvent::Fault { text }, Cause::default(), &[]);
    Value::Unit
}

fn cycle_diagnostic(cx: &Cx) -> Stop {
    let names: Vec<String> = cx
        .calls
        .iter()
        .rev()
        .take(6)
        .map(|call| cx.content().hook_name(call.hook))
        .collect();
    cx.fault(format!(
        "hooks trigger each other more than {MAX_DEPTH} levels deep: {}",
        names.join(" ← ")
    ))
}

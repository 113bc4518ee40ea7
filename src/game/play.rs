//! A game in progress. At every decision it is a plain value that can be copied.

use std::rc::Rc;

use super::context::{
    Cx, Fault, HookCall, Rules, StepContext, StepResult, Stop, SuspendedStep, Verdict, run_hook,
};
use super::decision::{self, Decision};
use super::fault::{describe, failed_action, frame_name};
use super::journal::JournalLine;
use super::log::{Cause, Log, LogEvent};
use super::question::{Agent, Answer, Question, QuestionId};
use super::setup::Setup;
use super::state::{Frame, FrameKind, GameOutcome, GameStage, State};
use super::view::{self, View};
use super::{agenda, initial, menu};
use crate::content::{Content, EntryId, HookId, SeatId};
use crate::value::Value;

/// A game ends after this many steps without a question, because it would run forever.
const MAX_STEPS: u32 = 20_000;
/// After this many faults in one step, its frame is dropped.
const MAX_SKIPPED_HOOKS: usize = 8;
/// The same limit for faults in read-only scripts, which affect only a menu option or a number.
const MAX_QUERY_FAULTS: usize = 300;

/// The status of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// A question waits for an answer.
    Asking,
    /// The game is over.
    Over,
    /// The game has reached the point set with [`Game::pause_at`].
    Paused,
}

/// How a step starts.
#[derive(Default)]
pub(super) enum StepStart {
    /// From the current state.
    #[default]
    Fresh,
    /// Again, from the restored state.
    Again,
    /// In the middle, with the answer to a menu.
    Menu(Box<Question>),
    /// In the middle of a script, with the answer to its question.
    Script(Box<SuspendedStep>),
}

/// A game in progress.
pub struct Game {
    /// While a question is pending, this has the state in which the question arose.
    pub(super) cx: Cx,
    /// The checkpoint at the start of the step, from which it runs again with the answer.
    pub(super) step_start: State,
    /// The length of the log at the start of the step.
    pub(super) log_start: usize,
    /// Steps since the last question.
    pub(super) idle_steps: u32,
    /// Steps that must run one by one, because the step after them faults.
    pub(super) single_steps: u32,
    /// Whether the pending menu can resume in place, because the step only evaluated its options.
    pub(super) fresh_menu: bool,
    pub(super) setup: Setup,
    /// Whether the initial state of the setup has been applied.
    pub(super) initial_done: bool,
    /// The game pauses when at most this many frames are left on the agenda, after its initial
    /// state has been applied.
    pub(super) pause: Option<usize>,
}

impl Game {
    /// Creates a game whose setup has not run yet.
    ///
    /// # Errors
    /// Returns the reason if there is no mode, the mode does not allow this number of seats, or a
    /// role does not exist.
    pub fn new(rules: Rc<Rules>, setup: Setup) -> Result<Game, String> {
        let seats = u8::try_from(setup.names.len()).unwrap_or(u8::MAX);
        let mode = rules.content.mode.as_ref().ok_or("no mode is selected")?;
        if !(mode.seats_min..=mode.seats_max).contains(&seats) {
            let wanted = match (mode.seats_min, mode.seats_max) {
                (min, max) if min == max => min.to_string(),
                (min, max) => format!("{min} to {max}"),
            };
            let title = &rules.content.entry(mode.entry).title;
            return Err(format!(
                "{title} is for {wanted} players, not {seats}: name each with `--player NAME=WHO`"
            ));
        }
        let roles = setup.roles(&rules.content)?;
        let mut state = State::new(&rules.content, seats, setup.seed);
        state.forced.clone_from(&setup.forced);
        let mut game = Game::with_state(rules, state, setup);
        game.cx.roles = roles;
        Ok(game)
    }

    pub(super) fn with_state(rules: Rc<Rules>, state: State, setup: Setup) -> Game {
        Game {
            cx: Cx::new(new_step_context(rules, state, &setup)),
            step_start: State::default(),
            log_start: 0,
            idle_steps: 0,
            single_steps: 0,
            fresh_menu: false,
            setup,
            initial_done: false,
            pause: None,
        }
    }

    /// The step context, for agents and front ends that inspect it.
    #[must_use]
    pub fn context(&self) -> &StepContext {
        &self.cx
    }

    /// The state; while a question is pending, as of the question.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.cx.state
    }

    /// The state at the start of the pending step.
    #[must_use]
    pub fn step_start_state(&self) -> &State {
        if self.cx.pending.is_some() {
            &self.step_start
        } else {
            &self.cx.state
        }
    }

    /// The compiled definitions of the packs.
    #[must_use]
    pub fn content(&self) -> &Content {
        self.cx.content()
    }

    /// The recorded answers; empty if the game keeps no journal.
    #[must_use]
    pub fn journal(&self) -> &[JournalLine] {
        self.cx.journal.as_deref().unwrap_or(&[])
    }

    /// What has happened so far.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.cx.log
    }

    /// The faults of scripts so far.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.cx.faults
    }

    /// Resets the game to a state of the same game, reusing every buffer. The log is cleared.
    pub fn reset(&mut self, state: &State) {
        self.cx.state.clone_from(state);
        self.cx.log.lines.clear();
        self.cx.answers.clear();
        self.cx.skips.clear();
        self.cx.pending = None;
        self.cx.suspended = None;
        self.cx.all_runs = 0;
        self.initial_done = true;
    }

    /// Runs the setup of a game that starts at a later point, up to that point. The agent answers
    /// the questions of the setup.
    ///
    /// # Errors
    /// Returns the reason if an answer is not valid.
    pub fn set_up_by(&mut self, agent: &mut dyn Agent) -> Result<(), String> {
        self.pause = Some(usize::MAX);
        let mut status = self.run();
        while status == Status::Asking
            && let Some(question) = self.cx.pending.as_deref()
        {
            let answer = agent.decide(&self.cx, question);
            status = self.answer(answer)?;
        }
        self.pause = None;
        Ok(())
    }

    /// Pauses a game that starts at a later point as soon as at most `frames` frames are left on
    /// its agenda. With 1, it pauses when everything it started with is over.
    pub fn pause_at(&mut self, frames: Option<usize>) {
        self.pause = frames;
    }

    fn should_pause(&self) -> bool {
        self.initial_done
            && self
                .pause
                .is_some_and(|frames| self.cx.state.agenda.len() <= frames)
    }

    /// Forces the random numbers requested from the first call of this function on; see
    /// [`Game::requested_numbers`].
    pub fn force_numbers(&mut self, numbers: &[u32]) {
        self.cx.forced_numbers.get_or_insert_default().forced = numbers.to_vec();
    }

    /// The exclusive upper bound of each random number requested since the first
    /// [`Game::force_numbers`].
    #[must_use]
    pub fn requested_numbers(&self) -> &[u32] {
        self.cx
            .forced_numbers
            .as_ref()
            .map_or(&[], |forced| &forced.requested)
    }

    /// Takes the entry options chosen since the last call, as (option list, index). Empty unless
    /// [`Setup::records_options`] is set.
    pub fn take_chosen_options(&mut self) -> Vec<(Value, usize)> {
        self.cx
            .chosen_options
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Lets an agent decide at once; with `None`, questions are handed to the caller.
    pub fn seat_agent(&mut self, agent: Option<Box<dyn Agent>>) {
        self.cx.agent = agent;
    }

    /// Hook runs since the game started or was reset.
    #[must_use]
    pub fn hook_runs(&self) -> u32 {
        self.cx.all_runs
    }

    /// The question that waits for an answer.
    #[must_use]
    pub fn pending(&self) -> Option<&Question> {
        self.cx.pending.as_deref()
    }

    /// The pending question, rendered for players.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        self.pending()
            .map(|question| decision::render(&self.cx, question))
    }

    /// Runs a read-only script for a seat, such as a panel with the text typed after its command.
    ///
    /// # Errors
    /// Returns the fault of the script.
    pub fn run_read_only(
        &mut self,
        hook: HookId,
        entry: EntryId,
        seat: Option<SeatId>,
        each: Value,
    ) -> Result<Value, String> {
        reset_step(&mut self.cx);
        self.fresh_menu = false;
        self.cx.actor = seat;
        let call = HookCall {
            hook,
            entry,
            it: None,
            owner: None,
            actor: seat,
            each,
            effect: None,
            question_count: 0,
            run: 0,
        };
        run_hook(&mut self.cx, call).map_err(|stop| match stop {
            Stop::Fault(fault) => describe(&self.cx, &fault),
            Stop::Suspend | Stop::Over | Stop::Leave => {
                "a read-only script can neither ask a question nor end the game".to_owned()
            }
        })
    }

    /// What a seat may see.
    #[must_use]
    pub fn view(&self, seat: SeatId) -> View {
        view::view(&self.cx, seat)
    }

    /// Answers the pending question and runs to the next one.
    ///
    /// # Errors
    /// Returns the reason if the answer is not valid; the game is unchanged.
    pub fn answer(&mut self, answer: Answer) -> Result<Status, String> {
        let question = self.cx.pending.take().ok_or("no question is pending")?;
        if let Err(why) = question.check_answer(&answer) {
            self.cx.pending = Some(question);
            return Err(why);
        }
        super::journal::record_answer(&mut self.cx, &question, &answer);
        self.cx.answers.push(answer);
        if let Some(suspended) = self.cx.suspended.take() {
            return Ok(self.run_steps(StepStart::Script(suspended)));
        }
        if self.fresh_menu {
            return Ok(self.run_steps(StepStart::Menu(question)));
        }
        self.rewind_step();
        Ok(self.run_steps(StepStart::Again))
    }

    /// Answers the pending question with option keys.
    ///
    /// # Errors
    /// Returns the reason if the answer is not valid; the game is unchanged.
    pub fn answer_keys(&mut self, seat: SeatId, keys: &[String]) -> Result<Status, String> {
        let question = self.pending().ok_or("no question is pending")?;
        let answer = decision::parse(&self.cx, question, seat, keys)?;
        self.answer(answer)
    }

    /// Runs until a question is pending or the game is over.
    pub fn run(&mut self) -> Status {
        if self.cx.pending.take().is_some() {
            self.rewind_step();
        }
        self.run_steps(StepStart::Fresh)
    }

    /// Restores the checkpoint at the start of the pending step.
    pub(super) fn rewind_step(&mut self) {
        self.cx.suspended = None;
        self.cx.state.clone_from(&self.step_start);
        self.cx.log.lines.truncate(self.log_start);
    }

    pub(super) fn run_steps(&mut self, begin: StepStart) -> Status {
        let mut begin = begin;
        self.idle_steps = 0;
        loop {
            // A step that resumes has begun before; it may already have changed the agenda.
            if !matches!(begin, StepStart::Menu(_) | StepStart::Script(_)) {
                if self.cx.state.outcome.is_some() {
                    return Status::Over;
                }
                if self.cx.state.agenda.is_empty() || self.idle_steps > MAX_STEPS {
                    self.give_up();
                    return Status::Over;
                }
                if self.should_pause() {
                    return Status::Paused;
                }
            }
            let asked = self.cx.answers.len();
            if self.step(std::mem::take(&mut begin)) {
                let menu = |question: &Question| {
                    matches!(question.id, QuestionId::Menu(_)) && self.cx.answers.is_empty()
                };
                self.fresh_menu = self.cx.pending.as_deref().is_some_and(menu);
                return Status::Asking;
            }
            self.idle_steps = if asked > 0 || self.cx.next_answer > 0 {
                0
            } else {
                self.idle_steps + 1
            };
        }
    }

    fn give_up(&mut self) {
        if self.idle_steps > MAX_STEPS {
            let frame = self
                .cx
                .state
                .agenda
                .last()
                .map(|frame| frame_name(&self.cx, frame))
                .unwrap_or_default();
            let text = format!(
                "no question in {MAX_STEPS} steps, the last in {frame}: the game is stuck and ends here"
            );
            self.cx.faults.push(Fault {
                hook: None,
                run: 0,
                message: text.clone(),
                at: None,
            });
            self.cx
                .log
                .push(LogEvent::Fault { text: text.into() }, Cause::default(), &[]);
        }
        self.cx.state.outcome = Some(GameOutcome::default());
    }

    /// Runs one step and returns whether a question is pending.
    fn step(&mut self, mut how: StepStart) -> bool {
        if matches!(how, StepStart::Fresh) {
            self.step_start.clone_from(&self.cx.state);
            self.log_start = self.cx.log.lines.len();
        }
        let mut batched = 0;
        loop {
            let resumed = match std::mem::take(&mut how) {
                // Evaluating menu options changes nothing, so the step can resume in place.
                StepStart::Menu(question) => Some(agenda::answer_menu(&mut self.cx, &question)),
                StepStart::Script(suspended) => Some(agenda::resume(&mut self.cx, *suspended)),
                StepStart::Fresh | StepStart::Again => None,
            };
            let result = match resumed {
                Some(Err(Stop::Fault(_))) => {
                    // Faults are handled for the step as a whole.
                    self.rewind_step();
                    continue;
                }
                Some(result) => result,
                None => {
                    reset_step(&mut self.cx);
                    if self.needs_initial_state() {
                        self.apply_initial_state()
                    } else {
                        agenda::step(&mut self.cx)
                    }
                }
            };
            match result {
                // No question and no hook: if the next step fails, repeating this one costs less
                // than another checkpoint.
                Ok(()) if self.can_batch(&mut batched) => self.idle_steps += 1,
                Ok(()) | Err(Stop::Over | Stop::Leave) => {
                    let used = self.cx.next_answer.min(self.cx.answers.len());
                    self.cx.answers.drain(..used);
                    self.cx.skips.clear();
                    return false;
                }
                Err(Stop::Suspend) => return true,
                Err(Stop::Fault(fault)) => {
                    self.rewind_step();
                    self.cx.queue.clear();
                    if batched > 0 {
                        // The steps before it succeeded. Run them one by one, so that only the
                        // failing step is handled.
                        self.single_steps = batched;
                        batched = 0;
                        continue;
                    }
                    if self.handle_fault(*fault) {
                        return false;
                    }
                }
            }
        }
    }

    /// Whether the finished step can share its checkpoint with the next one.
    fn can_batch(&mut self, count: &mut u32) -> bool {
        if self.single_steps > 0 {
            self.single_steps -= 1;
            return false;
        }
        *count += 1;
        let context = self.context();
        context.runs == 0
            && context.next_answer == 0
            && context.state.outcome.is_none()
            && !context.state.agenda.is_empty()
            && !self.should_pause()
            && *count < 64
    }

    /// Handles a fault and returns whether the step is over.
    fn handle_fault(&mut self, fault: Fault) -> bool {
        let needs_initial_state = self.needs_initial_state();
        let cx = &mut self.cx;
        let run = fault.run;
        let text: Box<str> = describe(cx, &fault).into();
        let action = failed_action(cx, &fault);
        let read_only = fault
            .hook
            .is_some_and(|hook| cx.content().hooks[hook.ix()].role.read_only());
        cx.faults.push(fault);
        // Answers given inside the skipped run are no longer needed.
        cx.answers.retain(|answer| !answer.during.contains(&run));
        if run == 0 && needs_initial_state {
            // Start the game as its mode defines.
            self.initial_done = true;
        } else if let Some((entry, piece, seat)) = action {
            menu::close_action(cx, entry, piece, seat);
        } else if run == 0
            || cx.skips.len()
                >= if read_only {
                    MAX_QUERY_FAULTS
                } else {
                    MAX_SKIPPED_HOOKS
                }
        {
            let outermost = cx.state.agenda.len() <= 1;
            if outermost {
                cx.state.outcome = Some(GameOutcome::default());
            } else {
                cx.state.agenda.pop();
            }
        } else {
            cx.skips.push((run, text));
            return false;
        }
        cx.log.push(LogEvent::Fault { text }, Cause::default(), &[]);
        cx.answers.clear();
        cx.skips.clear();
        true
    }

    fn needs_initial_state(&self) -> bool {
        let started = matches!(
            self.cx.state.agenda.last(),
            Some(Frame {
                kind: FrameKind::Game {
                    stage: GameStage::Start
                },
                ..
            })
        );
        started
            && !self.initial_done
            && (self.setup.initial.is_some() || self.content().setup_script.is_some())
    }

    /// Applies the initial state: first the data, then the author's script.
    fn apply_initial_state(&mut self) -> StepResult {
        // Count this as a hook run, so that the next step starts with a new checkpoint.
        self.cx.runs += 1;
        self.cx.actor = Some(SeatId(0));
        let off = std::mem::replace(&mut self.cx.log.off, true);
        let result = self.build_initial_state();
        self.cx.log.off = off;
        result?;
        let queued = std::mem::take(&mut self.cx.queue);
        // The queued frames run first; the regular start of the game follows.
        self.cx.state.agenda.extend(queued.into_iter().rev());
        self.initial_done = true;
        Ok(())
    }

    fn build_initial_state(&mut self) -> StepResult {
        if let Some(initial) = &self.setup.initial {
            let resolved = initial.resolve(self.cx.content(), self.cx.state.seats);
            let fault = |why| self.cx.fault(format!("{}{why}", initial::FAULT_PREFIX));
            resolved.map_err(fault)?.apply(&mut self.cx)?;
        }
        if let Some((entry, hook)) = self.content().setup_script {
            agenda::run_for(&mut self.cx, hook, entry, None)?;
        }
        Ok(())
    }
}

impl Clone for Game {
    fn clone(&self) -> Game {
        let mut copy = self.without_log();
        copy.setup = self.setup.clone();
        copy.cx.labels.off = self.cx.labels.off;
        copy.log_start = self.log_start;
        copy.cx.log = self.cx.log.clone();
        copy.cx.journal.clone_from(&self.cx.journal);
        copy.cx.faults.clone_from(&self.cx.faults);
        copy
    }
}

/// The context of a game before its first step.
pub(super) fn new_step_context(rules: Rc<Rules>, state: State, setup: &Setup) -> StepContext {
    StepContext {
        state,
        roles: Vec::new(),
        rules,
        names: setup.names.clone(),
        log: Log {
            lines: Vec::new(),
            off: !setup.log,
        },
        calls: Vec::new(),
        script_pack: 0,
        listening: std::cell::RefCell::default(),
        events: Vec::new(),
        packets: Vec::new(),
        queries: Vec::new(),
        answers: Vec::new(),
        next_answer: 0,
        agent: None,
        labels: super::question::QuestionLabels::new(setup.without_labels),
        pending: None,
        after_hook: None,
        suspended: None,
        queue: Vec::new(),
        read_only: 0,
        evaluation_only: false,
        work: 0,
        fired: 0,
        runs: 0,
        all_runs: 0,
        skips: Vec::new(),
        verdict: Verdict::Open,
        chosen_options: setup.records_options.then(Vec::new),
        forced_numbers: None,
        pending_contributions: Vec::new(),
        actor: None,
        journal: setup.journal.then(Vec::new),
        faults: Vec::new(),
    }
}

/// Clears the data that belongs to a single run of a step.
fn reset_step(cx: &mut Cx) {
    cx.next_answer = 0;
    cx.work = 0;
    cx.fired = 0;
    cx.runs = 0;
    cx.read_only = 0;
    cx.calls.clear();
    cx.events.clear();
    cx.packets.clear();
    cx.queries.clear();
    cx.queue.clear();
    cx.pending_contributions.clear();
    cx.after_hook = None;
    cx.suspended = None;
    super::question::reset_labels(cx);
}

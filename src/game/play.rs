//! A game in progress. At every decision it is a plain value that can be copied.

use std::rc::Rc;

use super::context::{
    Cx, ExplorationRecord, Fault, HookCall, StepContext, StepResult, Stop, SuspendedStep, run_hook,
};
use super::decision::{self, Decision};
use super::fault::{describe, failed_action, frame_name};
use super::journal::JournalLine;
use super::limit::StepLimit;
use super::log::{Cause, Log, LogEvent};
use super::question::{Agent, Answer, Question, QuestionId};
use super::rules::Rules;
use super::setup::Setup;
use super::state::{Entity, Frame, FrameKind, GameOutcome, GameStage, State};
use super::step::{clear_step, new_step_context, reset_step};
use super::view::{self, View};
use super::{agenda, campaign, counter, initial, menu};
use crate::content::{Content, CounterId, EntryId, HookId, SeatId};
use crate::value::Value;

/// A game ends after this many steps without a question, because it would run forever.
const MAX_STEPS: u32 = 20_000;
/// After this many faults in one step, its frame is dropped.
const MAX_SKIPPED_HOOKS: usize = 8;
/// The same limit for faults in read-only scripts, which affect only a menu option or a number.
const MAX_QUERY_FAULTS: usize = 300;
/// The most steps that share a checkpoint.
const MAX_BATCH: u32 = 64;

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
    /// In the middle, with the answer to a menu.
    Menu(Box<Question>),
    /// In the middle of a script, with the answer to its question.
    Script(Box<SuspendedStep>),
}

/// A game in progress.
#[allow(clippy::struct_excessive_bools, reason = "separate facts")]
pub struct Game {
    /// While a question is pending, this has the state in which the question arose.
    pub(super) cx: Cx,
    /// The state from which the last steps can be repeated with the recorded answers.
    pub(super) checkpoint: State,
    /// The length of the log at the checkpoint.
    pub(super) log_start: usize,
    /// Steps that have finished since the checkpoint; `None` if they cannot be repeated from it.
    pub(super) batched: Option<u32>,
    /// Steps since the last question.
    pub(super) idle_steps: u32,
    /// Steps that each need a checkpoint, because the step after them must be repeated alone.
    pub(super) single_steps: u32,
    /// Whether the pending menu can resume in place, because the step only evaluated its options.
    pub(super) menu_can_resume: bool,
    pub(super) setup: Setup,
    /// Whether the initial state of the setup has been applied.
    pub(super) initial_done: bool,
    /// Whether applying it has begun.
    pub(super) initial_begun: bool,
    /// Whether the setup is over.
    pub(super) is_set_up: bool,
    /// The number of forced results that the setup did not use, if others follow.
    pub(super) unused_in_setup: usize,
    /// The game pauses when at most this many frames are left on the agenda, after its initial
    /// state has been applied.
    pub(super) pause: Option<usize>,
    pub(super) limit: StepLimit,
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
            checkpoint: State::default(),
            log_start: 0,
            batched: None,
            idle_steps: 0,
            single_steps: 0,
            menu_can_resume: false,
            setup,
            initial_done: false,
            initial_begun: false,
            is_set_up: false,
            unused_in_setup: 0,
            pause: None,
            limit: StepLimit::default(),
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
        if self.cx.pending.is_some() && !self.menu_can_resume {
            &self.checkpoint
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
        self.cx.first_answer = 0;
        self.cx.skips.clear();
        self.cx.pending = None;
        clear_step(&mut self.cx);
        self.cx.all_runs = 0;
        self.batched = None;
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

    /// Starts to record what an exploration of outcomes needs; copies of the game record it too.
    pub fn explore(&mut self) {
        self.cx.exploration = Some(Box::default());
    }

    /// What was recorded since [`Game::explore`].
    #[must_use]
    pub fn exploration(&self) -> Option<&ExplorationRecord> {
        self.cx.exploration.as_deref()
    }

    /// Sets the number of a counter or flag without an event, to try out another value.
    pub fn store_counter(&mut self, entity: Entity, counter: CounterId, number: i64) {
        let content = self.cx.content().clone();
        counter::store(&mut self.cx.state, &content, entity, counter, number);
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
        argument: Value,
    ) -> Result<Value, String> {
        let context = &mut self.cx;
        let before = (context.work, context.fired, context.runs, context.actor);
        clear_step(context);
        reset_step(context);
        self.cx.actor = seat;
        let call = HookCall {
            hook,
            entry,
            it: None,
            owner: None,
            actor: seat,
            argument,
            effect: None,
            question_count: 0,
            run: 0,
        };
        let result = run_hook(&mut self.cx, call).map_err(|stop| match stop {
            Stop::Fault(fault) => describe(&self.cx, &fault),
            Stop::Suspend | Stop::Over | Stop::Leave => {
                "a read-only script can neither ask a question nor end the game".to_owned()
            }
        });
        // A menu that waits for an answer continues as if nothing had run.
        let context = &mut *self.cx;
        (context.work, context.fired, context.runs, context.actor) = before;
        result
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
        if let Err(reason) = question.check_answer(&answer) {
            self.cx.pending = Some(question);
            return Err(reason);
        }
        super::journal::record_answer(&mut self.cx, &question, &answer);
        Ok(self.continue_with(question, answer))
    }

    /// Continues with an answer to the question that was pending.
    pub(super) fn continue_with(&mut self, question: Box<Question>, answer: Answer) -> Status {
        if self.batched.is_none() {
            // A copy of the game has no checkpoint; a menu has not changed anything yet.
            self.take_checkpoint();
        }
        let is_skipped = question.is_skipped;
        self.cx.answers.push(Answer {
            is_skipped,
            ..answer
        });
        if let Some(suspended) = self.cx.suspended.take() {
            return self.run_steps(StepStart::Script(suspended));
        }
        if self.menu_can_resume {
            return self.run_steps(StepStart::Menu(question));
        }
        self.rewind();
        self.run_steps(StepStart::Fresh)
    }

    /// Answers the pending question with option keys.
    ///
    /// # Errors
    /// Returns the reason if the answer is not valid; the game is unchanged.
    pub fn answer_keys(&mut self, seat: SeatId, keys: &[String]) -> Result<Status, String> {
        self.answer_keys_of(None, seat, keys)
    }

    /// Like [`Game::answer_keys`], with keys resolved in a pack: if options of several packs have a
    /// key, it refers to the option of this pack.
    ///
    /// # Errors
    /// Returns which key is unknown, or why the answer is invalid.
    pub fn answer_keys_of(
        &mut self,
        pack: Option<u16>,
        seat: SeatId,
        keys: &[String],
    ) -> Result<Status, String> {
        let question = self.pending().ok_or("no question is pending")?;
        let answer = decision::parse(&self.cx, question, pack, seat, keys)?;
        self.answer(answer)
    }

    /// Runs until a question is pending or the game is over.
    pub fn run(&mut self) -> Status {
        if self.cx.pending.take().is_some() && self.batched.is_some() {
            self.rewind();
        } else {
            self.batched = None;
        }
        self.run_steps(StepStart::Fresh)
    }

    /// Returns to the checkpoint. The steps since then run again, each with a checkpoint.
    pub(super) fn rewind(&mut self) {
        clear_step(&mut self.cx);
        self.cx.state.clone_from(&self.checkpoint);
        self.cx.log.lines.truncate(self.log_start);
        self.cx.first_answer = 0;
        self.single_steps = self.batched.unwrap_or(0);
        self.batched = Some(0);
    }

    pub(super) fn run_steps(&mut self, start: StepStart) -> Status {
        let mut start = start;
        self.idle_steps = 0;
        loop {
            let is_fresh = matches!(start, StepStart::Fresh);
            if is_fresh && let Some(status) = self.before_step() {
                return status;
            }
            let result = self.step(std::mem::take(&mut start));
            match result {
                Ok(()) => self.finish_step(),
                Err(Stop::Over | Stop::Leave) => {
                    clear_step(&mut self.cx);
                    self.finish_step();
                }
                Err(Stop::Suspend) if self.can_wait() => return Status::Asking,
                Err(Stop::Suspend) => self.rewind(),
                Err(Stop::Fault(fault)) => {
                    // A fault is handled for the step as a whole, run from a checkpoint.
                    let alone = is_fresh && self.batched == Some(0);
                    self.rewind();
                    if alone {
                        self.handle_fault(*fault);
                    }
                }
            }
        }
    }

    /// Returns the status if no step is to run; otherwise prepares the next one.
    fn before_step(&mut self) -> Option<Status> {
        if self.cx.state.outcome.is_some() {
            return Some(Status::Over);
        }
        if self.cx.state.agenda.is_empty() || self.is_stuck() || self.exceeds_limit() {
            self.end_stuck_game();
            return Some(Status::Over);
        }
        if self.should_pause() {
            return Some(Status::Paused);
        }
        if self.has_just_set_up() {
            self.end_setup();
        }
        if self.needs_checkpoint() {
            self.take_checkpoint();
        }
        reset_step(&mut self.cx);
        None
    }

    fn step(&mut self, start: StepStart) -> StepResult {
        match start {
            StepStart::Fresh if self.needs_initial_state() => self.apply_initial_state(),
            StepStart::Fresh => agenda::step(&mut self.cx),
            // Evaluating menu options changes nothing, so the step can resume in place.
            StepStart::Menu(question) => agenda::answer_menu(&mut self.cx, &question),
            StepStart::Script(suspended) => agenda::resume(&mut self.cx, *suspended),
        }
    }

    /// Whether the next step needs a checkpoint of its own. Repeating steps costs less than a
    /// checkpoint for each of them, as long as they rarely have to be repeated: only after a fault,
    /// and for a question in the middle of a script. An agent answers those at once.
    fn needs_checkpoint(&mut self) -> bool {
        match self.batched {
            None => true,
            Some(0) => false,
            Some(_) if self.single_steps > 0 => {
                self.single_steps -= 1;
                true
            }
            Some(steps) => {
                steps >= MAX_BATCH
                    || self.cx.agent.is_none() && (self.cx.runs > 0 || self.next_runs_script())
            }
        }
    }

    /// Whether the next step runs the script of a frame.
    fn next_runs_script(&self) -> bool {
        match self.cx.state.agenda.last().map(|frame| frame.kind) {
            Some(FrameKind::Phase { phase, .. }) => {
                let phase = &self.cx.content().phases[phase.ix()];
                phase.run.is_some() || phase.when.is_some() || phase.end.is_some()
            }
            Some(FrameKind::Game { .. } | FrameKind::Action { .. } | FrameKind::Call { .. }) => {
                true
            }
            _ => false,
        }
    }

    pub(super) fn take_checkpoint(&mut self) {
        self.checkpoint.clone_from(&self.cx.state);
        self.log_start = self.cx.log.lines.len();
        self.batched = Some(0);
        let used = std::mem::take(&mut self.cx.first_answer);
        if used > 0 {
            self.cx.answers.drain(..used);
        }
    }

    /// Whether a suspended game can wait for the answer to its question: it resumes in place, or at
    /// a checkpoint at the start of the step, from which bots can also imagine it. Otherwise the
    /// steps since the checkpoint run again.
    fn can_wait(&mut self) -> bool {
        let Some(question) = self.cx.pending.as_deref() else {
            self.menu_can_resume = false;
            return true;
        };
        self.menu_can_resume = matches!(question.id, QuestionId::Menu(_))
            && self.cx.answers.len() == self.cx.first_answer;
        let can_wait = self.menu_can_resume || self.batched == Some(0);
        if !can_wait {
            self.cx.pending = None;
        }
        can_wait
    }

    fn finish_step(&mut self) {
        let used = self.cx.next_answer.min(self.cx.answers.len());
        let answered = self.cx.answers.len() > self.cx.first_answer;
        self.cx.first_answer = used;
        self.idle_steps = if answered { 0 } else { self.idle_steps + 1 };
        if self.cx.skips.is_empty() {
            self.batched = self.batched.map(|steps| steps + 1);
        } else {
            // Without the faults it would not end like this.
            self.cx.skips.clear();
            self.batched = None;
        }
    }

    /// Whether the game runs without ever asking. It stops in a phase if it can, because the fault
    /// names the frame.
    fn is_stuck(&self) -> bool {
        let top = self.cx.state.agenda.last().map(|frame| frame.kind);
        let past = self.idle_steps.saturating_sub(MAX_STEPS);
        past > MAX_BATCH || past > 0 && matches!(top, Some(FrameKind::Phase { .. }))
    }

    fn end_stuck_game(&mut self) {
        self.note_exceeded_limit();
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

    /// Handles a fault of the step that starts at the checkpoint: the step runs again without the hook
    /// that failed, or else its frame ends.
    fn handle_fault(&mut self, fault: Fault) {
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
            return;
        }
        cx.log.push(LogEvent::Fault { text }, Cause::default(), &[]);
        let answered = !cx.answers.is_empty();
        cx.answers.clear();
        cx.skips.clear();
        self.batched = None;
        self.idle_steps = if answered { 0 } else { self.idle_steps + 1 };
    }

    pub(super) fn is_at_start(&self) -> bool {
        matches!(
            self.cx.state.agenda.last(),
            Some(Frame {
                kind: FrameKind::Game {
                    stage: GameStage::Start
                },
                ..
            })
        )
    }

    pub(super) fn needs_initial_state(&self) -> bool {
        self.is_at_start()
            && !self.initial_done
            && (self.setup.initial.is_some()
                || self.setup.campaign.is_some()
                || self.content().setup_script.is_some())
    }

    /// Applies the initial state: first the data, then the author's script.
    fn apply_initial_state(&mut self) -> StepResult {
        self.initial_begun = true;
        // Count this as a hook run, so that the next step starts with a new checkpoint.
        self.cx.runs += 1;
        self.cx.actor = Some(SeatId(0));
        let off = std::mem::replace(&mut self.cx.log.off, true);
        let result = self.build_initial_state();
        self.cx.log.off = off;
        result?;
        let campaign = self.setup.campaign.as_deref();
        let start = campaign.and_then(|name| campaign::start_script(self.content(), name));
        if let Some((entry, hook)) = start {
            agenda::run_for(&mut self.cx, hook, entry, None)?;
        }
        let queued = std::mem::take(&mut self.cx.queue);
        // The queued frames run first; the regular start of the game follows.
        self.cx.state.agenda.extend(queued.into_iter().rev());
        self.initial_done = true;
        Ok(())
    }

    fn build_initial_state(&mut self) -> StepResult {
        if let Some(initial) = &self.setup.initial {
            let resolved = initial.resolve(self.cx.content(), self.cx.state.seats);
            let fault = |reason| self.cx.fault(format!("{}{reason}", initial::FAULT_PREFIX));
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
        copy.checkpoint.clone_from(&self.checkpoint);
        (copy.batched, copy.log_start) = (self.batched, self.log_start);
        copy.cx.answers.clone_from(&self.cx.answers);
        (copy.cx.first_answer, copy.cx.next_answer) = (self.cx.first_answer, self.cx.next_answer);
        copy.cx.log = self.cx.log.clone();
        copy.cx.journal.clone_from(&self.cx.journal);
        copy.cx.faults.clone_from(&self.cx.faults);
        copy
    }
}

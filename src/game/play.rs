//! A game in play: a plain value at every decision.

use std::rc::Rc;

use super::ask::{Agent, Answer, Ask, AskId};
use super::cx::{Call, Core, Cx, Fault, Res, Rules, Stop, Verdict, run_hook};
use super::decision::{self, Decision};
use super::fault::{describe, failed_action, frame_name};
use super::journal::Line;
use super::log::{Cause, Log, What};
use super::setup::Setup;
use super::state::{Frame, Outcome, Run, Stage, State};
use super::val::Val;
use super::view::{self, View};
use super::{agenda, initial, menu};
use crate::content::{Content, EntryId, HookId, SeatId, Value};

/// After so many bits of work without a decision a game is given up: nothing will ever ask anyone.
const MOST_STEPS: u32 = 20_000;
/// After so many faults in one step the frame that runs is given up.
const MOST_SKIPS: usize = 8;
/// The same for scripts that only look: leaving them out changes nothing but a line of a menu.
const MOST_LOOKS: usize = 300;

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Someone is asked.
    Asking,
    /// It is over.
    Over,
    /// It rests where it was told to, see [`Game::pause_at`].
    Paused,
}

/// How a step begins.
#[derive(Default)]
pub(super) enum Begin {
    /// As a new one.
    #[default]
    Fresh,
    /// Once more, from where it began.
    Again,
    /// In the middle: a menu has its answer.
    Menu(Box<Ask>),
}

/// A game in play.
pub struct Game {
    /// While someone is asked, its state is the one in which the question arose, for whoever looks at it.
    pub(super) cx: Cx,
    /// The state at the start of the step, from which it runs again when the answer has come.
    pub(super) before: State,
    /// How long the log was at the start of the step.
    pub(super) lines: usize,
    /// How many bits of work went by since someone was asked.
    pub(super) idle: u32,
    /// How many bits must be done one by one, because a fault lies behind them.
    pub(super) careful: u32,
    /// Whether a menu waits that can go on from where it stands: nothing but its lines was looked at.
    pub(super) fresh_menu: bool,
    pub(super) setup: Setup,
    pub(super) initial_done: bool,
    /// With how many frames left on the agenda it pauses, once it was brought into the middle of things.
    pub(super) pause: Option<usize>,
}

impl Game {
    /// A game before its set-up.
    ///
    /// # Errors
    /// When the mode is not for so many seats.
    pub fn new(rules: Rc<Rules>, setup: Setup) -> Result<Game, String> {
        let seats = u8::try_from(setup.names.len()).unwrap_or(u8::MAX);
        let mode = rules.content.mode.as_ref().ok_or("no mode was chosen")?;
        if !(mode.seats_min..=mode.seats_max).contains(&seats) {
            let wanted = match (mode.seats_min, mode.seats_max) {
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            let title = &rules.content.entry(mode.entry).title;
            return Err(format!(
                "{title} is for {wanted} players, not {seats}: name each with `--player NAME=WHO`"
            ));
        }
        let roles = setup.roles(&rules.content)?;
        let mut state = State::new(&rules.content, seats, setup.seed);
        state.forced.clone_from(&setup.forced);
        let mut game = Game::around(rules, state, setup);
        game.cx.roles = roles;
        Ok(game)
    }

    pub(super) fn around(rules: Rc<Rules>, state: State, setup: Setup) -> Game {
        Game {
            cx: Cx::new(core(rules, state, &setup)),
            before: State::default(),
            lines: 0,
            idle: 0,
            careful: 0,
            fresh_menu: false,
            setup,
            initial_done: false,
            pause: None,
        }
    }

    /// The context, for agents and front ends that look at it.
    #[must_use]
    pub fn core(&self) -> &Core {
        &self.cx
    }

    /// The state; while someone is asked, as it is at the question.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.cx.state
    }

    /// The state at the start of the step that waits for an answer.
    #[must_use]
    pub fn resting(&self) -> &State {
        if self.cx.pending.is_some() {
            &self.before
        } else {
            &self.cx.state
        }
    }

    /// What the packs say.
    #[must_use]
    pub fn content(&self) -> &Content {
        self.cx.content()
    }

    /// What was answered so far.
    #[must_use]
    pub fn journal(&self) -> &[Line] {
        self.cx.journal.as_deref().unwrap_or(&[])
    }

    /// What happened so far.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.cx.log
    }

    /// The faults of scripts so far.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.cx.faults
    }

    /// Goes back to a state of this very game, keeping every buffer; the log begins anew.
    pub fn reset(&mut self, state: &State) {
        self.cx.state.clone_from(state);
        self.cx.log.lines.clear();
        self.cx.answers.clear();
        self.cx.skips.clear();
        self.cx.pending = None;
        self.cx.all_runs = 0;
        self.initial_done = true;
    }

    /// Plays a game that begins in the middle of things up to there; whatever set-up asks, an agent answers.
    ///
    /// # Errors
    /// Why an answer does not fit.
    pub fn set_up_by(&mut self, agent: &mut dyn Agent) -> Result<(), String> {
        self.pause = Some(usize::MAX);
        let mut status = self.run();
        while status == Status::Asking
            && let Some(ask) = self.cx.pending.as_deref()
        {
            let answer = agent.decide(&self.cx, ask);
            status = self.answer(answer)?;
        }
        self.pause = None;
        Ok(())
    }

    /// Lets a game that begins in the middle of things pause, as soon as so few frames are left on its agenda: 1 when all that it
    /// began with is over.
    pub fn pause_at(&mut self, frames: Option<usize>) {
        self.pause = frames;
    }

    fn is_pause(&self) -> bool {
        self.initial_done
            && self
                .pause
                .is_some_and(|frames| self.cx.state.agenda.len() <= frames)
    }

    /// Gives the first numbers that chance is asked for since this was first said; [`Game::lots`] tells what it was asked for.
    pub fn force_lots(&mut self, numbers: &[u32]) {
        self.cx.lots.get_or_insert_default().forced = numbers.to_vec();
    }

    /// For each number that chance was asked for since [`Game::force_lots`] was first said, below what it was to be.
    #[must_use]
    pub fn lots(&self) -> &[u32] {
        self.cx.lots.as_ref().map_or(&[], |lots| &lots.asked)
    }

    /// The options of entries that were chosen since this was last asked, each with the list it stands in, if they are noted.
    pub fn taken(&mut self) -> Vec<(Value, usize)> {
        self.cx
            .taken
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Lets someone decide inline; `None` hands decisions out.
    pub fn seat_agent(&mut self, agent: Option<Box<dyn Agent>>) {
        self.cx.agent = agent;
    }

    /// How often a hook was run since this game began or was reset.
    #[must_use]
    pub fn hook_runs(&self) -> u32 {
        self.cx.all_runs
    }

    /// The question that waits for an answer.
    #[must_use]
    pub fn pending(&self) -> Option<&Ask> {
        self.cx.pending.as_deref()
    }

    /// The question that waits for an answer, in words.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        self.pending().map(|ask| decision::render(&self.cx, ask))
    }

    /// Runs a script that only looks, for a seat: a panel, with what was typed behind its word.
    ///
    /// # Errors
    /// What is wrong with the script.
    pub fn look(
        &mut self,
        hook: HookId,
        entry: EntryId,
        seat: Option<SeatId>,
        each: Val,
    ) -> Result<Val, String> {
        begin(&mut self.cx);
        self.fresh_menu = false;
        self.cx.actor = seat;
        let call = Call {
            hook,
            entry,
            it: None,
            owner: None,
            actor: seat,
            each,
            effect: None,
            asked: 0,
            run: 0,
        };
        run_hook(&mut self.cx, call).map_err(|stop| match stop {
            Stop::Fault(fault) => describe(&self.cx, &fault),
            Stop::Suspend | Stop::Over => {
                "a script that only looks can neither ask anyone nor end the game".to_owned()
            }
        })
    }

    /// What a seat may see.
    #[must_use]
    pub fn view(&self, seat: SeatId) -> View {
        view::view(&self.cx, seat)
    }

    /// Answers the question that waits, and plays on to the next.
    ///
    /// # Errors
    /// Why the answer does not fit; nothing has changed then.
    pub fn answer(&mut self, answer: Answer) -> Result<Status, String> {
        let ask = self.cx.pending.take().ok_or("nobody is asked anything")?;
        if let Err(why) = ask.fits(&answer) {
            self.cx.pending = Some(ask);
            return Err(why);
        }
        super::journal::note(&mut self.cx, &ask, &answer);
        self.cx.answers.push(answer);
        if self.fresh_menu {
            return Ok(self.go_on(Begin::Menu(ask)));
        }
        self.back_to_start();
        Ok(self.go_on(Begin::Again))
    }

    /// Answers by keys.
    ///
    /// # Errors
    /// Why the answer does not fit; nothing has changed then.
    pub fn answer_keys(&mut self, seat: SeatId, keys: &[String]) -> Result<Status, String> {
        let ask = self.pending().ok_or("nobody is asked anything")?;
        let answer = decision::parse(&self.cx, ask, seat, keys)?;
        self.answer(answer)
    }

    /// Plays until someone must be asked, or to the end.
    pub fn run(&mut self) -> Status {
        if self.cx.pending.take().is_some() {
            self.back_to_start();
        }
        self.go_on(Begin::Fresh)
    }

    /// Goes back to where the step began that waited for an answer.
    pub(super) fn back_to_start(&mut self) {
        self.cx.state.clone_from(&self.before);
        self.cx.log.lines.truncate(self.lines);
    }

    pub(super) fn go_on(&mut self, begin: Begin) -> Status {
        let mut begin = begin;
        self.idle = 0;
        loop {
            if self.cx.state.over.is_some() {
                return Status::Over;
            }
            if self.cx.state.agenda.is_empty() || self.idle > MOST_STEPS {
                self.give_up();
                return Status::Over;
            }
            if self.is_pause() {
                return Status::Paused;
            }
            let asked = self.cx.answers.len();
            if self.step(std::mem::take(&mut begin)) {
                let menu =
                    |ask: &Ask| matches!(ask.id, AskId::Menu(_)) && self.cx.answers.is_empty();
                self.fresh_menu = self.cx.pending.as_deref().is_some_and(menu);
                return Status::Asking;
            }
            self.idle = if asked > 0 || self.cx.next_answer > 0 {
                0
            } else {
                self.idle + 1
            };
        }
    }

    fn give_up(&mut self) {
        if self.idle > MOST_STEPS {
            let what = self
                .cx
                .state
                .agenda
                .last()
                .map(|frame| frame_name(&self.cx, frame))
                .unwrap_or_default();
            let text = format!(
                "{MOST_STEPS} steps went by without anyone being asked anything, the last in {what}: the game cannot go on"
            );
            self.cx.faults.push(Fault {
                hook: None,
                run: 0,
                message: text.clone(),
                at: None,
            });
            self.cx
                .log
                .push(What::Fault { text: text.into() }, Cause::default(), &[]);
        }
        self.cx.state.over = Some(Outcome::default());
    }

    /// Runs one step; gives whether someone must be asked.
    fn step(&mut self, mut how: Begin) -> bool {
        if matches!(how, Begin::Fresh) {
            self.before.clone_from(&self.cx.state);
            self.lines = self.cx.log.lines.len();
        }
        let mut plain = 0;
        loop {
            let result = if let Begin::Menu(ask) = std::mem::take(&mut how) {
                // Looking at lines changed nothing: the answer is as good as one given inline.
                let result = agenda::answer_menu(&mut self.cx, &ask);
                if matches!(result, Err(Stop::Fault(_))) {
                    // Dealing with faults goes by the whole step.
                    self.back_to_start();
                    continue;
                }
                result
            } else {
                begin(&mut self.cx);
                if self.needs_initial_state() {
                    self.apply_initial_state()
                } else {
                    agenda::step(&mut self.cx)
                }
            };
            match result {
                // Nothing was asked and no script ran: should the next bit fail, doing this again costs less than a copy.
                Ok(()) if self.is_plain(&mut plain) => self.idle += 1,
                Ok(()) | Err(Stop::Over) => {
                    let used = self.cx.next_answer.min(self.cx.answers.len());
                    self.cx.answers.drain(..used);
                    self.cx.skips.clear();
                    return false;
                }
                Err(Stop::Suspend) => return true,
                Err(Stop::Fault(fault)) => {
                    self.back_to_start();
                    self.cx.queue.clear();
                    if plain > 0 {
                        // The bits before it were sound: they are done one by one, so that only the faulty one is dealt with.
                        self.careful = plain;
                        plain = 0;
                        continue;
                    }
                    if self.failed(*fault) {
                        return false;
                    }
                }
            }
        }
    }

    /// Whether a step that is done may be taken as the beginning of the next one.
    fn is_plain(&mut self, count: &mut u32) -> bool {
        if self.careful > 0 {
            self.careful -= 1;
            return false;
        }
        *count += 1;
        let core = self.core();
        core.runs == 0
            && core.next_answer == 0
            && core.state.over.is_none()
            && !core.state.agenda.is_empty()
            && !self.is_pause()
            && *count < 64
    }

    /// Deals with a script's fault; gives whether the step is over.
    fn failed(&mut self, fault: Fault) -> bool {
        let needs_initial_state = self.needs_initial_state();
        let cx = &mut self.cx;
        let run = fault.run;
        let text: Box<str> = describe(cx, &fault).into();
        let action = failed_action(cx, &fault);
        let looks = fault
            .hook
            .is_some_and(|hook| cx.content().hooks[hook.ix()].role.read_only());
        cx.faults.push(fault);
        // Answers given inside the run that is now left out belong to nothing any more.
        cx.answers.retain(|answer| !answer.during.contains(&run));
        if run == 0 && needs_initial_state {
            // The game starts as its mode says.
            self.initial_done = true;
        } else if let Some((entry, piece, seat)) = action {
            menu::close(cx, entry, piece, seat);
        } else if run == 0 || cx.skips.len() >= if looks { MOST_LOOKS } else { MOST_SKIPS } {
            let outermost = cx.state.agenda.len() <= 1;
            if outermost {
                cx.state.over = Some(Outcome::default());
            } else {
                cx.state.agenda.pop();
            }
        } else {
            cx.skips.push((run, text));
            return false;
        }
        cx.log.push(What::Fault { text }, Cause::default(), &[]);
        cx.answers.clear();
        cx.skips.clear();
        true
    }

    fn needs_initial_state(&self) -> bool {
        let started = matches!(
            self.cx.state.agenda.last(),
            Some(Frame {
                run: Run::Game {
                    stage: Stage::Start
                },
                ..
            })
        );
        started
            && !self.initial_done
            && (self.setup.initial.is_some() || self.content().given.is_some())
    }

    /// Brings the game into its initial state: first the data, then the author's script.
    fn apply_initial_state(&mut self) -> Res {
        // Counts as a run of a hook: the next step must start from a new copy of the state.
        self.cx.runs += 1;
        self.cx.actor = Some(SeatId(0));
        let off = std::mem::replace(&mut self.cx.log.off, true);
        let result = self.build_initial_state();
        self.cx.log.off = off;
        result?;
        let queued = std::mem::take(&mut self.cx.queue);
        // What it started runs first; the game's own start follows.
        self.cx.state.agenda.extend(queued.into_iter().rev());
        self.initial_done = true;
        Ok(())
    }

    fn build_initial_state(&mut self) -> Res {
        if let Some(initial) = &self.setup.initial {
            let resolved = initial.resolve(self.cx.content(), self.cx.state.seats);
            let fault = |why| self.cx.fault(format!("{}{why}", initial::FAULT_PREFIX));
            resolved.map_err(fault)?.apply(&mut self.cx)?;
        }
        if let Some((entry, hook)) = self.content().given {
            agenda::run_for(&mut self.cx, hook, entry, None)?;
        }
        Ok(())
    }
}

impl Clone for Game {
    fn clone(&self) -> Game {
        let mut copy = self.bare();
        copy.setup = self.setup.clone();
        copy.lines = self.lines;
        copy.cx.log = self.cx.log.clone();
        copy.cx.journal.clone_from(&self.cx.journal);
        copy.cx.faults.clone_from(&self.cx.faults);
        copy
    }
}

/// What a game works with before anything has happened in it.
pub(super) fn core(rules: Rc<Rules>, state: State, setup: &Setup) -> Core {
    Core {
        state,
        roles: Vec::new(),
        rules,
        names: setup.names.clone(),
        log: Log {
            lines: Vec::new(),
            off: !setup.log,
        },
        calls: Vec::new(),
        events: Vec::new(),
        packets: Vec::new(),
        queries: Vec::new(),
        answers: Vec::new(),
        next_answer: 0,
        agent: None,
        pending: None,
        queue: Vec::new(),
        read_only: 0,
        imagined: false,
        work: 0,
        fired: 0,
        runs: 0,
        all_runs: 0,
        skips: Vec::new(),
        verdict: Verdict::Open,
        taken: setup.noting.then(Vec::new),
        lots: None,
        known_parts: Vec::new(),
        actor: None,
        journal: setup.journal.then(Vec::new),
        faults: Vec::new(),
    }
}

/// Clears what belongs to one run of a step.
fn begin(cx: &mut Cx) {
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
    cx.known_parts.clear();
}

//! Snapshots of the moment before a hook runs, in which the hook can be run again.

use crate::number::cast;
use std::rc::Rc;

use super::context::{Cx, HookCall, Stop, run_hook};
use super::event::Event;
use super::log::{Log, LogLine};
use super::packet::Packet;
use super::query::QueryContext;
use super::question::Agent;
use super::rules::Rules;
use super::setup::Setup;
use super::state::State;
use super::{Fault, menu};
use crate::content::{EntryId, SeatId};

/// Everything a hook sees, at the moment before it runs.
#[derive(Clone)]
pub struct HookSnapshot {
    pub state: State,
    /// The running hooks; the last one is about to run.
    pub calls: Vec<HookCall>,
    /// The events being fired, innermost last.
    pub events: Vec<Event>,
    packets: Vec<Packet>,
    queries: Vec<QueryContext>,
    actor: Option<SeatId>,
    roles: Vec<Option<EntryId>>,
    names: Vec<String>,
}

/// The result of running a hook in a snapshot.
pub struct HookOutcome {
    pub fault: Option<Box<Fault>>,
    /// The log lines of the run.
    pub lines: Vec<LogLine>,
    /// False if the hook did not run because its action is closed.
    pub ran: bool,
}

impl HookSnapshot {
    /// Captures the moment in which the last of `cx.calls` is about to run.
    #[must_use]
    pub fn capture(cx: &Cx) -> HookSnapshot {
        HookSnapshot {
            state: cx.state.clone(),
            calls: cx.calls.clone(),
            events: cx.events.clone(),
            packets: cx.packets.clone(),
            queries: cx.queries.clone(),
            actor: cx.actor,
            roles: cx.roles.clone(),
            names: cx.names.clone(),
        }
    }

    /// The call of the hook that is about to run.
    #[must_use]
    pub fn call(&self) -> Option<&HookCall> {
        self.calls.last()
    }

    /// Runs a hook in place of the captured one, in a prepared state, with an agent that answers
    /// its questions. Unless `even_if_closed` is set, a hook of an entry with an action runs only
    /// while that action is open.
    #[must_use]
    pub fn run(
        &self,
        rules: &Rc<Rules>,
        call: &HookCall,
        prepare: &dyn Fn(&mut State),
        agent: Box<dyn Agent>,
        even_if_closed: bool,
    ) -> HookOutcome {
        let setup = Setup {
            names: self.names.clone(),
            log: true,
            ..Setup::default()
        };
        let mut context = super::step::new_step_context(rules.clone(), self.state.clone(), &setup);
        context.roles.clone_from(&self.roles);
        context.events.clone_from(&self.events);
        context.packets.clone_from(&self.packets);
        context.queries.clone_from(&self.queries);
        context.actor = self.actor;
        context.agent = Some(agent);
        let mut cx = Cx::new(context);
        prepare(&mut cx.state);
        let outer = &self.calls[..self.calls.len().saturating_sub(1)];
        cx.calls = outer.to_vec();
        let is_read_only = |call: &&HookCall| cx.content().hooks[call.hook.ix()].role.read_only();
        cx.read_only = cast::<_, u16>(outer.iter().filter(is_read_only).count());
        if let Some(seat) = call.owner.or(call.actor).filter(|_| !even_if_closed) {
            match menu::is_open(&mut cx, call.entry, call.it, seat) {
                Ok(true) => {}
                // A fault here belongs to another hook, which has snapshots of its own.
                Ok(false) | Err(_) => return outcome(cx, None),
            }
            cx.log = Log::default();
        }
        match run_hook(&mut cx, call.clone()) {
            Err(Stop::Fault(fault)) => outcome(cx, Some(fault)),
            Ok(_) | Err(Stop::Suspend | Stop::Over | Stop::Leave) => HookOutcome {
                ran: true,
                ..outcome(cx, None)
            },
        }
    }
}

fn outcome(mut cx: Cx, fault: Option<Box<Fault>>) -> HookOutcome {
    let ran = fault.is_some();
    let lines = std::mem::take(&mut cx.log.lines);
    HookOutcome { fault, lines, ran }
}

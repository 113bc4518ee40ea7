//! The immutable part of a game: the content of the packs, the runner of their hooks, and indexes
//! of listeners.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use super::combo_table::ComboTable;
use super::context::HookRunner;
use super::derived::DerivedContent;
use crate::content::events::{ask, on};
use crate::content::{Content, CounterId, EventId, HookId, HookRole, QueryId};

/// The immutable part of a game.
pub struct Rules {
    /// The compiled definitions of the packs.
    pub content: Arc<Content>,
    /// Runs the hooks of the packs.
    pub runner: Box<dyn HookRunner>,
    guards: Rc<CounterGuards>,
    listener_summary: Rc<ListenerSummary>,
    combos: OnceCell<Rc<ComboTable>>,
    /// Lookups in the content, cached for scripts.
    pub(crate) derived: Rc<DerivedContent>,
}

/// Which events and queries can have listeners.
#[derive(Debug)]
struct ListenerSummary {
    /// By [`EventId`].
    events: Vec<ListenerKind>,
    /// By [`QueryId`].
    queries: Vec<bool>,
}

/// What can listen to an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ListenerKind {
    Nobody,
    /// A rule, or a piece that it is about.
    Always,
    /// Pieces that listen, or effects.
    Sometimes,
}

impl ListenerSummary {
    fn new(content: &Content) -> ListenerSummary {
        let listeners = &content.listeners;
        let listener_kind = |ix| {
            let listeners = listeners.event(EventId::at(ix));
            if !listeners.any() {
                ListenerKind::Nobody
            } else if listeners.own || !listeners.rules.is_empty() {
                ListenerKind::Always
            } else {
                ListenerKind::Sometimes
            }
        };
        let answered = |ix| listeners.query(QueryId::at(ix)).any();
        ListenerSummary {
            events: (0..content.events.len()).map(listener_kind).collect(),
            queries: (0..content.queries.len()).map(answered).collect(),
        }
    }
}

/// Which counter each counter hook is limited to.
#[derive(Debug)]
struct CounterGuards {
    /// For each hook, the only counter it is about.
    hooks: Vec<Option<CounterId>>,
    /// For each counter, whether a hook answers the query `value`.
    values: Vec<bool>,
}

impl Rules {
    /// Combines content with the runner for its hooks.
    #[must_use]
    pub fn new(content: Arc<Content>, runner: Box<dyn HookRunner>) -> Rules {
        let mut values = vec![false; content.counters.len()];
        let mut hooks = Vec::with_capacity(content.hooks.len());
        for (ix, def) in content.hooks.iter().enumerate() {
            let guard = match def.role {
                HookRole::On(on::BEFORE_COUNTER | on::AFTER_COUNTER)
                | HookRole::Answer(ask::VALUE) => runner.counter_guard(HookId::at(ix)),
                _ => None,
            };
            let counter = guard.and_then(|name| content.symbol_in(def.script.by, &name).counter);
            match (def.role, counter) {
                (HookRole::Answer(ask::VALUE), Some(counter)) => values[counter.ix()] = true,
                (HookRole::Answer(ask::VALUE), None) => values.fill(true),
                _ => {}
            }
            hooks.push(counter);
        }
        let listener_summary = Rc::new(ListenerSummary::new(&content));
        Rules {
            content,
            runner,
            guards: Rc::new(CounterGuards { hooks, values }),
            listener_summary,
            combos: OnceCell::new(),
            derived: Rc::default(),
        }
    }

    /// Whether any hook could answer a query.
    #[must_use]
    #[inline]
    pub fn answers(&self, query: QueryId) -> bool {
        self.listener_summary.queries[query.ix()]
    }

    /// What can listen to an event.
    #[inline]
    pub(super) fn listener_kind(&self, event: EventId) -> ListenerKind {
        self.listener_summary.events[event.ix()]
    }

    /// Data about entries that combos use.
    #[must_use]
    #[inline]
    pub fn combos(&self) -> &ComboTable {
        self.combos
            .get_or_init(|| Rc::new(ComboTable::new(&self.content)))
    }

    /// The same rules with another runner for the same hooks.
    #[must_use]
    pub fn with_runner(&self, runner: Box<dyn HookRunner>) -> Rules {
        Rules {
            content: self.content.clone(),
            runner,
            guards: self.guards.clone(),
            listener_summary: self.listener_summary.clone(),
            combos: self.combos.clone(),
            derived: self.derived.clone(),
        }
    }

    /// Whether a hook reacts to an event or query about this counter, or about none. A hook limited to
    /// one counter ignores all others.
    #[must_use]
    #[inline]
    pub fn reacts_to(&self, hook: HookId, counter: Option<CounterId>) -> bool {
        self.guards.hooks[hook.ix()].is_none_or(|only| counter == Some(only))
    }

    /// Whether a hook answers the query `value` for a counter.
    #[must_use]
    #[inline]
    pub fn answers_value(&self, counter: CounterId) -> bool {
        self.guards.values[counter.ix()]
    }
}

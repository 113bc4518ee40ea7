//! The index of hooks by event and query.

use super::{EntryId, EventId, HookId, QueryId};

/// The listeners of one event.
#[derive(Clone, Debug, Default)]
pub struct EventListeners {
    /// The hooks of rules, statistics and the mode, in layer order; they always run.
    pub rules: Vec<(EntryId, HookId)>,
    /// Whether a piece or an effect has a hook for it.
    pub entries: bool,
    /// Whether a piece has a hook for the event when it is about itself.
    pub own: bool,
    /// Whether an entry has an optional hook for it.
    pub offers: bool,
}

impl EventListeners {
    /// Whether any hook listens.
    #[must_use]
    pub const fn any(&self) -> bool {
        self.entries || self.own || self.offers || !self.rules.is_empty()
    }
}

/// The hooks that answer one query.
#[derive(Clone, Debug, Default)]
pub struct QueryListeners {
    /// The answers of rules, statistics and the mode, in layer order.
    pub rules: Vec<(EntryId, HookId)>,
    /// Whether a piece or an effect answers it.
    pub entries: bool,
}

impl QueryListeners {
    /// Whether any hook answers.
    #[must_use]
    pub const fn any(&self) -> bool {
        self.entries || !self.rules.is_empty()
    }
}

/// The listeners of all events and queries, by id.
#[derive(Clone, Debug, Default)]
pub struct ListenerIndex {
    events: Vec<EventListeners>,
    queries: Vec<QueryListeners>,
}

impl ListenerIndex {
    /// An index without listeners.
    #[must_use]
    pub fn new(events: usize, queries: usize) -> ListenerIndex {
        ListenerIndex {
            events: vec![EventListeners::default(); events],
            queries: vec![QueryListeners::default(); queries],
        }
    }

    /// The listeners of an event.
    #[must_use]
    #[inline]
    pub fn event(&self, id: EventId) -> &EventListeners {
        &self.events[id.ix()]
    }

    /// The listeners of an event, mutable.
    pub fn event_mut(&mut self, id: EventId) -> &mut EventListeners {
        &mut self.events[id.ix()]
    }

    /// The hooks that answer a query.
    #[must_use]
    #[inline]
    pub fn query(&self, id: QueryId) -> &QueryListeners {
        &self.queries[id.ix()]
    }

    /// The hooks that answer a query, mutable.
    pub fn query_mut(&mut self, id: QueryId) -> &mut QueryListeners {
        &mut self.queries[id.ix()]
    }

    /// The events that no hook listens to.
    pub fn without_listeners(&self) -> impl Iterator<Item = EventId> + '_ {
        (0..self.events.len())
            .map(EventId::at)
            .filter(|id| !self.event(*id).any())
    }
}

//! Who listens to which event and who answers which query.

use super::{CounterId, EntryId, EventId, HookId, QueryId};

/// The listeners of one event.
#[derive(Clone, Debug, Default)]
pub struct EventListeners {
    /// The hooks of rules, statistics and the mode, in layer order: they listen all the time.
    pub rules: Vec<(EntryId, HookId)>,
    /// Whether a piece or an effect has a hook for it.
    pub entries: bool,
    /// Whether an entry offers something when it fires.
    pub offers: bool,
}

impl EventListeners {
    /// Whether anything could listen.
    #[must_use]
    pub const fn any(&self) -> bool {
        self.entries || self.offers || !self.rules.is_empty()
    }
}

/// What answers one query.
#[derive(Clone, Debug, Default)]
pub struct QueryListeners {
    /// The answers of rules, statistics and the mode, in layer order.
    pub rules: Vec<(EntryId, HookId)>,
    /// Whether a piece or an effect answers it.
    pub entries: bool,
}

impl QueryListeners {
    /// Whether anything could answer.
    #[must_use]
    pub const fn any(&self) -> bool {
        self.entries || !self.rules.is_empty()
    }
}

/// The listeners of all events and queries, by number.
#[derive(Clone, Debug, Default)]
pub struct ListenerIndex {
    events: Vec<EventListeners>,
    queries: Vec<QueryListeners>,
    /// For each counter, whether anything answers what its value counts as.
    values: Vec<bool>,
}

impl ListenerIndex {
    /// An index in which nobody listens yet.
    #[must_use]
    pub fn new(events: usize, queries: usize, counters: usize) -> ListenerIndex {
        ListenerIndex {
            events: vec![EventListeners::default(); events],
            queries: vec![QueryListeners::default(); queries],
            values: vec![false; counters],
        }
    }

    /// The listeners of an event.
    #[must_use]
    #[inline]
    pub fn event(&self, id: EventId) -> &EventListeners {
        &self.events[id.ix()]
    }

    /// The listeners of an event, to add to.
    pub fn event_mut(&mut self, id: EventId) -> &mut EventListeners {
        &mut self.events[id.ix()]
    }

    /// What answers a query.
    #[must_use]
    #[inline]
    pub fn query(&self, id: QueryId) -> &QueryListeners {
        &self.queries[id.ix()]
    }

    /// What answers a query, to add to.
    pub fn query_mut(&mut self, id: QueryId) -> &mut QueryListeners {
        &mut self.queries[id.ix()]
    }

    /// Whether anything answers what a counter counts as.
    #[must_use]
    #[inline]
    pub fn answers_value(&self, counter: CounterId) -> bool {
        self.values[counter.ix()]
    }

    /// Notes an answer to what a counter counts as; `None` is an answer for all counters.
    pub fn add_value(&mut self, counter: Option<CounterId>) {
        match counter {
            Some(counter) => self.values[counter.ix()] = true,
            None => self.values.fill(true),
        }
    }

    /// The events that nobody could hear.
    pub fn unheard(&self) -> impl Iterator<Item = EventId> + '_ {
        (0..self.events.len())
            .map(EventId::at)
            .filter(|id| !self.event(*id).any())
    }
}

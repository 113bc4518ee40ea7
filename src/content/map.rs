//! The map: places and the routes between them.

use crate::value::Text;
use std::collections::VecDeque;
use std::sync::OnceLock;

use crate::value::{EntryId, PlaceId};

/// A route from a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The place it leads to.
    pub to: PlaceId,
    /// The kind of route, such as a road; empty by default.
    pub kind: Text,
    /// The entry that declares it; `None` for neighbours in a grid or in `routes` of a place.
    pub route: Option<EntryId>,
}

/// A place and the routes from it.
#[derive(Clone, Debug)]
pub struct PlaceNode {
    /// The entry with its title and fields.
    pub entry: EntryId,
    /// The routes from it, in the order in which they were declared.
    pub edges: Vec<Edge>,
}

/// The map as a graph; a grid is a map too.
#[derive(Clone, Debug, Default)]
pub struct BoardMap {
    /// The places, by id.
    pub places: Vec<PlaceNode>,
    /// The distance between each pair of places; computed on first use.
    distances_cache: OnceLock<Vec<Vec<Option<u16>>>>,
}

impl BoardMap {
    /// Adds a route, unless it exists.
    pub(super) fn connect(
        &mut self,
        (from, to): (PlaceId, PlaceId),
        kind: &Text,
        route: Option<EntryId>,
    ) {
        let edges = &mut self.places[from.ix()].edges;
        let kind = kind.clone();
        let edge = Edge { to, kind, route };
        if from != to && !edges.contains(&edge) {
            edges.push(edge);
        }
    }

    /// The number of steps from one place to another; `None` if it cannot be reached.
    #[must_use]
    pub fn distance(&self, from: PlaceId, to: PlaceId) -> Option<u16> {
        let all = || {
            (0..self.places.len())
                .map(|goal| self.distances(PlaceId::at(goal), &|_| true))
                .collect()
        };
        self.distances_cache.get_or_init(all)[to.ix()][from.ix()]
    }

    /// The number of steps from each place to `goal` through places that `open` accepts; `None` if
    /// `goal` cannot be reached.
    #[must_use]
    pub fn distances(&self, goal: PlaceId, open: &dyn Fn(PlaceId) -> bool) -> Vec<Option<u16>> {
        let back = self.reversed();
        let mut steps = vec![None; self.places.len()];
        let mut queue = VecDeque::from([goal]);
        steps[goal.ix()] = Some(0u16);
        while let Some(at) = queue.pop_front() {
            let next = steps[at.ix()].unwrap_or(0).saturating_add(1);
            if at != goal && !open(at) {
                continue;
            }
            for &from in &back[at.ix()] {
                if steps[from.ix()].is_none() {
                    steps[from.ix()] = Some(next);
                    queue.push_back(from);
                }
            }
        }
        steps
    }

    /// The neighbours of `from` that are on a shortest path to `goal`, in the order of their
    /// routes. The pack chooses between them.
    #[must_use]
    pub fn best_steps(
        &self,
        from: PlaceId,
        goal: PlaceId,
        open: &dyn Fn(PlaceId) -> bool,
    ) -> Vec<PlaceId> {
        let steps = self.distances(goal, open);
        let Some(here) = steps[from.ix()] else {
            return Vec::new();
        };
        let mut best: Vec<PlaceId> = Vec::new();
        for way in &self.places[from.ix()].edges {
            let nearer = steps[way.to.ix()].is_some_and(|n| n + 1 == here);
            if nearer && (way.to == goal || open(way.to)) && !best.contains(&way.to) {
                best.push(way.to);
            }
        }
        best
    }

    fn reversed(&self) -> Vec<Vec<PlaceId>> {
        let mut back = vec![Vec::new(); self.places.len()];
        for (ix, node) in self.places.iter().enumerate() {
            for way in &node.edges {
                back[way.to.ix()].push(PlaceId::at(ix));
            }
        }
        back
    }
}

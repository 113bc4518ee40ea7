//! Layered graph layout (Sugiyama): nodes in columns, with edges from left to right. It uses
//! integers and a fixed number of rounds, so that the result is the same on every machine.

use crate::number::cast;

/// The width of a node.
pub const WIDTH: i64 = 200;
/// The height of a node.
pub const HEIGHT: i64 = 44;
/// The space between two columns.
pub const COLUMN_GAP: i64 = 64;
/// The space between two nodes of a column.
pub const GAP: i64 = 14;
/// The height of a dummy node, where an edge passes through a column.
const DUMMY_HEIGHT: i64 = 10;
/// How often the columns are reordered.
const ORDERING_ROUNDS: usize = 12;
/// How often nodes are moved towards their neighbours.
const PLACEMENT_ROUNDS: usize = 8;
/// With more edges than this, crossings are not counted and the last order is used.
const MAX_COUNTED: usize = 600;

/// The positions of nodes and edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphLayout {
    /// The upper left corner of each node.
    pub nodes: Vec<(i64, i64)>,
    /// The points of each edge.
    pub edges: Vec<Vec<(i64, i64)>>,
    /// The width of the whole picture.
    pub width: i64,
    /// The height of the whole picture.
    pub height: i64,
}

/// Lays out `count` nodes and the edges between them.
#[must_use]
pub fn layout(count: usize, edges: &[(usize, usize)]) -> GraphLayout {
    let acyclic_edges = acyclic(count, edges);
    let mut plan = LayeredLayout::new(count, &acyclic_edges);
    plan.order();
    plan.place();
    plan.finish(count, edges, &acyclic_edges)
}

/// The edges, with those that close a cycle reversed.
fn acyclic(count: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (ix, (from, _)) in edges.iter().enumerate() {
        out[*from].push(ix);
    }
    let mut entered = vec![false; count];
    for (_, to) in edges {
        entered[*to] = true;
    }
    let mut reversed: Vec<(usize, usize)> = edges.to_vec();
    // 0: new, 1: on the current path, 2: done.
    let mut state = vec![0u8; count];
    let firsts = (0..count).filter(|node| !entered[*node]).chain(0..count);
    for first in firsts {
        let mut path = vec![(first, 0)];
        if state[first] != 0 {
            continue;
        }
        state[first] = 1;
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                state[*node] = 2;
                path.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            match state[to] {
                0 => {
                    state[to] = 1;
                    path.push((to, 0));
                }
                1 => reversed[edge] = (to, edges[edge].0),
                _ => {}
            }
        }
    }
    reversed
}

/// Nodes and dummy nodes (where edges pass through a column), in columns.
struct LayeredLayout {
    /// The column of each node.
    column: Vec<usize>,
    /// The neighbours of each node in the previous and in the next column.
    left: Vec<Vec<usize>>,
    right: Vec<Vec<usize>>,
    /// The nodes of each column, from top to bottom.
    columns: Vec<Vec<usize>>,
    /// The nodes that each edge passes through, including both ends.
    through: Vec<Vec<usize>>,
    /// The number of real nodes; the others are dummies.
    count: usize,
    y: Vec<i64>,
}

impl LayeredLayout {
    fn new(count: usize, edges: &[(usize, usize)]) -> LayeredLayout {
        let mut column = columns_of(count, edges);
        let (mut left, mut right) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut through = Vec::new();
        for &(from, to) in edges {
            let mut path = vec![from];
            for passed in column[from] + 1..column[to] {
                path.push(column.len());
                column.push(passed);
                left.push(Vec::new());
                right.push(Vec::new());
            }
            path.push(to);
            for pair in path.windows(2).filter(|pair| pair[0] != pair[1]) {
                right[pair[0]].push(pair[1]);
                left[pair[1]].push(pair[0]);
            }
            through.push(path);
        }
        let mut columns = vec![Vec::new(); column.iter().max().map_or(0, |last| last + 1)];
        for (node, at) in column.iter().enumerate() {
            columns[*at].push(node);
        }
        let y = vec![0; column.len()];
        LayeredLayout {
            column,
            left,
            right,
            columns,
            through,
            count,
            y,
        }
    }

    /// Orders each column by the mean position of its neighbours, and keeps the order with the
    /// fewest crossings.
    fn order(&mut self) {
        let counted = self.through.len() <= MAX_COUNTED;
        let mut best = (self.crossings(counted), self.columns.clone());
        for round in 0..ORDERING_ROUNDS {
            let rightward = round % 2 == 0;
            let all: Vec<usize> = if rightward {
                (1..self.columns.len()).collect()
            } else {
                (0..self.columns.len().saturating_sub(1)).rev().collect()
            };
            for at in all {
                self.order_column(at, rightward);
            }
            let crossings = self.crossings(counted);
            if crossings < best.0 || !counted {
                best = (crossings, self.columns.clone());
            }
        }
        self.columns = best.1;
    }

    fn order_column(&mut self, at: usize, rightward: bool) {
        let beside = if rightward { at - 1 } else { at + 1 };
        let mut position = vec![0i64; self.column.len()];
        for (ix, node) in (0..).zip(&self.columns[beside]) {
            position[*node] = ix * 1000;
        }
        let neighbours = if rightward { &self.left } else { &self.right };
        let mut keyed: Vec<(i64, usize)> = Vec::new();
        for (ix, &node) in (0..).zip(&self.columns[at]) {
            let near: Vec<i64> = neighbours[node]
                .iter()
                .map(|other| position[*other])
                .collect();
            keyed.push((mean(&near).unwrap_or(ix * 1000), node));
        }
        keyed.sort_by_key(|(key, _)| *key);
        self.columns[at] = keyed.into_iter().map(|(_, node)| node).collect();
    }

    fn crossings(&self, counted: bool) -> usize {
        if !counted {
            return 0;
        }
        let mut position = vec![0; self.column.len()];
        for column in &self.columns {
            for (ix, node) in column.iter().enumerate() {
                position[*node] = ix;
            }
        }
        let mut crossings = 0;
        for column in &self.columns {
            let edges: Vec<(usize, usize)> = column
                .iter()
                .flat_map(|node| {
                    self.right[*node]
                        .iter()
                        .map(|to| (position[*node], position[*to]))
                })
                .collect();
            for (ix, edge) in edges.iter().enumerate() {
                let crosses = |other: &&(usize, usize)| {
                    (edge.0 < other.0 && edge.1 > other.1) || (edge.0 > other.0 && edge.1 < other.1)
                };
                crossings += edges[ix + 1..].iter().filter(crosses).count();
            }
        }
        crossings
    }

    fn height(&self, node: usize) -> i64 {
        if node < self.count {
            HEIGHT
        } else {
            DUMMY_HEIGHT
        }
    }

    /// Computes the vertical positions: near the neighbours, but with enough space between nodes.
    fn place(&mut self) {
        for column in self.columns.clone() {
            self.set(&column, &vec![0; column.len()]);
        }
        for round in 0..PLACEMENT_ROUNDS {
            let rightward = round % 2 == 0;
            let mut all = self.columns.clone();
            if !rightward {
                all.reverse();
            }
            for column in all {
                let wanted: Vec<i64> = column
                    .iter()
                    .map(|node| self.wanted(*node, rightward))
                    .collect();
                self.set(&column, &wanted);
            }
        }
    }

    fn wanted(&self, node: usize, rightward: bool) -> i64 {
        let near =
            |all: &[usize]| mean(&all.iter().map(|other| self.y[*other]).collect::<Vec<_>>());
        let (first, second) = if rightward {
            (&self.left[node], &self.right[node])
        } else {
            (&self.right[node], &self.left[node])
        };
        near(first).or_else(|| near(second)).unwrap_or(self.y[node])
    }

    /// Places the nodes of a column as close as possible to the wanted positions, in order. Nodes
    /// that would overlap form a block that moves together.
    fn set(&mut self, column: &[usize], wanted: &[i64]) {
        let mut offsets = Vec::new();
        let mut offset = 0;
        for (ix, node) in column.iter().enumerate() {
            if ix > 0 {
                offset += i64::midpoint(self.height(column[ix - 1]), self.height(*node)) + GAP;
            }
            offsets.push(offset);
        }
        let mut blocks: Vec<(i64, i64)> = Vec::new();
        for (wanted, offset) in wanted.iter().zip(&offsets) {
            blocks.push((wanted - offset, 1));
            while let [.., a, b] = blocks[..] {
                if a.0 * b.1 <= b.0 * a.1 {
                    break;
                }
                blocks.truncate(blocks.len() - 2);
                blocks.push((a.0 + b.0, a.1 + b.1));
            }
        }
        let starts = blocks
            .iter()
            .flat_map(|(sum, count)| (0..*count).map(move |_| sum.div_euclid(*count)));
        for ((node, start), offset) in column.iter().zip(starts).zip(&offsets) {
            self.y[*node] = start + offset;
        }
    }

    fn finish(
        &self,
        count: usize,
        edges: &[(usize, usize)],
        acyclic_edges: &[(usize, usize)],
    ) -> GraphLayout {
        let top = (0..self.y.len())
            .map(|node| self.y[node] - self.height(node) / 2)
            .min()
            .unwrap_or(0);
        let bottom = (0..self.y.len())
            .map(|node| self.y[node] + self.height(node) / 2)
            .max()
            .unwrap_or(0);
        let x = |node: usize| cast::<_, i64>(self.column[node]) * (WIDTH + COLUMN_GAP);
        let nodes = (0..count)
            .map(|node| (x(node), self.y[node] - HEIGHT / 2 - top))
            .collect();
        let points = |(path, reversed): (&Vec<usize>, bool)| {
            let mut points = Vec::new();
            for (ix, node) in path.iter().enumerate() {
                let y = self.y[*node] - top;
                if ix > 0 {
                    points.push((x(*node), y));
                }
                if ix + 1 < path.len() {
                    points.push((x(*node) + WIDTH, y));
                }
            }
            if reversed {
                points.reverse();
            }
            points
        };
        let reversed = edges
            .iter()
            .zip(acyclic_edges)
            .map(|(edge, down)| edge != down);
        let edges = self.through.iter().zip(reversed).map(points).collect();
        let columns = cast::<_, i64>(self.columns.len());
        GraphLayout {
            nodes,
            edges,
            width: (columns * (WIDTH + COLUMN_GAP) - COLUMN_GAP).max(0),
            height: bottom - top,
        }
    }
}

fn mean(all: &[i64]) -> Option<i64> {
    let count = i64::try_from(all.len()).ok().filter(|count| *count > 0)?;
    Some(all.iter().sum::<i64>() / count)
}

/// The column of each node: as far to the left as its predecessors allow. Nodes without
/// predecessors go right before their first successor.
fn columns_of(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut waiting = vec![0usize; count];
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        waiting[to] += 1;
        out[from].push(to);
    }
    let first: Vec<bool> = waiting.iter().map(|count| *count == 0).collect();
    let mut ready: Vec<usize> = (0..count).rev().filter(|node| first[*node]).collect();
    let mut column = vec![0usize; count];
    while let Some(node) = ready.pop() {
        for &to in &out[node] {
            column[to] = column[to].max(column[node] + 1);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    for node in (0..count).filter(|node| first[*node]) {
        let next = out[node].iter().map(|to| column[*to]).min();
        column[node] = next.map_or(0, |next| next.saturating_sub(1));
    }
    column
}

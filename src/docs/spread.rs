//! Lays out the places of a map without declared positions, by their distances in steps. It uses
//! stress majorization, with integers and a fixed number of rounds, so that a map looks the same on
//! every machine.

use crate::number::cast;

/// The distance between neighbours.
pub const STEP: i64 = 150;
/// Units per pixel, so that rounding does not keep nodes from moving.
const UNITS_PER_PIXEL: i64 = 64;
/// How often all nodes are moved.
const MAX_ROUNDS: usize = 200;
/// The distance in steps for nodes that are not connected.
const DISCONNECTED_STEPS: i64 = 4;

/// Positions of nodes, given the number of steps between any two of them.
#[must_use]
pub fn spread(steps: &[Vec<Option<u16>>]) -> Vec<(i64, i64)> {
    let count = steps.len();
    let distance = |a: usize, b: usize| {
        // A route may go in only one direction.
        let found = steps[a][b].into_iter().chain(steps[b][a]).min();
        found.map_or(DISCONNECTED_STEPS, i64::from).max(1)
    };
    let mut at = initial(count, &distance);
    // Fewer rounds for more nodes, so that large maps do not take longer than small ones.
    let rounds = (4_000_000 / (count * count).max(1)).clamp(4, MAX_ROUNDS);
    for _ in 0..rounds {
        for node in 0..count {
            at[node] = moved(node, &at, &distance);
        }
    }
    at.into_iter()
        .map(|(x, y)| (x / UNITS_PER_PIXEL, y / UNITS_PER_PIXEL))
        .collect()
}

/// Initial positions, from the distances to four nodes that are far apart.
fn initial(count: usize, distance: &dyn Fn(usize, usize) -> i64) -> Vec<(i64, i64)> {
    if count == 0 {
        return Vec::new();
    }
    let mut corners = vec![
        (0..count)
            .max_by_key(|node| (distance(0, *node), usize::MAX - node))
            .unwrap_or(0),
    ];
    while corners.len() < 4 {
        let nearest = |node: usize| {
            corners
                .iter()
                .map(|corner| distance(*corner, node) * i64::from(*corner != node))
                .min()
        };
        let next = (0..count)
            .max_by_key(|node| (nearest(*node), usize::MAX - node))
            .unwrap_or(0);
        corners.push(next);
    }
    let to = |corner: usize, node: usize| {
        if corners[corner] == node {
            0
        } else {
            distance(corners[corner], node)
        }
    };
    let place = |node: usize| {
        // Nodes with equal distances must not start at the same point.
        let own = cast::<_, i64>(node);
        let x = (to(0, node) - to(1, node)) * STEP * UNITS_PER_PIXEL / 2;
        let y = (to(2, node) - to(3, node)) * STEP * UNITS_PER_PIXEL / 2;
        (x + own * 37 % 101, y + own * 61 % 103)
    };
    (0..count).map(place).collect()
}

/// The next position of a node: the weighted mean of the positions that the other nodes prefer.
/// Near nodes have more weight.
fn moved(node: usize, at: &[(i64, i64)], distance: &dyn Fn(usize, usize) -> i64) -> (i64, i64) {
    const UNIT: i64 = 3600;
    let (mut x, mut y, mut weights) = (0, 0, 0);
    for other in (0..at.len()).filter(|other| *other != node) {
        let steps = distance(node, other);
        let weight = (UNIT / (steps * steps)).max(1);
        let (dx, dy) = (at[node].0 - at[other].0, at[node].1 - at[other].1);
        let current = (dx * dx + dy * dy).isqrt().max(1);
        let wanted = steps * STEP * UNITS_PER_PIXEL;
        x += weight * (at[other].0 + dx * wanted / current);
        y += weight * (at[other].1 + dy * wanted / current);
        weights += weight;
    }
    if weights == 0 {
        at[node]
    } else {
        (x / weights, y / weights)
    }
}

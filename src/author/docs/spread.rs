//! Finds places on paper for the nodes of a map that has none: those few steps apart come near each other. By stress
//! majorisation, in whole numbers and with a fixed number of rounds, so that a map looks the same on every machine.

use crate::number::cast;
/// How far apart neighbours should come.
pub const STEP: i64 = 150;
/// Finer than a point, so that rounding does not stop the nodes.
const FINE: i64 = 64;
/// How often all nodes are moved.
const ROUNDS: usize = 200;
/// Nodes that no way joins are put so many steps apart.
const FAR: i64 = 4;

/// Places for nodes, by the steps between any two of them.
pub fn spread(steps: &[Vec<Option<u16>>]) -> Vec<(i64, i64)> {
    let count = steps.len();
    let apart = |one: usize, other: usize| {
        // A way may lead in one direction only.
        let found = steps[one][other].into_iter().chain(steps[other][one]).min();
        found.map_or(FAR, i64::from).max(1)
    };
    let mut at = begun(count, &apart);
    // The more nodes, the fewer rounds: a large map takes no longer than a small one.
    let rounds = (4_000_000 / (count * count).max(1)).clamp(4, ROUNDS);
    for _ in 0..rounds {
        for node in 0..count {
            at[node] = moved(node, &at, &apart);
        }
    }
    at.into_iter().map(|(x, y)| (x / FINE, y / FINE)).collect()
}

/// Where the nodes begin: by how far they are from four that lie far apart.
fn begun(count: usize, apart: &dyn Fn(usize, usize) -> i64) -> Vec<(i64, i64)> {
    if count == 0 {
        return Vec::new();
    }
    let mut corners = vec![
        (0..count)
            .max_by_key(|node| (apart(0, *node), usize::MAX - node))
            .unwrap_or(0),
    ];
    while corners.len() < 4 {
        let least = |node: usize| {
            corners
                .iter()
                .map(|corner| apart(*corner, node) * i64::from(*corner != node))
                .min()
        };
        let next = (0..count)
            .max_by_key(|node| (least(*node), usize::MAX - node))
            .unwrap_or(0);
        corners.push(next);
    }
    let to = |corner: usize, node: usize| {
        if corners[corner] == node {
            0
        } else {
            apart(corners[corner], node)
        }
    };
    let place = |node: usize| {
        // Nodes that are alike must not begin at one point.
        let own = cast::<_, i64>(node);
        let x = (to(0, node) - to(1, node)) * STEP * FINE / 2;
        let y = (to(2, node) - to(3, node)) * STEP * FINE / 2;
        (x + own * 37 % 101, y + own * 61 % 103)
    };
    (0..count).map(place).collect()
}

/// Where a node goes: each other one would have it at the right distance, near ones with more weight.
fn moved(node: usize, at: &[(i64, i64)], apart: &dyn Fn(usize, usize) -> i64) -> (i64, i64) {
    const UNIT: i64 = 3600;
    let (mut x, mut y, mut weights) = (0, 0, 0);
    for other in (0..at.len()).filter(|other| *other != node) {
        let steps = apart(node, other);
        let weight = (UNIT / (steps * steps)).max(1);
        let (dx, dy) = (at[node].0 - at[other].0, at[node].1 - at[other].1);
        let now = (dx * dx + dy * dy).isqrt().max(1);
        let wanted = steps * STEP * FINE;
        x += weight * (at[other].0 + dx * wanted / now);
        y += weight * (at[other].1 + dy * wanted / now);
        weights += weight;
    }
    if weights == 0 {
        at[node]
    } else {
        (x / weights, y / weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps between the nodes of a ring.
    fn ring(count: u16) -> Vec<Vec<Option<u16>>> {
        (0..count)
            .map(|a| {
                (0..count)
                    .map(|b| Some(a.abs_diff(b).min(count - a.abs_diff(b))))
                    .collect()
            })
            .collect()
    }

    fn distance(one: (i64, i64), other: (i64, i64)) -> i64 {
        ((one.0 - other.0).pow(2) + (one.1 - other.1).pow(2)).isqrt()
    }

    #[test]
    fn neighbours_come_near_and_others_do_not() {
        let found = spread(&ring(8));
        for node in 0..8 {
            let next = distance(found[node], found[(node + 1) % 8]);
            let across = distance(found[node], found[(node + 4) % 8]);
            assert!((STEP / 2..STEP * 3 / 2).contains(&next), "{found:?}");
            assert!(across > 2 * STEP, "{found:?}");
        }
        assert_eq!(found, spread(&ring(8)));
    }

    #[test]
    fn few_nodes_and_lone_ones_have_places_too() {
        assert_eq!(spread(&[]), []);
        assert_eq!(spread(&[vec![Some(0)]]).len(), 1);
        let found = spread(&[vec![Some(0), None], vec![None, Some(0)]]);
        assert!(distance(found[0], found[1]) > 2 * STEP);
    }
}

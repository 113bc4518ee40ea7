//! The layout of graphs and maps in the reference.

use kaer::docs::layered_layout::{COLUMN_GAP, GAP, HEIGHT, WIDTH, layout};
use kaer::docs::spread::{STEP, spread};
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        edges_lead_to_the_right,
        nodes_of_a_column_keep_apart,
        cycles_are_laid_out_too,
        orders_without_crossings_are_found,
        neighbours_are_near_and_others_are_not,
        small_and_unconnected_graphs_are_laid_out,
    ]
}

fn edges_lead_to_the_right() {
    let edges = [(0, 1), (1, 2), (0, 2), (3, 2)];
    let found = layout(4, &edges);
    let step = WIDTH + COLUMN_GAP;
    let columns: Vec<i64> = found.nodes.iter().map(|(x, _)| x / step).collect();
    assert_eq!(columns, [0, 1, 2, 1]);
    assert_eq!(
        found.edges[2].len(),
        4,
        "it passes through the column between"
    );
    assert!(
        found
            .edges
            .iter()
            .all(|points| points[0].0 < points[points.len() - 1].0)
    );
    assert_eq!(found, layout(4, &edges));
}

fn nodes_of_a_column_keep_apart() {
    let edges: Vec<(usize, usize)> = (1..9).map(|to| (0, to)).collect();
    let found = layout(9, &edges);
    let mut heights: Vec<i64> = found.nodes[1..].iter().map(|(_, y)| *y).collect();
    heights.sort_unstable();
    assert!(
        heights
            .windows(2)
            .all(|pair| pair[1] - pair[0] >= HEIGHT + GAP),
        "{heights:?}"
    );
    // Their common predecessor is centred.
    assert!((found.nodes[0].1 - i64::midpoint(heights[0], heights[7])).abs() <= 2);
}

fn cycles_are_laid_out_too() {
    let found = layout(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]);
    assert!(
        found.edges[2][0].0 > found.edges[2].last().unwrap().0,
        "the edge that closes the cycle leads back"
    );
    assert_eq!(layout(0, &[]).nodes.len(), 0);
}

fn orders_without_crossings_are_found() {
    let found = layout(6, &[(0, 5), (1, 4), (2, 3)]);
    let above = |a: usize, b: usize| found.nodes[a].1 < found.nodes[b].1;
    assert!((0..3).all(|a| (0..3).all(|b| above(a, b) == above(5 - a, 5 - b))));
}

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

fn distance(a: (i64, i64), b: (i64, i64)) -> i64 {
    ((a.0 - b.0).pow(2) + (a.1 - b.1).pow(2)).isqrt()
}

fn neighbours_are_near_and_others_are_not() {
    let found = spread(&ring(8));
    for node in 0..8 {
        let next = distance(found[node], found[(node + 1) % 8]);
        let across = distance(found[node], found[(node + 4) % 8]);
        assert!((STEP / 2..STEP * 3 / 2).contains(&next), "{found:?}");
        assert!(across > 2 * STEP, "{found:?}");
    }
    assert_eq!(found, spread(&ring(8)));
}

fn small_and_unconnected_graphs_are_laid_out() {
    assert_eq!(spread(&[]), []);
    assert_eq!(spread(&[vec![Some(0)]]).len(), 1);
    let found = spread(&[vec![Some(0), None], vec![None, Some(0)]]);
    assert!(distance(found[0], found[1]) > 2 * STEP);
}

//! Graphs as SVG: nodes are links, and colours come from the style sheet of the page.

use std::collections::{BTreeMap, BTreeSet};

use super::html::{Html, classed, list, tag, tag_with};
use super::layered_layout::{self, HEIGHT, WIDTH};

/// Graphs with more nodes or edges than this become lists.
const MAX_NODES: usize = 200;
const MAX_EDGES: usize = 1000;
/// The number of characters that fit on a line of a node.
const LINE_CHARS: usize = 28;
/// The margin around a picture.
const MARGIN: i64 = 8;
/// The width of the text column; wider pictures extend beyond it.
const TEXT_COLUMN_WIDTH: i64 = 690;
/// The number of node styles in the style sheet.
pub const NODE_STYLES: usize = 6;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    pub title: String,
    /// The link target, relative to the page.
    pub to: String,
    /// The index of its style.
    pub style: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    pub nodes: Vec<GraphNode>,
    /// The labels of edges, by the indices of their ends.
    pub edges: BTreeMap<(usize, usize), String>,
}

impl Graph {
    /// Adds an edge, or a label to an existing edge.
    pub fn join(&mut self, from: usize, to: usize, how: &str) {
        let label = self.edges.entry((from, to)).or_default();
        if label.split(", ").all(|known| known != how) {
            label.push_str(if label.is_empty() { "" } else { ", " });
            label.push_str(how);
        }
    }

    /// The connected components, in the order of their first nodes, without isolated nodes.
    pub fn parts(&self) -> Vec<Graph> {
        let mut parents: Vec<usize> = (0..self.nodes.len()).collect();
        for (from, to) in self.edges.keys() {
            let (a, b) = (root(&mut parents, *from), root(&mut parents, *to));
            parents[a.max(b)] = a.min(b);
        }
        let mut all: BTreeMap<usize, Graph> = BTreeMap::new();
        for (from, _) in self.edges.keys() {
            all.entry(root(&mut parents, *from)).or_default();
        }
        let mut place = vec![0; self.nodes.len()];
        for (ix, node) in self.nodes.iter().enumerate() {
            if let Some(part) = all.get_mut(&root(&mut parents, ix)) {
                place[ix] = part.nodes.len();
                part.nodes.push(node.clone());
            }
        }
        for ((from, to), how) in &self.edges {
            if let Some(part) = all.get_mut(&root(&mut parents, *from)) {
                part.edges.insert((place[*from], place[*to]), how.clone());
            }
        }
        all.into_values().collect()
    }

    /// The title of the first node without incoming edges.
    pub fn title(&self) -> String {
        let entered: BTreeSet<usize> = self
            .edges
            .keys()
            .filter(|(from, to)| from != to)
            .map(|(_, to)| *to)
            .collect();
        let first = (0..self.nodes.len())
            .find(|ix| !entered.contains(ix))
            .unwrap_or(0);
        self.nodes
            .get(first)
            .map(|node| node.title.clone())
            .unwrap_or_default()
    }

    /// The picture, or a list if it would be too large.
    pub fn drawn(&self, title: &str) -> Html {
        if self.nodes.len() > MAX_NODES || self.edges.len() > MAX_EDGES {
            return self.listed();
        }
        let pairs: Vec<(usize, usize)> = self.edges.keys().copied().collect();
        let found = layered_layout::layout(self.nodes.len(), &pairs);
        let mut inner = tag("title", title);
        for (how, points) in self.edges.values().zip(&found.edges) {
            inner.push(tag_with(
                "path",
                &[
                    ("class", "edge"),
                    ("d", &curve(points)),
                    ("marker-end", "url(#arrow)"),
                ],
                if how.is_empty() {
                    Html::default()
                } else {
                    tag("title", how)
                },
            ));
        }
        inner.push(
            self.nodes
                .iter()
                .zip(&found.nodes)
                .map(|(node, at)| drawn_node(node, *at))
                .collect::<Html>(),
        );
        svg(
            -MARGIN,
            -MARGIN,
            found.width + 2 * MARGIN,
            found.height + 2 * MARGIN,
            inner,
        )
    }

    fn listed(&self) -> Html {
        let link = |at: usize| super::html::link(&self.nodes[at].to, &self.nodes[at].title);
        let note = tag(
            "p",
            "This graph is too large for a picture. These are its edges:",
        );
        note.and(list(
            self.edges
                .keys()
                .map(|(from, to)| link(*from).and(" → ").and(link(*to))),
        ))
    }
}

/// The root of a node in the union-find forest of components.
fn root(parents: &mut [usize], node: usize) -> usize {
    let mut at = node;
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

/// An SVG element, shown in its original size.
pub fn svg(left: i64, top: i64, width: i64, height: i64, inner: Html) -> Html {
    let view = format!("{left} {top} {width} {height}");
    let is_wide = width > TEXT_COLUMN_WIDTH;
    let (width, height) = (width.to_string(), height.to_string());
    let picture = tag_with(
        "svg",
        &[
            ("viewBox", &view),
            ("width", &width),
            ("height", &height),
            ("role", "img"),
        ],
        inner,
    );
    classed(
        "div",
        if is_wide { "picture broad" } else { "picture" },
        picture,
    )
}

/// The definition of arrow heads, needed once per page.
pub fn arrows() -> Html {
    let tip = tag_with("path", &[("class", "tip"), ("d", "M0 0 L8 4 L0 8 z")], "");
    let size = [
        ("markerWidth", "8"),
        ("markerHeight", "8"),
        ("refX", "8"),
        ("refY", "4"),
        ("orient", "auto"),
        ("markerUnits", "userSpaceOnUse"),
    ];
    let attributes: Vec<(&str, &str)> = [("id", "arrow")].into_iter().chain(size).collect();
    tag_with(
        "svg",
        &[("width", "0"), ("height", "0"), ("class", "arrows")],
        tag("defs", tag_with("marker", &attributes, tip)),
    )
}

fn curve(points: &[(i64, i64)]) -> String {
    let mut out = String::new();
    for (ix, (x, y)) in points.iter().enumerate() {
        if ix == 0 {
            out.push_str(&format!("M{x} {y}"));
            continue;
        }
        let (before_x, before_y) = points[ix - 1];
        if before_y == *y {
            out.push_str(&format!(" L{x} {y}"));
        } else {
            let middle = i64::midpoint(before_x, *x);
            out.push_str(&format!(" C{middle} {before_y} {middle} {y} {x} {y}"));
        }
    }
    out
}

fn drawn_node(node: &GraphNode, (x, y): (i64, i64)) -> Html {
    let class = format!("node look-{}", node.style % NODE_STYLES);
    let numbers = [x, y, WIDTH, HEIGHT].map(|n| n.to_string());
    let [x_at, y_at, width, height] = &numbers;
    let mut inner = tag("title", &node.title);
    inner.push(tag_with(
        "rect",
        &[
            ("x", x_at),
            ("y", y_at),
            ("width", width),
            ("height", height),
            ("rx", "5"),
        ],
        "",
    ));
    let lines = wrapped(&node.title);
    let first = y + HEIGHT / 2 + 4 - 8 * (i64::try_from(lines.len()).unwrap_or(1) - 1);
    for (ix, line) in (0..).zip(&lines) {
        inner.push(svg_text(x + WIDTH / 2, first + 16 * ix, "", line));
    }
    tag_with("a", &[("href", &node.to), ("class", &class)], inner)
}

/// A line of text, centred at a point.
pub fn svg_text(x: i64, y: i64, class: &str, text: &str) -> Html {
    let (x, y) = (x.to_string(), y.to_string());
    let mut attributes = vec![("x", &*x), ("y", &*y)];
    if !class.is_empty() {
        attributes.push(("class", class));
    }
    tag_with("text", &attributes, text)
}

/// Wraps a title to at most two lines.
pub fn wrapped(title: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in title.split_whitespace() {
        let last = lines.len() - 1;
        let length = lines[last].chars().count();
        if length > 0 && length + 1 + word.chars().count() > LINE_CHARS && last == 0 {
            lines.push(word.to_owned());
        } else {
            lines[last].push_str(if length > 0 { " " } else { "" });
            lines[last].push_str(word);
        }
    }
    for line in &mut lines {
        if line.chars().count() > LINE_CHARS {
            *line = format!("{}…", line.chars().take(LINE_CHARS - 1).collect::<String>());
        }
    }
    lines
}

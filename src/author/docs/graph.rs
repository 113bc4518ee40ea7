//! Graphs as pictures: nodes are links, light and dark is the page's.

use std::collections::{BTreeMap, BTreeSet};

use super::html::{Html, classed, list, tag, tag_with};
use super::layers::{self, HEIGHT, WIDTH};

/// A picture of more nodes or edges would be no picture any more.
const MOST_NODES: usize = 200;
const MOST_EDGES: usize = 1000;
/// So many letters fit into a line of a node.
const LETTERS: usize = 28;
/// Around a picture.
const MARGIN: i64 = 8;
/// How broad the column of text is: pictures that are broader stand out of it.
const COLUMN: i64 = 690;
/// How many kinds of nodes look different.
pub const LOOKS: usize = 6;

/// Something with edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub title: String,
    /// Where it leads, as the page writes it.
    pub to: String,
    /// Which of the looks it has.
    pub look: usize,
}

/// Nodes and edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    pub nodes: Vec<Node>,
    /// From where to where, and how.
    pub edges: BTreeMap<(usize, usize), String>,
}

impl Graph {
    /// An edge, or one more way in which an edge leads.
    pub fn join(&mut self, from: usize, to: usize, how: &str) {
        let told = self.edges.entry((from, to)).or_default();
        if told.split(", ").all(|known| known != how) {
            told.push_str(if told.is_empty() { "" } else { ", " });
            told.push_str(how);
        }
    }

    /// The parts that are not connected, in the order of their first nodes. Nodes without an edge belong to none.
    pub fn parts(&self) -> Vec<Graph> {
        let mut above: Vec<usize> = (0..self.nodes.len()).collect();
        for (from, to) in self.edges.keys() {
            let (one, other) = (top(&mut above, *from), top(&mut above, *to));
            above[one.max(other)] = one.min(other);
        }
        let mut all: BTreeMap<usize, Graph> = BTreeMap::new();
        for (from, _) in self.edges.keys() {
            all.entry(top(&mut above, *from)).or_default();
        }
        let mut place = vec![0; self.nodes.len()];
        for (ix, node) in self.nodes.iter().enumerate() {
            if let Some(part) = all.get_mut(&top(&mut above, ix)) {
                place[ix] = part.nodes.len();
                part.nodes.push(node.clone());
            }
        }
        for ((from, to), how) in &self.edges {
            if let Some(part) = all.get_mut(&top(&mut above, *from)) {
                part.edges.insert((place[*from], place[*to]), how.clone());
            }
        }
        all.into_values().collect()
    }

    /// What a part is called: by what nothing leads to.
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

    /// The picture; a list where it would be too large.
    pub fn drawn(&self, title: &str) -> Html {
        if self.nodes.len() > MOST_NODES || self.edges.len() > MOST_EDGES {
            return self.listed();
        }
        let pairs: Vec<(usize, usize)> = self.edges.keys().copied().collect();
        let found = layers::layout(self.nodes.len(), &pairs);
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
            "There is too much of it for a picture: what leads to what.",
        );
        note.and(list(
            self.edges
                .keys()
                .map(|(from, to)| link(*from).and(" → ").and(link(*to))),
        ))
    }
}

/// The node that stands for the part of a node.
fn top(above: &mut [usize], node: usize) -> usize {
    let mut at = node;
    while above[at] != at {
        above[at] = above[above[at]];
        at = above[at];
    }
    at
}

/// A picture of a size, which is shown as large as it is.
pub fn svg(left: i64, top: i64, width: i64, height: i64, inner: Html) -> Html {
    let view = format!("{left} {top} {width} {height}");
    let broad = width > COLUMN;
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
        if broad { "picture broad" } else { "picture" },
        picture,
    )
}

/// What arrows look like, once a page.
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

fn drawn_node(node: &Node, (x, y): (i64, i64)) -> Html {
    let class = format!("node look-{}", node.look % LOOKS);
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
        inner.push(written(x + WIDTH / 2, first + 16 * ix, "", line));
    }
    tag_with("a", &[("href", &node.to), ("class", &class)], inner)
}

/// A line of text, its middle at a point.
pub fn written(x: i64, y: i64, class: &str, text: &str) -> Html {
    let (x, y) = (x.to_string(), y.to_string());
    let mut attributes = vec![("x", &*x), ("y", &*y)];
    if !class.is_empty() {
        attributes.push(("class", class));
    }
    tag_with("text", &attributes, text)
}

/// A title in one or two lines.
pub fn wrapped(title: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in title.split_whitespace() {
        let last = lines.len() - 1;
        let length = lines[last].chars().count();
        if length > 0 && length + 1 + word.chars().count() > LETTERS && last == 0 {
            lines.push(word.to_owned());
        } else {
            lines[last].push_str(if length > 0 { " " } else { "" });
            lines[last].push_str(word);
        }
    }
    for line in &mut lines {
        if line.chars().count() > LETTERS {
            *line = format!("{}…", line.chars().take(LETTERS - 1).collect::<String>());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: usize, edges: &[(usize, usize)]) -> Graph {
        let node = |ix: usize| Node {
            title: format!("node {ix}"),
            to: format!("{ix}.html"),
            look: 0,
        };
        let mut graph = Graph {
            nodes: (0..count).map(node).collect(),
            edges: BTreeMap::new(),
        };
        edges
            .iter()
            .for_each(|(from, to)| graph.join(*from, *to, "way"));
        graph
    }

    #[test]
    fn stories_that_never_meet_are_pictures_of_their_own() {
        let parts = graph(7, &[(5, 1), (1, 3), (0, 4)]).parts();
        let titles: Vec<Vec<&str>> = parts
            .iter()
            .map(|part| part.nodes.iter().map(|node| &*node.title).collect())
            .collect();
        assert_eq!(
            titles,
            [vec!["node 0", "node 4"], vec!["node 1", "node 3", "node 5"]]
        );
        assert_eq!(parts[1].title(), "node 5");
    }

    #[test]
    fn what_is_too_large_is_a_list() {
        let edges: Vec<(usize, usize)> = (0..300).map(|ix| (ix, ix + 1)).collect();
        assert!(graph(301, &edges).drawn("x").text().contains("<li>"));
        assert!(graph(2, &[(0, 1)]).drawn("x").text().contains("<svg"));
    }

    #[test]
    fn titles_take_two_lines_at_most() {
        assert_eq!(
            wrapped("A Summons for the Gander at Noon"),
            ["A Summons for the Gander at", "Noon"]
        );
        assert_eq!(wrapped(&"x".repeat(99))[0].chars().count(), LETTERS);
    }
}

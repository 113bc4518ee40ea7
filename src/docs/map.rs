//! The map of a pack as SVG: places with their attributes, and the routes between them.

use crate::number::cast;
use std::collections::BTreeMap;

use super::frame;
use super::graph::{arrows, svg, svg_text};
use super::grids::GridDrawing;
use super::html::{Html, classed, code, joined, section, table, tag, tag_with};
use super::site::{DocPack, DocSite, PageWriter};
use super::spread::{STEP, spread};
use crate::content::{BoardMap, Content, PlaceId};
use crate::pack::{EntryNature, Type};
use crate::value::Value;

/// The radius of a place.
const RADIUS: i64 = 8;
/// The margin around the picture, with room for titles.
const MARGIN: i64 = 90;
/// With more places than this, they are arranged in rows.
const MAX_LAID_OUT: usize = 600;
/// The number of line styles in the style sheet.
const LINE_STYLES: usize = 4;

/// The page; `None` for a pack without places, routes or grids.
pub fn page(writer: &PageWriter, pack: usize, shown: &DocPack) -> Option<Html> {
    let is_place = |kind: &crate::pack::Kind| {
        kind.is == EntryNature::Place || matches!(&*kind.id, "route" | "grid")
    };
    let mut own = writer.site.of_pack(pack);
    let content = &shown
        .opened
        .as_ref()
        .filter(|_| own.any(|(_, item)| item.kind.is_some_and(is_place)))?
        .rules
        .content;
    let mut body = frame::heading("Map", Some(shown.title()));
    let mode = shown.mode.as_deref().unwrap_or_default();
    body.push(tag(
        "p",
        [
            Html::from("Places and routes in the mode "),
            code(mode),
            ".".into(),
        ],
    ));
    let drawing = MapDrawing::new(writer, content);
    body.push(arrows());
    body.push(drawing.picture(writer));
    body.push(drawing.legend());
    let has_page = |point: &MapPoint| {
        point
            .square
            .is_none_or(|grid| drawing.grids[&grid].0.declared)
    };
    let rows = drawing
        .points
        .iter()
        .enumerate()
        .filter(|(_, point)| has_page(point))
        .map(|(ix, point)| {
            let ways = content.map.places[ix].edges.iter().map(|route| {
                let to = drawing.points[route.to.ix()].link(writer);
                if route.kind.is_empty() {
                    to
                } else {
                    to.and(" ").and(classed("span", "how", &*route.kind))
                }
            });
            [
                point.link(writer),
                point.words.join(" · ").into(),
                joined(ways, ", "),
            ]
        });
    body.push(section(
        "Places",
        table(["place", "attributes", "routes to"], rows),
    ));
    Some(body)
}

/// A place and its position in the picture.
struct MapPoint {
    /// The index of its entry, if it is in the reference.
    at: Option<usize>,
    title: String,
    words: Vec<String>,
    /// The index of its grid, if it is a square.
    square: Option<usize>,
    x: i64,
    y: i64,
}

impl MapPoint {
    fn link(&self, writer: &PageWriter) -> Html {
        self.at
            .map_or_else(|| Html::from(&self.title), |at| writer.entry(at))
    }
}

struct MapDrawing {
    points: Vec<MapPoint>,
    /// The grids in the picture, with their upper left corners.
    grids: BTreeMap<usize, (GridDrawing, (i64, i64))>,
    /// The routes: from, to, whether it goes both ways, and the index of its kind.
    routes: Vec<(usize, usize, bool, usize)>,
    /// The kinds of routes; the plain kind has an empty name.
    kinds: Vec<String>,
}

impl MapDrawing {
    fn new(writer: &PageWriter, content: &Content) -> MapDrawing {
        let site = writer.site;
        let points = content
            .map
            .places
            .iter()
            .map(|node| point(site, content, node.entry))
            .collect();
        let mut drawing = MapDrawing {
            points,
            grids: BTreeMap::new(),
            routes: Vec::new(),
            kinds: Vec::new(),
        };
        let all = site
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.entry.kind == "grid");
        let grids: Vec<(usize, GridDrawing)> = all
            .map(|(at, _)| (at, GridDrawing::new(writer, at)))
            .collect();
        for point in &mut drawing.points {
            let holds = |(_, grid): &&(usize, GridDrawing)| {
                grid.squares.iter().any(|square| Some(square.0) == point.at)
            };
            point.square = grids.iter().find(holds).map(|(at, _)| *at);
        }
        drawing.position_places(content);
        drawing.position_grids(grids);
        drawing.collect_kinds(&content.map);
        drawing.collect_routes(&content.map);
        drawing
    }

    /// Places that are not squares: at their declared position, or laid out by distance.
    fn position_places(&mut self, content: &Content) {
        let free: Vec<usize> = (0..self.points.len())
            .filter(|ix| self.points[*ix].square.is_none())
            .collect();
        let declared: Vec<Option<(i64, i64)>> = free
            .iter()
            .map(|ix| position(content, PlaceId::at(*ix)))
            .collect();
        let found = if let Some(declared) = declared.into_iter().collect::<Option<Vec<_>>>() {
            scaled(&declared)
        } else if free.len() > MAX_LAID_OUT {
            (0..)
                .zip(&free)
                .map(|(ix, _): (i64, _)| (ix % 20 * STEP, ix / 20 * STEP))
                .collect()
        } else {
            let steps = |from: &usize| {
                free.iter()
                    .map(|to| content.map.distance(PlaceId::at(*from), PlaceId::at(*to)))
                    .collect()
            };
            landscape(spread(&free.iter().map(steps).collect::<Vec<Vec<_>>>()))
        };
        let left = found.iter().map(|(x, _)| *x).min().unwrap_or(0);
        let top = found.iter().map(|(_, y)| *y).min().unwrap_or(0);
        for (ix, (x, y)) in free.into_iter().zip(found) {
            (self.points[ix].x, self.points[ix].y) = (x - left, y - top);
        }
    }

    /// Grids go to the right of everything else, side by side.
    fn position_grids(&mut self, grids: Vec<(usize, GridDrawing)>) {
        let free = self
            .points
            .iter()
            .filter(|point| point.square.is_none())
            .map(|point| point.x + STEP)
            .max();
        let mut left = free.unwrap_or(0);
        for (at, grid) in grids {
            let corner = (left, 0);
            let mut points = self
                .points
                .iter_mut()
                .filter(|point| point.square == Some(at))
                .peekable();
            if points.peek().is_none() {
                continue;
            }
            for point in points {
                let (x, y) = point.at.and_then(|at| grid.middle(at)).unwrap_or_default();
                (point.x, point.y) = (corner.0 + x, corner.1 + y);
            }
            left += grid.size().0 + STEP / 2;
            self.grids.insert(at, (grid, corner));
        }
    }

    /// The kinds of routes, most frequent first: the first one gets the plainest line style.
    fn collect_kinds(&mut self, map: &BoardMap) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for route in map.places.iter().flat_map(|node| &node.edges) {
            *counts.entry(&route.kind).or_default() += 1;
        }
        let mut all: Vec<(usize, &str)> = counts
            .into_iter()
            .map(|(kind, count)| (count, kind))
            .collect();
        all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        self.kinds = all.into_iter().map(|(_, kind)| kind.to_owned()).collect();
    }

    fn collect_routes(&mut self, map: &BoardMap) {
        for (from, node) in map.places.iter().enumerate() {
            for route in &node.edges {
                let to = route.to.ix();
                let back = map.places[to]
                    .edges
                    .iter()
                    .any(|other| other.to.ix() == from && other.kind == route.kind);
                // Adjacent squares need no line.
                let touching = route.kind.is_empty()
                    && self.points[from].square.is_some()
                    && self.points[from].square == self.points[to].square;
                if touching || (back && to < from) {
                    continue;
                }
                let kind = self
                    .kinds
                    .iter()
                    .position(|kind| **kind == *route.kind)
                    .unwrap_or(0);
                self.routes.push((from, to, back, kind));
            }
        }
    }

    fn picture(&self, writer: &PageWriter) -> Html {
        let mut inner = tag("title", "Map");
        inner.push(
            self.grids
                .values()
                .map(|(grid, corner)| grid.drawn(writer, *corner, false))
                .collect::<Html>(),
        );
        inner.push(
            self.routes
                .iter()
                .map(|route| self.line(*route))
                .collect::<Html>(),
        );
        let free = self.points.iter().filter(|point| point.square.is_none());
        inner.push(free.map(|point| circle(writer, point)).collect::<Html>());
        let ends = self.grids.values().map(|(grid, (x, y))| {
            let (width, height) = grid.size();
            (x + width - MARGIN / 2, y + height)
        });
        let all: Vec<(i64, i64)> = self
            .points
            .iter()
            .map(|point| (point.x, point.y))
            .chain(ends)
            .collect();
        let width = all.iter().map(|(x, _)| *x).max().unwrap_or(0) + 2 * MARGIN;
        let height = all.iter().map(|(_, y)| *y).max().unwrap_or(0) + MARGIN;
        svg(-MARGIN, -MARGIN / 3, width, height, inner)
    }

    fn line(&self, (from, to, back, kind): (usize, usize, bool, usize)) -> Html {
        let (start, end) = (&self.points[from], &self.points[to]);
        let (dx, dy) = (end.x - start.x, end.y - start.y);
        let length = (dx * dx + dy * dy).isqrt().max(1);
        // Routes of several kinds between two places are drawn side by side, and end at the
        // circles.
        let parallel = self
            .routes
            .iter()
            .filter(|route| [from, to].contains(&route.0) && [from, to].contains(&route.1));
        let beside = cast::<_, i64>(parallel.filter(|route| route.3 < kind).count()) * 5;
        let (aside_x, aside_y) = (-dy * beside / length, dx * beside / length);
        let (short_x, short_y) = (dx * (RADIUS + 3) / length, dy * (RADIUS + 3) / length);
        let ends = [
            start.x + short_x + aside_x,
            start.y + short_y + aside_y,
            end.x - short_x + aside_x,
            end.y - short_y + aside_y,
        ];
        let [x1, y1, x2, y2] = ends.map(|n| n.to_string());
        let class = format!("way way-{}", kind % LINE_STYLES);
        let mut attributes = vec![
            ("class", &*class),
            ("x1", &*x1),
            ("y1", &*y1),
            ("x2", &*x2),
            ("y2", &*y2),
        ];
        if !back {
            attributes.push(("marker-end", "url(#arrow)"));
        }
        let words = format!(
            "{} {} {} {}",
            start.title,
            if back { "↔" } else { "→" },
            end.title,
            self.kinds[kind]
        );
        tag_with("line", &attributes, tag("title", words.trim_end()))
    }

    /// The meaning of the line styles, if there are several.
    fn legend(&self) -> Html {
        if self.kinds.len() < 2 {
            return Html::default();
        }
        let sample = |(ix, kind): (usize, &String)| {
            let class = format!("way way-{}", ix % LINE_STYLES);
            let line = tag_with(
                "line",
                &[
                    ("class", &*class),
                    ("x1", "0"),
                    ("y1", "5"),
                    ("x2", "40"),
                    ("y2", "5"),
                ],
                "",
            );
            let svg = tag_with(
                "svg",
                &[("width", "40"), ("height", "10"), ("class", "sample")],
                line,
            );
            svg.and(" ")
                .and(if kind.is_empty() { "plain" } else { kind })
        };
        classed(
            "p",
            "small",
            joined(self.kinds.iter().enumerate().map(sample), "   "),
        )
    }
}

fn circle(writer: &PageWriter, point: &MapPoint) -> Html {
    let [x, y, radius] = [point.x, point.y, RADIUS].map(|n| n.to_string());
    let mut inner = tag_with("circle", &[("cx", &*x), ("cy", &*y), ("r", &*radius)], "");
    inner.push(svg_text(point.x, point.y + RADIUS + 16, "", &point.title));
    if !point.words.is_empty() {
        inner.push(svg_text(
            point.x,
            point.y + RADIUS + 30,
            "under",
            &point.words.join(" · "),
        ));
    }
    match point.at {
        Some(at) => tag_with(
            "a",
            &[
                ("class", "spot"),
                ("href", &writer.to(&writer.site.items[at].path)),
            ],
            inner,
        ),
        None => tag_with("g", &[("class", "spot")], inner),
    }
}

/// A place with its title and attributes: its tags and the values of its enum fields.
fn point(site: &DocSite, content: &Content, id: crate::content::EntryId) -> MapPoint {
    let entry = content.entry(id);
    let at = site.find_name(&entry.name);
    let item = at.map(|at| &site.items[at]);
    let kind = item.and_then(|item| item.kind);
    let words = kind
        .iter()
        .flat_map(|kind| &kind.fields)
        .filter(|spec| matches!(spec.ty, Type::Enum(_)));
    let words = words
        .filter_map(|spec| entry.text(&spec.name))
        .map(str::to_owned);
    let words = words
        .chain(entry.tags.iter().map(ToString::to_string))
        .filter(|word| !word.is_empty())
        .collect();
    MapPoint {
        at,
        title: entry.title.to_string(),
        words,
        square: None,
        x: 0,
        y: 0,
    }
}

/// The position that a place declares: `x` and `y`, or a `position` of two numbers.
fn position(content: &Content, place: PlaceId) -> Option<(i64, i64)> {
    let entry = content.entry(content.map.places[place.ix()].entry);
    let number = |name: &str| entry.field(name).and_then(Value::int);
    let declared = entry.field("position");
    let pair = declared.and_then(|declared| match declared.list() {
        [x, y] => x.int().zip(y.int()),
        _ => declared
            .get("x")
            .and_then(Value::int)
            .zip(declared.get("y").and_then(Value::int)),
    });
    number("x").zip(number("y")).or(pair)
}

/// Scales declared positions to pixels: the two nearest places get the default distance of
/// neighbours, unless the map would become too large.
fn scaled(declared: &[(i64, i64)]) -> Vec<(i64, i64)> {
    const MAX_SIZE: i128 = 4000;
    let distance =
        |a: &(i64, i64), b: &(i64, i64)| i128::from(a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)));
    let few = declared.iter().take(MAX_LAID_OUT).enumerate();
    let pairs = few.flat_map(|(ix, place)| {
        declared[..ix]
            .iter()
            .map(move |other| distance(place, other))
    });
    let nearest = pairs.filter(|far| *far > 0).min().unwrap_or(1);
    let extent = declared
        .iter()
        .map(|place| distance(place, &declared[0]))
        .max()
        .unwrap_or(1)
        .max(1);
    let step = i128::from(STEP);
    let (upper, lower) = if extent * step <= MAX_SIZE * nearest {
        (step, nearest)
    } else {
        (MAX_SIZE, extent)
    };
    let left = declared.iter().map(|(x, _)| *x).min().unwrap_or(0);
    let top = declared.iter().map(|(_, y)| *y).min().unwrap_or(0);
    let scale = |n: i64, min: i64| cast::<_, i64>(i128::from(n.abs_diff(min)) * upper / lower);
    declared
        .iter()
        .map(|(x, y)| (scale(*x, left), scale(*y, top)))
        .collect()
}

/// Rotates a map that is higher than wide, so that it fits the screen.
fn landscape(found: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    let extent = |all: &mut dyn Iterator<Item = i64>| {
        let (mut min, mut max) = (i64::MAX, i64::MIN);
        all.for_each(|n| (min, max) = (min.min(n), max.max(n)));
        max.saturating_sub(min)
    };
    let is_wide =
        extent(&mut found.iter().map(|(x, _)| *x)) >= extent(&mut found.iter().map(|(_, y)| *y));
    if is_wide {
        found
    } else {
        found.into_iter().map(|(x, y)| (y, x)).collect()
    }
}

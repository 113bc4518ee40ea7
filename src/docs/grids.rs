//! Grids as SVG. A square that the engine generated is only an anchor on the page of its grid; a
//! declared place has its own page.

use super::graph::{svg, svg_text, wrapped};
use super::html::{Html, tag, tag_with};
use super::paths;
use super::site::{PageWriter, grid_of};
use crate::number::cast;
use crate::pack::FieldValue;

/// The height of a square, and its width if it shows a number.
const SQUARE_SIZE: i64 = 48;
/// The width of a square that shows a title.
const TITLED_SQUARE_WIDTH: i64 = 116;
/// Grids with more squares than this do not show numbers.
const MAX_NUMBERED: usize = 600;

/// A grid to draw.
pub struct GridDrawing {
    at: usize,
    /// The entries of its squares, with column and row from 0.
    pub squares: Vec<(usize, i64, i64)>,
    /// Whether the squares are declared places.
    pub declared: bool,
}

impl GridDrawing {
    pub fn new(writer: &PageWriter, at: usize) -> GridDrawing {
        let grid = &writer.site.items[at];
        let declared = rows(writer, at);
        if !declared.is_empty() {
            return GridDrawing {
                at,
                squares: declared,
                declared: true,
            };
        }
        let generated = writer
            .site
            .of_pack(grid.pack)
            .filter(|(_, item)| grid_of(item.entry) == Some(&*grid.entry.id));
        let number = |item: &super::site::DocEntry, name| item.entry.int(name).unwrap_or(1) - 1;
        let squares = generated
            .map(|(at, item)| (at, number(item, "column"), number(item, "row")))
            .collect();
        GridDrawing {
            at,
            squares,
            declared: false,
        }
    }

    const fn side(&self) -> (i64, i64) {
        (
            if self.declared {
                TITLED_SQUARE_WIDTH
            } else {
                SQUARE_SIZE
            },
            SQUARE_SIZE,
        )
    }

    /// The width and height of the picture.
    pub fn size(&self) -> (i64, i64) {
        let (columns, rows) = self.squares.iter().fold((0, 0), |size, square| {
            (size.0.max(square.1 + 1), size.1.max(square.2 + 1))
        });
        (columns * self.side().0, rows * self.side().1)
    }

    /// The centre of a square, relative to the corner of the grid.
    pub fn middle(&self, at: usize) -> Option<(i64, i64)> {
        let (wide, high) = self.side();
        let (_, column, row) = self.squares.iter().find(|square| square.0 == at)?;
        Some((column * wide + wide / 2, row * high + high / 2))
    }

    /// Draws the squares, starting at a corner. On the page of the grid itself (`own`), generated
    /// squares are anchors; everywhere else, all squares are links.
    pub fn drawn(&self, writer: &PageWriter, corner: (i64, i64), own: bool) -> Html {
        self.squares
            .iter()
            .map(|square| self.square(writer, *square, corner, own))
            .collect()
    }

    fn square(
        &self,
        writer: &PageWriter,
        (at, column, row): (usize, i64, i64),
        corner: (i64, i64),
        own: bool,
    ) -> Html {
        let item = &writer.site.items[at];
        let (wide, high) = self.side();
        let (x, y) = (corner.0 + column * wide, corner.1 + row * high);
        let [left, top, width, height] = [x, y, wide, high].map(|n| n.to_string());
        let mut inner = tag("title", &item.title);
        inner.push(tag_with(
            "rect",
            &[
                ("x", &*left),
                ("y", &*top),
                ("width", &*width),
                ("height", &*height),
            ],
            "",
        ));
        let number = item.entry.id.rsplit('-').next().unwrap_or("").to_owned();
        let lines = match self.squares.len() {
            _ if self.declared => titled(&item.title),
            ..=MAX_NUMBERED => vec![number],
            _ => Vec::new(),
        };
        let first = y + high / 2 + 5 - cast::<_, i64>(lines.len().saturating_sub(1)) * 8;
        for (ix, line) in (0..).zip(lines) {
            inner.push(svg_text(x + wide / 2, first + 16 * ix, "", &line));
        }
        if own && !self.declared {
            tag_with(
                "g",
                &[("class", "square"), ("id", &paths::name(&item.entry.id))],
                inner,
            )
        } else {
            tag_with(
                "a",
                &[("class", "square"), ("href", &writer.to(&item.path))],
                inner,
            )
        }
    }

    /// The picture for the page of the grid.
    pub fn picture(&self, writer: &PageWriter) -> Html {
        let (width, height) = self.size();
        let inner =
            tag("title", &writer.site.items[self.at].title).and(self.drawn(writer, (0, 0), true));
        svg(-2, -2, width + 4, height + 4, inner)
    }
}

/// Splits a title into lines: the part after a comma goes on the second line.
fn titled(title: &str) -> Vec<String> {
    match title.split_once(", ") {
        Some((name, more)) => vec![name.to_owned(), more.to_owned()],
        None => wrapped(title),
    }
}

/// The declared places that are squares of a grid.
fn rows(writer: &PageWriter, at: usize) -> Vec<(usize, i64, i64)> {
    let mut squares = Vec::new();
    for (row, value) in (0..).zip(writer.site.items[at].entry.list("squares")) {
        let FieldValue::List(items) = value else {
            continue;
        };
        for (column, item) in (0..).zip(items) {
            if let FieldValue::Name(name) = item {
                squares.extend(writer.site.resolve(name).map(|at| (at, column, row)));
            }
        }
    }
    squares
}

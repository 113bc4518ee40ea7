//! Grids as pictures: every square has a place there, because it has no page of its own.

use super::book::{Here, grid_of};
use super::graph::{svg, written};
use super::html::{Html, tag, tag_with};
use super::paths;

/// How large a square is.
pub const SQUARE: i64 = 48;
/// In larger grids squares are shown without their numbers.
const MOST_NUMBERS: i64 = 600;

/// The picture of a grid on its page.
pub fn picture(here: &Here, at: usize) -> Html {
    let (columns, rows) = size(here, at);
    let inner = tag("title", &here.book.items[at].title).and(squares(here, at, (0, 0), true));
    svg(-2, -2, columns * SQUARE + 4, rows * SQUARE + 4, inner)
}

/// How many columns and rows a grid has.
pub fn size(here: &Here, at: usize) -> (i64, i64) {
    let entry = here.book.items[at].entry;
    (entry.int("columns").unwrap_or(0), entry.int("rows").unwrap_or(0))
}

/// The squares of a grid from a corner on; on its own page they have the names by which links find them, elsewhere they lead there.
pub fn squares(here: &Here, at: usize, corner: (i64, i64), own: bool) -> Html {
    let grid = &here.book.items[at];
    let (columns, rows) = size(here, at);
    let numbered = columns * rows <= MOST_NUMBERS;
    let squares = here.book.of_pack(grid.pack).filter(|(_, item)| grid_of(item.entry) == Some(&*grid.entry.id));
    let mut all = Html::default();
    for (_, item) in squares {
        let (column, row) = (item.entry.int("column").unwrap_or(1), item.entry.int("row").unwrap_or(1));
        let (x, y) = (corner.0 + (column - 1) * SQUARE, corner.1 + (row - 1) * SQUARE);
        let [left, top, side] = [x, y, SQUARE].map(|n| n.to_string());
        let mut inner = tag("title", &item.title);
        inner.push(tag_with("rect", &[("x", &*left), ("y", &*top), ("width", &*side), ("height", &*side)], ""));
        if numbered {
            let number = item.entry.id.rsplit('-').next().unwrap_or("");
            inner.push(written(x + SQUARE / 2, y + SQUARE / 2 + 5, "", number));
        }
        all.push(if own {
            tag_with("g", &[("class", "square"), ("id", &paths::name(&item.entry.id))], inner)
        } else {
            tag_with("a", &[("class", "square"), ("href", &here.to(&item.path))], inner)
        });
    }
    all
}

//! Builds the routes between places, from `routes` and from grids.

use super::build::ContentBuilder;
use crate::pack;
use crate::value::{EntryId, PlaceId, Text};

impl ContentBuilder<'_> {
    pub fn place_ref(&self, value: Option<&pack::FieldValue>) -> Option<PlaceId> {
        let pack::FieldValue::Ref(ix) = value? else {
            return None;
        };
        self.content.entries[ix.0 as usize].place
    }

    pub fn route(&mut self, entry: EntryId, source: &pack::Entry) {
        let ends = (
            self.place_ref(source.get("from")),
            self.place_ref(source.get("to")),
        );
        let (Some(from), Some(to)) = ends else { return };
        let kind = Text::from(source.text("way").unwrap_or(""));
        self.content.map.connect((from, to), &kind, Some(entry));
        if source.flag("both") {
            self.content.map.connect((to, from), &kind, Some(entry));
        }
    }

    /// The fields of a route that no entry declares: the defaults of the kind.
    pub fn route_defaults(&mut self) {
        let kind = self.layered.kinds.iter().find(|kind| kind.id == "route");
        let fields = kind.map(|kind| kind.fields.clone()).unwrap_or_default();
        for field in &fields {
            if let Some(default) = &field.default {
                let row = (self.name(&field.name), self.plain_value(default));
                self.content.route_defaults.push(row);
            }
        }
    }

    pub fn routes(&mut self, ix: usize, source: &pack::Entry) {
        let Some(from) = self.content.entries[ix].place else {
            return;
        };
        for value in source.list("routes") {
            if let Some(to) = self.place_ref(Some(value)) {
                let kind = Text::from("");
                self.content.map.connect((from, to), &kind, None);
                self.content.map.connect((to, from), &kind, None);
            }
        }
    }

    /// Connects neighbouring squares of a grid: the places that the grid creates, or those listed
    /// in its `squares`.
    pub fn grid(&mut self, source: &pack::Entry) {
        let rows = self.squares(source);
        let cell = |column: i64, row: i64| -> Option<PlaceId> {
            let row = rows.get(usize::try_from(row).ok()?)?;
            *row.get(usize::try_from(column).ok()?)?
        };
        let diagonal = source.flag("diagonal");
        let mut ways = Vec::new();
        for (row, squares) in (0..).zip(&rows) {
            for column in (0..).take(squares.len()) {
                for (dx, dy) in [
                    (0, -1),
                    (-1, 0),
                    (1, 0),
                    (0, 1),
                    (-1, -1),
                    (1, -1),
                    (-1, 1),
                    (1, 1),
                ] {
                    if diagonal || dx == 0 || dy == 0 {
                        ways.extend(cell(column, row).zip(cell(column + dx, row + dy)));
                    }
                }
            }
        }
        for (from, to) in ways {
            self.content.map.connect((from, to), &Text::from(""), None);
        }
    }

    fn laid(&self, row: &pack::FieldValue) -> Vec<Option<PlaceId>> {
        let pack::FieldValue::List(squares) = row else {
            return Vec::new();
        };
        squares
            .iter()
            .map(|square| self.place_ref(Some(square)))
            .collect()
    }

    /// The rows of a grid. A place that does not exist in the game leaves a gap.
    fn squares(&self, source: &pack::Entry) -> Vec<Vec<Option<PlaceId>>> {
        let laid = source.list("squares");
        if !laid.is_empty() {
            return laid.iter().map(|row| self.laid(row)).collect();
        }
        let (columns, rows) = (
            source.int("columns").unwrap_or(0),
            source.int("rows").unwrap_or(0),
        );
        let made = |number: i64| {
            let name = format!("place/{}-{number}", source.id);
            self.content
                .find(&name)
                .and_then(|id| self.content.entry(id).place)
        };
        (0..rows)
            .map(|row| {
                (1..=columns)
                    .map(|column| made(row * columns + column))
                    .collect()
            })
            .collect()
    }
}

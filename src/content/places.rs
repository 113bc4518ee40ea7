//! The ways between places: routes, and the cells of grids.

use std::sync::Arc;

use super::build::Builder;
use super::ids::PlaceId;
use crate::pack;

impl Builder<'_> {
    pub fn place_ref(&self, value: Option<&pack::Value>) -> Option<PlaceId> {
        let pack::Value::Ref(ix) = value? else { return None };
        self.content.entries[ix.0 as usize].place
    }

    pub fn route(&mut self, source: &pack::Entry) {
        let ends = (self.place_ref(source.get("from")), self.place_ref(source.get("to")));
        let (Some(from), Some(to)) = ends else { return };
        let kind = Arc::from(source.text("way").unwrap_or(""));
        self.content.map.connect(from, to, &kind);
        if source.flag("both") {
            self.content.map.connect(to, from, &kind);
        }
    }

    pub fn routes(&mut self, ix: usize, source: &pack::Entry) {
        let Some(from) = self.content.entries[ix].place else { return };
        for value in source.list("routes") {
            if let Some(to) = self.place_ref(Some(value)) {
                self.content.map.connect(from, to, &Arc::from(""));
                self.content.map.connect(to, from, &Arc::from(""));
            }
        }
    }

    pub fn grid(&mut self, source: &pack::Entry) {
        let size = (source.int("columns").unwrap_or(1), source.int("rows").unwrap_or(1));
        let diagonal = source.flag("diagonal");
        let cell = |column: i64, row: i64| {
            let name = format!("{}-{}", source.id, (row - 1) * size.0 + column);
            self.content.find(&format!("place/{name}")).and_then(|id| self.content.entry(id).place)
        };
        let mut ways = Vec::new();
        for row in 1..=size.1 {
            for column in 1..=size.0 {
                for (dx, dy) in [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                    let (x, y) = (column + dx, row + dy);
                    let inside = (1..=size.0).contains(&x) && (1..=size.1).contains(&y);
                    if inside && (diagonal || dx == 0 || dy == 0) {
                        ways.extend(cell(column, row).zip(cell(x, y)));
                    }
                }
            }
        }
        for (from, to) in ways {
            self.content.map.connect(from, to, &Arc::from(""));
        }
    }
}

//! Creates the places of each grid.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Report};

use super::define::specs;
use super::entry::Entry;
use super::kind::Kind;
use super::value::{EntryField, FieldValue};

/// The maximum number of squares in a pack. Without it, a few lines could exhaust the memory.
const MAX_PLACES: i64 = 20_000;

/// The fields that places copy from their grid.
const COPIED_FIELDS: [&str; 3] = ["tags", "text", "in"];

/// The places of all grids, named `<grid>-<n>`, numbered from 1 row by row.
pub(super) fn places(entries: &[Arc<Entry>], place: &Kind, report: &mut Report) -> Vec<Entry> {
    let mut out = Vec::new();
    let mut left = MAX_PLACES;
    for grid in entries.iter().filter(|entry| entry.kind == "grid") {
        let (columns, rows) = (
            grid.int("columns").unwrap_or(0).max(0),
            grid.int("rows").unwrap_or(0).max(0),
        );
        left = left.saturating_sub(columns.saturating_mul(rows));
        if left < 0 {
            Diagnostic::error(
                grid.span,
                "out-of-range",
                format!("too many places in grids (at most {MAX_PLACES} in a pack)"),
            )
            .help("make the grids smaller, or remove some")
            .push(report);
            return out;
        }
        for row in 1..=rows {
            for column in 1..=columns {
                out.push(square(
                    grid,
                    place,
                    column,
                    row,
                    (row - 1) * columns + column,
                ));
            }
        }
    }
    out
}

fn square(grid: &Entry, place: &Kind, column: i64, row: i64, number: i64) -> Entry {
    let field = |name: &str, value: FieldValue, given: bool| EntryField {
        name: name.to_owned(),
        value,
        span: grid.span,
        by: grid.pack,
        is_explicit: given,
    };
    let mut fields = vec![
        field("grid", FieldValue::Text(grid.id.clone()), true),
        field("column", FieldValue::Int(column), true),
        field("row", FieldValue::Int(row), true),
    ];
    fields.extend(
        COPIED_FIELDS
            .iter()
            .filter_map(|name| grid.field(name))
            .cloned(),
    );
    for spec in specs(place) {
        if let Some(default) = &spec.default {
            fields.push(field(&spec.name, default.clone(), false));
        }
    }
    Entry {
        pack: grid.pack,
        pack_id: grid.pack_id.clone(),
        kind: place.id.clone(),
        id: format!("{}-{number}", grid.id),
        fields,
        span: grid.span,
        texts: Vec::new(),
        numbers: Vec::new(),
        costs: Vec::new(),
    }
}

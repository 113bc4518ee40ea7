//! The page of an entry.

use super::cases::RuleCase;
use super::html::{Html, classed, code, prose, section, table, tag};
use super::site::{DocEntry, PageWriter};
use super::usage::{each_leaf, spec_of};
use super::{card, frame, grids, scripts};
use crate::pack::{FieldValue, Type, common};

/// What a page shows in addition to the entry itself.
pub struct PageExtras<'p> {
    pub doings: Html,
    /// The cases that cover it, if it is a rule.
    pub cases: &'p [RuleCase],
}

pub fn page(writer: &PageWriter, at: usize, extra: PageExtras) -> Html {
    let item = &writer.site.items[at];
    let shown = &writer.site.packs[item.pack];
    let above = format!("{} · {}", shown.title(), item.kind_title());
    let mut body = frame::heading(&item.title, Some(&above));
    let place = classed("span", "place", writer.site.location_of(item.entry.span));
    body.push(classed(
        "p",
        "small",
        [code(&item.entry.full_name()), " ".into(), place],
    ));
    body.push(card::cards(writer, at));
    if item.entry.kind == "grid" {
        body.push(grids::GridDrawing::new(writer, at).picture(writer));
    }
    body.push(section("Fields", fields(writer, at, item)));
    body.push(section("Scripts", all_scripts(writer, item)));
    body.push(section("Outcomes", extra.doings));
    body.push(section("Tests", super::cases::listed(writer, extra.cases)));
    body.push(section("Used by", writer.used_by(at)));
    body.push(section("Refers to", writer.names(at)));
    body
}

/// The fields that are neither on the card nor scripts; defaults are greyed out.
fn fields(writer: &PageWriter, at: usize, item: &DocEntry) -> Html {
    let mut rows = Vec::new();
    for field in &item.entry.fields {
        let spec = spec_of(item, &field.name);
        let on_card = spec.is_some_and(card::is_on_card) && field.name != "source";
        if on_card || is_script(&field.value) {
            continue;
        }
        // Common fields are shown only if the file sets them.
        if !field.is_explicit && common().iter().any(|spec| spec.name == field.name) {
            continue;
        }
        let value = writer.field(at, &field.value, spec);
        let value = if value.is_empty() {
            "—".into()
        } else {
            value
        };
        let value = if field.is_explicit {
            value
        } else {
            classed("span", "default", value)
        };
        let text = spec.map(|spec| prose(&spec.text)).unwrap_or_default();
        rows.push([code(&field.name), value, classed("div", "small", text)]);
    }
    let faces = item
        .entry
        .get("face")
        .and_then(FieldValue::as_table)
        .unwrap_or_default();
    for (face, (name, value)) in faces.iter().flat_map(|(face, value)| {
        value
            .as_table()
            .unwrap_or_default()
            .iter()
            .map(move |row| (face, row))
    }) {
        let spec = spec_of(item, name);
        if spec.is_some_and(card::is_on_card) || is_script(value) {
            continue;
        }
        let shown = writer.field(at, value, spec);
        rows.push([code(&format!("face.{face}.{name}")), shown, Html::default()]);
    }
    table(["field", "value", "description"], rows)
}

/// Whether a value consists only of scripts, which have their own section.
fn is_script(value: &FieldValue) -> bool {
    match value {
        FieldValue::Script(_) => true,
        FieldValue::Table(rows) => {
            !rows.is_empty() && rows.iter().all(|(_, value)| is_script(value))
        }
        _ => false,
    }
}

fn all_scripts(writer: &PageWriter, item: &DocEntry) -> Html {
    let mut body = Html::default();
    each_leaf(item, &mut |path, value, leaf| {
        let FieldValue::Script(script) = value else {
            return;
        };
        // A script in a cost is shown with the cost.
        if leaf.paid_with.is_some()
            && spec_of(item, path.split('.').next().unwrap_or(""))
                .is_none_or(|spec| spec.ty != Type::Cost)
        {
            return;
        }
        let head = match leaf.event {
            Some(name) => {
                let before = path.strip_suffix(name).unwrap_or("");
                Html::from(before).and(writer.event_link(script.by, name))
            }
            None => path.into(),
        };
        let place = classed("span", "place", writer.site.location_of(script.span));
        body.push(tag("h3", [tag("code", head), " ".into(), place]));
        body.push(scripts::shown(writer, script.by, &script.text));
    });
    body
}

//! The templates that a pack brings along: entries of the kind `template`.

use std::borrow::Cow;

use super::base::BasePack;
use super::fill::{fill, quoted};
use super::{MOVES, NewFile, PackTemplate, ScaffoldRequest, TemplatePart, manifest};
use crate::pack::{Entry, FieldValue};

/// A part for each template of the base pack that fits the request.
pub fn parts(base: &BasePack, request: &ScaffoldRequest) -> Vec<TemplatePart> {
    base.pack
        .entries()
        .filter(|entry| entry.kind == "template" && text(entry, "form") == request.form.name())
        .map(|entry| part(base, request, entry))
        .collect()
}

fn part(base: &BasePack, request: &ScaffoldRequest, template: &Entry) -> TemplatePart {
    let title = quoted(&request.title);
    let pairs = [("id", &*request.id), ("title", &title), ("moves", MOVES)];
    let filled = |name: &str| fill(text(template, name), &pairs);
    let form = match request.form {
        PackTemplate::Expansion => "An expansion of",
        PackTemplate::Mod => "A mod of",
        PackTemplate::Game | PackTemplate::Campaign => "A campaign for",
    };
    let what = format!("{form} {}.", base.title());
    let mut files: Vec<NewFile> = template
        .list("file")
        .iter()
        .filter_map(FieldValue::as_table)
        .map(|row| file(row, &pairs))
        .collect();
    files.push(manifest(base, request, &what));
    TemplatePart {
        files,
        play: format!("{}:{}", request.id, filled("mode")),
        show: filled("show"),
        what,
        first: Cow::Owned(filled("first")),
    }
}

fn file(row: &[(String, FieldValue)], pairs: &[(&str, &str)]) -> NewFile {
    let field = |name: &str| {
        let found = row.iter().find(|(own, _)| own == name);
        found
            .and_then(|(_, value)| value.as_text())
            .unwrap_or_default()
    };
    NewFile {
        path: Cow::Owned(field("path").to_owned()),
        text: fill(field("text"), pairs),
        about: Cow::Owned(field("about").to_owned()),
    }
}

/// The value of a text field; empty if there is none.
fn text<'e>(entry: &'e Entry, name: &str) -> &'e str {
    entry
        .get(name)
        .and_then(FieldValue::as_text)
        .unwrap_or_default()
}

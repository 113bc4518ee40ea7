//! The built-in script functions, by topic.

use std::collections::BTreeMap;

use super::html::{Html, code, counted, joined, list, prose, section, tag, tag_with};
use super::site::PageWriter;
use super::{frame, paths, scripts};
use crate::script::{EXAMPLE_GAME, Primitive};

/// Every function with its anchor on the page of its topic; overloads get a number.
pub fn anchored(primitives: &[Primitive]) -> Vec<(&Primitive, String)> {
    let mut seen: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let place = |primitive| {
        let primitive: &Primitive = primitive;
        let letters = |c: char| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '-'
            }
        };
        let bare: String = primitive.name.to_lowercase().chars().map(letters).collect();
        let bare = bare.trim_matches('-').to_owned();
        let bare = if bare.is_empty() {
            "sign".to_owned()
        } else {
            bare
        };
        let count = seen.entry((primitive.topic, bare.clone())).or_default();
        *count += 1;
        let anchor = if *count == 1 {
            bare
        } else {
            format!("{bare}-{count}")
        };
        (primitive, anchor)
    };
    primitives.iter().map(place).collect()
}

pub fn topics(primitives: &[Primitive]) -> Vec<&'static str> {
    let mut all: Vec<&str> = primitives.iter().map(|primitive| primitive.topic).collect();
    all.dedup();
    all
}

/// The page with all functions.
pub fn index(writer: &PageWriter) -> Html {
    let primitives = &writer.site.primitives;
    let mut body = frame::heading("Script functions", None);
    let count = counted(primitives.len(), "function");
    body.push(tag("p", prose(&format!(
        "The {count} and properties that scripts can use, by topic. Every function can also be called as a method of its first \
         argument: `draw(seat, 2)` is the same as `seat.draw(2)`. The examples are tested in this game:"
    ))));
    body.push(scripts::example(writer, EXAMPLE_GAME));
    for topic in topics(primitives) {
        let own = anchored(primitives)
            .into_iter()
            .filter(|(primitive, _)| primitive.topic == topic);
        let item = |(primitive, anchor): (&Primitive, String)| {
            writer.link(
                &format!("{}#{anchor}", paths::topic(topic)),
                code(&primitive.name),
            )
        };
        let mut names: Vec<Html> = own.map(item).collect();
        names.dedup_by(|a, b| text_of(a) == text_of(b));
        let heading = tag_with(
            "h2",
            &[("id", topic)],
            writer.link(&paths::topic(topic), topic),
        );
        body.push(tag("section", [heading, tag("p", joined(names, " · "))]));
    }
    body
}

/// The text of a link.
fn text_of(link: &Html) -> &str {
    link.text().split_once('>').map_or("", |(_, inner)| inner)
}

pub fn topic(writer: &PageWriter, topic: &str) -> Html {
    let primitives = &writer.site.primitives;
    let mut body = frame::heading(topic, Some("Script functions"));
    let summary = tag("summary", "The game of the examples");
    body.push(tag(
        "details",
        [summary, scripts::example(writer, EXAMPLE_GAME)],
    ));
    for (primitive, anchor) in anchored(primitives)
        .into_iter()
        .filter(|(primitive, _)| primitive.topic == topic)
    {
        let head = tag_with(
            "h2",
            &[("id", &*anchor), ("class", "word")],
            code(&primitive.signature),
        );
        let example = primitive.example.as_ref().map(|example| {
            let text = scripts::example(writer, &example.text);
            tag_with(
                "div",
                &[("class", "example"), ("data-language", &*example.language)],
                text,
            )
        });
        body.push(tag(
            "article",
            [
                head,
                tag("p", prose(&primitive.text)),
                example.unwrap_or_default(),
            ],
        ));
    }
    let others = topics(primitives)
        .into_iter()
        .filter(|other| *other != topic);
    body.push(section(
        "Other topics",
        list(others.map(|other| writer.link(&paths::topic(other), other))),
    ));
    body
}

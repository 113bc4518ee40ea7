//! The words of scripts, topic by topic.

use std::collections::BTreeMap;

use super::book::Here;
use super::html::{Html, code, counted, joined, list, prose, section, tag, tag_with};
use super::{frame, paths, scripts};
use crate::script::{EXAMPLE_GAME, Primitive};

/// Every word with its place on the page of its topic. Words of one name count on.
pub fn anchored(words: &[Primitive]) -> Vec<(&Primitive, String)> {
    let mut seen: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let place = |word| {
        let primitive: &Primitive = word;
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
    words.iter().map(place).collect()
}

/// The topics, in order.
pub fn topics(words: &[Primitive]) -> Vec<&'static str> {
    let mut all: Vec<&str> = words.iter().map(|word| word.topic).collect();
    all.dedup();
    all
}

/// The page with all words.
pub fn index(here: &Here) -> Html {
    let words = &here.book.words;
    let mut body = frame::heading("Words of scripts", None);
    let count = counted(words.len(), "word");
    body.push(tag("p", prose(&format!(
        "The {count} that scripts of packs speak, by topic. Written with a dot, the first argument stands before it: \
         `draw(seat, 2)` is `seat.draw(2)`. The examples are run in this game:"
    ))));
    body.push(scripts::example(here, EXAMPLE_GAME));
    for topic in topics(words) {
        let own = anchored(words)
            .into_iter()
            .filter(|(word, _)| word.topic == topic);
        let one = |(word, anchor): (&Primitive, String)| {
            here.link(
                &format!("{}#{anchor}", paths::topic(topic)),
                code(&word.name),
            )
        };
        let mut names: Vec<Html> = own.map(one).collect();
        names.dedup_by(|one, other| text_of(one) == text_of(other));
        let heading = tag_with(
            "h2",
            &[("id", topic)],
            here.link(&paths::topic(topic), topic),
        );
        body.push(tag("section", [heading, tag("p", joined(names, " · "))]));
    }
    body
}

/// What a link shows, without where it leads.
fn text_of(link: &Html) -> &str {
    link.text().split_once('>').map_or("", |(_, inner)| inner)
}

/// The page of a topic.
pub fn topic(here: &Here, topic: &str) -> Html {
    let words = &here.book.words;
    let mut body = frame::heading(topic, Some("Words of scripts"));
    let summary = tag("summary", "The game in which the examples are run");
    body.push(tag(
        "details",
        [summary, scripts::example(here, EXAMPLE_GAME)],
    ));
    for (word, anchor) in anchored(words)
        .into_iter()
        .filter(|(word, _)| word.topic == topic)
    {
        let head = tag_with(
            "h2",
            &[("id", &*anchor), ("class", "word")],
            code(&word.signature),
        );
        let example = word.example.as_ref().map(|example| {
            let text = scripts::example(here, &example.text);
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
                tag("p", prose(&word.text)),
                example.unwrap_or_default(),
            ],
        ));
    }
    let others = topics(words).into_iter().filter(|other| *other != topic);
    body.push(section(
        "Other topics",
        list(others.map(|other| here.link(&paths::topic(other), other))),
    ));
    body
}

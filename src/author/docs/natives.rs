//! The engine's events and queries, in the order in which they come.

use super::book::{Here, native};
use super::html::{Html, classed, code, joined, prose, tag, tag_with};
use super::{frame, paths};
use crate::content::events::{Native, TOPICS, Topic, ask, on};

/// The page.
pub fn page(here: &Here) -> Html {
    let mut body = frame::heading("Events and queries", None);
    body.push(tag("p", prose(
        "An event is heard by `on.<event>`, or by `offer.<event>` where a player may let it pass; with `self_` before its name it \
         is heard by the piece it happens to, wherever that lies. `before_` events can be denied, and what is said so can be \
         changed. A query is answered by `answer.<query>`, which looks and changes nothing. What each provides stands in `event`.",
    )));
    body.push(tag(
        "p",
        joined(
            TOPICS.iter().map(|topic| {
                here.link(
                    &format!("{}#topic-{}", paths::EVENTS, topic.name),
                    topic.name,
                )
            }),
            " · ",
        ),
    ));
    body.push(
        TOPICS
            .iter()
            .map(|topic| of_topic(here, topic))
            .collect::<Html>(),
    );
    body
}

fn of_topic(here: &Here, topic: &Topic) -> Html {
    let heading = tag_with(
        "h2",
        &[("id", &format!("topic-{}", topic.name))],
        topic.name,
    );
    let step = |name: &str| match native(name) {
        Some(path) => here.link(&path, name),
        None => name.into(),
    };
    let course = |(what, names): (&str, Vec<&str>)| {
        tag(
            "li",
            [
                tag("em", what),
                ": ".into(),
                joined(names.into_iter().map(step), " → "),
            ],
        )
    };
    let courses: Html = topic
        .courses
        .iter()
        .map(|c| course((c.what, c.names().collect())))
        .collect();
    let own = |natives: &[Native], word: &str| -> Html {
        natives
            .iter()
            .filter(|native| native.topic == topic.name)
            .map(|native| entry(native, word))
            .collect()
    };
    tag(
        "section",
        [
            heading,
            tag_with("ul", &[("class", "courses")], courses),
            own(on::EVENTS, "on"),
            own(ask::QUERIES, "ask"),
        ],
    )
}

fn entry(native: &Native, word: &str) -> Html {
    let head = tag_with(
        "h3",
        &[("id", native.name)],
        [code(&format!("{word}.{}", native.name))],
    );
    let provides = joined(native.provides.split_whitespace().map(code), " ");
    let provides = if provides.is_empty() {
        provides
    } else {
        classed("p", "small", Html::from("event: ").and(provides))
    };
    tag("article", [head, tag("p", prose(native.text)), provides])
}

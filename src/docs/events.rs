//! The events and built-in queries, in the order in which they happen.

use super::html::{Html, classed, code, joined, prose, tag, tag_with};
use super::site::{PageWriter, native};
use super::{frame, paths};
use crate::content::events::{EventSpec, EventTopic, TOPICS, ask, on};

pub fn page(writer: &PageWriter) -> Html {
    let mut body = frame::heading("Events and queries", None);
    body.push(tag("p", prose(
        "A hook `on.<event>` runs when an event happens; `offer.<event>` offers it to the player, who can decline. With `self_` \
         before its name, an event reaches only the piece it happens to, in any zone. Hooks of `before_` events can deny the \
         event, and change the values that its description names. A script `answer.<query>` answers a query; it can read the state, but \
         not change it. The values listed below each name are in `event`.",
    )));
    body.push(tag(
        "p",
        joined(
            TOPICS.iter().map(|topic| {
                writer.link(
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
            .map(|topic| of_topic(writer, topic))
            .collect::<Html>(),
    );
    body
}

fn of_topic(writer: &PageWriter, topic: &EventTopic) -> Html {
    let heading = tag_with(
        "h2",
        &[("id", &format!("topic-{}", topic.name))],
        topic.name,
    );
    let step = |name: &str| match native(name) {
        Some(path) => writer.link(&path, name),
        None => name.into(),
    };
    let sequence = |(what, names): (&str, Vec<&str>)| {
        tag(
            "li",
            [
                tag("em", what),
                ": ".into(),
                joined(names.into_iter().map(step), " → "),
            ],
        )
    };
    let sequences: Html = topic
        .sequences
        .iter()
        .map(|c| sequence((c.what, c.names().collect())))
        .collect();
    let own = |natives: &[EventSpec], word: &str| -> Html {
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
            tag_with("ul", &[("class", "sequences")], sequences),
            own(on::EVENTS, "on"),
            own(ask::QUERIES, "ask"),
        ],
    )
}

fn entry(native: &EventSpec, word: &str) -> Html {
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

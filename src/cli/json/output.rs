//! Writes the output for a program: one JSON object per line.

use serde::Serialize;

use super::VERSION;
use crate::cli::screen;
use crate::content::SeatId;
use crate::game::log::LogLine;
use crate::game::record::HeaderRecord;
use crate::game::render::log_line;
use crate::game::summary::Summary;
use crate::game::view::View;
use crate::game::{Decision, DecisionOption, Game, GameHeader};

/// A line of output. Fields are written in the order of this declaration, which docs/machine.md
/// documents.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message<'a> {
    Hello {
        version: u32,
        engine: &'static str,
        title: String,
        panels: Vec<PanelInfo<'a>>,
        game: HeaderRecord<'a>,
    },
    Event {
        number: usize,
        what: &'static str,
        quiet: bool,
        texts: Vec<SeatLog>,
    },
    Decision {
        number: usize,
        id: &'a str,
        seats: Vec<u8>,
        sealed: bool,
        prompt: &'a str,
        form: &'a str,
        min: i64,
        max: i64,
        options: Vec<OptionMessage<'a>>,
        default: Option<&'a [String]>,
        view: Option<View>,
    },
    Error {
        message: &'a str,
    },
    View {
        seat: u8,
        view: View,
    },
    Panel {
        panel: &'a str,
        seat: u8,
        text: String,
    },
    Undone {
        answers: usize,
        events: usize,
        hindsight: bool,
    },
    Redone {
        answers: usize,
    },
    /// The program quit before the end of the game.
    Left(FinalMessage<'a>),
    End(FinalMessage<'a>),
}

/// A panel that can be requested.
#[derive(Serialize)]
pub struct PanelInfo<'a> {
    panel: &'a str,
    title: &'a str,
}

/// The text of an event for certain seats.
#[derive(Serialize)]
pub struct SeatLog {
    seats: Vec<u8>,
    text: String,
}

/// An option of a decision.
#[derive(Serialize)]
pub struct OptionMessage<'a> {
    key: &'a str,
    label: &'a str,
    detail: &'a str,
    closed: Option<&'a str>,
    count: usize,
    seat: Option<u8>,
    group: &'a str,
}

/// The fields of the last line.
#[derive(Serialize)]
pub struct FinalMessage<'a> {
    pub summary: Summary,
    pub answers: usize,
    pub hash: String,
    pub journal: Option<String>,
    pub command: Option<&'a str>,
}

impl Message<'_> {
    /// Writes the line to standard output.
    pub fn send(&self) {
        // This cannot fail: all keys are strings and all numbers are integers.
        if let Ok(line) = serde_json::to_string(self) {
            screen::print_raw(&line);
        }
    }
}

pub fn hello(game: &Game, header: &GameHeader) {
    let content = game.content();
    let title = content
        .mode
        .as_ref()
        .map(|mode| content.entry(mode.entry).title.to_string())
        .unwrap_or_default();
    let panels = content.panels.iter().map(|panel| PanelInfo {
        panel: &panel.word,
        title: &content.entry(panel.entry).title,
    });
    let panels = panels.collect();
    Message::Hello {
        version: VERSION,
        engine: env!("CARGO_PKG_VERSION"),
        title,
        panels,
        game: header.into(),
    }
    .send();
}

/// Sends the events from a log line on, as the program's seats see them. A program without seats
/// sees everything.
pub fn events(game: &Game, from: usize, people: &[SeatId]) {
    let context = game.context();
    for (number, line) in context.log.lines.iter().enumerate().skip(from) {
        let texts = match people {
            [] => log_line::render_verbose(context, line, None)
                .map(|text| SeatLog {
                    seats: Vec::new(),
                    text,
                })
                .into_iter()
                .collect(),
            people => seat_texts(game, line, people),
        };
        if !texts.is_empty() {
            let quiet = log_line::is_quiet(context, &line.event);
            Message::Event {
                number,
                what: line.event.kind_name(),
                quiet,
                texts,
            }
            .send();
        }
    }
}

/// The texts of a log line, each with the seats that see this text.
fn seat_texts(game: &Game, line: &LogLine, people: &[SeatId]) -> Vec<SeatLog> {
    let mut list: Vec<SeatLog> = Vec::new();
    for seat in people {
        let Some(text) = log_line::render_verbose(game.context(), line, Some(*seat)) else {
            continue;
        };
        match list.iter_mut().find(|other| other.text == text) {
            Some(other) => other.seats.push(seat.0),
            None => list.push(SeatLog {
                seats: vec![seat.0],
                text,
            }),
        }
    }
    list
}

/// Sends a decision, with the view of the first seat that is asked.
pub fn decision(game: &Game, decision: &Decision) {
    // Leave the decision out of the view, because the view is sent with it.
    let view = decision.seats.first().map(|seat| View {
        decision: None,
        ..game.view(*seat)
    });
    Message::Decision {
        number: game.journal().len(),
        id: &decision.id,
        seats: decision.seats.iter().map(|seat| seat.0).collect(),
        sealed: decision.sealed,
        prompt: &decision.prompt,
        form: decision.form,
        min: decision.range.0,
        max: decision.range.1,
        options: decision.options.iter().map(option).collect(),
        default: decision.default.as_deref(),
        view,
    }
    .send();
}

fn option(option: &DecisionOption) -> OptionMessage<'_> {
    OptionMessage {
        key: &option.key,
        label: &option.label,
        detail: &option.detail,
        closed: option.closed.as_deref(),
        count: option.count,
        seat: option.seat.map(|seat| seat.0),
        group: &option.group,
    }
}

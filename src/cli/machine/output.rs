//! What a program gets: the game, what happens, what is asked.

use serde::Serialize;

use super::VERSION;
use crate::cli::screen;
use crate::content::SeatId;
use crate::game::log::Line;
use crate::game::record::HeaderRecord;
use crate::game::render::log_line;
use crate::game::summary::Summary;
use crate::game::view::View;
use crate::game::{Choice, Decision, Game, Header};

/// A line for a program. The fields come in the order in which they stand here.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Out<'a> {
    /// The first line: what is played, by whom.
    Hello {
        version: u32,
        engine: &'static str,
        title: String,
        panels: Vec<Panel<'a>>,
        game: HeaderRecord<'a>,
    },
    /// What happened.
    Event {
        number: usize,
        what: &'static str,
        quiet: bool,
        told: Vec<Told>,
    },
    /// What is asked.
    Decision {
        number: usize,
        id: &'a str,
        seats: Vec<u8>,
        sealed: bool,
        prompt: &'a str,
        form: &'a str,
        min: i64,
        max: i64,
        options: Vec<Offer<'a>>,
        usual: Option<&'a [String]>,
        view: Option<View>,
    },
    /// What was wrong with a line.
    Error { message: &'a str },
    /// What a seat sees.
    View { seat: u8, view: View },
    /// What a panel says.
    Panel {
        panel: &'a str,
        seat: u8,
        text: String,
    },
    /// An answer was taken back.
    Undone { answers: usize, events: usize },
    /// The game was left.
    Left(Last<'a>),
    /// The game is over.
    End(Last<'a>),
}

/// A panel that can be asked for.
#[derive(Serialize)]
pub struct Panel<'a> {
    panel: &'a str,
    title: &'a str,
}

/// What seats are told.
#[derive(Serialize)]
pub struct Told {
    seats: Vec<u8>,
    text: String,
}

/// One option of a decision.
#[derive(Serialize)]
pub struct Offer<'a> {
    key: &'a str,
    label: &'a str,
    detail: &'a str,
    closed: Option<&'a str>,
    count: usize,
    seat: Option<u8>,
    group: &'a str,
}

/// The last line.
#[derive(Serialize)]
pub struct Last<'a> {
    pub summary: Summary,
    pub answers: usize,
    pub hash: String,
    pub journal: Option<String>,
    pub command: Option<&'a str>,
}

impl Out<'_> {
    /// Sends it.
    pub fn send(&self) {
        // Nothing in it can fail to become JSON: its keys are words and its numbers whole.
        if let Ok(line) = serde_json::to_string(self) {
            screen::raw(&line);
        }
    }
}

/// Says what is played, by whom.
pub fn hello(game: &Game, header: &Header) {
    let content = game.content();
    let title = content
        .mode
        .as_ref()
        .map(|mode| content.entry(mode.entry).title.to_string())
        .unwrap_or_default();
    let panels = content.panels.iter().map(|panel| Panel {
        panel: &panel.word,
        title: &content.entry(panel.entry).title,
    });
    let panels = panels.collect();
    Out::Hello {
        version: VERSION,
        engine: env!("CARGO_PKG_VERSION"),
        title,
        panels,
        game: header.into(),
    }
    .send();
}

/// Tells what happened since a line of the log, as the seats of the program may know it. Where it plays for nobody, it may know
/// everything.
pub fn events(game: &Game, from: usize, people: &[SeatId]) {
    let core = game.core();
    for (number, line) in core.log.lines.iter().enumerate().skip(from) {
        let told = match people {
            [] => log_line::render_verbose(core, line, None)
                .map(|text| Told {
                    seats: Vec::new(),
                    text,
                })
                .into_iter()
                .collect(),
            people => told(game, line, people),
        };
        if !told.is_empty() {
            let quiet = log_line::is_quiet(core, &line.what);
            Out::Event {
                number,
                what: line.what.word(),
                quiet,
                told,
            }
            .send();
        }
    }
}

/// A line of the log in words, each with the seats that are told so.
fn told(game: &Game, line: &Line, people: &[SeatId]) -> Vec<Told> {
    let mut list: Vec<Told> = Vec::new();
    for seat in people {
        let Some(text) = log_line::render_verbose(game.core(), line, Some(*seat)) else {
            continue;
        };
        match list.iter_mut().find(|told| told.text == text) {
            Some(told) => told.seats.push(seat.0),
            None => list.push(Told {
                seats: vec![seat.0],
                text,
            }),
        }
    }
    list
}

/// Asks, and shows what the first seat that is asked sees.
pub fn ask(game: &Game, decision: &Decision) {
    // The view's own decision is left out: it stands around it.
    let view = decision.seats.first().map(|seat| View {
        decision: None,
        ..game.view(*seat)
    });
    Out::Decision {
        number: game.journal().len(),
        id: &decision.id,
        seats: decision.seats.iter().map(|seat| seat.0).collect(),
        sealed: decision.sealed,
        prompt: &decision.prompt,
        form: decision.form,
        min: decision.range.0,
        max: decision.range.1,
        options: decision.options.iter().map(option).collect(),
        usual: decision.usual.as_deref(),
        view,
    }
    .send();
}

fn option(option: &Choice) -> Offer<'_> {
    Offer {
        key: &option.key,
        label: &option.label,
        detail: &option.detail,
        closed: option.closed.as_deref(),
        count: option.count,
        seat: option.seat.map(|seat| seat.0),
        group: &option.group,
    }
}

//! Renders a game as a chronicle in Markdown: who played, what they did in each round, how it
//! ended.

mod changes;
mod fight;
mod paragraphs;

use super::journal::GameHeader;
use super::play::Game;
use super::render::{catalogue, grammar, log_line};
use super::summary::Summary;

/// Writes the chronicle of a game; `command` starts the same game again.
#[must_use]
pub fn chronicle(game: &Game, header: &GameHeader, command: Option<&str>) -> String {
    let summary = game.summary();
    let mut out = front(&summary, header);
    out += &paragraphs::write_rounds(game.context());
    out += &end(game, &summary, header, command);
    out
}

fn front(summary: &Summary, header: &GameHeader) -> String {
    let mut out = format!("# {}\n", escape(&summary.mode));
    for seat in &summary.seats {
        let who = header
            .players
            .get(usize::from(seat.seat))
            .map_or("", |(_, who)| who);
        // The role follows the controller, as in `greedy:smith`.
        let who = who.split(':').next().unwrap_or("");
        let came_as = seat
            .role_in_play
            .as_ref()
            .map(|role| format!(", {}", escape(role)))
            .unwrap_or_default();
        out += &format!("\n- **{}**{came_as} ({who})", escape(&seat.name));
    }
    out + "\n"
}

fn end(game: &Game, summary: &Summary, header: &GameHeader, command: Option<&str>) -> String {
    let ending = if summary.over {
        let sentence = grammar::end_sentence(&log_line::describe_end(game.context()));
        catalogue::chronicle::the_end(&escape(&sentence))
    } else {
        catalogue::chronicle::NOT_OVER.to_owned()
    };
    let footer = catalogue::chronicle::footer(game.journal().len(), header.seed, command);
    format!("\n{ending}\n\n{}\n\n{footer}\n", table(summary))
}

fn table(summary: &Summary) -> String {
    let row = |cells: &Vec<String>| {
        format!(
            "| {} |",
            cells
                .iter()
                .map(|cell| escape(cell))
                .collect::<Vec<_>>()
                .join(" | ")
        )
    };
    let rows = summary.table();
    let mut lines: Vec<String> = rows.iter().map(row).collect();
    let line = format!(
        "| {} |",
        rows.first()
            .map_or(0, Vec::len)
            .checked_sub(1)
            .map_or(String::new(), |more| {
                format!("---{}", " | ---".repeat(more))
            })
    );
    lines.insert(1.min(lines.len()), line);
    lines.join("\n")
}

/// Escapes all Markdown characters.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>|#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

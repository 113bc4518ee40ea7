//! `why`: what changed the last numbers.

use crate::cli::screen::{self, Tone};
use crate::content::SeatId;
use crate::game::Game;
use crate::game::log::{LogEvent, LogLine};
use crate::game::render::{list_contributions, log_line};

/// Shows the last log lines with a number, each with the pack, entry and script that caused it.
pub fn show(game: &Game, reader: Option<SeatId>, count: usize) {
    let context = game.context();
    let lines = context
        .log
        .lines
        .iter()
        .rev()
        .filter(|line| has_number(line));
    let rendered = lines.filter_map(|line| Some((line, log_line::render(context, line, reader)?)));
    let mut last: Vec<(&LogLine, String)> = rendered.take(count.clamp(1, 100)).collect();
    if last.is_empty() {
        return screen::say("No number has changed yet.");
    }
    last.reverse();
    for (line, text) in last {
        screen::text(&text, Tone::Plain);
        let cause =
            log_line::describe_cause(context, line).unwrap_or_else(|| "the engine".to_owned());
        screen::block("    by ", Tone::Quiet, &cause, Tone::Quiet);
        for part in &line.parts {
            let by = part
                .cause
                .hook
                .map(|hook| context.content().hook_name(hook));
            let by = by.or_else(|| {
                part.cause
                    .entry
                    .map(|entry| context.content().entry(entry).name.to_string())
            });
            let said = list_contributions(context, std::slice::from_ref(part));
            let by = by.map(|by| format!(" ({by})")).unwrap_or_default();
            screen::block("    ", Tone::Quiet, &format!("{said}{by}"), Tone::Quiet);
        }
    }
}

const fn has_number(line: &LogLine) -> bool {
    matches!(
        line.event,
        LogEvent::Counter { .. }
            | LogEvent::Drew { .. }
            | LogEvent::Damage { .. }
            | LogEvent::Rolled { .. }
            | LogEvent::Denied { .. }
    )
}

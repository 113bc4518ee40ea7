//! `why`: what changed the last numbers.

use crate::cli::screen::{self, Tone};
use crate::content::{EntryId, SeatId};
use crate::game::log::{LogEvent, LogLine};
use crate::game::render::{list_contributions, log_line};
use crate::game::{Game, StepContext};

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
        return screen::print("No number has changed yet.");
    }
    last.reverse();
    for (line, text) in last {
        screen::print_wrapped(&text, Tone::Plain);
        screen::print_indented("    by ", Tone::Quiet, &cause(context, line), Tone::Quiet);
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
            screen::print_indented("    ", Tone::Quiet, &format!("{said}{by}"), Tone::Quiet);
        }
    }
}

/// What caused a line, by title, with the name of the script: `Ask around (village:action/ask/do)`.
fn cause(context: &StepContext, line: &LogLine) -> String {
    let content = context.content();
    let script = log_line::describe_cause(context, line);
    let (Some(entry), Some(script)) = (line.cause.entry, script) else {
        return match paid_action(context, line) {
            Some(action) => {
                let action = content.entry(action);
                format!("the cost of {} ({})", action.title, action.name)
            }
            None => "the rules".to_owned(),
        };
    };
    let title = &content.entry(entry).title;
    let hook = line.cause.hook.map(|hook| &*content.hooks[hook.ix()].name);
    let title = match hook {
        Some("setup") => format!("the setup of {title}"),
        Some(name) if name.starts_with("cost") => format!("the cost of {title}"),
        _ => title.to_string(),
    };
    format!("{title} ({script})")
}

/// The action whose cost a line records: the last one of the same seat.
fn paid_action(context: &StepContext, line: &LogLine) -> Option<EntryId> {
    let LogEvent::Counter { of, paid: true, .. } = line.event else {
        return None;
    };
    let lines = &context.log.lines;
    let here = lines.iter().position(|other| std::ptr::eq(other, line))?;
    let earlier = lines[..here].iter().rev();
    let mut actions = earlier.filter_map(|line| match line.event {
        LogEvent::Acted { seat, entry, .. } if of.seat() == Some(seat) => Some(entry),
        _ => None,
    });
    actions.next()
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

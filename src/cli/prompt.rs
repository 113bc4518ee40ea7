//! Prints a decision: the prompt and its numbered options, in groups.

use super::screen::{self, Tone};
use crate::game::render::grammar;
use crate::game::{Decision, DecisionOption, Entity, Game, names};
use crate::value::Value;

/// Sorts the options for display: by group, those without a group last.
pub fn arranged(mut decision: Decision) -> Decision {
    let mut groups: Vec<String> = Vec::new();
    for option in &decision.options {
        if !option.group.is_empty() && !groups.contains(&option.group) {
            groups.push(option.group.clone());
        }
    }
    let place = |option: &DecisionOption| {
        groups
            .iter()
            .position(|group| *group == option.group)
            .unwrap_or(groups.len())
    };
    decision
        .options
        .sort_by_key(|option| (option.seat, place(option)));
    decision
}

/// Prints a decision sorted by [`arranged`].
pub fn show(game: &Game, decision: &Decision, details: bool) {
    screen::print("");
    screen::print_wrapped(
        &format!("{}{}", asked(game, decision), range(game, decision)),
        Tone::Heading,
    );
    let mut group = "";
    let mut ix = 0;
    while let Some(option) = decision.options.get(ix) {
        if option.group != group {
            screen::print_wrapped(
                &if option.group.is_empty() {
                    String::new()
                } else {
                    format!(" {}", option.group)
                },
                Tone::Quiet,
            );
            group = &option.group;
        }
        let in_row = count_in_row(&decision.options[ix..]);
        if in_row > 1 {
            print_row(&decision.options[ix..ix + in_row], ix);
            ix += in_row;
        } else {
            print_option(game, decision, ix, details);
            ix += 1;
        }
    }
}

/// The prompt with the names of the players who may answer.
pub fn asked(game: &Game, decision: &Decision) -> String {
    let who: Vec<String> = decision
        .seats
        .iter()
        .map(|seat| names::seat(game.context(), *seat))
        .collect();
    format!("{}: {}", who.join(", "), decision.prompt)
}

/// The number of options from the first on that share a line.
fn count_in_row(options: &[DecisionOption]) -> usize {
    let Some((first, _)) = options.first().and_then(|option| option.row.as_ref()) else {
        return 1;
    };
    let same = |option: &&DecisionOption| {
        option.closed.is_none() && option.row.as_ref().is_some_and(|(row, _)| row == first)
    };
    options.iter().take_while(same).count()
}

/// Prints options that share a line: `Haven: 3) by ship  4) on foot`.
fn print_row(options: &[DecisionOption], first: usize) {
    let head = options[0]
        .row
        .as_ref()
        .map(|(row, _)| format!("      {row}: "))
        .unwrap_or_default();
    let cell = |(ix, option): (usize, &DecisionOption)| {
        let text = option
            .row
            .as_ref()
            .map(|(_, cell)| cell.as_str())
            .unwrap_or_default();
        // A cell is never wrapped.
        format!("{}) {text}", first + ix + 1).replace(' ', "\u{a0}")
    };
    let cells: Vec<String> = options.iter().enumerate().map(cell).collect();
    screen::print_indented(
        "",
        Tone::Plain,
        &format!("{head}{}", cells.join("   ")),
        Tone::Plain,
    );
}

fn print_option(game: &Game, decision: &Decision, ix: usize, details: bool) {
    let option = &decision.options[ix];
    let whose = option
        .seat
        .map(|seat| format!("[{}] ", names::seat(game.context(), seat)))
        .unwrap_or_default();
    let count = if option.count > 1 {
        format!(" (×{})", option.count)
    } else {
        String::new()
    };
    let is_default = decision.default.as_deref() == Some(std::slice::from_ref(&option.key));
    let enter = if is_default { "  [Enter]" } else { "" };
    if let Some(reason) = &option.closed {
        return screen::print_indented(
            "   –  ",
            Tone::Quiet,
            &format!("{whose}{}{count} — {reason}", option.label),
            Tone::Quiet,
        );
    }
    let head = format!("  {:>2}  ", ix + 1);
    screen::print_indented(
        &head,
        Tone::Key,
        &format!("{whose}{}{count}{enter}", option.label),
        Tone::Plain,
    );
    if details && !option.detail.is_empty() {
        screen::print_indented("        ", Tone::Plain, &option.detail, Tone::Quiet);
    }
}

/// A description of valid answers, with an example; empty if the answer is a single option.
pub fn range(game: &Game, decision: &Decision) -> String {
    let (min, max) = decision.range;
    let count = |amount| grammar::count(amount, &option_noun(game));
    match decision.form {
        "some" if (min, max) == (1, 1) => " (choose one)".to_owned(),
        "some" if min == max => format!(
            " (choose {}, for example `{}`)",
            count(min),
            example(decision, min)
        ),
        "some" if min > 0 => format!(
            " (choose {min} to {}, for example `{}`)",
            count(max),
            example(decision, max.min(min.max(2)))
        ),
        "some" if max == 1 => " (choose one, or press Enter for none)".to_owned(),
        "some" => format!(
            " (choose up to {}, for example `{}`; Enter or `none` for none)",
            count(max),
            example(decision, max.min(2))
        ),
        "order" => format!(
            " (all of them, in the order you want, for example `{}`; Enter keeps this order)",
            reversed(decision)
        ),
        "amount" => format!(" ({min} to {max})"),
        "split" => format!(
            " (a number for each, {max} in all, for example `{}`)",
            split(decision)
        ),
        _ => String::new(),
    }
}

/// The noun for counting the options: `card` if all of them are cards.
fn option_noun(game: &Game) -> String {
    let options = game.pending().map_or(&[][..], |question| &question.options);
    let mut nouns = options.iter().map(|option| match option.value {
        Value::Entity(Entity::Piece(piece)) => {
            Some(grammar::head_noun(&names::kind_of(game.context(), piece)))
        }
        _ => None,
    });
    let first = nouns.next().flatten();
    first
        .filter(|first| nouns.all(|noun| noun.as_ref() == Some(first)))
        .unwrap_or_else(|| "option".to_owned())
}

/// An example of a valid answer, with repetitions if an option represents equal pieces.
fn example(decision: &Decision, wanted: i64) -> String {
    let open = decision
        .options
        .iter()
        .enumerate()
        .filter(|(_, option)| option.closed.is_none());
    let wanted = usize::try_from(wanted).unwrap_or(1).max(1);
    let mut numbers: Vec<String> = open
        .flat_map(|(ix, option)| std::iter::repeat_n((ix + 1).to_string(), option.count))
        .take(wanted.max(3))
        .collect();
    // The first and the third option show best that any options may be combined.
    if wanted == 2 && numbers.len() == 3 {
        numbers.remove(1);
    }
    numbers.truncate(wanted);
    numbers.join(" ")
}

fn reversed(decision: &Decision) -> String {
    (1..=decision.options.len().min(4))
        .rev()
        .map(|n| n.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

fn split(decision: &Decision) -> String {
    let rest = std::iter::repeat_n("0".to_owned(), decision.options.len().saturating_sub(1));
    std::iter::once(decision.range.1.to_string())
        .chain(rest)
        .collect::<Vec<_>>()
        .join(" ")
}

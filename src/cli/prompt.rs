//! A decision at a plain prompt: numbered options, and a line that answers.

use std::io::{BufRead, IsTerminal};

use super::screen;
use crate::content::SeatId;
use crate::game::{Choice, Decision, Game, names};

/// The longest line that is read as an answer.
const LONGEST: u64 = 10_000;

/// What someone typed.
pub enum Typed {
    /// An answer: who, and the keys.
    Keys(SeatId, Vec<String>),
    /// A word that asks for something else.
    Word(String),
}

/// Shows a decision.
pub fn show(game: &Game, decision: &Decision) {
    let who: Vec<String> = decision.seats.iter().map(|seat| names::seat(game.core(), *seat)).collect();
    screen::say("");
    screen::say(&format!("{}: {}{}", who.join(", "), decision.prompt, range(decision)));
    for (ix, option) in decision.options.iter().enumerate() {
        let whose = option.seat.map(|seat| format!("[{}] ", names::seat(game.core(), seat))).unwrap_or_default();
        let count = if option.count > 1 { format!(" (×{})", option.count) } else { String::new() };
        let line = match &option.closed {
            Some(why) => format!("   –  {whose}{}{count} — {why}", option.label),
            None => format!("  {:>2}  {whose}{}{count}", ix + 1, option.label),
        };
        screen::say(&line);
        if !option.detail.is_empty() && option.closed.is_none() {
            screen::say(&format!("        {}", option.detail));
        }
    }
}

fn range(decision: &Decision) -> String {
    let (min, max) = decision.range;
    match decision.form {
        "some" if min == max => format!(" (choose {min}, as in `1 3`)"),
        "some" if min > 0 => format!(" (choose {min} to {max}, as in `1 3`)"),
        "some" => format!(" (choose {min} to {max}, as in `1 3`; `none` for none)"),
        "order" => " (all of them in the order you want, as in `2 1 3`)".to_owned(),
        "amount" => format!(" ({min} to {max})"),
        "split" => format!(" (a number for each, {max} in all, as in `1 0 2`)"),
        _ => String::new(),
    }
}

/// Marks the line in which somebody types, on a terminal.
pub fn mark() {
    if std::io::stdin().is_terminal() {
        screen::write("> ");
    }
}

/// Reads a line; `None` at the end of input.
pub fn line() -> Option<String> {
    mark();
    let line = quiet_line()?;
    if !std::io::stdin().is_terminal() {
        screen::say(&format!("> {line}"));
    }
    Some(line)
}

/// Reads a line, and shows nothing.
pub fn quiet_line() -> Option<String> {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock();
    let read = std::io::Read::take(&mut input, LONGEST).read_until(b'\n', &mut bytes).ok()?;
    if read == 0 {
        return None;
    }
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// What someone answers to a decision.
pub fn understand(decision: &Decision, line: &str) -> Typed {
    let (seat, rest) = match line.split_once('>') {
        Some((number, rest)) => {
            (number.trim().parse::<u8>().ok().and_then(|n| n.checked_sub(1)).map(SeatId), rest.trim())
        }
        None => (None, line),
    };
    let words: Vec<&str> = rest.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    match keys(&only(decision, seat), &words, rest) {
        Some((owner, keys)) => {
            let seat = seat.or(owner).or_else(|| decision.seats.first().copied()).unwrap_or(SeatId(0));
            Typed::Keys(seat, keys)
        }
        None => Typed::Word(line.to_owned()),
    }
}

/// A decision with the lines of one seat only, where a seat was named.
fn only(decision: &Decision, seat: Option<SeatId>) -> Decision {
    let mut decision = decision.clone();
    if let Some(seat) = seat {
        let mine = |option: &Choice| option.seat.is_none_or(|owner| owner == seat);
        for option in decision.options.iter_mut().filter(|option| !mine(option)) {
            (option.key, option.label) = (String::new(), String::new());
        }
    }
    decision
}

/// The keys that words stand for: numbers of options, keys, or the beginning of a label.
fn keys(decision: &Decision, words: &[&str], whole: &str) -> Option<(Option<SeatId>, Vec<String>)> {
    if decision.form == "amount" || decision.form == "split" {
        let numbers = !words.is_empty() && words.iter().all(|word| word.parse::<i64>().is_ok());
        return numbers.then(|| (None, words.iter().map(|word| (*word).to_owned()).collect()));
    }
    if whole == "none" && decision.range.0 == 0 {
        return Some((None, Vec::new()));
    }
    let found: Option<Vec<usize>> = words.iter().map(|word| option(decision, word)).collect();
    let found = found.filter(|found| !found.is_empty()).or_else(|| option(decision, whole).map(|ix| vec![ix]))?;
    let owner = found.first().and_then(|ix| decision.options[*ix].seat);
    Some((owner, found.iter().map(|ix| decision.options[*ix].key.clone()).collect()))
}

fn option(decision: &Decision, word: &str) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    if let Ok(number) = word.parse::<usize>() {
        return number.checked_sub(1).filter(|ix| *ix < decision.options.len());
    }
    if let Some(ix) = decision.options.iter().position(|option| option.key == word) {
        return Some(ix);
    }
    let wanted = match word.to_lowercase().as_str() {
        "y" => "yes".to_owned(),
        "n" => "no".to_owned(),
        word => word.to_owned(),
    };
    let starts = |ix: &usize| {
        let option = &decision.options[*ix];
        option.label.to_lowercase().starts_with(&wanted) || option.key.starts_with(&wanted)
    };
    let mut fitting = (0..decision.options.len()).filter(starts);
    match (fitting.next(), fitting.next()) {
        (Some(ix), None) => Some(ix),
        _ => None,
    }
}

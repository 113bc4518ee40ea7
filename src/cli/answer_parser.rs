//! Parses a typed answer: numbers, keys, or prefixes of labels.

use crate::content::SeatId;
use crate::game::{Decision, DecisionOption};

/// A line that was typed at a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypedInput {
    /// An answer: the seat and the option keys.
    Keys(SeatId, Vec<String>),
    /// An ambiguous answer: the numbers of the options that match.
    Several(Vec<usize>),
    /// Not an answer; perhaps a command.
    Word(String),
}

/// Parses a line, with an optional seat as in `2> 1 3`.
#[must_use]
pub fn parse_answer(decision: &Decision, line: &str) -> TypedInput {
    let (seat, rest) = match line.split_once('>') {
        Some((number, rest)) => (
            number
                .trim()
                .parse::<u8>()
                .ok()
                .and_then(|n| n.checked_sub(1))
                .map(SeatId),
            rest.trim(),
        ),
        None => (None, line),
    };
    if rest.is_empty()
        && let (Some(default), [only]) = (&decision.default, &decision.seats[..])
    {
        return TypedInput::Keys(*only, default.clone());
    }
    match keys(&for_seat(decision, seat), rest) {
        OptionMatch::One((owner, keys)) => {
            let seat = seat
                .or(owner)
                .or_else(|| decision.seats.first().copied())
                .unwrap_or(SeatId(0));
            TypedInput::Keys(seat, keys)
        }
        OptionMatch::Several(numbers) => TypedInput::Several(numbers),
        OptionMatch::None => TypedInput::Word(line.to_owned()),
    }
}

/// The result of an option lookup.
enum OptionMatch<T> {
    One(T),
    /// The numbers of the matching options, from 1.
    Several(Vec<usize>),
    None,
}

/// The decision for one seat: only that seat's options can be found by name. The others keep their
/// numbers.
fn for_seat(decision: &Decision, seat: Option<SeatId>) -> Decision {
    let mut decision = decision.clone();
    if let Some(seat) = seat {
        let own = |option: &DecisionOption| option.seat.is_none_or(|owner| owner == seat);
        for option in decision.options.iter_mut().filter(|option| !own(option)) {
            (option.key, option.label) = (String::new(), String::new());
        }
    }
    decision
}

/// The keys that a text selects: by number, by key, or by a prefix of a label.
fn keys(decision: &Decision, text: &str) -> OptionMatch<(Option<SeatId>, Vec<String>)> {
    let words: Vec<&str> = text
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    if decision.form == "amount" || decision.form == "split" {
        let numbers = !words.is_empty() && words.iter().all(|word| word.parse::<i64>().is_ok());
        let keys = words.iter().map(|word| (*word).to_owned()).collect();
        return if numbers {
            OptionMatch::One((None, keys))
        } else {
            OptionMatch::None
        };
    }
    if text.eq_ignore_ascii_case("none") && decision.range.0 == 0 {
        return OptionMatch::One((None, Vec::new()));
    }
    let answer = |found: &[usize]| {
        let owner = found.first().and_then(|ix| decision.options[*ix].seat);
        OptionMatch::One((
            owner,
            found
                .iter()
                .map(|ix| decision.options[*ix].key.clone())
                .collect(),
        ))
    };
    // A label may have several words, each of which could match another option.
    let named = option(decision, text);
    if let OptionMatch::One(ix) = named {
        return answer(&[ix]);
    }
    let numbers = words
        .iter()
        .all(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let each: Option<Vec<Vec<usize>>> = words.iter().map(|word| repeated(decision, word)).collect();
    match (each, named) {
        (Some(found), _) if !found.is_empty() && (numbers || decision.form != "one") => {
            answer(&found.concat())
        }
        (_, OptionMatch::Several(numbers)) => OptionMatch::Several(numbers),
        _ => OptionMatch::None,
    }
}

/// The options that a word selects, possibly repeated: `2x3` selects option 3 twice.
fn repeated(decision: &Decision, word: &str) -> Option<Vec<usize>> {
    if let OptionMatch::One(ix) = option(decision, word) {
        return Some(vec![ix]);
    }
    let (times, number) = word.split_once(['x', '×', '*'])?;
    let times = times
        .parse::<usize>()
        .ok()
        .filter(|times| (1..=100).contains(times))?;
    match option(decision, number) {
        OptionMatch::One(ix) if number.parse::<usize>().is_ok() => Some(vec![ix; times]),
        _ => None,
    }
}

fn option(decision: &Decision, word: &str) -> OptionMatch<usize> {
    // An option may be typed as it is displayed, with its owner first: `[Ann] Go on`.
    let word = word
        .strip_prefix('[')
        .and_then(|word| word.split_once("] "))
        .map_or(word, |(_, word)| word);
    if word.is_empty() {
        return OptionMatch::None;
    }
    if let Ok(number) = word.parse::<usize>() {
        let ix = number
            .checked_sub(1)
            .filter(|ix| *ix < decision.options.len());
        return ix.map_or(OptionMatch::None, OptionMatch::One);
    }
    if let Some(ix) = decision
        .options
        .iter()
        .position(|option| option.key == word)
    {
        return OptionMatch::One(ix);
    }
    let wanted = match word.to_lowercase().as_str() {
        "y" => "yes".to_owned(),
        "n" => "no".to_owned(),
        word => word.to_owned(),
    };
    let begins = |option: &DecisionOption| {
        option.label.to_lowercase().starts_with(&wanted) || option.key.starts_with(&wanted)
    };
    let within = |option: &DecisionOption| {
        let label = option.label.to_lowercase();
        wanted.chars().count() > 1
            && label
                .split([' ', '(', '“', '\''])
                .any(|part| part.starts_with(&wanted))
            || wanted.contains(' ') && label.contains(&wanted)
    };
    match matching(decision, &begins) {
        OptionMatch::None => matching(decision, &within),
        found => found,
    }
}

/// The options that match. Closed options count only if no open option matches.
fn matching(decision: &Decision, matches: &dyn Fn(&DecisionOption) -> bool) -> OptionMatch<usize> {
    let all: Vec<usize> = (0..decision.options.len())
        .filter(|ix| matches(&decision.options[*ix]))
        .collect();
    let open: Vec<usize> = all
        .iter()
        .copied()
        .filter(|ix| decision.options[*ix].closed.is_none())
        .collect();
    match (&open[..], &all[..]) {
        ([one], _) | ([], [one]) => OptionMatch::One(*one),
        ([], []) => OptionMatch::None,
        _ => OptionMatch::Several(
            if open.is_empty() { all } else { open }
                .iter()
                .map(|ix| ix + 1)
                .collect(),
        ),
    }
}

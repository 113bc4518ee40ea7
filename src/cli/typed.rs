//! What somebody types as an answer: numbers, keys, or the beginnings of names.

use crate::content::SeatId;
use crate::game::{Choice, Decision};

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed {
    /// An answer: who, and the keys.
    Keys(SeatId, Vec<String>),
    /// Something that could mean several options, by number.
    Several(Vec<usize>),
    /// A word that asks for something else.
    Word(String),
}

/// What somebody answers to a decision, or asks for.
pub fn understand(decision: &Decision, line: &str) -> Typed {
    let (seat, rest) = match line.split_once('>') {
        Some((number, rest)) => {
            (number.trim().parse::<u8>().ok().and_then(|n| n.checked_sub(1)).map(SeatId), rest.trim())
        }
        None => (None, line),
    };
    if rest.is_empty()
        && let (Some(usual), [only]) = (&decision.usual, &decision.seats[..])
    {
        return Typed::Keys(*only, usual.clone());
    }
    match keys(&only(decision, seat), rest) {
        Found::One((owner, keys)) => {
            let seat = seat.or(owner).or_else(|| decision.seats.first().copied()).unwrap_or(SeatId(0));
            Typed::Keys(seat, keys)
        }
        Found::Several(numbers) => Typed::Several(numbers),
        Found::None => Typed::Word(line.to_owned()),
    }
}

/// What a text stands for.
enum Found<T> {
    One(T),
    /// These positions, from 1.
    Several(Vec<usize>),
    None,
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

/// The keys that a text stands for: numbers of options, keys, or the beginning of a label.
fn keys(decision: &Decision, whole: &str) -> Found<(Option<SeatId>, Vec<String>)> {
    let words: Vec<&str> = whole.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    if decision.form == "amount" || decision.form == "split" {
        let numbers = !words.is_empty() && words.iter().all(|word| word.parse::<i64>().is_ok());
        let given = words.iter().map(|word| (*word).to_owned()).collect();
        return if numbers { Found::One((None, given)) } else { Found::None };
    }
    if whole.eq_ignore_ascii_case("none") && decision.range.0 == 0 {
        return Found::One((None, Vec::new()));
    }
    let given = |found: &[usize]| {
        let owner = found.first().and_then(|ix| decision.options[*ix].seat);
        Found::One((owner, found.iter().map(|ix| decision.options[*ix].key.clone()).collect()))
    };
    let each: Option<Vec<Vec<usize>>> = words.iter().map(|word| several(decision, word)).collect();
    if let Some(found) = each.filter(|found| !found.is_empty()) {
        return given(&found.concat());
    }
    match option(decision, whole) {
        Found::One(ix) => given(&[ix]),
        Found::Several(numbers) => Found::Several(numbers),
        Found::None => Found::None,
    }
}

/// The options a word stands for: one, or one several times, as in `2x3`.
fn several(decision: &Decision, word: &str) -> Option<Vec<usize>> {
    if let Found::One(ix) = option(decision, word) {
        return Some(vec![ix]);
    }
    let (times, number) = word.split_once(['x', '×', '*'])?;
    let times = times.parse::<usize>().ok().filter(|times| (1..=100).contains(times))?;
    match option(decision, number) {
        Found::One(ix) if number.parse::<usize>().is_ok() => Some(vec![ix; times]),
        _ => None,
    }
}

fn option(decision: &Decision, word: &str) -> Found<usize> {
    if word.is_empty() {
        return Found::None;
    }
    if let Ok(number) = word.parse::<usize>() {
        let ix = number.checked_sub(1).filter(|ix| *ix < decision.options.len());
        return ix.map_or(Found::None, Found::One);
    }
    if let Some(ix) = decision.options.iter().position(|option| option.key == word) {
        return Found::One(ix);
    }
    let wanted = match word.to_lowercase().as_str() {
        "y" => "yes".to_owned(),
        "n" => "no".to_owned(),
        word => word.to_owned(),
    };
    let begins = |option: &Choice| option.label.to_lowercase().starts_with(&wanted) || option.key.starts_with(&wanted);
    let within = |option: &Choice| {
        let label = option.label.to_lowercase();
        wanted.chars().count() > 1 && label.split([' ', '(', '“', '\'']).any(|part| part.starts_with(&wanted))
            || wanted.contains(' ') && label.contains(&wanted)
    };
    match which(decision, &begins) {
        Found::None => which(decision, &within),
        found => found,
    }
}

/// The options of a kind; where one of them is open, closed ones were not meant.
fn which(decision: &Decision, fits: &dyn Fn(&Choice) -> bool) -> Found<usize> {
    let all: Vec<usize> = (0..decision.options.len()).filter(|ix| fits(&decision.options[*ix])).collect();
    let open: Vec<usize> = all.iter().copied().filter(|ix| decision.options[*ix].closed.is_none()).collect();
    match (&open[..], &all[..]) {
        ([one], _) | ([], [one]) => Found::One(*one),
        ([], []) => Found::None,
        _ => Found::Several(if open.is_empty() { all } else { open }.iter().map(|ix| ix + 1).collect()),
    }
}

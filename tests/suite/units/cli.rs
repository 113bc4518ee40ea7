//! Parsing typed answers, and the table at the end of a game.

use std::process::{Command, Stdio};

use kaer::cli::{TypedInput, parse_answer};
use kaer::content::SeatId;
use kaer::game::{Decision, DecisionOption};
use libtest_mimic::Trial;

use crate::support::{KAER, scratch, trials};

pub fn trials() -> Vec<Trial> {
    trials![
        labels_may_have_several_words,
        open_options_come_before_closed_ones,
        several_options_fit_in_one_line,
        players_stand_beside_each_other,
    ]
}

fn decision(form: &'static str, labels: &[&str]) -> Decision {
    let option = |label: &&str| DecisionOption {
        key: label.to_lowercase().replace(' ', "-"),
        label: (*label).to_owned(),
        detail: String::new(),
        closed: label.ends_with('!').then(|| "shut".to_owned()),
        count: 2,
        seat: None,
        group: String::new(),
        row: None,
    };
    Decision {
        id: "a".into(),
        seats: vec![SeatId(0)],
        sealed: false,
        prompt: "Well?".into(),
        form,
        range: (1, 2),
        options: labels.iter().map(option).collect(),
        default: None,
    }
}

fn typed(form: &'static str, line: &str) -> TypedInput {
    parse_answer(
        &decision(form, &["Go on", "Look on top", "Old gate!", "Old gate"]),
        line,
    )
}

fn keys(keys: &[&str]) -> TypedInput {
    TypedInput::Keys(
        SeatId(0),
        keys.iter().map(|key| (*key).to_owned()).collect(),
    )
}

fn labels_may_have_several_words() {
    assert_eq!(typed("one", "go on"), keys(&["go-on"]));
    assert_eq!(typed("one", "top"), keys(&["look-on-top"]));
    assert_eq!(typed("one", "on"), TypedInput::Several(vec![1, 2]));
    assert_eq!(
        typed("one", "on and on"),
        TypedInput::Word("on and on".into())
    );
}

fn open_options_come_before_closed_ones() {
    assert_eq!(typed("one", "old"), keys(&["old-gate"]));
    assert_eq!(typed("one", "3"), keys(&["old-gate!"]));
}

fn several_options_fit_in_one_line() {
    assert_eq!(typed("some", "1 2"), keys(&["go-on", "look-on-top"]));
    assert_eq!(typed("some", "2x1"), keys(&["go-on", "go-on"]));
    assert_eq!(typed("some", "go, top"), keys(&["go-on", "look-on-top"]));
    assert_eq!(
        typed("some", "999999x1"),
        TypedInput::Word("999999x1".into())
    );
}

/// Columns are as wide as their text on the screen, and nothing follows the last cell.
fn players_stand_beside_each_other() {
    let mut command = Command::new(KAER);
    command
        .args(["play", "duel:duel", "--pack", "tests/packs/duel"])
        .args(["--seed", "42"])
        .args(["--player", "Böse=random", "--player", "Ann=random"])
        .env("KAER_DATA", scratch("units/cli"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null());
    let printed = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let table: Vec<&str> = printed
        .lines()
        .skip_while(|line| !line.starts_with("player"))
        .take(6)
        .collect();
    assert_eq!(
        table,
        [
            "player     Böse  Ann",
            "rank       1     2",
            "turns      3     3",
            "decisions  18    11",
            "fights     1     1",
            "damage     7",
        ]
    );
}

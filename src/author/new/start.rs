//! What is asked before a game begins, and answers to it, for cases that want to see it begin.

use super::fill::quoted;
use super::{MOVES, Made, Wish, source};
use crate::agents::Random;
use crate::game::{Agent as _, Game, Setup};
use crate::pack::{Choice, Source};
use crate::shelf::Shelf;

/// A set-up that asks more is left to chance.
const MOST: usize = 24;

/// What stands above them.
const ASKED: &str = "# What is asked before the game begins:";

/// Fills in what is answered before a game begins, where cases have a place for it.
pub fn answer(sources: &[Source], wish: &Wish, mode: &str, files: &mut [Made]) {
    if !files.iter().any(|file| file.text.contains(MOVES)) {
        return;
    }
    let content: Vec<Made> = files
        .iter()
        .filter(|file| !file.text.contains(MOVES))
        .cloned()
        .collect();
    let shelf = Shelf::load(
        sources
            .iter()
            .cloned()
            .chain([source(&wish.id, &content)])
            .collect(),
    );
    let with = if mode.starts_with(&format!("{}:", wish.id)) {
        Vec::new()
    } else {
        vec![wish.id.clone()]
    };
    let choice = Choice {
        mode: mode.to_owned(),
        with,
        options: Vec::new(),
    };
    let moves: Vec<String> = play(&shelf, &choice)
        .unwrap_or_default()
        .iter()
        .map(|line| quoted(line))
        .collect();
    let line = if moves.is_empty() {
        String::new()
    } else {
        format!("{ASKED}\nmoves = [{}]\n", moves.join(", "))
    };
    for file in files {
        file.text = file.text.replace(MOVES, &line);
    }
}

/// The moves by which a game comes to its first round, as a case writes them; nothing if it does not come there soon.
fn play(shelf: &Shelf, choice: &Choice) -> Option<Vec<String>> {
    let (rules, report) = shelf.open(choice, None);
    let rules = rules.filter(|_| report.is_sound())?;
    let seats = rules.content.mode.as_ref().map_or(1, |mode| mode.seats_min);
    // As cases do where they say nothing else.
    let names = (1..=seats).map(|n| format!("P{n}")).collect();
    let mut game = Game::new(
        rules,
        Setup {
            names,
            journal: true,
            ..Setup::default()
        },
    )
    .ok()?;
    game.run();
    let mut agent = Random::new(0);
    let mut asked = Vec::new();
    while game.state().round == 0 {
        let ask = game.pending().filter(|_| asked.len() < MOST)?;
        asked.push(ask.seat());
        let answer = agent.decide(game.core(), ask);
        game.answer(answer).ok()?;
    }
    let written = game.journal().iter().zip(asked).map(|(line, asked)| {
        let keys = line.keys.join(" ");
        if line.seat == asked {
            keys
        } else {
            format!("{}> {keys}", line.seat.0 + 1)
        }
    });
    Some(written.collect())
}

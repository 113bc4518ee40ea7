//! Records answers to the questions of setup, for test cases of the start of a game.

use super::fill::quoted;
use super::{MOVES, NewFile, ScaffoldRequest, source};
use crate::agents::RandomPlayer;
use crate::game::{Agent as _, Game, Setup};
use crate::library::PackLibrary;
use crate::pack::{GameChoice, PackSource};

/// A setup with more questions than this is abandoned.
const MAX_QUESTIONS: usize = 24;

/// The comment above the answers.
const COMMENT: &str = "# Answers to the questions of setup:";

/// Replaces the placeholder for answers in the cases of a draft.
pub fn answer(
    sources: &[PackSource],
    request: &ScaffoldRequest,
    mode: &str,
    files: &mut [NewFile],
) {
    if !files.iter().any(|file| file.text.contains(MOVES)) {
        return;
    }
    let content: Vec<NewFile> = files
        .iter()
        .filter(|file| !file.text.contains(MOVES))
        .cloned()
        .collect();
    let library = PackLibrary::load(
        sources
            .iter()
            .cloned()
            .chain([source(&request.id, &content)])
            .collect(),
    );
    let with = if mode.starts_with(&format!("{}:", request.id)) {
        Vec::new()
    } else {
        vec![request.id.clone()]
    };
    let choice = GameChoice {
        mode: mode.to_owned(),
        with,
        options: Vec::new(),
    };
    let moves: Vec<String> = play(&library, &choice)
        .unwrap_or_default()
        .iter()
        .map(|line| quoted(line))
        .collect();
    let line = if moves.is_empty() {
        String::new()
    } else {
        format!("{COMMENT}\nmoves = [{}]\n", moves.join(", "))
    };
    for file in files {
        file.text = file.text.replace(MOVES, &line);
    }
}

/// Plays a game with random answers up to its first round, and returns the moves in the format of
/// cases; `None` if it takes too long.
fn play(library: &PackLibrary, choice: &GameChoice) -> Option<Vec<String>> {
    let (rules, report) = library.open(choice, None);
    let rules = rules.filter(|_| report.has_no_errors())?;
    let seats = rules.content.mode.as_ref().map_or(1, |mode| mode.seats_min);
    // Use the default player names of cases.
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
    let mut agent = RandomPlayer::new(0);
    let mut asked = Vec::new();
    while game.state().round == 0 {
        let ask = game.pending().filter(|_| asked.len() < MAX_QUESTIONS)?;
        asked.push(ask.seat());
        let answer = agent.decide(game.context(), ask);
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

//! `odds` and `hint`: the predictions of bots.

use crate::agents::{Budget, odds, search};
use crate::cli::screen::{self, Tone};
use crate::game::render::grammar::quote;
use crate::game::{AnswerForm, Game, Question, decision, names};

/// The number of simulated fights.
const FIGHTS: usize = 300;
/// The number of playouts for a hint.
const PLAYOUTS: usize = 300;

/// Shows how often each side wins the current fight.
pub fn odds(game: &Game) {
    let Some(seat) = game.pending().map(Question::seat) else {
        return screen::print("There is nothing to decide now.");
    };
    match odds::odds(game, seat, game.journal().len() as u64, |fights| {
        fights < FIGHTS
    }) {
        Ok(None) => screen::print("No fight is in progress."),
        Ok(Some(odds)) => {
            let hundredths = |wins: usize| (wins * 100 + odds.fights / 2) / odds.fights.max(1);
            for (who, wins) in &odds.sides {
                let who: Vec<String> = who
                    .iter()
                    .map(|who| names::entity(game.context(), *who))
                    .collect();
                screen::print_wrapped(
                    &format!("{}: wins {}%", who.join(", "), hundredths(*wins)),
                    Tone::Plain,
                );
            }
            let summary = format!(
                "{} simulated fights, greedy play; hidden cards are dealt at random.",
                odds.fights
            );
            screen::print_wrapped(&summary, Tone::Quiet);
        }
        Err(reason) => screen::print_wrapped(&reason, Tone::Warning),
    }
}

/// Shows the answer that a search bot would give.
pub fn hint(game: &Game) {
    let Some(question) = game.pending() else {
        return screen::print("There is nothing to decide now.");
    };
    match search::rank_answers(
        game,
        question,
        question.seat(),
        game.journal().len() as u64,
        &Budget::Playouts(PLAYOUTS),
    ) {
        Ok(tried) => match tried.first() {
            Some(best) => {
                let labels = answer(game, question, &best.answer);
                let sure = best.best_percent();
                let summary = if tried.len() < 2 {
                    format!("Hint: {labels}, the only option.")
                } else if tried
                    .iter()
                    .all(|other| other.mean_evaluation() == best.mean_evaluation())
                {
                    format!("No option looks better than the others. Try {labels}.")
                } else {
                    format!(
                        "Hint: {labels}. The search bot preferred it in {sure}% of its simulations."
                    )
                };
                screen::print_wrapped(&summary, Tone::Plain);
            }
            None => screen::print("Any answer will do."),
        },
        Err(reason) => screen::print_wrapped(&reason, Tone::Warning),
    }
}

/// The labels of an answer.
fn answer(game: &Game, question: &Question, answer: &crate::game::Answer) -> String {
    let keys = decision::answer_keys(game.context(), question, answer);
    if matches!(
        question.form,
        AnswerForm::Amount { .. } | AnswerForm::Split { .. }
    ) {
        return keys.join(" ");
    }
    let shown = decision::render(game.context(), question);
    let label = |key: &String| {
        shown
            .options
            .iter()
            .find(|option| option.key == *key)
            .map(|option| quote(&option.label))
    };
    let labels: Vec<String> = keys.iter().filter_map(label).collect();
    if labels.is_empty() {
        "none".to_owned()
    } else {
        labels.join(", ")
    }
}

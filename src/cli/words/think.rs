//! What a bot makes of it: the odds of a fight, and a hint.

use crate::agents::{Budget, odds, search};
use crate::cli::screen::{self, Tone};
use crate::game::{Ask, Form, Game, decision, names};

/// So often a fight is fought out.
const FIGHTS: usize = 300;
/// So many games are played on for a hint.
const PLAYOUTS: usize = 300;

/// Shows how the fight that is fought may end.
pub fn odds(game: &Game) {
    let Some(seat) = game.pending().map(Ask::seat) else {
        return screen::say("Nobody is asked anything.");
    };
    match odds::odds(game, seat, game.journal().len() as u64, |fights| {
        fights < FIGHTS
    }) {
        Ok(None) => screen::say("There is no fight."),
        Ok(Some(odds)) => {
            let hundredths = |wins: usize| (wins * 100 + odds.fights / 2) / odds.fights.max(1);
            for (who, wins) in &odds.sides {
                let who: Vec<String> = who
                    .iter()
                    .map(|who| names::entity(game.core(), *who))
                    .collect();
                screen::text(
                    &format!("{} % {}", hundredths(*wins), who.join(", ")),
                    Tone::Plain,
                );
            }
            let said = "Fought out {} times by two who see no further than their next card; hidden cards were dealt anew each time.";
            screen::text(&said.replace("{}", &odds.fights.to_string()), Tone::Quiet);
        }
        Err(why) => screen::text(&why, Tone::Warning),
    }
}

/// Shows what a bot that thinks ahead would do.
pub fn hint(game: &Game) {
    let Some(ask) = game.pending() else {
        return screen::say("Nobody is asked anything.");
    };
    match search::think(
        game,
        ask,
        ask.seat(),
        game.journal().len() as u64,
        &Budget::Playouts(PLAYOUTS),
    ) {
        Ok(tried) => match tried.first() {
            Some(best) => {
                let words = answer(game, ask, &best.answer);
                let sure = best.sure();
                let how = if tried.len() < 2 {
                    "There is nothing else to do.".to_owned()
                } else if tried.iter().all(|other| other.worth() == best.worth()) {
                    "But I see no difference between the options.".to_owned()
                } else {
                    format!("It did best in {sure} of 100 games as they might go on from here.")
                };
                screen::text(&format!("I would take: {words}. {how}"), Tone::Plain);
            }
            None => screen::say("Anything will do."),
        },
        Err(why) => screen::text(&why, Tone::Warning),
    }
}

/// An answer in the words of its options.
fn answer(game: &Game, ask: &Ask, answer: &crate::game::Answer) -> String {
    let keys = decision::answer_keys(game.core(), ask, answer);
    if matches!(ask.form, Form::Amount { .. } | Form::Split { .. }) {
        return keys.join(" ");
    }
    let shown = decision::render(game.core(), ask);
    let label = |key: &String| {
        shown
            .options
            .iter()
            .find(|option| option.key == *key)
            .map(|option| option.label.clone())
    };
    let labels: Vec<String> = keys.iter().filter_map(label).collect();
    if labels.is_empty() {
        "none".to_owned()
    } else {
        labels.join(", ")
    }
}

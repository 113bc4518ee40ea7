//! A game: a small card game to play and change.

use std::borrow::Cow;

use super::fill::{fill, quoted};
use super::{ScaffoldRequest, TemplatePart, made};

/// The title of the mode if the pack's title causes diagnostics.
const FALLBACK_TITLE: &str = "The game";

pub fn parts(request: &ScaffoldRequest) -> Vec<TemplatePart> {
    [&*request.title, FALLBACK_TITLE]
        .map(|mode_title| part(request, mode_title))
        .into()
}

fn part(request: &ScaffoldRequest, mode_title: &str) -> TemplatePart {
    let pack = fill(
        include_str!("templates/game/pack.toml"),
        &[
            ("id", &request.id),
            ("title", &quoted(&request.title)),
            ("mode_title", &quoted(mode_title)),
        ],
    );
    let text = str::to_owned;
    TemplatePart {
        files: vec![
            made(
                "cards.toml",
                text(include_str!("templates/game/cards.toml")),
                "a kind of card, with three cards",
            ),
            made("pack.toml", pack, "title, version, and the mode"),
            made(
                "turn.toml",
                text(include_str!("templates/game/turn.toml")),
                "what players do in a turn, and how the game ends",
            ),
            made(
                "table.toml",
                text(include_str!("templates/game/table.toml")),
                "points, the deck, hands",
            ),
            made(
                "rules.rhai",
                text(include_str!("templates/game/rules.rhai")),
                "script functions",
            ),
            made(
                "tests/first.toml",
                text(include_str!("templates/game/tests/first.toml")),
                "test cases",
            ),
        ],
        play: format!("{}:game", request.id),
        show: "kite".to_owned(),
        what: "A card game.".to_owned(),
        first: Cow::Borrowed(include_str!("templates/game/first.md")),
    }
}

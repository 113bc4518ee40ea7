//! A game of its own.

use super::fill::{fill, quoted};
use super::{Part, Wish, made};

/// The title of its mode where the pack's own will not do.
const PLAIN: &str = "The game";

pub fn parts(wish: &Wish) -> Vec<Part> {
    [&*wish.title, PLAIN]
        .map(|mode_title| part(wish, mode_title))
        .into()
}

fn part(wish: &Wish, mode_title: &str) -> Part {
    let pack = fill(
        include_str!("templates/game/pack.toml"),
        &[
            ("id", &wish.id),
            ("title", &quoted(&wish.title)),
            ("mode_title", &quoted(mode_title)),
        ],
    );
    let text = str::to_owned;
    Part {
        files: vec![
            made(
                "cards.toml",
                text(include_str!("templates/game/cards.toml")),
                "a kind of card, and three of them",
            ),
            made("pack.toml", pack, "what it is called, and its mode"),
            made(
                "turn.toml",
                text(include_str!("templates/game/turn.toml")),
                "what one does in a turn, and the end",
            ),
            made(
                "table.toml",
                text(include_str!("templates/game/table.toml")),
                "points, a deck, hands",
            ),
            made(
                "rules.rhai",
                text(include_str!("templates/game/rules.rhai")),
                "functions of scripts",
            ),
            made(
                "tests/first.toml",
                text(include_str!("templates/game/tests/first.toml")),
                "cases: what must be so",
            ),
        ],
        play: format!("{}:game", wish.id),
        show: "kite".to_owned(),
        what: "A game of cards.".to_owned(),
        first: include_str!("templates/game/first.md"),
    }
}

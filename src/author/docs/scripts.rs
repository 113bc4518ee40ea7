//! Scripts on pages: what a word means is a link.

use super::book::{Here, Meaning};
use super::html::{Html, classed, link, tag};
use super::tokens::{Token, What, tokens};

/// A script as a block, with its words as links.
pub fn shown(here: &Here, by: u16, text: &str) -> Html {
    let text = without_margin(text);
    let parts = tokens(&text);
    let alone = parts.len() == 1;
    block(here, &parts, &|token| here.book.meaning(by, token, alone))
}

/// An example, which belongs to no pack: only the engine's words are links.
pub fn example(here: &Here, text: &str) -> Html {
    let word = |token: &Token| {
        here.book
            .word(token.text)
            .filter(|_| token.what == What::Word && token.opens)
    };
    block(here, &tokens(text), &word)
}

fn block(here: &Here, parts: &[Token], means: &dyn Fn(&Token) -> Option<Meaning>) -> Html {
    let mut all = Html::default();
    let mut last = "";
    for token in parts {
        let inner = match token.what {
            What::Comment => classed("span", "c", token.text),
            What::Text => classed("span", "t", token.text),
            What::Word | What::Other => token.text.into(),
        };
        // A function does not lead to itself.
        let to = means(token)
            .filter(|_| last != "fn")
            .and_then(|meaning| here.meaning(&meaning));
        all.push(match to {
            Some(to) => link(&to, inner),
            None => inner,
        });
        if !token.text.trim().is_empty() {
            last = token.text;
        }
    }
    tag("pre", tag("code", all))
}

/// A script without the blanks that all of its lines begin with.
fn without_margin(text: &str) -> String {
    let lines: Vec<&str> = text
        .trim_end()
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .collect();
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    // A script in one line begins right at its quotation mark.
    let margin = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| blanks(line))
        .min()
        .unwrap_or(0);
    lines
        .iter()
        .map(|line| line.get(margin..).unwrap_or("").trim_end())
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_goes() {
        assert_eq!(
            without_margin("\n    a {\n\n        b\n    }\n"),
            "a {\n\n    b\n}"
        );
        assert_eq!(without_margin("a"), "a");
    }
}

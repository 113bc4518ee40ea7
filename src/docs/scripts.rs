//! Scripts with syntax highlighting and links.

use super::html::{Html, classed, link, tag};
use super::site::{PageWriter, TokenTarget};
use super::tokenizer::{Token, TokenKind, tokens};

/// A script of the pack `by` as a code block, with links.
pub fn shown(writer: &PageWriter, by: u16, text: &str) -> Html {
    let text = without_margin(text);
    let parts = tokens(&text);
    let is_only_token = parts.len() == 1;
    block(writer, &parts, &|token| {
        writer.site.meaning(by, token, is_only_token)
    })
}

/// An example, which is not part of a pack: only built-in functions become links.
pub fn example(writer: &PageWriter, text: &str) -> Html {
    let word = |token: &Token| {
        writer
            .site
            .primitive_path(token.text)
            .filter(|_| token.kind == TokenKind::Word && token.opens)
    };
    block(writer, &tokens(text), &word)
}

fn block(
    writer: &PageWriter,
    parts: &[Token],
    means: &dyn Fn(&Token) -> Option<TokenTarget>,
) -> Html {
    let mut all = Html::default();
    let mut last = "";
    for token in parts {
        let inner = match token.kind {
            TokenKind::Comment => classed("span", "c", token.text),
            TokenKind::Text => classed("span", "t", token.text),
            TokenKind::Word | TokenKind::Other => token.text.into(),
        };
        // Do not link the name in a definition to itself.
        let to = means(token)
            .filter(|_| last != "fn")
            .and_then(|meaning| writer.meaning(&meaning));
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

/// Removes the indentation that all lines of a script share.
fn without_margin(text: &str) -> String {
    let lines: Vec<&str> = text
        .trim_end()
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .collect();
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
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

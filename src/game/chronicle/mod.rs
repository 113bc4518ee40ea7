//! A game as a chronicle, in Markdown: who played, what they did round by round, how it ended.
//!
//! All words of the game come from its packs. The engine adds only what it knows: rounds, turns, fights, counters, pieces.

mod changes;
mod fight;
mod teller;

use super::journal::Header;
use super::play::Game;
use super::summary::Summary;
use super::text;

/// A game as a chronicle.
#[must_use]
pub fn chronicle(game: &Game, header: &Header, command: Option<&str>) -> String {
    let summary = game.summary();
    let mut out = front(&summary, header);
    out += &teller::tell(game.core());
    out += &end(game, &summary, header, command);
    out
}

fn front(summary: &Summary, header: &Header) -> String {
    let mut out = format!("# {}\n", plain(&summary.mode));
    for seat in &summary.seats {
        let who = header
            .players
            .get(usize::from(seat.seat))
            .map_or("", |(_, who)| who);
        // What the player is follows behind.
        let who = who.split(':').next().unwrap_or("");
        let came_as = seat
            .came_as
            .as_ref()
            .map(|role| format!(", {}", plain(role)))
            .unwrap_or_default();
        out += &format!("\n- **{}**{came_as} ({who})", plain(&seat.name));
    }
    out + "\n"
}

fn end(game: &Game, summary: &Summary, header: &Header, command: Option<&str>) -> String {
    let mut out = if summary.over {
        format!(
            "\n## The end\n\n{}\n",
            plain(&sentence(&text::over(game.core())))
        )
    } else {
        "\n## To be continued\n\nThe game is not over.\n".to_owned()
    };
    out += &format!("\n{}\n", table(summary));
    let again = command
        .map(|command| format!(" To play it again: `{command}`"))
        .unwrap_or_default();
    out += &format!(
        "\n{} answers, seed {}.{again}\n",
        game.journal().len(),
        header.seed
    );
    out
}

fn table(summary: &Summary) -> String {
    let row = |cells: &Vec<String>| {
        format!(
            "| {} |",
            cells
                .iter()
                .map(|cell| plain(cell))
                .collect::<Vec<_>>()
                .join(" | ")
        )
    };
    let rows = summary.table();
    let mut lines: Vec<String> = rows.iter().map(row).collect();
    let line = format!(
        "| {} |",
        rows.first()
            .map_or(0, Vec::len)
            .checked_sub(1)
            .map_or(String::new(), |more| {
                format!("---{}", " | ---".repeat(more))
            })
    );
    lines.insert(1.min(lines.len()), line);
    lines.join("\n")
}

/// A text in which nothing means anything to Markdown.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>|#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A text that ends as a sentence does.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '”', '…', ':']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// A text that begins as a sentence does.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// A list in words.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_packs_are_no_markup() {
        assert_eq!(
            plain("a *b* <c> [d](e) #f | `g`"),
            "a \\*b\\* \\<c\\> \\[d\\](e) \\#f \\| \\`g\\`"
        );
    }

    #[test]
    fn sentences_begin_and_end() {
        assert_eq!(sentence("it rains"), "it rains.");
        assert_eq!(sentence("Does it?"), "Does it?");
        assert_eq!(capital("éa"), "Éa");
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}

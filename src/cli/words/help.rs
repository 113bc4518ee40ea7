//! What can be typed here, and the rules behind what is asked.

use super::WORDS;
use crate::cli::screen::{self, Tone};
use crate::content::EntryId;
use crate::game::{Game, decision};

/// So many rules are shown with a decision.
const WITH_DECISION: usize = 8;
/// So many are shown of those in which a word stands.
const WITH_WORD: usize = 30;

/// Shows what can be typed, and the rules behind the question that waits.
pub fn show(game: &Game) {
    let rules = game.pending().map(|ask| decision::rules(game.core(), ask)).unwrap_or_default();
    if !rules.is_empty() {
        screen::text("The rules behind this decision:", Tone::Heading);
        clauses(game, &rules, WITH_DECISION);
        screen::say("");
    }
    screen::text(
        "Type the number of an option, or the beginning of its name; several at once as in `1 3 4`.",
        Tone::Plain,
    );
    screen::text("Enter alone chooses what is marked with [Enter]. Also:", Tone::Plain);
    let panels = game.content().panels.iter().filter(|panel| !panel.word.is_empty());
    for panel in panels {
        let text = game.content().render(panel.entry, "text");
        line(&panel.word, &text.unwrap_or_else(|| game.content().entry(panel.entry).title.to_string()));
    }
    let hidden = |name: &str| game.content().panels.iter().any(|panel| &*panel.word == name);
    for word in WORDS.iter().filter(|word| !hidden(word.names[0])) {
        line(&format!("{} {}", word.names[0], word.with), word.text);
    }
}

fn line(word: &str, text: &str) {
    screen::block(&format!("  {:<15}", word.trim()), Tone::Key, text, Tone::Plain);
}

/// Shows the rules in which a word stands.
pub fn rules(game: &Game, typed: &str) {
    let wanted = typed.to_lowercase();
    let content = game.content();
    let fits = |rule: &EntryId| {
        let entry = content.entry(*rule);
        let text = || content.render(*rule, "text").unwrap_or_default().to_lowercase();
        entry.field("section").is_some() && (*entry.id == *wanted || text().contains(&wanted))
    };
    let all: Vec<EntryId> = (0..content.entries.len()).map(EntryId::at).filter(fits).collect();
    if all.is_empty() {
        return screen::text(&format!("No rule says anything of `{typed}`."), Tone::Plain);
    }
    clauses(game, &all, WITH_WORD);
}

fn clauses(game: &Game, rules: &[EntryId], most: usize) {
    for rule in rules.iter().take(most) {
        let text = game.content().render(*rule, "text").unwrap_or_default();
        screen::block(&format!("  {}  ", game.content().entry(*rule).id), Tone::Quiet, &text, Tone::Plain);
    }
    if rules.len() > most {
        let more = rules.len() - most;
        screen::text(&format!("  … and {more} more; `rules WORD` finds those in which a word stands."), Tone::Quiet);
    }
}

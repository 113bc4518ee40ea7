//! `help` and `rules`.

use super::COMMANDS;
use crate::cli::screen::{self, Tone};
use crate::content::EntryId;
use crate::game::{Game, decision};

/// The number of rules that `help` shows.
const MAX_IN_HELP: usize = 8;
/// The number of rules that `rules WORD` shows at once.
const MAX_FOUND: usize = 30;

/// Shows the commands, and the rules that apply to the decision.
pub fn show(game: &Game) {
    let rules = game
        .pending()
        .map(|ask| decision::rules(game.context(), ask))
        .unwrap_or_default();
    if !rules.is_empty() {
        screen::print_wrapped("Rules behind this decision:", Tone::Heading);
        clauses(game, &rules, MAX_IN_HELP);
        screen::print("");
    }
    screen::print_wrapped(
        "Type the number of an option or the beginning of its name; for several options, `1 3 4`.",
        Tone::Plain,
    );
    screen::print_wrapped(
        "Enter chooses the option marked [Enter]. Commands:",
        Tone::Plain,
    );
    let panels = game
        .content()
        .panels
        .iter()
        .filter(|panel| !panel.word.is_empty());
    for panel in panels {
        let text = game.content().render(panel.entry, "text");
        line(
            &panel.word,
            &text.unwrap_or_else(|| game.content().entry(panel.entry).title.to_string()),
        );
    }
    let hidden = |name: &str| {
        game.content()
            .panels
            .iter()
            .any(|panel| &*panel.word == name)
    };
    for word in COMMANDS.iter().filter(|word| !hidden(word.names[0])) {
        line(&format!("{} {}", word.names[0], word.with), word.text);
    }
}

fn line(word: &str, text: &str) {
    screen::print_indented(
        &format!("  {:<15}", word.trim()),
        Tone::Key,
        text,
        Tone::Plain,
    );
}

/// Shows the rules that mention a word or are about it; `WORD N` starts at the Nth. Without a word,
/// lists the topics.
pub fn rules(game: &Game, typed: &str) {
    let (wanted, from) = match typed
        .rsplit_once(' ')
        .map(|(word, number)| (word, number.parse::<usize>()))
    {
        Some((word, Ok(from))) => (word, from.max(1)),
        _ => (typed, 1),
    };
    let all = all_rules(game);
    if all.is_empty() {
        return screen::print("The packs of this game have no rules texts.");
    }
    if wanted.is_empty() {
        return sections(game, &all);
    }
    let found: Vec<EntryId> = all
        .into_iter()
        .filter(|rule| is_about(game, *rule, &wanted.to_lowercase()))
        .collect();
    if found.is_empty() {
        return screen::print_wrapped(
            &format!("No rule mentions `{wanted}`. `rules` alone lists the topics."),
            Tone::Plain,
        );
    }
    let shown = found.get(from - 1..).unwrap_or_default();
    by_pack(game, &shown[..shown.len().min(MAX_FOUND)], |rules| {
        clauses(game, rules, MAX_FOUND);
    });
    if shown.len() > MAX_FOUND {
        let next = from + MAX_FOUND;
        screen::print_wrapped(
            &format!(
                "  … and {} more: `rules {wanted} {next}`.",
                shown.len() - MAX_FOUND
            ),
            Tone::Quiet,
        );
    }
}

/// All rules, last layer first, because it overrides the others.
fn all_rules(game: &Game) -> Vec<EntryId> {
    let content = game.content();
    let mut all: Vec<EntryId> = (0..content.entries.len()).map(EntryId::at).collect();
    all.retain(|rule| content.entry(*rule).field("section").is_some());
    all.sort_by_key(|rule| std::cmp::Reverse(content.entry(*rule).pack));
    all
}

fn is_about(game: &Game, rule: EntryId, wanted: &str) -> bool {
    let entry = game.content().entry(rule);
    let text = game
        .content()
        .render(rule, "text")
        .unwrap_or_default()
        .to_lowercase();
    let begins = |text: &str| {
        text.match_indices(wanted)
            .any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
    };
    entry.id.starts_with(wanted)
        || begins(&text)
        || entry
            .text("section")
            .is_some_and(|section| begins(&section.to_lowercase()))
}

/// Lists the topics of the rules, with the number of rules.
fn sections(game: &Game, all: &[EntryId]) {
    by_pack(game, all, |rules| {
        let mut about: Vec<(&str, usize)> = Vec::new();
        for section in rules
            .iter()
            .filter_map(|rule| game.content().entry(*rule).text("section"))
        {
            match about.iter_mut().find(|(own, _)| *own == section) {
                Some((_, count)) => *count += 1,
                None => about.push((section, 1)),
            }
        }
        let about: Vec<String> = about
            .iter()
            .map(|(section, count)| format!("{section} ({count})"))
            .collect();
        screen::print_indented("  ", Tone::Plain, &about.join(", "), Tone::Plain);
    });
    screen::print_wrapped(
        "`rules WORD` shows the rules that mention WORD, or all rules of a topic.",
        Tone::Quiet,
    );
}

/// Shows rules pack by pack, with headings if there are several packs.
fn by_pack(game: &Game, rules: &[EntryId], show: impl Fn(&[EntryId])) {
    let pack = |rule: &EntryId| game.content().entry(*rule).pack;
    for (ix, group) in rules
        .chunk_by(|left, right| pack(left) == pack(right))
        .enumerate()
    {
        let id = group
            .first()
            .map(|rule| game.content().packs[usize::from(pack(rule))].id.clone());
        match id {
            Some(id) if ix > 0 => {
                screen::print_wrapped(
                    &format!("Rules of {id}, unless the rules above override them:"),
                    Tone::Heading,
                );
            }
            Some(id) if group.len() < rules.len() => {
                screen::print_wrapped(&format!("Rules of {id}:"), Tone::Heading);
            }
            _ => {}
        }
        show(group);
    }
}

fn clauses(game: &Game, rules: &[EntryId], max: usize) {
    for rule in rules.iter().take(max) {
        let text = game.content().render(*rule, "text").unwrap_or_default();
        screen::print_indented(
            &format!("  {}  ", game.content().entry(*rule).id),
            Tone::Quiet,
            &text,
            Tone::Plain,
        );
    }
    if rules.len() > max {
        let more = rules.len() - max;
        screen::print_wrapped(
            &format!("  … and {more} more; `rules WORD` shows the rules that mention WORD."),
            Tone::Quiet,
        );
    }
}

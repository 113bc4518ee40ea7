//! Finds placeholders that are still in a prompt or in the label of an option when a player is asked.

use std::collections::BTreeSet;

use crate::check::CheckSubject;
use crate::content::{Content, EntryId};
use crate::diagnostic::{Confidence, Diagnostic, Report, Span};
use crate::game::Game;

/// The entries whose prompt or label has an unfilled placeholder, with its name.
pub(super) fn placeholders(game: &Game) -> Vec<(EntryId, String)> {
    let (Some(question), Some(decision)) = (game.pending(), game.decision()) else {
        return Vec::new();
    };
    let content = game.content();
    let menu = question
        .menu_phase()
        .map(|phase| content.phases[phase.ix()].entry);
    let prompt = menu.zip(placeholder(&decision.prompt));
    let labels = question.options.iter().zip(&decision.options);
    let labels = labels.filter_map(|(option, shown)| option.action.zip(placeholder(&shown.label)));
    prompt.into_iter().chain(labels).collect()
}

/// The name in the first braces of a text.
fn placeholder(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('{')?;
    let (name, _) = rest.split_once('}')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_owned())
}

/// Reports a placeholder at the field that contains it.
pub(super) fn report(
    subject: &CheckSubject,
    content: &Content,
    (entry, name): &(EntryId, String),
    reported: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let def = content.entry(*entry);
    let own = subject.entries().find(|own| own.span == def.span);
    let hole = format!("{{{name}}}");
    let field = own.into_iter().flat_map(|own| &own.fields);
    let mut field = field.filter(|field| {
        let text = field.value.as_text();
        text.is_some_and(|text| text.contains(&hole))
    });
    let Some(span) = field.next().map(|field| field.span) else {
        return;
    };
    if reported.insert(span) {
        let message = format!("`{hole}` has no value");
        Diagnostic::error(span, "unknown-template-field", message)
            .label("players see the braces")
            .help("after a dot, write `title`, a counter, or a field of what comes before the dot; the title alone needs no dot, as in {each}")
            .confidence(Confidence::Likely)
            .push(report);
    }
}

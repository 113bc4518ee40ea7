//! Actions and options that no random game reached.

use std::collections::BTreeSet;

use crate::check::CheckSubject;
use crate::content::HookRole;
use crate::diagnostic::{Confidence, Diagnostic, Report, Span};

/// Reports actions and options that no game reached. With so few games, this is only a guess.
pub fn check(subject: &CheckSubject, seen: &BTreeSet<Span>, report: &mut Report) {
    let mut reported = BTreeSet::new();
    for content in subject
        .opened
        .iter()
        .map(|(_, opened)| &opened.rules.content)
    {
        for hook in content
            .hooks
            .iter()
            .filter(|hook| hook.role == HookRole::Do && subject.owns(hook.script.span))
        {
            let (name, entry) = (&hook.name, content.entry(hook.entry));
            let offered = &**name == "do" && entry.action.is_some()
                || name.contains('.') && !name.starts_with("then.");
            if offered && !seen.contains(&hook.script.span) && reported.insert(hook.script.span) {
                Diagnostic::warning(
                    hook.script.span,
                    "never-available",
                    format!("no game reached `{name}` of {}", entry.title),
                )
                .label("never ran")
                .help("that may be chance; play more games with `kaer check --games 50`")
                .confidence(Confidence::Guess)
                .push(report);
            }
        }
    }
}

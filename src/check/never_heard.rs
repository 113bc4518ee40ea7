//! `never-heard`: a hook or an answer on an entry that nobody ever asks.

use super::Subject;
use crate::content::{Content, Entry, HookDef, Owner, Role};
use crate::diagnostic::{Diagnostic, Report};

/// Kinds of the engine whose entries hear everything.
const LISTENING: &[&str] = &["rule", "mode", "statistic", "effect"];

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for (_, opened) in subject.opened {
        let content = &opened.rules.content;
        for hook in &content.hooks {
            let Some(why) = why(content, hook).filter(|_| subject.owns(hook.script.span)) else { continue };
            let entry = content.entry(hook.entry);
            let message = format!("`{}` of {} is never run", hook.name, entry.title);
            Diagnostic::wrong(hook.script.span, "never-heard", message)
                .label(why)
                .help(
                    "put it on a rule, on an effect, or on a piece that lies in a zone with `listens = true` or fights",
                )
                .push(report);
        }
    }
}

/// Why nobody asks it.
fn why(content: &Content, hook: &HookDef) -> Option<String> {
    if !matches!(hook.role, Role::On(_) | Role::May(_) | Role::Ask(_)) {
        return None;
    }
    let entry: &Entry = content.entry(hook.entry);
    let kind = &content.kinds[entry.kind.ix()];
    if LISTENING.contains(&&*kind.id) {
        return None;
    }
    if !kind.is_piece {
        return Some(format!("a {} hears nothing", kind.id));
    }
    // What a piece says of itself is heard wherever it lies, and a piece that fights hears everything.
    let about_itself = hook.name.rsplit('.').next().is_some_and(|event| event.starts_with("self_"));
    let listens = Owner::ALL.iter().any(|owner| !content.listening_zones[owner.ix()].is_empty());
    let deaf = !about_itself && !listens && content.fights.is_empty();
    deaf.then(|| "no zone says `listens = true`, and nobody fights".to_owned())
}

//! `dead-hook`: a hook or an answer on an entry that nobody ever asks.

use super::Subject;
use crate::content::events::on;
use crate::content::{Content, Entry, EventId, HookDef, Owner, Role};
use crate::diagnostic::{Diagnostic, Report};

/// Kinds of the engine whose entries hear everything.
const LISTENING: &[&str] = &["rule", "mode", "statistic", "effect"];

pub(super) fn check(subject: &Subject, report: &mut Report) {
    for (_, opened) in subject.opened {
        let content = &opened.rules.content;
        for hook in &content.hooks {
            let Some((why, help)) = why(content, hook).filter(|_| subject.owns(hook.script.span))
            else {
                continue;
            };
            let entry = content.entry(hook.entry);
            let message = format!("`{}` of {} is never run", hook.name, entry.title);
            Diagnostic::wrong(hook.script.span, "dead-hook", message)
                .label(why)
                .help(help)
                .push(report);
        }
    }
}

/// What to do about most of them.
const ELSEWHERE: &str = "put it on a rule, on an effect, or on a piece that lies in a zone with `listens = true` or fights";

/// Why nobody asks it, and what to do about it.
fn why(content: &Content, hook: &HookDef) -> Option<(String, String)> {
    if !matches!(hook.role, Role::On(_) | Role::May(_) | Role::Ask(_)) {
        return None;
    }
    let entry: &Entry = content.entry(hook.entry);
    let kind = &content.kinds[entry.kind.ix()];
    if LISTENING.contains(&&*kind.id) {
        return None;
    }
    if !kind.is_piece {
        return Some((format!("a {} hears nothing", kind.id), ELSEWHERE.to_owned()));
    }
    // What a piece says of itself is heard wherever it lies, and a piece that fights hears everything.
    let own = hook
        .name
        .rsplit('.')
        .next()
        .and_then(|event| event.strip_prefix("self_"));
    let about_itself = own.is_some();
    if let (Role::On(event), Some(own)) = (hook.role, own)
        && !names_a_piece(event)
    {
        let why = format!("`{own}` names no piece, so none hears it of itself");
        return Some((
            why,
            format!(
                "write `on.{own}`, and look whether it happens to this piece: `event.of == it`"
            ),
        ));
    }
    let listens = Owner::ALL
        .iter()
        .any(|owner| !content.listening_zones[*owner].is_empty());
    let deaf = !about_itself && !listens && content.fights.is_empty();
    deaf.then(|| {
        (
            "no zone says `listens = true`, and nobody fights".to_owned(),
            ELSEWHERE.to_owned(),
        )
    })
}

/// Whether an event may say which piece it happens to. Of what a pack emits nobody knows unless it says so.
fn names_a_piece(event: EventId) -> bool {
    on::EVENTS
        .get(event.ix())
        .is_none_or(|native| native.provides.split(' ').any(|name| name == "piece"))
}

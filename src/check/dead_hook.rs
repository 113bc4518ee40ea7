//! `dead-hook`: a hook or a query answer on an entry that the engine never calls.

use super::CheckSubject;
use crate::content::events::on;
use crate::content::{Content, EntryDef, EventId, HookDef, HookRole, Owner};
use crate::diagnostic::{Confidence, Diagnostic, Report};
use crate::pack::{Entry, FieldValue};

/// The engine's kinds whose entries receive all events.
const LISTENING: &[&str] = &["rule", "mode", "statistic", "effect"];

pub(super) fn check(subject: &CheckSubject, report: &mut Report) {
    unnamed_follow_up(subject, report);
    for (_, opened) in subject.opened {
        let content = &opened.rules.content;
        for hook in &content.hooks {
            let Some((why, help)) = why(content, hook).filter(|_| subject.owns(hook.script.span))
            else {
                continue;
            };
            let entry = content.entry(hook.entry);
            let message = format!("`{}` of {} never runs", hook.name, entry.title);
            Diagnostic::error(hook.script.span, "dead-hook", message)
                .label(why)
                .help(help)
                .push(report);
        }
    }
}

/// Reports a follow-up, such as `then.rain`, that no script names.
fn unnamed_follow_up(subject: &CheckSubject, report: &mut Report) {
    for pack in &subject.packs {
        let entries = pack.entries();
        let follow_ups: Vec<(&Entry, &FieldValue)> = entries
            .filter_map(|entry| Some((entry, entry.get("then")?)))
            .collect();
        if follow_ups.is_empty() {
            continue;
        }
        let outlines: Vec<_> = subject
            .related(pack)
            .flat_map(|other| subject.outlines.pack(subject.library, other))
            .collect();
        for (entry, table) in follow_ups {
            for (name, value) in table.as_table().into_iter().flatten() {
                let is_named = outlines
                    .iter()
                    .any(|own| own.texts.iter().any(|text| text == name));
                let Some(script) = value.as_script().filter(|_| !is_named) else {
                    continue;
                };
                let message = format!("`then.{name}` of {} never runs", entry.id);
                Diagnostic::warning(script.span, "dead-hook", message)
                    .label("no script names it")
                    .help(format!(
                        "name it in a script, as in later(\"{name}\", 1), or remove it"
                    ))
                    .confidence(Confidence::Likely)
                    .push(report);
            }
        }
    }
}

pub(super) const MOVE_IT: &str =
    "put it on a rule, an effect, or a piece that fights or is in a zone with `listens = true`";

/// Why a hook never runs, and how to fix it; `None` if it can run.
pub(super) fn why(content: &Content, hook: &HookDef) -> Option<(String, String)> {
    if !matches!(
        hook.role,
        HookRole::On(_) | HookRole::Offer(_) | HookRole::Answer(_)
    ) {
        return None;
    }
    let entry: &EntryDef = content.entry(hook.entry);
    let kind = &content.kinds[entry.kind.ix()];
    let is_own = hook.name.contains(".self_");
    if is_own && matches!(&*kind.id, "rule" | "mode" | "statistic") {
        let event = hook.name.rsplit("self_").next().unwrap_or_default();
        return Some((
            format!("a {} is no piece, so nothing happens to it", kind.id),
            format!("write `on.{event}`, which hears the event for all pieces"),
        ));
    }
    if LISTENING.contains(&&*kind.id) {
        return None;
    }
    if !kind.is_piece {
        return Some((
            format!("entries of kind `{}` receive no events", kind.id),
            MOVE_IT.to_owned(),
        ));
    }
    // A piece receives its own `self_` events in any zone, and a fighting piece receives all
    // events.
    let own = hook
        .name
        .rsplit('.')
        .next()
        .and_then(|event| event.strip_prefix("self_"));
    let about_itself = own.is_some();
    if let (HookRole::On(event), Some(own)) = (hook.role, own)
        && !names_a_piece(event)
    {
        let why = format!("`{own}` happens to no piece, so there is no `self_{own}`");
        return Some((
            why,
            format!(
                "write `on.{own}` and test whether the event concerns this piece: `event.of == it`"
            ),
        ));
    }
    let listens = Owner::ALL
        .iter()
        .any(|owner| !content.listening_zones[*owner].is_empty());
    let cannot_hear = !about_itself && !listens && content.fights.is_empty();
    cannot_hear.then(|| {
        (
            "no zone has `listens = true`, and the game has no fights".to_owned(),
            MOVE_IT.to_owned(),
        )
    })
}

/// Whether an event can concern a piece. Events that packs fire always can.
fn names_a_piece(event: EventId) -> bool {
    on::EVENTS
        .get(event.ix())
        .is_none_or(|native| native.provides.split(' ').any(|name| name == "piece"))
}

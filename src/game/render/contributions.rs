//! Renders the contributions to a number.

use super::catalogue;
use crate::content::EntryDef;
use crate::game::context::StepContext;
use crate::game::log::Contribution;

/// For players: `Wolf +2, limited to 1 by Fog`.
#[must_use]
pub(crate) fn list_contributions(context: &StepContext, parts: &[Contribution]) -> String {
    list(context, parts, |entry| &entry.title)
}

/// By id: `wolf +2, limited to 1 by fog`.
pub(super) fn list_by_id(context: &StepContext, parts: &[Contribution]) -> String {
    list(context, parts, |entry| &entry.id)
}

fn list(context: &StepContext, parts: &[Contribution], name: impl Fn(&EntryDef) -> &str) -> String {
    let text = |part: &Contribution| {
        let name = part.cause.entry.map_or(catalogue::name::RULES, |entry| {
            name(context.content().entry(entry))
        });
        catalogue::contribution::one(name, part.op, part.amount)
    };
    parts.iter().map(text).collect::<Vec<_>>().join(", ")
}

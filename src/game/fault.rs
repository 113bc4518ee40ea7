//! Faults of scripts: their message, and the action that they close.

use super::cx::{Core, Cx, Fault};
use super::state::{Frame, Run};
use crate::content::{EntryId, PieceId, Role, SeatId};

/// The name of what a frame runs, for messages to pack authors.
pub(super) fn frame_name(core: &Core, frame: &Frame) -> String {
    let content = core.content();
    match (frame_entry(core, frame), &frame.run) {
        (_, Run::Call { hook }) => content.hook_name(*hook),
        (Some(entry), _) => content.entry(entry).name.to_string(),
        (None, Run::Fight { .. }) => "a fight".to_owned(),
        (None, Run::List { .. }) => "a sequence of phases".to_owned(),
        (None, _) => "the turns of the game".to_owned(),
    }
}

/// The entry whose phase, action or script a frame runs.
pub(super) fn frame_entry(core: &Core, frame: &Frame) -> Option<EntryId> {
    let content = core.content();
    match frame.run {
        Run::Phase { phase, .. } | Run::Window { phase, .. } => {
            Some(content.phases[phase.ix()].entry)
        }
        Run::Act { entry, .. } | Run::Acted { entry } => Some(entry),
        Run::Call { hook } => Some(content.hooks[hook.ix()].entry),
        Run::Fight { .. } | Run::List { .. } | Run::Game { .. } => None,
    }
}

/// The action whose own script failed; `None` if the fault is in another script.
pub(super) fn failed_action(cx: &Cx, fault: &Fault) -> Option<(EntryId, Option<PieceId>, SeatId)> {
    let frame = cx.state.agenda.last()?;
    let Run::Act { entry, .. } = frame.run else {
        return None;
    };
    let hook = &cx.content().hooks[fault.hook?.ix()];
    (hook.entry == entry && matches!(hook.role, Role::Do | Role::Look)).then_some((
        entry,
        frame.piece,
        frame.seat,
    ))
}

/// The message of a fault with its hook, file, line and column.
#[must_use]
pub fn describe(core: &Core, fault: &Fault) -> String {
    let at = match &fault.at {
        Some(at) => match &at.source {
            Some(source) => format!(" ({source}, line {}, column {})", at.line, at.column),
            None => format!(" (line {}, column {})", at.line, at.column),
        },
        None => String::new(),
    };
    match fault.hook {
        Some(hook) => format!("{}: {}{at}", core.content().hook_name(hook), fault.message),
        None => format!("{}{at}", fault.message),
    }
}

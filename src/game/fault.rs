//! Faults of scripts: the message, and closing the action whose script failed.

use super::context::{Cx, Fault, StepContext};
use super::state::{Frame, FrameKind};
use crate::content::{EntryId, HookRole, PieceId, SeatId};

/// The name of what a frame runs, for messages to pack authors.
pub(super) fn frame_name(context: &StepContext, frame: &Frame) -> String {
    let content = context.content();
    match (frame_entry(context, frame), &frame.kind) {
        (_, FrameKind::Call { hook }) => content.hook_name(*hook),
        (Some(entry), _) => content.entry(entry).name.to_string(),
        (None, FrameKind::Fight { .. }) => "a fight".to_owned(),
        (None, FrameKind::List { .. }) => "a sequence of phases".to_owned(),
        (None, _) => "the turns of the game".to_owned(),
    }
}

/// The entry whose phase, action or script a frame runs.
pub(super) fn frame_entry(context: &StepContext, frame: &Frame) -> Option<EntryId> {
    let content = context.content();
    match frame.kind {
        FrameKind::Phase { phase, .. } | FrameKind::Window { phase, .. } => {
            Some(content.phases[phase.ix()].entry)
        }
        FrameKind::Action { entry, .. } | FrameKind::ActionDone { entry } => Some(entry),
        FrameKind::Call { hook } => Some(content.hooks[hook.ix()].entry),
        FrameKind::Fight { .. } | FrameKind::List { .. } | FrameKind::Game { .. } => None,
    }
}

/// The action whose own script failed; `None` if the fault is in another script.
pub(super) fn failed_action(cx: &Cx, fault: &Fault) -> Option<(EntryId, Option<PieceId>, SeatId)> {
    let frame = cx.state.agenda.last()?;
    let FrameKind::Action { entry, .. } = frame.kind else {
        return None;
    };
    let hook = &cx.content().hooks[fault.hook?.ix()];
    (hook.entry == entry && matches!(hook.role, HookRole::Do | HookRole::Value)).then_some((
        entry,
        frame.piece,
        frame.seat,
    ))
}

/// The message of a fault with its hook, file, line and column.
#[must_use]
pub fn describe(context: &StepContext, fault: &Fault) -> String {
    let at = match &fault.at {
        Some(at) => match &at.source {
            Some(source) => format!(" ({source}, line {}, column {})", at.line, at.column),
            None => format!(" (line {}, column {})", at.line, at.column),
        },
        None => String::new(),
    };
    match fault.hook {
        Some(hook) => format!(
            "{}: {}{at}",
            context.content().hook_name(hook),
            fault.message
        ),
        None => format!("{}{at}", fault.message),
    }
}

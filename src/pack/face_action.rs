//! The action of a face. Its fields stand in the table of the face; here they become the action of the entry, which
//! remembers the face.

use crate::diagnostic::{Diagnostic, Span};

use super::read_context::ReadContext;
use super::toml_tree::{TomlNode, TomlPair, TomlShape, TomlTable};

/// The fields of an action, which an entry or one of its faces can have.
pub const ACTION_FIELDS: [&str; 15] = [
    "window", "each", "can", "do", "cost", "once", "limit", "label", "log", "group", "row", "cell",
    "default", "rules", "order",
];

/// The field of an entry with the name of the face whose action it has.
pub const ACTION_FACE: &str = "action_face";

/// The block of an entry with the action fields of a face moved to the entry; `None` if no face has any.
pub(super) fn lift(cx: &mut ReadContext, table: &TomlTable) -> Option<TomlTable> {
    let faces = faces(table)?;
    let is_action = |pair: &&TomlPair| ACTION_FIELDS.contains(&pair.key.as_str());
    let with_action = |face: &&TomlPair| {
        face.node
            .as_table()
            .is_some_and(|own| own.pairs.iter().any(|pair| is_action(&pair)))
    };
    let acting: Vec<&TomlPair> = faces.pairs.iter().filter(with_action).collect();
    let first = *acting.first()?;
    if let Some(second) = acting.get(1) {
        report_second(cx, second.at, first.at);
    }
    let mut lifted = table.clone();
    let own = first.node.as_table()?.pairs.iter().filter(is_action);
    for pair in own {
        match table.get(&pair.key) {
            Some(outside) => report_second(cx, pair.at, outside.at),
            None => lifted.pairs.push(pair.clone()),
        }
    }
    let node = TomlNode {
        span: first.at,
        shape: TomlShape::Text(first.key.clone()),
    };
    lifted.pairs.push(TomlPair {
        key: ACTION_FACE.to_owned(),
        at: first.at,
        node,
    });
    remove_actions(&mut lifted);
    Some(lifted)
}

fn faces(table: &TomlTable) -> Option<&TomlTable> {
    table.get("face")?.node.as_table()
}

/// Removes the fields of actions from all faces.
fn remove_actions(table: &mut TomlTable) {
    let faces = table.pairs.iter_mut().find(|pair| pair.key == "face");
    let Some(TomlShape::Table(faces)) = faces.map(|pair| &mut pair.node.shape) else {
        return;
    };
    for face in &mut faces.pairs {
        if let TomlShape::Table(own) = &mut face.node.shape {
            own.pairs
                .retain(|pair| !ACTION_FIELDS.contains(&pair.key.as_str()));
        }
    }
}

fn report_second(cx: &mut ReadContext, at: Span, first: Span) {
    Diagnostic::error(at, "conflicting-fields", "an entry with two actions")
        .label("only one of them can apply")
        .related(first, "the other one")
        .help("give the action to the entry or to one of its faces")
        .push(cx.report);
}

//! What a script depends on: the fields of its argument (such as `each`), or the counter that
//! changes.

use super::syntax::{BinaryOp, Function, Meaning, Node, NodeKind, StepKind, Variable};
use super::visible::HookVariable;
use crate::value::Text;

/// The fields that a script reads of its argument ([`HookArgument`](crate::content::HookArgument));
/// `None` if it uses the argument in any other way.
pub fn argument_fields(script: &Function, intern: &dyn Fn(&str) -> Text) -> Option<Vec<Text>> {
    let mut fields = Some(Vec::new());
    script.body.iter().for_each(|node| visit(node, &mut fields));
    let fields = fields?;
    Some(fields.iter().map(|name| intern(name)).collect())
}

fn visit<'n>(node: &'n Node, fields: &mut Option<Vec<&'n Text>>) {
    let mut skip_root = false;
    match &node.kind {
        NodeKind::Chain(chain) => {
            if let NodeKind::Variable(variable) = &chain.root.kind
                && is_argument(variable)
                && let Some(StepKind::Property(name)) = chain.steps.first().map(|step| &step.kind)
            {
                if let Some(fields) = fields
                    && !fields.contains(&name)
                {
                    fields.push(name);
                }
                skip_root = true;
            }
        }
        NodeKind::Variable(variable) if is_argument(variable) => *fields = None,
        _ => {}
    }
    node.each_child(&mut |child| {
        // The root is the first child of a chain.
        if !std::mem::take(&mut skip_root) {
            visit(child, fields);
        }
    });
}

/// Whether a variable may be the argument. In most hooks, `entry` is not; it counts nevertheless,
/// which can only add a field or prevent sharing.
fn is_argument(variable: &Variable) -> bool {
    matches!(
        variable.meaning,
        Meaning::Hook(
            HookVariable::Each | HookVariable::Value | HookVariable::Typed | HookVariable::Entry
        )
    )
}

/// The only counter that a script about counters acts on, if the whole script is
/// `if event.counter == "gold" && … { … }`.
pub fn counter_guard(script: &Function) -> Option<&Text> {
    let [node] = &script.body[..] else {
        return None;
    };
    let NodeKind::If(parts) = &node.kind else {
        return None;
    };
    let condition = match &parts.condition.kind {
        NodeKind::And(nodes) => nodes.first()?,
        _ => &parts.condition,
    };
    match &condition.kind {
        NodeKind::Binary(BinaryOp::Equal, pair)
            if parts.otherwise.is_empty() && is_event_counter(&pair.0) =>
        {
            pair.1.text()
        }
        _ => None,
    }
}

fn is_event_counter(node: &Node) -> bool {
    let NodeKind::Chain(chain) = &node.kind else {
        return false;
    };
    let root = matches!(&chain.root.kind, NodeKind::Variable(variable) if variable.meaning == Meaning::Hook(HookVariable::Event));
    let steps = matches!(&chain.steps[..], [step] if matches!(&step.kind, StepKind::Property(name) if name == "counter"));
    root && steps
}

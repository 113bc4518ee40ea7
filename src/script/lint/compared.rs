//! Checks names that scripts compare with: `event.counter == "coins"`.

use super::{ScriptText, name_help};
use crate::content::Content;
use crate::diagnostic::{Diagnostic, Report, find_misspelling};
use crate::script::syntax::{BinaryOp, CaseTest, Chain, Meaning, Node, NodeKind, Script, StepKind};
use crate::value::Value;

/// What a property of an event names: the property, the kind of entry, and whether its value is a
/// text. Other values, such as zones, equal the text with their id, but no `case` of a `switch`.
const NAMED: &[(&str, &str, bool)] = &[
    ("counter", "counter", true),
    ("effect", "effect", false),
    ("phase", "phase", false),
    ("action", "action", false),
    ("die", "die", false),
    ("from", "zone", false),
    ("to", "zone", false),
    ("zone", "zone", false),
];

struct ComparedNames<'a, 'r> {
    content: &'a Content,
    source: &'a ScriptText<'a>,
    report: &'r mut Report,
}

/// Checks the names that a script compares with.
pub fn check(content: &Content, tree: &Script, source: &ScriptText<'_>, report: &mut Report) {
    let mut lint = ComparedNames {
        content,
        source,
        report,
    };
    tree.walk(&mut |node| lint.node(node));
}

impl ComparedNames<'_, '_> {
    fn node(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, pair) => {
                for (text, other) in [(&pair.0, &pair.1), (&pair.1, &pair.0)] {
                    if let Some(name) = text.text() {
                        self.name(name, text.at, kind_of(other));
                    }
                }
            }
            NodeKind::Switch(switch) => {
                let kind = kind_of(&switch.on);
                let texts = switch.cases.iter().filter_map(|case| match &case.test {
                    CaseTest::Is(Value::Text(text)) => Some(text),
                    _ => None,
                });
                let texts: Vec<_> = texts.collect();
                match never_text(&switch.on) {
                    Some(property) if !texts.is_empty() => self.never_equal(property, &switch.on),
                    _ => texts.iter().for_each(|text| self.name(text, node.at, kind)),
                }
            }
            _ => {}
        }
    }

    /// Reports a name of a pack that does not define it, and a name that several packs define.
    fn name(&mut self, name: &str, at: u32, kind: Option<&str>) {
        let (content, pack) = (self.content, self.source.pack);
        let span = self.source.span(at, name.len() + 2);
        if let Some((of, id)) = name.split_once(':') {
            let known = content.packs.iter().any(|own| own.id == of);
            if !known || !content.candidates(name).is_empty() {
                return;
            }
            let own = content.entries.iter();
            let own = own.filter(|entry| content.packs[usize::from(entry.pack)].id == of);
            let near = find_misspelling(id, own.map(|entry| &*entry.id));
            Diagnostic::unknown(span, "unknown-entry", "entry", name)
                .label("compared here")
                .did_you_mean(near.map(|near| format!("{of}:{near}")).as_deref())
                .push(self.report);
            return;
        }
        let Some(kind) = kind else { return };
        let full = format!("{kind}/{name}");
        let candidates = content.candidates(&full);
        if candidates.len() < 2 || content.find_in(pack, &full).is_some() {
            return;
        }
        let names = candidates.iter().map(|full| {
            let pack = full.split(':').next().unwrap_or_default();
            format!("`\"{pack}:{name}\"`")
        });
        let names: Vec<String> = names.collect();
        let help = format!("write {}", names.join(" or "));
        name_help::ambiguous(name, help, span, self.report);
    }

    fn never_equal(&mut self, property: &str, on: &Node) {
        let span = self.source.span(on.at, property.len());
        let message = format!("`{property}` of an event is never equal to a text here");
        Diagnostic::error(span, "wrong-operand", message)
            .label("not a text")
            .help(format!(
                "`switch` compares exactly: write `if event.{property} == \"…\" {{ … }}` instead"
            ))
            .push(self.report);
    }
}

/// The property of `event` that a node reads.
fn event_property(node: &Node) -> Option<&str> {
    let NodeKind::Chain(chain) = &node.kind else {
        return None;
    };
    let Chain { root, steps } = &**chain;
    let NodeKind::Variable(variable) = &root.kind else {
        return None;
    };
    match &steps[..] {
        [step] if matches!(variable.meaning, Meaning::Hook(_)) && &*variable.name == "event" => {
            match &step.kind {
                StepKind::Property(name) => Some(name),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The kind of entry that a node names, if it is a property of an event.
fn kind_of(node: &Node) -> Option<&'static str> {
    let property = event_property(node)?;
    let found = NAMED.iter().find(|(name, ..)| *name == property);
    found.map(|(_, kind, _)| *kind)
}

/// The property of an event that a node reads, if its value is never a text.
fn never_text(node: &Node) -> Option<&'static str> {
    let property = event_property(node)?;
    let found = NAMED.iter().find(|(name, ..)| *name == property);
    found
        .filter(|(_, _, is_text)| !is_text)
        .map(|(name, ..)| *name)
}

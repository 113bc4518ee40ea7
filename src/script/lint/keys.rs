//! The names that may follow a dot: what packs and the engine declare, and the keys of maps.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::content::Content;
use crate::script::primitives::{entry, event, fight, object, packet};
use crate::script::syntax::{Assign, Meaning, Node, NodeKind, Script, StepKind};
use crate::script::visible::HookVariable;
use crate::value::Value;

/// Keys of the maps that engine functions return, and of an error that a script catches.
const RESULT_KEYS: &[&str] = &[
    "seat", "choice", "taken", "excess", "pieces", "points", "denied", "amount", "tag", "message",
    "line", "position",
];

/// Every name that may follow a dot: names that packs and the engine declare, and keys of maps.
pub fn properties(content: &Content, scripts: &[Rc<Script>]) -> BTreeSet<String> {
    let mut all = declared(content);
    let new = new_names(&all, scripts);
    all.extend(new);
    all
}

/// The names that packs and the engine declare.
fn declared(content: &Content) -> BTreeSet<String> {
    let built_in = [
        object::BUILT_IN,
        entry::BUILT_IN,
        event::NAMES,
        fight::NAMES,
        packet::NAMES,
        RESULT_KEYS,
    ];
    let mut all: BTreeSet<String> = built_in.concat().into_iter().map(str::to_owned).collect();
    let mut add = |name: &str| {
        if !all.contains(name) {
            all.insert(name.to_owned());
        }
    };
    for kind in &content.kinds {
        kind.fields.iter().for_each(|name| add(name));
        kind.nested.iter().for_each(|name| add(name));
    }
    for entry in &content.entries {
        let faces = entry.faces.iter().flat_map(|face| &face.fields);
        for (name, value) in entry.fields.iter().chain(faces) {
            add(name);
            nested(value, &mut add);
        }
    }
    let counters = content.counters.iter().map(|def| def.entry);
    for entry in counters.chain(content.zones.iter().map(|def| def.entry)) {
        add(&content.entry(entry).id.replace('-', "_"));
    }
    for def in content.events.iter().chain(&content.queries) {
        def.provides.iter().for_each(|name| add(name));
    }
    all
}

/// Calls `visit` with the keys of the tables in a field.
fn nested(value: &Value, see: &mut impl FnMut(&str)) {
    match value {
        Value::Table(rows) => rows.iter().for_each(|(name, value)| {
            see(name);
            nested(value, see);
        }),
        Value::Rows(list) => list.iter().for_each(|value| nested(value, see)),
        _ => {}
    }
}

/// The keys of maps in scripts that are not known yet.
pub fn new_names(known: &BTreeSet<String>, scripts: &[Rc<Script>]) -> BTreeSet<String> {
    let mut new = BTreeSet::new();
    let mut see = |key: &str| {
        if !known.contains(key) && !new.contains(key) {
            new.insert(key.to_owned());
        }
    };
    for script in scripts {
        each_key(script, &mut see);
        script.walk(&mut |node| {
            if let NodeKind::Assign(assign) = &node.kind
                && let Some(key) = assigned_key(assign)
            {
                see(key);
            }
        });
    }
    new
}

/// Calls `visit` with the keys of the map literals of a script.
pub fn each_key<'s>(script: &'s Script, see: &mut impl FnMut(&'s str)) {
    script.walk(&mut |node: &'s Node| {
        if let NodeKind::Map(rows) = &node.kind {
            rows.iter().for_each(|row| see(&row.key));
        }
    });
}

/// The key of a map that an assignment may set.
fn assigned_key(assign: &Assign) -> Option<&str> {
    let NodeKind::Chain(chain) = &assign.target.kind else {
        return None;
    };
    let [.., last] = &chain.steps[..] else {
        return None;
    };
    match &last.kind {
        StepKind::Property(name) if assign.op.is_none() => {
            // A property of a seat or a piece is not a key. A `value` may be a map.
            let of_thing = chain.steps.len() == 1
                && matches!(&chain.root.kind, NodeKind::Variable(variable)
                    if matches!(variable.meaning, Meaning::Hook(name) if name != HookVariable::Value));
            (!of_thing).then_some(name)
        }
        StepKind::Index(index) => index.text().map(|key| &**key),
        _ => None,
    }
}

//! The names of the content that lints know.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::types::Types;
use super::vocabulary::Vocabulary;
use crate::content::Content;
use crate::script::syntax::{Node, NodeKind, Script};
use crate::value::Value;

/// Data about the names of the content, collected once.
#[derive(Default)]
pub struct Facts {
    /// The types of entry fields.
    pub fields: BTreeMap<String, Types>,
    /// The names that events of packs provide.
    pub given: Vec<String>,
    /// The keys of maps in scripts and of tables in entries.
    pub keys: BTreeSet<String>,
    /// What scripts emit events of packs with, by the id of the event.
    pub emitted: BTreeMap<String, EmittedKeys>,
    /// What scripts of effects read with `param`.
    pub params: EmittedKeys,
    /// The words that scripts may compare with.
    pub words: Vocabulary,
}

/// The keys that calls of a function name.
#[derive(Default)]
pub struct EmittedKeys {
    pub keys: BTreeSet<String>,
    /// Whether a call names them otherwise than literally.
    pub is_open: bool,
}

impl EmittedKeys {
    fn add(&mut self, values: Option<&Node>) {
        match values.map(|node| &node.kind) {
            None => {}
            Some(NodeKind::Map(rows)) => {
                self.keys.extend(rows.iter().map(|row| row.key.to_string()));
            }
            Some(_) => self.is_open = true,
        }
    }
}

impl Facts {
    pub fn of(content: &Content, scripts: &[Rc<Script>]) -> Facts {
        let mut keys = BTreeSet::new();
        for script in scripts {
            super::keys::each_key(script, &mut |key| {
                if !keys.contains(key) {
                    keys.insert(key.to_owned());
                }
            });
        }
        let mut emitted: BTreeMap<String, EmittedKeys> = BTreeMap::new();
        let mut params = EmittedKeys::default();
        for script in scripts {
            script.walk(&mut |node| {
                node.each_call(&mut |site| {
                    if let ("emit", [name, values @ ..]) =
                        (&*site.call.name, &site.call.arguments[..])
                        && let Some(name) = name.text()
                    {
                        let id = name.rsplit([':', '/']).next().unwrap_or(name);
                        emitted
                            .entry(id.to_owned())
                            .or_default()
                            .add(values.first());
                    }
                    if let ("param", [name, ..]) = (&*site.call.name, &site.call.arguments[..]) {
                        match name.text() {
                            Some(name) => drop(params.keys.insert(name.to_string())),
                            None => params.is_open = true,
                        }
                    }
                });
            });
        }
        let mut facts = Facts {
            emitted,
            params,
            keys,
            words: Vocabulary::of(content, scripts),
            ..Facts::default()
        };
        facts.keys.extend(
            content
                .kinds
                .iter()
                .flat_map(|kind| &kind.nested)
                .map(ToString::to_string),
        );
        for entry in &content.entries {
            let faces = entry.faces.iter().flat_map(|face| &face.fields);
            for (name, value) in entry.fields.iter().chain(faces) {
                facts.note(name, of_value(content, value));
            }
        }
        // An entry may omit the field.
        for name in content.kinds.iter().flat_map(|kind| &kind.fields) {
            facts.note(name, Types::NOTHING);
        }
        let defs = content
            .events
            .iter()
            .skip(crate::content::events::on::EVENTS.len());
        let defs = defs.chain(
            content
                .queries
                .iter()
                .skip(crate::content::events::ask::QUERIES.len()),
        );
        facts.given = defs
            .flat_map(|def| &def.provides)
            .map(ToString::to_string)
            .collect();
        facts
    }

    fn note(&mut self, name: &str, types: Types) {
        match self.fields.get_mut(name) {
            Some(known) => *known = *known | types,
            None => drop(self.fields.insert(name.to_owned(), types)),
        }
    }
}

fn of_value(content: &Content, value: &Value) -> Types {
    match value {
        Value::Int(_) => Types::NUMBER,
        Value::Bool(_) => Types::BOOL,
        Value::Text(_) => Types::TEXT,
        Value::Entry(id) if content.entry(*id).place.is_some() => Types::PLACE,
        Value::Entry(_) => Types::ENTRY,
        Value::Rows(_) | Value::Table(_) => Types::DATA,
        Value::Script(_) => Types::SCRIPT,
        _ => Types::NOTHING,
    }
}

//! The names of the content that lints know.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::types::Types;
use super::vocabulary::Vocabulary;
use crate::content::Content;
use crate::script::syntax::Script;
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
    /// The words that scripts may compare with.
    pub words: Vocabulary,
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
        let mut facts = Facts {
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

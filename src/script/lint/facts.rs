//! The names of the content that lints know.

use std::collections::{BTreeMap, BTreeSet};

use super::types::Types;
use super::vocabulary::Vocabulary;
use crate::content::{self, Content};

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
    pub fn of(content: &Content, scripts: &[&str]) -> Facts {
        let keys = super::names::keys(scripts.iter().copied())
            .map(str::to_owned)
            .collect();
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
            .skip(content::events::on::EVENTS.len());
        let defs = defs.chain(
            content
                .queries
                .iter()
                .skip(content::events::ask::QUERIES.len()),
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

fn of_value(content: &Content, value: &content::Value) -> Types {
    match value {
        content::Value::Int(_) => Types::NUMBER,
        content::Value::Bool(_) => Types::YES_NO,
        content::Value::Text(_) => Types::TEXT,
        content::Value::Entry(id) if content.entry(*id).place.is_some() => Types::PLACE,
        content::Value::Entry(_) => Types::ENTRY,
        content::Value::List(_) | content::Value::Table(_) => Types::DATA,
        content::Value::Script(_) => Types::SCRIPT,
        content::Value::Unit => Types::NOTHING,
    }
}

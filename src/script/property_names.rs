//! Registers a getter for each name that a pack declares, so that games need no lookup by string.
//!
//! Rhai could use an indexer instead, but it would first look for a getter and format an error,
//! which costs more than the rest of a hook.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{Dynamic, Module};

use super::api::{
    EVENT_NAMES, FIGHT_NAMES, Named, PACKET_NAMES, THING_NAMES, entry_field, read_event,
    read_fight, read_packet, set_thing_property, thing_property, write_event, write_packet,
};
use super::convert::from_value;
use super::host::{HostResult, with};
use super::types::{EntityRef, EntryRef, EventRef, FightRef, PacketRef, TableRef};
use crate::content::{Content, Value};

/// The property names of the content, by type of owner.
pub struct PropertyNames {
    /// Fields of entries.
    fields: BTreeSet<Arc<str>>,
    /// Properties of seats, pieces, places and the table: fields, counters, zones and built-in
    /// ones.
    things: BTreeSet<Arc<str>>,
    /// Keys of tables in fields.
    keys: BTreeSet<Arc<str>>,
    /// Values that events provide.
    events: BTreeSet<Arc<str>>,
}

impl PropertyNames {
    /// Collects the names of the content.
    pub fn of(content: &Content) -> PropertyNames {
        let fields = field_names(content);
        let mut things = fields.clone();
        things.extend(THING_NAMES.iter().map(|name| Arc::from(*name)));
        for def in content
            .counters
            .iter()
            .map(|def| def.entry)
            .chain(content.zones.iter().map(|def| def.entry))
        {
            things.insert(content.entry(def).id.replace('-', "_").into());
        }
        PropertyNames {
            fields,
            things,
            keys: data_names(content),
            events: event_names(content),
        }
    }

    /// Every name that has a getter.
    pub fn all(&self) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = self
            .things
            .iter()
            .chain(&self.keys)
            .chain(&self.events)
            .map(ToString::to_string)
            .collect();
        names.extend(
            FIGHT_NAMES
                .iter()
                .chain(PACKET_NAMES)
                .chain(ENTRY_NAMES)
                .map(ToString::to_string),
        );
        names
    }
}

/// Built-in properties of every entry.
pub const ENTRY_NAMES: &[&str] = &["id", "title", "kind", "copies"];

/// A module with a getter for every name, and a setter for every writable one.
pub fn properties(content: &Content, names: &PropertyNames) -> Module {
    let mut module = Module::new();
    things(&mut module, content, names);
    entries(&mut module, names);
    data(&mut module, names);
    others(&mut module, names);
    module.build_index();
    module
}

/// Whether a script can write the name after a dot.
fn can_follow_dot(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn field_names(content: &Content) -> BTreeSet<Arc<str>> {
    let mut names: BTreeSet<Arc<str>> = content
        .kinds
        .iter()
        .flat_map(|kind| kind.fields.iter().cloned())
        .collect();
    let own = content.entries.iter().flat_map(|entry| &entry.fields);
    let faces = content
        .entries
        .iter()
        .flat_map(|entry| &entry.faces)
        .flat_map(|face| &face.fields);
    for (name, _) in own.chain(faces) {
        if !names.contains(&**name) {
            names.insert(name.clone());
        }
    }
    names
}

fn things(module: &mut Module, content: &Content, names: &PropertyNames) {
    for name in names.things.iter().filter(|name| can_follow_dot(name)) {
        let named = Named::new(content, name);
        let setter = named.clone();
        module.set_getter_fn(
            name.as_ref(),
            move |thing: &mut EntityRef| -> HostResult<Dynamic> {
                let of = thing.0;
                with(|cx| thing_property(cx, of, &named))
            },
        );
        module.set_setter_fn(
            name.as_ref(),
            move |thing: &mut EntityRef, value: Dynamic| -> HostResult<()> {
                let of = thing.0;
                with(|cx| set_thing_property(cx, of, &setter, &value))
            },
        );
    }
}

fn entries(module: &mut Module, names: &PropertyNames) {
    let own = ENTRY_NAMES
        .iter()
        .map(|name| Arc::from(*name))
        .filter(|name| !names.fields.contains(name));
    for name in names
        .fields
        .iter()
        .cloned()
        .chain(own)
        .filter(|name| can_follow_dot(name))
    {
        module.set_getter_fn(
            name.clone().as_ref(),
            move |entry: &mut EntryRef| -> HostResult<Dynamic> {
                let id = entry.0;
                with(|cx| entry_field(cx, id, &name))
            },
        );
    }
}

/// The keys of every table in every field.
fn data_names(content: &Content) -> BTreeSet<Arc<str>> {
    let mut names: BTreeSet<Arc<str>> = content
        .kinds
        .iter()
        .flat_map(|kind| kind.nested.iter().cloned())
        .collect();
    for entry in &content.entries {
        entry
            .fields
            .iter()
            .for_each(|(_, value)| keys(value, &mut names));
        entry
            .faces
            .iter()
            .flat_map(|face| &face.fields)
            .for_each(|(_, value)| keys(value, &mut names));
    }
    names
}

fn data(module: &mut Module, names: &PropertyNames) {
    for name in names.keys.iter().filter(|name| can_follow_dot(name)) {
        let name = name.clone();
        module.set_getter_fn(
            name.clone().as_ref(),
            move |data: &mut TableRef| -> HostResult<Dynamic> {
                Ok(data.0.get(&name).map_or(Dynamic::UNIT, from_value))
            },
        );
    }
}

fn keys(value: &Value, names: &mut BTreeSet<Arc<str>>) {
    match value {
        Value::Table(rows) => rows.iter().for_each(|(name, value)| {
            if !names.contains(&**name) {
                names.insert(name.clone());
            }
            keys(value, names);
        }),
        Value::List(list) => list.iter().for_each(|value| keys(value, names)),
        _ => {}
    }
}

fn event_names(content: &Content) -> BTreeSet<Arc<str>> {
    let mut names: BTreeSet<Arc<str>> = EVENT_NAMES.iter().map(|name| Arc::from(*name)).collect();
    names.extend(
        content
            .events
            .iter()
            .chain(&content.queries)
            .flat_map(|def| def.provides.iter().cloned()),
    );
    names
}

fn others(module: &mut Module, names: &PropertyNames) {
    for name in names.events.iter().filter(|name| can_follow_dot(name)) {
        let (name, setter) = (name.clone(), name.clone());
        module.set_getter_fn(name.clone().as_ref(), move |_: &mut EventRef| {
            with(|cx| read_event(cx, &name))
        });
        module.set_setter_fn(
            setter.clone().as_ref(),
            move |_: &mut EventRef, value: Dynamic| with(|cx| write_event(cx, &setter, &value)),
        );
    }
    for name in FIGHT_NAMES {
        module.set_getter_fn(*name, move |_: &mut FightRef| {
            with(|cx| read_fight(cx, name))
        });
        // `fight.foe.guard -= 1` writes `foe` back, unchanged.
        module.set_setter_fn(
            *name,
            move |_: &mut FightRef, _: EntityRef| -> HostResult<()> { Ok(()) },
        );
    }
    for name in PACKET_NAMES {
        module.set_getter_fn(*name, move |_: &mut PacketRef| {
            with(|cx| read_packet(cx, name))
        });
        module.set_setter_fn(*name, move |_: &mut PacketRef, value: i64| {
            with(|cx| write_packet(cx, name, value))
        });
    }
}

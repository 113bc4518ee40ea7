//! The names a pack declares, as properties: a getter for each, so that nothing is looked up by its text while a game runs.
//!
//! Rhai could find them through an indexer, but only after it failed to find a getter and wrote an error about that, which
//! costs more than the rest of a hook.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{Dynamic, Module};

use super::api::{
    EVENT_NAMES, FIGHT_NAMES, Named, PACKET_NAMES, THING_NAMES, entry_field, read_event, read_fight, read_packet,
    set_thing_property, thing_property, write_event, write_packet,
};
use super::convert::from_value;
use super::host::{Host, with};
use super::types::{Data, EntryRef, EventRef, FightRef, PacketRef, Thing};
use crate::content::{Content, Value};

/// A module with a getter for every name of the content, and a setter for what can be set.
pub fn properties(content: &Content) -> Module {
    let mut module = Module::new();
    things(&mut module, content);
    entries(&mut module, content);
    data(&mut module, content);
    others(&mut module, content);
    module.build_index();
    module
}

/// Every name that has a getter.
pub fn names(content: &Content) -> BTreeSet<String> {
    let mut names: BTreeSet<Arc<str>> = thing_names(content);
    names.extend(data_names(content));
    names.extend(event_names(content));
    names.extend(FIGHT_NAMES.iter().chain(PACKET_NAMES).map(|name| Arc::from(*name)));
    names.extend(["id", "title", "kind", "copies"].map(Arc::from));
    names.iter().map(ToString::to_string).collect()
}

/// A name as scripts may write it after a dot.
fn can_follow_dot(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn field_names(content: &Content) -> BTreeSet<Arc<str>> {
    let mut names = BTreeSet::new();
    names.extend(content.kinds.iter().flat_map(|kind| kind.fields.iter().cloned()));
    for entry in &content.entries {
        names.extend(entry.fields.iter().map(|(name, _)| name.clone()));
        names.extend(entry.faces.iter().flat_map(|face| face.fields.iter().map(|(name, _)| name.clone())));
    }
    names
}

fn thing_names(content: &Content) -> BTreeSet<Arc<str>> {
    let mut names: BTreeSet<Arc<str>> = field_names(content);
    names.extend(THING_NAMES.iter().map(|name| Arc::from(*name)));
    for def in content.counters.iter().map(|def| def.entry).chain(content.zones.iter().map(|def| def.entry)) {
        names.insert(content.entry(def).id.replace('-', "_").into());
    }
    names
}

fn things(module: &mut Module, content: &Content) {
    for name in thing_names(content).into_iter().filter(|name| can_follow_dot(name)) {
        let named = Named::new(content, &name);
        let setter = named.clone();
        module.set_getter_fn(name.as_ref(), move |thing: &mut Thing| -> Host<Dynamic> {
            let of = thing.0;
            with(|cx| thing_property(cx, of, &named))
        });
        module.set_setter_fn(name.as_ref(), move |thing: &mut Thing, value: Dynamic| -> Host<()> {
            let of = thing.0;
            with(|cx| set_thing_property(cx, of, &setter, &value))
        });
    }
}

fn entries(module: &mut Module, content: &Content) {
    let mut names = field_names(content);
    names.extend(["id", "title", "kind", "copies"].map(Arc::from));
    for name in names.into_iter().filter(|name| can_follow_dot(name)) {
        module.set_getter_fn(name.clone().as_ref(), move |entry: &mut EntryRef| -> Host<Dynamic> {
            let id = entry.0;
            with(|cx| entry_field(cx, id, &name))
        });
    }
}

/// The keys of every table in every field.
fn data_names(content: &Content) -> BTreeSet<Arc<str>> {
    let mut names: BTreeSet<Arc<str>> = content.kinds.iter().flat_map(|kind| kind.nested.iter().cloned()).collect();
    for entry in &content.entries {
        entry.fields.iter().for_each(|(_, value)| keys(value, &mut names));
        entry.faces.iter().flat_map(|face| &face.fields).for_each(|(_, value)| keys(value, &mut names));
    }
    names
}

fn data(module: &mut Module, content: &Content) {
    for name in data_names(content).into_iter().filter(|name| can_follow_dot(name) && &**name != "len") {
        module.set_getter_fn(name.clone().as_ref(), move |data: &mut Data| -> Host<Dynamic> {
            Ok(data.0.get(&name).map_or(Dynamic::UNIT, from_value))
        });
    }
}

fn keys(value: &Value, names: &mut BTreeSet<Arc<str>>) {
    match value {
        Value::Table(rows) => rows.iter().for_each(|(name, value)| {
            names.insert(name.clone());
            keys(value, names);
        }),
        Value::List(list) => list.iter().for_each(|value| keys(value, names)),
        _ => {}
    }
}

fn event_names(content: &Content) -> BTreeSet<Arc<str>> {
    let mut names: BTreeSet<Arc<str>> = EVENT_NAMES.iter().map(|name| Arc::from(*name)).collect();
    names.extend(content.events.iter().chain(&content.queries).flat_map(|def| def.provides.iter().cloned()));
    names
}

fn others(module: &mut Module, content: &Content) {
    for name in event_names(content).into_iter().filter(|name| can_follow_dot(name)) {
        let setter = name.clone();
        module.set_getter_fn(name.clone().as_ref(), move |_: &mut EventRef| with(|cx| read_event(cx, &name)));
        module.set_setter_fn(setter.clone().as_ref(), move |_: &mut EventRef, value: Dynamic| {
            with(|cx| write_event(cx, &setter, &value))
        });
    }
    for name in FIGHT_NAMES {
        module.set_getter_fn(*name, move |_: &mut FightRef| with(|cx| read_fight(cx, name)));
        // `fight.foe.guard -= 1` writes `foe` back, unchanged.
        module.set_setter_fn(*name, move |_: &mut FightRef, _: Thing| -> Host<()> { Ok(()) });
    }
    for name in PACKET_NAMES {
        module.set_getter_fn(*name, move |_: &mut PacketRef| with(|cx| read_packet(cx, name)));
        module.set_setter_fn(*name, move |_: &mut PacketRef, value: i64| with(|cx| write_packet(cx, name, value)));
    }
}

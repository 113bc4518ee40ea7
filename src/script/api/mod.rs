//! Script functions, one file for each topic. The doc comment of a function is its reference page.

pub(super) mod ask;
pub(super) mod combo;
mod dice;
pub(super) mod effect;
pub(super) mod entry;
pub(super) mod event;
pub(super) mod fight;
pub(super) mod flow;
pub(super) mod list;
pub(super) mod map;
mod packet;
pub(super) mod piece;
pub(super) mod query;
pub(super) mod seat;
pub(super) mod talk;
pub(super) mod thing;
pub(super) mod zone;

use rhai::plugin::exported_module;
use rhai::{Module, Shared};

use super::types;

pub(super) use entry::entry_field;
pub(super) use event::{NAMES as EVENT_NAMES, read as read_event, write as write_event};
pub(super) use fight::{NAMES as FIGHT_NAMES, property as read_fight};
pub(super) use packet::{NAMES as PACKET_NAMES, read as read_packet, write as write_packet};
pub(super) use thing::{
    BUILT_IN as THING_NAMES, Named, property as thing_property, set_property as set_thing_property,
};

pub(super) use seat::words::thing_text;
pub(super) use zone::words::pieces as zone_pieces;

/// Every topic with the module of its functions. To add a topic, add a line here.
pub fn topics() -> Vec<(&'static str, Module)> {
    vec![
        ("things", exported_module!(thing::words)),
        ("entries", exported_module!(entry::words)),
        ("seats", exported_module!(seat::words)),
        ("pieces", exported_module!(piece::words)),
        ("zones", exported_module!(zone::words)),
        ("map", exported_module!(map::words)),
        ("questions", exported_module!(ask::words)),
        ("queries", exported_module!(query::words)),
        ("events", exported_module!(event::words)),
        ("effects", exported_module!(effect::words)),
        ("losses", exported_module!(packet::words)),
        ("fights", exported_module!(fight::words)),
        ("combos", exported_module!(combo::words)),
        ("dice", exported_module!(dice::words)),
        ("sequences", exported_module!(flow::words)),
        ("lists", exported_module!(list::words)),
        ("texts", exported_module!(talk::words)),
    ]
}

/// Variables that every script sees, including functions.
pub const GLOBALS: &[&str] = &["event", "fight", "combo", "packet", "table"];

/// All topics in one module that engines share.
pub fn library() -> Shared<Module> {
    let mut library = Module::new();
    for (_, topic) in topics() {
        library.combine_flatten(topic);
    }
    library.set_custom_type::<types::EntityRef>("Thing");
    library.set_custom_type::<types::ZoneRef>("Zone");
    library.set_custom_type::<types::EntryRef>("Entry");
    library.set_custom_type::<types::PhaseRef>("Phase");
    library.set_custom_type::<types::TableRef>("Data");
    library.set_custom_type::<types::ScriptRef>("Script");
    library.set_custom_type::<types::EventRef>("Event");
    library.set_custom_type::<types::FightRef>("Fight");
    library.set_custom_type::<types::ComboRef>("Combo");
    library.set_custom_type::<types::PacketRef>("Packet");
    library.set_custom_type::<types::RollRef>("Roll");
    library.set_custom_type::<types::EffectRef>("Effect");
    library.set_var("event", types::EventRef);
    library.set_var("fight", types::FightRef);
    library.set_var("combo", types::ComboRef);
    library.set_var("packet", types::PacketRef);
    library.set_var("table", types::EntityRef(crate::game::Entity::Table));
    zone::iterators(&mut library);
    library.build_index();
    library.into()
}

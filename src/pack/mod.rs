//! Packs: reading them, checking them one by one, and laying them over one another for a game.
//!
//! This room knows files, kinds, entries and layers. It knows nothing of the rules of any game and runs no script.

mod apply;
mod asker;
mod body;
mod builtin;
mod convert;
mod declare;
mod define;
mod draft;
mod entry;
mod faults;
mod find;
mod force;
mod grid;
mod heads;
mod id;
mod inherit;
mod kind;
mod layer;
mod links;
mod load;
mod manifest;
mod mend;
mod names;
mod node;
mod patch;
mod path;
mod read;
mod read_entries;
mod read_kinds;
mod read_patches;
mod refs;
mod reread;
mod resolve;
mod roomy;
mod scope;
mod set;
mod template;
#[cfg(test)]
mod tests;
mod user;
mod value;

pub(crate) use body::body;
pub use builtin::common;
pub use convert::FACE_FIELDS;
pub use declare::TYPES;
pub use entry::{Entry, NumberAt, TextAt};
pub(crate) use faults::Cx;
pub use find::{Origin, Source, embedded, find, named_packs, user_packs};
pub use force::Choice;
pub use id::{is_pack_id, near_pack_id};
pub use kind::{FieldSpec, Is, Kind, Need, Rules, Type};
pub use layer::{Layered, layer, layer_alike, relayer};
pub use load::{load, load_again};
pub use manifest::{Dependency, ENGINE, Manifest};
pub use mend::is_toml;
pub use names::Loc;
pub(crate) use node::{Node, Shape, Table, parse_roomy};
pub use patch::{Change, FIXED, Op, Patch};
pub use reread::{Changed, Reread, reread, undo};
pub use set::{Pack, PackSet, Shadowed, TestFile, visible};
pub use template::{Promise, Template, TemplateFault, loose_numbers};
pub use user::user_data;
pub use value::{EntryIx, Field, Name, Script, Value};

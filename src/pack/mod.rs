//! Packs: reads and checks each pack, then merges the packs of a game.
//!
//! This module knows files, kinds, entries and layers. It knows nothing about the rules of any game
//! and runs no scripts.

mod apply;
mod body;
mod builtin;
mod convert;
mod declare;
mod define;
mod entry;
mod find;
mod grid;
mod id;
mod inherit;
mod insert_field;
mod kind;
mod large_stack;
mod layer;
mod load;
mod manifest;
mod manifests;
mod names;
mod parsed;
mod patch;
mod path;
mod read;
mod read_context;
mod read_entries;
mod read_kinds;
mod read_patches;
mod references;
mod reload;
mod resolve;
mod reuse;
mod scope;
mod selection;
mod set;
mod table_reader;
mod template;
#[cfg(test)]
mod tests;
mod toml_tree;
mod user;
mod value;
mod visibility;

pub(crate) use body::body;
pub use builtin::common;
pub use convert::FACE_FIELDS;
pub use declare::TYPES;
pub use entry::{Entry, NumberReference, TextWithNumbers};
pub use find::{Origin, PackSource, embedded, find, named_packs, user_packs};
pub use id::{is_pack_id, near_pack_id};
pub use insert_field::is_toml;
pub use kind::{EntryNature, FieldRules, FieldSpec, Kind, Requirement, Type};
pub(crate) use layer::EntryIndices;
pub use layer::{Layered, layer};
pub use load::{load, reload};
pub use manifest::{Dependency, ENGINE, Manifest};
pub use names::EntryLocation;
pub use patch::{FIXED, Patch, PatchChange, PatchOp};
pub(crate) use read_context::ReadContext;
pub use reload::{ReloadKind, reload_file};
pub use reuse::Reuse;
pub use selection::GameChoice;
pub use set::{Pack, PackSet, Shadowed, TestFile, visible};
pub use template::{Promise, Template, TemplateFault, loose_numbers};
pub(crate) use toml_tree::{TomlNode, TomlShape, TomlTable, parse_on_large_stack};
pub use user::user_data;
pub use value::{EntryField, EntryIx, FieldValue, Reference, ScriptSource};

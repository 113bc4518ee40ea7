//! Entries: the data of packs, whether or not a copy is in play.

use crate::number::cast;
use rhai::plugin::*;
use rhai::{Array, Dynamic, ImmutableString};

use super::super::convert::from_value;
use super::super::host::{HostResult, with};
use super::super::types::{EntityRef, EntryRef, TableRef};
use super::thing::entry_of;
use crate::content::{Content, EntryId, Value};
use crate::diagnostic::nearest;
use crate::game::{Cx, Entity, StepResult};

/// The entry with a name, or a fault with the closest name.
pub(super) fn entry_id(cx: &Cx, name: &str) -> StepResult<EntryId> {
    cx.content().find(name).ok_or_else(|| {
        if cx.content().is_ambiguous(name) {
            return cx.fault(format!(
                "`{name}` is ambiguous: write `kind/{name}` or `pack:kind/{name}`"
            ));
        }
        let known = cx.content().entries.iter().map(|entry| &*entry.id);
        let hint = nearest(name, known)
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        cx.fault(format!("unknown entry `{name}`{hint}"))
    })
}

/// A field's value for a script; a reference to a place is that place.
pub(super) fn shown(cx: &Cx, value: &Value) -> Dynamic {
    if let Value::Entry(id) = value
        && let Some(place) = cx.content().entry(*id).place
    {
        return Dynamic::from(EntityRef(Entity::Place(place)));
    }
    from_value(value)
}

pub(super) fn text(text: &str) -> Dynamic {
    Dynamic::from(ImmutableString::from(text))
}

/// Reads a field of an entry for a script.
pub(in crate::script) fn entry_field(cx: &Cx, id: EntryId, name: &str) -> StepResult<Dynamic> {
    let content: &Content = cx.content();
    let entry = content.entry(id);
    if let Some(value) = entry.field(name) {
        return Ok(shown(cx, value));
    }
    let kind = &content.kinds[entry.kind.ix()];
    match name {
        "id" => Ok(text(&entry.id)),
        "title" => Ok(text(&entry.title)),
        "kind" => Ok(text(&kind.id)),
        "copies" => Ok(Dynamic::from_int(i64::from(entry.copies))),
        _ if kind.fields.iter().any(|field| &**field == name) => Ok(Dynamic::UNIT),
        _ => {
            let hint = nearest(name, kind.fields.iter().map(|field| &**field));
            let hint = hint
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            Err(cx.fault(format!(
                "{} (a {}) has no field `{name}`{hint}",
                entry.id, kind.id
            )))
        }
    }
}

#[export_module]
pub mod words {
    /// Returns a field of an entry, or `()` if the entry does not set it.
    /// ```rhai
    /// entry("rose").price // is 2
    /// piece("rose").entry.title // is Rose
    /// ```
    #[rhai_fn(index_get, return_raw)]
    pub fn get_entry(entry: &mut EntryRef, name: ImmutableString) -> HostResult<Dynamic> {
        let id = entry.0;
        with(|cx| entry_field(cx, id, &name))
    }

    /// Returns the value of a key of a table in an entry, or `()`.
    /// ```rhai
    /// let levels = piece("pedlar").levels;
    /// levels[0].coins // is 1
    /// piece("pedlar").deal[2].cost // is ()
    /// ```
    #[rhai_fn(index_get)]
    pub fn get_data(data: &mut TableRef, name: ImmutableString) -> Dynamic {
        data.0.get(&name).map_or(Dynamic::UNIT, from_value)
    }

    /// Returns the value at a position of a list in an entry, counted from 0, or `()` past the end.
    /// ```rhai
    /// let levels = piece("pedlar").levels;
    /// levels[1].coins // is 3
    /// levels[5] // is ()
    /// ```
    #[rhai_fn(index_get)]
    pub fn get_data_at(data: &mut TableRef, position: i64) -> Dynamic {
        let at = usize::try_from(position).ok();
        at.and_then(|at| data.0.list().get(at))
            .map_or(Dynamic::UNIT, from_value)
    }

    /// Returns the number of values of a list in an entry.
    /// ```rhai
    /// let levels = piece("pedlar").levels;
    /// levels.len() // is 2
    /// levels.len() // is 2
    /// ```
    #[rhai_fn(name = "len")]
    pub fn data_len(data: TableRef) -> i64 {
        cast::<_, i64>(data.0.list().len())
    }

    /// Returns the entry with an id; write `kind/id` if several kinds have that id.
    /// ```rhai
    /// entry("lily").price // is 3
    /// entry("flower/lily").title // is Lily
    /// ```
    #[rhai_fn(name = "entry", return_raw)]
    pub fn find_entry(id: ImmutableString) -> HostResult<EntryRef> {
        with(|cx| entry_id(cx, &id).map(EntryRef))
    }

    /// Returns every entry of a kind, in the order of the packs.
    /// ```rhai
    /// entries("pest") // is [Goose, Snail]
    /// for flower in entries("flower") { if flower.price > 1 { create(flower, actor.bed); } }
    /// actor.bed.pieces() // is [Rose, Lily]
    /// ```
    #[rhai_fn(return_raw)]
    pub fn entries(kind: ImmutableString) -> HostResult<Array> {
        with(|cx| {
            let Some(id) = cx.content().kind(&kind) else {
                return Err(cx.fault(format!("unknown kind `{kind}`")));
            };
            let all = cx.content().entries.len() as u64;
            cx.spend(all)?;
            Ok(cx
                .content()
                .of_kind(id)
                .map(|entry| Dynamic::from(EntryRef(entry)))
                .collect())
        })
    }

    /// Returns the rows of a [[table]], counted from 0.
    /// ```rhai
    /// let sky = table("skies")[1];
    /// sky.sky // is rain
    /// sky.water // is 2
    /// ```
    #[rhai_fn(name = "table", return_raw)]
    pub fn rows(id: ImmutableString) -> HostResult<Dynamic> {
        with(|cx| {
            let entry = entry_id(cx, &format!("table/{id}"))?;
            Ok(cx
                .content()
                .entry(entry)
                .field("rows")
                .map_or(Dynamic::UNIT, from_value))
        })
    }

    /// Returns whether an option was chosen for this game.
    /// ```rhai
    /// option("drought") // is false
    /// ```
    #[rhai_fn(return_raw)]
    pub fn option(id: ImmutableString) -> HostResult<bool> {
        with(|cx| {
            Ok(cx
                .content()
                .options
                .iter()
                .any(|option| option == id.as_str()))
        })
    }

    /// Returns whether an entry has a tag.
    /// ```rhai
    /// entry("rose").has_tag("thorny") // is true
    /// ```
    #[rhai_fn(name = "has_tag", return_raw)]
    pub fn entry_has_tag(entry: EntryRef, tag: ImmutableString) -> HostResult<bool> {
        with(|cx| {
            Ok(cx
                .content()
                .entry(entry.0)
                .tags
                .iter()
                .any(|own| **own == *tag.as_str()))
        })
    }

    /// Returns whether two entries are the same.
    /// ```rhai
    /// piece("rose").entry == piece("rose#2").entry // is true
    /// ```
    #[rhai_fn(name = "==")]
    pub fn same_entry(one: EntryRef, other: EntryRef) -> bool {
        one == other
    }

    /// Returns whether two entries differ.
    /// ```rhai
    /// piece("rose").entry != entry("tulip") // is true
    /// ```
    #[rhai_fn(name = "!=")]
    pub fn other_entry(one: EntryRef, other: EntryRef) -> bool {
        one != other
    }

    /// Returns whether an entry has an id.
    /// ```toml
    /// [[rule]]
    /// id = "sore-back"
    /// on.after_action = 'if event.action == "plant" { event.seat.water -= 1; }'
    ///
    /// [[case]]
    /// name = "Planting makes thirsty"
    /// moves = ["plant:rose"]
    /// expect.state = { "1.water" = 1 }
    /// ```
    #[rhai_fn(name = "==", return_raw)]
    pub fn entry_is(one: EntryRef, id: ImmutableString) -> HostResult<bool> {
        with(|cx| Ok(*cx.content().entry(one.0).id == *id.as_str()))
    }

    /// Returns whether an entry has a different id.
    /// ```rhai
    /// piece("rose").entry != "tulip" // is true
    /// ```
    #[rhai_fn(name = "!=", return_raw)]
    pub fn entry_is_not(one: EntryRef, id: ImmutableString) -> HostResult<bool> {
        entry_is(one, id).map(|is| !is)
    }

    /// Returns whether a piece is a copy of an entry, such as one named by a field.
    /// ```rhai
    /// piece("rose") == piece("pedlar").likes // is true
    /// piece("tulip") == piece("pedlar").likes // is false
    /// ```
    #[rhai_fn(name = "==", return_raw)]
    pub fn thing_is_entry(one: EntityRef, other: EntryRef) -> HostResult<bool> {
        with(|cx| Ok(entry_of(cx, one.0) == Some(other.0)))
    }

    /// Returns whether an entry is that of a piece.
    /// ```rhai
    /// piece("pedlar").likes == actor.hand.top() // is true
    /// ```
    #[rhai_fn(name = "==", return_raw)]
    pub fn entry_is_thing(one: EntryRef, other: EntityRef) -> HostResult<bool> {
        thing_is_entry(other, one)
    }
}

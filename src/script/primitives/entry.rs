//! Entries: the data of packs, whether or not a copy is in play.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::primitive::*;

use super::object::entry_of;
use crate::content::{Content, EntryId};
use crate::diagnostic::nearest;
use crate::game::{Cx, Entity, StepResult};
use crate::value::Value;

/// The entry with this name, or a fault with the closest name.
pub(super) fn entry_id(cx: &Cx, name: &str) -> StepResult<EntryId> {
    cx.find(name).ok_or_else(|| {
        if cx.content().is_ambiguous(name) {
            let names = cx.content().candidates(name).join("` or `");
            return cx.fault(format!("`{name}` is ambiguous: write `{names}`"));
        }
        let known = cx.content().entries.iter().map(|entry| &*entry.id);
        let hint = nearest(name, known)
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        cx.fault(format!("unknown entry `{name}`{hint}"))
    })
}

/// The entry of a kind with this name, which may name its pack: `curse`, `storms:curse`.
pub(super) fn entry_of_kind(cx: &Cx, kind: &str, name: &str) -> StepResult<EntryId> {
    entry_id(cx, &name_with_kind(kind, name))
}

/// `storms:effect/curse` for `storms:curse`.
pub(in crate::script) fn name_with_kind(kind: &str, name: &str) -> String {
    match name.split_once(':') {
        _ if name.contains('/') => name.to_owned(),
        Some((pack, name)) => format!("{pack}:{kind}/{name}"),
        None => format!("{kind}/{name}"),
    }
}

/// A field's value for a script; a reference to a place is that place.
pub(super) fn shown(cx: &Cx, value: &Value) -> Value {
    if let Value::Entry(id) = value
        && let Some(place) = cx.content().entry(*id).place
    {
        return Value::Entity(Entity::Place(place));
    }
    Value::clone(value)
}

pub(super) fn text(text: &str) -> Value {
    Value::from_text(text)
}

/// Reads a field of an entry for a script.
pub(in crate::script) fn entry_field(cx: &Cx, id: EntryId, name: &str) -> StepResult<Value> {
    let content: &Content = cx.content();
    let entry = content.entry(id);
    if let Some(value) = entry.field(name) {
        return Ok(shown(cx, value));
    }
    let kind = &content.kinds[entry.kind.ix()];
    match name {
        "id" => Ok(Value::Text(cx.name_of(id))),
        "title" => Ok(text(&entry.title)),
        "kind" => Ok(text(&kind.id)),
        "copies" => Ok(Value::Int(i64::from(entry.copies))),
        _ if kind.fields.iter().any(|field| &**field == name) => Ok(Value::Unit),
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

/// The built-in properties of every entry.
pub(in crate::script) const BUILT_IN: &[&str] = &["id", "title", "kind", "copies"];

#[primitives("entries")]
pub mod functions {
    use super::*;

    /// Returns a field of an entry, or `()` if the entry does not set it.
    /// ```rhai
    /// entry("rose").price // is 2
    /// piece("rose").entry.title // is Rose
    /// ```
    #[name("[]")]
    pub fn get_entry(cx: &mut Cx, entry: EntryId, name: Text) -> StepResult<Value> {
        let id = entry;
        entry_field(cx, id, &name)
    }

    /// Returns the value of a key of a table in an entry, or `()`.
    /// ```rhai
    /// let levels = piece("pedlar").levels;
    /// levels[0].coins // is 1
    /// piece("pedlar").deal[2].cost // is ()
    /// ```
    #[name("[]")]
    pub fn get_data(data: Data, name: Text) -> Value {
        data.0.get(&name).cloned().unwrap_or_default()
    }

    /// Returns the value at a position of a list in an entry, counted from 0, or `()` past the end.
    /// ```rhai
    /// let levels = piece("pedlar").levels;
    /// levels[1].coins // is 3
    /// levels[5] // is ()
    /// ```
    #[name("[]")]
    pub fn get_data_at(data: Data, position: i64) -> Value {
        let at = usize::try_from(position).ok();
        at.and_then(|at| data.0.list().get(at))
            .cloned()
            .unwrap_or_default()
    }

    /// Returns the number of values of a list in an entry.
    /// ```rhai
    /// let levels = piece("pedlar").levels;
    /// levels.len() // is 2
    /// ```
    #[name("len")]
    pub fn data_len(data: Data) -> i64 {
        cast::<_, i64>(data.0.list().len())
    }

    /// Returns the entry with an id; write `kind/id` if several kinds have that id.
    /// ```rhai
    /// entry("lily").price // is 3
    /// entry("flower/lily").title // is Lily
    /// ```
    #[name("entry")]
    pub fn find_entry(cx: &mut Cx, #[names(Entry)] id: Text) -> StepResult<EntryId> {
        entry_id(cx, &id)
    }

    /// Returns every entry of a kind, in the order of the packs.
    /// ```rhai
    /// entries("pest") // is [Goose, Snail]
    /// for flower in entries("flower") { if flower.price > 1 { create(flower, actor.bed); } }
    /// actor.bed.pieces() // is [Rose, Lily]
    /// ```
    pub fn entries(cx: &mut Cx, #[names(Kind)] kind: Text) -> StepResult<List> {
        let Some(id) = cx.content().kind(&kind) else {
            return Err(cx.fault(format!("unknown kind `{kind}`")));
        };
        let all = cx.content().entries.len() as u64;
        cx.charge_work(all)?;
        let content = cx.content();
        let all = || content.of_kind(id).map(Value::Entry).collect();
        Ok(cx.rules.derived.entries(id, all))
    }

    /// Returns the rows of a [[table]], counted from 0.
    /// ```rhai
    /// let sky = table("skies")[1];
    /// sky.sky // is rain
    /// sky.water // is 2
    /// ```
    #[name("table")]
    pub fn rows(cx: &mut Cx, #[names(Table)] id: Text) -> StepResult<Value> {
        let entry = entry_of_kind(cx, "table", &id)?;
        Ok(cx
            .content()
            .entry(entry)
            .field("rows")
            .cloned()
            .unwrap_or_default())
    }

    /// Returns whether an option was chosen for this game; for an option with `values`, returns the value.
    /// ```rhai
    /// option("drought") // is false
    /// option("season") // is summer
    /// ```
    pub fn option(cx: &mut Cx, #[names(Option)] id: Text) -> StepResult<Value> {
        let (content, pack) = (cx.content(), cx.script_pack);
        if let Some(option) = content.option_in(pack, &id) {
            return Ok(Value::clone(&option.value));
        }
        if content.is_of_absent_pack(pack, &id) {
            return Ok(Value::Bool(false));
        }
        let known = content.options.iter().map(|option| option.id.as_str());
        let hint = nearest(&id, known).map(|near| format!("; did you mean `{near}`?"));
        Err(cx.fault(format!("unknown option `{id}`{}", hint.unwrap_or_default())))
    }

    /// Returns whether a pack is in this game. Name packs that may be missing in `optional` of `pack.toml`.
    /// ```rhai
    /// pack("words") // is true
    /// ```
    pub fn pack(cx: &mut Cx, #[names(Pack)] id: Text) -> StepResult<bool> {
        Ok(cx.content().packs.iter().any(|pack| pack.id == id.as_str()))
    }

    /// Returns whether an entry has a tag.
    /// ```rhai
    /// entry("rose").has_tag("thorny") // is true
    /// ```
    #[name("has_tag")]
    pub fn entry_has_tag(cx: &mut Cx, entry: EntryId, #[word] tag: Text) -> StepResult<bool> {
        Ok(cx
            .content()
            .entry(entry)
            .tags
            .iter()
            .any(|own| **own == *tag.as_str()))
    }

    /// Returns whether two entries are the same.
    /// ```rhai
    /// piece("rose").entry == piece("rose#2").entry // is true
    /// ```
    #[name("==")]
    pub fn entries_equal(left: EntryId, right: EntryId) -> bool {
        left == right
    }

    /// Returns whether two entries differ.
    /// ```rhai
    /// piece("rose").entry != entry("tulip") // is true
    /// ```
    #[name("!=")]
    pub fn entries_differ(left: EntryId, right: EntryId) -> bool {
        left != right
    }

    /// Returns whether an entry has the given id.
    /// ```toml
    /// [[rule]]
    /// id = "sore-back"
    /// on.after_action = 'if event.action == "plant" { event.seat.water -= 1; }'
    ///
    /// [[case]]
    /// name = "Planting makes you thirsty"
    /// moves = ["plant:rose"]
    /// expect.state = { "1.water" = 1 }
    /// ```
    #[name("==")]
    pub fn entry_is(cx: &mut Cx, entry: EntryId, id: Text) -> StepResult<bool> {
        Ok(cx.is_named(entry, &id))
    }

    /// Returns whether an entry has a different id.
    /// ```rhai
    /// piece("rose").entry != "tulip" // is true
    /// ```
    #[name("!=")]
    pub fn entry_is_not(cx: &mut Cx, entry: EntryId, id: Text) -> StepResult<bool> {
        entry_is(cx, entry, id).map(|is| !is)
    }

    /// Returns whether a piece is a copy of an entry, such as one named by a field.
    /// ```rhai
    /// piece("rose") == piece("pedlar").likes // is true
    /// piece("tulip") == piece("pedlar").likes // is false
    /// ```
    #[name("==")]
    pub fn object_is_entry(cx: &mut Cx, object: Entity, entry: EntryId) -> StepResult<bool> {
        Ok(entry_of(cx, object) == Some(entry))
    }

    /// Returns whether a piece is a copy of the entry.
    /// ```rhai
    /// piece("pedlar").likes == actor.hand.top() // is true
    /// ```
    #[name("==")]
    pub fn entry_is_object(cx: &mut Cx, entry: EntryId, object: Entity) -> StepResult<bool> {
        object_is_entry(cx, object, entry)
    }
}

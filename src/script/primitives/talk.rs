//! Texts: log lines of packs, and texts with their numbers filled in.

use kaer_macros::primitives;

use super::object::entry_of;
use super::seat::seat_id;
use crate::content::{Content, SeatSet};
use crate::diagnostic::sanitize;
use crate::game::log::LogEvent;
use crate::game::{Cx, Entity, StepResult, decision, names};
use crate::script::operators::{check_text, text_cost, value_cost};
use crate::script::primitive::*;
use crate::value::Value;

/// Charges the work of filling in the placeholders of a text: each may stand for all fields of an
/// entry.
fn charge_template(cx: &mut Cx, entry: Option<EntryId>, text: &str) -> StepResult {
    cx.charge_work(text_cost(text.len()))?;
    let placeholders = text.bytes().filter(|byte| *byte == b'{').count() as u64;
    if let Some(entry) = entry.filter(|_| placeholders > 0) {
        let fields = cx.content().entry(entry).fields.iter();
        let fields: u64 = fields.map(|(_, value)| value_cost(value)).sum();
        cx.charge_work(placeholders.saturating_mul(fields))?;
    }
    Ok(())
}

/// A text with its numbers filled in, if it is not too long.
fn rendered(cx: &mut Cx, text: String) -> StepResult<Text> {
    check_text(cx, text.len())?;
    cx.charge_work(text_cost(text.len()))?;
    Ok(text.into())
}

fn note(cx: &mut Cx, text: &str, seats: SeatSet) -> StepResult {
    if cx.read_only > 0 {
        return Err(cx.fault("this script is read-only, so it cannot write to the log"));
    }
    cx.charge_work(4 + text_cost(text.len()))?;
    if !cx.log.off {
        let (cause, text) = (cx.cause(), sanitize(text).as_ref().into());
        cx.log.push(LogEvent::Said { text, seats }, cause, &[]);
    }
    Ok(())
}

/// The `text` of a table, filled in from the table, then from the entry whose script runs.
pub(super) fn table_text(cx: &Cx, table: &Value) -> String {
    table_field(cx, table, "text")
}

/// A text of a table, filled in like [`table_text`].
pub(super) fn table_field(cx: &Cx, table: &Value, name: &str) -> String {
    let entry = cx.calls.last().map(|call| cx.content().entry(call.entry));
    let text = table.get(name).and_then(Value::text).unwrap_or("");
    let cost = table
        .get("cost")
        .and_then(|cost| super::seat::table_cost(cx, cost).ok());
    let id = cx.calls.last().map_or(EntryId(0), |call| call.entry);
    let cost = cost.map(|cost| crate::game::cost::text(cx.content(), id, &cost));
    let field = |name: &str| {
        table
            .get(name)
            .or_else(|| entry.and_then(|entry| entry.field(name)))
    };
    Content::fill(text, &|name| match (name, &cost) {
        ("cost", Some(cost)) => Some(cost.clone()),
        _ => field(name).map(|value| cx.content().display(value)),
    })
}

#[primitives("texts")]
pub mod functions {
    use super::*;

    /// Writes a line to the log.
    /// ```toml
    /// [[rule]]
    /// id = "cock-crow"
    /// on.turn_start = 'say(`${event.seat} gets up.`);'
    ///
    /// [[case]]
    /// name = "Everyone reads it"
    /// expect.log = ["Ann gets up."]
    /// ```
    #[does(SHOWS)]
    pub fn say(cx: &mut Cx, #[shown] text: Text) -> StepResult<()> {
        note(cx, &text, SeatSet::ALL)
    }

    /// Writes a line to the log that only one seat sees.
    /// ```toml
    /// [[action]]
    /// id = "listen"
    /// title = "Listen at the gate"
    /// window = "work"
    /// do = 'say_to(actor, "The pedlar will stay.");'
    ///
    /// [[case]]
    /// name = "Ben reads nothing of it"
    /// moves = ["listen"]
    /// expect.log = ["The pedlar will stay."]
    /// expect.unseen = { "2" = ["The pedlar will stay."] }
    /// ```
    #[does(SHOWS)]
    pub fn say_to(cx: &mut Cx, seat: Entity, #[shown] text: Text) -> StepResult<()> {
        let seat = seat_id(cx, seat)?;
        note(cx, &text, SeatSet::only(seat))
    }

    /// Returns the text of a piece or place, with its numbers filled in.
    /// ```rhai
    /// text_of(piece("goose")) // is Bites for 2.
    /// text_of(seat(2).place) // is It grinds all day.
    /// ```
    pub fn text_of(cx: &mut Cx, object: Entity) -> StepResult<Text> {
        let text = match object {
            Entity::Piece(piece) => decision::text_of(cx, piece),
            other => entry_of(cx, other)
                .and_then(|entry| cx.content().render(entry, "text"))
                .unwrap_or_default(),
        };
        rendered(cx, text)
    }

    /// Returns a text with the numbers of a piece filled in.
    /// ```rhai
    /// text_of(piece("pedlar"), "Here are {gift} for you.") // is Here are 2 for you.
    /// ```
    #[name("text_of")]
    pub fn filled_text(cx: &mut Cx, object: Entity, #[shown] text: Text) -> StepResult<Text> {
        match object {
            Entity::Piece(piece) => {
                let entry = cx.entry_of(piece);
                charge_template(cx, Some(entry), &text)?;
                let text = decision::filled(cx, piece, &text);
                rendered(cx, text)
            }
            _ => Err(cx.fault("expected a piece or an entry to fill in its numbers")),
        }
    }

    /// Returns the text of an entry, with its numbers filled in.
    /// ```rhai
    /// text_of(entry("rose")) // is Hits for 2.
    /// ```
    #[name("text_of")]
    pub fn entry_text(cx: &mut Cx, entry: EntryId) -> StepResult<Text> {
        let text = cx.content().render(entry, "text").unwrap_or_default();
        rendered(cx, text)
    }

    /// Returns a text with the numbers of an entry filled in.
    /// ```rhai
    /// text_of(entry("pedlar"), "Here are {gift} for you.") // is Here are 2 for you.
    /// ```
    #[name("text_of")]
    pub fn filled_entry_text(cx: &mut Cx, entry: EntryId, #[shown] text: Text) -> StepResult<Text> {
        charge_template(cx, Some(entry), &text)?;
        let def = cx.content().entry(entry);
        let text = cx.content().render_text(&text, &|name| def.field(name));
        rendered(cx, text)
    }

    /// Returns the text of a table in an entry (an option, a level), filled in from the table, then from
    /// the entry whose script runs.
    /// ```rhai
    /// text_of(piece("pedlar").levels[1]) // is A purse: 3.
    /// text_of(piece("pedlar").deal[0]) // is Buy a flower for 1 Coins.
    /// ```
    #[name("text_of")]
    pub fn data_text(cx: &mut Cx, data: Data) -> StepResult<Text> {
        cx.charge_work(value_cost(&data.0))?;
        let text = table_text(cx, &data.0);
        rendered(cx, text)
    }

    /// Returns the name of a value, as the log shows it.
    /// ```rhai
    /// name_of(piece("rose")) // is Rose
    /// name_of(actor.hand) // is Hand (Ann)
    /// name_of([1, 2]) // is 1, 2
    /// ```
    pub fn name_of(cx: &mut Cx, value: Value) -> StepResult<Text> {
        cx.charge_work(value_cost(&value))?;
        let name = names::value(cx, &value);
        rendered(cx, name)
    }

    /// Returns the title of an entry; texts use it.
    /// ```rhai
    /// `${entry("lily")} for sale` // is Lily for sale
    /// ```
    #[name("to_string")]
    pub fn entry_to_string(cx: &mut Cx, entry: EntryId) -> StepResult<Text> {
        let id = entry;
        Ok((&*cx.content().entry(id).title).into())
    }
}

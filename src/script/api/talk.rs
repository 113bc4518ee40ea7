//! Texts: log lines of packs, and texts with their numbers filled in.

use rhai::plugin::*;
use rhai::{Dynamic, ImmutableString};

use super::super::convert::to_val;
use super::super::host::{HostResult, with};
use super::super::types::{EntityRef, EntryRef, TableRef};
use super::seat::seat_id;
use super::thing::entry_of;
use crate::content::{Content, SeatSet, Value};
use crate::diagnostic::sanitize;
use crate::game::log::LogEvent;
use crate::game::{Cx, Entity, StepResult, decision, names};

fn note(cx: &mut Cx, text: &str, seats: SeatSet) -> StepResult {
    if cx.read_only > 0 {
        return Err(cx.fault("this script is read-only, so it cannot write to the log"));
    }
    cx.spend(4)?;
    let cause = cx.cause();
    cx.log.push(
        LogEvent::Said {
            text: sanitize(text).as_ref().into(),
            seats,
        },
        cause,
        &[],
    );
    Ok(())
}

/// The `text` of a table, filled in from the table, then from the entry whose script runs.
pub(super) fn table_text(cx: &Cx, table: &Value) -> String {
    let entry = cx.calls.last().map(|call| cx.content().entry(call.entry));
    let text = table.get("text").and_then(Value::text).unwrap_or("");
    let cost = table
        .get("cost")
        .and_then(|cost| super::seat::table_cost(cx, cost).ok());
    let cost = cost.map(|cost| crate::game::cost::text(cx.content(), &cost));
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

#[export_module]
pub mod words {
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
    #[rhai_fn(name = "say", return_raw)]
    pub fn say(text: ImmutableString) -> HostResult<()> {
        with(|cx| note(cx, &text, SeatSet::ALL))
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
    #[rhai_fn(name = "say_to", return_raw)]
    pub fn say_to(seat: EntityRef, text: ImmutableString) -> HostResult<()> {
        with(|cx| {
            let seat = seat_id(cx, seat)?;
            note(cx, &text, SeatSet::only(seat))
        })
    }

    /// Returns the text of a piece or place, with its numbers filled in.
    /// ```rhai
    /// text_of(piece("goose")) // is Bites for 2.
    /// text_of(seat(2).place) // is It grinds all day.
    /// ```
    #[rhai_fn(name = "text_of", return_raw)]
    pub fn text_of(thing: EntityRef) -> HostResult<ImmutableString> {
        with(|cx| {
            let text = match thing.0 {
                Entity::Piece(piece) => decision::text_of(cx, piece),
                other => entry_of(cx, other)
                    .and_then(|entry| cx.content().render(entry, "text"))
                    .unwrap_or_default(),
            };
            Ok(text.into())
        })
    }

    /// Returns a text with the numbers of a piece filled in.
    /// ```rhai
    /// text_of(piece("pedlar"), "Here are {gift} for you.") // is Here are 2 for you.
    /// ```
    #[rhai_fn(name = "text_of", return_raw)]
    pub fn filled_text(thing: EntityRef, text: ImmutableString) -> HostResult<ImmutableString> {
        with(|cx| match thing.0 {
            Entity::Piece(piece) => Ok(decision::filled(cx, piece, &text).into()),
            _ => Err(cx.fault("expected a piece or an entry to fill in its numbers")),
        })
    }

    /// Returns the text of an entry, with its numbers filled in.
    /// ```rhai
    /// text_of(entry("rose")) // is Hits for 2.
    /// ```
    #[rhai_fn(name = "text_of", return_raw)]
    pub fn entry_text(entry: EntryRef) -> HostResult<ImmutableString> {
        with(|cx| {
            Ok(cx
                .content()
                .render(entry.0, "text")
                .unwrap_or_default()
                .into())
        })
    }

    /// Returns a text with the numbers of an entry filled in.
    /// ```rhai
    /// text_of(entry("pedlar"), "Here are {gift} for you.") // is Here are 2 for you.
    /// ```
    #[rhai_fn(name = "text_of", return_raw)]
    pub fn filled_entry_text(
        entry: EntryRef,
        text: ImmutableString,
    ) -> HostResult<ImmutableString> {
        with(|cx| {
            let own = cx.content().entry(entry.0);
            Ok(cx
                .content()
                .render_text(&text, &|name| own.field(name))
                .into())
        })
    }

    /// Returns the text of a table in an entry (an option, a level), filled in from the table, then from
    /// the entry whose script runs.
    /// ```rhai
    /// text_of(piece("pedlar").levels[1]) // is A purse: 3.
    /// text_of(piece("pedlar").deal[0]) // is Buy a flower for 1 Coins.
    /// ```
    #[rhai_fn(name = "text_of", return_raw)]
    pub fn data_text(data: TableRef) -> HostResult<ImmutableString> {
        with(|cx| Ok(table_text(cx, &data.0).into()))
    }

    /// Returns the name of a value, as the log shows it.
    /// ```rhai
    /// name_of(piece("rose")) // is Rose
    /// name_of(actor.hand) // is Hand (Ann)
    /// name_of([1, 2]) // is 1, 2
    /// ```
    #[rhai_fn(name = "name_of", return_raw)]
    pub fn name_of(value: Dynamic) -> HostResult<ImmutableString> {
        with(|cx| Ok(names::val(cx, &to_val(&value)).into()))
    }

    /// Returns the title of an entry; texts use it.
    /// ```rhai
    /// `${entry("lily")} for sale` // is Lily for sale
    /// ```
    #[rhai_fn(name = "to_string", return_raw)]
    pub fn entry_to_string(entry: &mut EntryRef) -> HostResult<ImmutableString> {
        let id = entry.0;
        with(|cx| Ok((&*cx.content().entry(id).title).into()))
    }
}

//! Shows the state of the game: panels of packs, and generic views of any game.

use crate::cli::screen::{self, Tone};
use crate::content::{PanelDef, PlaceId, SeatId};
use crate::game::view::{OwnerView, ZoneView};
use crate::game::{Entity, Game, names};
use crate::value::Value;

/// Shows the panel with this command; returns whether there is one.
pub fn panel(game: &Game, word: &str, typed: &str, seat: Option<SeatId>) -> bool {
    let Some(panel) = game
        .content()
        .panels
        .iter()
        .find(|panel| &*panel.word == word)
    else {
        return false;
    };
    match text(game, panel, typed, seat) {
        Ok(text) => screen::print_wrapped(&text, Tone::Plain),
        Err(reason) => screen::print_wrapped(
            &format!("The script of this panel failed: {reason}"),
            Tone::Warning,
        ),
    }
    true
}

/// The text of a panel for a seat.
pub fn text(
    game: &Game,
    panel: &PanelDef,
    typed: &str,
    seat: Option<SeatId>,
) -> Result<String, String> {
    // Use a copy: in the game itself, this would make the next answer run the step again.
    let mut copy = game.without_log();
    let shown = copy.run_read_only(panel.show, panel.entry, seat, Value::Text(typed.into()))?;
    let context = game.context();
    Ok(match &shown {
        Value::List(lines) | Value::Rows(lines) => lines
            .iter()
            .map(|line| names::value(context, line))
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Unit => String::new(),
        shown => names::value(context, shown),
    })
}

/// The text above every decision: the pinned panels of the packs, or else the seat's holdings.
pub fn status(game: &Game, seat: Option<SeatId>) -> String {
    let pinned: Vec<&PanelDef> = game
        .content()
        .panels
        .iter()
        .filter(|panel| panel.always)
        .collect();
    if pinned.is_empty() {
        return seat.map(|seat| holdings(game, seat)).unwrap_or_default();
    }
    let shown = pinned
        .iter()
        .map(|panel| text(game, panel, "", seat).unwrap_or_else(|reason| reason));
    shown
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// A seat on one line: its place, its counters and its own zones.
fn holdings(game: &Game, seat: SeatId) -> String {
    let view = game.view(seat);
    let Some(own) = view.seats.get(seat.ix()) else {
        return String::new();
    };
    let counters = own.counters.iter().filter(|(_, value)| *value != 0);
    let counters = counters
        .map(|(name, value)| format!("{name} {value}"))
        .chain(flags(own))
        .collect::<Vec<_>>()
        .join(", ");
    let zone_texts = own
        .zones
        .iter()
        .filter(|zone| zone.own && zone.count > 0)
        .map(zone);
    let parts: Vec<String> = own
        .place
        .iter()
        .cloned()
        .chain([counters])
        .chain(zone_texts)
        .collect();
    let parts: Vec<&str> = parts
        .iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("{} · {}", own.name, parts.join(" · "))
    }
}

/// Shows `hand`, `me`, `players` or `table` as a seat sees it.
pub fn show(game: &Game, seat: Option<SeatId>, word: &str) {
    let seat = seat.unwrap_or(SeatId(0));
    let view = game.view(seat);
    match word {
        "hand" => match view.seats.get(seat.ix()) {
            Some(own) if own.zones.iter().any(|zone| zone.own && zone.count > 0) => {
                own.zones
                    .iter()
                    .filter(|own| own.own && own.count > 0)
                    .for_each(|own| screen::print_wrapped(&zone(own), Tone::Plain));
            }
            _ => screen::print("Your hand is empty."),
        },
        "me" => view.seats.get(seat.ix()).into_iter().for_each(owner),
        "players" => view.seats.iter().for_each(owner),
        _ => std::iter::once(&view.table)
            .chain(&view.places)
            .for_each(owner),
    }
}

/// The flags of an owner: `The baron: spared`.
fn flags(owner: &OwnerView) -> impl Iterator<Item = String> {
    let flags = owner.flags.iter();
    flags.map(|(name, value)| format!("{name}: {value}"))
}

fn owner(owner: &OwnerView) {
    let place = owner
        .place
        .as_deref()
        .map(|place| format!(", at {place}"))
        .unwrap_or_default();
    screen::print_wrapped(&format!("{}{place}", owner.name), Tone::Heading);
    let counters: Vec<String> = owner
        .counters
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .chain(flags(owner))
        .collect();
    for line in [counters.join(", "), owner.marks.join(", ")]
        .iter()
        .filter(|line| !line.is_empty())
    {
        screen::print_indented("  ", Tone::Plain, line, Tone::Plain);
    }
    for own in owner.zones.iter().filter(|zone| zone.count > 0) {
        screen::print_indented("  ", Tone::Plain, &zone(own), Tone::Plain);
    }
}

/// A zone with its visible pieces: `Hand (3): Lunge ×2, Parry`.
fn zone(zone: &ZoneView) -> String {
    let mut pieces: Vec<(&str, usize)> = Vec::new();
    for piece in &zone.pieces {
        match pieces.iter_mut().find(|(title, _)| *title == piece.title) {
            Some((_, count)) => *count += 1,
            None => pieces.push((&piece.title, 1)),
        }
    }
    let named = pieces.iter().map(|(title, n)| {
        if *n > 1 {
            format!("{title} ×{n}")
        } else {
            (*title).to_owned()
        }
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let colon = if named.is_empty() { "" } else { ": " };
    format!("{} ({}){colon}{named}", zone.title, zone.count)
}

/// Lists the places, who is there, and where routes lead, for packs without their own map.
pub fn map(game: &Game, typed: &str) {
    let content = game.content();
    if content.map.places.is_empty() {
        return screen::print("This game has no map.");
    }
    let wanted = typed.to_lowercase();
    let title = |place: PlaceId| names::entity(game.context(), Entity::Place(place));
    for place in (0..content.map.places.len()).map(PlaceId::at) {
        if !title(place).to_lowercase().contains(&wanted) {
            continue;
        }
        let here = (0..game.state().seats)
            .filter(|seat| game.state().at[usize::from(*seat)] == Some(place));
        let here: Vec<String> = here
            .map(|seat| names::seat(game.context(), SeatId(seat)))
            .collect();
        let ways: Vec<String> = content.map.places[place.ix()]
            .edges
            .iter()
            .map(|way| title(way.to))
            .collect();
        let who = if here.is_empty() {
            String::new()
        } else {
            format!(" [{}]", here.join(", "))
        };
        screen::print_wrapped(
            &format!("{}{who} → {}", title(place), ways.join(", ")),
            Tone::Plain,
        );
    }
}

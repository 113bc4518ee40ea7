//! Turns a journal into a test case: the moves, and what the last of them changed.

use std::rc::Rc;

use super::inspect::{self, InspectedValue};
use crate::agents::Player;
use crate::content::{CounterId, EntryId, PieceId, PlaceId, SeatId, SeatSet};
use crate::game::journal::JournalLine;
use crate::game::render::log_line;
use crate::game::{
    Entity, Game, GameHeader, InitialState, Journal, Rules, Setup, State, StepContext, describe,
    lookup,
};

/// Lists up to this width are written on one line.
const MAX_WIDTH: usize = 110;

/// The case of a journal as TOML. It expects what the last `last` answers did, or all answers.
///
/// # Errors
/// Returns a message about an answer that is not valid with these packs, or about a seed that does
/// not fit into TOML.
pub fn case(
    rules: Rc<Rules>,
    setup: &Setup,
    journal: &Journal,
    last: Option<usize>,
    name: &str,
) -> Result<String, String> {
    let from = last.map_or(0, |last| journal.lines.len().saturating_sub(last));
    let mut game = Game::new(
        rules,
        Setup {
            journal: true,
            log: true,
            forced_after_setup: None,
            ..setup.clone()
        },
    )?;
    game.run();
    let (mut before, mut skipped, mut moves) = (game.state().clone(), 0, Vec::new());
    for (ix, line) in journal.lines.iter().enumerate() {
        if ix == from {
            before.clone_from(game.state());
            skipped = if from == 0 {
                0
            } else {
                log_line::verbose_log(game.context()).len()
            };
        }
        moves.push(as_move(&game, line));
        game.replay_line(line, journal.lines.get(ix + 1))
            .map_err(|reason| {
                let help = "use the packs the game was played with";
                format!(
                    "answer {} of the journal is no longer possible: {reason}; {help}",
                    ix + 1
                )
            })?;
    }
    let used = game.forced_uses();
    let in_setup = used.iter().filter(|used| used.in_setup).count();
    let mut text = head(&journal.header, name, (in_setup, used.len()))?;
    put_list(&mut text, "moves", &moves);
    if from > 0 {
        put(&mut text, "expect.after", &from.to_string());
    }
    put_list(
        &mut text,
        "expect.log",
        log_line::verbose_log(game.context())
            .get(skipped..)
            .unwrap_or_default(),
    );
    for (path, value) in changes(game.context(), &before) {
        put(
            &mut text,
            &format!("expect.state.{}", quoted(&path)),
            &value,
        );
    }
    end(&mut text, &game);
    Ok(text)
}

/// An answer as a move, with the seat if several seats may answer.
fn as_move(game: &Game, line: &JournalLine) -> String {
    let keys = line.keys.join(" ");
    let clear = game
        .pending()
        .is_some_and(|question| question.seats == SeatSet::only(line.seat));
    if clear && !keys.contains('>') {
        keys
    } else {
        format!("{}> {keys}", line.seat.0 + 1).trim_end().to_owned()
    }
}

/// The fields that describe how the game starts. The setup used the first `in_setup` forced random
/// results.
///
/// Of the forced results, the setup used the first ones, and the whole game a number of them; the
/// others are left out, because a case must use all of its results.
fn head(
    header: &GameHeader,
    name: &str,
    (in_setup, used): (usize, usize),
) -> Result<String, String> {
    let mut text = "[[case]]\n".to_owned();
    put(&mut text, "name", &quoted(name));
    put(&mut text, "mode", &quoted(&header.mode));
    put_list(&mut text, "with", &header.with);
    put_list(&mut text, "options", &header.options);
    let players: Vec<Player> = header
        .players
        .iter()
        .map(|(name, who)| Player::parse(name, who))
        .collect::<Result<_, _>>()?;
    put_list(
        &mut text,
        "players",
        &players
            .iter()
            .map(|player| player.name.clone())
            .collect::<Vec<_>>(),
    );
    if players.iter().any(|player| player.role.is_some()) {
        let roles: Vec<String> = players
            .into_iter()
            .map(|player| player.role.unwrap_or_default())
            .collect();
        put_list(&mut text, "roles", &roles);
    }
    let seed = i64::try_from(header.seed)
        .map_err(|_| format!("the seed of a case is at most {}", i64::MAX))?;
    put(&mut text, "seed", &seed.to_string());
    let chance = header.forced.iter().map(|one| {
        if one.parse::<u32>().is_ok() {
            one.clone()
        } else {
            quoted(one)
        }
    });
    let mut chance: Vec<String> = chance.take(used).collect();
    let later = chance.split_off(in_setup.min(chance.len()));
    put_raw_list(&mut text, "setup.chance", &chance);
    put_raw_list(&mut text, "chance", &later);
    if let Some(initial) = &header.initial {
        put_setup(&mut text, initial);
    }
    Ok(text)
}

fn put_setup(text: &mut String, initial: &InitialState) {
    if let Some(entry) = &initial.start {
        put(text, "setup.start", &quoted(entry));
    }
    for (path, ids) in &initial.zones {
        let ids: Vec<String> = ids.iter().map(|id| quoted(id)).collect();
        let name = format!("setup.zones.{}", quoted(path));
        put(text, &name, &format!("[{}]", ids.join(", ")));
    }
    for (seat, place) in &initial.places {
        put(
            text,
            &format!("setup.places.{}", quoted(seat)),
            &quoted(place),
        );
    }
    for (path, value) in &initial.counters {
        let name = format!("setup.counters.{}", quoted(path));
        put(text, &name, &value.to_string());
    }
    for (path, value) in &initial.flags {
        put(
            text,
            &format!("setup.flags.{}", quoted(path)),
            &quoted(value),
        );
    }
    if let Some(script) = &initial.script {
        put(text, "setup.do", &quoted(script));
    }
}

/// Writes the expected question, result and faults.
fn end(text: &mut String, game: &Game) {
    if let Some(decision) = game.decision() {
        put(text, "expect.decision", &quoted(&decision.id));
    }
    if let Some(over) = &game.state().outcome {
        put(text, "expect.over", "true");
        let winners: Vec<String> = over
            .winners
            .iter()
            .map(|seat| (seat.0 + 1).to_string())
            .collect();
        put(text, "expect.winners", &format!("[{}]", winners.join(", ")));
    }
    let faults: Vec<String> = game
        .faults()
        .iter()
        .map(|fault| describe(game.context(), fault))
        .collect();
    put_list(text, "expect.faults", &faults);
}

/// The counters, and the places of seats, that differ from an earlier state, by path.
fn changes(context: &StepContext, before: &State) -> Vec<(String, String)> {
    let (content, now) = (context.content(), &context.state);
    let mut found = Vec::new();
    let mut owners = vec![Entity::Table];
    owners.extend((0..now.seats).map(|seat| Entity::Seat(SeatId(seat))));
    owners.extend((0..content.map.places.len()).map(|place| Entity::Place(PlaceId::at(place))));
    // A new piece has no earlier value to compare with.
    owners.extend(
        (0..now.pieces.len().min(before.pieces.len()))
            .map(|piece| Entity::Piece(PieceId::at(piece))),
    );
    for entity in owners {
        for counter in (0..content.counters.len()).map(CounterId::at) {
            if before.base(content, entity, counter) != now.base(content, entity, counter) {
                let id = &content.entry(content.counters[counter.ix()].entry).id;
                found.push(format!("{}.{id}", owner(context, entity)));
            }
        }
        if let Entity::Seat(seat) = entity
            && before.at[seat.ix()] != now.at[seat.ix()]
        {
            found.push(format!("{}.place", owner(context, entity)));
        }
    }
    let mode = content.mode.as_ref();
    let pack = mode.map_or(0, |mode| content.entry(mode.entry).pack);
    let value = |path: String| match inspect::at(context, pack, &path).ok()? {
        InspectedValue::Number(number) => Some((path, number.to_string())),
        InspectedValue::Word(word) => Some((path, quoted(&word))),
        InspectedValue::Pieces(_) => None,
    };
    found.into_iter().filter_map(value).collect()
}

/// The name of an owner in a path.
fn owner(context: &StepContext, entity: Entity) -> String {
    let id = |entry: EntryId| {
        let def = context.content().entry(entry);
        if context.content().find(&def.id) == Some(entry) {
            def.id.to_string()
        } else {
            def.name.to_string()
        }
    };
    match entity {
        Entity::Table => "table".to_owned(),
        Entity::Seat(seat) => (seat.0 + 1).to_string(),
        Entity::Place(place) => id(context.content().map.places[place.ix()].entry),
        Entity::Piece(piece) => {
            let entry = context.entry_of(piece);
            let nth = lookup::copies(context, entry)
                .position(|other| other == piece)
                .unwrap_or_default();
            if nth == 0 {
                id(entry)
            } else {
                format!("{}#{}", id(entry), nth + 1)
            }
        }
    }
}

fn put(text: &mut String, name: &str, value: &str) {
    *text += &format!("{name} = {value}\n");
}

/// Writes a list of texts; an empty list is left out.
fn put_list(text: &mut String, name: &str, list: &[String]) {
    put_raw_list(
        text,
        name,
        &list.iter().map(|item| quoted(item)).collect::<Vec<_>>(),
    );
}

fn put_raw_list(text: &mut String, name: &str, list: &[String]) {
    let line = list.join(", ");
    if list.is_empty() {
        return;
    }
    if name.len() + line.chars().count() + 5 <= MAX_WIDTH && !line.contains('\n') {
        put(text, name, &format!("[{line}]"));
        return;
    }
    *text += &format!("{name} = [\n");
    let mut row = String::new();
    for item in list {
        // Moves are short and share lines; log lines get one line each.
        if !row.is_empty()
            && (name != "moves" || row.chars().count() + item.chars().count() > MAX_WIDTH - 8)
        {
            *text += &format!("    {}\n", row.trim_end());
            row.clear();
        }
        row += &format!("{item}, ");
    }
    *text += &format!("    {}\n]\n", row.trim_end());
}

/// A text as a TOML value or key.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

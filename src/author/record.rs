//! A game that was played as a case: the moves of its journal, and what the last of them did.

use std::rc::Rc;

use super::compare::log_lines;
use super::look::{self, Found};
use crate::agents::Player;
use crate::content::{CounterId, EntryId, PieceId, PlaceId, SeatId, SeatSet};
use crate::game::journal::Line;
use crate::game::{Core, Entity, Game, Header, Journal, Rules, Setup, State, describe};

/// Lists that fit into so many columns stand on one line.
const WIDE: usize = 110;

/// The case of a journal as TOML, which expects what the last so many answers did; all of them where no number is given.
///
/// # Errors
/// Why no case can be made of it: an answer that does not fit, a seed that TOML cannot hold.
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
            ..setup.clone()
        },
    )?;
    game.run();
    let (mut before, mut told, mut moves) = (game.state().clone(), 0, Vec::new());
    for (ix, line) in journal.lines.iter().enumerate() {
        if ix == from {
            before.clone_from(game.state());
            told = if from == 0 {
                0
            } else {
                log_lines(game.core()).len()
            };
        }
        moves.push(as_move(&game, line));
        game.replay_line(line).map_err(|why| {
            let help = "make the case with the packs the game was played with";
            format!(
                "answer {} of the journal no longer fits: {why}; {help}",
                ix + 1
            )
        })?;
    }
    let mut text = head(&journal.header, name)?;
    put_list(&mut text, "moves", &moves);
    if from > 0 {
        put(&mut text, "expect.after", &from.to_string());
    }
    put_list(
        &mut text,
        "expect.log",
        log_lines(game.core()).get(told..).unwrap_or_default(),
    );
    for (path, value) in changes(game.core(), &before) {
        put(
            &mut text,
            &format!("expect.state.{}", quoted(&path)),
            &value,
        );
    }
    end(&mut text, &game);
    Ok(text)
}

/// An answer as a move: with its seat, where it is not clear whose it is.
fn as_move(game: &Game, line: &Line) -> String {
    let keys = line.keys.join(" ");
    let clear = game
        .pending()
        .is_some_and(|ask| ask.seats == SeatSet::only(line.seat));
    if clear && !keys.contains('>') {
        keys
    } else {
        format!("{}> {keys}", line.seat.0 + 1).trim_end().to_owned()
    }
}

/// Where the game starts from.
fn head(header: &Header, name: &str) -> Result<String, String> {
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
        .map_err(|_| format!("a case cannot have a seed above {}", i64::MAX))?;
    put(&mut text, "seed", &seed.to_string());
    let chance = header.forced.iter().map(|one| {
        if one.parse::<u32>().is_ok() {
            one.clone()
        } else {
            quoted(one)
        }
    });
    put_raw_list(&mut text, "chance", &chance.collect::<Vec<_>>());
    if let Some(given) = &header.given {
        put(&mut text, "setup.do", &quoted(given));
    }
    Ok(text)
}

/// What waits at the end.
fn end(text: &mut String, game: &Game) {
    if let Some(decision) = game.decision() {
        put(text, "expect.decision", &quoted(&decision.id));
    }
    if let Some(over) = &game.state().over {
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
        .map(|fault| describe(game.core(), fault))
        .collect();
    put_list(text, "expect.faults", &faults);
}

/// The counters that differ from an earlier state, and the places of seats, by path.
fn changes(core: &Core, before: &State) -> Vec<(String, String)> {
    let (content, now) = (core.content(), &core.state);
    let mut found = Vec::new();
    let mut owners = vec![Entity::Table];
    owners.extend((0..now.seats).map(|seat| Entity::Seat(SeatId(seat))));
    owners.extend((0..content.map.places.len()).map(|place| Entity::Place(PlaceId::at(place))));
    // A piece that was not there before has nothing to differ from.
    owners.extend(
        (0..now.pieces.len().min(before.pieces.len()))
            .map(|piece| Entity::Piece(PieceId::at(piece))),
    );
    for of in owners {
        for counter in (0..content.counters.len()).map(CounterId::at) {
            if before.base(content, of, counter) != now.base(content, of, counter) {
                let id = &content.entry(content.counters[counter.ix()].entry).id;
                found.push(format!("{}.{id}", owner(core, of)));
            }
        }
        if let Entity::Seat(seat) = of
            && before.at[seat.ix()] != now.at[seat.ix()]
        {
            found.push(format!("{}.place", owner(core, of)));
        }
    }
    let value = |path: String| match look::at(core, &path).ok()? {
        Found::Number(number) => Some((path, number.to_string())),
        Found::Word(word) => Some((path, quoted(&word))),
        Found::Pieces(_) => None,
    };
    found.into_iter().filter_map(value).collect()
}

/// An owner as a path names it.
fn owner(core: &Core, of: Entity) -> String {
    let id = |entry: EntryId| {
        let def = core.content().entry(entry);
        if core.content().find(&def.id) == Some(entry) {
            def.id.to_string()
        } else {
            def.name.to_string()
        }
    };
    match of {
        Entity::Table => "table".to_owned(),
        Entity::Seat(seat) => (seat.0 + 1).to_string(),
        Entity::Place(place) => id(core.content().map.places[place.ix()].entry),
        Entity::Piece(piece) => {
            let entry = core.entry_of(piece);
            let nth = look::copies(core, entry)
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

/// A list of texts; none is no line.
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
    if name.len() + line.chars().count() + 5 <= WIDE && !line.contains('\n') {
        put(text, name, &format!("[{line}]"));
        return;
    }
    *text += &format!("{name} = [\n");
    let mut row = String::new();
    for item in list {
        // Keys of moves are short and stand side by side; lines of the log stand alone.
        if !row.is_empty()
            && (name != "moves" || row.chars().count() + item.chars().count() > WIDE - 8)
        {
            *text += &format!("    {}\n", row.trim_end());
            row.clear();
        }
        row += &format!("{item}, ");
    }
    *text += &format!("    {}\n]\n", row.trim_end());
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

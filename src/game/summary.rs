//! What a game came to: ranks, scores, and what each player did.

use crate::number::cast;
use serde::Serialize;

use super::journal::Header;
use super::log::What;
use super::play::Game;
use super::state::Entity;
use super::val::Val;
use super::{names, state};
use crate::content::SeatId;

/// What a game came to, or how it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    /// What is played.
    pub mode: String,
    /// Whether it is over.
    pub over: bool,
    /// What the pack says of its end.
    pub text: String,
    /// How many rounds were begun.
    pub rounds: u32,
    /// The seats, in the order of the table.
    pub seats: Vec<SeatSummary>,
}

/// What became of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatSummary {
    /// Its number, from 0.
    pub seat: u8,
    /// The player's name.
    pub name: String,
    /// What the player was in the game.
    pub came_as: Option<String>,
    /// Whether the player won.
    pub won: bool,
    /// 1 for the best; of a game that is over.
    pub rank: Option<usize>,
    /// The score, where the pack gives scores.
    pub score: Option<i64>,
    /// How many turns.
    pub turns: u32,
    /// How many decisions.
    pub decisions: usize,
    /// How often the player went somewhere.
    pub journeys: usize,
    /// How many fights the player had a turn in.
    pub fights: usize,
    /// How much damage the player did.
    pub damage: i64,
    /// What the pack counts of a seat, with its titles.
    pub values: Vec<(String, String)>,
}

impl Game {
    /// What it came to, or how it stands.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let state = self.state();
        let over = state.over.as_ref();
        let mode = self
            .content()
            .mode
            .as_ref()
            .map(|mode| self.content().entry(mode.entry).title.to_string());
        let mut seats: Vec<SeatSummary> = (0..state.seats)
            .map(|seat| self.seat_summary(SeatId(seat)))
            .collect();
        if over.is_some() {
            rank(&mut seats);
        }
        Summary {
            mode: mode.unwrap_or_default(),
            over: over.is_some(),
            text: over.map(|over| over.text.to_string()).unwrap_or_default(),
            rounds: state.round,
            seats,
        }
    }

    fn seat_summary(&self, seat: SeatId) -> SeatSummary {
        let (state, lines) = (self.state(), &self.log().lines);
        let over = state.over.as_ref();
        let count = |is: &dyn Fn(&What) -> bool| lines.iter().filter(|line| is(&line.what)).count();
        let damage = lines.iter().map(|line| match line.what {
            What::Damage {
                source: Some(Entity::Seat(by)),
                taken,
                ..
            } if by == seat => taken,
            _ => 0,
        });
        SeatSummary {
            seat: seat.0,
            name: names::seat(self.core(), seat),
            came_as: self.came_as(seat),
            won: over.is_some_and(|over| over.winners.contains(&seat)),
            rank: None,
            score: over.and_then(|over| score(over, seat)),
            turns: state.turns.get(seat.ix()).copied().unwrap_or(0),
            decisions: self
                .journal()
                .iter()
                .filter(|line| line.seat == seat)
                .count(),
            journeys: count(
                &|what| matches!(what, What::Travelled { seat: who, .. } if *who == seat),
            ),
            fights: fights(lines.iter().map(|line| &line.what), seat),
            damage: damage.sum(),
            values: self.values(seat),
        }
    }

    /// What a player is in the game: as the pack says, or as the game was begun.
    #[must_use]
    pub fn came_as(&self, seat: SeatId) -> Option<String> {
        let mode = self.content().mode.as_ref()?;
        let role = || self.core().roles.get(seat.ix()).copied().flatten();
        let given = || role().map(|role| self.content().entry(role).title.to_string());
        let Some(hook) = mode.came_as else {
            return given();
        };
        let said = self
            .bare()
            .look(hook, mode.entry, Some(seat), Val::Unit)
            .ok();
        said.map(|said| names::val(self.core(), &said))
            .filter(|said| !said.is_empty())
            .or_else(given)
    }

    /// What the pack counts of a seat; what fails is left out.
    fn values(&self, seat: SeatId) -> Vec<(String, String)> {
        let mut copy = self.bare();
        let content = self.content();
        let mut value = |&(entry, hook)| {
            let said = copy.look(hook, entry, Some(seat), Val::Unit).ok()?;
            Some((
                content.entry(entry).title.to_string(),
                names::val(self.core(), &said),
            ))
        };
        content.statistics.iter().filter_map(&mut value).collect()
    }
}

fn score(over: &state::Outcome, seat: SeatId) -> Option<i64> {
    over.scores
        .iter()
        .find(|(own, _)| *own == seat)
        .map(|(_, score)| *score)
}

/// In how many fights a seat had a turn.
fn fights<'a>(lines: impl Iterator<Item = &'a What>, seat: SeatId) -> usize {
    let (mut fought, mut count) = (false, 0);
    for what in lines {
        match what {
            What::FightStarted { .. } => fought = false,
            What::FightTurn {
                of: Entity::Seat(who),
            } if *who == seat && !fought => {
                fought = true;
                count += 1;
            }
            _ => {}
        }
    }
    count
}

/// Winners come first, then higher scores; equal ones share a rank.
fn rank(seats: &mut [SeatSummary]) {
    let worth: Vec<(bool, Option<i64>)> = seats.iter().map(|seat| (seat.won, seat.score)).collect();
    for (ix, seat) in seats.iter_mut().enumerate() {
        seat.rank = Some(1 + worth.iter().filter(|other| **other > worth[ix]).count());
    }
}

impl Summary {
    /// The table of what each player did: a row of headings, then a row for each seat, the best first. Columns in which nothing
    /// stands are left out.
    #[must_use]
    pub fn table(&self) -> Vec<Vec<String>> {
        let mut seats: Vec<&SeatSummary> = self.seats.iter().collect();
        seats.sort_by_key(|seat| seat.rank);
        let mut columns = vec![column("player", &seats, |seat| seat.name.clone())];
        columns.push(column("as", &seats, |seat| {
            seat.came_as.clone().unwrap_or_default()
        }));
        columns.push(column("rank", &seats, |seat| {
            seat.rank.map(|rank| rank.to_string()).unwrap_or_default()
        }));
        columns.push(column("score", &seats, |seat| {
            seat.score
                .map(|score| score.to_string())
                .unwrap_or_default()
        }));
        for (ix, (title, _)) in seats
            .first()
            .iter()
            .flat_map(|seat| seat.values.iter().enumerate())
        {
            columns.push(column(title, &seats, |seat| {
                seat.values
                    .get(ix)
                    .map(|(_, value)| value.clone())
                    .unwrap_or_default()
            }));
        }
        columns.push(column("turns", &seats, |seat| number(seat.turns.into())));
        columns.push(column("decisions", &seats, |seat| {
            number(cast::<_, i64>(seat.decisions))
        }));
        columns.push(column("journeys", &seats, |seat| {
            number(cast::<_, i64>(seat.journeys))
        }));
        columns.push(column("fights", &seats, |seat| {
            number(cast::<_, i64>(seat.fights))
        }));
        columns.push(column("damage", &seats, |seat| number(seat.damage)));
        columns.retain(|column| column[1..].iter().any(|cell| !cell.is_empty()));
        (0..=seats.len())
            .map(|row| columns.iter().map(|column| column[row].clone()).collect())
            .collect()
    }
}

fn column(
    title: &str,
    seats: &[&SeatSummary],
    cell: impl Fn(&SeatSummary) -> String,
) -> Vec<String> {
    std::iter::once(title.to_owned())
        .chain(seats.iter().map(|seat| cell(seat)))
        .collect()
}

/// A number in a table, in which 0 says nothing.
fn number(n: i64) -> String {
    if n == 0 { String::new() } else { n.to_string() }
}

/// The command that starts the same game again, with packs at these paths; `None` for a game with an initial state, unless
/// `begun` has the flags for it.
#[must_use]
pub fn command(header: &Header, paths: &[String], begun: &[String]) -> Option<String> {
    if header.initial.is_some() && begun.is_empty() {
        return None;
    }
    let flag = |name: &str, value: &str| format!(" --{name} {}", quoted(value));
    let mut command = format!("kaer play {}", quoted(&header.mode));
    paths.iter().for_each(|path| command += &flag("pack", path));
    header
        .with
        .iter()
        .for_each(|pack| command += &flag("with", pack));
    header
        .options
        .iter()
        .for_each(|option| command += &flag("option", option));
    header
        .players
        .iter()
        .for_each(|(name, who)| command += &flag("player", &format!("{name}={who}")));
    begun
        .iter()
        .for_each(|word| command += &format!(" {}", quoted(word)));
    command += &flag("seed", &header.seed.to_string());
    Some(command)
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_begins_the_same_game() {
        let header = Header {
            mode: "a:b".into(),
            with: vec!["c".into()],
            options: vec!["long".into()],
            players: vec![
                ("Ann Lee".into(), "human:smith".into()),
                ("O'Neil".into(), "greedy".into()),
            ],
            seed: 7,
            ..Header::default()
        };
        let told = "kaer play a:b --pack packs/x --with c --option long --player 'Ann Lee=human:smith' \
                    --player 'O'\\''Neil=greedy' --seed 7";
        assert_eq!(
            command(&header, &["packs/x".into()], &[]).as_deref(),
            Some(told)
        );
        let elsewhere = Header {
            initial: Some(super::super::InitialState::default()),
            ..header
        };
        assert_eq!(command(&elsewhere, &[], &[]), None);
    }
}

//! The summary of a game: ranks, scores, and statistics of each player.

use serde::Serialize;

use super::journal::GameHeader;
use super::log::LogEvent;
use super::play::Game;
use super::render::catalogue::summary as heading;
use super::render::names;
use super::state::{self, Entity};
use crate::content::SeatId;
use crate::number::cast;
use crate::value::Value;

/// The result of a game, or its present state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    /// The title of the mode.
    pub mode: String,
    /// Whether the game is over.
    pub over: bool,
    /// The pack's text about the end of the game.
    pub text: String,
    /// The number of rounds that began.
    pub rounds: u32,
    /// The seats, in table order.
    pub seats: Vec<SeatSummary>,
}

/// The result and the statistics of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatSummary {
    /// Counted from 0.
    pub seat: u8,
    /// The player's name.
    pub name: String,
    /// The role of the player, if the mode has roles.
    pub role_in_play: Option<String>,
    /// Whether the player won.
    pub won: bool,
    /// 1 for the best; `None` until the game is over.
    pub rank: Option<usize>,
    /// `None` if the pack does not give scores.
    pub score: Option<i64>,
    /// The number of turns.
    pub turns: u32,
    /// The number of decisions.
    pub decisions: usize,
    /// How often the player travelled.
    pub journeys: usize,
    /// The number of fights in which the player had a turn.
    pub fights: usize,
    /// The damage that the player dealt.
    pub damage: i64,
    /// The statistics of the pack: titles and values.
    pub values: Vec<(String, String)>,
}

impl Game {
    /// Sums up the game so far.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let state = self.state();
        let over = state.outcome.as_ref();
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
        let over = state.outcome.as_ref();
        let count =
            |is: &dyn Fn(&LogEvent) -> bool| lines.iter().filter(|line| is(&line.event)).count();
        let damage = lines.iter().map(|line| match line.event {
            LogEvent::Damage {
                source: Some(Entity::Seat(by)),
                taken,
                ..
            } if by == seat => taken,
            _ => 0,
        });
        SeatSummary {
            seat: seat.0,
            name: names::seat(self.context(), seat),
            role_in_play: self.role_in_play(seat),
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
                &|what| matches!(what, LogEvent::Travelled { seat: who, .. } if *who == seat),
            ),
            fights: fights(lines.iter().map(|line| &line.event), seat),
            damage: damage.sum(),
            values: self.values(seat),
        }
    }

    /// The role of a player: the pack's answer if it gives one, else the role chosen at the start.
    #[must_use]
    pub fn role_in_play(&self, seat: SeatId) -> Option<String> {
        let mode = self.content().mode.as_ref()?;
        let role = || self.context().roles.get(seat.ix()).copied().flatten();
        let chosen = || role().map(|role| self.content().entry(role).title.to_string());
        let Some(hook) = mode.role_in_play else {
            return chosen();
        };
        let answer = self
            .without_log()
            .run_read_only(hook, mode.entry, Some(seat), Value::Unit)
            .ok();
        answer
            .map(|answer| names::value(self.context(), &answer))
            .filter(|text| !text.is_empty())
            .or_else(chosen)
    }

    /// The statistics of the pack for a seat; a statistic whose script fails is left out.
    fn values(&self, seat: SeatId) -> Vec<(String, String)> {
        let mut copy = self.without_log();
        let content = self.content();
        let mut value = |&(entry, hook)| {
            let answer = copy
                .run_read_only(hook, entry, Some(seat), Value::Unit)
                .ok()?;
            Some((
                content.entry(entry).title.to_string(),
                names::value(self.context(), &answer),
            ))
        };
        content.statistics.iter().filter_map(&mut value).collect()
    }
}

fn score(over: &state::GameOutcome, seat: SeatId) -> Option<i64> {
    over.scores
        .iter()
        .find(|(own, _)| *own == seat)
        .map(|(_, score)| *score)
}

/// The number of fights in which a seat had a turn.
fn fights<'a>(lines: impl Iterator<Item = &'a LogEvent>, seat: SeatId) -> usize {
    let (mut fought, mut count) = (false, 0);
    for what in lines {
        match what {
            LogEvent::FightStarted { .. } => fought = false,
            LogEvent::FightTurn {
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

/// Sorts winners first, then by score; equal seats share a rank.
fn rank(seats: &mut [SeatSummary]) {
    let results: Vec<(bool, Option<i64>)> =
        seats.iter().map(|seat| (seat.won, seat.score)).collect();
    for (ix, seat) in seats.iter_mut().enumerate() {
        let better = results.iter().filter(|other| **other > results[ix]);
        seat.rank = Some(1 + better.count());
    }
}

impl Summary {
    /// The summary as a table: a row of headings, then a row for each seat, best first. Empty
    /// columns are left out.
    #[must_use]
    pub fn table(&self) -> Vec<Vec<String>> {
        let mut seats: Vec<&SeatSummary> = self.seats.iter().collect();
        seats.sort_by_key(|seat| seat.rank);
        let mut columns = vec![column(heading::PLAYER, &seats, |seat| seat.name.clone())];
        columns.push(column(heading::ROLE, &seats, |seat| {
            seat.role_in_play.clone().unwrap_or_default()
        }));
        columns.push(column(heading::RANK, &seats, |seat| {
            seat.rank.map(|rank| rank.to_string()).unwrap_or_default()
        }));
        columns.push(column(heading::SCORE, &seats, |seat| {
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
        columns.push(column(heading::TURNS, &seats, |seat| {
            number(seat.turns.into())
        }));
        columns.push(column(heading::DECISIONS, &seats, |seat| {
            number(cast::<_, i64>(seat.decisions))
        }));
        columns.push(column(heading::JOURNEYS, &seats, |seat| {
            number(cast::<_, i64>(seat.journeys))
        }));
        columns.push(column(heading::FIGHTS, &seats, |seat| {
            number(cast::<_, i64>(seat.fights))
        }));
        columns.push(column(heading::DAMAGE, &seats, |seat| number(seat.damage)));
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

/// A number in a table; 0 leaves the cell empty.
fn number(n: i64) -> String {
    if n == 0 { String::new() } else { n.to_string() }
}

/// The command that starts the same game with the packs at these paths. A game with an initial
/// state needs the `start_flags` it was started with; without them there is no command.
#[must_use]
pub fn command(header: &GameHeader, paths: &[String], start_flags: &[String]) -> Option<String> {
    // Flags cannot say what a campaign carries over.
    if header.campaign.is_some() || header.initial.is_some() && start_flags.is_empty() {
        return None;
    }
    let flag = |name: &str, value: &str| format!(" --{name} {}", quote_for_shell(value));
    let mut command = format!("kaer play {}", quote_for_shell(&header.mode));
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
    start_flags
        .iter()
        .for_each(|word| command += &format!(" {}", quote_for_shell(word)));
    command += &flag("seed", &header.seed.to_string());
    Some(command)
}

fn quote_for_shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

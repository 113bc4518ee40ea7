//! Answers that are taken back, and given again.

use super::screen;
use super::session::{Question, Session};
use crate::agents::Kind;
use crate::content::{SeatId, SeatSet};
use crate::game::journal::Line;
use crate::game::{Past, names};

/// Where a game was, and what was taken back.
#[derive(Default)]
pub struct History {
    pub past: Past,
    /// What was taken back and may be given again: the answers of each undo, the last one last.
    pub gone: Vec<Vec<Line>>,
    /// How many answers brought the game to where it began.
    pub begun: usize,
    /// How many answers there were when its save was begun, if that was done by this program.
    pub first: Option<usize>,
    /// How often answers were taken back after something random or hidden had shown.
    pub hindsight: u32,
    /// Whether nobody minds hindsight, as while packs are written.
    pub lenient: bool,
}

impl Session {
    /// Does what a word about answers that were given asks for; gives whether it is one.
    pub(super) fn undo_word(&mut self, word: &str) -> bool {
        let (seat, what) = match word.split_once('>') {
            Some((number, what)) => match number
                .trim()
                .parse::<u8>()
                .ok()
                .and_then(|n| n.checked_sub(1))
            {
                Some(seat) => (Some(SeatId(seat)), what.trim()),
                None => return false,
            },
            None => (None, word),
        };
        match what {
            "undo" => self.undo(seat, self.history.lenient),
            "undo!" => self.undo(seat, true),
            "redo" => self.redo(),
            _ => return false,
        }
        true
    }

    /// Goes back to a person's own last decision.
    pub(super) fn undo(&mut self, seat: Option<SeatId>, sure: bool) {
        let lines = self.game.journal();
        let last = |seat: SeatId| {
            lines
                .iter()
                .rposition(|line| line.seat == seat)
                .filter(|at| *at >= self.history.begun)
        };
        let seat = seat
            .filter(|seat| self.is_person(*seat))
            .or_else(|| self.who_types());
        let found = seat.and_then(|seat| Some((seat, last(seat)?)));
        let Some((seat, at)) = found else {
            return screen::say(&self.nothing_to_undo(seat));
        };
        let Some(before) = self.history.past.at(&self.game, at) else {
            return screen::say(
                "This answer cannot be taken back: the game no longer goes as it went.",
            );
        };
        let shown = before.state().reveals != self.game.state().reveals;
        if shown && !sure {
            screen::say(
                "Something random or hidden has shown since. `yes` or `undo!` takes the answer back all the same, and the \
                 game is marked: done with hindsight.",
            );
            self.question = Some(Question::Undo(seat));
            return;
        }
        let gone = lines[at..].to_vec();
        let others = self.others(seat, &gone);
        self.go_to(before);
        self.hand_over();
        self.history.gone.push(gone);
        let hindsight = shown && !self.history.lenient;
        self.history.hindsight += u32::from(hindsight);
        let how = if hindsight { ", with hindsight" } else { "" };
        screen::say(&format!("One answer taken back{others}{how}."));
        self.keep();
    }

    /// Gives again what was last taken back.
    fn redo(&mut self) {
        let Some(lines) = self.history.gone.pop() else {
            return screen::say(
                "There is nothing to give again: only what was just taken back can be.",
            );
        };
        let mut again = self.game.clone();
        if let Some(why) = lines.iter().find_map(|line| again.replay_line(line).err()) {
            self.history.gone.clear();
            return screen::say(&format!("It cannot be given again: {why}."));
        }
        self.game = again;
        self.history.past.note(&self.game);
        self.keep();
        self.hand_over();
        self.tell();
    }

    /// The person who is asked; where several are, or nobody is, the one of them who answered last.
    fn who_types(&self) -> Option<SeatId> {
        let asked = self.game.pending().map_or(SeatSet::ALL, |ask| ask.seats);
        let may = |seat: &SeatId| asked.contains(*seat) && self.is_person(*seat);
        let last = self.given().iter().rev().map(|line| line.seat).find(may);
        last.or_else(|| (0..8).map(SeatId).find(may))
    }

    /// The answers since the game began.
    fn given(&self) -> &[Line] {
        self.game
            .journal()
            .get(self.history.begun..)
            .unwrap_or_default()
    }

    /// Whether a person sits on a seat.
    pub(super) fn is_person(&self, seat: SeatId) -> bool {
        self.players
            .get(seat.ix())
            .is_some_and(|player| player.kind == Kind::Human)
    }

    /// Whose answers besides a person's own are among these, in words.
    fn others(&self, own: SeatId, lines: &[Line]) -> String {
        let mut seats: Vec<SeatId> = lines.iter().map(|line| line.seat).collect();
        seats.retain(|seat| *seat != own && self.is_person(*seat));
        let count = seats.len();
        seats.sort_unstable();
        seats.dedup();
        let who: Vec<String> = seats
            .iter()
            .map(|seat| names::seat(self.game.core(), *seat))
            .collect();
        if count == 0 {
            String::new()
        } else {
            format!(
                ", and {count} that came after it from {}",
                who.join(" and ")
            )
        }
    }

    fn nothing_to_undo(&self, seat: Option<SeatId>) -> String {
        let other = self
            .given()
            .iter()
            .rev()
            .map(|line| line.seat)
            .find(|seat| self.is_person(*seat));
        match (seat, other) {
            (Some(seat), Some(other)) => {
                let (who, whose) = (
                    names::seat(self.game.core(), seat),
                    names::seat(self.game.core(), other),
                );
                let number = other.0 + 1;
                format!(
                    "{who} has nothing to take back; `{number}> undo` takes back what {whose} answered."
                )
            }
            _ => "There is nothing to take back.".to_owned(),
        }
    }
}

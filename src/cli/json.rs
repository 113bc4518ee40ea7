//! A game for programs: JSON lines in and out. docs/machine.md documents every field.

mod input;
mod output;

use super::prompt_commands::panel_text;
use super::{Failure, screen};
use crate::content::SeatId;
use crate::game::Game;
use crate::session::{GameSession, RedoOutcome, UndoOutcome};
use input::Request;
use output::{FinalMessage, Message};

/// The version of the protocol.
pub const VERSION: u32 = 2;

/// A game in which a program plays the seats of all people.
pub struct JsonSession {
    session: GameSession,
    /// The number of log lines that were sent.
    sent: usize,
    /// The command that starts the same game again.
    command: Option<String>,
}

impl JsonSession {
    /// Creates a session whose game has not begun; see [`GameSession::begin`].
    pub const fn new(session: GameSession, command: Option<String>) -> JsonSession {
        JsonSession {
            session,
            sent: 0,
            command,
        }
    }

    /// Plays until the game is over or the program quits.
    pub fn play(mut self, quick: bool) -> Result<GameSession, Failure> {
        output::hello(self.game(), self.session.header());
        self.session.begin().map_err(Failure::error)?;
        if quick {
            self.session.set_up_randomly().map_err(Failure::error)?;
        }
        self.advance()?;
        while !self.session.is_over() {
            let Some(line) = input::line() else { break };
            match line.and_then(|line| Request::parse(&line)) {
                Ok(Some(Request::Quit { .. })) => break,
                Ok(Some(request)) => self.run(&request)?,
                Ok(None) => {}
                Err(reason) => self.refuse(&reason),
            }
        }
        self.send_result();
        Ok(self.session)
    }

    const fn game(&self) -> &Game {
        self.session.game()
    }

    /// Lets bots answer until the program is asked, and sends what happened.
    fn advance(&mut self) -> Result<(), Failure> {
        let result = self.session.advance();
        self.show_notices();
        result.map_err(Failure::error)?;
        self.send_events();
        self.send_decision();
        Ok(())
    }

    /// Prints notices to standard error, because they are for people.
    fn show_notices(&mut self) {
        for notice in self.session.take_notices() {
            screen::print_error(&notice.to_string());
        }
    }

    fn send_events(&mut self) {
        output::events(self.game(), self.sent, &self.session.people());
        self.sent = self.game().log().lines.len();
    }

    fn send_decision(&self) {
        if let Some(decision) = self.session.decision() {
            output::decision(self.game(), &decision);
        }
    }

    /// Sends an error, and the decision again.
    fn refuse(&self, reason: &str) {
        Message::Error { message: reason }.send();
        self.send_decision();
    }

    fn run(&mut self, request: &Request) -> Result<(), Failure> {
        let result = match request {
            Request::Answer { answer, seat } => match self.answer(answer, *seat) {
                Ok(()) => return self.advance(),
                Err(reason) => Err(reason),
            },
            Request::Undo { seat, .. } => self.undo(*seat),
            Request::Redo { .. } => self.redo(),
            Request::View { view } => self.person(Some(*view)).map(|seat| {
                Message::View {
                    seat: seat.0,
                    view: self.game().view(seat),
                }
                .send();
            }),
            Request::Panel { panel, with, seat } => self.send_panel(panel, with, *seat),
            Request::Quit { .. } => Ok(()),
        };
        if let Err(reason) = result {
            self.refuse(&reason);
        }
        Ok(())
    }

    fn answer(&mut self, keys: &[String], seat: Option<u8>) -> Result<(), String> {
        let seat = self.person(seat)?;
        self.session.answer(seat, keys)
    }

    /// One of the program's seats; by default the first one that is asked.
    fn person(&self, seat: Option<u8>) -> Result<SeatId, String> {
        let asked = || {
            let decision = self.session.decision()?;
            decision.seats.first().copied()
        };
        let seat = seat.map(SeatId).or_else(asked).ok_or("no seat is asked")?;
        if self.session.is_person(seat) {
            return Ok(seat);
        }
        let people = self.session.people();
        let people: Vec<String> = people.iter().map(|seat| seat.0.to_string()).collect();
        Err(format!(
            "seat {} is not yours; yours are: {}",
            seat.0,
            people.join(", ")
        ))
    }

    /// Undoes the last answer of a seat; by default, of the seat that answered last. A program does
    /// not need to confirm it.
    fn undo(&mut self, seat: Option<u8>) -> Result<(), String> {
        let nothing = || "there is nothing to undo".to_owned();
        let seat = match seat {
            Some(seat) => self.person(Some(seat))?,
            None => self.session.last_to_answer().ok_or_else(nothing)?,
        };
        match self.session.undo(seat, true) {
            UndoOutcome::Undone { hindsight, .. } => {
                self.show_notices();
                let events = self.game().log().lines.len().min(self.sent);
                Message::Undone {
                    answers: self.game().journal().len(),
                    events,
                    hindsight,
                }
                .send();
                self.sent = events;
                self.send_events();
                self.send_decision();
                Ok(())
            }
            UndoOutcome::Nothing | UndoOutcome::NeedsConfirmation => Err(nothing()),
            UndoOutcome::Diverged => Err("the recorded answers no longer lead there".to_owned()),
        }
    }

    /// Gives the answers of the last undo again.
    fn redo(&mut self) -> Result<(), String> {
        match self.session.redo() {
            RedoOutcome::Redone => {
                self.show_notices();
                Message::Redone {
                    answers: self.game().journal().len(),
                }
                .send();
                self.send_events();
                self.send_decision();
                Ok(())
            }
            RedoOutcome::Nothing => Err("there is nothing to redo".to_owned()),
            RedoOutcome::Invalid(reason) => Err(format!("cannot redo: {reason}")),
        }
    }

    fn send_panel(&self, panel: &str, with: &str, seat: Option<u8>) -> Result<(), String> {
        let seat = self.person(seat)?;
        let panels = &self.game().content().panels;
        let Some(found) = panels.iter().find(|own| &*own.word == panel) else {
            let all: Vec<&str> = panels.iter().map(|panel| &*panel.word).collect();
            return Err(format!(
                "no panel is called `{panel}` (available: {})",
                all.join(", ")
            ));
        };
        let text = panel_text(self.game(), found, with, Some(seat))?;
        Message::Panel {
            panel,
            seat: seat.0,
            text,
        }
        .send();
        Ok(())
    }

    /// Sends the last line: the result, or the state of an unfinished game.
    fn send_result(&self) {
        let journal = self.session.journal_path();
        let last = FinalMessage {
            summary: self.game().summary(),
            answers: self.game().journal().len(),
            hash: self.game().state().hash(),
            journal: journal.map(|path| path.display().to_string()),
            command: self.command.as_deref(),
        };
        if self.session.is_over() {
            Message::End(last).send();
        } else {
            Message::Left(last).send();
        }
    }
}

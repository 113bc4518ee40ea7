//! A game for programs: lines of JSON out, lines of JSON in. docs/machine.md explains every field.

mod input;
mod output;

use super::Failure;
use super::keeper::Keeper;
use super::start;
use super::words::panel_text;
use crate::agents::{Kind, Player, Random, Table};
use crate::content::SeatId;
use crate::game::{Decision, Game, Header, Notes};
use input::Request;
use output::{Last, Out};

/// The version of the lines.
pub const VERSION: u32 = 2;

/// A game that a program plays for all people at the table.
pub struct Machine {
    game: Game,
    table: Table,
    players: Vec<Player>,
    journal: Option<Keeper>,
    /// How many lines of the log were told.
    told: usize,
    /// How many answers brought the game to where it began.
    begun: usize,
    /// How often answers were taken back after something random or hidden had shown.
    hindsight: u32,
    command: Option<String>,
}

impl Machine {
    /// A game before its set-up.
    pub fn new(
        game: Game,
        players: Vec<Player>,
        header: &Header,
        journal: Option<Keeper>,
        command: Option<String>,
    ) -> Machine {
        let table = Table::new(&players, header.seed);
        Machine {
            game,
            table,
            players,
            journal,
            told: 0,
            begun: 0,
            hindsight: 0,
            command,
        }
    }

    /// Plays until the game is over or the program leaves; gives the game.
    pub fn play(mut self, header: &Header, quick: bool) -> Result<Game, Failure> {
        output::hello(&self.game, header);
        if header.initial.is_some() {
            self.game
                .set_up_by(&mut Random::new(0))
                .map_err(Failure::cannot)?;
            self.begun = self.game.journal().len();
        }
        self.game.run();
        if quick {
            start::set_up(&mut self.game)?;
        }
        self.advance()?;
        while self.game.pending().is_some() {
            let Some(line) = input::line() else { break };
            match line.and_then(|line| Request::parse(&line)) {
                Ok(Some(Request::Quit { .. })) => break,
                Ok(Some(request)) => self.serve(&request)?,
                Ok(None) => {}
                Err(why) => self.refuse(&why),
            }
        }
        self.farewell();
        Ok(self.game)
    }

    /// Lets bots answer until the program is asked, and tells what happened.
    fn advance(&mut self) -> Result<(), Failure> {
        loop {
            self.keep();
            // A bot whose script fails plays on by chance.
            match self
                .table
                .answer(&self.game)
                .unwrap_or_else(|_| self.table.any_answer(&self.game))
            {
                Some(answer) => self.game.answer(answer).map_err(Failure::cannot)?,
                None => break,
            };
        }
        let people = self.people();
        output::events(&self.game, self.told, &people);
        self.told = self.game.log().lines.len();
        self.ask();
        Ok(())
    }

    /// Writes what is new to disk.
    fn keep(&mut self) {
        let (round, over) = (self.game.state().round, self.game.pending().is_none());
        let notes = Notes {
            begun: self.begun,
            hindsight: self.hindsight,
            round,
            over,
        };
        if let Some(journal) = &mut self.journal {
            journal.keep(self.game.journal(), notes);
        }
    }

    /// Says how long bots may think about an answer.
    pub fn think(&mut self, thinking: Option<start::Thinking>) {
        let budget = thinking.map(start::Thinking::budget).unwrap_or_default();
        self.table = Table::new(&self.players, self.game.state().seed).thinking(budget);
    }

    /// Sends what is asked.
    fn ask(&self) {
        if let Some(decision) = self.decision() {
            output::ask(&self.game, &decision);
        }
    }

    /// Says what was wrong, and asks once more.
    fn refuse(&self, why: &str) {
        Out::Error { message: why }.send();
        self.ask();
    }

    fn people(&self) -> Vec<SeatId> {
        let seats = (0..self.players.len()).filter(|ix| self.players[*ix].kind == Kind::Human);
        seats.map(SeatId::at).collect()
    }

    /// The decision, without the lines that bots may choose.
    fn decision(&self) -> Option<Decision> {
        let people = self.people();
        let mut decision = self.game.decision()?;
        decision.seats.retain(|seat| people.contains(seat));
        decision
            .options
            .retain(|option| option.seat.is_none_or(|seat| people.contains(&seat)));
        Some(decision)
    }

    fn serve(&mut self, request: &Request) -> Result<(), Failure> {
        match request {
            Request::Answer { answer, seat } => match self.answer(answer, *seat) {
                Ok(()) => self.advance()?,
                Err(why) => self.refuse(&why),
            },
            Request::Undo { .. } => self.undo(),
            Request::View { view } => match self.person(Some(*view)) {
                Ok(seat) => Out::View {
                    seat: seat.0,
                    view: self.game.view(seat),
                }
                .send(),
                Err(why) => self.refuse(&why),
            },
            Request::Panel { panel, with, seat } => match self.panel(panel, with, *seat) {
                Ok((seat, text)) => Out::Panel {
                    panel,
                    seat: seat.0,
                    text,
                }
                .send(),
                Err(why) => self.refuse(&why),
            },
            Request::Quit { .. } => {}
        }
        Ok(())
    }

    fn answer(&mut self, keys: &[String], seat: Option<u8>) -> Result<(), String> {
        let seat = self.person(seat)?;
        self.game.answer_keys(seat, keys).map(|_| ())
    }

    /// The seat that is meant: one the program plays for, by default the first that is asked.
    fn person(&self, seat: Option<u8>) -> Result<SeatId, String> {
        let asked = || {
            self.decision()
                .and_then(|decision| decision.seats.first().copied())
        };
        let seat = seat
            .map(SeatId)
            .or_else(asked)
            .ok_or("nobody is asked anything")?;
        if self.people().contains(&seat) {
            return Ok(seat);
        }
        let people: Vec<String> = self
            .people()
            .iter()
            .map(|seat| seat.0.to_string())
            .collect();
        Err(format!(
            "seat {} is not yours; yours are: {}",
            seat.0,
            people.join(", ")
        ))
    }

    fn undo(&mut self) {
        let Some(before) = self.table.undone(&self.game, self.begun) else {
            return self.refuse("there is nothing to take back");
        };
        self.hindsight += u32::from(before.state().reveals != self.game.state().reveals);
        self.game = before;
        self.keep();
        let events = self.game.log().lines.len().min(self.told);
        Out::Undone {
            answers: self.game.journal().len(),
            events,
        }
        .send();
        let people = self.people();
        output::events(&self.game, events, &people);
        self.told = self.game.log().lines.len();
        self.ask();
    }

    fn panel(&self, word: &str, with: &str, seat: Option<u8>) -> Result<(SeatId, String), String> {
        let seat = self.person(seat)?;
        let panels = &self.game.content().panels;
        let found = panels
            .iter()
            .find(|panel| &*panel.word == word)
            .ok_or_else(|| {
                let all: Vec<&str> = panels.iter().map(|panel| &*panel.word).collect();
                format!("there is no panel `{word}` (there are: {})", all.join(", "))
            })?;
        let text = panel_text(&self.game, found, with, Some(seat))?;
        Ok((seat, text))
    }

    /// Says what the game came to, or where it was left.
    fn farewell(&self) {
        let path = self
            .journal
            .as_ref()
            .and_then(Keeper::path)
            .map(|path| path.display().to_string());
        let last = Last {
            summary: self.game.summary(),
            answers: self.game.journal().len(),
            hash: self.game.state().hash(),
            journal: path,
            command: self.command.as_deref(),
        };
        if self.game.pending().is_none() {
            Out::End(last).send();
        } else {
            Out::Left(last).send();
        }
    }
}

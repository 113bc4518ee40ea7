//! A game between people and bots, line by line.

use super::keeper::Keeper;
use super::prompt::{self, Typed};
use super::{Failure, screen};
use crate::agents::{Kind, Player, Random, Table};
use crate::content::SeatId;
use crate::game::{Ask, Decision, Game, text};

/// A game between people and bots.
pub struct Session {
    pub game: Game,
    table: Table,
    players: Vec<Player>,
    pub journal: Option<Keeper>,
    /// How many lines of the log were told.
    pub told: usize,
    /// How many answers brought the game to where it began.
    begun: usize,
}

impl Session {
    /// A game before its set-up.
    pub fn new(game: Game, players: Vec<Player>, seed: u64, journal: Option<Keeper>) -> Session {
        Session { game, table: Table::new(&players, seed), players, journal, told: 0, begun: 0 }
    }

    /// Plays to the first question. A game that begins in the middle of things is set up by chance.
    pub fn begin(&mut self, in_the_middle: bool) -> Result<(), Failure> {
        if !in_the_middle {
            self.game.run();
            return Ok(());
        }
        self.game.set_up_by(&mut Random::new(0)).map_err(Failure::cannot)?;
        (self.begun, self.told) = (self.game.journal().len(), self.game.log().lines.len());
        self.game.run();
        Ok(())
    }

    /// Lets bots answer until a person is asked or the game is over, and tells what happened.
    pub fn advance(&mut self) -> Result<(), Failure> {
        loop {
            if let Some(journal) = &mut self.journal {
                journal.keep(&self.game);
            }
            match self.table.answer(&self.game).map_err(Failure::cannot)? {
                Some(answer) => self.game.answer(answer).map_err(Failure::cannot)?,
                None => break,
            };
        }
        self.tell();
        Ok(())
    }

    /// Whether nobody is asked any more.
    pub fn is_over(&self) -> bool {
        self.game.pending().is_none()
    }

    /// Shows what is asked.
    pub fn show(&self) {
        if let Some(decision) = self.game.decision() {
            prompt::show(&self.game, &self.for_people(decision));
        }
    }

    /// Takes in a line that someone typed; gives whether that person leaves.
    pub fn hear(&mut self, line: &str) -> Result<bool, Failure> {
        let typed = match self.game.decision() {
            Some(decision) => prompt::understand(&self.for_people(decision), line),
            None => Typed::Word(line.to_owned()),
        };
        match typed {
            Typed::Word(word) => return Ok(self.word(&word)),
            Typed::Keys(seat, keys) => match self.game.answer_keys(seat, &keys) {
                Ok(_) => self.advance()?,
                Err(why) => screen::say(&format!("That does not work: {why}")),
            },
        }
        Ok(false)
    }

    /// The one person at the table, who alone reads the log; several people read what all may see.
    pub fn reader(&self) -> Option<SeatId> {
        let people: Vec<usize> = (0..self.players.len()).filter(|ix| self.players[*ix].kind == Kind::Human).collect();
        match people[..] {
            [] => None,
            [only] => Some(SeatId::at(only)),
            _ => self.game.pending().map(Ask::seat),
        }
    }

    /// Tells what happened since the last time.
    pub(super) fn tell(&mut self) {
        let reader = self.reader();
        let core = self.game.core();
        let from = self.told.min(core.log.lines.len());
        for line in &core.log.lines[from..] {
            if let Some(text) = text::line(core, line, reader) {
                screen::say(&text);
            }
        }
        self.told = core.log.lines.len();
    }

    /// A decision without the lines that bots may choose.
    pub(super) fn for_people(&self, mut decision: Decision) -> Decision {
        let human = |seat: &SeatId| self.players.get(seat.ix()).is_some_and(|player| player.kind == Kind::Human);
        decision.seats.retain(human);
        decision.options.retain(|option| option.seat.as_ref().is_none_or(human));
        decision
    }

    /// Says that someone leaves.
    pub fn leave(&self, why: &str) {
        let kept = self.journal.as_ref().and_then(Keeper::path);
        let kept = kept.map(|path| format!("; {} holds it", path.display())).unwrap_or_default();
        if !self.is_over() {
            screen::say(&format!("{why}; the game is not over{kept}."));
        }
    }

    pub(super) fn undo(&mut self) {
        let mut game = self.game.undone();
        // Bots answer again as they did, so one goes back to a person's own answer.
        while let Some(before) = &game
            && self.table.is_asked(before)
        {
            game = before.undone();
        }
        match game.filter(|game| game.journal().len() >= self.begun) {
            Some(before) => {
                self.game = before;
                self.told = self.game.log().lines.len();
                screen::say("One answer taken back.");
                if let Some(journal) = &mut self.journal {
                    journal.keep(&self.game);
                }
            }
            None => screen::say("There is nothing to take back."),
        }
    }
}

//! A game in progress: people and bots answer, answers can be undone and redone, and every answer
//! is written to disk before the next question.
//!
//! The prompt and the JSON interface both play through [`GameSession`]. Nothing here prints:
//! problems that do not stop the game are collected as [`Notice`]s for the front end to show.

mod history;
mod journal_file;
mod notice;
mod save;

use std::path::{Path, PathBuf};
use std::rc::Rc;

pub use history::{RedoOutcome, UndoOutcome};
pub use notice::Notice;
pub use save::CopyOutcome;

use crate::agents::{AgentTable, Budget, Player, PlayerKind, RandomPlayer, setup_for};
use crate::content::SeatId;
use crate::game::{
    Agent as _, Decision, Game, GameHeader, Journal, JournalNotes, Question, Rules, Setup,
};
use crate::number::cast;
use crate::saves::Saves;
use history::UndoHistory;
use journal_file::JournalFile;

/// The setup of a game with a journal and a log.
///
/// # Errors
/// Returns a message if the initial state names something that the packs do not have.
pub fn recorded_setup(
    rules: &Rules,
    players: &[Player],
    header: &GameHeader,
) -> Result<Setup, String> {
    if let Some(initial) = &header.initial {
        initial.resolve(&rules.content, cast(players.len()))?;
    }
    Ok(Setup {
        initial: header.initial.clone(),
        campaign: (header.campaign.as_ref()).map(|campaign| campaign.name.clone()),
        journal: true,
        log: true,
        ..setup_for(players, header.seed)
    })
}

/// A game in progress.
pub struct GameSession {
    game: Game,
    table: AgentTable,
    players: Vec<Player>,
    header: GameHeader,
    history: UndoHistory,
    /// The file given with `--journal`.
    journal_file: Option<JournalFile>,
    autosave: Option<JournalFile>,
    /// The folder of saves; `None` if this game is not saved.
    saves: Option<Saves>,
    notices: Vec<Notice>,
    /// Whether [`Notice::BotFault`] was given; it is given only once.
    bot_fault_noted: bool,
}

impl GameSession {
    /// Creates a new game. Nothing is played before [`GameSession::begin`].
    ///
    /// # Errors
    /// Returns the reason if these players cannot play this game.
    pub fn new(
        rules: Rc<Rules>,
        players: Vec<Player>,
        header: GameHeader,
    ) -> Result<GameSession, String> {
        let setup = recorded_setup(&rules, &players, &header)?;
        let game = Game::new(rules, setup)?;
        Ok(GameSession::resumed(
            game,
            players,
            header,
            JournalNotes::default(),
        ))
    }

    /// Continues a game that was replayed from a journal with these notes.
    #[must_use]
    pub fn resumed(
        game: Game,
        players: Vec<Player>,
        header: GameHeader,
        notes: JournalNotes,
    ) -> GameSession {
        GameSession {
            table: AgentTable::new(&players, header.seed),
            history: UndoHistory::new(notes.begun.min(game.journal().len()), notes.hindsight),
            game,
            players,
            header,
            journal_file: None,
            autosave: None,
            saves: None,
            notices: Vec::new(),
            bot_fault_noted: false,
        }
    }

    /// Sets the search budget of bots.
    pub fn set_budget(&mut self, budget: Budget) {
        self.table = AgentTable::new(&self.players, self.header.seed).with_budget(budget);
    }

    /// Plays to the first question. A game that starts at a later point (`--at`,
    /// `--with counter=N`) is set up with random answers first. Returns the number of log lines of
    /// that setup, which need not be shown.
    ///
    /// # Errors
    /// Returns the reason if the game cannot be set up.
    pub fn begin(&mut self) -> Result<usize, String> {
        let mut setup_lines = 0;
        // The players set up a game of a campaign themselves.
        if self.header.initial.is_some() && self.header.campaign.is_none() {
            self.game.set_up_by(&mut RandomPlayer::new(0))?;
            self.history.set_start(self.game.journal().len());
            setup_lines = self.game.log().lines.len();
        }
        self.game.run();
        Ok(setup_lines)
    }

    /// Answers every question before the first round at random.
    ///
    /// # Errors
    /// Returns the reason if the game cannot be set up.
    pub fn set_up_randomly(&mut self) -> Result<(), String> {
        let mut random = RandomPlayer::new(self.game.state().seed);
        while self.game.state().round == 0
            && let Some(question) = self.game.pending()
        {
            let answer = random.decide(self.game.context(), question);
            self.game.answer(answer)?;
        }
        self.history.skip_setup(self.game.journal().len());
        Ok(())
    }

    /// Lets bots answer until a person is asked or the game is over. Every answer is written to
    /// disk before the next one.
    ///
    /// # Errors
    /// Returns the reason if the game refuses a bot's answer.
    pub fn advance(&mut self) -> Result<(), String> {
        loop {
            self.write_journals();
            let answer = match self.table.answer(&self.game) {
                Ok(answer) => answer,
                Err(reason) => {
                    self.note_bot_fault(reason);
                    self.table
                        .random_answer(&self.game, self.game.journal().len() as u64)
                }
            };
            match answer {
                Some(answer) => self.game.answer(answer)?,
                None => break,
            };
        }
        self.history.checkpoint(&self.game);
        if let Some(save) = &mut self.autosave {
            self.notices.extend(save.sync());
        }
        Ok(())
    }

    fn note_bot_fault(&mut self, reason: String) {
        if !std::mem::replace(&mut self.bot_fault_noted, true) {
            self.notices.push(Notice::BotFault(reason));
        }
    }

    /// Answers for a person, by option keys. Bots answer in the next [`GameSession::advance`].
    ///
    /// # Errors
    /// Returns the reason if the answer is not valid; the game is unchanged.
    pub fn answer(&mut self, seat: SeatId, keys: &[String]) -> Result<(), String> {
        self.game.answer_keys(seat, keys)?;
        self.history.clear_undone();
        Ok(())
    }

    /// Lets a bot answer a question that people may answer too. See [`GameSession::waiting_bots`].
    ///
    /// # Errors
    /// Returns the reason if the bot cannot answer.
    pub fn let_bot_answer(&mut self, bot: SeatId) -> Result<(), String> {
        if let Some(answer) = self.table.answer_first(&self.game, bot)? {
            self.game.answer(answer)?;
        }
        self.history.clear_undone();
        Ok(())
    }

    /// The bots that could answer now, but wait because people may answer too.
    #[must_use]
    pub fn waiting_bots(&self) -> Vec<SeatId> {
        let Some(question) = self.game.pending().filter(|question| !question.sealed) else {
            return Vec::new();
        };
        let asked = question
            .seats
            .iter()
            .filter(|seat| seat.ix() < self.players.len());
        asked.filter(|seat| !self.is_person(*seat)).collect()
    }

    /// Replaces the game after its packs were reloaded. Earlier undos can no longer be redone.
    pub fn replace_game(&mut self, game: Game, header: GameHeader) {
        self.game = game;
        self.header = header;
        self.history.clear_undone();
        let files = self.journal_file.iter_mut().chain(&mut self.autosave);
        files.for_each(|file| file.set_header(&self.header));
    }

    /// The game itself. It changes only through the session.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The header of this game's journal.
    #[must_use]
    pub const fn header(&self) -> &GameHeader {
        &self.header
    }

    /// Whether no more questions will be asked.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.pending().is_none()
    }

    /// The seats of people, in table order.
    #[must_use]
    pub fn people(&self) -> Vec<SeatId> {
        let seats = (0..self.players.len()).map(SeatId::at);
        seats.filter(|seat| self.is_person(*seat)).collect()
    }

    /// Whether a person plays at a seat.
    #[must_use]
    pub fn is_person(&self, seat: SeatId) -> bool {
        let player = self.players.get(seat.ix());
        player.is_some_and(|player| player.kind == PlayerKind::Human)
    }

    /// The reader of a shared screen: the only person at the table, or else the seat that is asked.
    /// `None` means that everything may be shown, because only bots play or the game is over.
    #[must_use]
    pub fn reader(&self) -> Option<SeatId> {
        if self.is_over() {
            return None;
        }
        match self.people()[..] {
            [] => None,
            [only] => Some(only),
            _ => self.game.pending().map(Question::seat),
        }
    }

    /// The decision, without the options of bots.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        let mut decision = self.game.decision()?;
        decision.seats.retain(|seat| self.is_person(*seat));
        let open_to_people = |seat: Option<SeatId>| seat.is_none_or(|seat| self.is_person(seat));
        decision
            .options
            .retain(|option| open_to_people(option.seat));
        Some(decision)
    }

    /// The progress of the game, apart from its answers.
    #[must_use]
    pub fn notes(&self) -> JournalNotes {
        JournalNotes {
            begun: self.history.start(),
            hindsight: self.history.hindsight(),
            round: self.game.state().round,
            over: self.is_over(),
        }
    }

    /// The whole game as a journal.
    #[must_use]
    pub fn journal(&self) -> Journal {
        Journal {
            header: self.header.clone(),
            lines: self.game.journal().to_vec(),
            notes: self.notes(),
        }
    }

    /// Takes the problems since the last call.
    #[must_use = "a notice is shown once"]
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// Also writes the journal to a new file. It is an error if the file exists.
    ///
    /// # Errors
    /// Returns the error of the file system.
    pub fn write_journal_to(&mut self, path: &Path) -> Result<(), String> {
        let file = JournalFile::create(path, &self.header)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        self.journal_file = Some(file);
        Ok(())
    }

    /// The file of [`GameSession::write_journal_to`], unless the last write failed.
    #[must_use]
    pub fn journal_path(&self) -> Option<PathBuf> {
        let file = self.journal_file.as_ref()?;
        file.path().map(Path::to_owned)
    }

    fn write_journals(&mut self) {
        let notes = self.notes();
        let lines = self.game.journal();
        for file in self.journal_file.iter_mut().chain(&mut self.autosave) {
            self.notices.extend(file.write(lines, notes));
        }
    }
}

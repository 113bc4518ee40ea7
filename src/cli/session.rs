//! A game between people and bots, line by line.

use std::path::PathBuf;

use super::Failure;
use super::keeper::Keeper;
use super::prompt;
use super::saves::hindsight;
use super::screen::{self, Tone};
use super::start::Thinking;
use super::summary;
use super::tell::{self, Detail};
use super::typed::{Typed, understand};
use super::undo::History;
use super::words::{self, After};
use crate::agents::{Kind, Player, Random, Table};
use crate::content::SeatId;
use crate::game::{Answer, Ask, Decision, Game, Header, Notes};
use crate::saves::Saves;

/// How a game is shown.
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Style {
    /// Show only what the story needs.
    #[arg(long, conflicts_with = "verbose")]
    brief: bool,
    /// Show everything that happens, and what caused it.
    #[arg(long)]
    verbose: bool,
    /// Write only plain letters, for terminals and fonts that know no others.
    #[arg(long)]
    ascii: bool,
    /// Play with open hands: everybody at the keyboard sees everything.
    #[arg(long)]
    open: bool,
}

impl Style {
    /// How much is told.
    pub const fn detail(self) -> Detail {
        match (self.brief, self.verbose) {
            (true, _) => Detail::Brief,
            (_, true) => Detail::Verbose,
            _ => Detail::Usual,
        }
    }
}

/// A game between people and bots.
pub struct Session {
    pub game: Game,
    table: Table,
    pub(super) players: Vec<Player>,
    /// What its journal begins with.
    pub header: Header,
    /// The journal that somebody wants, and where.
    pub journal: Option<Keeper>,
    /// The save that is kept without being asked.
    pub save: Option<Keeper>,
    /// Where saves are, if this game is one that is kept.
    pub saves: Option<Saves>,
    pub style: Style,
    /// For each seat, how many lines of the log were told to it.
    told: [usize; 8],
    /// Who reads what is shown, where several people share a keyboard.
    reading: Option<SeatId>,
    /// Whether the one who is asked has to take the keyboard first.
    handing: bool,
    /// Whether a person sits at a terminal, where a screen can be emptied.
    terminal: bool,
    /// What the panels that are always shown said last.
    status: String,
    pub history: History,
    /// What waits for a yes.
    pub(super) question: Option<Question>,
    /// The save that is to be played in the place of this game.
    pub next: Option<PathBuf>,
    /// The command that begins the same game once more.
    pub again: Option<String>,
    /// Whether a bot's script has failed.
    cannot_judge: bool,
}

/// Something that is done only if somebody says yes.
pub enum Question {
    /// To take an answer of a seat back, with hindsight.
    Undo(SeatId),
    /// To write over a named save.
    Save(String),
}

impl Session {
    /// A game before its set-up, or as far as it was played.
    pub fn new(game: Game, players: Vec<Player>, header: Header, style: Style) -> Session {
        screen::use_ascii(style.ascii);
        Session {
            game,
            table: Table::new(&players, header.seed),
            players,
            header,
            journal: None,
            save: None,
            saves: None,
            style,
            told: [0; 8],
            reading: None,
            handing: false,
            terminal: false,
            status: String::new(),
            history: History::default(),
            question: None,
            next: None,
            again: None,
            cannot_judge: false,
        }
    }

    /// Lets people who share a terminal read only what is theirs.
    pub const fn at_terminal(&mut self, terminal: bool) {
        self.terminal = terminal;
    }

    /// Says how long bots may think about an answer.
    pub fn think(&mut self, thinking: Option<Thinking>) {
        let budget = thinking.map(Thinking::budget).unwrap_or_default();
        self.table = Table::new(&self.players, self.header.seed).thinking(budget);
    }

    /// Plays to the first question. A game that begins in the middle of things is set up by chance.
    pub fn begin(&mut self) -> Result<(), Failure> {
        if self.header.initial.is_some() {
            self.game
                .set_up_by(&mut Random::new(0))
                .map_err(Failure::cannot)?;
            self.history.begun = self.game.journal().len();
            self.history.first = self.history.first.map(|_| self.history.begun);
            self.skip_telling();
        }
        self.game.run();
        Ok(())
    }

    /// Answers what is asked before the first turn by chance.
    pub fn set_up(&mut self) -> Result<(), Failure> {
        super::start::set_up(&mut self.game)?;
        self.history.first = self.history.first.map(|_| self.game.journal().len());
        Ok(())
    }

    /// Takes all that has happened as told.
    pub fn skip_telling(&mut self) {
        self.told = [self.game.log().lines.len(); 8];
    }

    /// Takes all but the last lines of what has happened as told.
    pub fn tell_last(&mut self, lines: usize) {
        self.told = [self.game.log().lines.len().saturating_sub(lines); 8];
    }

    /// Goes on with a game as it was, or as it is with other packs.
    pub fn go_to(&mut self, game: Game) {
        self.game = game;
        let all = self.game.log().lines.len();
        self.told = self.told.map(|told| told.min(all));
    }

    /// Lets bots answer until a person is asked or the game is over, and tells what happened.
    pub fn advance(&mut self) -> Result<(), Failure> {
        loop {
            self.keep();
            let answer = self
                .table
                .answer(&self.game)
                .unwrap_or_else(|why| self.without_judging(&why));
            match answer {
                Some(answer) => self.game.answer(answer).map_err(Failure::cannot)?,
                None => break,
            };
        }
        self.history.past.note(&self.game);
        if let Some(save) = &mut self.save {
            save.settle();
        }
        self.hand_over();
        self.tell();
        Ok(())
    }

    /// Writes what is new to disk.
    pub(super) fn keep(&mut self) {
        let notes = self.notes();
        for keeper in self.journal.iter_mut().chain(&mut self.save) {
            keeper.keep(self.game.journal(), notes);
        }
    }

    /// How far the game is, apart from its answers.
    pub(super) fn notes(&self) -> Notes {
        let History {
            begun, hindsight, ..
        } = self.history;
        Notes {
            begun,
            hindsight,
            round: self.game.state().round,
            over: self.is_over(),
        }
    }

    /// Any answer of a bot that cannot judge, because a script failed; says so once.
    fn without_judging(&mut self, why: &str) -> Option<Answer> {
        if !std::mem::replace(&mut self.cannot_judge, true) {
            let text =
                format!("A bot cannot judge how things stand, and plays on by chance: {why}.");
            screen::text(&text, Tone::Warning);
        }
        self.table.any_answer(&self.game)
    }

    /// Sees to it that whoever is asked sits at the keyboard, where several people share it.
    pub(super) fn hand_over(&mut self) {
        let asked = self.game.pending().map(Ask::seat);
        if self.style.open || asked.is_none() || asked == self.reading || self.people() < 2 {
            return;
        }
        self.handing = self.terminal && self.reading.is_some();
        self.reading = asked;
        self.status.clear();
        if self.handing {
            screen::clear();
        }
    }

    fn people(&self) -> usize {
        self.players
            .iter()
            .filter(|player| player.kind == Kind::Human)
            .count()
    }

    /// Whether nobody is asked any more.
    pub fn is_over(&self) -> bool {
        self.game.pending().is_none()
    }

    /// Shows what is asked.
    pub fn show(&mut self) {
        let Some(decision) = self.decision() else {
            return;
        };
        if self.handing {
            let who = decision
                .seats
                .first()
                .map(|seat| crate::game::names::seat(self.game.core(), *seat));
            return screen::text(
                &format!(
                    "{}, it is your turn. Press Enter when only you can see the screen.",
                    who.unwrap_or_default()
                ),
                Tone::Heading,
            );
        }
        self.show_status();
        prompt::show(&self.game, &decision, self.style.detail() != Detail::Brief);
        if let [bot, ..] = self.holding_back()[..] {
            let bot = crate::game::names::seat(self.game.core(), bot);
            screen::text(&format!("`let {bot}` lets {bot} act first."), Tone::Quiet);
        }
    }

    /// The bots that could act now and hold back, because a person may, too.
    fn holding_back(&self) -> Vec<SeatId> {
        let Some(ask) = self.game.pending().filter(|ask| !ask.sealed) else {
            return Vec::new();
        };
        let asked = (0..self.players.len())
            .map(SeatId::at)
            .filter(|seat| ask.seats.contains(*seat));
        asked.filter(|seat| !self.is_person(*seat)).collect()
    }

    /// Lets a bot act that holds back.
    pub(super) fn let_act(&mut self, name: &str) -> After {
        let called = |seat: &SeatId| {
            let own = crate::game::names::seat(self.game.core(), *seat).to_lowercase();
            own.starts_with(&name.to_lowercase())
        };
        let Some(bot) = self.holding_back().into_iter().find(called) else {
            screen::say(
                "No bot of that name could act now: it is not asked, or it is done and waits for you.",
            );
            return After::Told;
        };
        let answer = match self.table.answer_first(&self.game, bot) {
            Ok(answer) => answer,
            Err(why) => {
                screen::text(&why, Tone::Warning);
                return After::Told;
            }
        };
        let done = answer.map(|answer| self.game.answer(answer).map_err(Failure::cannot).map(drop));
        if let Err(failure) = done.unwrap_or(Ok(())).and_then(|()| self.advance()) {
            screen::say(&failure.message);
        }
        self.history.gone.clear();
        self.show();
        After::Asked
    }

    /// Shows what is asked in one line: the options were shown before.
    pub fn remind(&self) {
        let Some(decision) = self.decision().filter(|_| !self.handing) else {
            return;
        };
        let asked = prompt::asked(&self.game, &decision);
        let count = decision.options.len();
        let options = if count > 0 {
            format!(" (1 to {count}; `again` shows them)")
        } else {
            prompt::range(&decision)
        };
        screen::say("");
        screen::text(&format!("{asked}{options}"), Tone::Heading);
    }

    /// What the packs always show, if it is not what they showed last.
    fn show_status(&mut self) {
        let seat = self.reader().or_else(|| self.game.pending().map(Ask::seat));
        let status = words::status(&self.game, seat);
        if !status.is_empty() && status != self.status {
            screen::say("");
            screen::text(&status, Tone::Plain);
        }
        self.status = status;
    }

    /// The decision as people get it.
    pub fn decision(&self) -> Option<Decision> {
        self.game
            .decision()
            .map(|decision| prompt::arranged(self.for_people(decision)))
    }

    /// What may be typed here, for completion.
    pub fn completions(&self) -> Vec<String> {
        let options = self
            .decision()
            .map(|decision| decision.options)
            .unwrap_or_default();
        let labels = options
            .into_iter()
            .filter(|option| option.closed.is_none())
            .map(|option| option.label);
        labels.chain(words::all(&self.game)).collect()
    }

    /// Takes in a line that someone typed; gives whether that person leaves.
    pub fn hear(&mut self, line: &str) -> Result<bool, Failure> {
        if std::mem::take(&mut self.handing) && !matches!(line, "q" | "quit") {
            self.tell();
            self.show();
            return Ok(false);
        }
        if self.is_answered(line) {
            return Ok(false);
        }
        let Some(decision) = self.decision() else {
            return Ok(self.word(line) == After::Left);
        };
        if words::is_word(&self.game, line)
            && !decision.options.iter().any(|option| option.key == line)
        {
            let after = self.word(line);
            if after == After::Told {
                self.remind();
            }
            return Ok(after == After::Left);
        }
        match understand(&decision, line) {
            Typed::Keys(seat, keys) => match self.game.answer_keys(seat, &keys) {
                Ok(_) => {
                    self.history.gone.clear();
                    self.advance()?;
                    self.show();
                }
                Err(why) => {
                    screen::text(&format!("That does not work: {why}."), Tone::Warning);
                    self.remind();
                }
            },
            Typed::Several(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
                screen::text(
                    &format!("`{line}` could be {}.", numbers.join(" or ")),
                    Tone::Warning,
                );
                self.remind();
            }
            Typed::Word(word) if word.is_empty() => self.show(),
            Typed::Word(word) if self.undo_word(&word) => self.show(),
            Typed::Word(word) => {
                screen::text(
                    &format!("`{word}` is no option here; `?` helps."),
                    Tone::Warning,
                );
                self.remind();
            }
        }
        Ok(false)
    }

    /// Whether a line says yes or no to what waits for that; a yes is done.
    fn is_answered(&mut self, line: &str) -> bool {
        let Some(question) = self.question.take() else {
            return false;
        };
        match (line, question) {
            ("yes" | "y", Question::Undo(seat)) => {
                self.undo(Some(seat), true);
                self.show();
            }
            ("yes" | "y", Question::Save(name)) => self.save_over(&name),
            ("no" | "n", _) => screen::say("Then not."),
            _ => return false,
        }
        true
    }

    /// Whose eyes read the screen: those of the one person at the table, or of whoever is asked; with open hands, and when it is
    /// over, everything may be read.
    pub fn reader(&self) -> Option<SeatId> {
        if self.style.open || self.is_over() {
            return None;
        }
        let people: Vec<usize> = (0..self.players.len())
            .filter(|ix| self.players[*ix].kind == Kind::Human)
            .collect();
        match people[..] {
            [] => None,
            [only] => Some(SeatId::at(only)),
            _ => self.game.pending().map(Ask::seat),
        }
    }

    /// Tells what happened since the reader was told last.
    pub(super) fn tell(&mut self) {
        if self.handing {
            return;
        }
        let reader = self.reader();
        let all = self.game.log().lines.len();
        let of = reader.map_or(0, SeatId::ix);
        tell::lines(
            &self.game,
            self.told[of].min(all),
            reader,
            self.style.detail(),
        );
        match reader {
            Some(seat) => self.told[seat.ix()] = all,
            None => self.told = [all; 8],
        }
    }

    /// Tells the last lines once more.
    pub(super) fn tell_again(&self, lines: usize) {
        let from = tell::last(&self.game, lines, self.reader(), self.style.detail());
        tell::lines(&self.game, from, self.reader(), self.style.detail());
    }

    /// A decision without the lines that bots may choose.
    pub(super) fn for_people(&self, mut decision: Decision) -> Decision {
        let human = |seat: &SeatId| {
            self.players
                .get(seat.ix())
                .is_some_and(|player| player.kind == Kind::Human)
        };
        decision.seats.retain(human);
        decision
            .options
            .retain(|option| option.seat.as_ref().is_none_or(human));
        // Where only one person may answer, every line is that one's.
        if decision.seats.len() == 1 {
            decision
                .options
                .iter_mut()
                .for_each(|option| option.seat = None);
        }
        decision
    }

    /// Says that someone leaves, and how to go on.
    pub fn leave(&mut self, why: &str) {
        if self.is_over() {
            return;
        }
        self.put_away();
        let path = self.journal.as_ref().and_then(Keeper::path);
        let path = path
            .map(|path| format!("; {} holds it", path.display()))
            .unwrap_or_default();
        let save = self.save.as_ref().filter(|save| save.path().is_some());
        let save = save
            .map(|save| format!("; `kaer resume {}` goes on with it", save.name()))
            .unwrap_or_default();
        screen::say(&format!("{why}; the game is not over{path}{save}."));
    }

    /// Leaves the game where it is kept. Where no person has answered anything since, there is nothing to come back to.
    pub fn put_away(&mut self) {
        let Some(first) = self.history.first else {
            return;
        };
        let answered = self
            .game
            .journal()
            .iter()
            .skip(first)
            .any(|line| self.is_person(line.seat));
        if let Some(save) = self.save.take_if(|_| !answered) {
            save.remove();
        }
    }

    /// Says what a game came to that is over.
    pub fn end(&self) {
        summary::show(&self.game, self.again.as_deref());
        if let Some(words) = hindsight(self.history.hindsight) {
            screen::say(&format!("This game was {words}."));
        }
    }
}

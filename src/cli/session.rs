//! A game between people and bots, line by line.

use super::Failure;
use super::keeper::Keeper;
use super::prompt;
use super::screen::{self, Tone};
use super::tell::{self, Detail};
use super::typed::{Typed, understand};
use super::words::{self, After};
use crate::agents::{Kind, Player, Random, Table};
use crate::content::SeatId;
use crate::game::{Ask, Decision, Game};

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
    players: Vec<Player>,
    pub journal: Option<Keeper>,
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
    /// How many answers brought the game to where it began.
    begun: usize,
}

impl Session {
    /// A game before its set-up.
    pub fn new(game: Game, players: Vec<Player>, seed: u64, journal: Option<Keeper>, style: Style) -> Session {
        screen::use_ascii(style.ascii);
        Session {
            game,
            table: Table::new(&players, seed),
            players,
            journal,
            style,
            told: [0; 8],
            reading: None,
            handing: false,
            terminal: false,
            status: String::new(),
            begun: 0,
        }
    }

    /// Lets people who share a terminal read only what is theirs.
    pub const fn at_terminal(&mut self, terminal: bool) {
        self.terminal = terminal;
    }

    /// Plays to the first question. A game that begins in the middle of things is set up by chance.
    pub fn begin(&mut self, in_the_middle: bool) -> Result<(), Failure> {
        if !in_the_middle {
            self.game.run();
            return Ok(());
        }
        self.game.set_up_by(&mut Random::new(0)).map_err(Failure::cannot)?;
        self.begun = self.game.journal().len();
        self.skip_telling();
        self.game.run();
        Ok(())
    }

    /// Answers what is asked before the first turn by chance.
    pub fn set_up(&mut self) -> Result<(), Failure> {
        super::start::set_up(&mut self.game)
    }

    /// Takes all that has happened as told.
    pub fn skip_telling(&mut self) {
        self.told = [self.game.log().lines.len(); 8];
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
        self.hand_over();
        self.tell();
        Ok(())
    }

    /// Sees to it that whoever is asked sits at the keyboard, where several people share it.
    fn hand_over(&mut self) {
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
        self.players.iter().filter(|player| player.kind == Kind::Human).count()
    }

    /// Whether nobody is asked any more.
    pub fn is_over(&self) -> bool {
        self.game.pending().is_none()
    }

    /// Shows what is asked.
    pub fn show(&mut self) {
        let Some(decision) = self.decision() else { return };
        if self.handing {
            let who = decision.seats.first().map(|seat| crate::game::names::seat(self.game.core(), *seat));
            return screen::text(
                &format!("{}, it is your turn. Press Enter when only you can see the screen.", who.unwrap_or_default()),
                Tone::Heading,
            );
        }
        self.show_status();
        prompt::show(&self.game, &decision, self.style.detail() != Detail::Brief);
    }

    /// Shows what is asked in one line: the options were shown before.
    pub fn remind(&self) {
        let Some(decision) = self.decision().filter(|_| !self.handing) else { return };
        let asked = prompt::asked(&self.game, &decision);
        let count = decision.options.len();
        let options = if count > 0 { format!(" (1 to {count}; `again` shows them)") } else { prompt::range(&decision) };
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
        self.game.decision().map(|decision| prompt::arranged(self.for_people(decision)))
    }

    /// What may be typed here, for completion.
    pub fn completions(&self) -> Vec<String> {
        let options = self.decision().map(|decision| decision.options).unwrap_or_default();
        let labels = options.into_iter().filter(|option| option.closed.is_none()).map(|option| option.label);
        labels.chain(words::all(&self.game)).collect()
    }

    /// Takes in a line that someone typed; gives whether that person leaves.
    pub fn hear(&mut self, line: &str) -> Result<bool, Failure> {
        if std::mem::take(&mut self.handing) && !matches!(line, "q" | "quit") {
            self.tell();
            self.show();
            return Ok(false);
        }
        let Some(decision) = self.decision() else { return Ok(self.word(line) == After::Left) };
        if words::is_word(&self.game, line) && !decision.options.iter().any(|option| option.key == line) {
            let after = self.word(line);
            if after == After::Told {
                self.remind();
            }
            return Ok(after == After::Left);
        }
        match understand(&decision, line) {
            Typed::Keys(seat, keys) => match self.game.answer_keys(seat, &keys) {
                Ok(_) => {
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
                screen::text(&format!("`{line}` could be {}.", numbers.join(" or ")), Tone::Warning);
                self.remind();
            }
            Typed::Word(word) if word.is_empty() => self.show(),
            Typed::Word(word) => {
                screen::text(&format!("`{word}` is no option here; `?` helps."), Tone::Warning);
                self.remind();
            }
        }
        Ok(false)
    }

    /// Whose eyes read the screen: those of the one person at the table, or of whoever is asked; with open hands, and when it is
    /// over, everything may be read.
    pub fn reader(&self) -> Option<SeatId> {
        if self.style.open || self.is_over() {
            return None;
        }
        let people: Vec<usize> = (0..self.players.len()).filter(|ix| self.players[*ix].kind == Kind::Human).collect();
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
        tell::lines(&self.game, self.told[of].min(all), reader, self.style.detail());
        match reader {
            Some(seat) => self.told[seat.ix()] = all,
            None => self.told = [all; 8],
        }
    }

    /// Tells the last lines of the log once more.
    pub(super) fn tell_again(&self, lines: usize) {
        let all = self.game.log().lines.len();
        tell::lines(&self.game, all.saturating_sub(lines), self.reader(), self.style.detail());
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
        match self.table.undone(&self.game, self.begun) {
            Some(before) => {
                self.game = before;
                self.skip_telling();
                screen::say("One answer taken back.");
                if let Some(journal) = &mut self.journal {
                    journal.keep(&self.game);
                }
            }
            None => screen::say("There is nothing to take back."),
        }
    }
}

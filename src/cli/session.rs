//! A game at the prompt: shows events and decisions, and handles typed lines.

use std::path::PathBuf;

use super::Failure;
use super::answer_parser::{TypedInput, parse_answer};
use super::log_output::{self, LogDetail};
use super::prompt;
use super::prompt_commands::{self, CommandEffect};
use super::saves::hindsight;
use super::screen::{self, Tone};
use super::summary;
use crate::content::{ModeDef, SeatId};
use crate::game::render::grammar;
use crate::game::{Decision, Game, Question, names};
use crate::session::{GameSession, Notice};

/// How a game is displayed.
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct DisplayStyle {
    /// Show only the most important events.
    #[arg(long, conflicts_with = "verbose")]
    brief: bool,
    /// Show every event, and what caused it.
    #[arg(long)]
    verbose: bool,
    /// Print ASCII only, for terminals without Unicode.
    #[arg(long)]
    ascii: bool,
    /// Play with open hands: everyone at the keyboard sees everything.
    #[arg(long)]
    open: bool,
}

impl DisplayStyle {
    pub const fn detail(self) -> LogDetail {
        match (self.brief, self.verbose) {
            (true, _) => LogDetail::Brief,
            (_, true) => LogDetail::Verbose,
            _ => LogDetail::Normal,
        }
    }
}

/// A game at the prompt.
pub struct PromptSession {
    pub inner: GameSession,
    pub style: DisplayStyle,
    /// For each seat, the number of log lines it has seen.
    seen: [usize; 8],
    /// The seat of the person at a shared keyboard.
    at_keyboard: Option<SeatId>,
    /// Whether the next person has not taken the keyboard yet.
    handing_over: bool,
    /// Whether output goes to a terminal, whose screen can be cleared.
    is_terminal: bool,
    /// The status text that was shown last.
    status: String,
    /// The action that waits for confirmation.
    pub(super) question: Option<Confirmation>,
    /// The save to switch to.
    pub next: Option<PathBuf>,
    /// The command that starts the same game again.
    pub command: Option<String>,
}

/// An action that needs confirmation.
pub enum Confirmation {
    /// Undo a seat's answer, although information has been revealed since.
    Undo(SeatId),
    /// Overwrite a save.
    Overwrite(String),
}

impl PromptSession {
    pub fn new(inner: GameSession, style: DisplayStyle, command: Option<String>) -> PromptSession {
        screen::use_ascii(style.ascii);
        PromptSession {
            inner,
            style,
            seen: [0; 8],
            at_keyboard: None,
            handing_over: false,
            is_terminal: false,
            status: String::new(),
            question: None,
            next: None,
            command,
        }
    }

    pub const fn game(&self) -> &Game {
        self.inner.game()
    }

    /// Clears the screen between people who share it.
    pub const fn at_terminal(&mut self, is_terminal: bool) {
        self.is_terminal = is_terminal;
    }

    /// Plays to the first question.
    pub fn begin(&mut self) -> Result<(), Failure> {
        let setup_lines = self.inner.begin().map_err(Failure::error)?;
        self.seen = [setup_lines; 8];
        Ok(())
    }

    /// Marks the whole log as seen.
    pub fn skip_log(&mut self) {
        self.skip_log_except(0);
    }

    /// Marks the log as seen, except the last lines.
    pub fn skip_log_except(&mut self, lines: usize) {
        self.seen = [self.game().log().lines.len().saturating_sub(lines); 8];
    }

    /// Adjusts to a log that was shortened by an undo or a reload.
    pub fn on_log_truncated(&mut self) {
        let length = self.game().log().lines.len();
        self.seen = self.seen.map(|seen| seen.min(length));
    }

    /// Lets bots answer until a person is asked or the game is over, and shows what happened.
    pub fn advance(&mut self) -> Result<(), Failure> {
        let result = self.inner.advance();
        self.show_notices();
        result.map_err(Failure::error)?;
        self.hand_over();
        self.show_log();
        Ok(())
    }

    pub(super) fn show_notices(&mut self) {
        for notice in self.inner.take_notices() {
            match notice {
                Notice::BotFault(_) => screen::print_wrapped(&notice.to_string(), Tone::Warning),
                notice => screen::print_error(&notice.to_string()),
            }
        }
    }

    /// Asks the next person to take a shared keyboard.
    pub(super) fn hand_over(&mut self) {
        let asked = self.game().pending().map(Question::seat);
        let shared = !self.style.open && self.inner.people().len() > 1;
        if !shared || asked.is_none() || asked == self.at_keyboard {
            return;
        }
        self.handing_over = self.is_terminal && self.at_keyboard.is_some();
        self.at_keyboard = asked;
        self.status.clear();
        if self.handing_over {
            screen::clear();
        }
    }

    pub fn is_over(&self) -> bool {
        self.inner.is_over()
    }

    /// Shows the decision.
    pub fn show(&mut self) {
        let Some(decision) = self.decision() else {
            return;
        };
        if self.handing_over {
            let seat = decision.seats.first().copied().unwrap_or(SeatId(0));
            let who = names::seat(self.game().context(), seat);
            let reason = if self.is_turn_of(seat) {
                "it is your turn"
            } else {
                "you have a decision to make"
            };
            return screen::print_wrapped(
                &format!("{who}, {reason}. Press Enter when only you can see the screen."),
                Tone::Heading,
            );
        }
        self.show_status();
        prompt::show(
            self.game(),
            &decision,
            self.style.detail() != LogDetail::Brief,
        );
        if let [bot, ..] = self.inner.waiting_bots()[..] {
            let bot = names::seat(self.game().context(), bot);
            screen::print_wrapped(&format!("`let {bot}` lets {bot} act first."), Tone::Quiet);
        }
    }

    fn is_turn_of(&self, seat: SeatId) -> bool {
        let game = self.game();
        let has_turns = |mode: &ModeDef| mode.turn.is_some();
        game.state().round > 0
            && game.content().mode.as_ref().is_some_and(has_turns)
            && game.context().active() == seat
    }

    /// Lets a bot answer before the people who are asked.
    pub(super) fn let_bot_act(&mut self, name: &str) -> CommandEffect {
        let has_name = |seat: &SeatId| {
            let own = names::seat(self.game().context(), *seat).to_lowercase();
            own.starts_with(&name.to_lowercase())
        };
        let Some(bot) = self.inner.waiting_bots().into_iter().find(has_name) else {
            screen::print(&match name {
                "" => "No bot can act before you now.".to_owned(),
                name => format!("No bot called `{name}` can act now."),
            });
            return CommandEffect::Reprompt;
        };
        if let Err(reason) = self.inner.let_bot_answer(bot) {
            screen::print_wrapped(&reason, Tone::Warning);
            return CommandEffect::Reprompt;
        }
        if let Err(failure) = self.advance() {
            screen::print(&failure.message);
        }
        self.show();
        CommandEffect::AlreadyPrompted
    }

    /// Shows the decision in one line, because the options were shown before. A pending
    /// confirmation comes first.
    pub fn show_prompt_line(&self) {
        let waits = self.handing_over || self.question.is_some();
        let Some(decision) = self.decision().filter(|_| !waits) else {
            return;
        };
        let asked = prompt::asked(self.game(), &decision);
        let options = match (decision.options.len(), decision.form) {
            (0, _) => prompt::range(self.game(), &decision),
            (1, "one") => " (option 1; `again` lists it)".to_owned(),
            (count, "one") => format!(" (options 1 to {count}; `again` lists them)"),
            _ => {
                let range = prompt::range(self.game(), &decision);
                match range.strip_suffix(')') {
                    Some(range) => format!("{range}; `again` lists the options)"),
                    None => " (`again` lists the options)".to_owned(),
                }
            }
        };
        screen::print("");
        screen::print_wrapped(&format!("{asked}{options}"), Tone::Heading);
    }

    /// Shows the pinned panels of the packs, if they have changed.
    fn show_status(&mut self) {
        let seat = self
            .reader()
            .or_else(|| self.game().pending().map(Question::seat));
        let status = prompt_commands::status(self.game(), seat);
        if !status.is_empty() && status != self.status {
            screen::print("");
            screen::print_wrapped(&status, Tone::Plain);
        }
        self.status = status;
    }

    /// The decision for display: in groups, and without seats if only one person may answer.
    pub fn decision(&self) -> Option<Decision> {
        let mut decision = self.inner.decision()?;
        if decision.seats.len() == 1 {
            let options = decision.options.iter_mut();
            options.for_each(|option| option.seat = None);
        }
        Some(prompt::arranged(decision))
    }

    /// The possible completions of a line.
    pub fn completions(&self) -> Vec<String> {
        let options = self
            .decision()
            .map(|decision| decision.options)
            .unwrap_or_default();
        let labels = options
            .into_iter()
            .filter(|option| option.closed.is_none())
            .map(|option| option.label);
        labels.chain(prompt_commands::all(self.game())).collect()
    }

    /// Handles a line; returns whether the user quits.
    pub fn handle_line(&mut self, line: &str) -> Result<bool, Failure> {
        if std::mem::take(&mut self.handing_over) && !matches!(line, "q" | "quit") {
            self.show_log();
            self.show();
            return Ok(false);
        }
        if self.answers_question(line) {
            return Ok(false);
        }
        let Some(decision) = self.decision() else {
            return Ok(self.run_command(line) == CommandEffect::Quit);
        };
        if prompt_commands::is_command(self.game(), line)
            && !decision.options.iter().any(|option| option.key == line)
        {
            let after = self.run_command(line);
            if after == CommandEffect::Reprompt {
                self.show_prompt_line();
            }
            return Ok(after == CommandEffect::Quit);
        }
        match parse_answer(&decision, line) {
            TypedInput::Keys(seat, keys) => {
                if let Err(reason) = self.answer(&decision, seat, &keys)? {
                    self.warn(&reason);
                }
            }
            TypedInput::Several(numbers) => {
                self.warn(&format!(
                    "`{line}` matches options {}. Type a number.",
                    grammar::join_numbers(&numbers)
                ));
            }
            TypedInput::Word(word) if word.is_empty() => self.show(),
            TypedInput::Word(word) => match self.run_undo_command(&word) {
                Some(CommandEffect::Reprompt) => self.show_prompt_line(),
                Some(_) => {}
                None if word.parse::<usize>().is_ok() && !decision.options.is_empty() => {
                    self.warn(&match decision.options.len() {
                        1 => format!("There is no option {word}; the only option is 1."),
                        count => format!("There is no option {word}. Choose 1 to {count}."),
                    });
                }
                None => self.warn(&format!("No option matches `{word}`. Type ? for help.")),
            },
        }
        Ok(false)
    }

    /// Answers and continues the game; returns the reason if the answer is not valid.
    fn answer(
        &mut self,
        decision: &Decision,
        seat: SeatId,
        keys: &[String],
    ) -> Result<Result<(), String>, Failure> {
        match self.inner.answer(seat, keys) {
            Ok(()) => {
                self.advance()?;
                self.show();
                Ok(Ok(()))
            }
            Err(reason) => {
                let mut options = decision.options.iter();
                let closed = options.find_map(|option| {
                    let reason = option.closed.as_deref()?;
                    keys.contains(&option.key).then(|| screen::sentence(reason))
                });
                Ok(Err(closed.unwrap_or_else(|| screen::sentence(&reason))))
            }
        }
    }

    fn warn(&self, message: &str) {
        screen::print_wrapped(message, Tone::Warning);
        self.show_prompt_line();
    }

    /// Handles a yes or no to the pending confirmation; returns whether the line was one of them.
    fn answers_question(&mut self, line: &str) -> bool {
        let Some(question) = self.question.take() else {
            return false;
        };
        match (line, question) {
            ("yes" | "y", Confirmation::Undo(seat)) => {
                if self.undo(Some(seat), true) {
                    self.show();
                    return true;
                }
            }
            ("yes" | "y", Confirmation::Overwrite(name)) => self.save_copy(&name, true),
            ("no" | "n", _) => screen::print("Cancelled."),
            _ => return false,
        }
        self.show_prompt_line();
        true
    }

    /// The seat that reads the screen; `None` shows everything.
    pub fn reader(&self) -> Option<SeatId> {
        if self.style.open {
            return None;
        }
        self.inner.reader()
    }

    /// Shows what has happened since the reader last saw the log.
    pub(super) fn show_log(&mut self) {
        if self.handing_over {
            return;
        }
        let reader = self.reader();
        let length = self.game().log().lines.len();
        let seen = self.seen[reader.map_or(0, SeatId::ix)];
        log_output::lines(self.game(), seen.min(length), reader, self.style.detail());
        match reader {
            Some(seat) => self.seen[seat.ix()] = length,
            None => self.seen = [length; 8],
        }
    }

    /// Shows the last lines of the log again.
    pub(super) fn show_log_again(&self, lines: usize) {
        let detail = self.style.detail();
        let from = log_output::last(self.game(), lines, self.reader(), detail);
        log_output::lines(self.game(), from, self.reader(), detail);
    }

    /// Prints where an unfinished game is saved.
    pub fn leave(&mut self) {
        if self.is_over() {
            return;
        }
        let discarded = self.inner.close();
        let saved = match self.inner.save_name().filter(|_| self.inner.is_saved()) {
            Some(name) => format!("Saved. Continue with `kaer resume {name}`."),
            None if discarded => "Nothing to save yet.".to_owned(),
            None => "The game is not saved.".to_owned(),
        };
        let journal = self
            .inner
            .journal_path()
            .map(|path| format!(" The journal is {}.", path.display()));
        screen::print(&format!("{saved}{}", journal.unwrap_or_default()));
    }

    /// Shows the result of a finished game.
    pub fn show_result(&self) {
        summary::show(self.game(), self.command.as_deref());
        if let Some(undos) = hindsight(self.inner.hindsight()) {
            screen::print(&format!("This game had {undos}."));
        }
    }
}

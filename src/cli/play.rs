//! `kaer play`: a game at a plain prompt.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use super::prompt::{self, Typed};
use super::start::{self, Chosen, Flags};
use super::{Failure, refuse, screen};
use crate::agents::{Kind, Player, Table, seated};
use crate::content::SeatId;
use crate::game::{Decision, Game, Setup, Status, Val, names, text};
use crate::shelf::{ModeLine, Shelf};

/// What `kaer play` takes.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Args {
    #[command(flatten)]
    flags: Flags,
    /// Write the journal to this file, an answer a line; `kaer replay` reads it.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// Plays.
pub fn run(args: &Args) -> Result<(), Failure> {
    let shelf = args.flags.packs.shelf()?;
    if !shelf.report.is_sound() {
        return Err(refuse(&shelf, &shelf.report));
    }
    let Some(mode) = choose_mode(&shelf, &args.flags)? else { return Ok(()) };
    let mut chosen = start::open(&shelf, &args.flags, &mode)?;
    let players = seat_players(&chosen, &args.flags)?;
    chosen.header.players = players.iter().map(|player| (player.name.clone(), player.who())).collect();
    // Before anything is written.
    let setup = Setup { journal: true, log: true, ..seated(&players, chosen.header.seed) };
    let game = Game::new(chosen.rules.clone(), setup).map_err(Failure::cannot)?;
    let journal = args.journal.as_ref().map(|path| Keeper::begin(path, &chosen)).transpose()?;
    screen::say(&format!("{} — seed {}", mode.title, chosen.header.seed));
    Session { game, table: Table::new(&players, chosen.header.seed), players, journal, told: 0 }.play()
}

/// The mode that flags name, or the one someone picks from a menu; `None` when nobody picks.
fn choose_mode(shelf: &Shelf, flags: &Flags) -> Result<Option<ModeLine>, Failure> {
    let modes = shelf.modes();
    if let Some(wanted) = &flags.mode {
        return start::find_mode(&modes, wanted).map(Some);
    }
    match modes.len() {
        0 => return Err(Failure::cannot("no pack with a mode was found")),
        1 => return Ok(modes.into_iter().next()),
        _ => {}
    }
    screen::say("What shall it be?");
    for (ix, mode) in modes.iter().enumerate() {
        screen::say(&format!("  {:>2}  {} ({}, {})", ix + 1, mode.title, mode.pack, mode.players()));
    }
    while let Some(line) = prompt::line() {
        let number = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).and_then(|ix| modes.get(ix));
        match number.cloned().map_or_else(|| start::find_mode(&modes, &line), Ok) {
            _ if matches!(line.as_str(), "q" | "quit") => return Ok(None),
            Ok(mode) => return Ok(Some(mode)),
            Err(failure) => screen::say(&failure.message),
        }
    }
    Ok(None)
}

/// The players that flags name; else a person and as many bots as the mode needs.
fn seat_players(chosen: &Chosen, flags: &Flags) -> Result<Vec<Player>, Failure> {
    let named = start::players(&flags.players)?;
    let least = chosen.rules.content.mode.as_ref().map_or(1, |mode| usize::from(mode.seats_min));
    if !named.is_empty() {
        return Ok(named);
    }
    let bot = |n: usize| Player::new(format!("Bot {n}"), Kind::bot(&chosen.rules.content));
    Ok(std::iter::once(Player::new("You", Kind::Human)).chain((2..=least).map(bot)).collect())
}

/// The journal on disk: every answer is there before the next prompt.
struct Keeper {
    file: File,
    path: PathBuf,
    header: String,
    written: usize,
}

impl Keeper {
    fn begin(path: &PathBuf, chosen: &Chosen) -> Result<Keeper, Failure> {
        let header = chosen.header.text();
        let opened = OpenOptions::new().write(true).create_new(true).open(path);
        let file = opened.map_err(|error| Failure::cannot(format!("{}: {error}", path.display())))?;
        let mut keeper = Keeper { file, path: path.clone(), header, written: 0 };
        let header = keeper.header.clone();
        keeper.append(&header)?;
        Ok(keeper)
    }

    fn append(&mut self, text: &str) -> Result<(), Failure> {
        let done = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        done.map_err(|error| Failure::cannot(format!("{}: {error}", self.path.display())))
    }

    /// Writes the answers that are new; after an undo, the whole file.
    fn keep(&mut self, game: &Game) -> Result<(), Failure> {
        let lines = game.journal();
        if lines.len() < self.written {
            let whole: String = lines.iter().map(|line| line.text() + "\n").collect();
            let text = format!("{}{whole}", self.header);
            let beside = self.path.with_extension("kaer-new");
            let done = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &self.path));
            done.map_err(|error| Failure::cannot(format!("{}: {error}", self.path.display())))?;
            let opened = OpenOptions::new().append(true).open(&self.path);
            self.file = opened.map_err(|error| Failure::cannot(format!("{}: {error}", self.path.display())))?;
        } else {
            let new: String = lines[self.written..].iter().map(|line| line.text() + "\n").collect();
            self.append(&new)?;
        }
        self.written = lines.len();
        Ok(())
    }
}

/// A game between people and bots.
struct Session {
    game: Game,
    table: Table,
    players: Vec<Player>,
    journal: Option<Keeper>,
    told: usize,
}

impl Session {
    fn play(mut self) -> Result<(), Failure> {
        let mut status = self.game.run();
        loop {
            if let Some(journal) = &mut self.journal {
                journal.keep(&self.game)?;
            }
            if status == Status::Over {
                self.tell();
                return Ok(());
            }
            if let Some(answer) = self.table.answer(&self.game).map_err(Failure::cannot)? {
                status = self.game.answer(answer).map_err(Failure::cannot)?;
                continue;
            }
            self.tell();
            match self.ask()? {
                Some(next) => status = next,
                None => return Ok(()),
            }
        }
    }

    /// The one person at the table, who alone reads the log; several people read what all may see.
    fn reader(&self) -> Option<SeatId> {
        let people: Vec<usize> = (0..self.players.len()).filter(|ix| self.players[*ix].kind == Kind::Human).collect();
        match people[..] {
            [] => None,
            [only] => Some(SeatId::at(only)),
            _ => self.game.pending().map(crate::game::Ask::seat),
        }
    }

    /// Tells what happened since the last time.
    fn tell(&mut self) {
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

    /// Asks until an answer fits; `None` when the person leaves.
    fn ask(&mut self) -> Result<Option<Status>, Failure> {
        loop {
            let Some(decision) = self.game.decision() else { return Ok(Some(Status::Over)) };
            let decision = self.for_people(decision);
            prompt::show(&self.game, &decision);
            match prompt::read(&decision) {
                Typed::End => {
                    self.leave("The input ended");
                    return Ok(None);
                }
                Typed::Keys(seat, keys) => match self.game.answer_keys(seat, &keys) {
                    Ok(status) => return Ok(Some(status)),
                    Err(why) => screen::say(&format!("That does not work: {why}")),
                },
                Typed::Word(word) => {
                    if self.word(&word)? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// A decision without the lines that bots may choose.
    fn for_people(&self, mut decision: Decision) -> Decision {
        let human = |seat: &SeatId| self.players.get(seat.ix()).is_some_and(|player| player.kind == Kind::Human);
        decision.seats.retain(human);
        decision.options.retain(|option| option.seat.as_ref().is_none_or(human));
        decision
    }

    fn leave(&self, why: &str) {
        let kept = match &self.journal {
            Some(journal) => format!("; {} holds it", journal.path.display()),
            None => String::new(),
        };
        screen::say(&format!("{why}; the game is not over{kept}."));
    }

    /// Does what a word asks for; gives whether the person leaves.
    fn word(&mut self, word: &str) -> Result<bool, Failure> {
        match word {
            "" => {}
            "q" | "quit" => {
                self.leave("You leave");
                return Ok(true);
            }
            "?" | "help" => screen::say(
                "Type the number or the name of an option. Also: me, table, log, undo, quit, and the pack's own words.",
            ),
            "log" => {
                self.told = self.told.saturating_sub(30);
                self.tell();
            }
            "me" | "table" => self.show_view(word == "me"),
            "undo" => self.undo()?,
            other => {
                if !panel(&mut self.game, other) {
                    screen::say(&self.puzzled(other));
                }
            }
        }
        Ok(false)
    }

    /// What to say to a word that fits no option, or several.
    fn puzzled(&self, word: &str) -> String {
        let wanted = word.to_lowercase();
        let decision = self.game.decision().map(|decision| self.for_people(decision));
        let options = decision.iter().flat_map(|decision| decision.options.iter().enumerate());
        let fitting = options.filter(|(_, option)| option.label.to_lowercase().starts_with(&wanted));
        let numbers: Vec<String> = fitting.map(|(ix, _)| (ix + 1).to_string()).collect();
        if numbers.len() > 1 {
            return format!("`{word}` could be {}.", numbers.join(" or "));
        }
        format!("`{word}` is no option here; `?` helps.")
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let mut game = self.game.undone();
        // Bots answer again as they did, so one goes back to a person's own answer.
        while let Some(before) = &game
            && self.table.is_asked(before)
        {
            game = before.undone();
        }
        match game {
            Some(before) => {
                self.game = before;
                self.told = self.game.log().lines.len();
                screen::say("One answer taken back.");
                if let Some(journal) = &mut self.journal {
                    journal.keep(&self.game)?;
                }
            }
            None => screen::say("There is nothing to take back."),
        }
        Ok(())
    }

    fn show_view(&self, own: bool) {
        let seat = self.game.pending().map_or(SeatId(0), crate::game::Ask::seat);
        let view = self.game.view(seat);
        let owners: Vec<_> = if own {
            view.seats.get(seat.ix()).into_iter().collect()
        } else {
            std::iter::once(&view.table).chain(&view.seats).chain(&view.places).collect()
        };
        for owner in owners {
            show_owner(owner);
        }
    }
}

fn show_owner(owner: &crate::game::view::OwnerView) {
    let place = owner.place.as_deref().map(|place| format!(", at {place}")).unwrap_or_default();
    screen::say(&format!("{}{place}", owner.name));
    let counters: Vec<String> = owner.counters.iter().map(|(name, value)| format!("{name} {value}")).collect();
    if !counters.is_empty() {
        screen::say(&format!("  {}", counters.join(", ")));
    }
    if !owner.marks.is_empty() {
        screen::say(&format!("  {}", owner.marks.join(", ")));
    }
    for zone in owner.zones.iter().filter(|zone| zone.count > 0) {
        let pieces: Vec<&str> = zone.pieces.iter().map(|piece| piece.title.as_str()).collect();
        let list = if pieces.is_empty() { String::new() } else { format!(": {}", pieces.join(", ")) };
        screen::say(&format!("  {} ({}){list}", zone.title, zone.count));
    }
}

/// Shows the panel of a word; gives whether there is one.
fn panel(game: &mut Game, word: &str) -> bool {
    let found = game.content().panels.iter().find(|panel| &*panel.word == word).cloned();
    let Some(panel) = found else { return false };
    match game.look(panel.show, panel.entry) {
        Ok(shown) => {
            let core = game.core();
            let lines = match &shown {
                Val::List(lines) => lines.iter().map(|line| names::val(core, line)).collect(),
                shown => vec![names::val(core, shown)],
            };
            for line in lines.iter().flat_map(|line| line.lines()) {
                screen::say(line);
            }
        }
        Err(why) => screen::say(&format!("This panel's script failed: {why}")),
    }
    true
}

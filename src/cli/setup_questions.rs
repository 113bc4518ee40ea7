//! Asks for everything that flags leave open before a game. Enter chooses the default.

use super::game_args::{self, SetupArgs};
use super::line_reader::{InputLine, LineReader};
use super::screen::{self, Tone};
use crate::agents::{Player, PlayerKind};
use crate::content::{Content, EntryId};
use crate::diagnostic::sanitize;
use crate::library::{ModeInfo, PackLibrary};
use crate::pack::{self, Entry, OfferedOption};

/// The person quit during the questions.
pub struct InputClosed;

const HELP: &str = "Enter takes the default. Otherwise type a number from the list or the beginning of a name; `quit` quits. In the game, `?` \
     lists all commands.";

/// Asks the person at the terminal.
pub struct SetupQuestions<'a>(pub &'a mut LineReader);

impl SetupQuestions<'_> {
    fn line(&mut self) -> Result<String, InputClosed> {
        match self.0.read(Vec::new) {
            InputLine::Line(line) if matches!(line.as_str(), "q" | "quit") => Err(InputClosed),
            InputLine::Line(line) => Ok(line),
            InputLine::Interrupted | InputLine::Eof => Err(InputClosed),
        }
    }

    /// Asks until the answer is valid.
    fn ask<T>(
        &mut self,
        question: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, InputClosed> {
        screen::print("");
        screen::print_wrapped(question, Tone::Heading);
        loop {
            let typed = self.line()?;
            if matches!(typed.as_str(), "?" | "help") {
                screen::print_wrapped(HELP, Tone::Plain);
                continue;
            }
            match parse(&typed) {
                Ok(answer) => return Ok(answer),
                Err(reason) => screen::print_wrapped(&reason, Tone::Warning),
            }
        }
    }

    /// Asks for one item of a list, by number or by a prefix of its name. Enter chooses the first.
    fn choose_one(&mut self, question: &str, lines: &[String]) -> Result<usize, InputClosed> {
        let listed = numbered(lines);
        self.ask(&format!("{question}\n{listed}"), |typed| {
            pick(typed, lines, "")
        })
    }

    pub fn mode(&mut self, modes: &[ModeInfo]) -> Result<ModeInfo, InputClosed> {
        let lines: Vec<String> = modes
            .iter()
            .map(|mode| format!("{} ({}, {})", mode.title, mode.pack, mode.players()))
            .collect();
        Ok(modes[self.choose_one("Which game? (Enter for 1)", &lines)?].clone())
    }

    /// Asks for expansions, options and the seed.
    pub fn packs_and_options(
        &mut self,
        library: &PackLibrary,
        mode: &ModeInfo,
        setup_args: &mut SetupArgs,
    ) -> Result<(), InputClosed> {
        if setup_args.with.is_empty() {
            self.expansions(library, mode, setup_args)?;
        }
        if setup_args.options.is_empty() {
            self.options(library, mode, setup_args)?;
        }
        if setup_args.seed.is_none() {
            setup_args.seed = self.ask(
                "Which seed? The same seed gives the same game. (Enter for a random one)",
                |typed| {
                    if typed.is_empty() {
                        Ok(None)
                    } else {
                        game_args::parse_seed(typed).map(Some)
                    }
                },
            )?;
        }
        Ok(())
    }

    /// Asks for expansions. Those that cannot be added are listed with the reason.
    fn expansions(
        &mut self,
        library: &PackLibrary,
        mode: &ModeInfo,
        setup_args: &mut SetupArgs,
    ) -> Result<(), InputClosed> {
        let choice = game_args::choice(library, setup_args, mode);
        let incompatibility = |more: &[&String]| {
            let mut choice = choice.clone();
            choice.with.extend(more.iter().map(|id| (*id).clone()));
            library.incompatibility(&choice)
        };
        let (mut available, mut unavailable) = (Vec::new(), Vec::new());
        for pack in library.expansions(&mode.name) {
            let manifest = &pack.manifest;
            if choice.with.contains(&manifest.id) {
                continue;
            }
            match incompatibility(&[&manifest.id]) {
                Some(reason) => unavailable.push(format!("Not available: {reason}.")),
                None => available.push(manifest),
            }
        }
        unavailable
            .iter()
            .for_each(|line| screen::print_wrapped(line, Tone::Quiet));
        if available.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = available
            .iter()
            .map(|pack| described(&pack.title, &pack.description))
            .collect();
        let question = "Add expansions? (numbers; Enter for none)";
        let chosen = self.choose_any(question, &lines, |chosen| {
            let ids: Vec<&String> = chosen.iter().map(|ix| &available[*ix].id).collect();
            incompatibility(&ids).map_or(Ok(()), |reason| Err(format!("{reason}. Choose others.")))
        })?;
        let ids = chosen.into_iter().map(|ix| available[ix].id.clone());
        setup_args.with.extend(ids);
        Ok(())
    }

    /// Asks for the options that exist in the mode with the chosen expansions: first the switches,
    /// then those with values.
    fn options(
        &mut self,
        library: &PackLibrary,
        mode: &ModeInfo,
        setup_args: &mut SetupArgs,
    ) -> Result<(), InputClosed> {
        let choice = game_args::choice(library, setup_args, mode);
        let offered = pack::offered_options(&library.set, &choice);
        let is_switch = |option: &&OfferedOption| option.values.all.is_empty();
        let switches: Vec<&OfferedOption> = offered.iter().filter(is_switch).collect();
        if !switches.is_empty() {
            let line = |option: &&OfferedOption| {
                described(title(option.entry), option.entry.text("text").unwrap_or(""))
            };
            let lines: Vec<String> = switches.iter().map(line).collect();
            let question = "Which options? (numbers; Enter for none)";
            for ix in self.choose_any(question, &lines, |_| Ok(()))? {
                setup_args.options.push(switches[ix].name.clone());
            }
        }
        let choice = game_args::choice(library, setup_args, mode);
        let offered = pack::offered_options(&library.set, &choice);
        for option in offered.iter().filter(|option| !is_switch(option)) {
            let value = self.option_value(option)?;
            setup_args.options.push(format!("{}={value}", option.name));
        }
        Ok(())
    }

    /// Asks for the value of an option; Enter chooses the default.
    fn option_value(&mut self, option: &OfferedOption) -> Result<String, InputClosed> {
        let values = &option.values;
        let texts = option.entry.get("texts");
        let text = |value: &str| {
            texts
                .and_then(|texts| texts.get(value)?.as_text())
                .unwrap_or("")
        };
        let lines: Vec<String> = values
            .all
            .iter()
            .map(|value| described(value, text(value)))
            .collect();
        let default = values
            .all
            .iter()
            .position(|value| values.default.as_ref() == Some(value));
        let default = default.unwrap_or(0);
        let listed = numbered(&lines);
        let about = option.entry.text("text").map(|text| format!(" {text}"));
        let question = format!(
            "{}?{} (Enter for {})\n{listed}",
            title(option.entry),
            about.unwrap_or_default(),
            values.all[default]
        );
        let chosen = self.ask(&question, |typed| match typed {
            "" => Ok(default),
            typed => pick(typed, &lines, ""),
        })?;
        Ok(values.all[chosen].clone())
    }

    /// Asks for any number of items of a list, until `check` accepts them.
    fn choose_any(
        &mut self,
        question: &str,
        lines: &[String],
        check: impl Fn(&[usize]) -> Result<(), String>,
    ) -> Result<Vec<usize>, InputClosed> {
        let listed = numbered(lines);
        self.ask(&format!("{question}\n{listed}"), |typed| {
            let words = typed
                .split([' ', ','])
                .filter(|word| !word.is_empty() && *word != "none");
            let mut found: Vec<usize> = words
                .map(|word| pick(word, lines, ", or press Enter for none"))
                .collect::<Result<_, _>>()?;
            found.sort_unstable();
            found.dedup();
            check(&found)?;
            Ok(found)
        })
    }

    pub fn players(&mut self, content: &Content) -> Result<Vec<Player>, InputClosed> {
        let (min, max) = content
            .mode
            .as_ref()
            .map_or((1, 1), |mode| (mode.seats_min.max(1), mode.seats_max));
        let count = if min == max {
            min
        } else {
            self.ask(
                &format!("How many players? ({min} to {max}; Enter for {min})"),
                |typed| match typed {
                    "" => Ok(min),
                    typed => typed
                        .parse()
                        .ok()
                        .filter(|count| (min..=max).contains(count))
                        .ok_or_else(|| format!("Type a number from {min} to {max}.")),
                },
            )?
        };
        let bots = "or `greedy` (fast), `search` (stronger) or `random` for a bot";
        let mut players: Vec<Player> = Vec::new();
        for number in 1..=count {
            let default = match number {
                1 => Player::new(game_args::own_name(), PlayerKind::Human),
                _ => Player::new(format!("Bot {number}"), PlayerKind::bot(content)),
            };
            let shown = if number == 1 {
                default.name.clone()
            } else {
                format!("a {} bot", default.kind.name())
            };
            let question = if number == 1 {
                format!("Player 1: type a name, {bots}. (Enter for {shown})")
            } else {
                format!("Player {number}: (Enter for {shown})")
            };
            let player = self.ask(&question, |typed| player(typed, number, &default, &players))?;
            players.push(player);
        }
        self.roles(content, &mut players)?;
        Ok(players)
    }

    /// Asks for the role of each person, if the mode has roles.
    fn roles(&mut self, content: &Content, players: &mut [Player]) -> Result<(), InputClosed> {
        let Some(kind) = content.mode.as_ref().and_then(|mode| mode.roles) else {
            return Ok(());
        };
        let title = content.kinds[kind.ix()].title.to_lowercase();
        for ix in 0..players.len() {
            if players[ix].kind != PlayerKind::Human {
                continue;
            }
            let taken: Vec<&str> = players
                .iter()
                .filter_map(|player| player.role.as_deref())
                .collect();
            let free: Vec<EntryId> = content
                .of_kind(kind)
                .filter(|entry| !taken.contains(&&*content.entry(*entry).id))
                .collect();
            let mut lines = vec!["Decide during setup".to_owned()];
            lines.extend(free.iter().map(|entry| {
                let text = content
                    .render(*entry, "text")
                    .map(|text| format!(" — {text}"));
                format!(
                    "{}{}",
                    content.entry(*entry).title,
                    text.unwrap_or_default()
                )
            }));
            let chosen = self.choose_one(
                &format!("{}: which {title}? (Enter for 1)", players[ix].name),
                &lines,
            )?;
            let role = chosen.checked_sub(1).and_then(|ix| free.get(ix));
            players[ix].role = role.map(|entry| content.entry(*entry).id.to_string());
        }
        Ok(())
    }
}

/// Lines with numbers in front.
fn numbered(lines: &[String]) -> String {
    let numbered = (1..).zip(lines);
    let numbered: Vec<String> = numbered
        .map(|(n, line)| format!("  {n:>2}  {line}"))
        .collect();
    numbered.join("\n")
}

/// A title with a description, if there is one.
fn described(title: &str, text: &str) -> String {
    if text.is_empty() {
        return title.to_owned();
    }
    format!("{title} — {text}")
}

fn title(entry: &Entry) -> &str {
    entry.text("title").unwrap_or(&entry.id)
}

/// The index of the item that was typed; an empty line is the first. `otherwise` ends the sentence
/// that says what to type.
fn pick(typed: &str, lines: &[String], otherwise: &str) -> Result<usize, String> {
    if typed.is_empty() {
        return Ok(0);
    }
    let number = typed
        .parse::<usize>()
        .ok()
        .and_then(|n| n.checked_sub(1))
        .filter(|ix| *ix < lines.len());
    let wanted = typed.to_lowercase();
    let begins = |line: &String| line.to_lowercase().starts_with(&wanted);
    let within = |line: &String| line.to_lowercase().contains(&wanted);
    let only = |fits: &dyn Fn(&String) -> bool| {
        let mut found = (0..lines.len()).filter(|ix| fits(&lines[*ix]));
        found.next().filter(|_| found.next().is_none())
    };
    let found = number.or_else(|| only(&begins)).or_else(|| only(&within));
    found.ok_or_else(|| {
        let matches = lines.iter().filter(|line| within(line)).count();
        let what = if matches > 1 {
            format!("{matches} options match `{typed}`.")
        } else if typed.parse::<usize>().is_ok() {
            format!("There is no option {typed}.")
        } else {
            format!("No option matches `{typed}`.")
        };
        match lines.len() {
            1 => format!("{what} Type 1{otherwise}."),
            count => format!("{what} Choose 1 to {count}{otherwise}."),
        }
    })
}

/// Parses a typed player: nothing, a kind of bot, or a name.
fn player(typed: &str, number: u8, default: &Player, others: &[Player]) -> Result<Player, String> {
    let found = match (typed, PlayerKind::parse(typed)) {
        ("", _) => default.clone(),
        (_, Some(PlayerKind::Human)) => Player::new(game_args::own_name(), PlayerKind::Human),
        (_, Some(kind)) => Player::new(format!("Bot {number}"), kind),
        ("bot", _) => Player::new(format!("Bot {number}"), PlayerKind::Greedy),
        (typed, None) => {
            let (name, who) = typed.split_once('=').unwrap_or((typed, "human"));
            Player::parse(&sanitize(name.trim()), who.trim())?
        }
    };
    if others.iter().any(|other| other.name == found.name) {
        return Err(format!(
            "There is already a player called {}. Type another name.",
            found.name
        ));
    }
    Ok(found)
}

//! Flags that choose a game, and the resulting game.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::{Failure, PackArgs, refuse, screen};
use crate::agents::{Budget, Player, PlayerKind};
use crate::diagnostic::{Report, nearest};
use crate::explore::start::{self, StartRequest};
use crate::game::GameHeader;
use crate::library::{LintLevel, ModeInfo, OpenedGame, PackLibrary, Reuse};
use crate::pack::{self, GameChoice, Pack};

/// The game to play.
pub struct ChosenGame {
    pub opened: OpenedGame,
    pub header: GameHeader,
    /// The role of the first player, if `--at` needs one.
    role: Option<String>,
    /// A line about packs that change the same things, if there are any.
    pub conflicts: Option<String>,
}

/// Flags that choose a game.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct GameArgs {
    /// The mode: `pack:mode`, or `mode` if only one pack has it.
    pub mode: Option<String>,
    #[command(flatten)]
    pub packs: PackArgs,
    #[command(flatten)]
    pub setup: SetupArgs,
}

/// Flags that choose expansions, options, seed and players.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SetupArgs {
    /// An expansion to add, by its id; or a starting value: `coins=5`, `2.coins=1`,
    /// `hand=card,card` (repeatable).
    #[arg(long = "with", value_name = "PACK|COUNTER=N")]
    pub with: Vec<String>,
    /// A game option to enable: `oaths`, or `difficulty=hard` (repeatable).
    #[arg(long = "option", value_name = "OPTION[=VALUE]")]
    pub options: Vec<String>,
    /// Random seed. The same seed and answers give the same game.
    #[arg(long, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// A player: name, who controls them, and optionally their role: `Ann=human`, `Bot=search`,
    /// `Bot=greedy`, `Bot=random`, `Ann=human:bear` (repeatable).
    #[arg(long = "player", value_name = "NAME=WHO[:ROLE]")]
    pub players: Vec<String>,
    /// Search budget per decision: playouts (`200`) or, in games with human players, time
    /// (`500ms`, `2s`).
    #[arg(long, value_name = "PLAYOUTS|TIME", value_parser = parse_budget)]
    pub thinking: Option<BudgetArg>,
}

/// The search budget of a bot.
#[derive(Clone, Copy, Debug)]
pub enum BudgetArg {
    Playouts(usize),
    Time(Duration),
}

impl BudgetArg {
    /// The budget in a game with people, which may be limited by time.
    #[expect(
        clippy::disallowed_methods,
        reason = "the journal records what a bot answered, so a replay needs no clock"
    )]
    fn budget(self) -> Budget {
        let time = match self {
            BudgetArg::Playouts(playouts) => return Budget::Playouts(playouts),
            BudgetArg::Time(time) => time.as_micros().max(1),
        };
        Budget::Watch(Rc::new(move || {
            let begun = Instant::now();
            Box::new(move || {
                usize::try_from(begun.elapsed().as_micros() * 1000 / time).unwrap_or(1000)
            })
        }))
    }
}

/// The search budget of bots, from `--thinking`.
pub fn budget(thinking: Option<BudgetArg>) -> Budget {
    thinking.map(BudgetArg::budget).unwrap_or_default()
}

impl SetupArgs {
    /// The expansions to add.
    fn packs(&self) -> impl Iterator<Item = &String> {
        self.with.iter().filter(|with| !with.contains('='))
    }

    /// The starting values.
    pub fn starting_values(&self) -> Vec<String> {
        self.with
            .iter()
            .filter(|with| with.contains('='))
            .cloned()
            .collect()
    }
}

/// Flags that start a game in the middle, to try something out.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct StartArgs {
    /// Start at an entry: a card, a place, an event.
    #[arg(long, value_name = "ENTRY")]
    pub at: Option<String>,
    /// The role of the first player, as in `--player Ann=human:ROLE`.
    #[arg(long = "as", value_name = "ROLE")]
    pub role: Option<String>,
}

/// The mode if the flags name none: the only one, or one that has the entry of `--at`.
///
/// # Errors
/// Returns a message if several games have the entry, or only a game that was not asked for.
pub fn likely_mode(
    library: &PackLibrary,
    start_args: &StartArgs,
) -> Result<Option<ModeInfo>, Failure> {
    let modes = library.modes();
    if let [only] = &modes[..] {
        return Ok(Some(only.clone()));
    }
    let Some(wanted) = &start_args.at else {
        return Ok(None);
    };
    let set = &library.set;
    let with_entry: Vec<(u16, String)> = (0u16..)
        .zip(&set.packs)
        .filter_map(|(number, pack)| Some((number, entry_named(pack, wanted)?)))
        .collect();
    let named: Vec<u16> = (0u16..)
        .zip(&set.packs)
        .filter(|(_, pack)| pack.origin == pack::Origin::CommandLine)
        .map(|(number, _)| number)
        .collect();
    let is_near = |number: u16| {
        named.is_empty() || wanted.contains(':') || named.iter().any(|pack| set.sees(*pack, number))
    };
    let near: Vec<&(u16, String)> = with_entry
        .iter()
        .filter(|(pack, _)| is_near(*pack))
        .collect();
    // Prefer the pack that builds on all the others.
    let Some((chosen, _)) = near.last() else {
        if let Some((_, name)) = with_entry.first() {
            return Err(Failure::error(format!(
                "the packs of `--pack` have no `{wanted}`, but another pack does: write `--at {name}`"
            )));
        }
        // If no pack has the entry, opening the game reports the error.
        return Ok(modes.first().cloned());
    };
    if near.iter().any(|(other, _)| !set.sees(*chosen, *other)) {
        let names: Vec<&str> = near.iter().map(|(_, name)| name.as_str()).collect();
        return Err(Failure::error(format!(
            "several packs have `{wanted}`: write `--at {}`",
            names.join("` or `--at ")
        )));
    }
    let pack = &set.packs[usize::from(*chosen)];
    Ok(mode_of(&modes, pack).or_else(|| modes.first().cloned()))
}

/// The full name of an entry of a pack, by its name or its title.
fn entry_named(pack: &Pack, wanted: &str) -> Option<String> {
    let is = |entry: &&pack::Entry| {
        let title = entry.text("title");
        let full = entry.full_name();
        title.is_some_and(|title| title.to_lowercase() == wanted.to_lowercase())
            || entry.id == wanted
            || full == wanted
            || full.split_once(':').is_some_and(|(_, name)| name == wanted)
            || format!("{}:{}", pack.manifest.id, entry.id) == wanted
    };
    pack.entries().find(is).map(pack::Entry::full_name)
}

/// Adds to the error for an unknown entry what the entry depends on, if a pack has it.
pub fn absence(library: &PackLibrary, wanted: &str, why: String) -> Failure {
    let named = |pack: &Pack| Some((pack.manifest.id.clone(), entry_named(pack, wanted)?));
    let found = library.set.packs.iter().find_map(named);
    let Some((pack, name)) = found.filter(|_| why.contains(&format!("unknown entry `{wanted}`")))
    else {
        return Failure::error(why);
    };
    let entries = library.set.packs.iter().flat_map(Pack::entries);
    let mut own = entries.filter(|entry| entry.full_name() == name);
    let conditions: Vec<String> = own.next().map_or_else(Vec::new, |entry| {
        let written = |value: &pack::FieldValue| match value {
            pack::FieldValue::Name(name) => Some(format!("\"{}\"", name.written())),
            _ => None,
        };
        entry.list("in").iter().filter_map(written).collect()
    });
    let remedy = if conditions.is_empty() {
        format!("add its pack with `--with {pack}`, or name one of its modes with `--mode`")
    } else {
        format!(
            "it says in = [{}]: name a mode with `--mode`, or an option with `--option`",
            conditions.join(", ")
        )
    };
    Failure::error(format!("`{name}` is not in this game; {remedy}"))
}

/// The first mode of the packs named by path, or of the packs they extend.
pub fn mode_of_named(library: &PackLibrary) -> Option<ModeInfo> {
    let modes = library.modes();
    let named = library
        .set
        .packs
        .iter()
        .filter(|pack| pack.origin == pack::Origin::CommandLine);
    named.rev().find_map(|pack| mode_of(&modes, pack))
}

/// The first mode of a pack, or of a pack it extends.
fn mode_of(modes: &[ModeInfo], pack: &Pack) -> Option<ModeInfo> {
    let first_mode = |id: &str| {
        modes
            .iter()
            .find(|mode| mode.name.split(':').next() == Some(id))
            .cloned()
    };
    first_mode(&pack.manifest.id).or_else(|| {
        let bases = &pack.manifest.extends;
        bases.iter().find_map(|base| first_mode(&base.id))
    })
}

pub fn find_mode(modes: &[ModeInfo], wanted: &str) -> Result<ModeInfo, Failure> {
    let fits =
        |line: &&ModeInfo| line.name == wanted || line.name.split(':').next_back() == Some(wanted);
    let mut found = modes.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(line), None) => Ok(line.clone()),
        (Some(first), Some(second)) => Err(Failure::error(format!(
            "several packs have a mode `{wanted}`: write `{}` or `{}`",
            first.name, second.name
        ))),
        (None, _) => {
            let names = modes.iter().flat_map(|line| {
                [
                    line.name.as_str(),
                    line.name.split(':').next_back().unwrap_or(""),
                ]
            });
            let hint = nearest(wanted, names)
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            let all: Vec<&str> = modes.iter().map(|line| line.name.as_str()).collect();
            Err(Failure::error(format!(
                "unknown mode `{wanted}`{hint} (available: {})",
                all.join(", ")
            )))
        }
    }
}

/// Parses `--player` flags.
pub fn players(flags: &[String]) -> Result<Vec<Player>, Failure> {
    let player = |flag: &String| {
        let (name, who) = flag.split_once('=').unwrap_or((flag, "human"));
        Player::parse(&crate::diagnostic::sanitize(name.trim()), who).map_err(Failure::error)
    };
    flags.iter().map(player).collect()
}

/// The named players, or else one person and as many bots as the mode needs.
pub fn seated(
    chosen: &mut ChosenGame,
    mut players: Vec<Player>,
    start_args: &StartArgs,
) -> Vec<Player> {
    let content = &chosen.opened.rules.content;
    if players.is_empty() {
        let min = content
            .mode
            .as_ref()
            .map_or(1, |mode| usize::from(mode.seats_min));
        let bot = |n: usize| Player::new(format!("Bot {n}"), PlayerKind::bot(content));
        players = std::iter::once(Player::new(own_name(), PlayerKind::Human))
            .chain((2..=min).map(bot))
            .collect();
    }
    if let (Some(role), Some(first)) = (
        start_args.role.as_ref().or(chosen.role.as_ref()),
        players.first_mut(),
    ) {
        first.role = Some(role.clone());
    }
    chosen.header.players = players
        .iter()
        .map(|player| (player.name.clone(), player.spec()))
        .collect();
    players
}

/// The packs and options that the flags choose.
pub fn choice(library: &PackLibrary, setup_args: &SetupArgs, mode: &ModeInfo) -> GameChoice {
    let mut choice = GameChoice {
        mode: mode.name.clone(),
        with: setup_args.packs().cloned().collect(),
        options: setup_args.options.clone(),
    };
    // An expansion named by path is added if it fits.
    for id in named_expansions(library, mode) {
        let with_more = with_pack(&choice, id);
        if !choice.with.contains(id) && library.incompatibility(&with_more).is_none() {
            choice = with_more;
        }
    }
    choice
}

/// The expansions of a mode that are named by path.
fn named_expansions<'l>(
    library: &'l PackLibrary,
    mode: &ModeInfo,
) -> impl Iterator<Item = &'l String> {
    let expansions = library.expansions(&mode.name).into_iter();
    let named = expansions.filter(|pack| pack.origin == pack::Origin::CommandLine);
    named.map(|pack| &pack.manifest.id)
}

/// The choice with one more pack.
fn with_pack(choice: &GameChoice, id: &str) -> GameChoice {
    let mut choice = choice.clone();
    choice.with.push(id.to_owned());
    choice
}

/// The default name of a person. "You" would not work, because packs write about players in the
/// third person.
pub fn own_name() -> String {
    "Player 1".to_owned()
}

/// Opens the game that the flags choose.
pub fn open(
    library: &PackLibrary,
    setup_args: &SetupArgs,
    mode: &ModeInfo,
    start_args: &StartArgs,
    lint_level: LintLevel,
) -> Result<ChosenGame, Failure> {
    let choice = choice(library, setup_args, mode);
    if library.incompatibility(&choice).is_none() {
        let left_out = named_expansions(library, mode).filter(|id| !choice.with.contains(id));
        let reasons = left_out.filter_map(|id| library.incompatibility(&with_pack(&choice, id)));
        for reason in reasons.collect::<BTreeSet<String>>() {
            screen::eprint(&format!("Left out: {reason}."));
        }
    }
    let (opened, report) = library.open_reusing(&choice, None, Reuse::Nothing, lint_level);
    let Some(opened) = opened.filter(|_| report.has_no_errors()) else {
        return Err(refuse(library, &report));
    };
    let at = StartRequest {
        entry: start_args.at.clone(),
        with: setup_args.starting_values(),
    };
    let begin = start::begin(&opened.rules.content, &at)
        .map_err(|why| absence(library, start_args.at.as_deref().unwrap_or_default(), why))?;
    let header = GameHeader {
        packs: opened.rules.content.packs.clone(),
        mode: choice.mode,
        title: mode.title.clone(),
        with: choice.with,
        options: opened.options_with_defaults(),
        seed: setup_args.seed.unwrap_or_else(fresh_seed),
        initial: begin.initial,
        ..GameHeader::default()
    };
    Ok(ChosenGame {
        opened,
        header,
        role: begin.role,
        conflicts: conflicts_note(&report),
    })
}

/// One line about packs that change the same things.
fn conflicts_note(report: &Report) -> Option<String> {
    let conflicts = || report.iter().filter(|fault| fault.code == "patch-conflict");
    let first = conflicts().next()?;
    let more = match conflicts().count() - 1 {
        0 => String::new(),
        1 => " (and 1 more)".to_owned(),
        more => format!(" (and {more} more)"),
    };
    let message = &first.message;
    Some(format!(
        "Note: {message}{more}. `kaer check` with the paths of these packs shows where."
    ))
}

pub fn parse_budget(text: &str) -> Result<BudgetArg, String> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
    let time = |millis: u64| BudgetArg::Time(Duration::from_millis(millis));
    let millis = text
        .strip_suffix("ms")
        .and_then(number)
        .map(|ms| time(ms.into()));
    let seconds = text
        .strip_suffix('s')
        .and_then(number)
        .map(|s| time(u64::from(s) * 1000));
    let playouts = number(text).map(|playouts| BudgetArg::Playouts(playouts as usize));
    let error = || "expected playouts or a time: `200`, `500ms`, `2s`".to_owned();
    millis.or(seconds).or(playouts).ok_or_else(error)
}

pub fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!(
            "the seed must be a whole number from 0 to {}, for example 7",
            u64::MAX
        )
    })
}

/// A random seed.
#[allow(
    clippy::disallowed_methods,
    reason = "a game without `--seed` needs one; the journal records it"
)]
fn fresh_seed() -> u64 {
    rand::random::<u32>().into()
}

//! From flags and questions to a game.

use std::rc::Rc;

use super::{Failure, Packs, refuse};
use crate::agents::Player;
use crate::diagnostic::nearest;
use crate::game::{Header, Rules};
use crate::pack::Choice;
use crate::shelf::{ModeLine, Shelf};

/// A game that was chosen.
pub struct Chosen {
    /// What does not change in it.
    pub rules: Rc<Rules>,
    /// What its journal begins with.
    pub header: Header,
}

/// What flags say of a game.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Flags {
    /// The mode: `pack:mode`, or `mode` where only one pack has it.
    pub mode: Option<String>,
    #[command(flatten)]
    pub packs: Packs,
    /// A pack to lay over the game, by its id; may be given several times.
    #[arg(long = "with", value_name = "PACK")]
    pub with: Vec<String>,
    /// An option of the game to switch on; may be given several times.
    #[arg(long = "option", value_name = "OPTION")]
    pub options: Vec<String>,
    /// The seed of all chance; the same seed and answers give the same game.
    #[arg(long, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// A player and who decides for it: `Ann=human`, `Bot=greedy`, `Bot=random`, and what it is: `Ann=human:bear`; may be
    /// given several times.
    #[arg(long = "player", value_name = "NAME=WHO[:ROLE]")]
    pub players: Vec<String>,
}

/// Finds the mode that was named.
pub fn find_mode(modes: &[ModeLine], wanted: &str) -> Result<ModeLine, Failure> {
    let fits = |line: &&ModeLine| line.name == wanted || line.name.split(':').next_back() == Some(wanted);
    let mut found = modes.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(line), None) => Ok(line.clone()),
        (Some(one), Some(other)) => Err(Failure::cannot(format!(
            "`{wanted}` is a mode of several packs: write `{}` or `{}`",
            one.name, other.name
        ))),
        (None, _) => {
            let names =
                modes.iter().flat_map(|line| [line.name.as_str(), line.name.split(':').next_back().unwrap_or("")]);
            let hint = nearest(wanted, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let all: Vec<&str> = modes.iter().map(|line| line.name.as_str()).collect();
            Err(Failure::cannot(format!("there is no mode `{wanted}`{hint} (there are: {})", all.join(", "))))
        }
    }
}

/// The players that flags name.
pub fn players(flags: &[String]) -> Result<Vec<Player>, Failure> {
    let one = |flag: &String| {
        let (name, who) = flag.split_once('=').unwrap_or((flag, "human"));
        Player::parse(&crate::diagnostic::clean(name.trim()), who).map_err(Failure::cannot)
    };
    flags.iter().map(one).collect()
}

/// Opens the game that was chosen.
pub fn open(shelf: &Shelf, flags: &Flags, mode: &ModeLine) -> Result<Chosen, Failure> {
    let mut with = flags.with.clone();
    // A pack named by its path is meant to be played with.
    let base = mode.name.split(':').next().unwrap_or("");
    for pack in &shelf.set.packs {
        let named = pack.origin == crate::pack::Origin::CommandLine && pack.manifest.id != base;
        let extends = pack.manifest.extends.iter().any(|dependency| dependency.id == base);
        if named && extends && !with.contains(&pack.manifest.id) {
            with.push(pack.manifest.id.clone());
        }
    }
    let choice = Choice { mode: mode.name.clone(), with, options: flags.options.clone() };
    let (rules, report) = shelf.open(&choice, None);
    let Some(rules) = rules.filter(|_| report.is_sound()) else { return Err(refuse(shelf, &report)) };
    let header = Header {
        packs: rules.content.packs.clone(),
        mode: choice.mode,
        with: choice.with,
        options: choice.options,
        seed: flags.seed.unwrap_or_else(fresh_seed),
        ..Header::default()
    };
    Ok(Chosen { rules, header })
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}, as in `--seed 7`", u64::MAX))
}

/// A seed nobody knows.
#[allow(clippy::disallowed_methods, reason = "a game that was given no seed needs one; it is noted in the journal")]
fn fresh_seed() -> u64 {
    rand::random::<u32>().into()
}

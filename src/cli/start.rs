//! From flags and questions to a game.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::{Failure, Packs, refuse};
use crate::agents::{Budget, Kind, Player, Random};
use crate::author::at::{self, At};
use crate::diagnostic::nearest;
use crate::game::{Agent as _, Game, Header};
use crate::pack::{self, Choice, Pack};
use crate::shelf::{Care, ModeLine, Opened, Reuse, Shelf};

/// A game that was chosen.
pub struct Chosen {
    /// What does not change in it.
    pub opened: Opened,
    /// What its journal begins with.
    pub header: Header,
    /// What the first player is, because of where the game begins.
    role: Option<String>,
}

/// What flags say of a game.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Flags {
    /// The mode: `pack:mode`, or `mode` where only one pack has it.
    pub mode: Option<String>,
    #[command(flatten)]
    pub packs: Packs,
    #[command(flatten)]
    pub wishes: Wishes,
}

/// Who plays, and with what.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Wishes {
    /// A pack to lay over the game, by its id; or what is so at the start: `coins=5`, `2.coins=1`, `hand=card,card`. May be
    /// given several times.
    #[arg(long = "with", value_name = "PACK|COUNTER=N")]
    pub with: Vec<String>,
    /// An option of the game to switch on; may be given several times.
    #[arg(long = "option", value_name = "OPTION")]
    pub options: Vec<String>,
    /// The seed of all chance; the same seed and answers give the same game.
    #[arg(long, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// A player and who decides for it: `Ann=human`, `Bot=search`, `Bot=greedy`, `Bot=random`, and what it is: `Ann=human:bear`; may be
    /// given several times.
    #[arg(long = "player", value_name = "NAME=WHO[:ROLE]")]
    pub players: Vec<String>,
    /// How long `search` thinks about an answer: so many playouts, `200`, or in a game with people as long as `500ms` or `2s`.
    #[arg(long, value_name = "PLAYOUTS|TIME", value_parser = parse_thinking)]
    pub thinking: Option<Thinking>,
}

/// How long a bot may think about an answer.
#[derive(Clone, Copy, Debug)]
pub enum Thinking {
    /// So many playouts.
    Playouts(usize),
    /// So long.
    Time(Duration),
}

impl Thinking {
    /// The budget of a bot in a game with people.
    #[expect(
        clippy::disallowed_methods,
        reason = "answers of bots are in the journal, however long they took"
    )]
    pub fn budget(self) -> Budget {
        let time = match self {
            Thinking::Playouts(playouts) => return Budget::Playouts(playouts),
            Thinking::Time(time) => time.as_micros().max(1),
        };
        Budget::Watch(Rc::new(move || {
            let begun = Instant::now();
            Box::new(move || {
                usize::try_from(begun.elapsed().as_micros() * 1000 / time).unwrap_or(1000)
            })
        }))
    }
}

impl Wishes {
    /// The packs to lay over the game.
    fn packs(&self) -> impl Iterator<Item = &String> {
        self.with.iter().filter(|with| !with.contains('='))
    }

    /// What is so at the start.
    pub fn given(&self) -> Vec<String> {
        self.with
            .iter()
            .filter(|with| with.contains('='))
            .cloned()
            .collect()
    }
}

/// Where a game begins that somebody wants to try something in.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Trying {
    /// Begin right at an entry: a card, a place, an event.
    #[arg(long, value_name = "ENTRY")]
    pub at: Option<String>,
    /// What the first player is, as in `--player Ann=human:ROLE`.
    #[arg(long = "as", value_name = "ENTRY")]
    pub role: Option<String>,
}

/// The mode to play when flags name none: the only one there is, or one that has the entry somebody wants to begin at.
pub fn likely_mode(shelf: &Shelf, trying: &Trying) -> Option<ModeLine> {
    let modes = shelf.modes();
    if let [only] = &modes[..] {
        return Some(only.clone());
    }
    let wanted = trying.at.as_ref()?.to_lowercase();
    let named = |entry: &pack::Entry| {
        let title = entry
            .text("title")
            .is_some_and(|title| title.to_lowercase() == wanted);
        title || entry.id == wanted || entry.full_name().ends_with(&wanted)
    };
    let pack = shelf
        .set
        .packs
        .iter()
        .rev()
        .find(|pack| pack.entries().any(named));
    // What nobody has is told when the game is opened.
    pack.and_then(|pack| mode_of(&modes, pack))
        .or_else(|| modes.first().cloned())
}

/// The first mode of the packs that were named by their paths, or of what they extend.
pub fn mode_of_named(shelf: &Shelf) -> Option<ModeLine> {
    let modes = shelf.modes();
    let named = shelf
        .set
        .packs
        .iter()
        .filter(|pack| pack.origin == pack::Origin::CommandLine);
    named.rev().find_map(|pack| mode_of(&modes, pack))
}

/// The first mode of a pack, or of one it extends.
fn mode_of(modes: &[ModeLine], pack: &Pack) -> Option<ModeLine> {
    let of = |id: &str| {
        modes
            .iter()
            .find(|mode| mode.name.split(':').next() == Some(id))
            .cloned()
    };
    of(&pack.manifest.id).or_else(|| pack.manifest.extends.iter().find_map(|base| of(&base.id)))
}

/// Finds the mode that was named.
pub fn find_mode(modes: &[ModeLine], wanted: &str) -> Result<ModeLine, Failure> {
    let fits =
        |line: &&ModeLine| line.name == wanted || line.name.split(':').next_back() == Some(wanted);
    let mut found = modes.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(line), None) => Ok(line.clone()),
        (Some(one), Some(other)) => Err(Failure::cannot(format!(
            "`{wanted}` is a mode of several packs: write `{}` or `{}`",
            one.name, other.name
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
            Err(Failure::cannot(format!(
                "there is no mode `{wanted}`{hint} (there are: {})",
                all.join(", ")
            )))
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

/// Who plays: those that are named, or a person and as many bots as the mode needs.
pub fn seated(chosen: &mut Chosen, mut players: Vec<Player>, trying: &Trying) -> Vec<Player> {
    let content = &chosen.opened.rules.content;
    if players.is_empty() {
        let least = content
            .mode
            .as_ref()
            .map_or(1, |mode| usize::from(mode.seats_min));
        let bot = |n: usize| Player::new(format!("Bot {n}"), Kind::bot(content));
        players = std::iter::once(Player::new(own_name(), Kind::Human))
            .chain((2..=least).map(bot))
            .collect();
    }
    if let (Some(role), Some(first)) = (
        trying.role.as_ref().or(chosen.role.as_ref()),
        players.first_mut(),
    ) {
        first.role = Some(role.clone());
    }
    chosen.header.players = players
        .iter()
        .map(|player| (player.name.clone(), player.who()))
        .collect();
    players
}

/// What flags choose to play.
pub fn choice(shelf: &Shelf, wishes: &Wishes, mode: &ModeLine) -> Choice {
    let mut with: Vec<String> = wishes.packs().cloned().collect();
    // A pack named by its path is meant to be played with.
    let base = mode.name.split(':').next().unwrap_or("");
    let named = |pack: &&Pack| pack.origin == pack::Origin::CommandLine && pack.manifest.id != base;
    let below = below(shelf, base);
    let extends = |pack: &&Pack| {
        pack.manifest
            .extends
            .iter()
            .any(|dependency| below.contains(&dependency.id))
    };
    for pack in shelf.set.packs.iter().filter(named).filter(extends) {
        if !with.contains(&pack.manifest.id) {
            with.push(pack.manifest.id.clone());
        }
    }
    Choice {
        mode: mode.name.clone(),
        with,
        options: wishes.options.clone(),
    }
}

/// The packs that can be laid over a mode and are not yet: id and title.
pub fn laid_over(shelf: &Shelf, mode: &ModeLine, with: &[String]) -> Vec<(String, String)> {
    let base = mode.name.split(':').next().unwrap_or("");
    let below = below(shelf, base);
    let fits = |pack: &&Pack| {
        let manifest = &pack.manifest;
        let extends = manifest
            .extends
            .iter()
            .any(|other| below.contains(&other.id));
        extends && !below.contains(&manifest.id) && !with.contains(&manifest.id)
    };
    let found = shelf.set.packs.iter().filter(fits);
    found
        .map(|pack| (pack.manifest.id.clone(), pack.manifest.title.clone()))
        .collect()
}

/// Answers what is asked before the first turn by chance.
pub fn set_up(game: &mut Game) -> Result<(), Failure> {
    let mut chance = Random::new(game.state().seed);
    while game.state().round == 0
        && let Some(ask) = game.pending()
    {
        let answer = chance.decide(game.core(), ask);
        game.answer(answer).map_err(Failure::cannot)?;
    }
    Ok(())
}

/// What a person is called who gave no name: no pronoun, because packs say what players do in whole sentences.
pub fn own_name() -> String {
    "Player 1".to_owned()
}

/// A pack and all it builds on.
fn below(shelf: &Shelf, id: &str) -> Vec<String> {
    let mut all = vec![id.to_owned()];
    let mut next = 0;
    while let Some(id) = all.get(next).cloned() {
        next += 1;
        let named = shelf
            .set
            .pack(&id)
            .into_iter()
            .flat_map(|(_, pack)| pack.manifest.names());
        for other in named
            .filter(|other| !all.contains(&other.id))
            .map(|other| other.id.clone())
            .collect::<Vec<_>>()
        {
            all.push(other);
        }
    }
    all
}

/// Opens the game that was chosen, where somebody wants to begin.
pub fn open(
    shelf: &Shelf,
    wishes: &Wishes,
    mode: &ModeLine,
    trying: &Trying,
    care: Care,
) -> Result<Chosen, Failure> {
    let choice = choice(shelf, wishes, mode);
    let (opened, report) = shelf.open_again(&choice, None, Reuse::Nothing, care);
    let Some(mut opened) = opened.filter(|_| report.is_sound()) else {
        return Err(refuse(shelf, &report));
    };
    let at = At {
        entry: trying.at.clone(),
        with: wishes.given(),
    };
    let begin = at::begin(&opened.rules.content, &at).map_err(Failure::cannot)?;
    if let Some(script) = &begin.script {
        let (given, report) = shelf.with_given(&opened, script, None);
        if !report.is_sound() {
            return Err(refuse(shelf, &report));
        }
        opened = given;
    }
    let header = Header {
        packs: opened.rules.content.packs.clone(),
        mode: choice.mode,
        title: mode.title.clone(),
        with: choice.with,
        options: choice.options,
        seed: wishes.seed.unwrap_or_else(fresh_seed),
        given: begin.script,
        ..Header::default()
    };
    Ok(Chosen {
        opened,
        header,
        role: begin.role,
    })
}

fn parse_thinking(text: &str) -> Result<Thinking, String> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
    let time = |millis: u64| Thinking::Time(Duration::from_millis(millis));
    let millis = text
        .strip_suffix("ms")
        .and_then(number)
        .map(|ms| time(ms.into()));
    let seconds = text
        .strip_suffix('s')
        .and_then(number)
        .map(|s| time(u64::from(s) * 1000));
    let playouts = number(text).map(|playouts| Thinking::Playouts(playouts as usize));
    let wrong =
        || "a bot thinks for some playouts or for some time: `200`, `500ms`, `2s`".to_owned();
    millis.or(seconds).or(playouts).ok_or_else(wrong)
}

/// A seed as somebody types it.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!(
            "a seed is a whole number from 0 to {}, as in `--seed 7`",
            u64::MAX
        )
    })
}

/// A seed nobody knows.
#[allow(
    clippy::disallowed_methods,
    reason = "a game that was given no seed needs one; it is noted in the journal"
)]
fn fresh_seed() -> u64 {
    rand::random::<u32>().into()
}

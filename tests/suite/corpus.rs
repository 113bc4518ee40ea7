//! Replays games recorded by an earlier build: options and states must be the same.
//!
//! Each file of `tests/corpus/games` is a gzipped recording: the packs, the header and answers of
//! the journal, and a checkpoint at every tenth decision and at the end: `@` and the number of
//! answers so far, `?` and the decision with its option keys, then each row of the state dump that
//! changed (`=`) or disappeared (`-`) since the last checkpoint.
//!
//! By default, only the shortest game for each mode, number of seats and kind of player is
//! replayed; `--include-ignored` replays all.
//! `INSTA_UPDATE=always cargo test -- --ignored corpus::record` records all games again: do this
//! only when rules change on purpose.

mod dump;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use dump::{Dump, dump};
use kaer::agents::{AgentTable, Player, PlayerKind, setup_for};
use kaer::game::{Game, GameHeader, Journal, Rules, Setup, Status, decision};
use kaer::library::PackLibrary;
use kaer::migrate;
use kaer::pack::{GameChoice, PackSource};
use libtest_mimic::Trial;

use crate::support::{dir_entries, stem, trial, updating};

const GAMES: &str = "tests/corpus/games";
/// The number of decisions between two checkpoints.
const INTERVAL: usize = 10;
/// Recording stops after this many decisions.
const MAX_DECISIONS: usize = 1_000;

/// Games to record: packs, mode, numbers of seats, number of games with random and with greedy
/// players.
const PLAN: &[(&str, &str, &[usize], usize, usize)] = &[
    ("content/old-world", "old-world:hunt", &[2, 3, 4, 5], 11, 9),
    ("content/old-world", "old-world:solo", &[1], 18, 12),
    (
        "content/old-world,campaigns/velen",
        "velen:velen",
        &[2],
        16,
        14,
    ),
    (
        "content/old-world,campaigns/velen",
        "velen:tale",
        &[2],
        3,
        3,
    ),
    ("tests/packs/duel", "duel:duel", &[2], 5, 5),
    ("tests/packs/duel", "duel:beast", &[1], 2, 2),
    (
        "tests/packs/duel,tests/packs/harsher-duel",
        "duel:duel+harsher-duel",
        &[2],
        2,
        1,
    ),
    ("tests/packs/pack-hunt", "pack-hunt:hunt", &[2], 2, 1),
    ("tests/packs/pack-hunt", "pack-hunt:stalk", &[1], 2, 1),
    ("tests/packs/errands", "errands:errands", &[2], 4, 3),
    ("tests/packs/parley", "parley:court", &[2, 4], 1, 1),
    ("tests/packs/parley", "parley:camp", &[2], 1, 1),
    (
        "tests/packs/mechanics/adventure",
        "adventure:adventure",
        &[3],
        1,
        1,
    ),
    (
        "tests/packs/mechanics/campaign",
        "campaign:campaign",
        &[2],
        1,
        1,
    ),
    ("tests/packs/mechanics/isles", "isles:isles", &[1], 2, 2),
    ("tests/packs/mechanics/trail", "trail:trail", &[2], 1, 1),
    ("tests/packs/mechanics/growth", "growth:yard", &[2], 1, 1),
    ("examples/orchard", "orchard:summer", &[2], 3, 3),
];

thread_local! {
    /// Modes that this thread has opened, because many games share one.
    static OPEN: RefCell<BTreeMap<String, Rc<Rules>>> = const { RefCell::new(BTreeMap::new()) };
}

fn open(packs: &str, mode: &str) -> Rc<Rules> {
    let key = format!("{packs} {mode}");
    if let Some(rules) = OPEN.with_borrow(|open| open.get(&key).cloned()) {
        return rules;
    }
    let rules = opened(packs, mode);
    OPEN.with_borrow_mut(|open| open.insert(key, rules.clone()));
    rules
}

fn opened(packs: &str, mode: &str) -> Rc<Rules> {
    let library = PackLibrary::load(packs.split(',').map(PackSource::folder).collect());
    let (name, with) = mode
        .split_once('+')
        .map_or((mode, None), |(name, with)| (name, Some(with)));
    let choice = GameChoice {
        mode: name.to_owned(),
        with: with.into_iter().map(str::to_owned).collect(),
        options: Vec::new(),
    };
    let (rules, report) = library.open(&choice, None);
    assert!(
        library.report.has_no_errors() && report.has_no_errors(),
        "{mode}: run `kaer check {packs}`"
    );
    rules.unwrap()
}

fn begin(rules: &Rc<Rules>, players: &[Player], seed: u64) -> Game {
    let setup = Setup {
        journal: true,
        ..setup_for(players, seed)
    };
    let mut game = Game::new(rules.clone(), setup).unwrap();
    game.run();
    game
}

/// The checkpoint of a game: what changed since the last one.
fn checkpoint(game: &Game, last: &mut Dump) -> String {
    let mut text = format!("@ {}\n", game.journal().len());
    if let Some(ask) = game.pending() {
        let keys = decision::keys(game.context(), ask).join(" ");
        let _ = writeln!(text, "? {} {keys}", decision::id(game.context(), ask));
    }
    let now = dump(game.context());
    for key in last.keys().filter(|key| !now.contains_key(*key)) {
        let _ = writeln!(text, "- {key}");
    }
    for (key, value) in now
        .iter()
        .filter(|(key, value)| last.get(*key) != Some(value))
    {
        let _ = writeln!(text, "= {key}\t{value}");
    }
    *last = now;
    text
}

fn record(packs: &str, mode: &str, rules: &Rc<Rules>, players: &[Player], seed: u64) -> String {
    let mut game = begin(rules, players, seed);
    let table = AgentTable::new(players, seed);
    let header = GameHeader {
        mode: mode.to_owned(),
        players: players
            .iter()
            .map(|player| (player.name.clone(), player.spec()))
            .collect(),
        seed,
        ..GameHeader::default()
    };
    let mut text = format!("packs {packs}\n{}", header.text());
    let mut last = Dump::new();
    let mut status = Status::Asking;
    while status == Status::Asking && game.journal().len() < MAX_DECISIONS {
        if game.journal().len().is_multiple_of(INTERVAL) {
            text += &checkpoint(&game, &mut last);
        }
        let answer = table.answer(&game).unwrap().unwrap();
        status = game.answer(answer).unwrap();
        text += &game.journal().last().unwrap().text();
        text.push('\n');
    }
    text += &checkpoint(&game, &mut last);
    text
}

/// Replays a recording and panics at the first difference.
fn replay(text: &str) {
    let (packs, rest) = text.split_once('\n').unwrap();
    let packs = packs.strip_prefix("packs ").unwrap();
    let journal: String = rest
        .lines()
        .filter(|line| !line.starts_with(['@', '?', '=', '-']))
        .map(|line| format!("{line}\n"))
        .collect();
    // Parsing migrates journals of an older format to current names; `renamed` does the same for
    // checkpoints.
    let journal = Journal::parse(&journal).unwrap();
    let header = &journal.header;
    let players = header
        .players
        .iter()
        .map(|(name, who)| Player::parse(name, who).unwrap());
    let rules = open(packs, &header.mode);
    let mut game = begin(&rules, &players.collect::<Vec<_>>(), header.seed);
    let mut last = Dump::new();
    let mut checkpoints = rest.split("\n@ ").skip(1);
    for number in 0..=journal.lines.len() {
        if number.is_multiple_of(INTERVAL) || number == journal.lines.len() {
            let now = checkpoint(&game, &mut last);
            let recorded = checkpoints
                .next()
                .unwrap_or_else(|| panic!("no checkpoint {number}"));
            let recorded = recorded.lines().filter(|line| {
                number == 0
                    || !line.starts_with(|c: char| c.is_ascii_digit())
                    || recorded.starts_with(line)
            });
            let recorded: Vec<String> = recorded
                .filter(|line| line.starts_with(['?', '=', '-']))
                .map(renamed)
                .collect();
            let now: Vec<&str> = now.lines().skip(1).collect();
            let differs = recorded
                .iter()
                .zip(&now)
                .find(|(recorded, now)| recorded != now);
            assert!(
                differs.is_none() && recorded.len() == now.len(),
                "after {number} answers, recorded and now:\n{differs:?} ({} rows, {} rows)",
                recorded.len(),
                now.len()
            );
        }
        if let Some(line) = journal.lines.get(number) {
            game.replay_line(line, journal.lines.get(number + 1))
                .unwrap_or_else(|reason| panic!("answer {number}: {reason}"));
        }
    }
    assert!(
        checkpoints.next().is_none(),
        "the game ends before the recording does"
    );
}

/// A row of a checkpoint with current names.
fn renamed(row: &str) -> String {
    let mut words: Vec<String> = row.split(' ').map(str::to_owned).collect();
    if let [mark, id, ..] = &mut words[..]
        && mark == "?"
    {
        *id = migrate::decision_id(id);
    }
    words.join(" ")
}

fn read(path: &Path) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(fs::File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    text
}

/// A trial for each recording and, with `INSTA_UPDATE=always`, one that records them.
pub fn trials() -> Vec<Trial> {
    let recordings = dir_entries(Path::new(GAMES));
    let length = |path: &PathBuf| fs::metadata(path).unwrap().len();
    // The file name without its number: `velen-tale-2-greedy`.
    let group = |path: &Path| stem(path).rsplit_once('-').unwrap().0.to_owned();
    let mut shortest: BTreeMap<String, &PathBuf> = BTreeMap::new();
    for path in &recordings {
        let known = shortest.entry(group(path)).or_insert(path);
        if length(path) < length(known) {
            *known = path;
        }
    }
    let replays = recordings.iter().map(|path| {
        let ignored = shortest[&group(path)] != path;
        let path = path.clone();
        trial(module_path!(), &stem(&path), move || replay(&read(&path))).with_ignored_flag(ignored)
    });
    let mut trials: Vec<Trial> = replays.collect();
    if updating() {
        trials.push(trial(module_path!(), "record", record_all).with_ignored_flag(true));
    }
    trials
}

fn record_all() {
    let _ = fs::remove_dir_all(GAMES);
    fs::create_dir_all(GAMES).unwrap();
    for (packs, mode, seats, random, greedy) in PLAN {
        let rules = open(packs, mode);
        for count in *seats {
            for (kind, games) in [(PlayerKind::Random, *random), (PlayerKind::Greedy, *greedy)] {
                for number in 0..games {
                    let seed = 1_000 * *count as u64
                        + 100 * u64::from(kind == PlayerKind::Greedy)
                        + number as u64;
                    let names = ["Ann", "Bo", "Cy", "Di", "Ed"].iter().take(*count);
                    let players: Vec<Player> = names.map(|name| Player::new(*name, kind)).collect();
                    let text = record(packs, mode, &rules, &players, seed);
                    let name = mode.replace([':', '+'], "-");
                    let path = format!("{GAMES}/{name}-{count}-{}-{number:02}.gz", kind.name());
                    let file = fs::File::create(&path).unwrap();
                    let mut file = flate2::write::GzEncoder::new(file, flate2::Compression::best());
                    file.write_all(text.as_bytes()).unwrap();
                    file.finish().unwrap();
                }
            }
        }
    }
}

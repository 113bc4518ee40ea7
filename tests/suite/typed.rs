//! Random input at the prompt must not break a game or lose its journal: garbage, huge lines,
//! control bytes, incomplete characters, commands and answers.
//! `cargo test -- --include-ignored typed` plays a thousand games.

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use libtest_mimic::Trial;

use crate::support::{KAER, scratch, trial};

/// Games per mode by default.
const GAMES: u64 = 3;
/// Games per mode with `--include-ignored`.
const MANY_GAMES: u64 = 200;
/// Lines typed per game.
const LINES: u64 = 150;

/// The modes to play, with the options that name their packs.
const MODES: [(&str, &[&str]); 5] = [
    ("duel:duel", &["--pack", "tests/packs/duel"]),
    ("parley:court", &["--pack", "tests/packs/parley"]),
    ("errands:errands", &["--pack", "tests/packs/errands"]),
    ("old-world:hunt", &[]),
    ("old-world:solo", &[]),
];

/// A random number generator with a fixed seed (splitmix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        let ix = self.below(all.len() as u64);
        all[usize::try_from(ix).unwrap_or(0)]
    }
}

const COMMANDS: [&str; 30] = [
    "",
    "?",
    "help",
    "again",
    "hand",
    "me",
    "players",
    "table",
    "map",
    "map a",
    "card a",
    "card",
    "rules",
    "rules gold",
    "log",
    "log 99999999999999999999",
    "why",
    "why 3",
    "undo",
    "undo!",
    "redo",
    "none",
    "y",
    "n",
    "yes",
    "2>1",
    "9>9",
    "1x1",
    "board",
    "load nothing",
];

/// A line that a player might type, or random keys.
fn line(rng: &mut Rng) -> Vec<u8> {
    match rng.below(12) {
        0..=5 => (rng.below(9) + 1).to_string().into_bytes(),
        6 => (0..=rng.below(4))
            .map(|_| (rng.below(7) + 1).to_string())
            .collect::<Vec<_>>()
            .join(" ")
            .into_bytes(),
        7 | 8 => rng.pick(&COMMANDS).as_bytes().to_vec(),
        9 => (0..rng.below(40))
            .map(|_| u8::try_from(rng.below(256)).unwrap_or(0))
            .filter(|b| *b != b'\n')
            .collect(),
        10 => rng
            .pick(&[
                "\u{1b}[2J\u{7}",
                "ä→\u{202e}×",
                "\u{0}\u{1}",
                "٣",
                "1\u{0}2",
                "'; drop",
                "😀😀",
            ])
            .as_bytes()
            .to_vec(),
        _ => match rng.below(40) {
            0 => vec![b'7'; 30_000],
            1 => "é".repeat(9_999).into_bytes()[1..].to_vec(),
            _ => vec![0xc3],
        },
    }
}

fn kaer(args: &[&str], data: &PathBuf, typed: &[u8]) -> (i32, String, String) {
    let mut command = Command::new(KAER);
    command
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("KAER_DATA", data);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    let typed = typed.to_vec();
    // The program may exit before it has read everything.
    let writer = std::thread::spawn(move || drop(input.write_all(&typed)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer does not panic");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// A trial for each mode, and one with many games that is ignored.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for mode in MODES {
        let name = mode.0.replace(':', "_");
        trials.push(trial(module_path!(), &name, move || {
            survives_random_input(mode, 0..GAMES);
        }));
        let many = move || survives_random_input(mode, GAMES..MANY_GAMES);
        trials.push(trial(module_path!(), &format!("many_{name}"), many).with_ignored_flag(true));
    }
    trials
}

/// Plays games of a mode with these seeds; none may fail, and every journal can be replayed.
fn survives_random_input((mode, packs): (&str, &[&str]), seeds: Range<u64>) {
    let folder = scratch(&format!("typed/{}-{}", mode.replace(':', "-"), seeds.start));
    for seed in seeds {
        let mut rng = Rng(seed);
        let mut typed = Vec::new();
        for _ in 0..LINES {
            typed.extend(line(&mut rng));
            typed.push(b'\n');
        }
        let journal = folder.join(format!("{seed}.journal"));
        let (path, number) = (journal.display().to_string(), seed.to_string());
        let mut args = vec!["play", mode, "--seed", &number, "--journal", &path];
        args.extend(packs);
        args.extend(["--player", "Ann"]);
        if mode != "old-world:solo" {
            args.extend(["--player", rng.pick(&["Bo", "Bo=random"])]);
        }
        let (status, out, err) = kaer(&args, &folder, &typed);
        assert!(
            status == 0 && !err.contains("panicked"),
            "seed {seed}, {mode}: status {status}\n{err}"
        );
        let control = |c: char| {
            c.is_control() && c != '\n' && c != '\t' || ('\u{202a}'..='\u{202e}').contains(&c)
        };
        assert!(
            !out.contains(control),
            "seed {seed}: a control character is printed"
        );
        let mut replay = vec!["replay", &path, "--hash"];
        replay.extend(packs);
        let (status, hash, err) = kaer(&replay, &folder, &[]);
        assert_eq!(
            (status, hash.trim().len()),
            (0, 16),
            "seed {seed}: the journal cannot be replayed: {hash}{err}"
        );
    }
}

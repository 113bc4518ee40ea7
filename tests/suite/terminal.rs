//! The real program on a pseudo-terminal: a game typed to its end, keys that stop and edit, windows that change their size, and two
//! people at one keyboard.

use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;
use rexpect::ReadUntil;
use rexpect::process::Signal;
use rexpect::session::{PtySession, spawn_command};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::{KAER, trials};

pub fn trials() -> Vec<Trial> {
    trials![
        a_game_is_typed_to_its_end,
        one_who_wants_to_leave_is_asked_once,
        lines_fit_the_window,
        a_name_is_completed,
        two_people_do_not_see_each_others_hands,
        a_killed_game_goes_on,
    ]
}

/// So long something may take that takes a moment, on a machine that does other things too.
const PATIENCE: u64 = 60_000;
/// What stands where somebody may type and has not yet.
const READY: &str = "\u{1b}[K> \r\u{1b}[2C";

/// Somebody at a terminal.
struct Person(PtySession);

impl Person {
    /// Starts the program with a data folder of its own.
    fn sits_down(name: &str, args: &[&str]) -> Person {
        let data =
            std::env::temp_dir().join(format!("kaer-terminal-{}-{name}", std::process::id()));
        let mut command = Command::new(KAER);
        command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
        command
            .env("KAER_DATA", data)
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env("LANG", "C.UTF-8");
        let person = Person(spawn_command(command, Some(PATIENCE)).expect("the program starts"));
        person.sees_a_window_of(100);
        person
    }

    fn sees_a_window_of(&self, columns: u16) {
        let file = self.0.process().get_file_handle().expect("the terminal");
        let size = Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&file, size).expect("terminals have sizes");
    }

    /// What is shown until somebody may type.
    fn reads(&mut self) -> String {
        self.sees(READY)
    }

    fn types(&mut self, line: &str) {
        self.0.send_line(line).expect("the terminal takes it");
    }

    /// Reads up to some words.
    fn sees(&mut self, words: &str) -> String {
        self.0
            .exp_string(words)
            .unwrap_or_else(|error| panic!("`{words}` is not shown: {error}"))
    }

    fn presses_control(&mut self, key: char) {
        self.0.send_control(key).expect("the terminal takes it");
    }

    fn is_told_and_leaves(&mut self) -> String {
        self.0.exp_eof().expect("the program ends")
    }
}

const DUEL: [&str; 8] = [
    "play",
    "duel:duel",
    "--pack",
    "tests/packs/duel",
    "--seed",
    "7",
    "--player",
    "Ann",
];

fn against_a_bot() -> Vec<&'static str> {
    DUEL.iter()
        .copied()
        .chain(["--player", "Bo=random"])
        .collect()
}

fn a_game_is_typed_to_its_end() {
    let mut ann = Person::sits_down("end", &against_a_bot());
    let mut all = String::new();
    for turn in 0..400 {
        let needles = vec![
            ReadUntil::String("The game is over".into()),
            ReadUntil::String(READY.into()),
        ];
        let before = ann.0.exp_any(needles).expect("it goes on");
        all.push_str(&before.0);
        if before.1.contains("over") {
            let last = ann.is_told_and_leaves();
            assert!(last.contains('7'), "the seed is told:\n{last}");
            return;
        }
        ann.types(if turn % 3 == 0 { "" } else { "1" });
    }
    panic!("it does not end:\n{all}");
}

fn one_who_wants_to_leave_is_asked_once() {
    let mut ann = Person::sits_down("stop", &against_a_bot());
    ann.reads();
    ann.presses_control('c');
    ann.sees("press Ctrl-C again");
    ann.presses_control('c');
    assert!(ann.is_told_and_leaves().contains("Nothing to save yet"));
    let mut ann = Person::sits_down("end-of-input", &against_a_bot());
    ann.reads();
    ann.presses_control('d');
    assert!(ann.is_told_and_leaves().contains("Nothing to save yet"));
}

fn lines_fit_the_window() {
    let mut ann = Person::sits_down(
        "window",
        &[
            "play",
            "hunt",
            "--seed",
            "5",
            "--player",
            "Ann",
            "--player",
            "Bo=greedy",
        ],
    );
    ann.reads();
    for columns in [60, 100, 44] {
        ann.sees_a_window_of(columns);
        std::thread::sleep(Duration::from_millis(200));
        ann.types("?");
        let shown = ann.sees("`again` lists");
        ann.reads();
        let longest = shown
            .lines()
            .map(|line| line.trim_end().chars().count())
            .max()
            .unwrap_or(0);
        assert!(
            longest <= usize::from(columns),
            "{longest} letters in {columns} columns:\n{shown}"
        );
    }
}

fn a_name_is_completed() {
    let mut ann = Person::sits_down("tab", &against_a_bot());
    ann.reads();
    ann.0
        .send("do o\t")
        .and_then(|_| ann.0.flush())
        .expect("the terminal takes it");
    ann.sees("Do odd jobs");
    ann.types("");
    ann.sees("Coins 4");
}

fn two_people_do_not_see_each_others_hands() {
    let both = ["--player", "Bo", "--player", "Cy=random"];
    let args: Vec<&str> = ["play", "hunt", "--seed", "5", "--player", "Ann"]
        .into_iter()
        .chain(both)
        .collect();
    let mut table = Person::sits_down("two", &args);
    let (mut handed, mut seen) = (0, String::new());
    for _ in 0..60 {
        let before = table.reads();
        if before.contains("it is your turn") {
            // The screen is emptied first, and shows nothing of anybody's.
            let shown = before.rsplit("\u{1b}[H").next().unwrap_or_default();
            assert!(!shown.contains("Hand:"), "a hand is seen:\n{shown}");
            handed += 1;
        }
        seen.push_str(&before);
        if handed > 1 {
            return;
        }
        table.types(
            if before.contains("[Enter]") || before.contains("it is your turn") {
                ""
            } else {
                "1"
            },
        );
    }
    panic!("the keyboard is never handed over:\n{seen}");
}

fn a_killed_game_goes_on() {
    let mut ann = Person::sits_down("killed", &against_a_bot());
    ann.reads();
    ann.types("do odd");
    let shown = ann.reads();
    let question = shown
        .lines()
        .rev()
        .find(|line| line.starts_with("Ann: "))
        .unwrap_or_default()
        .to_owned();
    ann.0
        .process_mut()
        .kill(Signal::SIGKILL)
        .expect("it can be killed");
    let mut ann = Person::sits_down("killed", &["resume", "--pack", "tests/packs/duel"]);
    ann.sees(&question);
    ann.reads();
    ann.types("undo");
    ann.sees("Undo anyway?");
    ann.reads();
    ann.types("undo!");
    ann.sees("Coins 3");
    ann.reads();
    ann.types("redo");
    ann.reads();
    ann.types("quit");
    ann.is_told_and_leaves();
}

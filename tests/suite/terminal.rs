//! The program on a pseudo-terminal: a full game, interrupt and editing keys, window resizing, and
//! two people at one keyboard, and the questions of `kaer new`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;
use rexpect::ReadUntil;
use rexpect::process::Signal;
use rexpect::session::{PtySession, spawn_command};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::{KAER, copy, scratch, trials};

pub fn trials() -> Vec<Trial> {
    trials![
        a_game_can_be_played_to_its_end,
        ctrl_c_asks_once_and_ctrl_d_leaves,
        lines_fit_the_window,
        tab_completes_a_name,
        players_do_not_see_each_others_hands,
        a_killed_game_can_be_resumed,
        an_empty_line_takes_the_default,
        an_invalid_answer_is_asked_again,
        only_what_fits_is_offered_before_a_game,
        conflicting_expansions_are_asked_again,
    ]
}

/// The timeout in milliseconds; generous, because the machine may be busy.
const TIMEOUT_MS: u64 = 60_000;
/// The output when the prompt is empty and waits for input.
const PROMPT: &str = "\u{1b}[K> \r\u{1b}[2C";
/// The same for questions without line editing.
const PLAIN_PROMPT: &str = "\n> ";

/// The program running on a pseudo-terminal.
struct Session(PtySession);

impl Session {
    /// Starts the program with its own data folder.
    fn start(name: &str, args: &[&str]) -> Session {
        let data = Session::data(name);
        let mut command = Command::new(KAER);
        command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
        command
            .env("KAER_DATA", data)
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env("LANG", "C.UTF-8");
        let session =
            Session(spawn_command(command, Some(TIMEOUT_MS)).expect("the program starts"));
        session.resize(100);
        session
    }

    /// The data folder of a session.
    fn data(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("kaer-terminal-{}-{name}", std::process::id()))
    }

    fn resize(&self, columns: u16) {
        let file = self
            .0
            .process()
            .get_file_handle()
            .expect("the session has a terminal");
        let size = Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&file, size).expect("the terminal can be resized");
    }

    /// Waits for the prompt and returns the output before it.
    fn wait_for_prompt(&mut self) -> String {
        self.wait_for(PROMPT)
    }

    fn type_line(&mut self, line: &str) {
        self.0.send_line(line).expect("the terminal accepts input");
    }

    /// Waits for a text and returns the output before it.
    fn wait_for(&mut self, text: &str) -> String {
        self.0
            .exp_string(text)
            .unwrap_or_else(|error| panic!("`{text}` was not shown: {error}"))
    }

    fn press_ctrl(&mut self, key: char) {
        self.0
            .send_control(key)
            .expect("the terminal accepts input");
    }

    fn wait_for_exit(&mut self) -> String {
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

fn a_game_can_be_played_to_its_end() {
    let mut ann = Session::start("end", &against_a_bot());
    let mut all = String::new();
    for turn in 0..400 {
        let needles = vec![
            ReadUntil::String("The game is over".into()),
            ReadUntil::String(PROMPT.into()),
        ];
        let before = ann.0.exp_any(needles).expect("the game asks or ends");
        all.push_str(&before.0);
        if before.1.contains("over") {
            let last = ann.wait_for_exit();
            assert!(last.contains('7'), "the seed is not shown:\n{last}");
            return;
        }
        ann.type_line(if turn % 3 == 0 { "" } else { "1" });
    }
    panic!("the game does not end:\n{all}");
}

fn ctrl_c_asks_once_and_ctrl_d_leaves() {
    let mut ann = Session::start("stop", &against_a_bot());
    ann.wait_for_prompt();
    ann.press_ctrl('c');
    ann.wait_for("press Ctrl-C again");
    ann.press_ctrl('c');
    assert!(ann.wait_for_exit().contains("Nothing to save yet"));
    let mut ann = Session::start("end-of-input", &against_a_bot());
    ann.wait_for_prompt();
    ann.press_ctrl('d');
    assert!(ann.wait_for_exit().contains("Nothing to save yet"));
}

fn lines_fit_the_window() {
    let mut ann = Session::start(
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
    ann.wait_for_prompt();
    for columns in [60, 100, 44] {
        ann.resize(columns);
        std::thread::sleep(Duration::from_millis(200));
        ann.type_line("?");
        let shown = ann.wait_for("`again` lists");
        ann.wait_for_prompt();
        let longest = shown
            .lines()
            .map(|line| line.trim_end().chars().count())
            .max()
            .unwrap_or(0);
        assert!(
            longest <= usize::from(columns),
            "{longest} characters in {columns} columns:\n{shown}"
        );
    }
}

fn tab_completes_a_name() {
    let mut ann = Session::start("tab", &against_a_bot());
    ann.wait_for_prompt();
    ann.0
        .send("do o\t")
        .and_then(|_| ann.0.flush())
        .expect("the terminal accepts input");
    ann.wait_for("Do odd jobs");
    ann.type_line("");
    ann.wait_for("Coins 4");
}

fn players_do_not_see_each_others_hands() {
    let both = ["--player", "Bo", "--player", "Cy=random"];
    let args: Vec<&str> = ["play", "hunt", "--seed", "5", "--player", "Ann"]
        .into_iter()
        .chain(both)
        .collect();
    let mut table = Session::start("two", &args);
    let (mut handovers, mut seen) = (0, String::new());
    for _ in 0..60 {
        let before = table.wait_for_prompt();
        if before.contains("it is your turn") {
            // The screen is cleared first and shows nobody's cards.
            let shown = before.rsplit("\u{1b}[H").next().unwrap_or_default();
            assert!(!shown.contains("Hand:"), "a hand is visible:\n{shown}");
            handovers += 1;
        }
        seen.push_str(&before);
        if handovers > 1 {
            return;
        }
        table.type_line(
            if before.contains("[Enter]") || before.contains("it is your turn") {
                ""
            } else {
                "1"
            },
        );
    }
    panic!("the keyboard is never handed over:\n{seen}");
}

fn a_killed_game_can_be_resumed() {
    let mut ann = Session::start("killed", &against_a_bot());
    ann.wait_for_prompt();
    ann.type_line("do odd");
    let shown = ann.wait_for_prompt();
    let question = shown
        .lines()
        .rev()
        .find(|line| line.starts_with("Ann: "))
        .unwrap_or_default()
        .to_owned();
    ann.0
        .process_mut()
        .kill(Signal::SIGKILL)
        .expect("the process can be killed");
    let mut ann = Session::start("killed", &["resume", "--pack", "tests/packs/duel"]);
    ann.wait_for(&question);
    ann.wait_for_prompt();
    ann.type_line("undo");
    ann.wait_for("Undo anyway?");
    ann.wait_for_prompt();
    ann.type_line("undo!");
    ann.wait_for("Coins 3");
    ann.wait_for_prompt();
    ann.type_line("redo");
    ann.wait_for_prompt();
    ann.type_line("quit");
    ann.wait_for_exit();
}

fn an_empty_line_takes_the_default() {
    let folder = scratch("terminal/default").join("grey-owl");
    let mut session = Session::start("new-default", &["new", &folder.to_string_lossy()]);
    assert!(session.wait_for(PLAIN_PROMPT).contains("  3  a campaign"));
    session.type_line("");
    assert!(
        session
            .wait_for(PLAIN_PROMPT)
            .contains("(Enter for Grey Owl)")
    );
    session.type_line(" ");
    session.wait_for_exit();
    let manifest = std::fs::read_to_string(folder.join("pack.toml")).unwrap();
    assert!(manifest.contains("title = \"Grey Owl\""), "{manifest}");
}

fn an_invalid_answer_is_asked_again() {
    let folder = scratch("terminal/invalid").join("grey-owl");
    let mut session = Session::start("new-invalid", &["new", &folder.to_string_lossy()]);
    session.wait_for(PLAIN_PROMPT);
    session.type_line("7");
    let asked = session.wait_for(PLAIN_PROMPT);
    assert!(
        asked.contains("No option matches `7`. Type a number or a name."),
        "{asked}"
    );
    session.type_line("campain");
    let asked = session.wait_for(PLAIN_PROMPT);
    assert!(asked.contains("Did you mean `campaign`?"), "{asked}");
    session.type_line("mod");
    let asked = session.wait_for(PLAIN_PROMPT);
    assert!(asked.contains("Build on which pack?"), "{asked}");
    // The input ends.
    session.press_ctrl('d');
    assert!(session.wait_for_exit().contains("nothing was created"));
    assert!(!folder.exists());
}

/// Expansions have a description; those that do not fit have a reason. Options with values are asked
/// one by one.
fn only_what_fits_is_offered_before_a_game() {
    let packs = Session::data("fits").join("packs");
    copy(Path::new("tests/packs/open"), &packs);
    let mut session = Session::start("fits", &["play", "harbour:harbour"]);
    let asked = session.wait_for_prompt();
    assert!(
        asked.contains("Not available: Ice is only for Winter harbour."),
        "{asked}"
    );
    assert!(
        asked.contains("Ships pay a toll before they put to sea."),
        "{asked}"
    );
    assert!(!asked.contains("The harbour freezes over"), "{asked}");
    session.type_line("docks");
    let asked = session.wait_for_prompt();
    assert!(
        asked.contains("Which options?") && asked.contains("Nobody is paid for light."),
        "{asked}"
    );
    session.type_line("");
    let asked = session.wait_for_prompt();
    assert!(
        asked.contains("Toll? What a ship pays. (Enter for low)"),
        "{asked}"
    );
    assert!(
        asked.contains("Two coins, but captains may hide"),
        "{asked}"
    );
    session.type_line("dear");
    assert!(
        session
            .wait_for_prompt()
            .contains("No option matches `dear`.")
    );
    session.type_line("high");
    let asked = session.wait_for_prompt();
    assert!(asked.contains("Which seed?"), "{asked}");
    session.type_line("1");
    session.wait_for_prompt();
    session.type_line("");
    session.wait_for_prompt();
    session.type_line("");
    let asked = session.wait_for_prompt();
    assert!(asked.contains("Hide the cargo"), "{asked}");
    session.type_line("quit");
}

/// Two expansions that conflict cannot be chosen together.
fn conflicting_expansions_are_asked_again() {
    let packs = Session::data("conflict").join("packs");
    copy(Path::new("tests/packs/open"), &packs);
    let mut session = Session::start("conflict", &["play", "harbour:winter"]);
    session.wait_for_prompt();
    session.type_line("ice storms");
    let told = session.wait_for_prompt();
    assert!(
        told.contains("Ice cannot be played with Storms. Choose others."),
        "{told}"
    );
    session.type_line("ice");
    let asked = session.wait_for_prompt();
    assert!(asked.contains("Which seed?"), "{asked}");
    session.type_line("quit");
}

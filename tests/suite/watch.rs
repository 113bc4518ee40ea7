//! `kaer watch` as an author uses it: files change while a game runs. Every wait ends as soon as
//! the expected text appears.

use libtest_mimic::Trial;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{KAER, collect_output, copy, trials};

pub fn trials() -> Vec<Trial> {
    trials![
        saved_changes_apply_at_once,
        packs_are_checked_without_a_game,
    ]
}

/// How often to look for a text, every 50 ms, before giving up.
const MAX_POLLS: u32 = 600;

/// A running `kaer watch` on a copy of a pack.
struct Watched {
    child: Child,
    input: ChildStdin,
    output: Arc<Mutex<String>>,
    /// How much of the output was matched so far.
    matched: usize,
    folder: PathBuf,
}

impl Watched {
    fn start(name: &str, args: &[&str]) -> Watched {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("watch-{name}"));
        let _ = fs::remove_dir_all(&folder);
        copy(Path::new("tests/packs/duel"), &folder);
        let mut command = Command::new(KAER);
        command
            .arg("watch")
            .arg(&folder)
            .args(args)
            .env("NO_COLOR", "1")
            .env("KAER_DATA", folder.with_extension("data"));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = collect_output(&mut child);
        let input = child.stdin.take().unwrap();
        Watched {
            child,
            input,
            output,
            matched: 0,
            folder,
        }
    }

    /// Waits until new output contains a text, and returns the output up to its end.
    fn wait_for(&mut self, text: &str) -> String {
        for _ in 0..MAX_POLLS {
            let output = self.output.lock().unwrap().clone();
            if let Some(at) = output[self.matched..].find(text) {
                let part = output[self.matched..self.matched + at + text.len()].to_owned();
                self.matched += part.len();
                return part;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!(
            "`{text}` was not printed; the output since the last match:\n{}",
            &self.output.lock().unwrap()[self.matched..]
        );
    }

    fn type_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn change(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.file(name)).unwrap();
        assert!(text.contains(from), "{name} has no `{from}`");
        fs::write(self.file(name), text.replacen(from, to, 1)).unwrap();
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn saved_changes_apply_at_once() {
    let mut watched = Watched::start(
        "play",
        &[
            "--play",
            "duel",
            "--seed",
            "7",
            "--player",
            "Ann",
            "--player",
            "Bo=random",
        ],
    );
    watched.wait_for("saved changes apply at once");
    watched.wait_for("Do odd jobs");
    watched.type_line("odd-jobs");
    watched.wait_for("> odd-jobs");
    watched.wait_for("Do odd jobs");
    // A number in an action that was taken: the log and the state change.
    watched.change("rules.toml", "coins += 1;", "coins += 9;");
    let shown = watched.wait_for("Reloaded rules.toml");
    for part in ["- Ann: Coins", "+ Ann: Coins", "~ Ann: Coins"] {
        assert!(shown.contains(part), "no `{part}` in: {shown}");
    }
    watched.wait_for(" answers in ");
    // An error is reported, and the game continues with the last version without errors.
    watched.change("rules.toml", "coins += 9;", "coyns += 9;");
    let shown = watched.wait_for("The game continues with the last version without errors.");
    assert!(
        shown.contains("rules.toml") && shown.contains("coyns"),
        "{shown}"
    );
    watched.type_line("odd-jobs");
    watched.wait_for("> odd-jobs");
    watched.wait_for("Do odd jobs");
    // An editor that writes a temporary file and renames it.
    let fixed = fs::read_to_string(watched.file("rules.toml"))
        .unwrap()
        .replace("coyns += 9;", "coins += 2;");
    fs::write(watched.file(".rules.toml.swp"), fixed).unwrap();
    fs::rename(watched.file(".rules.toml.swp"), watched.file("rules.toml")).unwrap();
    watched.wait_for("Reloaded rules.toml");
    watched.wait_for(" answers in ");
    // The journal ends at an answer that is no longer valid.
    watched.change("rules.toml", "id = \"odd-jobs\"", "id = \"even-jobs\"");
    let shown = watched.wait_for("The game continues from there.");
    assert!(
        shown.contains("Answer 1") && shown.contains("odd-jobs"),
        "{shown}"
    );
    watched.wait_for("replayed 0 answers");
    watched.type_line("even-jobs");
    watched.wait_for("> even-jobs");
    watched.wait_for("Do odd jobs");
    // A function, with an error and without.
    watched.change(
        "rules.rhai",
        "fn begin_fight() {",
        "fn begin_fight() { begin_nothing();",
    );
    let shown = watched.wait_for("The game continues with the last version without errors.");
    assert!(
        shown.contains("rules.rhai") && shown.contains("begin_nothing"),
        "{shown}"
    );
    watched.change("rules.rhai", "begin_nothing();", "say(\"To arms!\");");
    watched.wait_for("Reloaded rules.rhai");
    // The pack disappears and comes back.
    let away = watched.folder.with_extension("away");
    let _ = fs::remove_dir_all(&away);
    fs::rename(&watched.folder, &away).unwrap();
    watched.wait_for("the game continues with the previous version");
    fs::rename(&away, &watched.folder).unwrap();
    watched.wait_for(" answers in ");
    watched.type_line("quit");
    watched.wait_for("The game is not saved");
    assert!(watched.child.wait().unwrap().success());
}

fn packs_are_checked_without_a_game() {
    let mut watched = Watched::start("check", &["--static"]);
    watched.wait_for("1 pack: 0 errors, 0 warnings");
    watched.wait_for("Watching");
    watched.change("rules.toml", "coins += 1;", "coyns += 1;");
    let shown = watched.wait_for("1 pack: 1 error");
    assert!(shown.contains("coyns"), "{shown}");
    watched.change("rules.toml", "coyns += 1;", "coins += 1;");
    watched.wait_for("1 pack: 0 errors, 0 warnings");
}

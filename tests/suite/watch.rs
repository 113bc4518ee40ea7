//! `kaer watch`, as somebody uses it: files change while a game runs. Every wait ends as soon as the words are there.

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
        what_is_saved_is_played_at_once,
        without_a_game_packs_are_checked,
    ]
}

/// Longer than this nobody waits for words that do not come.
const PATIENCE: u32 = 600;

/// A running `kaer watch` on a copy of a pack.
struct Watched {
    child: Child,
    input: ChildStdin,
    said: Arc<Mutex<String>>,
    /// How much of it was looked at.
    read: usize,
    folder: PathBuf,
}

impl Watched {
    fn begin(name: &str, args: &[&str]) -> Watched {
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
        let said = collect_output(&mut child);
        let input = child.stdin.take().unwrap();
        Watched {
            child,
            input,
            said,
            read: 0,
            folder,
        }
    }

    /// Waits until something is said that was not there before, and gives what was said up to it.
    fn wait(&mut self, words: &str) -> String {
        for _ in 0..PATIENCE {
            let said = self.said.lock().unwrap().clone();
            if let Some(at) = said[self.read..].find(words) {
                let part = said[self.read..self.read + at + words.len()].to_owned();
                self.read += part.len();
                return part;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!(
            "nobody said `{words}`; after what was expected came:\n{}",
            &self.said.lock().unwrap()[self.read..]
        );
    }

    fn say(&mut self, line: &str) {
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

fn what_is_saved_is_played_at_once() {
    let mut watched = Watched::begin(
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
    watched.wait("saved changes apply at once");
    watched.wait("Do odd jobs");
    watched.say("odd-jobs");
    watched.wait("> odd-jobs");
    watched.wait("Do odd jobs");
    // A number in an action that was taken: log and state change.
    watched.change("rules.toml", "coins += 1;", "coins += 9;");
    let told = watched.wait("Reloaded rules.toml");
    for part in ["- Ann: Coins", "+ Ann: Coins", "~ Ann: Coins"] {
        assert!(told.contains(part), "no `{part}` in: {told}");
    }
    watched.wait(" answers in ");
    // An error is reported, and the game continues with the last version without errors.
    watched.change("rules.toml", "coins += 9;", "coyns += 9;");
    let told = watched.wait("The game continues with the last version without errors.");
    assert!(
        told.contains("rules.toml") && told.contains("coyns"),
        "{told}"
    );
    watched.say("odd-jobs");
    watched.wait("> odd-jobs");
    watched.wait("Do odd jobs");
    // An editor that writes beside the file and renames.
    let mended = fs::read_to_string(watched.file("rules.toml"))
        .unwrap()
        .replace("coyns += 9;", "coins += 2;");
    fs::write(watched.file(".rules.toml.swp"), mended).unwrap();
    fs::rename(watched.file(".rules.toml.swp"), watched.file("rules.toml")).unwrap();
    watched.wait("Reloaded rules.toml");
    watched.wait(" answers in ");
    // The journal ends at an answer that is no longer valid.
    watched.change("rules.toml", "id = \"odd-jobs\"", "id = \"even-jobs\"");
    let told = watched.wait("The game continues from there.");
    assert!(
        told.contains("Answer 1") && told.contains("odd-jobs"),
        "{told}"
    );
    watched.wait("replayed 0 answers");
    watched.say("even-jobs");
    watched.wait("> even-jobs");
    watched.wait("Do odd jobs");
    // A function, with a fault and without.
    watched.change(
        "rules.rhai",
        "fn begin_fight() {",
        "fn begin_fight() { begin_nothing();",
    );
    let told = watched.wait("The game continues with the last version without errors.");
    assert!(
        told.contains("rules.rhai") && told.contains("begin_nothing"),
        "{told}"
    );
    watched.change("rules.rhai", "begin_nothing();", "say(\"To arms!\");");
    watched.wait("Reloaded rules.rhai");
    // The pack goes away and comes back.
    let away = watched.folder.with_extension("away");
    let _ = fs::remove_dir_all(&away);
    fs::rename(&watched.folder, &away).unwrap();
    watched.wait("the game continues with the previous version");
    fs::rename(&away, &watched.folder).unwrap();
    watched.wait(" answers in ");
    watched.say("quit");
    watched.wait("The game is not saved");
    assert!(watched.child.wait().unwrap().success());
}

fn without_a_game_packs_are_checked() {
    let mut watched = Watched::begin("check", &["--static"]);
    watched.wait("1 pack: 0 errors, 0 warnings");
    watched.wait("Watching");
    watched.change("rules.toml", "coins += 1;", "coyns += 1;");
    let told = watched.wait("1 pack: 1 error");
    assert!(told.contains("coyns"), "{told}");
    watched.change("rules.toml", "coyns += 1;", "coins += 1;");
    watched.wait("1 pack: 0 errors, 0 warnings");
}

//! Nothing is lost: answers that are taken back and given again, and games that are killed and go on.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kaer::agents::{AgentTable, Player, PlayerKind, RandomPlayer, setup_for};
use kaer::game::journal::JournalLine;
use kaer::game::{Agent as _, Decision, Game, History, Journal, Rules, Setup};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, PackSource};
use kaer::saves::{Save, Saves};
use libtest_mimic::Trial;

use crate::support::{KAER, collect_output, trials};

pub fn trials() -> Vec<Trial> {
    trials![
        going_back_and_forth_changes_nothing,
        undo_and_redo_at_every_decision_give_the_same_game,
        a_game_that_is_killed_goes_on_at_the_same_decision,
        a_game_that_is_killed_at_any_moment_goes_on,
        nobody_plays_a_save_that_another_plays,
        a_kept_pack_that_was_changed_is_not_played,
        of_games_that_are_over_the_oldest_go,
    ]
}

/// A game whose person answers by chance, and all that is needed to have it again.
struct Played {
    packs: &'static str,
    mode: &'static str,
    players: Vec<Player>,
    seed: u64,
    game: Game,
    /// What people typed, a line an answer.
    typed: Vec<String>,
}

impl Played {
    /// Plays a game between people and bots, to its end or to so many answers.
    fn new(
        packs: &'static str,
        mode: &'static str,
        people: usize,
        bots: usize,
        seed: u64,
        most: usize,
    ) -> Played {
        let person = |n: usize| Player::new(format!("P{n}"), PlayerKind::Human);
        let bot = |n: usize| Player::new(format!("B{n}"), PlayerKind::Random);
        let players: Vec<Player> = (0..people).map(person).chain((0..bots).map(bot)).collect();
        let setup = Setup {
            journal: true,
            log: true,
            ..setup_for(&players, seed)
        };
        let mut game = Game::new(rules(packs, mode), setup).unwrap();
        game.run();
        let (table, mut chance) = (AgentTable::new(&players, seed), RandomPlayer::new(seed));
        let mut typed = Vec::new();
        while let Some(ask) = game.pending().filter(|_| game.journal().len() < most) {
            if let Some(answer) = table.answer(&game).unwrap() {
                game.answer(answer).unwrap();
                continue;
            }
            let (answer, asked) = (chance.decide(game.context(), ask), game.decision().unwrap());
            game.answer(answer).unwrap();
            typed.push(words(&asked, game.journal().last().unwrap()));
        }
        Played {
            packs,
            mode,
            players,
            seed,
            game,
            typed,
        }
    }

    fn is_person(&self, line: &JournalLine) -> bool {
        self.players[line.seat.ix()].kind == PlayerKind::Human
    }

    /// The command that begins it.
    fn command(&self, data: &Path) -> Command {
        let mut command = kaer(data);
        command.args([
            "play",
            self.mode,
            "--pack",
            self.packs,
            "--seed",
            &self.seed.to_string(),
        ]);
        for player in &self.players {
            command
                .arg("--player")
                .arg(format!("{}={}", player.name, player.spec()));
        }
        command
    }
}

/// An answer as somebody types it: by keys, or where a key looks like a number, by the number of the option.
fn words(asked: &Decision, line: &JournalLine) -> String {
    let number = |key: &String| match asked.form {
        "amount" | "split" => key.clone(),
        _ if key.parse::<usize>().is_err() => key.clone(),
        _ => (asked
            .options
            .iter()
            .position(|option| option.key == *key)
            .unwrap()
            + 1)
        .to_string(),
    };
    let picked: Vec<String> = line.keys.iter().map(number).collect();
    let picked = if picked.is_empty() {
        "none".to_owned()
    } else {
        picked.join(" ")
    };
    format!("{}> {picked}", line.seat.0 + 1)
}

fn rules(packs: &str, mode: &str) -> Rc<Rules> {
    let library = PackLibrary::load(vec![PackSource::folder(packs)]);
    let (rules, report) = library.open(
        &GameChoice {
            mode: mode.to_owned(),
            ..GameChoice::default()
        },
        None,
    );
    assert!(report.has_no_errors(), "{mode} has faults");
    rules.unwrap()
}

/// The program, far from the user's own saves.
fn kaer(data: &Path) -> Command {
    let mut command = Command::new(KAER);
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("KAER_DATA", data)
        .env("NO_COLOR", "1");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A fresh folder.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("saves")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn going_back_and_forth_changes_nothing() {
    back_and_forth(
        &Played::new("tests/packs/duel", "duel:duel", 1, 1, 3, 200),
        1,
    );
    back_and_forth(
        &Played::new("tests/packs/errands", "errands:errands", 2, 0, 4, 120),
        1,
    );
    back_and_forth(
        &Played::new("content/old-world", "old-world:solo", 1, 0, 5, 90),
        4,
    );
}

/// Plays a game again and goes back at each decision, by one answer and by several, and then forth again.
fn back_and_forth(played: &Played, every: usize) {
    let setup = Setup {
        journal: true,
        log: true,
        ..setup_for(&played.players, played.seed)
    };
    let mut game = Game::new(rules(played.packs, played.mode), setup).unwrap();
    game.run();
    let mut past = History::default();
    let mut hashes = vec![game.state().hash()];
    for (number, line) in (1..).zip(played.game.journal()) {
        past.record(&game);
        game.replay_line(line).unwrap();
        hashes.push(game.state().hash());
        if number % every != 0 {
            continue;
        }
        for steps in [1, 2, 7, number / 2, number] {
            let Some(to) = number.checked_sub(steps) else {
                continue;
            };
            let mut back = past.at(&game, to).unwrap();
            assert_eq!(
                back.state().hash(),
                hashes[to],
                "{}: from {number} back to {to}",
                played.mode
            );
            for (line, hash) in game.journal()[to..].iter().zip(&hashes[to + 1..]) {
                back.replay_line(line).unwrap();
                assert_eq!(
                    back.state().hash(),
                    *hash,
                    "{}: from {to} forth to {number}",
                    played.mode
                );
            }
            assert_eq!(back.log().lines.len(), game.log().lines.len());
            assert_eq!(back.journal(), game.journal());
        }
    }
}

/// A running program, and what it said so far.
struct Running {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Running {
    fn begin(mut command: Command) -> Running {
        let mut child = command.spawn().unwrap();
        let said = collect_output(&mut child);
        Running { child, said }
    }

    fn type_in(&mut self, lines: &[String]) {
        // The program may be gone before it has read everything.
        let _ = self
            .child
            .stdin
            .as_mut()
            .unwrap()
            .write_all(text(lines).as_bytes());
    }

    /// Waits until something is said.
    fn wait(&self, words: &str) {
        for _ in 0..3000 {
            if self.said.lock().unwrap().contains(words) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("nobody said `{words}`, but: {}", self.said.lock().unwrap());
    }

    /// Ends it as a loss of power would: it is asked nothing.
    fn kill(&mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Types lines into a program until it ends; gives what it said, and how it ended.
fn typed(mut command: Command, lines: &[String]) -> (String, bool) {
    let mut child = command.spawn().unwrap();
    let text = text(lines);
    let mut input = child.stdin.take().unwrap();
    std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        String::from_utf8_lossy(&said).into_owned(),
        output.status.success(),
    )
}

/// The one save of a game that is played.
fn only_save(data: &Path) -> Journal {
    let saves = Saves::in_folder(data).list();
    assert_eq!(saves.len(), 1);
    saves.into_iter().next().unwrap().journal.unwrap()
}

/// A save holds the game that was played, and leads to where it led.
fn holds(data: &Path, played: &Played, at: &str) {
    let journal = only_save(data);
    let lines = played.game.journal();
    assert_eq!(
        journal.lines.get(..lines.len()),
        Some(lines),
        "{at}: other answers are kept"
    );
    let setup = Setup {
        journal: true,
        ..setup_for(&played.players, played.seed)
    };
    let again = Game::replay(
        rules(played.packs, played.mode),
        &setup,
        &journal.lines[..lines.len()],
    );
    let hash = again.map_err(|unfit| unfit.2).unwrap().state().hash();
    assert_eq!(hash, played.game.state().hash(), "{at}: it leads elsewhere");
}

fn undo_and_redo_at_every_decision_give_the_same_game() {
    for (name, played) in [
        (
            "undo-duel",
            Played::new("tests/packs/duel", "duel:duel", 1, 1, 3, 10_000),
        ),
        (
            "undo-errands",
            Played::new("tests/packs/errands", "errands:errands", 2, 0, 4, 40),
        ),
        (
            "undo-old-world",
            Played::new("content/old-world", "old-world:hunt", 1, 1, 5, 40),
        ),
    ] {
        let data = scratch(name);
        let mut lines = Vec::new();
        for (ix, line) in (0..).zip(&played.typed) {
            lines.push(line.clone());
            let steps = if ix % 5 == 4 { 3 } else { 1 };
            lines.extend((0..steps).map(|_| "undo!".to_owned()));
            lines.extend((0..steps).map(|_| "redo".to_owned()));
        }
        let (said, well) = typed(played.command(&data), &lines);
        assert!(well, "{said}");
        assert!(all_fit(&said), "{said}");
        holds(&data, &played, name);
        let notes = only_save(&data).notes;
        assert!(notes.hindsight > 0, "{name}: random games show something");
        assert_eq!(
            notes.over,
            said.contains("undos with hindsight"),
            "{name}: it is told at the end"
        );
    }
}

fn a_game_that_is_killed_goes_on_at_the_same_decision() {
    let played = Played::new("tests/packs/duel", "duel:duel", 1, 1, 3, 40);
    let lines = &played.typed;
    for count in (0..lines.len()).step_by(2) {
        let data = scratch(&format!("killed-{count}"));
        let mut running = Running::begin(played.command(&data));
        running.type_in(&lines[..count]);
        // With the next prompt, every answer before it is on disk.
        running.type_in(&["save".to_owned()]);
        running.wait("> save");
        running.kill();
        let kept = only_save(&data)
            .lines
            .iter()
            .filter(|line| played.is_person(line))
            .count();
        assert_eq!(
            kept, count,
            "every answer is on disk before the next prompt"
        );
        resumed(
            &played,
            &data,
            &lines[count..],
            &format!("killed after {count} answers"),
        );
    }
}

fn a_game_that_is_killed_at_any_moment_goes_on() {
    let games = [
        (
            14,
            Played::new("tests/packs/duel", "duel:duel", 1, 1, 6, 200),
        ),
        (
            5,
            Played::new("content/old-world", "old-world:hunt", 1, 2, 5, 60),
        ),
        // Nobody but bots.
        (
            5,
            Played::new("tests/packs/duel", "duel:duel", 0, 2, 6, 10_000),
        ),
    ];
    for (ix, (times, played)) in games.iter().enumerate() {
        let lines = &played.typed;
        let data = scratch(&format!("any-moment-{ix}"));
        let mut running = Running::begin(played.command(&data));
        for turn in 0..*times {
            let kept = Saves::in_folder(&data)
                .list()
                .into_iter()
                .next()
                .and_then(|save| save.journal.ok());
            let answered = |journal: Journal| {
                journal
                    .lines
                    .iter()
                    .filter(|line| played.is_person(line))
                    .count()
            };
            let count = kept.map_or(0, answered);
            running.type_in(&lines[count.min(lines.len())..(count + 3).min(lines.len())]);
            std::thread::sleep(Duration::from_millis(40 + turn * 37 % 200));
            running.kill();
            tear(&data, turn);
            let saves = Saves::in_folder(&data).list();
            running = match saves.first() {
                Some(save) if save.is_open() => Running::begin(resume(&data)),
                Some(_) => break,
                None => Running::begin(played.command(&data)),
            };
        }
        running.kill();
        if Saves::in_folder(&data)
            .list()
            .first()
            .is_some_and(Save::is_open)
        {
            let count = only_save(&data)
                .lines
                .iter()
                .filter(|line| played.is_person(line))
                .count();
            resumed(
                played,
                &data,
                &lines[count.min(lines.len())..],
                "killed many times",
            );
        } else if !Saves::in_folder(&data).list().is_empty() {
            holds(&data, played, "killed many times, and over");
        }
    }
}

/// Tears off a part of the last row, as a loss of power may, or leaves half a row behind.
fn tear(data: &Path, turn: u64) {
    let Some(save) = Saves::in_folder(data)
        .list()
        .into_iter()
        .find(Save::is_open)
    else {
        return;
    };
    let length = fs::metadata(&save.path).unwrap().len();
    let header = save.journal.unwrap().header.text().len() as u64;
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(&save.path)
        .unwrap();
    match turn % 3 {
        0 if length > header + 3 => file.set_len(length - 3).unwrap(),
        1 => file.write_all(b"1 duel:pha").unwrap(),
        2 => file.write_all(&[0; 70]).unwrap(),
        _ => {}
    }
}

fn resume(data: &Path) -> Command {
    let mut command = kaer(data);
    command.arg("resume");
    command
}

/// Whether everything that was typed was understood.
fn all_fit(said: &str) -> bool {
    ![
        "Invalid answer",
        "No option matches",
        "Unknown command",
        "is ambiguous",
    ]
    .iter()
    .any(|words| said.contains(words))
}

/// Goes on with the last game, to where the unkilled one came.
fn resumed(played: &Played, data: &Path, rest: &[String], at: &str) {
    let (said, well) = typed(resume(data), rest);
    assert!(well && all_fit(&said), "{at}: {said}");
    holds(data, played, at);
}

fn nobody_plays_a_save_that_another_plays() {
    let played = Played::new("tests/packs/duel", "duel:duel", 1, 1, 3, 10);
    let data = scratch("in-use");
    let mut running = Running::begin(played.command(&data));
    running.type_in(&played.typed[..1]);
    running.type_in(&["save".to_owned(), "save mine".to_owned()]);
    running.wait("Saved as mine");
    let (said, well) = typed(resume(&data), &[]);
    assert!(
        !well && said.contains("duel-1 is open in another kaer"),
        "{said}"
    );
    // A copy that was named can be played, and becomes a game of its own.
    let mut copy = resume(&data);
    copy.arg("mine");
    let (said, well) = typed(copy, &played.typed[1..2]);
    assert!(
        well && said.contains("Continue with `kaer resume duel-2`"),
        "{said}"
    );
    running.kill();
    let (said, well) = typed(resume(&data), &["quit".to_owned()]);
    assert!(well && said.contains("duel-2"), "{said}");
}

fn a_kept_pack_that_was_changed_is_not_played() {
    let played = Played::new("tests/packs/duel", "duel:duel", 1, 1, 3, 10);
    let data = scratch("kept");
    typed(played.command(&data), &played.typed);
    let with_kept = || {
        let mut command = resume(&data);
        command.arg("--saved-packs");
        typed(command, &["quit".to_owned()])
    };
    assert!(with_kept().1);
    let kept = fs::read_dir(data.join("kept"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let rules = fs::read_to_string(kept.join("rules.toml")).unwrap();
    fs::write(
        kept.join("rules.toml"),
        rules.replace("coins += 1", "coins += 9"),
    )
    .unwrap();
    let (said, well) = with_kept();
    assert!(
        !well && said.contains("are missing or were changed"),
        "{said}"
    );
}

fn of_games_that_are_over_the_oldest_go() {
    let played = Played::new("tests/packs/duel", "duel:duel", 0, 2, 6, 10_000);
    let data = scratch("tidy");
    let (said, well) = typed(played.command(&data), &[]);
    assert!(well, "{said}");
    let saves = Saves::in_folder(&data);
    let first = saves.list().remove(0);
    let mut journal = first.journal.unwrap();
    let day = Duration::from_hours(24);
    journal.header.packs[0].hash = "0123456789abcdef".repeat(4);
    fs::create_dir_all(data.join("kept/duel-0123456789abcdef")).unwrap();
    fs::create_dir_all(data.join("kept/duel-fedcba9876543210")).unwrap();
    for number in 2..=40 {
        let (path, mut file) = saves.begin("duel:duel").unwrap();
        assert_eq!(path.file_stem().unwrap(), &*format!("duel-{number}"));
        // The oldest of all is not over.
        journal.notes.over = number != 40;
        file.write_all(journal.text().as_bytes()).unwrap();
        file.set_modified(first.changed - day * number).unwrap();
    }
    fs::create_dir_all(data.join("saves/named")).unwrap();
    fs::copy(&first.path, data.join("saves/named/old.kaer")).unwrap();
    fs::File::options()
        .append(true)
        .open(data.join("saves/named/old.kaer"))
        .unwrap()
        .set_modified(first.changed - day * 99)
        .unwrap();
    saves.clean_up(first.changed);
    let left: Vec<String> = saves.list().into_iter().map(|save| save.name).collect();
    let numbers = (1..=30).chain([40]).map(|number| format!("duel-{number}"));
    assert_eq!(left, numbers.chain(["old".to_owned()]).collect::<Vec<_>>());
    let mut kept: Vec<String> = fs::read_dir(data.join("kept"))
        .unwrap()
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(
        kept.contains(&"duel-0123456789abcdef".to_owned()),
        "{kept:?}"
    );
}

//! No answer is lost: undo and redo restore every state, and killed games can be resumed.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

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
        undo_and_redo_restore_every_state,
        undo_and_redo_at_every_prompt_keep_the_game,
        a_killed_game_resumes_at_the_same_decision,
        a_game_killed_at_any_moment_can_be_resumed,
        a_save_cannot_be_open_twice,
        a_changed_kept_pack_is_rejected,
        the_oldest_finished_games_are_deleted,
        an_incomplete_write_is_cut_off,
        days_have_dates,
    ]
}

/// A game in which people answer at random, with everything needed to play it again.
struct RecordedGame {
    packs: &'static str,
    mode: &'static str,
    players: Vec<Player>,
    seed: u64,
    game: Game,
    /// What people typed, one line per answer.
    typed: Vec<String>,
}

impl RecordedGame {
    /// Plays a game between people and bots, to its end or for at most `limit` answers.
    fn new(
        packs: &'static str,
        mode: &'static str,
        people: usize,
        bots: usize,
        seed: u64,
        limit: usize,
    ) -> RecordedGame {
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
        let (table, mut random) = (AgentTable::new(&players, seed), RandomPlayer::new(seed));
        let mut typed = Vec::new();
        while let Some(ask) = game.pending().filter(|_| game.journal().len() < limit) {
            if let Some(answer) = table.answer(&game).unwrap() {
                game.answer(answer).unwrap();
                continue;
            }
            let (answer, asked) = (random.decide(game.context(), ask), game.decision().unwrap());
            game.answer(answer).unwrap();
            typed.push(typed_line(&asked, game.journal().last().unwrap()));
        }
        RecordedGame {
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

    /// The command that starts it.
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

/// An answer as a player types it: by keys, or by option number where a key looks like a number.
fn typed_line(asked: &Decision, line: &JournalLine) -> String {
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
    assert!(report.has_no_errors(), "{mode} has errors");
    rules.unwrap()
}

/// The program, isolated from the user's own saves.
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

/// The path of a folder that does not exist yet.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("saves")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn undo_and_redo_restore_every_state() {
    check_undo_and_redo(
        &RecordedGame::new("tests/packs/duel", "duel:duel", 1, 1, 3, 200),
        1,
    );
    check_undo_and_redo(
        &RecordedGame::new("tests/packs/errands", "errands:errands", 2, 0, 4, 120),
        1,
    );
    check_undo_and_redo(
        &RecordedGame::new("content/old-world", "old-world:solo", 1, 0, 5, 90),
        4,
    );
}

/// Plays a game again; at each decision, undoes one or several answers and redoes them.
fn check_undo_and_redo(played: &RecordedGame, every: usize) {
    let setup = Setup {
        journal: true,
        log: true,
        ..setup_for(&played.players, played.seed)
    };
    let mut game = Game::new(rules(played.packs, played.mode), setup).unwrap();
    game.run();
    let mut history = History::default();
    let mut hashes = vec![game.state().hash()];
    for (number, line) in (1..).zip(played.game.journal()) {
        history.record(&game);
        game.replay_line(line, None).unwrap();
        hashes.push(game.state().hash());
        if number % every != 0 {
            continue;
        }
        for steps in [1, 2, 7, number / 2, number] {
            let Some(to) = number.checked_sub(steps) else {
                continue;
            };
            let mut undone = history.at(&game, to).unwrap();
            assert_eq!(
                undone.state().hash(),
                hashes[to],
                "{}: undo from {number} to {to}",
                played.mode
            );
            for (line, hash) in game.journal()[to..].iter().zip(&hashes[to + 1..]) {
                undone.replay_line(line, None).unwrap();
                assert_eq!(
                    undone.state().hash(),
                    *hash,
                    "{}: redo from {to} to {number}",
                    played.mode
                );
            }
            assert_eq!(undone.log().lines.len(), game.log().lines.len());
            assert_eq!(undone.journal(), game.journal());
        }
    }
}

/// A running program and its output so far.
struct Running {
    child: Child,
    printed: Arc<Mutex<String>>,
}

impl Running {
    fn start(mut command: Command) -> Running {
        let mut child = command.spawn().unwrap();
        let printed = collect_output(&mut child);
        Running { child, printed }
    }

    fn type_in(&mut self, lines: &[String]) {
        // The program may exit before it has read everything.
        let _ = self
            .child
            .stdin
            .as_mut()
            .unwrap()
            .write_all(text(lines).as_bytes());
    }

    /// Waits until a text is printed.
    fn wait_for(&self, text: &str) {
        for _ in 0..3000 {
            if self.printed.lock().unwrap().contains(text) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!(
            "`{text}` was not printed, but: {}",
            self.printed.lock().unwrap()
        );
    }

    /// Kills the program without warning, like a power failure.
    fn kill(&mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Runs a program with these lines as its input; returns its output and whether it succeeded.
fn run_with_input(mut command: Command, lines: &[String]) -> (String, bool) {
    let mut child = command.spawn().unwrap();
    let text = text(lines);
    let mut input = child.stdin.take().unwrap();
    std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (
        String::from_utf8_lossy(&printed).into_owned(),
        output.status.success(),
    )
}

/// The journal of the only save.
fn only_save(data: &Path) -> Journal {
    let saves = Saves::in_folder(data).list();
    assert_eq!(saves.len(), 1);
    saves.into_iter().next().unwrap().journal.unwrap()
}

/// Checks that the save contains the answers of the game and leads to the same state.
fn check_save(data: &Path, played: &RecordedGame, at: &str) {
    let journal = only_save(data);
    let lines = played.game.journal();
    assert_eq!(
        journal.lines.get(..lines.len()),
        Some(lines),
        "{at}: the saved answers differ"
    );
    let setup = Setup {
        journal: true,
        ..setup_for(&played.players, played.seed)
    };
    let replayed = Game::replay(
        rules(played.packs, played.mode),
        &setup,
        &journal.lines[..lines.len()],
    );
    let hash = replayed
        .map_err(|invalid| invalid.2)
        .unwrap()
        .state()
        .hash();
    assert_eq!(
        hash,
        played.game.state().hash(),
        "{at}: the save leads to a different state"
    );
}

fn undo_and_redo_at_every_prompt_keep_the_game() {
    for (name, played) in [
        (
            "undo-duel",
            RecordedGame::new("tests/packs/duel", "duel:duel", 1, 1, 3, 10_000),
        ),
        (
            "undo-errands",
            RecordedGame::new("tests/packs/errands", "errands:errands", 2, 0, 4, 40),
        ),
        (
            "undo-old-world",
            RecordedGame::new("content/old-world", "old-world:hunt", 1, 1, 5, 40),
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
        let (printed, success) = run_with_input(played.command(&data), &lines);
        assert!(success, "{printed}");
        assert!(all_understood(&printed), "{printed}");
        check_save(&data, &played, name);
        let notes = only_save(&data).notes;
        assert!(
            notes.hindsight > 0,
            "{name}: no undo with hindsight was counted"
        );
        assert_eq!(
            notes.over,
            printed.contains("undos with hindsight"),
            "{name}: a finished game reports undos with hindsight"
        );
    }
}

fn a_killed_game_resumes_at_the_same_decision() {
    let played = RecordedGame::new("tests/packs/duel", "duel:duel", 1, 1, 3, 40);
    let lines = &played.typed;
    for count in (0..lines.len()).step_by(2) {
        let data = scratch(&format!("killed-{count}"));
        let mut running = Running::start(played.command(&data));
        running.type_in(&lines[..count]);
        // With the next prompt, every answer before it is on disk.
        running.type_in(&["save".to_owned()]);
        running.wait_for("> save");
        running.kill();
        let saved = only_save(&data)
            .lines
            .iter()
            .filter(|line| played.is_person(line))
            .count();
        assert_eq!(
            saved, count,
            "every answer is on disk before the next prompt"
        );
        check_resume(
            &played,
            &data,
            &lines[count..],
            &format!("killed after {count} answers"),
        );
    }
}

fn a_game_killed_at_any_moment_can_be_resumed() {
    let games = [
        (
            14,
            RecordedGame::new("tests/packs/duel", "duel:duel", 1, 1, 6, 200),
        ),
        (
            5,
            RecordedGame::new("content/old-world", "old-world:hunt", 1, 2, 5, 60),
        ),
        // Only bots.
        (
            5,
            RecordedGame::new("tests/packs/duel", "duel:duel", 0, 2, 6, 10_000),
        ),
    ];
    for (ix, (times, played)) in games.iter().enumerate() {
        let lines = &played.typed;
        let data = scratch(&format!("any-moment-{ix}"));
        let mut running = Running::start(played.command(&data));
        for turn in 0..*times {
            let journal = Saves::in_folder(&data)
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
            let count = journal.map_or(0, answered);
            running.type_in(&lines[count.min(lines.len())..(count + 3).min(lines.len())]);
            std::thread::sleep(Duration::from_millis(40 + turn * 37 % 200));
            running.kill();
            damage_end(&data, turn);
            let saves = Saves::in_folder(&data).list();
            running = match saves.first() {
                Some(save) if save.is_open() => Running::start(resume(&data)),
                Some(_) => break,
                None => Running::start(played.command(&data)),
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
            check_resume(
                played,
                &data,
                &lines[count.min(lines.len())..],
                "killed many times",
            );
        } else if !Saves::in_folder(&data).list().is_empty() {
            check_save(&data, played, "killed many times, and over");
        }
    }
}

/// Damages the end of the save as a power failure might: cuts off part of the last line or leaves
/// half a line behind.
fn damage_end(data: &Path, turn: u64) {
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

/// Whether the program accepted every line.
fn all_understood(printed: &str) -> bool {
    ![
        "Invalid answer",
        "No option matches",
        "Unknown command",
        "is ambiguous",
    ]
    .iter()
    .any(|message| printed.contains(message))
}

/// Resumes the last game and checks that it gets as far as the uninterrupted one.
fn check_resume(played: &RecordedGame, data: &Path, rest: &[String], at: &str) {
    let (printed, success) = run_with_input(resume(data), rest);
    assert!(success && all_understood(&printed), "{at}: {printed}");
    check_save(data, played, at);
}

fn a_save_cannot_be_open_twice() {
    let played = RecordedGame::new("tests/packs/duel", "duel:duel", 1, 1, 3, 10);
    let data = scratch("in-use");
    let mut running = Running::start(played.command(&data));
    running.type_in(&played.typed[..1]);
    running.type_in(&["save".to_owned(), "save mine".to_owned()]);
    running.wait_for("Saved as mine");
    let (printed, success) = run_with_input(resume(&data), &[]);
    assert!(
        !success && printed.contains("duel-1 is in use by another `kaer`"),
        "{printed}"
    );
    // A named copy can be played and becomes a separate game.
    let mut copy = resume(&data);
    copy.arg("mine");
    let (printed, success) = run_with_input(copy, &played.typed[1..2]);
    assert!(
        success && printed.contains("Continue with `kaer resume duel-2`"),
        "{printed}"
    );
    running.kill();
    let (printed, success) = run_with_input(resume(&data), &["quit".to_owned()]);
    assert!(success && printed.contains("duel-2"), "{printed}");
}

fn a_changed_kept_pack_is_rejected() {
    let played = RecordedGame::new("tests/packs/duel", "duel:duel", 1, 1, 3, 10);
    let data = scratch("kept");
    run_with_input(played.command(&data), &played.typed);
    let with_kept_packs = || {
        let mut command = resume(&data);
        command.arg("--saved-packs");
        run_with_input(command, &["quit".to_owned()])
    };
    assert!(with_kept_packs().1);
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
    let (printed, success) = with_kept_packs();
    assert!(
        !success && printed.contains("are missing or were changed"),
        "{printed}"
    );
}

fn the_oldest_finished_games_are_deleted() {
    let played = RecordedGame::new("tests/packs/duel", "duel:duel", 0, 2, 6, 10_000);
    let data = scratch("tidy");
    let (printed, success) = run_with_input(played.command(&data), &[]);
    assert!(success, "{printed}");
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
        // The oldest game is not over.
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
    let remaining: Vec<String> = saves.list().into_iter().map(|save| save.name).collect();
    let numbers = (1..=30).chain([40]).map(|number| format!("duel-{number}"));
    assert_eq!(
        remaining,
        numbers.chain(["old".to_owned()]).collect::<Vec<_>>()
    );
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

/// Rows after a power failure: the last one is incomplete, or zeros take its place.
fn an_incomplete_write_is_cut_off() {
    let saves = Saves::in_folder(&scratch("torn"));
    let (path, _file) = saves.begin("duel:duel").unwrap();
    let header = "kaer-journal 2\nmode duel:duel\nseed 7\n\n";
    let answers = |rows: &str| {
        fs::write(&path, format!("{header}{rows}")).unwrap();
        saves.list().remove(0).journal.unwrap().lines.len()
    };
    assert_eq!(answers("1 a\n1 b\n"), 2);
    assert_eq!(answers("1 a\n1 b\n1 c"), 2);
    assert_eq!(answers("1 a\n1 b\0\0\n\0"), 1);
    fs::write(&path, "kaer-journal 2").unwrap();
    let error = saves.list().remove(0).journal.unwrap_err();
    assert!(error.contains("incomplete"), "{error}");
}

fn days_have_dates() {
    let data = scratch("dates");
    let (path, mut file) = Saves::in_folder(&data).begin("duel:duel").unwrap();
    file.write_all(Journal::default().text().as_bytes())
        .unwrap();
    let now = fs::metadata(&path).unwrap().modified().unwrap();
    let shown = |changed: SystemTime| {
        file.set_modified(changed).unwrap();
        let mut command = kaer(&data);
        command.arg("saves");
        run_with_input(command, &[]).0
    };
    let day = |number: u32| SystemTime::UNIX_EPOCH + Duration::from_hours(24) * number;
    for (changed, when) in [
        (day(0), "1970-01-01"),
        (day(11_016), "2000-02-29"),
        (day(20_000), "2024-10-04"),
        (now - Duration::from_mins(121), "2 hours ago"),
    ] {
        let printed = shown(changed);
        assert!(printed.contains(when), "{when}: {printed}");
    }
}

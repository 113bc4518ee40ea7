//! Packs that misbehave: each gets a fault that names the entry, and the game continues.
//!
//! A case is a file in `tests/limits/` that is added to the small game of `tests/limits/pack.toml`;
//! its functions can be in a `.rhai` file of the same name. It is played in the mode it declares,
//! if any, and always with the first open option. Its snapshot shows the errors of the check or the
//! log of the game.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use kaer::diagnostic::{RenderStyle, Report, render, render_short};
use kaer::game::render::log_line;
use kaer::game::{Answer, AnswerForm, Game, Journal, Picks, Question, Rules, Setup, decision};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, Origin, PackSource, named_packs};
use libtest_mimic::Trial;

use crate::support::{scratch, stem, toml_files, trial, trials};

/// The mode of cases that declare none.
const DEFAULT_MODE: &str = "bomb:play";
/// A case that does not end is stopped after this many decisions.
const MAX_DECISIONS: usize = 1_000;
/// How many lines of a snapshot to keep at its beginning and at its end.
const KEPT_LINES: (usize, usize) = (30, 6);

/// A trial for each case, and trials for paths that are not packs.
pub fn trials() -> Vec<Trial> {
    let mut cases = toml_files(Path::new("tests/limits"));
    cases.retain(|path| !path.ends_with("pack.toml"));
    let mut trials = trials![read_only_scripts_change_nothing, every_size_has_a_case];
    #[cfg(unix)]
    trials.extend(trials![
        invalid_packs_are_reported,
        unreadable_packs_are_reported
    ]);
    trials.extend(cases.into_iter().map(|case| {
        trial(module_path!(), &stem(&case), move || {
            insta::assert_snapshot!(format!("limits__{}", stem(&case)), outcome_of(&case));
        })
    }));
    trials.extend(toml_files(Path::new(LOOPS)).into_iter().map(|case| {
        let name = format!("work-{}", stem(&case));
        trial(module_path!(), &name.clone(), move || {
            insta::assert_snapshot!(format!("limits__{name}"), outcomes_of_loops(&case));
        })
    }));
    trials
}

/// The folder of loops that must reach a limit soon.
const LOOPS: &str = "tests/limits/work";

/// Scripts that repeat one line each until they reach a limit.
#[derive(serde::Deserialize)]
struct WorkCase {
    /// Entries that are added to the small game.
    #[serde(default)]
    entries: String,
    /// Runs when the game starts, in a step of its own.
    #[serde(default)]
    setup: String,
    /// Comes before each loop.
    #[serde(default)]
    before: String,
    /// The bodies of the loops, one per line.
    loops: String,
}

impl WorkCase {
    fn read(path: &Path) -> WorkCase {
        toml::from_str(&fs::read_to_string(path).unwrap())
            .unwrap_or_else(|reason| panic!("{}: {reason}", path.display()))
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        let lines = self.loops.lines().map(str::trim);
        lines.filter(|line| !line.is_empty())
    }

    /// The small game with an action that repeats a line.
    fn game(&self, line: &str, functions: &str) -> PackLibrary {
        let WorkCase {
            entries,
            setup,
            before,
            ..
        } = self;
        let entries = format!(
            "{entries}
            [[mode]]
            id = \"loop\"
            title = \"Loop\"
            extends = \"play\"
            turn = [\"act\"]
            setup = '''create(\"pebble\", table.heap, 3); {setup}'''

            [[action]]
            id = \"boom\"
            title = \"Boom\"
            order = -1
            window = \"act\"
            do = '''{before} loop {{ {line} }}'''
            then.boo = 'say(\"boo\");'
            "
        );
        PackLibrary::load(vec![game_with(&entries, functions)])
    }
}

/// The fault of each loop of a case.
fn outcomes_of_loops(case: &Path) -> String {
    let functions = fs::read_to_string(Path::new(LOOPS).join("pack.rhai")).unwrap();
    let case = WorkCase::read(case);
    let mut text = String::new();
    for line in case.lines() {
        let library = case.game(line, &functions);
        let report = rendered(&library, &errors(&library));
        assert!(report.is_empty(), "{line}\n{report}");
        let _ = writeln!(text, "{line}\n    {}", fault_of_loop(&library));
    }
    text
}

/// Plays a loop until it fails, and returns the fault.
fn fault_of_loop(library: &PackLibrary) -> String {
    let mut game = start_game(library).1;
    for _ in 0..MAX_DECISIONS {
        let Some(ask) = game.pending().filter(|_| game.faults().is_empty()) else {
            break;
        };
        let answer = first(ask);
        game.answer(answer).unwrap();
    }
    assert!(game.pending().is_some(), "the game does not go on");
    let fault = game.faults().first().expect("the loop never fails");
    let (message, _) = fault
        .message
        .split_once(':')
        .unwrap_or((&fault.message, ""));
    message.chars().take(80).collect()
}

/// Primitives that take something with a size, but need no case, and why.
const WITHOUT_CASE: &[(&str, &[&str])] = &[
    (
        "adds one number to a query, whatever its size",
        &["at_least", "cap", "lock"],
    ),
    ("ends the script", &["deny"]),
    (
        "takes the id of an entry, and fails unless there is one",
        &["start_at", "table"],
    ),
    (
        "finds the name of a field or of an option, which a pack declares",
        &[
            "entry[name: string]",
            "fight[name: string]",
            "option",
            "pack",
            "object[name: string]",
        ],
    ),
    (
        "the number has no size",
        &[
            "data[position: number]",
            "packet[name: string] = value: number",
            "zone[position: number]",
            "value in from..to",
        ],
    ),
    (
        "works as the property of that name, which has a case",
        &[
            "data[name: string]",
            "event[name: string]",
            "event[name: string] = value: anything",
            "packet[name: string]",
            "object[name: string] = value: anything",
        ],
    ),
];

/// Every primitive that takes a list, a map, a string, a zone or a number is called in a case, so
/// that its snapshot shows that the work is charged.
fn every_size_has_a_case() {
    let sized = [
        "list", "Map", "string", "number", "anything", "Zone", "Data",
    ];
    let cases = toml_files(Path::new("tests/limits"));
    let loops = toml_files(Path::new(LOOPS));
    let text: String = cases
        .iter()
        .chain(&loops)
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let is_called = |name: &str| {
        if !name.contains(|c: char| c.is_alphanumeric()) {
            return text.contains(&format!(" {name} "));
        }
        let call = format!("{name}(");
        let mut calls = text.match_indices(&call);
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        calls.any(|(at, _)| !text[..at].ends_with(in_word))
    };
    let exceptions: Vec<&str> = WITHOUT_CASE
        .iter()
        .flat_map(|(_, names)| *names)
        .copied()
        .collect();
    let mut wrong = Vec::new();
    let all = kaer::script::primitives();
    for primitive in &all {
        let takes_size = sized
            .iter()
            .any(|of| primitive.signature.contains(&format!(": {of}")));
        let name = primitive.name.as_str();
        let is_exception = exceptions.contains(&name);
        if takes_size && !is_exception && !is_called(name) {
            wrong.push(format!("{}: no case calls it", primitive.signature));
        }
        if is_exception && is_called(name) {
            wrong.push(format!("{name}: is an exception, but has a case"));
        }
    }
    for name in exceptions {
        if !all.iter().any(|primitive| primitive.name == name) {
            wrong.push(format!("{name}: is an exception, but no primitive"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every way to change the game, one per line.
const CHANGES: &str = r#"
    actor.coins += 1
    actor.gain("coins", 1)
    actor.lose("coins", 1)
    actor.mark("x")
    actor.unmark("x")
    actor.pay(#{ coins: 1 })
    actor.pay_one([#{ coins: 1 }])
    actor.eliminate()
    actor.goes_first()
    actor.move_to(place("mill"))
    actor.draw(table.heap, actor.pocket, 1)
    actor.look(table.heap.pieces())
    table.heap.top().move_to(actor.pocket)
    table.heap.top().move_under(actor.pocket)
    table.heap.pieces().move_to(actor.pocket)
    table.heap.top().discard()
    table.heap.top().trash()
    table.heap.top().flip("")
    table.heap.top().reveal()
    table.heap.shuffle()
    table.heap.random(1)
    [1, 2].shuffled()
    create("pebble", table.heap)
    create("pebble", table.heap, 2)
    create_all("stone", table.heap)
    lay_out([[actor.pocket, ["pebble"]]])
    suffer(actor, 1, ["coins"])
    effect("coins", #{ add: 1, until: "game_end" })
    emit("knock")
    run_sequence("walk")
    start_fight("brawl", #{ fighters: [#{ who: actor, side: 0, chain: "wounds" }, #{ who: table.heap.top(), side: 1, chain: "wounds" }] })
    extra_turn(actor)
    end_phase()
    end_turn()
    end_fight_turn()
    end_game(#{ winners: [actor] })
    tally("noise", "all", 1)
    roll(actor, "coin", 1)
    chance(6)
    say("boo")
    say_to(actor, "boo")
    combo.add(table.heap.top())
    combo.clear()
    combo.discard()
    choose(actor, "Which?", [1, 2])
    choose_some(actor, "Which?", [1, 2, 3], 1, 2)
    choose_order(actor, "Which?", [1, 2])
    choose_split(actor, "Which?", 2, [1, 2])
    choose_amount(actor, "Which?", 1, 2)
    choose_each(seats(), "Which?", [1, 2])
    choose_first(seats(), "Which?", [1, 2])
    choose_amount_each(seats(), "Which?", 3)
    confirm(actor, "Yes?")
"#;

fn read_only_scripts_change_nothing() {
    let things = fs::read_to_string("tests/limits/things/things.toml").unwrap();
    let with_can = |can: &str| {
        let action =
            format!("id = \"boom\"\ntitle = \"Boom\"\nwindow = \"act\"\ncan = '{can}; true'\n");
        PackLibrary::load(vec![game_with(
            &format!("{things}[[action]]\n{action}"),
            "",
        )])
    };
    let untouched = start_game(&with_can("round()")).1.state().hash();
    let mut wrong = Vec::new();
    for change in CHANGES
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let library = with_can(change);
        assert_eq!(rendered(&library, &errors(&library)), "", "{change}");
        let game = start_game(&library).1;
        let refused = game
            .faults()
            .iter()
            .any(|fault| fault.message.contains("read-only"));
        let closed = options(&game).contains("boom (closed: its script failed)");
        if !refused || !closed || game.state().hash() != untouched {
            wrong.push(format!(
                "{change}: {} — {:?}",
                options(&game),
                game.faults()
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "these change something where scripts are read-only:\n{}",
        wrong.join("\n")
    );
}

/// The errors that keep a pack from being played; warnings do not matter here.
fn errors(library: &PackLibrary) -> Report {
    let mut report = library.report.clone();
    for mode in library.modes() {
        let choice = GameChoice {
            mode: mode.name,
            ..GameChoice::default()
        };
        report.extend(library.open(&choice, None).1);
    }
    report.retain(|fault| fault.severity.is_error());
    report
}

/// The errors of a case, or the log of its game.
fn outcome_of(case: &Path) -> String {
    let library = PackLibrary::load(vec![source(case)]);
    let report = errors(&library);
    if report.is_empty() {
        play(&library)
    } else {
        rendered(&library, &report)
    }
}

fn source(case: &Path) -> PackSource {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    game_with(&read(case), &read(&case.with_extension("rhai")))
}

/// The small game with additional entries and functions.
fn game_with(entries: &str, functions: &str) -> PackSource {
    let head = fs::read_to_string("tests/limits/pack.toml").unwrap();
    PackSource::texts(
        "bomb",
        &[
            ("pack.toml", &head),
            ("case.toml", entries),
            ("case.rhai", functions),
        ],
    )
}

fn rendered(library: &PackLibrary, report: &Report) -> String {
    report
        .iter()
        .map(|fault| render_short(&library.set.files, fault) + "\n")
        .collect()
}

/// The game of a case, up to its first question.
fn start_game(library: &PackLibrary) -> (Rc<Rules>, Game) {
    let mode = library
        .modes()
        .into_iter()
        .map(|line| line.name)
        .find(|name| name != DEFAULT_MODE);
    let mode = mode.unwrap_or_else(|| DEFAULT_MODE.to_owned());
    let (rules, _) = library.open(
        &GameChoice {
            mode,
            ..GameChoice::default()
        },
        None,
    );
    let rules = rules.unwrap();
    let mut game = Game::new(rules.clone(), setup()).unwrap();
    game.run();
    (rules, game)
}

/// Plays a case and returns the log; a replay of the journal must give the same.
fn play(library: &PackLibrary) -> String {
    let (rules, mut game) = start_game(library);
    let mut text = String::new();
    let mut lines = 0;
    for _ in 0..MAX_DECISIONS {
        append_log(&game, &mut lines, &mut text);
        let Some(ask) = game.pending() else { break };
        let answer = first(ask);
        let keys = decision::answer_keys(game.context(), ask, &answer).join(" ");
        let _ = writeln!(text, "? {}\n> {keys}", options(&game));
        if let Err(reason) = game.answer(answer) {
            let _ = writeln!(text, "nobody can answer: {reason}");
            break;
        }
    }
    check_replay(rules, &game);
    assert!(
        game.state().outcome.is_some() || game.pending().is_some(),
        "the game neither ends nor asks"
    );
    let _ = write!(text, "{} faults", game.faults().len());
    shortened(&text)
}

fn setup() -> Setup {
    Setup {
        names: vec!["Ann".to_owned()],
        seed: 1,
        journal: true,
        log: true,
        ..Setup::default()
    }
}

/// The answer that takes the first open option or the smallest amount.
fn first(ask: &Question) -> Answer {
    let open = || ask.open().map(|ix| i64::try_from(ix).unwrap());
    let picks = match ask.form {
        AnswerForm::One => Picks::One(open().next().unwrap_or(0)),
        AnswerForm::Some { min, .. } => Picks::Many(open().take(min.into()).collect()),
        AnswerForm::Order => Picks::Many(open().collect()),
        AnswerForm::Amount { min, .. } => Picks::One(min),
        AnswerForm::Split { total } => Picks::Many(
            (0..ask.options.len())
                .map(|ix| if ix == 0 { total } else { 0 })
                .collect(),
        ),
    };
    Answer::new(ask.seat(), picks)
}

/// Appends the new lines of the log.
fn append_log(game: &Game, lines: &mut usize, out: &mut String) {
    let all = &game.log().lines;
    for line in &all[(*lines).min(all.len())..] {
        if let Some(text) = log_line::render(game.context(), line, None) {
            let _ = writeln!(out, "{text}");
        }
    }
    *lines = all.len();
}

/// The question and its options in one line.
fn options(game: &Game) -> String {
    let decision = game.decision().unwrap();
    let line = |option: &kaer::game::DecisionOption| match &option.closed {
        Some(reason) => format!("{} (closed: {reason})", option.key),
        None => option.key.clone(),
    };
    let options: Vec<String> = decision.options.iter().map(line).collect();
    format!(
        "{} {} {}",
        decision.prompt,
        decision.form,
        options.join(", ")
    )
}

/// A replay of the answers gives the same state, faults and log.
fn check_replay(rules: Rc<Rules>, game: &Game) {
    let journal = Journal {
        lines: game.journal().to_vec(),
        ..Journal::default()
    };
    let lines = Journal::parse(&journal.text()).unwrap().lines;
    let replayed = Game::replay(rules, &setup(), &lines);
    let replayed = replayed.unwrap_or_else(|failed| {
        panic!(
            "answer {} of the journal is not valid: {}",
            failed.1 + 1,
            failed.2
        )
    });
    assert_eq!(
        replayed.state().hash(),
        game.state().hash(),
        "the journal leads to a different state"
    );
    assert_eq!(
        replayed.faults(),
        game.faults(),
        "the journal leads to different faults"
    );
    assert_eq!(
        replayed.log().lines,
        game.log().lines,
        "the journal leads to a different log"
    );
}

/// A text with equal lines merged and, if it is long, without its middle.
fn shortened(text: &str) -> String {
    let mut lines: Vec<(&str, usize)> = Vec::new();
    for line in text.lines() {
        match lines.last_mut() {
            Some((last, count)) if *last == line => *count += 1,
            _ => lines.push((line, 1)),
        }
    }
    let line = |(line, count): &(&str, usize)| {
        if *count > 1 {
            format!("{line} (×{count})")
        } else {
            (*line).to_owned()
        }
    };
    let lines: Vec<String> = lines.iter().map(line).collect();
    let (head, tail) = KEPT_LINES;
    if lines.len() <= head + tail + 1 {
        return lines.join("\n");
    }
    let left = lines.len() - head - tail;
    format!(
        "{}\n… {left} lines …\n{}",
        lines[..head].join("\n"),
        lines[lines.len() - tail..].join("\n")
    )
}

/// A file's name and bytes.
type File<'a> = (&'a str, &'a [u8]);

/// Invalid pack folders and what is reported: the code of each error, or why no pack was found.
#[cfg(unix)]
fn invalid_packs_are_reported() {
    let head = fs::read("tests/limits/pack.toml").unwrap();
    let deep = format!("a = {}", "[".repeat(10_000)).into_bytes();
    let bytes: Vec<u8> = (0..=255).cycle().take(4_000).collect();
    let garbage = b"\x5b\x5bpack\n}} = = 'a\n\"".to_vec();
    let script = b"fn fn (( { let } ) \" `${ ".to_vec();
    let latin = b"[[stone]]\nid = \"caf\xe9\"\n".to_vec();
    let cases: [(&str, &[File], &str); 12] = [
        ("nothing", &[], "no pack in"),
        ("no-head", &[("stones.toml", &head)], "no pack in"),
        ("empty-head", &[("pack.toml", &[])], "missing-manifest"),
        ("binary-head", &[("pack.toml", &bytes)], "not-text"),
        ("garbage-head", &[("pack.toml", &garbage)], "toml-syntax"),
        ("deep-head", &[("pack.toml", &deep)], "toml-syntax"),
        (
            "binary",
            &[("pack.toml", &head), ("more.toml", &bytes)],
            "not-text",
        ),
        (
            "binary-script",
            &[("pack.toml", &head), ("more.rhai", &bytes)],
            "not-text",
        ),
        (
            "latin",
            &[("pack.toml", &head), ("more.toml", &latin)],
            "not-text",
        ),
        (
            "garbage",
            &[("pack.toml", &head), ("more.toml", &garbage)],
            "toml-syntax",
        ),
        (
            "deep",
            &[("pack.toml", &head), ("more.toml", &deep)],
            "toml-syntax",
        ),
        (
            "garbage-script",
            &[("pack.toml", &head), ("more.rhai", &script)],
            "script-syntax",
        ),
    ];
    for (name, files, expected) in cases {
        let folder = scratch(&format!("limits/{name}"));
        for (file, bytes) in files {
            fs::write(folder.join(file), bytes).unwrap();
        }
        let report = report_on(&folder);
        assert!(
            report.contains(expected),
            "{name}: expected `{expected}`, found\n{report}"
        );
    }
}

#[cfg(unix)]
fn unreadable_packs_are_reported() {
    use std::os::unix::fs::symlink;
    let head = fs::read("tests/limits/pack.toml").unwrap();
    let with_head = |name: &str| {
        let folder = scratch(&format!("limits/{name}"));
        fs::write(folder.join("pack.toml"), &head).unwrap();
        folder
    };
    let large = with_head("large");
    // A sparse file: 100 MB that take no space.
    fs::File::create(large.join("more.toml"))
        .unwrap()
        .set_len(100 << 20)
        .unwrap();
    assert!(report_on(&large).contains("file-too-large"));
    let large_head = scratch("limits/large-head");
    fs::File::create(large_head.join("pack.toml"))
        .unwrap()
        .set_len(100 << 20)
        .unwrap();
    assert!(report_on(&large_head).contains("file-too-large"));
    let link = with_head("link");
    symlink("/etc/passwd", link.join("passwd.toml")).unwrap();
    assert!(report_on(&link).contains("outside-pack"));
    let folder_as_head = scratch("limits/folder-as-head");
    fs::create_dir(folder_as_head.join("pack.toml")).unwrap();
    assert!(
        report_on(&folder_as_head).contains("missing-manifest"),
        "{}",
        report_on(&folder_as_head)
    );
    assert!(report_on(&large.join("pack.toml/inside")).contains("folder not found"));
    assert!(report_on(Path::new("\0")).contains("folder not found"));
}

/// Everything reported for a path that should be a pack. Also renders each diagnostic in full and
/// opens every mode.
fn report_on(path: &Path) -> String {
    let sources = match named_packs(path) {
        Ok(sources) => sources,
        Err(reason) => return reason,
    };
    assert!(
        sources
            .iter()
            .all(|source| source.origin() == Origin::CommandLine)
    );
    let library = PackLibrary::load(sources);
    let report = errors(&library);
    report.iter().for_each(|fault| {
        assert!(!render(&library.set.files, fault, RenderStyle::default()).is_empty());
    });
    rendered(&library, &report)
}

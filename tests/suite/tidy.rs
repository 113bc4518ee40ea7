//! Repository rules that can be checked automatically. Each test lists every violation of its rule
//! as `file:line`. The tables come first: to change a rule, change a line of data.

use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::path::{MAIN_SEPARATOR, Path};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::{env, fs};

use crate::support::{KAER, trial, trials};

pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = readme_commands().collect();
    trials.extend(trials![
        modules_depend_on_each_other_one_way,
        type_names_are_unique,
        no_banned_phrases,
        src_names_no_game,
        only_cli_prints,
        only_script_names_rhai,
        no_loose_ends,
        src_has_no_tests,
        files_are_short,
        readme_shows_how_to_play_and_test,
        examples_in_documents_come_from_packs,
        no_paths_outside_the_repository,
        every_dependency_has_a_reason,
        scanners_find_violations,
    ]);
    trials
}

/// The modules of `src/` and what each may use: a whole module, or one item of it.
const MODULES: &str = "
    number:
    value:
    diagnostic: number
    lexer:
    migrate:    lexer number
    pack:       diagnostic migrate number
    content:    diagnostic pack value number
    game:       diagnostic content migrate value number
    script:     diagnostic content game migrate pack::Reuse pack::ReloadKind value number
    library:    diagnostic pack content game script value number
    agents:     content game value number
    simulation: pack content game library agents value number
    saves:      pack content game value number
    session:    pack content game library agents saves value number
    check:      diagnostic migrate pack content game script library agents simulation value number
    cases:      diagnostic pack content game library agents check value number
    explore:    diagnostic pack content game script library agents cases value number
    mutation:   diagnostic lexer pack game script library cases explore number
    reload:     diagnostic pack content game library explore value number
    schema:     diagnostic pack content cases value number
    scaffold:   diagnostic pack content game script library agents schema value number
    docs:       diagnostic lexer pack content script library check cases explore value number
    cli:        diagnostic migrate pack content game script library agents simulation saves session check cases explore mutation reload schema scaffold docs value number
";

/// Phrases that sound translated or private. `src/` and `docs/` do without them; packs, stories and
/// the guide keep their voice.
const BANNED_PHRASES: &[&str] = &[
    "all the same",
    "are told",
    "as a pack means",
    "came to",
    "come to",
    "comes to",
    "could hear",
    "goes astray",
    "how things stand",
    "is told",
    "laid over",
    "mended",
    "mending",
    "mends",
    "so many",
    "somebody",
    "stops when a hook does",
    "such a",
    "the usual",
    "what comes of it",
    "what is otherwise",
];

/// Words and phrases of one game, separated by commas. Case, a plural s and the way words are
/// joined (`war_track`, `WarTrack`, `war-track`) do not matter.
const GAME_WORDS: &str = "
    witcher, mage, velen, skellige, wild hunt, legendary hunt, monster trail, war track,
    foul fate, trophy, trophies, injury, injuries, gold, potion, alchemy, shield, mutagen,
    hound, tavern,
    wolf, cat, bear, viper, griffin, manticore, alzur, ardea, gekhira, othar, philippa, ciri,
    eredin, caranthir, imlerith, nithral, gaunter, geralt, triss, dandelion, yarpen,
    arachas, archespore, barghest, drowner, ekimmara, foglet, ghoul, harpy, nekker, rotfiend,
    fiend, grave hag, nightwraith, noonwraith, penitent, water hag, weavess, werewolf,
    whispess, wyvern, brewess, bruxa, glustyworp, leshen, striga, troll, yghern, dagon, golem,
    cyclops, toad, frightener, unseen elder, ice giant, kayran, koshchey, siren, wraith,
    behelt nar, kaer seren, hengfors, kaer morhen, ban ard, cidaris, novigrad, vizima,
    vengerberg, cintra, haern caduch, beauclair, glenmore, doldeth, loc ichaer, gorthur gvaed,
    dhuwod, stygga, ard modron, ard skellig, isle of mists, eyna, duen canell, brokilon,
    jaruga, ellander, dol blathanna, shaerrawedd, ard carraigh, rivia, mahakam
";

const PRINTING: &[&str] = &["println!", "eprintln!", "print!", "eprint!", "dbg!"];
const TESTS: &[&str] = &["cfg(test)", "#[test]"];
const LOOSE_ENDS: &[&str] = &["TODO", "FIXME", "XXX", "todo!", "unimplemented!"];

/// Folders that only exist outside of the repository.
const OUTSIDE_PATHS: &[&str] = &["../shared", "shared/rules", "shared/facts", "/work/shared"];

/// Files in `src/` and `tests/suite/` must have fewer lines than this; some files have lower
/// limits.
const MAX_SOURCE_LINES: usize = 700;
const MAX_LINES: &[(&str, usize)] = &[("src/main.rs", 30), ("docs/architecture.md", 200)];

/// Source files that may be longer; a comment above each gives the reason.
const LONGER_FILES: &[(&str, usize)] = &[
    // One pass over all entries; its parts share too much to be split.
    ("src/content/build.rs", 730),
    // The checks that run scripts share one loop over snapshots.
    ("src/check/dynamic/mod.rs", 725),
];

fn modules_depend_on_each_other_one_way() {
    let modules = modules();
    let mut broken = Vec::new();
    for file in files("src") {
        let Some(module) = module_of(&file) else {
            continue;
        };
        let Some(may_use) = modules.get(module) else {
            broken.push(format!("{file}:1: `{module}` is not in the table MODULES"));
            continue;
        };
        for (line, path) in crate_paths(&code(&file)) {
            let used = path.split("::").next().unwrap_or_default();
            let is_other_module = used != module && modules.contains_key(used);
            if is_other_module && !may_use.iter().any(|allowed| is_below(&path, allowed)) {
                broken.push(format!("{file}:{line}: `{module}` may not use `{path}`"));
            }
        }
    }
    report(
        "modules may only use the modules listed for them (see MODULES)",
        &broken,
    );
}

fn type_names_are_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files("src").iter().filter(|file| file.ends_with(".rs")) {
        for (line, number) in code(file).lines().zip(1..) {
            if let Some(name) = declared_type(line) {
                let place = format!("{file}:{number}");
                places.entry(name.to_owned()).or_default().push(place);
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    let broken: Vec<String> = places
        .iter()
        .map(|(name, places)| format!("{}: `{name}` is declared more than once", places.join(", ")))
        .collect();
    report("type names are unique", &broken);
}

/// The type that a line without indentation declares.
fn declared_type(line: &str) -> Option<&str> {
    let line = line
        .strip_prefix("pub ")
        .or_else(|| Some(line.strip_prefix("pub(")?.split_once(") ")?.1))
        .unwrap_or(line);
    let (keyword, rest) = line.split_once(' ')?;
    let is_type = matches!(keyword, "struct" | "enum" | "trait" | "type");
    is_type.then(|| rest.split(|c: char| !c.is_alphanumeric()).next())?
}

fn no_banned_phrases() {
    let mut files = ["src", "docs"].map(files).concat();
    files.retain(|file| !file.starts_with("docs/guide/") && !file.contains("/templates/"));
    let broken = places(&files, text, banned_phrases_in);
    report("plain English (see BANNED_PHRASES)", &broken);
}

fn banned_phrases_in(line: &str) -> Vec<&'static str> {
    words_in(&line.to_lowercase(), BANNED_PHRASES)
}

fn src_names_no_game() {
    let broken = places(&files("src"), code, game_words_in);
    report(
        "src has no words of a specific game, except in comments",
        &broken,
    );
}

fn only_cli_prints() {
    let mut files = files("src");
    files.retain(|file| module_of(file) != Some("cli") && file != "src/main.rs");
    let broken = places(&files, code, |line| words_in(line, PRINTING));
    report("only src/cli and src/main.rs print", &broken);
}

fn only_script_names_rhai() {
    let mut files = files("src");
    files.retain(|file| module_of(file) != Some("script"));
    let broken = places(&files, code, |line| words_in(line, &["rhai::"]));
    report("only src/script uses Rhai's types", &broken);
}

fn no_loose_ends() {
    let folders = ["src", "tests", "content", "campaigns", "docs"];
    let mut files = folders.map(files).concat();
    files.retain(|file| file != "tests/suite/tidy.rs");
    let broken = places(&files, text, |line| words_in(line, LOOSE_ENDS));
    report("no loose ends: do it, or write an issue", &broken);
}

/// `cargo test` would not run them: the library is compiled only once, without its tests.
fn src_has_no_tests() {
    let broken = places(&files("src"), code, |line| words_in(line, TESTS));
    report("tests are in tests/suite, not in src", &broken);
}

fn files_are_short() {
    let source = ["src", "tests/suite"].map(files).concat().into_iter();
    let source = source.map(|file| (file, MAX_SOURCE_LINES));
    let special = MAX_LINES.iter().chain(LONGER_FILES);
    let special = special.map(|(file, limit)| ((*file).to_owned(), *limit));
    let limits: BTreeMap<String, usize> = source.chain(special).collect();
    let mut broken = Vec::new();
    for (file, limit) in limits {
        let count = text(&file).lines().count();
        if !root().join(&file).is_file() {
            broken.push(format!("{file}:1: the file is missing"));
        } else if count >= limit {
            broken.push(format!("{file}:{count}: {count} lines, not under {limit}"));
        }
    }
    report("files stay short (see MAX_LINES and LONGER_FILES)", &broken);
}

fn readme_shows_how_to_play_and_test() {
    let commands = shell_lines("README.md");
    let has = |is_it: fn(&str) -> bool| commands.iter().any(|(_, line)| is_it(line));
    assert!(
        has(|line| line.starts_with("cargo test")),
        "no shell line begins with `cargo test`"
    );
    assert!(
        has(|line| strip_comment(line, "#").trim() == "cargo run --release"),
        "no shell line is exactly `cargo run --release`"
    );
}

/// A trial for each `kaer` command in README.md.
fn readme_commands() -> impl Iterator<Item = Trial> {
    shell_lines("README.md")
        .into_iter()
        .filter_map(|(number, line)| {
            let command = kaer_command(&line)?;
            let name = command.split_whitespace().nth(1).unwrap_or("kaer");
            let name = format!("readme_line_{number}_{name}");
            Some(trial(module_path!(), &name, move || {
                if let Err(failure) = run_in_shell(&command) {
                    panic!("README.md:{number}: `{line}`: {failure}");
                }
            }))
        })
}

/// Every example in a document is part of a pack, which is checked and tested like all others.
fn examples_in_documents_come_from_packs() {
    let packs: Vec<Vec<String>> = ["examples", "tests/packs"]
        .map(files)
        .concat()
        .iter()
        .map(|file| significant_lines(&text(file)))
        .collect();
    let mut broken = Vec::new();
    for document in ["README.md", "docs/guide/own-game.md"] {
        for (number, part) in example_parts(&text(document)) {
            if !packs
                .iter()
                .any(|lines| lines.windows(part.len()).any(|window| window == part))
            {
                broken.push(format!(
                    "{document}:{number}: `{}` and the lines after it are in no pack",
                    part[0]
                ));
            }
        }
    }
    report(
        "every example in a document is a part of a pack in examples/ or tests/packs/",
        &broken,
    );
}

/// The TOML and script blocks of a document, split into entries, each with its first line number.
fn example_parts(document: &str) -> Vec<(usize, Vec<String>)> {
    let mut parts: Vec<(usize, Vec<String>)> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(document.lines()) {
        if line.starts_with("```") {
            inside = matches!(line, "```toml" | "```rust");
            parts.push((number, Vec::new()));
        } else if inside {
            if line.starts_with("[[") {
                parts.push((number, Vec::new()));
            }
            if let Some((_, part)) = parts.last_mut() {
                part.extend(significant_lines(line));
            }
        }
    }
    parts.retain(|(_, part)| !part.is_empty());
    parts
}

/// The lines of a text without blank lines, comments and surrounding space.
fn significant_lines(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .map(|line| line.split("   #").next().unwrap_or("").trim().to_owned());
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

fn no_paths_outside_the_repository() {
    let files = ["src", "content", "campaigns", "docs"].map(files).concat();
    let broken = places(&files, text, |line| words_in(line, OUTSIDE_PATHS));
    report("no path points outside of the repository", &broken);
}

fn every_dependency_has_a_reason() {
    let manifest = text("Cargo.toml");
    let reasons = text("docs/architecture.md");
    let table: toml::Table = manifest.parse().expect("Cargo.toml is TOML");
    let mut broken = Vec::new();
    for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let crates = table.get(section).and_then(toml::Value::as_table);
        for name in crates.into_iter().flat_map(toml::Table::keys) {
            if !reasons.contains(&format!("`{name}`")) {
                let is_it = |line: &str| line.starts_with(name.as_str());
                let line = manifest.lines().position(is_it).unwrap_or(0) + 1;
                broken.push(format!("Cargo.toml:{line}: `{name}` in [{section}]"));
            }
        }
    }
    report(
        "docs/architecture.md gives the reason for each dependency",
        &broken,
    );
}

/// A rule that cannot fail is useless: checks that the scanners find violations.
fn scanners_find_violations() {
    let code = "use crate::{game::A, script::{B as C,\nd::*}}; crate::pack::Id::<u8>(1);";
    let (lines, paths): (Vec<usize>, Vec<String>) = crate_paths(code).into_iter().unzip();
    assert_eq!(lines, [1, 1, 2, 2]);
    assert_eq!(paths, ["game::A", "script::B", "script::d::*", "pack::Id"]);
    assert!(is_below("game::A", "game") && !is_below("script::Bee", "script::B"));

    let found = game_words_in("max_gold, WarTrack(\"Ghouls of Kaer  Morhen\")");
    assert_eq!(found, ["war track", "gold", "ghoul", "kaer morhen"]);
    assert!(game_words_in("golden category concatenated, kaer::run").is_empty());

    assert_eq!(
        strip_comment("\"https://x\"; // gold", "//"),
        "\"https://x\"; "
    );
    assert_eq!(words_in("    eprint!(\"\")", PRINTING), ["eprint!"]);
    assert_eq!(words_in("XXXL (todo!())", LOOSE_ENDS), ["todo!"]);
    assert_eq!(words_in("#[cfg(test)]", TESTS), ["cfg(test)"]);

    assert_eq!(
        banned_phrases_in("Somebody comes to a fault: such a fault is mended"),
        ["comes to", "mended", "somebody", "such a"]
    );
    assert_eq!(declared_type("pub(super) struct Way<'a> {"), Some("Way"));
    assert_eq!(declared_type("    type Output = Way;"), None);

    let run = kaer_command("cargo run --release -- check a");
    assert_eq!(run.as_deref(), Some("kaer check a"));
    assert_eq!(kaer_command("kaer play # interactive"), None);
}

/// Fails with a list of all violations of the rule.
fn report(rule: &str, broken: &[String]) {
    let (count, list) = (broken.len(), broken.join("\n  "));
    assert!(broken.is_empty(), "{rule}; found {count}:\n  {list}\n");
}

/// Every match, as `file:line: what`.
fn places<'w, F>(files: &[String], read: fn(&str) -> String, find: F) -> Vec<String>
where
    F: Fn(&str) -> Vec<&'w str>,
{
    let mut found = Vec::new();
    for file in files {
        for (line, number) in read(file).lines().zip(1..) {
            let here = find(line).into_iter();
            found.extend(here.map(|what| format!("{file}:{number}: `{what}`")));
        }
    }
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder, as sorted paths from the root with `/` as the separator.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect_files(&root().join(folder), &mut found);
    found.sort();
    found
}

fn collect_files(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect_files(&path, found);
        } else if let Ok(path) = path.strip_prefix(root()) {
            found.push(path.to_string_lossy().replace(MAIN_SEPARATOR, "/"));
        }
    }
}

/// The text of a file, by its path from the root; empty if it is missing or not text.
fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_default()
}

/// The text of a file without its comments; line numbers stay the same.
fn code(file: &str) -> String {
    let marker = if file.ends_with(".toml") { "#" } else { "//" };
    let mut code = String::new();
    for line in text(file).lines() {
        code += strip_comment(line, marker);
        code.push('\n');
    }
    code
}

/// A line up to its comment. The slashes of a URL (`https://`) do not start one.
fn strip_comment<'a>(line: &'a str, marker: &str) -> &'a str {
    let is_comment = |at: &usize| !line[..*at].ends_with(':');
    let mut starts = line.match_indices(marker).map(|(at, _)| at);
    &line[..starts.find(is_comment).unwrap_or(line.len())]
}

/// The words that occur in a line as whole words.
fn words_in<'w>(line: &str, words: &[&'w str]) -> Vec<&'w str> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let is_whole_word = |at: usize, word: &str| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let ends_open = word.ends_with(is_letter) && after.starts_with(is_letter);
        !before.ends_with(is_letter) && !ends_open
    };
    let occurs = |word: &&str| {
        line.match_indices(*word)
            .any(|(at, _)| is_whole_word(at, word))
    };
    words.iter().copied().filter(occurs).collect()
}

/// The words and phrases of `GAME_WORDS` that occur in a line.
fn game_words_in(line: &str) -> Vec<&'static str> {
    static PHRASES: LazyLock<Vec<(&str, Vec<&str>)>> = LazyLock::new(|| {
        let phrases = GAME_WORDS.split(',').map(str::trim);
        phrases
            .map(|phrase| (phrase, phrase.split(' ').map(singular).collect()))
            .collect()
    });
    let words = split_names(line);
    let words: Vec<&str> = words.iter().map(|word| singular(word)).collect();
    let matches = PHRASES
        .iter()
        .filter(|(_, phrase)| words.windows(phrase.len()).any(|place| place == phrase));
    matches.map(|(phrase, _)| *phrase).collect()
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// The words of a line in lower case; `snake_case` and `CamelCase` are split.
fn split_names(line: &str) -> Vec<String> {
    let mut spaced = String::new();
    for c in line.chars() {
        if c.is_uppercase() && spaced.ends_with(char::is_lowercase) {
            spaced.push(' ');
        }
        spaced.push(if c.is_alphanumeric() { c } else { ' ' });
    }
    spaced.split_whitespace().map(str::to_lowercase).collect()
}

/// The table MODULES: what each module may use.
fn modules() -> BTreeMap<&'static str, Vec<&'static str>> {
    let lines = MODULES
        .lines()
        .filter_map(|line| line.trim().split_once(':'));
    let uses_of =
        |(module, uses): (&'static str, &'static str)| (module, uses.split_whitespace().collect());
    lines.map(uses_of).collect()
}

/// The module of a source file; `None` for the crate roots.
fn module_of(file: &str) -> Option<&str> {
    let name = file.strip_prefix("src/")?.split('/').next()?;
    let module = name.strip_suffix(".rs").unwrap_or(name);
    (!matches!(module, "lib" | "main")).then_some(module)
}

/// Whether a path names an allowed module or item, or something inside it.
fn is_below(path: &str, allowed: &str) -> bool {
    let rest = path.strip_prefix(allowed);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Every path that begins with `crate::`, with its line number; groups are expanded.
fn crate_paths(code: &str) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    for (at, start) in code.match_indices("crate::") {
        read_path(&code[at + start.len()..], "", &mut paths);
    }
    let line_of = |left: usize| code[..code.len() - left].matches('\n').count() + 1;
    let with_lines = paths.into_iter().map(|(left, path)| (line_of(left), path));
    with_lines.collect()
}

/// Reads one path, or a group of paths in braces, and returns the rest of the code. Each path is
/// stored with the length of that rest, which gives its line number.
fn read_path<'a>(code: &'a str, prefix: &str, paths: &mut Vec<(usize, String)>) -> &'a str {
    if let Some(group) = code.strip_prefix('{') {
        return read_group(group, prefix, paths);
    }
    let is_end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '*');
    let (name, rest) = code.split_at(code.find(is_end).unwrap_or(code.len()));
    match rest.strip_prefix("::") {
        Some(deeper) if !deeper.starts_with('<') => {
            read_path(deeper, &format!("{prefix}{name}::"), paths)
        }
        _ => {
            paths.push((rest.len(), format!("{prefix}{name}")));
            rest
        }
    }
}

fn read_group<'a>(code: &'a str, prefix: &str, paths: &mut Vec<(usize, String)>) -> &'a str {
    let mut rest = code.trim_start();
    while !rest.is_empty() && !rest.starts_with('}') {
        rest = read_path(rest, prefix, paths);
        // Skip an `as name` and the comma.
        rest = &rest[rest.find([',', '}']).unwrap_or(rest.len())..];
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    rest.strip_prefix('}').unwrap_or(rest)
}

/// The lines of the `sh` blocks of a page, with their line numbers.
fn shell_lines(file: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (line, number) in text(file).lines().zip(1..) {
        match line.trim_start().strip_prefix("```") {
            Some(language) => inside = language.trim() == "sh",
            None if inside => found.push((number, line.trim().to_owned())),
            None => {}
        }
    }
    found
}

/// The command of a line that runs Kaer, unless it is interactive.
fn kaer_command(line: &str) -> Option<String> {
    let direct = line.strip_prefix("kaer ");
    let arguments = direct.or_else(|| line.strip_prefix("cargo run --release -- "))?;
    (!line.ends_with("# interactive")).then(|| format!("kaer {arguments}"))
}

/// Runs a command in the repository root, without input and with the built binary first in `PATH`.
fn run_in_shell(command: &str) -> Result<(), String> {
    let built = Path::new(KAER).with_file_name("");
    let inherited = env::var_os("PATH").unwrap_or_default();
    let folders = [built].into_iter().chain(env::split_paths(&inherited));
    let path = env::join_paths(folders).map_err(|error| error.to_string())?;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", path).env(
        "KAER_DATA",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme"),
    );
    shell.current_dir(root()).stdin(Stdio::null());
    let output = shell.output().map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let failure = format!("{}\n{}", output.status, stderr.trim_end());
    output.status.success().then_some(()).ok_or(failure)
}

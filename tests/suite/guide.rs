//! The tutorial in `docs/guide/`: the files in its pages are written, the commands are run, and
//! their output is compared.
//!
//! The info string of a fenced block says what it is. ```` ```toml salt-road/places.toml ```` is a
//! whole file; with `more` after the name, it is appended to the file.
//! ```` ```diff salt-road/places.toml ```` replaces the lines with `-` by those with `+`; with
//! `wrong` after the name, only for the next block of commands. ```` ```console ```` contains
//! commands, `$ kaer …`, and their output: a line `…` stands for any lines, times may differ, and a
//! line `> …` is also typed as input.
//!
//! A page starts with the files of all earlier pages. `INSTA_UPDATE=always cargo test -- guide`
//! updates the output in the pages.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::Trial;

use crate::support::{KAER, replace, scratch, stem, trial, trials, updating};

/// The pages that build on each other, in this order.
const PAGES: &[&str] = &[
    "1-a-place.md",
    "2-a-monster.md",
    "3-a-story.md",
    "4-a-potion.md",
    "5-a-school.md",
    "6-an-expansion.md",
    "7-a-campaign.md",
];

/// Other pages, which start with the files of all those.
const OTHER_PAGES: &[&str] = &[
    "README.md",
    "editor.md",
    "extending.md",
    "loop.md",
    "mutation.md",
    "stories.md",
];

/// The placeholder for omitted lines.
const ELLIPSIS: &str = "…";

/// A trial for each page, and others.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![pages_are_complete, differences_are_found];
    for (ix, name) in PAGES.iter().enumerate() {
        let run = move || run_page(name, &PAGES[..ix]);
        trials.push(trial(module_path!(), &stem(Path::new(name)), run));
    }
    for name in OTHER_PAGES {
        let run = move || run_page(name, PAGES);
        trials.push(trial(module_path!(), &stem(Path::new(name)), run));
    }
    trials
}

/// The contents list every page, and every step has all its parts.
fn pages_are_complete() {
    let contents = read_page("README.md");
    for file in fs::read_dir("docs/guide").unwrap() {
        let name = file.unwrap().file_name().to_string_lossy().into_owned();
        assert!(
            name == "README.md" || contents.contains(&format!("({name})")),
            "the contents do not list {name}"
        );
    }
    for name in PAGES {
        let page = read_page(name);
        for part in [
            "$ kaer check",
            "$ kaer test",
            "$ kaer play",
            "```toml",
            "[[case]]",
            " wrong\n",
        ] {
            assert!(page.contains(part), "{name} has no `{}`", part.trim());
        }
        assert!(
            !page.contains("\nFAILED "),
            "{name} shows a case that failed"
        );
    }
}

/// Checks the comparison itself.
fn differences_are_found() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("a\nb\nc\nd\n3 checks in 20 ms");
    let matches = |shown: &str| same(&lines(shown), &printed);
    assert!(
        matches("a\nb\nc\nd\n3 checks in 7 ms")
            && matches("a\n…\n3 checks in 7 ms")
            && matches("…\nb\n…\nd\n…")
    );
    assert!(
        !matches("a\nb\nc\nd")
            && !matches("a\n…\nd")
            && !matches("…\nd\n…\nb\n…")
            && !matches("a\n…\n4 checks in 7 ms")
    );
    assert_eq!(
        updated(&lines("x\n…\nd\nx"), &printed),
        Some(lines("a\n…\nd\n3 checks in … ms"))
    );
    assert_eq!(updated(&lines("x\n…\nlost\n…"), &printed), None);
}

/// A fenced block of a page.
struct Block {
    /// The words of the info string: language, file and flag.
    head: Vec<String>,
    /// The range of its lines in the page.
    lines: std::ops::Range<usize>,
}

impl Block {
    fn is(&self, language: &str) -> bool {
        self.head.first().is_some_and(|word| word == language)
    }

    fn file(&self) -> Option<&str> {
        self.head.get(1).map(String::as_str)
    }

    fn has_flag(&self, word: &str) -> bool {
        self.head.get(2).is_some_and(|own| own == word)
    }
}

fn read_page(name: &str) -> String {
    fs::read_to_string(Path::new("docs/guide").join(name))
        .unwrap_or_else(|reason| panic!("docs/guide/{name}: {reason}"))
}

/// Runs a page in a fresh folder with the files of the earlier pages.
fn run_page(name: &str, before: &[&str]) {
    let folder = scratch(&format!("guide/{name}"));
    for earlier in before {
        let page: Vec<String> = read_page(earlier).lines().map(str::to_owned).collect();
        for block in blocks(&page)
            .iter()
            .filter(|block| block.file().is_some() && !block.has_flag("wrong"))
        {
            write(&folder, block, &page);
        }
    }
    let mut page: Vec<String> = read_page(name).lines().map(str::to_owned).collect();
    let problems = run_blocks(name, &folder, &mut page);
    let text = page.join("\n") + "\n";
    if updating() && text != read_page(name) {
        replace(&Path::new("docs/guide").join(name), &text);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    if *name == *"editor.md" {
        let settings = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
        assert_eq!(
            settings(".taplo.toml"),
            settings(".kaer/.taplo.toml"),
            "the page must show what `kaer schema` writes"
        );
    }
}

/// Processes the blocks of a page in order; returns what differs from the page and cannot be
/// updated.
fn run_blocks(name: &str, folder: &Path, page: &mut Vec<String>) -> Vec<String> {
    let update = updating();
    let mut problems = Vec::new();
    let mut wrong: Option<(PathBuf, String)> = None;
    let mut ix = 0;
    while let Some(block) = blocks(page).into_iter().nth(ix) {
        ix += 1;
        if let Some(file) = block.file() {
            let above = page[..block.lines.start - 1]
                .iter()
                .rev()
                .skip_while(|line| line.is_empty());
            if !above
                .take_while(|line| !line.is_empty())
                .any(|line| line.contains(&format!("`{file}`")))
            {
                problems.push(format!(
                    "{name}:{}: the lines above do not name `{file}`",
                    block.lines.start
                ));
            }
            let path = folder.join(file);
            let old = fs::read_to_string(&path).unwrap_or_default();
            write(folder, &block, page);
            wrong = block.has_flag("wrong").then_some((path, old)).or(wrong);
        } else if block.is("console") {
            let (now, differences) = run_commands(folder, &page[block.lines.clone()], update);
            problems.extend(
                differences
                    .iter()
                    .map(|difference| format!("{name}:{}: {difference}", block.lines.start)),
            );
            page.splice(block.lines, now);
            if let Some((path, text)) = wrong.take() {
                fs::write(path, text).unwrap();
            }
        }
    }
    problems
}

fn blocks(page: &[String]) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (ix, line) in page.iter().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(head)) => {
                let head = head.split_whitespace().map(str::to_owned).collect();
                open = Some(Block {
                    head,
                    lines: ix + 1..ix + 1,
                });
            }
            (Some(block), Some(_)) => {
                block.lines.end = ix;
                found.extend(open.take());
            }
            (_, None) => {}
        }
    }
    found
}

/// Writes the file of a block, appends to it, or patches it.
fn write(folder: &Path, block: &Block, page: &[String]) {
    let path = folder.join(block.file().unwrap());
    let body = &page[block.lines.clone()];
    let old = fs::read_to_string(&path).unwrap_or_default();
    if block.is("json") {
        let read: Result<serde_json::Value, _> = serde_json::from_str(&body.join("\n"));
        assert!(read.is_ok(), "{}: {read:?}", path.display());
    }
    let text = match (block.is("diff"), block.has_flag("more")) {
        (true, _) => patched(&old, body, &path),
        // Text that continues the last entry goes directly below it.
        (false, true) if !body[0].starts_with('[') => {
            format!("{old}{}\n", body.join("\n"))
        }
        (false, true) => format!("{old}\n{}\n", body.join("\n")),
        (false, false) => body.join("\n") + "\n",
    };
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A file with a diff applied; the old lines must occur exactly once.
fn patched(old: &str, diff: &[String], path: &Path) -> String {
    let side = |sign: char| {
        let lines = diff.iter().filter(|line| line.starts_with([' ', sign]));
        lines
            .map(|line| line[1..].to_owned() + "\n")
            .collect::<String>()
    };
    let (before, after) = (side('-'), side('+'));
    assert_eq!(
        old.matches(&before).count(),
        1,
        "{}: these lines must occur exactly once:\n{before}",
        path.display()
    );
    old.replacen(&before, &after, 1)
}

/// Runs the commands of a block; returns its updated lines and the differences.
fn run_commands(folder: &Path, block: &[String], update: bool) -> (Vec<String>, Vec<String>) {
    let (mut now, mut problems) = (Vec::new(), Vec::new());
    let starts: Vec<usize> = (0..block.len())
        .filter(|ix| block[*ix].starts_with("$ "))
        .collect();
    for (nth, start) in starts.iter().enumerate() {
        let end = starts.get(nth + 1).copied().unwrap_or(block.len());
        let (command, shown) = (&block[*start], &block[start + 1..end]);
        let gap = shown
            .iter()
            .rev()
            .take_while(|line| line.is_empty())
            .count();
        let shown = &shown[..shown.len() - gap];
        let printed = printed(folder, command, shown);
        now.push(command.clone());
        let new = (update && !same(shown, &printed))
            .then(|| updated(shown, &printed))
            .flatten();
        problems.extend(
            omitted_rejections(shown, &printed)
                .map(|line| format!("the page does not show that `{command}` prints: {line}")),
        );
        if !same(new.as_deref().unwrap_or(shown), &printed) {
            problems.push(format!(
                "`{command}` prints\n{}\ninstead of\n{}",
                printed.join("\n"),
                shown.join("\n")
            ));
        }
        now.extend(new.unwrap_or_else(|| shown.to_vec()));
        now.extend(std::iter::repeat_n(String::new(), gap));
    }
    (now, problems)
}

/// The output of a command whose input is the lines after `>`, isolated from the user's own packs.
fn printed(folder: &Path, command: &str, shown: &[String]) -> Vec<String> {
    let mut words = words(command.trim_start_matches("$ ")).into_iter();
    assert_eq!(
        words.next().as_deref(),
        Some("kaer"),
        "`{command}` is not a kaer command"
    );
    let mut run = Command::new(KAER);
    run.args(words)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    run.env("NO_COLOR", "1")
        .env("HOME", folder)
        .env("XDG_DATA_HOME", folder.join(".data"))
        .env_remove("KAER_DATA")
        .env("COLUMNS", "100");
    let mut child = run.stdin(Stdio::piped()).spawn().unwrap();
    let typed = shown.iter().filter_map(|line| line.strip_prefix("> "));
    let typed: String = typed.map(|line| format!("{line}\n")).collect();
    // The program may exit before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    text.trim_end()
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Rejections of invalid answers that the page does not show.
fn omitted_rejections<'a>(
    shown: &'a [String],
    printed: &'a [String],
) -> impl Iterator<Item = &'a String> {
    let is_rejection =
        |line: &&String| line.starts_with("Invalid answer") || line.ends_with("Type ? for help.");
    printed
        .iter()
        .filter(is_rejection)
        .filter(|line| !shown.contains(line))
}

/// The words of a command; quotation marks group words with spaces.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (ix, part) in command.split('"').enumerate() {
        match ix % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// Whether the output matches the page, apart from omitted lines and times.
fn same(shown: &[String], printed: &[String]) -> bool {
    let (shown, printed): (Vec<_>, Vec<_>) = (normalized(shown), normalized(printed));
    let parts: Vec<&[String]> = shown.split(|line| line == ELLIPSIS).collect();
    let [first, rest @ ..] = parts.as_slice() else {
        return false;
    };
    let [middle @ .., last] = rest else {
        return *first == printed;
    };
    if !printed.starts_with(first)
        || !printed.ends_with(last)
        || printed.len() < first.len() + last.len()
    {
        return false;
    }
    let mut left = &printed[first.len()..printed.len() - last.len()];
    middle.iter().filter(|part| !part.is_empty()).all(|part| {
        let at = left.windows(part.len()).position(|window| window == *part);
        left = &left[at.map_or(0, |at| at + part.len())..];
        at.is_some()
    })
}

/// Lines without the numbers that depend on the machine or on unrelated changes to a game: times,
/// and how much was run at random.
fn normalized(lines: &[String]) -> Vec<String> {
    lines
        .iter()
        .map(|line| {
            [" scripts", " times", " runs", " answers", " ms"]
                .iter()
                .fold(without_guesses(line), |line, unit| {
                    without_number(&line, unit)
                })
        })
        .collect()
}

/// A line without the number of guesses, which depends on random games.
fn without_guesses(line: &str) -> String {
    let Some((before, guesses)) = line.split_once(" ms; ") else {
        return line.to_owned();
    };
    match guesses.split_once(" hidden (`--confidence guess` shows them)") {
        Some((_, after)) => format!("{before} ms{after}"),
        None => line.to_owned(),
    }
}

/// A line with `…` instead of the number before a unit.
fn without_number(line: &str, unit: &str) -> String {
    let is_number = |c: char| c.is_ascii_digit() || ELLIPSIS.contains(c);
    match line.split_once(unit) {
        Some((before, after)) if before.ends_with(is_number) => {
            format!(
                "{}{ELLIPSIS}{unit}{after}",
                before.trim_end_matches(is_number)
            )
        }
        _ => line.to_owned(),
    }
}

/// The current output with the same lines omitted: keeps as many lines at the beginning and the
/// end, and finds the parts in between by their first line. `None` if one of these is gone.
fn updated(shown: &[String], printed: &[String]) -> Option<Vec<String>> {
    let printed: Vec<String> = printed
        .iter()
        .map(|line| without_number(line, " ms"))
        .collect();
    let parts: Vec<&[String]> = shown.split(|line| line == ELLIPSIS).collect();
    let ([first, middle @ .., last], true) = (parts.as_slice(), parts.len() > 1) else {
        return Some(printed);
    };
    let mut new = printed.get(..first.len())?.to_vec();
    let mut at = first.len();
    for part in middle.iter().filter(|part| !part.is_empty()) {
        at += printed
            .get(at..)?
            .iter()
            .position(|line| *line == part[0])?;
        new.push(ELLIPSIS.to_owned());
        new.extend_from_slice(printed.get(at..at + part.len())?);
        at += part.len();
    }
    new.push(ELLIPSIS.to_owned());
    new.extend_from_slice(printed.get(printed.len().checked_sub(last.len())?..)?);
    Some(new)
}

//! Snapshot tests of the command line. To add a case, add a file to `tests/cli/`.
//!
//! A case is a sequence of runs; `{tmp}` is a fresh folder that the runs of a case share. The
//! snapshot contains the output, with standard error marked by `!`, the exit status, and the files
//! that the case asks for, with `␍` for a carriage return. An exit status other than 0 must also be
//! given in the case.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use libtest_mimic::Trial;
use serde::Deserialize;

use crate::support::{KAER, copy, scratch, stem, toml_files, trial};

/// A case: a sequence of runs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    run: Vec<Run>,
}

/// One run of the program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// Changes to files before the run.
    #[serde(default)]
    before: Before,
    args: Vec<String>,
    /// The folder to run in; the root of the repository if not given.
    folder: Option<String>,
    /// Standard input; empty if not given.
    stdin: Option<String>,
    /// Kaer's data folder, if it is not a fresh one for this case.
    data: Option<String>,
    /// The expected exit status.
    #[serde(default)]
    status: i32,
    /// Keep only lines that contain this.
    #[serde(default)]
    only: String,
    /// Keep this many lines at the beginning and at the end.
    keep: Option<(usize, usize)>,
    /// Files to show afterwards, and folders whose file names to show.
    #[serde(default)]
    show: Vec<String>,
}

/// Changes to files before a run, in this order.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Before {
    /// A folder and where to copy it.
    copy: Option<(String, String)>,
    /// A file and its new content.
    write: Option<(String, String)>,
    /// A file and the text to append.
    append: Option<(String, String)>,
    /// A file and the number of bytes to cut off its end.
    cut: Option<(String, usize)>,
    /// A file to make read-only.
    read_only: Option<String>,
}

/// A trial for each case.
pub fn trials() -> Vec<Trial> {
    let cases = toml_files(Path::new("tests/cli")).into_iter();
    cases
        .map(|path| {
            trial(module_path!(), &stem(&path), move || {
                matches_snapshot(&path);
            })
        })
        .collect()
}

fn matches_snapshot(path: &Path) {
    let name = stem(path);
    let case: Case = toml::from_str(&fs::read_to_string(path).unwrap())
        .unwrap_or_else(|reason| panic!("{name}: {reason}"));
    let tmp = scratch(&format!("cli/{name}"));
    let mut wrong = Vec::new();
    let mut text = String::new();
    for run in &case.run {
        prepare(&run.before, &tmp);
        let output = execute(run, &tmp);
        let status = output.status.code().unwrap_or(-1);
        if status != run.status {
            wrong.push(format!(
                "kaer {} exited with {status}, not {}",
                run.args.join(" "),
                run.status
            ));
        }
        text += &render_run(run, &output, &tmp);
        run.show
            .iter()
            .for_each(|path| text += &content_of(path, &tmp));
    }
    let text = numbered_hashes(&text);
    insta::assert_snapshot!(format!("cli__{name}"), text);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn filled(text: &str, tmp: &Path) -> String {
    text.replace("{tmp}", &tmp.to_string_lossy())
}

fn prepare(before: &Before, tmp: &Path) {
    if let Some((from, to)) = &before.copy {
        copy(Path::new(from), Path::new(&filled(to, tmp)));
    }
    if let Some((file, text)) = &before.write {
        let file = PathBuf::from(filled(file, tmp));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    if let Some((file, text)) = &before.append {
        let mut file = fs::OpenOptions::new()
            .append(true)
            .open(filled(file, tmp))
            .unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }
    if let Some((file, bytes)) = &before.cut {
        let file = fs::OpenOptions::new()
            .write(true)
            .open(filled(file, tmp))
            .unwrap();
        let length = file.metadata().unwrap().len();
        file.set_len(length - u64::try_from(*bytes).unwrap())
            .unwrap();
    }
    if let Some(file) = &before.read_only {
        let file = filled(file, tmp);
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(file, permissions).unwrap();
    }
}

/// The content of a file, or the names in a folder.
fn content_of(path: &str, tmp: &Path) -> String {
    let place = PathBuf::from(filled(path, tmp));
    let text = if place.is_dir() {
        let mut names: Vec<String> = fs::read_dir(&place)
            .unwrap()
            .map(|item| item.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names.join("\n") + "\n"
    } else {
        let text = fs::read_to_string(&place).unwrap().replace('\r', "␍");
        text.replace(&*tmp.to_string_lossy(), "{tmp}")
            .replace(env!("CARGO_MANIFEST_DIR"), "{here}")
    };
    format!("{path}:\n{text}\n")
}

/// Runs the program, isolated from the user's own packs.
fn execute(run: &Run, tmp: &Path) -> Output {
    let mut command = Command::new(KAER);
    command
        .args(run.args.iter().map(|arg| filled(arg, tmp)))
        .current_dir(filled(
            run.folder.as_deref().unwrap_or(env!("CARGO_MANIFEST_DIR")),
            tmp,
        ));
    command
        .env("NO_COLOR", "1")
        .env("HOME", tmp)
        .env("XDG_DATA_HOME", tmp.join("data"))
        .env("COLUMNS", "100");
    command.env_remove("KAER_DATA");
    if let Some(data) = &run.data {
        command.env("KAER_DATA", filled(data, tmp));
    }
    command.stdin(if run.stdin.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    });
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let (Some(text), Some(mut input)) = (&run.stdin, child.stdin.take()) {
        // The program may exit before it has read everything.
        let _ = input.write_all(filled(text, tmp).as_bytes());
    }
    child.wait_with_output().unwrap()
}

/// Renders a run for its snapshot.
fn render_run(run: &Run, output: &Output, tmp: &Path) -> String {
    let mut text = format!("{}\n", format!("$ kaer {}", run.args.join(" ")).trim_end());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let marked = errors
        .lines()
        .map(|line| format!("! {line}").trim_end().to_owned());
    let lines = printed
        .lines()
        .map(|line| line.trim_end().to_owned())
        .chain(marked);
    let lines: Vec<String> = lines
        .map(|line| normalized(&line, tmp))
        .filter(|line| line.contains(&run.only))
        .collect();
    match run.keep {
        Some((head, tail)) if lines.len() > head + tail => {
            let gap = std::iter::once("…".to_owned());
            let end = lines[lines.len() - tail..].iter().cloned();
            text += &joined(lines[..head].iter().cloned().chain(gap).chain(end));
        }
        _ => text += &joined(lines.into_iter()),
    }
    let _ = writeln!(text, "[{}]\n", output.status.code().unwrap_or(-1));
    text
}

fn joined(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}

/// A line without the parts that differ between machines, versions and installed packs.
fn normalized(line: &str, tmp: &Path) -> String {
    let line = line
        .replace(&*tmp.to_string_lossy(), "{tmp}")
        .replace(env!("CARGO_PKG_VERSION"), "{version}");
    let line = without_time(&line);
    for list in ["(there are: ", "(known packs: "] {
        if let Some((before, after)) = line.split_once(list) {
            let rest = after.split_once(')').map_or("", |(_, rest)| rest);
            return format!("{before}{list}…){rest}");
        }
    }
    line
}

/// Replaces the number in `in 38 ms`.
fn without_time(line: &str) -> String {
    match line.rsplit_once(" ms") {
        Some((before, after)) if before.ends_with(|c: char| c.is_ascii_digit()) => {
            format!(
                "{}… ms{after}",
                before.trim_end_matches(|c: char| c.is_ascii_digit())
            )
        }
        _ => line.to_owned(),
    }
}

/// Replaces hashes by numbers in order of appearance: only their equality matters.
fn numbered_hashes(text: &str) -> String {
    let is_hash = |word: &&str| {
        matches!(word.len(), 12 | 16 | 64) && word.chars().all(|c| c.is_ascii_hexdigit())
    };
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut known: Vec<&str> = Vec::new();
    for word in words
        .filter(is_hash)
        .filter(|word| word.chars().any(|c| c.is_ascii_digit()))
    {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    let mut out = text.to_owned();
    for (ix, hash) in known.iter().enumerate() {
        out = out.replace(hash, &format!("{{hash {}}}", ix + 1));
    }
    out
}

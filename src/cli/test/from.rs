//! `kaer test --from`: a case from a game that was played.

use std::fs;
use std::path::{Path, PathBuf};

use super::Args;
use crate::author::test::Runner;
use crate::author::{read, record};
use crate::check::fix::Changed;
use crate::cli::check::write;
use crate::cli::{Failure, journal, refuse, screen};
use crate::pack::TestFile;
use crate::shelf::Shelf;

/// The file a case is appended to.
struct Target {
    /// The folder of its pack.
    pack: PathBuf,
    /// Its path in the pack.
    inside: String,
    path: PathBuf,
    /// What it holds; nothing if it is not there.
    held: Option<String>,
}

/// Makes a case, looks whether it passes, and prints it or appends it to a file.
pub fn run(args: &Args, from: &Path) -> Result<(), Failure> {
    let target = args.out.as_deref().map(target).transpose()?;
    let played = journal::read(from)?;
    let mut packs = args.paths.clone();
    packs.extend(
        target
            .iter()
            .map(|target| target.pack.clone())
            .filter(|pack| !args.paths.contains(pack)),
    );
    let mut shelf = Shelf::find(Path::new("."), &packs).map_err(Failure::cannot)?;
    if !shelf.report.is_sound() {
        return Err(refuse(&shelf, &shelf.report));
    }
    let (rules, setup) = journal::open(from, &played, &shelf)?;
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| default_name(from, args.last, played.lines.len()));
    let wrong = |why: String| Failure {
        message: format!("{}: {why}", from.display()),
        status: 1,
    };
    let case = record::case(rules, &setup, &played, args.last, &name).map_err(wrong)?;
    let text = match &target {
        Some(target) => appended(target.held.as_deref().unwrap_or_default(), &case),
        None => case.clone(),
    };
    let pack = match &target {
        Some(target) => {
            let own = |pack: &&crate::pack::Pack| Path::new(&pack.root) == target.pack;
            shelf
                .set
                .packs
                .iter()
                .find(own)
                .map(|pack| pack.manifest.id.clone())
                .unwrap_or_default()
        }
        None => played
            .header
            .mode
            .split(':')
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    let (path, shown) = match &target {
        Some(target) => (
            target.inside.clone(),
            target.path.to_string_lossy().into_owned(),
        ),
        None => ("tests/case.toml".to_owned(), "the case".to_owned()),
    };
    let file = TestFile {
        path,
        file: shelf.set.files.add(shown, text.clone()),
    };
    verify(&shelf, &pack, &file, &name)?;
    match target {
        None => screen::write(&case),
        Some(target) => {
            keep(&target, text)?;
            screen::say(&format!("appended to {}: {name}", target.path.display()));
        }
    }
    Ok(())
}

fn default_name(from: &Path, last: Option<usize>, all: usize) -> String {
    let stem = from.file_stem().unwrap_or_default().to_string_lossy();
    match last.filter(|last| *last < all) {
        Some(1) => format!("{stem}, the last answer"),
        Some(last) => format!("{stem}, the last {last} answers"),
        None => format!("{stem}, all answers"),
    }
}

/// Where a file of cases lies: in the folder tests/ of a pack.
fn target(path: &Path) -> Result<Target, Failure> {
    let foreign = || {
        let text = "cases are read from .toml files in the folder tests/ of a pack, as in `--out my-pack/tests/games.toml`";
        Failure::cannot(format!("{} would not be read: {text}", path.display()))
    };
    let pack = path
        .ancestors()
        .skip(1)
        .find(|folder| folder.join("pack.toml").is_file())
        .ok_or_else(foreign)?;
    let inside = path
        .strip_prefix(pack)
        .unwrap_or(path)
        .to_string_lossy()
        .replace('\\', "/");
    let hidden = inside.split('/').any(|part| part.starts_with('.'));
    if !inside.starts_with("tests/") || !inside.ends_with(".toml") || hidden {
        return Err(foreign());
    }
    let held = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::cannot(format!("{}: {error}", path.display()))),
    };
    let pack = if pack.as_os_str().is_empty() {
        Path::new(".")
    } else {
        pack
    };
    Ok(Target {
        pack: pack.to_owned(),
        inside,
        path: path.to_owned(),
        held,
    })
}

/// A file with a case at its end; its line ends stay what they are.
fn appended(held: &str, case: &str) -> String {
    let case = if held.contains("\r\n") {
        case.replace('\n', "\r\n")
    } else {
        case.to_owned()
    };
    let line = if held.contains("\r\n") { "\r\n" } else { "\n" };
    let end = if held.is_empty() || held.ends_with('\n') {
        ""
    } else {
        line
    };
    let between = if held.trim().is_empty() { "" } else { line };
    format!("{held}{end}{between}{case}")
}

/// Runs the case where it will stand: what its file says for all cases holds for it, too.
fn verify(shelf: &Shelf, pack: &str, file: &TestFile, name: &str) -> Result<(), Failure> {
    let cases = read::cases(&shelf.set.files, file.file).map_err(|told| {
        Failure::cannot(format!(
            "{} cannot be read:\n{}",
            file.path,
            told.join("\n")
        ))
    })?;
    if cases.iter().filter(|case| case.name == name).count() > 1 {
        return Err(Failure::cannot(format!(
            "{} has a case `{name}` already: call this one something else with `--name`",
            file.path
        )));
    }
    let title = format!("{}: {name}", file.path);
    let outcomes = Runner::new(shelf).file(pack, file, &title);
    match outcomes.into_iter().find(|outcome| outcome.name == title) {
        Some(outcome) if outcome.failures.is_empty() => Ok(()),
        outcome => {
            let why = outcome
                .map(|outcome| outcome.failures.join("\n  "))
                .unwrap_or_default();
            let message = format!("the case would not pass, so nothing was written:\n  {why}");
            Err(Failure { message, status: 1 })
        }
    }
}

/// Writes a file, whole or not at all.
fn keep(target: &Target, text: String) -> Result<(), Failure> {
    let name = target.path.to_string_lossy().into_owned();
    if let Some(old) = &target.held {
        return write::all(&[Changed {
            name,
            old: old.clone(),
            new: text,
        }])
        .map_err(Failure::cannot);
    }
    let cannot =
        |error: std::io::Error| Failure::cannot(format!("{name} was not written: {error}"));
    let folder = target.path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(cannot)?;
    let beside = folder.join(format!(".case.kaer-{}", std::process::id()));
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &target.path));
    written.map_err(|error| {
        // What is left of the attempt helps nobody; where even this fails, the first error says why.
        let _ = fs::remove_file(&beside);
        cannot(error)
    })
}

//! `kaer test --from`: creates a test case from the journal of a game.

use std::fs;
use std::path::{Path, PathBuf};

use super::TestArgs;
use crate::cases::parse;
use crate::cases::record;
use crate::cases::runner::CaseRunner;
use crate::check::fix::FixedFile;
use crate::cli::check::write;
use crate::cli::{Failure, journal, refuse, screen};
use crate::library::PackLibrary;
use crate::pack::TestFile;

/// The file that the case is appended to.
struct CaseTarget {
    pack: PathBuf,
    /// The path inside the pack.
    inside: String,
    path: PathBuf,
    /// The current text; `None` if the file does not exist.
    old_text: Option<String>,
}

/// Creates a case, runs it, and prints it or appends it to a file if it passes.
pub fn run(args: &TestArgs, from: &Path) -> Result<(), Failure> {
    let target = args.out.as_deref().map(target).transpose()?;
    let played = journal::read(from)?;
    let mut packs = args.paths.clone();
    packs.extend(
        target
            .iter()
            .map(|target| target.pack.clone())
            .filter(|pack| !args.paths.contains(pack)),
    );
    let mut library = PackLibrary::find(Path::new("."), &packs).map_err(Failure::error)?;
    if !library.report.has_no_errors() {
        return Err(refuse(&library, &library.report));
    }
    let (rules, setup) = journal::open(from, &played, &library)?;
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| default_name(from, args.last, played.lines.len()));
    let wrong = |reason: String| Failure {
        message: format!("{}: {reason}", from.display()),
        status: 1,
    };
    let case = record::case(rules, &setup, &played, args.last, &name).map_err(wrong)?;
    let text = match &target {
        Some(target) => appended(target.old_text.as_deref().unwrap_or_default(), &case),
        None => case.clone(),
    };
    let pack = match &target {
        Some(target) => {
            let own = |pack: &&crate::pack::Pack| Path::new(&pack.root) == target.pack;
            library
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
        file: library.set.files.add(shown, text.clone()),
    };
    verify(&library, &pack, &file, &name)?;
    match target {
        None => screen::write(&case),
        Some(target) => {
            write_file(&target, text)?;
            screen::print(&format!("appended to {}: {name}", target.path.display()));
        }
    }
    Ok(())
}

fn default_name(from: &Path, last: Option<usize>, all: usize) -> String {
    let stem = from.file_stem().unwrap_or_default().to_string_lossy();
    match last.filter(|last| *last < all) {
        Some(1) => format!("{stem}, last answer"),
        Some(last) => format!("{stem}, last {last} answers"),
        None => format!("{stem}, all answers"),
    }
}

/// Resolves the output file; it must be in the tests/ folder of a pack.
fn target(path: &Path) -> Result<CaseTarget, Failure> {
    let not_a_test_file = || {
        let text = "test files are .toml files in the tests/ folder of a pack, as in `--out my-pack/tests/games.toml`";
        Failure::error(format!("{} is not a test file: {text}", path.display()))
    };
    let pack = path
        .ancestors()
        .skip(1)
        .find(|folder| folder.join("pack.toml").is_file())
        .ok_or_else(not_a_test_file)?;
    let inside = path
        .strip_prefix(pack)
        .unwrap_or(path)
        .to_string_lossy()
        .replace('\\', "/");
    let hidden = inside.split('/').any(|part| part.starts_with('.'));
    if !inside.starts_with("tests/") || !inside.ends_with(".toml") || hidden {
        return Err(not_a_test_file());
    }
    let old_text = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::error(format!("{}: {error}", path.display()))),
    };
    let pack = if pack.as_os_str().is_empty() {
        Path::new(".")
    } else {
        pack
    };
    Ok(CaseTarget {
        pack: pack.to_owned(),
        inside,
        path: path.to_owned(),
        old_text,
    })
}

/// Appends a case to the text of a file, with the line endings of the file.
fn appended(old_text: &str, case: &str) -> String {
    let case = if old_text.contains("\r\n") {
        case.replace('\n', "\r\n")
    } else {
        case.to_owned()
    };
    let line = if old_text.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let end = if old_text.is_empty() || old_text.ends_with('\n') {
        ""
    } else {
        line
    };
    let between = if old_text.trim().is_empty() { "" } else { line };
    format!("{old_text}{end}{between}{case}")
}

/// Runs the case as part of its file, because the defaults of the file apply to it.
fn verify(library: &PackLibrary, pack: &str, file: &TestFile, name: &str) -> Result<(), Failure> {
    let cases = parse::cases(&library.set.files, file.file).map_err(|errors| {
        Failure::error(format!(
            "{} cannot be read:\n{}",
            file.path,
            errors
                .iter()
                .map(|error| error.text(&library.set.files))
                .collect::<Vec<_>>()
                .join("\n")
        ))
    })?;
    if cases.iter().filter(|case| case.name == name).count() > 1 {
        return Err(Failure::error(format!(
            "{} already has a case called `{name}`; choose another name with `--name`",
            file.path
        )));
    }
    let title = format!("{}: {name}", file.path);
    let outcomes = CaseRunner::new(library).file(pack, file, &title);
    match outcomes.into_iter().find(|outcome| outcome.name == title) {
        Some(outcome) if outcome.failures.is_empty() => Ok(()),
        outcome => {
            let reason = outcome
                .map(|outcome| outcome.failures.join("\n  "))
                .unwrap_or_default();
            let message = format!("the new case fails, so nothing was written:\n  {reason}");
            Err(Failure { message, status: 1 })
        }
    }
}

/// Replaces or creates the file, atomically.
fn write_file(target: &CaseTarget, text: String) -> Result<(), Failure> {
    let name = target.path.to_string_lossy().into_owned();
    if let Some(old) = &target.old_text {
        return write::all(&[FixedFile {
            name,
            old: old.clone(),
            new: text,
        }])
        .map_err(Failure::error);
    }
    let cannot = |error: std::io::Error| Failure::error(format!("{name} was not written: {error}"));
    let folder = target.path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(cannot)?;
    let temporary = folder.join(format!(".case.kaer-{}", std::process::id()));
    let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &target.path));
    written.map_err(|error| {
        // Clean up; if that fails too, report only the first error.
        let _ = fs::remove_file(&temporary);
        cannot(error)
    })
}

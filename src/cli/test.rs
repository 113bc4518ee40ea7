//! `kaer test`: the scenario tests of packs.

mod from;
mod progress;
mod rules;
mod snapshots;

use std::path::{Path, PathBuf};
use std::thread;

use super::{Failure, refuse, screen};
use crate::author::outcomes;
use crate::author::test::{self, Outcome, Work};
use crate::pack::{Origin, Pack};
use crate::shelf::Shelf;
use progress::Progress;
use rules::Proofs;
use snapshots::{Changed, Settled};

/// What `kaer test` takes.
#[derive(clap::Args, Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub struct Args {
    /// Packs, folders of packs, or single files of cases; without any, every pack that is found.
    paths: Vec<PathBuf>,
    /// Only cases whose file or name contains this.
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Write the snapshots as they are now.
    #[arg(long)]
    accept: bool,
    /// Show each snapshot that is new or differs, and ask whether to write it.
    #[arg(long, conflicts_with_all = ["accept", "rules"])]
    review: bool,
    /// How many files are run at the same time; as many as there are cores where nothing is said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Name the cases that passed, too.
    #[arg(long, short)]
    verbose: bool,
    /// Show which rule is proved by which cases, and whether they pass.
    #[arg(long)]
    rules: bool,
    /// Run nothing, but make a case of a game that was played: print it, or append it to a file.
    #[arg(long, value_name = "JOURNAL", conflicts_with_all = ["filter", "accept", "review", "jobs", "verbose", "rules"])]
    from: Option<PathBuf>,
    /// Expect what the last N answers did, and not all of them.
    #[arg(long, value_name = "N", requires = "from")]
    last: Option<usize>,
    /// What the case is called.
    #[arg(long, value_name = "TEXT", requires = "from")]
    name: Option<String>,
    /// The file under a pack's tests/ that the case is appended to; it is made if it is not there.
    #[arg(long, value_name = "FILE", requires = "from")]
    out: Option<PathBuf>,
}

/// Runs the tests.
pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(journal) = &args.from {
        return from::run(args, journal);
    }
    let (packs, files) = named(&args.paths);
    let shelf = Shelf::find(Path::new("."), &packs).map_err(Failure::cannot)?;
    if !shelf.report.is_sound() {
        return Err(refuse(&shelf, &shelf.report));
    }
    let wanted = |pack: &&Pack| args.paths.is_empty() || pack.origin == Origin::CommandLine;
    let packs = || shelf.set.packs.iter().filter(wanted);
    let mut work: Vec<Work> = packs()
        .flat_map(|pack| pack.tests.iter().map(move |file| (pack, file)))
        .collect();
    narrow(&shelf, &mut work, &files)?;
    let mut run = Run::new(args, work.len());
    let jobs = args.jobs.map_or_else(
        || thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    test::run(&shelf, &work, &args.filter, jobs, |at, outcomes| {
        run.file(work[at].0, outcomes);
    });
    if files.is_empty() {
        for pack in
            packs().filter(|pack| args.accept || snapshots::path(pack, outcomes::NAME).exists())
        {
            run.file(
                pack,
                outcomes::case(&shelf, &pack.manifest.id, &args.filter)
                    .into_iter()
                    .collect(),
            );
        }
    }
    run.progress.clear();
    run.trouble.map_or(Ok(()), Err)?;
    if run.passed + run.failed + run.changed.len() == 0 {
        if !args.filter.is_empty() {
            let text = &args.filter;
            return Err(Failure::cannot(format!(
                "no case has `{text}` in its file or name; `kaer test -v` names all cases"
            )));
        }
        screen::say(
            "There are no cases. A case is a block [[case]] in a .toml file in the folder tests/ of a pack.",
        );
    }
    let (accepted, skipped) = snapshots::review(&run.changed)?;
    let (passed, failed) = (run.passed + accepted, run.failed + skipped);
    if args.rules {
        packs().for_each(|pack| run.proofs.tell(pack));
    }
    screen::say(&format!("{passed} passed, {failed} failed"));
    if failed > 0 {
        Err(Failure::found())
    } else {
        Ok(())
    }
}

/// Leaves only the files that were named, of packs of which some were.
fn narrow(shelf: &Shelf, work: &mut Vec<Work>, files: &[String]) -> Result<(), Failure> {
    let name = |(_, file): &Work| shelf.set.files.name(file.file).to_owned();
    let all: Vec<String> = work.iter().map(name).collect();
    if let Some(other) = files.iter().find(|file| !all.contains(file)) {
        let text = "they are .toml files in the folder tests/ of a pack";
        return Err(Failure::cannot(format!(
            "{other} is no file of cases: {text}"
        )));
    }
    let is_in = |file: &String, pack: &Pack| {
        file.strip_prefix(&pack.root)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    work.retain(|one| files.contains(&name(one)) || !files.iter().any(|file| is_in(file, one.0)));
    Ok(())
}

/// The packs that paths lead to, and the files of cases that are meant where a path leads into a pack.
fn named(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<String>) {
    let (mut packs, mut whole, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let around = path
            .ancestors()
            .skip(1)
            .find(|folder| folder.join("pack.toml").is_file());
        let pack = match around.filter(|_| path.is_file()) {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => path,
        };
        if pack == path || path.ends_with("pack.toml") {
            whole.push(pack);
        } else {
            files.push(pack.join(path.strip_prefix(pack).unwrap_or(path)));
        }
        if !packs.iter().any(|other| other == pack) {
            packs.push(pack.to_owned());
        }
    }
    // Who names a pack means all of its cases.
    files.retain(|file| !whole.iter().any(|pack| file.starts_with(pack)));
    (
        packs,
        files
            .into_iter()
            .map(|file| file.to_string_lossy().replace('\\', "/"))
            .collect(),
    )
}

/// What came of the cases so far.
struct Run<'a> {
    args: &'a Args,
    progress: Progress,
    passed: usize,
    failed: usize,
    proofs: Proofs,
    /// The snapshots that somebody shall look at.
    changed: Vec<Changed>,
    /// What could not be written.
    trouble: Option<Failure>,
}

impl<'a> Run<'a> {
    fn new(args: &'a Args, files: usize) -> Self {
        let progress = Progress::new(files);
        Run {
            args,
            progress,
            passed: 0,
            failed: 0,
            proofs: Proofs::default(),
            changed: Vec::new(),
            trouble: None,
        }
    }

    /// Takes in what became of a file.
    fn file(&mut self, pack: &Pack, outcomes: Vec<Outcome>) {
        self.progress.clear();
        for mut outcome in outcomes {
            match snapshots::settle(pack, &mut outcome, self.args) {
                Ok(Settled::Done) => {}
                Ok(Settled::Waits(changed)) => {
                    self.changed.push(changed);
                    continue;
                }
                Err(failure) => {
                    self.trouble.get_or_insert(failure);
                }
            }
            self.proofs.note(pack, &outcome);
            *if outcome.failures.is_empty() {
                &mut self.passed
            } else {
                &mut self.failed
            } += 1;
            tell(pack, &outcome, self.args.verbose);
        }
        self.progress.step(self.passed + self.failed, self.failed);
    }
}

fn tell(pack: &Pack, outcome: &Outcome, verbose: bool) {
    if outcome.failures.is_empty() {
        if verbose {
            screen::say(&format!("ok      {} {}", pack.manifest.id, outcome.name));
        }
        return;
    }
    screen::say(&format!("FAILED  {} {}", pack.manifest.id, outcome.name));
    for line in outcome.failures.iter().flat_map(|failure| failure.lines()) {
        screen::say(format!("    {line}").trim_end());
    }
}

//! `kaer test`: runs the test cases of packs.

mod from;
mod mutate;
mod progress;
mod rules;
mod snapshots;

use std::path::{Path, PathBuf};
use std::thread;

use super::{Failure, current_pack, refuse, screen};
use crate::cases::runner::{self, CaseFile, CaseResult};
use crate::explore::outcomes;
use crate::library::PackLibrary;
use crate::pack::Pack;
use progress::ProgressLine;
use rules::RuleCoverage;
use snapshots::{SnapshotChange, SnapshotStatus};

#[derive(clap::Args, Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a separate command-line flag"
)]
pub struct TestArgs {
    /// Packs, folders of packs, or single test files; by default, the pack of the current folder.
    paths: Vec<PathBuf>,
    /// Run only cases whose file or name contains TEXT.
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Accept all new and changed snapshots.
    #[arg(long)]
    accept: bool,
    /// Show each new or changed snapshot as a diff, and ask whether to accept it.
    #[arg(long, conflicts_with_all = ["accept", "rules"])]
    review: bool,
    /// Number of files to run in parallel; by default, the number of cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Also list the cases that passed.
    #[arg(long, short)]
    verbose: bool,
    /// Show which cases cover each rule, and whether they pass.
    #[arg(long)]
    rules: bool,
    /// Create a case from the journal of a game and print it, or append it to a file with `--out`.
    #[arg(long, value_name = "JOURNAL", conflicts_with_all = ["filter", "accept", "review", "jobs", "verbose", "rules"])]
    from: Option<PathBuf>,
    /// Only expect what the last N answers changed.
    #[arg(long, value_name = "N", requires = "from")]
    last: Option<usize>,
    /// Name of the case.
    #[arg(long, value_name = "TEXT", requires = "from")]
    name: Option<String>,
    /// A file in the tests/ folder of a pack to append the case to; created if missing.
    #[arg(long, value_name = "FILE", requires = "from")]
    out: Option<PathBuf>,
    #[command(flatten)]
    mutate: mutate::MutateArgs,
}

pub fn run(args: &TestArgs) -> Result<(), Failure> {
    if let Some(journal) = &args.from {
        return from::run(args, journal);
    }
    let (packs, files) = packs_and_files(&current_pack::or_current(&args.paths));
    let library = super::library(&packs)?;
    if !library.report.has_no_errors() {
        return Err(refuse(&library, &library.report));
    }
    let is_selected = current_pack::selected(&library, &packs, "testing");
    let all = || library.set.packs.iter();
    let packs = || all().filter(move |pack| is_selected(pack.origin));
    let mut work: Vec<CaseFile> = packs()
        .flat_map(|pack| pack.tests.iter().map(move |file| (pack, file)))
        .collect();
    keep_named_files(&library, &mut work, &files)?;
    let jobs = args.jobs.map_or_else(
        || thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    );
    if args.mutate.mutate {
        let has_all_cases = files.is_empty();
        return mutate::run(
            &args.mutate,
            &library,
            &work,
            &args.filter,
            has_all_cases,
            jobs,
        );
    }
    let mut run = TestRun::new(args, work.len());
    runner::run(&library, &work, &args.filter, jobs, |at, outcomes| {
        run.add_file(work[at].0, outcomes);
    });
    if files.is_empty() {
        for pack in
            packs().filter(|pack| args.accept || snapshots::path(pack, outcomes::NAME).exists())
        {
            run.add_file(
                pack,
                outcomes::case(&library, &pack.manifest.id, &args.filter)
                    .into_iter()
                    .collect(),
            );
        }
    }
    run.progress.clear();
    run.write_error.map_or(Ok(()), Err)?;
    if run.passed + run.failed + run.changed.len() == 0 {
        if !args.filter.is_empty() {
            let text = &args.filter;
            return Err(Failure::error(format!(
                "no case matches `{text}`; `kaer test -v` lists all cases"
            )));
        }
        screen::print(
            "No cases found. Write [[case]] blocks in a .toml file in the tests/ folder of a pack.",
        );
    }
    let (accepted, skipped) = snapshots::review(&run.changed)?;
    let (passed, failed) = (run.passed + accepted, run.failed + skipped);
    if args.rules {
        packs().for_each(|pack| run.coverage.print(pack));
    }
    screen::print(&format!("{passed} passed, {failed} failed"));
    if failed > 0 {
        Err(Failure::problems_found())
    } else {
        Ok(())
    }
}

/// If the command line names test files of a pack, keeps only those files.
fn keep_named_files(
    library: &PackLibrary,
    work: &mut Vec<CaseFile>,
    files: &[String],
) -> Result<(), Failure> {
    let name = |(_, file): &CaseFile| library.set.files.name(file.file).to_owned();
    let all: Vec<String> = work.iter().map(name).collect();
    if let Some(other) = files.iter().find(|file| !all.contains(file)) {
        let text = "test files are .toml files in the tests/ folder of a pack";
        return Err(Failure::error(format!(
            "{other} is not a test file: {text}"
        )));
    }
    let is_in = |file: &String, pack: &Pack| {
        file.strip_prefix(&pack.root)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    work.retain(|item| {
        files.contains(&name(item)) || !files.iter().any(|file| is_in(file, item.0))
    });
    Ok(())
}

/// Splits paths into the packs they belong to and the test files inside those packs.
fn packs_and_files(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<String>) {
    let (mut packs, mut whole, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let parent_pack = path
            .ancestors()
            .skip(1)
            .find(|folder| folder.join("pack.toml").is_file());
        let pack = match parent_pack.filter(|_| path.is_file()) {
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
    // A path to a whole pack selects all of its cases.
    files.retain(|file| !whole.iter().any(|pack| file.starts_with(pack)));
    (
        packs,
        files
            .into_iter()
            .map(|file| file.to_string_lossy().replace('\\', "/"))
            .collect(),
    )
}

/// The results so far.
struct TestRun<'a> {
    args: &'a TestArgs,
    progress: ProgressLine,
    passed: usize,
    failed: usize,
    coverage: RuleCoverage,
    /// Snapshots to review.
    changed: Vec<SnapshotChange>,
    /// The first snapshot that could not be written.
    write_error: Option<Failure>,
}

impl<'a> TestRun<'a> {
    fn new(args: &'a TestArgs, files: usize) -> Self {
        let progress = ProgressLine::new(files);
        TestRun {
            args,
            progress,
            passed: 0,
            failed: 0,
            coverage: RuleCoverage::default(),
            changed: Vec::new(),
            write_error: None,
        }
    }

    /// Adds the results of a file.
    fn add_file(&mut self, pack: &Pack, outcomes: Vec<CaseResult>) {
        self.progress.clear();
        for mut outcome in outcomes {
            match snapshots::compare_or_accept(pack, &mut outcome, self.args) {
                Ok(SnapshotStatus::Done) => {}
                Ok(SnapshotStatus::Waits(changed)) => {
                    self.changed.push(changed);
                    continue;
                }
                Err(failure) => {
                    self.write_error.get_or_insert(failure);
                }
            }
            self.coverage.add(pack, &outcome);
            *if outcome.failures.is_empty() {
                &mut self.passed
            } else {
                &mut self.failed
            } += 1;
            print(pack, &outcome, self.args.verbose);
        }
        self.progress.step(self.passed + self.failed, self.failed);
    }
}

fn print(pack: &Pack, outcome: &CaseResult, verbose: bool) {
    if outcome.failures.is_empty() {
        if verbose {
            screen::print(&format!("ok      {} {}", pack.manifest.id, outcome.name));
        }
        return;
    }
    screen::print(&format!("FAILED  {} {}", pack.manifest.id, outcome.name));
    for line in outcome.failures.iter().flat_map(|failure| failure.lines()) {
        screen::print(format!("    {line}").trim_end());
    }
}

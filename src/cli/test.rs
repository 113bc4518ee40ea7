//! `kaer test`: the scenario tests of packs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Failure, refuse, screen};
use crate::author::test::{Outcome, outcomes, run_file};
use crate::pack::{Origin, Pack};
use crate::shelf::Shelf;

/// What `kaer test` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Packs, or folders of packs; without any, every pack that is found.
    paths: Vec<PathBuf>,
    /// Only cases whose file or name contains this.
    #[arg(long, default_value = "")]
    filter: String,
    /// Write the snapshots as they are now.
    #[arg(long)]
    accept: bool,
    /// Name the cases that passed, too.
    #[arg(long, short)]
    verbose: bool,
    /// Show which rule is proved by which cases, and whether they pass.
    #[arg(long)]
    rules: bool,
}

/// Runs the tests.
pub fn run(args: &Args) -> Result<(), Failure> {
    let shelf = Shelf::find(&PathBuf::from("."), &args.paths).map_err(Failure::cannot)?;
    if !shelf.report.is_sound() {
        return Err(refuse(&shelf, &shelf.report));
    }
    let (mut passed, mut failed) = (0, 0);
    let mut proved = Proofs::new();
    let wanted = |pack: &&Pack| args.paths.is_empty() || pack.origin == Origin::CommandLine;
    for pack in shelf.set.packs.iter().filter(wanted) {
        let id = &pack.manifest.id;
        let cases = pack.tests.iter();
        let cases =
            cases.flat_map(|file| run_file(&shelf, id, &file.path, shelf.set.files.text(file.file), &args.filter));
        for mut outcome in cases.chain(outcomes(&shelf, id, &args.filter)) {
            compare(pack, &mut outcome, args.accept)?;
            for rule in &outcome.rules {
                let cases = proved.entry((id.clone(), rule.clone())).or_default();
                cases.push((outcome.name.clone(), outcome.failures.is_empty()));
            }
            *if outcome.failures.is_empty() { &mut passed } else { &mut failed } += 1;
            tell(pack, &outcome, args.verbose);
        }
    }
    if args.rules {
        for pack in shelf.set.packs.iter().filter(wanted) {
            tell_rules(pack, &proved);
        }
    }
    screen::say(&format!("{passed} passed, {failed} failed"));
    if failed > 0 { Err(Failure::found()) } else { Ok(()) }
}

/// The cases that name a rule of a pack, and whether each passed.
type Proofs = BTreeMap<(String, String), Vec<(String, bool)>>;

/// The rules a pack writes down as entries with a `section`, and what proves each.
fn tell_rules(pack: &Pack, proved: &Proofs) {
    let (mut all, mut bare) = (0, 0);
    let mut section = "";
    for entry in pack.entries().filter(|entry| entry.text("section").is_some()) {
        let own = entry.text("section").unwrap_or_default();
        if own != section {
            screen::say(&format!("\n{own}"));
            section = own;
        }
        let cases = proved.get(&(pack.manifest.id.clone(), entry.id.clone()));
        all += 1;
        bare += usize::from(cases.is_none());
        let state = match cases {
            None => "NO CASE".to_owned(),
            Some(cases) if cases.iter().all(|(_, passed)| *passed) => format!("{} pass", cases.len()),
            Some(_) => "FAILING".to_owned(),
        };
        screen::say(&format!("  {:<12}{state:<10}{}", entry.id, entry.text("text").unwrap_or_default()));
        for (name, passed) in cases.into_iter().flatten() {
            screen::say(&format!("  {:<12}{:<10}· {name}", "", if *passed { "" } else { "failed" }));
        }
    }
    if all > 0 {
        screen::say(&format!("\n{}: {all} rules, {} with a case, {bare} without", pack.manifest.id, all - bare));
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
    for failure in &outcome.failures {
        for line in failure.lines() {
            screen::say(&format!("    {line}"));
        }
    }
}

/// Compares a case's log with its snapshot, or writes it.
fn compare(pack: &Pack, outcome: &mut Outcome, accept: bool) -> Result<(), Failure> {
    let Some(now) = &outcome.snapshot else { return Ok(()) };
    let path = Path::new(&pack.root).join("tests/snapshots").join(crate::author::snapshot::file_name(&outcome.name));
    let before = std::fs::read_to_string(&path).ok();
    let before = before.as_deref().map(crate::author::snapshot::body);
    if before == Some(now.trim_end()) {
        return Ok(());
    }
    if accept && outcome.failures.is_empty() {
        return crate::author::snapshot::write(&path, now).map_err(Failure::cannot);
    }
    let hint = "run with --accept to keep the new one";
    outcome.failures.push(match before {
        Some(before) => format!("the snapshot differs ({hint}):\n{}", crate::author::snapshot::diff(before, now)),
        None => format!("there is no snapshot yet ({hint}): {}", path.display()),
    });
    Ok(())
}

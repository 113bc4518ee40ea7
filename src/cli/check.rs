//! `kaer check`: faults in packs.

use std::path::PathBuf;

use super::{Failure, screen};
use crate::diagnostic::{Report, render_short};
use crate::shelf::Shelf;

/// What `kaer check` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Packs, or folders of packs; without any, every pack that is found.
    paths: Vec<PathBuf>,
    /// What else counts as a failure: `warnings`.
    #[arg(long, value_name = "WHAT", value_parser = ["warnings"])]
    deny: Vec<String>,
    /// One line a fault.
    #[arg(long)]
    short: bool,
}

/// Checks packs: all faults of loading, and of the scripts in each mode.
pub fn run(args: &Args) -> Result<(), Failure> {
    let shelf = Shelf::find(&PathBuf::from("."), &args.paths).map_err(Failure::cannot)?;
    let report = crate::author::check::check(&shelf, |origin| {
        args.paths.is_empty() || origin == crate::pack::Origin::CommandLine
    });
    for fault in &report {
        let shown =
            if args.short { render_short(&shelf.set.files, fault) } else { screen::fault(&shelf.set.files, fault) };
        screen::raw(&shown);
    }
    summary(&shelf, &report, args)
}

fn summary(shelf: &Shelf, report: &Report, args: &Args) -> Result<(), Failure> {
    let checked =
        shelf.set.packs.iter().filter(|p| args.paths.is_empty() || p.origin == crate::pack::Origin::CommandLine);
    let (packs, entries) = checked.fold((0, 0), |(packs, entries), pack| (packs + 1, entries + pack.entries.len()));
    let (errors, warnings) = (report.errors().count(), report.warnings().count());
    screen::say(&format!("{packs} packs, {entries} entries: {errors} errors, {warnings} warnings"));
    let denied = args.deny.iter().any(|what| what == "warnings") && warnings > 0;
    if errors > 0 || denied { Err(Failure::found()) } else { Ok(()) }
}

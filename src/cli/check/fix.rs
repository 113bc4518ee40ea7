//! `kaer check --fix`: shows the automatic fixes as a diff, asks, and writes them.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

use super::{CheckArgs, CheckFormat, is_wanted, write};
use crate::check::fix;
use crate::cli::current_pack::is_selected_of;
use crate::cli::{Failure, screen};
use crate::diagnostic::unified_diff;
use crate::pack;

/// Applies fixes; the regular check runs afterwards.
pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    if !args.short && !matches!(args.format, CheckFormat::Human | CheckFormat::Short) {
        return Err(Failure::error(
            "`--fix` needs `--format human` or `short`; to list fixes as JSON, leave out `--fix`",
        ));
    }
    let sources = pack::find(Path::new("."), &args.paths).map_err(Failure::error)?;
    let origins: Vec<_> = sources.iter().map(pack::PackSource::origin).collect();
    let is_checked = is_selected_of(&origins, &args.paths);
    let (plan, _) = fix::plan(sources, is_checked, |diagnostic| {
        is_wanted(diagnostic, args)
    });
    let shown = plan
        .files
        .iter()
        .map(|file| unified_diff(&file.name, &file.old, &file.new, screen::has_colours()));
    shown.for_each(|text| screen::print_raw(&text));
    plan.notes.iter().for_each(|note| screen::print(note));
    if plan.files.is_empty() {
        screen::print("No automatic fixes.\n");
        return Ok(());
    }
    let what = format!(
        "{} to {}",
        many(plan.edits, "change"),
        many(plan.files.len(), "file")
    );
    if !args.yes {
        if !std::io::stdin().is_terminal() {
            screen::print(&format!(
                "Nothing was written. Run again with --yes to write {what}."
            ));
            return Err(Failure::problems_found());
        }
        screen::write(&format!("Write {what}? [y/N] "));
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        if read.is_err() || !matches!(line.trim(), "y" | "Y" | "yes") {
            screen::print("Nothing was written.");
            return Err(Failure::problems_found());
        }
    }
    write::all(&plan.files).map_err(Failure::error)?;
    screen::print(&format!("Wrote {what}. Checking again:\n"));
    Ok(())
}

fn many(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

//! `kaer check --fix`: shows what can be mended, asks, and writes it.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

use super::{Args, Format, is_checked, is_wanted, write};
use crate::check::fix;
use crate::cli::{Failure, screen};
use crate::diagnostic::unified;
use crate::pack;

/// Mends packs; afterwards they are checked as ever.
pub fn run(args: &Args) -> Result<(), Failure> {
    if !args.short && !matches!(args.format, Format::Human | Format::Short) {
        return Err(Failure::cannot(
            "--fix shows its changes to people; without it, `--format json` lists them under `fix`",
        ));
    }
    let sources = pack::find(Path::new("."), &args.paths).map_err(Failure::cannot)?;
    let (plan, _) = fix::plan(
        sources,
        |origin| is_checked(origin, args),
        |fault| is_wanted(fault, args),
    );
    let shown = plan
        .files
        .iter()
        .map(|file| unified(&file.name, &file.old, &file.new, screen::colours()));
    shown.for_each(|text| screen::raw(&text));
    plan.notes.iter().for_each(|note| screen::say(note));
    if plan.files.is_empty() {
        screen::say("Nothing here can be mended by a machine.\n");
        return Ok(());
    }
    let what = format!(
        "{} to {}",
        many(plan.edits, "change"),
        many(plan.files.len(), "file")
    );
    if !args.yes {
        if !std::io::stdin().is_terminal() {
            screen::say(&format!(
                "Nothing was written. To write {what}, run this again with --yes."
            ));
            return Err(Failure::found());
        }
        let these = if plan.edits == 1 { "this" } else { "these" };
        screen::write(&format!("Write {these} {what}? [y/N] "));
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        if read.is_err() || !matches!(line.trim(), "y" | "Y" | "yes") {
            screen::say("Nothing was written.");
            return Err(Failure::found());
        }
    }
    write::all(&plan.files).map_err(Failure::cannot)?;
    screen::say(&format!("Wrote {what}. What is left:\n"));
    Ok(())
}

fn many(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

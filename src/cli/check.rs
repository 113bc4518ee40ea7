//! `kaer check`: faults in packs.

mod fix;
mod formats;
pub(super) mod write;

use std::path::PathBuf;
use std::time::Instant;

use super::{Failure, screen};
use crate::check::capabilities::Capability;
use crate::check::{self, Checked, Effort};
use crate::diagnostic::{Confidence, Diagnostic, Files, Severity, nearest, render_short};
use crate::pack::{self, Origin};
use crate::shelf::Shelf;

/// What `kaer check` takes.
#[derive(clap::Args, Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub struct Args {
    /// Packs, or folders of packs; without any, every pack that is found.
    paths: Vec<PathBuf>,
    /// What else counts as a failure: `warnings`.
    #[arg(long, value_name = "WHAT", value_parser = ["warnings"])]
    deny: Vec<String>,
    /// How faults are shown.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The same as `--format short`.
    #[arg(long)]
    short: bool,
    /// Run no script: quicker, and finds less.
    #[arg(long = "static")]
    still: bool,
    /// How many random games are played with each number of players, for scripts to be run in.
    #[arg(long, value_name = "N", default_value_t = 2, conflicts_with = "still")]
    games: u64,
    /// Run only the scripts of this entry.
    #[arg(long, value_name = "ENTRY", conflicts_with = "still")]
    entry: Option<String>,
    /// Tell also what each pack can do, and where.
    #[arg(long)]
    capabilities: bool,
    /// Leave out what players would notice less than this.
    #[arg(long, value_enum, default_value_t = Least::Untidy)]
    severity: Least,
    /// Leave out what is less sure than this.
    #[arg(long, value_enum, default_value_t = Surety::Likely)]
    confidence: Surety,
    /// Mend what a machine can mend: shows what would change, asks, and writes it.
    #[arg(long)]
    fix: bool,
    /// Write what `--fix` shows without a question.
    #[arg(long, requires = "fix")]
    yes: bool,
}

/// How faults are shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// With the lines they point at.
    Human,
    /// One line each.
    Short,
    /// For programs.
    Json,
    /// For code scanning services.
    Sarif,
    /// As comments on a change, for GitHub Actions.
    Github,
}

/// What a player would notice at least.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Least {
    /// The pack cannot be played.
    Crash,
    /// The game goes on, but something in it is not what was written.
    Wrong,
    /// It works, and is probably not what was meant.
    Odd,
    /// Only readers of the file notice.
    Untidy,
}

/// How sure a check must be.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Surety {
    /// There is no doubt.
    Sure,
    /// It would be strange if it were meant.
    Likely,
    /// It may be the consequence of something else.
    Guess,
}

/// Checks packs.
#[allow(clippy::disallowed_methods, reason = "it tells how long it took")]
pub fn run(args: &Args) -> Result<(), Failure> {
    if args.fix {
        fix::run(args)?;
    }
    let started = Instant::now();
    let shelf = Shelf::find(&PathBuf::from("."), &args.paths).map_err(Failure::cannot)?;
    if let Some(entry) = &args.entry {
        exists(&shelf, entry)?;
    }
    let effort = (!args.still).then(|| Effort::of(args.games, args.entry.clone()));
    let mut checked = check::check(&shelf, effort, |origin| is_checked(origin, args));
    let guesses = checked
        .report
        .iter()
        .filter(|fault| fault.confidence == Confidence::Guess)
        .count();
    checked.report.retain(|fault| is_wanted(fault, args));
    let files = &shelf.set.files;
    let format = if args.short {
        Format::Short
    } else {
        args.format
    };
    match format {
        Format::Human => checked
            .report
            .iter()
            .for_each(|fault| screen::raw(&screen::fault(files, fault))),
        Format::Short => checked
            .report
            .iter()
            .for_each(|fault| screen::raw(&render_short(files, fault))),
        Format::Json => screen::say(&formats::json(files, &checked.report)),
        Format::Sarif => screen::say(&formats::sarif(files, &checked.report)),
        Format::Github => checked
            .report
            .iter()
            .for_each(|fault| screen::raw(&formats::github(files, fault))),
    }
    let (errors, warnings) = (
        checked.report.errors().count(),
        checked.report.warnings().count(),
    );
    if matches!(format, Format::Human | Format::Short) {
        if args.capabilities {
            for (pack, capabilities) in
                checked.capabilities(&shelf, |origin| is_checked(origin, args))
            {
                screen::say(&can(files, &pack, &capabilities));
            }
        }
        let hidden = if matches!(args.confidence, Surety::Guess) {
            0
        } else {
            guesses
        };
        screen::say(&summary(
            &checked,
            (errors, warnings, hidden),
            started.elapsed().as_millis(),
        ));
    }
    // The process ends here: the system takes the memory back at once, piece by piece it takes as long as reading a pack.
    std::mem::forget((checked, shelf));
    let denied = args.deny.iter().any(|what| what == "warnings") && warnings > 0;
    if errors > 0 || denied {
        Err(Failure::found())
    } else {
        Ok(())
    }
}

/// Whether packs from there are checked: all of them, unless some are named.
fn is_checked(origin: Origin, args: &Args) -> bool {
    args.paths.is_empty() || origin == Origin::CommandLine
}

/// Whether some pack has an entry of a name.
fn exists(shelf: &Shelf, name: &str) -> Result<(), Failure> {
    let entries = || shelf.set.packs.iter().flat_map(pack::Pack::entries);
    let is = |entry: &pack::Entry| {
        let full = entry.full_name();
        entry.id == name || full == name || full.ends_with(&format!(":{name}"))
    };
    if entries().any(is) {
        return Ok(());
    }
    let near = nearest(name, entries().map(|entry| entry.id.as_str()))
        .map(|near| format!("; did you mean `{near}`?"));
    Err(Failure::cannot(format!(
        "no pack has an entry `{name}`{}",
        near.unwrap_or_default()
    )))
}

fn is_wanted(fault: &Diagnostic, args: &Args) -> bool {
    let severity = match args.severity {
        Least::Crash => Severity::Crash,
        Least::Wrong => Severity::Wrong,
        Least::Odd => Severity::Odd,
        Least::Untidy => Severity::Untidy,
    };
    let confidence = match args.confidence {
        Surety::Sure => Confidence::Sure,
        Surety::Likely => Confidence::Likely,
        Surety::Guess => Confidence::Guess,
    };
    fault.severity <= severity && fault.confidence <= confidence
}

/// What a pack can do, with a place for each.
fn can(files: &Files, pack: &str, capabilities: &[Capability]) -> String {
    let mut text = format!("{pack}:");
    for capability in capabilities {
        let places = capability
            .at
            .iter()
            .map(|span| format!("{}:{}", files.name(span.file), files.line_col(*span).0));
        let places: Vec<String> = places.collect();
        text += &match &places[..] {
            [] => format!("\n  {}: no", capability.what),
            [first, ..] => format!(
                "\n  {}: {} places, as {first}",
                capability.what,
                places.len()
            ),
        };
    }
    text
}

/// How much was checked, and how long it took.
fn summary(
    checked: &Checked,
    (errors, warnings, guesses): (usize, usize, usize),
    took: u128,
) -> String {
    let many = screen::counted;
    let entries = if checked.entries == 1 {
        "1 entry".to_owned()
    } else {
        format!("{} entries", checked.entries)
    };
    let (packs, scripts) = (many(checked.packs, "pack"), many(checked.scripts, "script"));
    let mut line = format!(
        "{packs}, {entries}, {scripts}: {}, {} in {took} ms",
        many(errors, "error"),
        many(warnings, "warning")
    );
    if checked.runs > 0 {
        line = line.replacen(
            &scripts,
            &format!("{scripts} run {} times", checked.runs),
            1,
        );
    }
    if guesses > 0 {
        let more = if guesses == 1 { "guess" } else { "guesses" };
        line += &format!("; {guesses} more {more} with `--confidence guess`");
    }
    if checked.report.left_off() > 0 {
        line += &format!("; {} more were only counted", checked.report.left_off());
    }
    if errors + warnings > 0 {
        line += "; `kaer explain CODE` says more";
    }
    line
}

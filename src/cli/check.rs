//! `kaer check`: finds problems in packs.

mod fix;
mod formats;
mod matrix;
pub(super) mod write;

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::game_args::parse_seed;
use super::{Failure, current_pack, screen};
use crate::cases;
use crate::check::capabilities::Capability;
use crate::check::{self, CheckReport, Effort};
use crate::diagnostic::{
    Confidence, Diagnostic, Files, Severity, nearest, render_short, suggestion, unknown_name,
};
use crate::library::PackLibrary;
use crate::pack::{self, Origin};

#[derive(clap::Args, Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a separate command-line flag"
)]
pub struct CheckArgs {
    /// Packs or folders of packs; by default, the pack of the current folder.
    paths: Vec<PathBuf>,
    /// Also add this pack, by id or path, to every game that is checked (repeatable).
    #[arg(long, value_name = "PACK|PATH")]
    with: Vec<String>,
    /// Treat warnings as errors.
    #[arg(long, value_name = "WHAT", value_parser = ["warnings"])]
    deny: Vec<String>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    format: CheckFormat,
    /// Same as `--format short`.
    #[arg(long)]
    short: bool,
    /// Static checks only; do not run scripts.
    #[arg(long = "static")]
    static_only: bool,
    /// Number of random games to play per player count; scripts run in the situations they reach.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        conflicts_with = "static_only"
    )]
    games: u64,
    /// Run only the scripts of this entry.
    #[arg(long, value_name = "ENTRY", conflicts_with = "static_only")]
    entry: Option<String>,
    /// Open every mode with each expansion found, with every pair and with all of them, play
    /// `--games` random games in each combination, and print a table.
    #[arg(long, conflicts_with_all = ["static_only", "entry", "fix", "capabilities"])]
    matrix: bool,
    /// Random seed of the games of `--matrix`.
    #[arg(long, default_value_t = 1, value_parser = parse_seed, requires = "matrix")]
    seed: u64,
    /// Number of combinations to try in parallel with `--matrix`; by default, the number of cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), requires = "matrix")]
    jobs: Option<u16>,
    /// Also list the capabilities of each pack, such as reading hidden cards.
    #[arg(long)]
    capabilities: bool,
    /// Lowest severity to report.
    #[arg(long, value_enum, default_value_t = MinSeverity::Style)]
    severity: MinSeverity,
    /// Lowest confidence to report.
    #[arg(long, value_enum, default_value_t = MinConfidence::Likely)]
    confidence: MinConfidence,
    /// Apply automatic fixes (shows a diff and asks first).
    #[arg(long)]
    fix: bool,
    /// Apply the fixes without asking.
    #[arg(long, requires = "fix")]
    yes: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum CheckFormat {
    /// Messages with the source lines they point at.
    Human,
    /// One line per message.
    Short,
    /// A JSON array.
    Json,
    /// SARIF 2.1.0, for code scanning services.
    Sarif,
    /// Annotations for GitHub Actions.
    Github,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum MinSeverity {
    /// Kaer cannot read or build the pack.
    Fatal,
    /// Something in it does not work; most errors keep the pack from being played.
    Error,
    /// It works, but is probably not what you meant.
    Warning,
    /// Only readers of the file would notice.
    Style,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum MinConfidence {
    /// Certainly a problem.
    Sure,
    /// Almost certainly a mistake.
    Likely,
    /// May be intended, or the consequence of another error.
    Guess,
}

#[allow(clippy::disallowed_methods, reason = "reports how long it took")]
pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let args = &CheckArgs {
        paths: current_pack::or_current(&args.paths),
        ..args.clone()
    };
    if args.fix {
        fix::run(args)?;
    }
    let started = Instant::now();
    let (library, with) = library(args)?;
    let is_checked = current_pack::selected(&library, &args.paths, "checking");
    if let Some(entry) = &args.entry {
        require_entry(&library, entry)?;
    }
    if args.matrix {
        return matrix::run(args, &library, is_checked, &with);
    }
    let effort = (!args.static_only).then(|| Effort::new(args.games, args.entry.clone()));
    let mut checked = check::check_with(&library, effort, is_checked, &with);
    if args.entry.is_none() {
        let of_cases = cases::check(&library, is_checked);
        checked.report.extend(of_cases);
        checked.report.sort(&library.set.files);
    }
    let guesses = checked
        .report
        .iter()
        .filter(|diagnostic| diagnostic.confidence == Confidence::Guess)
        .count();
    checked
        .report
        .retain(|diagnostic| is_wanted(diagnostic, args));
    let files = &library.set.files;
    let format = if args.short {
        CheckFormat::Short
    } else {
        args.format
    };
    match format {
        CheckFormat::Human => checked
            .report
            .iter()
            .for_each(|diagnostic| screen::print_raw(&screen::diagnostic(files, diagnostic))),
        CheckFormat::Short => checked
            .report
            .iter()
            .for_each(|diagnostic| screen::print_raw(&render_short(files, diagnostic))),
        CheckFormat::Json => screen::print(&formats::json(files, &checked.report)),
        CheckFormat::Sarif => screen::print(&formats::sarif(files, &checked.report)),
        CheckFormat::Github => checked
            .report
            .iter()
            .for_each(|diagnostic| screen::print_raw(&formats::github(files, diagnostic))),
    }
    let (errors, warnings) = (
        checked.report.errors().count(),
        checked.report.warnings().count(),
    );
    if matches!(format, CheckFormat::Human | CheckFormat::Short) {
        if args.capabilities {
            for (pack, capabilities) in checked.capabilities(&library, is_checked) {
                screen::print(&capability_list(files, &pack, &capabilities));
            }
        }
        let hidden = if matches!(args.confidence, MinConfidence::Guess) {
            0
        } else {
            guesses
        };
        screen::print(&summary(
            &checked,
            (errors, warnings, hidden),
            started.elapsed().as_millis(),
        ));
    }
    // The process is about to exit. Freeing all this memory would take as long as reading a pack.
    std::mem::forget((checked, library));
    let denied = args.deny.iter().any(|what| what == "warnings") && warnings > 0;
    if errors > 0 || denied {
        Err(Failure::problems_found())
    } else {
        Ok(())
    }
}

/// All packs, and the ids of those that `--with` adds.
fn library(args: &CheckArgs) -> Result<(PackLibrary, Vec<String>), Failure> {
    let is_path = |with: &&String| with.contains(['/', '\\']) || Path::new(with).is_dir();
    let (paths, mut ids): (Vec<&String>, Vec<&String>) = args.with.iter().partition(is_path);
    let mut sources = pack::find(Path::new("."), &args.paths).map_err(Failure::error)?;
    let mut roots = Vec::new();
    for path in paths {
        for source in pack::named_packs(Path::new(path)).map_err(Failure::error)? {
            roots.push(source.root());
            // Not a pack to check, unless it is also named as one.
            if sources.iter().all(|other| other.root() != source.root()) {
                sources.push(source.with_origin(Origin::UserData));
            }
        }
    }
    let library = PackLibrary::load(sources);
    let packs = &library.set.packs;
    if let Some(id) = ids.iter().find(|id| library.set.pack(id).is_none()) {
        let known = packs.iter().map(|pack| &*pack.manifest.id);
        let (unknown, near) = (unknown_name("pack", id), suggestion(id, known));
        return Err(Failure::error(format!("`--with {id}`: {unknown}{near}")));
    }
    let by_path = packs.iter().filter(|pack| roots.contains(&pack.root));
    ids.extend(by_path.map(|pack| &pack.manifest.id));
    let ids = ids.into_iter().cloned().collect();
    Ok((library, ids))
}

/// Fails unless some pack has an entry with this name.
fn require_entry(library: &PackLibrary, name: &str) -> Result<(), Failure> {
    let entries = || library.set.packs.iter().flat_map(pack::Pack::entries);
    let is = |entry: &pack::Entry| {
        let full = entry.full_name();
        entry.id == name || full == name || full.ends_with(&format!(":{name}"))
    };
    if entries().any(is) {
        return Ok(());
    }
    let near = nearest(name, entries().map(|entry| entry.id.as_str()))
        .map(|near| format!("; did you mean `{near}`?"));
    Err(Failure::error(format!(
        "no entry is called `{name}`{}",
        near.unwrap_or_default()
    )))
}

fn is_wanted(diagnostic: &Diagnostic, args: &CheckArgs) -> bool {
    let severity = match args.severity {
        MinSeverity::Fatal => Severity::Fatal,
        MinSeverity::Error => Severity::Error,
        MinSeverity::Warning => Severity::Warning,
        MinSeverity::Style => Severity::Style,
    };
    let confidence = match args.confidence {
        MinConfidence::Sure => Confidence::Sure,
        MinConfidence::Likely => Confidence::Likely,
        MinConfidence::Guess => Confidence::Guess,
    };
    diagnostic.severity <= severity && diagnostic.confidence <= confidence
}

/// The capabilities of a pack, with one source location for each.
fn capability_list(files: &Files, pack: &str, capabilities: &[Capability]) -> String {
    let mut text = format!("{pack}:");
    for capability in capabilities {
        let places = capability
            .at
            .iter()
            .map(|span| format!("{}:{}", files.name(span.file), files.line_col(*span).0));
        let places: Vec<String> = places.collect();
        text += &match &places[..] {
            [] => format!("\n  {}: no", capability.description),
            [only] => format!("\n  {}: {only}", capability.description),
            [first, ..] => format!(
                "\n  {}: {} places, such as {first}",
                capability.description,
                places.len()
            ),
        };
    }
    text
}

/// The last line: how much was checked, what was found, and how long it took.
fn summary(
    checked: &CheckReport,
    (errors, warnings, guesses): (usize, usize, usize),
    took: u128,
) -> String {
    let count = screen::counted;
    let entries = if checked.entries == 1 {
        "1 entry".to_owned()
    } else {
        format!("{} entries", checked.entries)
    };
    let (packs, scripts) = (
        count(checked.packs, "pack"),
        count(checked.scripts, "script"),
    );
    let mut line = format!(
        "{packs}, {entries}, {scripts}: {}, {} in {took} ms",
        count(errors, "error"),
        count(warnings, "warning")
    );
    if checked.runs > 0 {
        line = line.replacen(&scripts, &format!("{scripts} ({} runs)", checked.runs), 1);
    }
    if guesses > 0 {
        let more = if guesses == 1 {
            "diagnostic"
        } else {
            "diagnostics"
        };
        line +=
            &format!("; {guesses} low-confidence {more} hidden (show with `--confidence guess`)");
    }
    if checked.report.omitted() > 0 {
        line += &format!("; {} more not shown", checked.report.omitted());
    }
    if errors + warnings > 0 {
        line += "; `kaer explain CODE` has details";
    }
    line
}

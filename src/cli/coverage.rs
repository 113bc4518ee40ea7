//! `kaer coverage`: what tests or bot games never reached.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Failure, current_pack, refuse, screen};
use crate::explore::case_coverage;
use crate::explore::choices;
use crate::explore::coverage::{
    self, Coverage, CoverageItem, CoverageKind, CoverageRecorder, Witness,
};
use crate::library::{LintLevel, PackLibrary, Reuse};
use crate::pack::{self, GameChoice, Pack};

#[derive(clap::Args, Clone, Debug)]
pub struct CoverageArgs {
    /// Packs or folders of packs; by default, every pack found that is not built in.
    paths: Vec<PathBuf>,
    /// Measure N bot games per mode instead of the tests.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Also list what was reached, and the test or shortest game that reached it.
    #[arg(long)]
    reached: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t = CoverageFormat::Text)]
    format: CoverageFormat,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum CoverageFormat {
    /// A readable summary.
    Text,
    /// JSON.
    Json,
    /// Line coverage of scripts in lcov format, for coverage tools.
    Lcov,
}

pub fn run(args: &CoverageArgs) -> Result<(), Failure> {
    let paths = current_pack::or_current(&args.paths);
    let sources = pack::find(Path::new("."), &paths).map_err(Failure::error)?;
    let library = PackLibrary::load(sources.clone());
    if !library.report.has_no_errors() {
        return Err(refuse(&library, &library.report));
    }
    let is_selected = current_pack::selected(&library, &paths, "covering");
    let packs = library.set.packs.iter();
    for pack in packs.filter(|pack| is_selected(pack.origin)) {
        let id = &pack.manifest.id;
        let choices = choices::choices(&library, id);
        if choices.is_empty() {
            screen::print_error(&format!(
                "skipped {id}: it has no mode, and extends no pack that has one"
            ));
            continue;
        }
        let mut coverage = Coverage::default();
        for choice in &choices {
            let (opened, report) =
                library.open_reusing(choice, None, Reuse::Nothing, LintLevel::Names);
            let Some(opened) = opened.filter(|_| report.has_no_errors()) else {
                return Err(refuse(&library, &report));
            };
            coverage.goals.extend(
                CoverageRecorder::new(&opened, &library.set.files).goals(id, &library.set.files),
            );
        }
        match args.games {
            Some(games) => by_games(&sources, &choices, games, &mut coverage)?,
            None => by_tests(&library, pack, &mut coverage),
        }
        print(pack, &coverage, args);
    }
    Ok(())
}

fn by_games(
    sources: &[pack::PackSource],
    choices: &[GameChoice],
    games: u64,
    coverage: &mut Coverage,
) -> Result<(), Failure> {
    let is_terminal = std::io::stderr().is_terminal();
    for choice in choices {
        let tell = |done| screen::progress(is_terminal, &choice.mode, done, games);
        coverage.add(coverage::games(sources, choice, games, &tell).map_err(Failure::error)?);
    }
    Ok(())
}

fn by_tests(library: &PackLibrary, pack: &Pack, coverage: &mut Coverage) {
    let is_terminal = std::io::stderr().is_terminal();
    for (ix, file) in pack.tests.iter().enumerate() {
        coverage.add(case_coverage::cases(library, &pack.manifest.id, file));
        screen::progress(
            is_terminal,
            &pack.manifest.id,
            ix as u64 + 1,
            pack.tests.len() as u64,
        );
    }
}

#[derive(Serialize)]
struct CoverageRow<'c> {
    what: CoverageKind,
    name: &'c str,
    file: &'c str,
    line: u32,
    reached: Option<&'c Witness>,
}

fn print(pack: &Pack, coverage: &Coverage, args: &CoverageArgs) {
    match args.format {
        CoverageFormat::Lcov => return screen::print_raw(coverage.lcov().trim_end()),
        CoverageFormat::Json => {
            let row = |(goal, (file, line)): (&'_ CoverageItem, &'_ (String, u32))| {
                let reached = coverage.witnesses.get(goal);
                serde_json::to_value(CoverageRow {
                    what: goal.0,
                    name: &goal.1,
                    file,
                    line: *line,
                    reached,
                })
                .unwrap_or_default()
            };
            let rows: Vec<serde_json::Value> = coverage.goals.iter().map(row).collect();
            let whole = serde_json::json!({ "pack": pack.manifest.id, "goals": rows });
            return screen::print(&serde_json::to_string_pretty(&whole).unwrap_or_default());
        }
        CoverageFormat::Text => {}
    }
    let kinds = [
        (CoverageKind::Entry, "entries"),
        (CoverageKind::Option, "options"),
        (CoverageKind::Hook, "scripts"),
        (CoverageKind::Line, "script lines"),
    ];
    let shares: Vec<String> = kinds
        .iter()
        .map(|(what, word)| share(coverage, *what, word))
        .collect();
    screen::print(&format!("{}: {}", pack.manifest.id, shares.join(", ")));
    for (what, word) in &kinds[..3] {
        let never: Vec<_> = coverage.uncovered(*what).collect();
        if !never.is_empty() {
            screen::print(&format!("\nNever reached ({word}):"));
            never.iter().for_each(|(name, (file, line))| {
                screen::print(&format!("  {name}  ({file}:{line})"));
            });
        }
    }
    let lines = lines(coverage);
    if !lines.is_empty() {
        screen::print("\nNever reached (script lines):");
        lines
            .iter()
            .for_each(|line| screen::print(&format!("  {line}")));
    }
    if args.reached {
        screen::print("\nReached:");
        for (goal, way) in coverage
            .witnesses
            .iter()
            .filter(|(goal, _)| goal.0 != CoverageKind::Line)
        {
            screen::print(&format!("  {}  {}", goal.1, witness(way)));
        }
    }
}

fn share(coverage: &Coverage, what: CoverageKind, word: &str) -> String {
    let (reached, all) = coverage.covered_and_total(what);
    let percent = (reached * 100).checked_div(all).unwrap_or(100);
    format!("{reached} of {all} {word} ({percent}%)")
}

/// Script lines never reached, by file: `functions.rhai: 3-5, 9`.
fn lines(coverage: &Coverage) -> Vec<String> {
    let mut files: std::collections::BTreeMap<&str, Vec<u32>> = std::collections::BTreeMap::new();
    for (_, (file, line)) in coverage.uncovered(CoverageKind::Line) {
        files.entry(file).or_default().push(*line);
    }
    let file = |(file, mut lines): (&str, Vec<u32>)| {
        lines.sort_unstable();
        let mut parts: Vec<(u32, u32)> = Vec::new();
        for line in lines {
            match parts.last_mut() {
                Some((_, last)) if *last + 1 >= line => *last = line,
                _ => parts.push((line, line)),
            }
        }
        let part = |(from, to): &(u32, u32)| {
            if from == to {
                from.to_string()
            } else {
                format!("{from}-{to}")
            }
        };
        format!(
            "{file}: {}",
            parts.iter().map(part).collect::<Vec<_>>().join(", ")
        )
    };
    files.into_iter().map(file).collect()
}

fn witness(way: &Witness) -> String {
    match way {
        Witness::Case(name) => name.clone(),
        Witness::Game {
            decisions,
            seed,
            mode,
            seats,
            bots,
        } => {
            format!("{mode}, {seats} × {bots}, seed {seed}, after {decisions} decisions")
        }
    }
}

//! `kaer check --matrix`: a table of all combinations of packs.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::thread;

use serde_json::json;

use super::{CheckArgs, CheckFormat};
use crate::check::matrix::{self, MatrixEffort, MatrixResult, MatrixRow};
use crate::cli::{Failure, screen};
use crate::diagnostic::{Files, render_short};
use crate::library::PackLibrary;
use crate::pack::Origin;

/// The maximum number of different diagnostics to show.
const MAX_SHOWN: usize = 40;

/// Tries all combinations and prints the table.
pub fn run(
    args: &CheckArgs,
    library: &PackLibrary,
    is_checked: impl Fn(Origin) -> bool,
    with: &[String],
) -> Result<(), Failure> {
    if !matches!(
        args.format,
        CheckFormat::Human | CheckFormat::Short | CheckFormat::Json
    ) {
        return Err(Failure::error(
            "`--matrix` needs `--format human`, `short` or `json`",
        ));
    }
    if !library.report.has_no_errors() {
        return Err(crate::cli::refuse(library, &library.report));
    }
    let choices = matrix::combinations(library, is_checked, with);
    if choices.is_empty() {
        return Err(Failure::error(
            "nothing to combine: these packs have no mode, and extend no pack that has one",
        ));
    }
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let effort = MatrixEffort {
        games: args.games,
        seed: args.seed,
        jobs: args.jobs.map_or_else(cores, usize::from),
    };
    let shows_progress = std::io::stderr().is_terminal();
    let mut rows = Vec::new();
    matrix::run(library, &choices, effort, |row| {
        rows.push(row);
        screen::progress(
            shows_progress,
            "combinations",
            rows.len() as u64,
            choices.len() as u64,
        );
    });
    let files = &library.set.files;
    if args.format == CheckFormat::Json {
        screen::print(&as_json(files, &rows));
    } else {
        print(files, &rows);
    }
    let errors: usize = rows.iter().map(MatrixRow::errors).sum();
    let warnings: usize = rows.iter().map(MatrixRow::warnings).sum();
    let denied = args.deny.iter().any(|what| what == "warnings") && warnings > 0;
    if errors > 0 || denied {
        Err(Failure::problems_found())
    } else {
        Ok(())
    }
}

/// The packs that are added to a mode.
fn added(row: &MatrixRow) -> String {
    if row.with.is_empty() {
        return "–".to_owned();
    }
    row.with.join(", ")
}

fn print(files: &Files, rows: &[MatrixRow]) {
    let width = |head: &str, cell: &dyn Fn(&MatrixRow) -> String| {
        let cells = rows.iter().map(|row| cell(row).chars().count());
        cells.chain([head.len()]).max().unwrap_or(0)
    };
    let mode = width("mode", &|row| row.mode.clone());
    let with = width("with", &added);
    screen::print(&format!(
        "{:<mode$}  {:<with$}  games  ended  result",
        "mode", "with"
    ));
    for row in rows {
        let (games, ended) = match &row.result {
            MatrixResult::Excluded(_) => ("–".to_owned(), "–".to_owned()),
            MatrixResult::Opened { games, ended, .. } => (games.to_string(), ended.to_string()),
        };
        screen::print(&format!(
            "{:<mode$}  {:<with$}  {games:>5}  {ended:>5}  {}",
            row.mode,
            added(row),
            result(row)
        ));
    }
    let mut shown = BTreeSet::new();
    for row in rows {
        for (text, is_raw) in details(files, row) {
            if !shown.insert(text.clone()) || shown.len() > MAX_SHOWN {
                continue;
            }
            screen::print(&format!("\n{} with {}:", row.mode, added(row)));
            if is_raw {
                screen::print_raw(&text);
            } else {
                screen::print(&format!("  {text}"));
            }
        }
    }
    if shown.len() > MAX_SHOWN {
        screen::print(&format!("\n… and {} more", shown.len() - MAX_SHOWN));
    }
    let failed = rows.iter().filter(|row| row.errors() > 0).count();
    screen::print(&format!(
        "\n{}, {failed} with errors",
        screen::counted(rows.len(), "combination")
    ));
}

/// The diagnostics and problems of a combination; diagnostics are already safe to print.
fn details(files: &Files, row: &MatrixRow) -> Vec<(String, bool)> {
    let MatrixResult::Opened {
        diagnostics,
        problems,
        ..
    } = &row.result
    else {
        return Vec::new();
    };
    let found = diagnostics
        .iter()
        .map(|found| (render_short(files, found), true));
    found
        .chain(problems.iter().map(|text| (text.clone(), false)))
        .collect()
}

/// The last column of the table.
fn result(row: &MatrixRow) -> String {
    let MatrixResult::Opened {
        diagnostics,
        faults,
        problems,
        ..
    } = &row.result
    else {
        let MatrixResult::Excluded(reason) = &row.result else {
            return String::new();
        };
        return format!("excluded: {reason}");
    };
    let errors = diagnostics
        .iter()
        .filter(|found| found.severity.is_error())
        .count();
    let failed = problems
        .len()
        .max(usize::try_from(*faults).unwrap_or(usize::MAX));
    let parts: Vec<String> = [
        (errors, "error"),
        (row.warnings(), "warning"),
        (failed, "failure"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| screen::counted(count, what))
    .collect();
    if parts.is_empty() {
        return "ok".to_owned();
    }
    parts.join(", ")
}

fn as_json(files: &Files, rows: &[MatrixRow]) -> String {
    let row = |row: &MatrixRow| match &row.result {
        MatrixResult::Excluded(reason) => {
            json!({ "mode": row.mode, "with": row.with, "excluded": reason })
        }
        MatrixResult::Opened {
            games,
            ended,
            faults,
            ..
        } => {
            let details: Vec<String> = details(files, row)
                .into_iter()
                .map(|(text, _)| text)
                .collect();
            json!({
                "mode": row.mode,
                "with": row.with,
                "errors": row.errors(),
                "warnings": row.warnings(),
                "games": games,
                "ended": ended,
                "faults": faults,
                "details": details,
            })
        }
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    serde_json::to_string_pretty(&rows).unwrap_or_default()
}

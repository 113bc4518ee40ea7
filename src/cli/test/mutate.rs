//! `kaer test --mutate`: breaks packs in one place at a time and lists what the cases do not notice.

use std::io::IsTerminal as _;

use serde_json::json;

use super::snapshots;
use crate::cases::runner::CaseFile;
use crate::cli::{Failure, screen};
use crate::explore::outcomes;
use crate::library::PackLibrary;
use crate::mutation::{self, MutantFate, MutantResult, MutationRequest, MutationRun};
use crate::pack::Pack;

/// A survivor is listed with the names of this many cases.
const MAX_NEAR: usize = 3;
/// The same in JSON.
const MAX_NEAR_JSON: usize = 20;

#[derive(clap::Args, Clone, Debug)]
pub struct MutateArgs {
    /// Break the pack in one place at a time, and list the changes that no case notices.
    #[arg(long, conflicts_with_all = ["accept", "review", "verbose", "rules", "from"])]
    pub mutate: bool,
    /// Number of changes to try.
    #[arg(long, value_name = "N", default_value_t = 100, requires = "mutate")]
    count: usize,
    /// Which changes to try: the same seed gives the same changes.
    #[arg(long, value_name = "S", default_value_t = 1, requires = "mutate")]
    seed: u64,
    /// List the changes without running any case.
    #[arg(long, requires = "mutate")]
    list: bool,
    /// Exit with status 1 if the cases catch less than this share of the changes.
    #[arg(long, value_name = "PERCENT", requires = "mutate", value_parser = clap::value_parser!(u8).range(0..=100))]
    min: Option<u8>,
    /// Output format of `--mutate`.
    #[arg(long, value_enum, default_value_t = MutateFormat::Text, requires = "mutate")]
    format: MutateFormat,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum MutateFormat {
    /// A readable list.
    Text,
    /// JSON.
    Json,
}

/// Breaks each pack, and runs those of its cases that are in `work`; `has_all_cases` if these are
/// all cases.
pub fn run(
    args: &MutateArgs,
    library: &PackLibrary,
    work: &[CaseFile],
    filter: &str,
    has_all_cases: bool,
    jobs: usize,
) -> Result<(), Failure> {
    let mut packs: Vec<&Pack> = work.iter().map(|(pack, _)| *pack).collect();
    packs.dedup_by_key(|pack| &pack.manifest.id);
    if packs.is_empty() {
        return Err(Failure::error(
            "no cases found: write [[case]] blocks in a .toml file in the tests/ folder of a pack",
        ));
    }
    let (mut is_enough, mut rows) = (true, Vec::new());
    for pack in packs {
        let id = &pack.manifest.id;
        let is_own = |item: &&CaseFile| item.0.manifest.id == *id;
        let files: Vec<CaseFile> = work.iter().filter(is_own).copied().collect();
        let request = MutationRequest {
            count: args.count,
            seed: args.seed,
            jobs,
            filter,
            has_outcomes: has_all_cases && snapshots::path(pack, outcomes::NAME).exists(),
            only_list: args.list,
        };
        let is_terminal = std::io::stderr().is_terminal();
        let progress =
            |done: usize| screen::progress(is_terminal, id, done as u64, args.count as u64);
        let run = mutation::run(library, id, &files, &request, &progress);
        let run = run.map_err(|failed| failing(id, &failed))?;
        if run.results.len() < args.count {
            progress(args.count);
        }
        is_enough &= args.min.is_none_or(|min| percent(&run) >= usize::from(min));
        match args.format {
            MutateFormat::Text => print(pack, &run, args),
            MutateFormat::Json => rows.push(row(pack, &run, args)),
        }
    }
    if args.format == MutateFormat::Json {
        let whole = json!({ "packs": rows });
        screen::print(&serde_json::to_string_pretty(&whole).unwrap_or_default());
    }
    if is_enough || args.list {
        Ok(())
    } else {
        Err(Failure::problems_found())
    }
}

fn failing(pack: &str, failed: &[String]) -> Failure {
    let shown: Vec<String> = failed
        .iter()
        .take(5)
        .map(|name| format!("  {name}"))
        .collect();
    let more = failed.len().saturating_sub(shown.len());
    let rest = if more > 0 {
        format!("\n  … and {more} more")
    } else {
        String::new()
    };
    Failure::error(format!(
        "cases of {pack} fail without any change; fix them first, `kaer test` shows why:\n{}{rest}",
        shown.join("\n")
    ))
}

/// The share of mutants that cases catch; those that are declared as equivalent do not count.
fn percent(run: &MutationRun) -> usize {
    let (caught, survived, _) = run.counts();
    (caught * 100).checked_div(caught + survived).unwrap_or(100)
}

fn print(pack: &Pack, run: &MutationRun, args: &MutateArgs) {
    let id = &pack.manifest.id;
    for result in &run.results {
        let word = match &result.fate {
            MutantFate::Listed => "change  ",
            MutantFate::Survived => "SURVIVED",
            MutantFate::Caught { .. } | MutantFate::Equivalent { .. } => continue,
        };
        let (mutant, phrase) = (&result.mutant, result.mutant.kind().phrase());
        screen::print(&format!(
            "{word}  {}:{}  {phrase}",
            mutant.file, mutant.line
        ));
        for line in result.diff.lines() {
            screen::print(&format!("    {line}"));
        }
        if !args.list {
            screen::print(&format!("    {}", near(result)));
        }
    }
    for stale in &run.stale {
        let (file, line, reason, by) = (&stale.file, stale.line, &stale.reason, &stale.by);
        screen::print(&format!(
            "stale     {file}:{line}  not equivalent ({reason}): caught by {by}"
        ));
    }
    if args.list {
        let (count, places) = (run.results.len(), run.places);
        screen::print(&format!("{id}: {count} changes, {places} places"));
        return;
    }
    let (caught, survived, equivalent) = run.counts();
    let rest = if equivalent > 0 {
        format!(", {equivalent} declared as equivalent")
    } else {
        String::new()
    };
    screen::print(&format!(
        "{id}: {caught} of {} changes caught ({}%), {survived} survived{rest}; seed {}, {} places, {} {}",
        caught + survived,
        percent(run),
        args.seed,
        run.places,
        run.cases,
        if run.cases == 1 { "case" } else { "cases" }
    ));
}

/// The cases that came near a survivor.
fn near(result: &MutantResult) -> String {
    let names: Vec<&str> = result
        .near
        .iter()
        .take(MAX_NEAR)
        .map(String::as_str)
        .collect();
    let more = match result.near.len() - names.len() {
        0 => String::new(),
        more => format!("; … and {more} more"),
    };
    let list = names.join("; ");
    match (result.is_reached, names.is_empty()) {
        (true, true) => "every case passes; none reaches its entry".to_owned(),
        (true, false) => format!("reached by: {list}{more}"),
        (false, true) => "no case reaches it".to_owned(),
        (false, false) => format!("no case reaches it; near: {list}{more}"),
    }
}

fn row(pack: &Pack, run: &MutationRun, args: &MutateArgs) -> serde_json::Value {
    let (caught, survived, equivalent) = run.counts();
    let mutants: Vec<serde_json::Value> = run.results.iter().map(mutant_row).collect();
    let stale: Vec<serde_json::Value> = run
        .stale
        .iter()
        .map(
            |own| json!({ "file": own.file, "line": own.line, "reason": own.reason, "by": own.by }),
        )
        .collect();
    json!({
        "pack": pack.manifest.id,
        "seed": args.seed,
        "places": run.places,
        "cases": run.cases,
        "caught": caught,
        "survived": survived,
        "equivalent": equivalent,
        "percent": if args.list { serde_json::Value::Null } else { percent(run).into() },
        "mutants": mutants,
        "stale": stale,
    })
}

fn mutant_row(result: &MutantResult) -> serde_json::Value {
    let near: Vec<&String> = result.near.iter().take(MAX_NEAR_JSON).collect();
    let (fate, by, reason) = match &result.fate {
        MutantFate::Listed => ("listed", None, None),
        MutantFate::Caught { by } => ("caught", Some(by), None),
        MutantFate::Survived => ("survived", None, None),
        MutantFate::Equivalent { reason } => ("equivalent", None, Some(reason)),
    };
    json!({
        "file": result.mutant.file,
        "line": result.mutant.line,
        "kind": result.mutant.kind(),
        "entry": result.mutant.entry(),
        "removed": result.diff.removed,
        "added": result.diff.added,
        "fate": fate,
        "by": by,
        "reason": reason,
        "reached": result.is_reached,
        "near": near,
        "near_count": result.near.len(),
    })
}

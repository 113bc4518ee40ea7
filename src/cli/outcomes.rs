//! `kaer outcomes`: every possible result of using an entry.

use super::game_args::{self, SetupArgs, StartArgs};
use super::{Failure, refuse, screen};
use crate::explore::outcomes::{self, ExplorationLimits};
use crate::explore::start::StartRequest;
use crate::library::{LintLevel, Reuse};

#[derive(clap::Args, Clone, Debug)]
pub struct OutcomesArgs {
    /// Entries: by id, `kind/id`, `pack:kind/id` or title.
    #[arg(required = true)]
    entries: Vec<String>,
    /// The mode: `pack:mode`, or `mode` if only one pack has it; by default, one that has the
    /// entry.
    #[arg(long)]
    mode: Option<String>,
    #[command(flatten)]
    packs: super::PackArgs,
    /// An expansion to add, by id; or a starting value: `coins=5`, `hand=card,card`
    /// (repeatable).
    #[arg(long = "with", value_name = "PACK|COUNTER=N")]
    with: Vec<String>,
    /// A game option to enable: `oaths`, or `difficulty=hard` (repeatable).
    #[arg(long = "option", value_name = "OPTION[=VALUE]")]
    options: Vec<String>,
    /// Your role.
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
    /// Maximum number of questions in a row.
    #[arg(long, value_name = "N", default_value_t = ExplorationLimits::default().depth)]
    depth: usize,
    /// Stop after this many runs, each with one combination of answers and random results.
    #[arg(long, value_name = "N", default_value_t = ExplorationLimits::default().runs)]
    max_runs: usize,
    /// Also explore fights.
    #[arg(long)]
    fights: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t = OutcomesFormat::Text)]
    format: OutcomesFormat,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum OutcomesFormat {
    /// A readable tree.
    Text,
    /// JSON.
    Json,
}

pub fn run(args: &OutcomesArgs) -> Result<(), Failure> {
    let library = args.packs.or_current().library()?;
    if !library.report.has_no_errors() {
        return Err(refuse(&library, &library.report));
    }
    let limits = ExplorationLimits {
        runs: args.max_runs,
        depth: args.depth,
        fights: args.fights,
    };
    let mut trees = Vec::new();
    for entry in &args.entries {
        let start_args = StartArgs {
            at: Some(entry.clone()),
            role: args.role.clone(),
        };
        let mode = match &args.mode {
            Some(mode) => game_args::find_mode(&library.modes(), mode)?,
            None => game_args::likely_mode(&library, &start_args)?
                .ok_or_else(|| Failure::error("found no pack with a mode"))?,
        };
        let setup_args = SetupArgs {
            with: args.with.clone(),
            options: args.options.clone(),
            ..SetupArgs::default()
        };
        let (opened, report) = library.open_reusing(
            &game_args::choice(&library, &setup_args, &mode),
            None,
            Reuse::Nothing,
            LintLevel::Names,
        );
        let Some(opened) = opened.filter(|_| report.has_no_errors()) else {
            return Err(refuse(&library, &report));
        };
        let at = StartRequest {
            entry: Some(entry.clone()),
            with: setup_args.starting_values(),
        };
        trees.push(
            outcomes::explore(&opened, &at, args.role.as_deref(), limits)
                .map_err(Failure::error)?,
        );
    }
    if args.format == OutcomesFormat::Json {
        screen::print(&serde_json::to_string_pretty(&trees).unwrap_or_default());
        return Ok(());
    }
    for (ix, tree) in trees.iter().enumerate() {
        if ix > 0 {
            screen::print("");
        }
        screen::print(tree.to_text().trim_end());
        if let Some(branches) = tree.describe_truncated() {
            screen::print(&format!(
                "  {branches}; `--depth N`, `--max-runs N` and `--fights` go further."
            ));
        }
    }
    Ok(())
}

//! All tests in one binary, with a trial for each test function and each test data
//! file.
//!
//! `cargo test -- NAME` runs the trials whose names contain NAME, `cargo test -- --list` lists them.
//! Slow trials are ignored unless you pass `--ignored` or `--include-ignored`. CONTRIBUTING.md
//! explains how to add a trial.

mod bots;
mod cli;
mod corpus;
mod docs;
mod explain;
mod functions;
mod fuzz;
mod guide;
#[cfg(feature = "reference")]
mod language;
mod limits;
mod loading;
mod machine;
mod migrate;
mod mistakes;
mod mutate;
mod new;
mod packs;
mod play;
mod saves;
mod schema;
mod support;
#[cfg(unix)]
mod terminal;
mod tidy;
mod typed;
mod units;
mod watch;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// The trials of all modules, slowest first, so that no core sits idle at the end.
fn trials() -> Vec<Trial> {
    let modules = [
        packs::trials,
        mutate::trials,
        guide::trials,
        play::trials,
        corpus::trials,
        saves::trials,
        cli::trials,
        fuzz::trials,
        new::trials,
        bots::trials,
        #[cfg(feature = "reference")]
        language::trials,
        functions::trials,
        schema::trials,
        docs::trials,
        typed::trials,
        limits::trials,
        loading::trials,
        explain::trials,
        machine::trials,
        mistakes::trials,
        migrate::trials,
        #[cfg(unix)]
        terminal::trials,
        watch::trials,
        tidy::trials,
        units::trials,
    ];
    modules.iter().flat_map(|trials| trials()).collect()
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.nocapture {
        support::capture_panics();
    }
    libtest_mimic::run(&arguments, trials()).exit_code()
}

//! Generated programs give the same values in our virtual machine as in Rhai's interpreter.
//!
//! `cargo test --features reference -- language::` runs them. A failure shows the smallest program
//! that differs, and the seed of its batch.

mod choices;
mod generator;
mod run;

use libtest_mimic::Trial;

use crate::support::trial;
use choices::{Choices, shrink};
use generator::{Program, program, signatures};
use run::{Outcome, run};

/// Programs in every run, and with `--include-ignored`.
const FEW: u64 = 2_000;
const MANY: u64 = 200_000;
/// Programs that are loaded together.
const BATCH: u64 = 100;

pub fn trials() -> Vec<Trial> {
    vec![
        trial(module_path!(), "programs_match_rhai", || {
            if let Ok(path) = std::env::var("KAER_PROGRAM") {
                for part in std::fs::read_to_string(path).unwrap().split("====\n") {
                    let (functions, body) = part.split_once("----\n").unwrap_or(("", part));
                    let program = Program { functions: functions.to_owned(), body: body.to_owned() };
                    std::fs::write("/tmp/prop-out.txt", format!("{}\n{part}{:?}\n\n", std::fs::read_to_string("/tmp/prop-out.txt").unwrap_or_default(), run(&[program]).remove(0))).unwrap();
                }
                return;
            }
            let from = std::env::var("KAER_SEED").map_or(0, |s| s.parse().unwrap());
            compare(from, from + FEW)
        }),
        trial(module_path!(), "many_programs_match_rhai", || {
            compare(FEW, FEW + MANY);
        })
        .with_ignored_flag(true),
    ]
}

#[derive(Default)]
struct Counts {
    refused: u64,
    failed: u64,
    limits: u64,
}

/// Runs the programs with the seeds `from..to`.
fn compare(from: u64, to: u64) {
    let signatures = signatures();
    let mut counts = Counts::default();
    let mut different = Vec::new();
    let mut refusals = Vec::new();
    for batch in (from..to).step_by(usize::try_from(BATCH).unwrap_or(1)) {
        let mut made = Vec::new();
        let mut programs = Vec::new();
        for seed in batch..to.min(batch + BATCH) {
            let mut choices = Choices::random(seed);
            programs.push(program(&mut choices, &signatures));
            made.push(choices.made());
        }
        for (outcome, made) in run(&programs).into_iter().zip(made) {
            match outcome {
                Outcome::Refused(why) => {
                    counts.refused += 1;
                    refusals.push(why);
                }
                Outcome::Same { failed, limit } => {
                    counts.failed += u64::from(failed);
                    counts.limits += u64::from(limit);
                }
                Outcome::Different { .. } => different.push(made),
            }
        }
        if different.len() >= 6 {
            break;
        }
    }
    let count = to - from;
    let texts: Vec<String> = different.into_iter().take(6).map(smallest).collect();
    assert!(texts.is_empty(), "{}", texts.join("\n\n"));
    refusals.truncate(10);
    assert!(
        counts.refused * 10 <= count,
        "{} of {count} programs were refused:\n{}",
        counts.refused,
        refusals.join("\n")
    );
    assert!(
        counts.failed * 2 <= count && counts.limits * 20 <= count,
        "{} of {count} programs failed, {} of them at a limit",
        counts.failed,
        counts.limits
    );
}

/// The smallest program that still differs, with both results.
fn smallest(made: Vec<u16>) -> String {
    let signatures = signatures();
    let generate = |made: &Vec<u16>| program(&mut Choices::recorded(made.clone()), &signatures);
    let failing = |candidates: &[Vec<u16>]| {
        let programs: Vec<Program> = candidates.iter().map(generate).collect();
        let mut outcomes = run(&programs).into_iter();
        outcomes.position(|outcome| matches!(outcome, Outcome::Different { .. }))
    };
    let program = generate(&shrink(made, failing));
    match run(&[program.clone()]).remove(0) {
        Outcome::Different { ours, rhai } => {
            let text = format!("{}{}", program.functions, program.body);
            format!("{text}\nours: {ours}\nRhai: {rhai}")
        }
        _ => "the program does not differ when it runs alone".to_owned(),
    }
}

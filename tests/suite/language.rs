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
/// The largest number of differences that are shown.
const MAX_SHOWN: usize = 3;

/// Programs whose results differed once.
const FIXED: &[&str] = &[
    // `()` is neither less than nor equal in order to itself.
    "[() < (), () <= (), () >= ()]",
    // A range is not the case of `()`.
    "switch () { 0..=3 => 1, _ => 2 }",
    // A variable inside a value is not the variable that gets the value.
    "let a = { let a = [1]; (() ?? #{ e: a }) }; a",
    // A `catch` block that throws nothing throws its error again.
    "try { try { throw 1; } catch { throw; } } catch (e) { return e; }",
    "try { try { throw 1; } catch { try { throw (); } catch (e) { return e; } } } catch { 2 }",
    "1 !in [2] && 4 !in 0..3",
    "+[]",
    "\"a\" in 0..1",
    // The first argument of a function is the variable itself, as for a method.
    "let l = [1]; push(l, 2); l",
    "let s = \"abc\"; truncate(s, 1); s",
    "let l = [3, 1]; sort(l, |a, b| a - b); l",
    "let l = [3, 1]; [drain(l, |a| a > 1), l, drain([1], |a| true)]",
    "const l = [3]; push(l, 1); sort(l, |a, b| a - b); l",
    // Constants do not change.
    "const l = [1]; l.push(2);",
    "const m = #{ b: [1] }; m.b.push(2);",
    "const m = #{ b: 1 }; m.b = 2;",
    "const l = [3, 1]; l.sort(|a, b| a - b);",
    "const l = [1]; { let l = [2]; l.push(1); } for l in 0..1 { let k = [l]; k.push(1); } l",
    // Bits of numbers.
    "let x = 1; x[0] = false; x[-1] |= true; x",
    "let x = 1; x[0] = 1;",
    // A missing value in an assignment is `()`.
    "let m = #{}; m.a += \"x\"; m",
    "let m = #{}; try { m.a += 1; } catch {} m",
    // Strings and maps are not lists.
    "\"abc\".map(|c| 1)",
    "[1].zip(\"a\", |a, b| a)",
];

pub fn trials() -> Vec<Trial> {
    vec![
        trial(module_path!(), "fixed_differences_stay_fixed", check_fixed),
        trial(module_path!(), "programs_match_rhai", || compare(0, FEW)),
        trial(module_path!(), "many_programs_match_rhai", || {
            compare(FEW, FEW + MANY);
        })
        .with_ignored_flag(true),
    ]
}

/// Runs the programs that differed once.
fn check_fixed() {
    let program = |body: &&str| Program {
        functions: String::new(),
        body: (*body).to_owned(),
    };
    let programs: Vec<Program> = FIXED.iter().map(program).collect();
    for (outcome, text) in run(&programs).into_iter().zip(FIXED) {
        let same = matches!(outcome, Outcome::Same { .. });
        assert!(same, "{text}\n{outcome:?}");
    }
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
    let (mut refusals, mut failures) = (Vec::new(), Vec::new());
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
                Outcome::Refused(reason) => {
                    counts.refused += 1;
                    refusals.push(reason);
                }
                Outcome::Same { failure, limit } => {
                    counts.failed += u64::from(failure.is_some());
                    failures.extend(failure);
                    counts.limits += u64::from(limit);
                }
                Outcome::Different { .. } => different.push(made),
            }
        }
        if different.len() >= MAX_SHOWN {
            break;
        }
    }
    let count = to - from;
    let texts: Vec<String> = different
        .into_iter()
        .take(MAX_SHOWN)
        .map(smallest)
        .collect();
    assert!(texts.is_empty(), "{}", texts.join("\n\n"));
    refusals.truncate(10);
    assert!(
        counts.refused * 10 <= count,
        "{} of {count} programs were refused:\n{}",
        counts.refused,
        refusals.join("\n")
    );
    failures.truncate(60);
    assert!(
        counts.failed * 2 <= count && counts.limits * 20 <= count,
        "{} of {count} programs failed, {} of them at a limit:\n{}",
        counts.failed,
        counts.limits,
        failures.join("\n")
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

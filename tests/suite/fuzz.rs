//! Untrusted packs: real packs with changed bytes must neither panic nor hang.
//!
//! Every input is generated from a seed. The first few hundred run by default, 20,000 with
//! `--include-ignored`. An input that panics or hangs is kept in `target/tmp/fuzz-input-SEED`. See
//! `fuzz/README.md`.

mod mutate;
mod pack_bytes;

use std::fs;
use std::ops::RangeInclusive;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use libtest_mimic::Trial;
use mutate::Pack;

use crate::support::{dir_entries, packs_in, panic_message, trial, trials};

/// Inputs per trial.
const BLOCK: usize = 100;
/// Inputs that run by default.
const DEFAULT: u64 = 300;
/// Inputs that run with `--include-ignored`.
const ALL: u64 = 20_000;
/// The timeout for one input; even on a busy machine, none takes nearly as long.
const TIMEOUT: Duration = Duration::from_mins(2);

/// A trial for each block of inputs.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![inputs_survive_a_round_trip];
    trials.extend((0..ALL).step_by(BLOCK).map(|first| {
        let last = first + BLOCK as u64 - 1;
        let name = format!("inputs_{first:05}_to_{last:05}");
        trial(module_path!(), &name, move || survive(first..=last))
            .with_ignored_flag(first >= DEFAULT)
    }));
    trials.push(trial(module_path!(), "write_corpus", write_corpus).with_ignored_flag(true));
    trials
}

/// Runs the inputs of these seeds; none may panic or hang.
fn survive(seeds: RangeInclusive<u64>) {
    let (sender, receiver) = channel();
    let work = {
        let seeds = seeds.clone();
        move || {
            let corpus = corpus();
            for seed in seeds {
                let bytes = mutate::input(&corpus, seed);
                let input = save_input(seed, &bytes);
                let result = catch_unwind(|| pack_bytes::survive(&bytes))
                    .map_err(|panic| panic_message(&*panic));
                if result.is_ok() {
                    fs::remove_file(input).unwrap();
                }
                if sender.send((seed, result)).is_err() {
                    return;
                }
            }
        }
    };
    // A thread with the default stack size, as a front end may use.
    thread::spawn(work);
    let mut panics = Vec::new();
    let (mut inputs, mut opened) = (0, 0);
    for seed in seeds {
        inputs += 1;
        match receiver.recv_timeout(TIMEOUT) {
            Ok((seed, Err(reason))) => panics.push(format!("input {seed}: {reason}")),
            Ok((_, Ok(modes))) => opened += usize::from(modes > 0),
            Err(RecvTimeoutError::Timeout) => panic!("input {seed} takes more than {TIMEOUT:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("input {seed} ended the thread"),
        }
    }
    assert!(
        panics.is_empty(),
        "{} inputs panic:\n{}",
        panics.len(),
        panics.join("\n")
    );
    assert!(
        opened > inputs / 5,
        "only {opened} of {inputs} inputs are packs that can be opened"
    );
}

fn inputs_survive_a_round_trip() {
    for pack in corpus() {
        assert_eq!(pack_bytes::files(&mutate::encode(&pack)), pack);
    }
    let names: Vec<String> = pack_bytes::files(b"a\x1eb\x1ec\x1ed\x1ee")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        names,
        ["pack.toml", "x.toml", "y.rhai", "tests/z.toml", "x4.toml"]
    );
}

/// Saves an input while it runs: if the stack overflows, only this file shows which input it was.
fn save_input(seed: u64, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-input-{seed}"));
    fs::write(&path, bytes).unwrap();
    path
}

/// The packs of the repository, each with its manifest first.
fn corpus() -> Vec<Pack> {
    let mut packs = Vec::new();
    for group in [
        "tests/packs",
        "tests/packs/mechanics",
        "tests/faults",
        "content",
    ] {
        packs.extend(packs_in(group).iter().map(|root| pack(root)));
    }
    assert!(packs.len() > 20, "packs are missing");
    packs
}

fn pack(root: &Path) -> Pack {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in dir_entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ext| ext == "toml" || ext == "rhai")
            {
                let name = path
                    .strip_prefix(root)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                files.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    files.sort_by_key(|(name, _)| (name != "pack.toml", name.clone()));
    files
}

/// Writes the packs of the repository as the initial corpus of `cargo fuzz`.
fn write_corpus() {
    let folder = Path::new("fuzz/corpus/pack_bytes");
    fs::create_dir_all(folder).unwrap();
    for (at, pack) in corpus().iter().enumerate() {
        fs::write(folder.join(format!("pack-{at}")), mutate::encode(pack)).unwrap();
    }
}

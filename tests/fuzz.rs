//! Packs of strangers, some hundreds of them: real packs with bytes changed must neither panic nor go on forever.
//!
//! Every input comes from a number. `KAER_FUZZ=20000` tries that many, `KAER_FUZZ_SEED=17` only that one,
//! `KAER_FUZZ_CORPUS=folder` writes the real packs there for `cargo fuzz` (see `fuzz/README.md`).

#[path = "fuzz/mutate.rs"]
mod mutate;
#[path = "fuzz/pack_bytes.rs"]
mod pack_bytes;

use std::any::Any;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use mutate::Pack;

/// So many inputs are tried where nobody asks for more.
const INPUTS: u64 = 400;
/// No input takes nearly as long, however busy the machine is.
const LONGEST: Duration = Duration::from_mins(2);

#[test]
fn no_bytes_of_a_pack_panic_or_hang() {
    let corpus = Arc::new(corpus());
    if let Ok(folder) = std::env::var("KAER_FUZZ_CORPUS") {
        write_corpus(&corpus, Path::new(&folder));
    }
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let seeds = match number("KAER_FUZZ_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("KAER_FUZZ").unwrap_or(INPUTS),
    };
    let (tell, told) = channel();
    let work = {
        let (corpus, seeds) = (corpus.clone(), seeds.clone());
        move || {
            for seed in seeds {
                let bytes = mutate::input(&corpus, seed);
                note(seed, &bytes);
                let result =
                    catch_unwind(|| pack_bytes::survive(&bytes)).map_err(|panic| words(&*panic));
                if tell.send((seed, result)).is_err() {
                    return;
                }
            }
        }
    };
    // A thread of the usual size, as a front end may have one.
    thread::spawn(work);
    let mut panics = Vec::new();
    let (mut inputs, mut opened) = (0, 0);
    for seed in seeds {
        inputs += 1;
        match told.recv_timeout(LONGEST) {
            Ok((seed, Err(why))) => panics.push(format!("KAER_FUZZ_SEED={seed}: {why}")),
            Ok((_, Ok(modes))) => opened += usize::from(modes > 0),
            Err(RecvTimeoutError::Timeout) => {
                panic!("KAER_FUZZ_SEED={seed} goes on for more than {LONGEST:?}")
            }
            Err(RecvTimeoutError::Disconnected) => panic!("KAER_FUZZ_SEED={seed} ended the thread"),
        }
    }
    assert!(
        panics.is_empty(),
        "{} inputs panic:\n{}",
        panics.len(),
        panics.join("\n")
    );
    assert!(
        inputs < 100 || opened > inputs / 4,
        "only {opened} of {inputs} inputs are packs that can be opened"
    );
}

#[test]
fn inputs_are_read_as_they_were_made() {
    for pack in corpus() {
        assert_eq!(pack_bytes::files(&mutate::joined(&pack)), pack);
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

/// Keeps the input that runs: where the stack ends, so does the program, and nobody is left to tell.
fn note(seed: u64, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::write(folder.join("fuzz-input"), bytes).unwrap();
    fs::write(folder.join("fuzz-seed"), seed.to_string()).unwrap();
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("?")
        .to_owned()
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
        let roots = inside(Path::new(group))
            .into_iter()
            .filter(|path| path.join("pack.toml").exists());
        packs.extend(roots.map(|root| pack(&root)));
    }
    assert!(packs.len() > 20, "the packs have moved");
    packs
}

fn pack(root: &Path) -> Pack {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in inside(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ending == "toml" || ending == "rhai")
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

fn inside(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|item| item.unwrap().path())
        .collect();
    found.sort();
    found
}

fn write_corpus(corpus: &[Pack], folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for (at, pack) in corpus.iter().enumerate() {
        fs::write(folder.join(format!("pack-{at}")), mutate::joined(pack)).unwrap();
    }
}

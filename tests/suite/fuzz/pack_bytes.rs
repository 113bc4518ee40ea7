//! Any bytes as the files of a pack, and all that is done with packs before they are played.
//!
//! `tests/suite/fuzz.rs` and `fuzz/fuzz_targets/pack_bytes.rs` share this file.

use kaer::cases::parse;
use kaer::check::{self, fix};
use kaer::diagnostic::{RenderStyle, render, render_short};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, Origin, PackSource, is_toml};

/// Stands between two files; no text has a use for it.
pub const BETWEEN: u8 = 0x1e;
/// Stands between the name of a file and what it holds.
pub const NAMED: u8 = 0x1f;

/// The names of files that have none, in their order.
const NAMES: [&str; 4] = ["pack.toml", "x.toml", "y.rhai", "tests/z.toml"];
/// Longer names are no names.
const LONGEST_NAME: usize = 64;
/// So many faults are rendered; the others are like them.
/// Games of a few answers, scripts in a few scenes: enough to come into every room.
const EFFORT: check::Effort = check::Effort {
    answers: 12,
    games: 1,
    scenes: 4,
    only: None,
};
const RENDERED: usize = 40;

/// The files that some bytes are.
pub fn files(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (at, part) in bytes.split(|byte| *byte == BETWEEN).enumerate() {
        let end = part
            .iter()
            .take(LONGEST_NAME)
            .position(|byte| *byte == NAMED);
        let (name, held) = match end {
            Some(end) => (
                String::from_utf8_lossy(&part[..end]).into_owned(),
                &part[end + 1..],
            ),
            None => (
                NAMES
                    .get(at)
                    .map_or_else(|| format!("x{at}.toml"), |name| (*name).to_owned()),
                part,
            ),
        };
        files.push((name, held.to_vec()));
    }
    files
}

/// Loads bytes as a pack, opens each mode, checks it, renders what is said, and mends what can be mended. Nothing of
/// this may panic or go on forever. Gives how many modes could be opened.
pub fn survive(bytes: &[u8]) -> usize {
    let held = files(bytes)
        .into_iter()
        .map(|(name, held)| (name.into(), held.into()))
        .collect();
    let source = PackSource::Files {
        name: "pack".into(),
        origin: Origin::CommandLine,
        files: held,
    };
    let library = PackLibrary::load(vec![source.clone()]);
    for file in library.set.packs.iter().flat_map(|pack| &pack.tests) {
        let _ = parse::cases(&library.set.files, file.file);
    }
    let mut opened = 0;
    for mode in library.modes() {
        let options = library
            .set
            .packs
            .iter()
            .flat_map(kaer::pack::Pack::entries)
            .filter(|entry| entry.kind == "option");
        let options = options.map(|entry| entry.id.clone()).collect();
        let (rules, _) = library.open(
            &GameChoice {
                mode: mode.name,
                with: Vec::new(),
                options,
            },
            None,
        );
        opened += usize::from(rules.is_some());
    }
    let checked = check::check(&library, Some(EFFORT), |_| true);
    for fault in checked.report.iter().take(RENDERED) {
        let _ = render_short(&library.set.files, fault);
        let _ = render(&library.set.files, fault, RenderStyle::default());
    }
    // Most inputs have nothing that can be mended, and checking them again would show nothing new.
    if checked.report.iter().any(|fault| {
        fault
            .fixes
            .iter()
            .any(|edit| edit.located(&library.set.files).is_some())
    }) {
        let (plan, mended) = fix::plan(vec![source], |_| true, |_| true);
        for file in plan
            .files
            .iter()
            .filter(|file| file.name.ends_with(".toml"))
        {
            assert!(
                is_toml(&file.new),
                "mended, {} is no TOML:\n{}",
                file.name,
                file.new
            );
        }
        let again = fix::plan(mended, |_| true, |_| true).0;
        assert!(
            again.files.is_empty(),
            "mended, there is more to mend: {:?}",
            again.files
        );
    }
    opened
}

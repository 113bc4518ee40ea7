//! Treats arbitrary bytes as the files of a pack and does everything that happens to packs before
//! they are played.
//!
//! `tests/suite/fuzz.rs` and `fuzz/fuzz_targets/pack_bytes.rs` share this file.

use kaer::cases::parse;
use kaer::check::{self, fix};
use kaer::diagnostic::{RenderStyle, render, render_short};
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, Origin, PackSource, is_toml};

/// Separates two files; texts do not contain it.
pub const FILE_SEPARATOR: u8 = 0x1e;
/// Separates the name of a file from its content.
pub const NAME_SEPARATOR: u8 = 0x1f;

/// The default names of files, in order.
const DEFAULT_NAMES: [&str; 4] = ["pack.toml", "x.toml", "y.rhai", "tests/z.toml"];
/// Longer names are ignored.
const MAX_NAME_LENGTH: usize = 64;
/// A few answers per game and a few snapshots per script, enough to reach every module.
const EFFORT: check::Effort = check::Effort {
    answers: 12,
    games: 1,
    snapshots: 4,
    only: None,
};
/// How many diagnostics to render; the others are similar.
const MAX_RENDERED: usize = 40;

/// Decodes the files of an input.
pub fn files(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (at, part) in bytes.split(|byte| *byte == FILE_SEPARATOR).enumerate() {
        let end = part
            .iter()
            .take(MAX_NAME_LENGTH)
            .position(|byte| *byte == NAME_SEPARATOR);
        let (name, content) = match end {
            Some(end) => (
                String::from_utf8_lossy(&part[..end]).into_owned(),
                &part[end + 1..],
            ),
            None => (
                DEFAULT_NAMES
                    .get(at)
                    .map_or_else(|| format!("x{at}.toml"), |name| (*name).to_owned()),
                part,
            ),
        };
        files.push((name, content.to_vec()));
    }
    files
}

/// Loads bytes as a pack, opens each mode, checks it, renders the diagnostics and applies the
/// fixes. None of this may panic or hang. Returns how many modes could be opened.
pub fn survive(bytes: &[u8]) -> usize {
    let content = files(bytes)
        .into_iter()
        .map(|(name, content)| (name.into(), content.into()))
        .collect();
    let source = PackSource::Files {
        name: "pack".into(),
        origin: Origin::CommandLine,
        files: content,
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
    for fault in checked.report.iter().take(MAX_RENDERED) {
        let _ = render_short(&library.set.files, fault);
        let _ = render(&library.set.files, fault, RenderStyle::default());
    }
    // Most inputs have nothing to fix, and checking them again would find nothing new.
    if checked.report.iter().any(|fault| {
        fault
            .fixes
            .iter()
            .any(|edit| edit.located(&library.set.files).is_some())
    }) {
        let (plan, fixed) = fix::plan(vec![source], |_| true, |_| true);
        for file in plan
            .files
            .iter()
            .filter(|file| file.name.ends_with(".toml"))
        {
            assert!(
                is_toml(&file.new),
                "after fixing, {} is not valid TOML:\n{}",
                file.name,
                file.new
            );
        }
        let again = fix::plan(fixed, |_| true, |_| true).0;
        assert!(
            again.files.is_empty(),
            "a second run still changes something: {:?}",
            again.files
        );
    }
    opened
}

//! Snapshots on disk, in insta's format, so that `cargo test` and `kaer test` read the same files.

use std::fmt::Write as _;
use std::path::Path;

/// The name of a case's snapshot file.
#[must_use]
pub fn file_name(case: &str) -> String {
    format!("{}.snap", stem(case))
}

/// The name without its ending: letters, digits and `_`.
#[must_use]
pub fn stem(case: &str) -> String {
    let case = case.strip_prefix("tests/").unwrap_or(case).replace(".toml", "");
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let mut name: String = case.chars().map(word).collect();
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    name.trim_matches('_').to_owned()
}

/// What a snapshot holds, without its head.
#[must_use]
pub fn body(text: &str) -> &str {
    let rest = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map_or(text, |(_, rest)| rest);
    rest.trim_end()
}

/// Writes a snapshot, first beside its place, so that none is ever half written.
///
/// # Errors
/// What the disk says.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(told)?;
    }
    let beside = path.with_extension("snap-new");
    let whole = format!("---\nsource: tests/packs.rs\nexpression: text\n---\n{}\n", text.trim_end());
    std::fs::write(&beside, whole).and_then(|()| std::fs::rename(&beside, path)).map_err(told)
}

/// The lines that differ, marked with `-` and `+`, with what stands around them; `…` for what is left out.
#[must_use]
pub fn diff(before: &str, now: &str) -> String {
    let diff = similar::TextDiff::from_lines(before, now);
    let mut text = String::new();
    for (ix, group) in diff.grouped_ops(1).iter().enumerate() {
        if ix > 0 {
            text.push_str("  …\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let _ = writeln!(text, "{} {}", change.tag(), change.value().trim_end_matches('\n'));
        }
    }
    text
}

//! Snapshots on disk, in insta's format, so that `cargo test` and `kaer test` read the same files.

use std::path::Path;

/// The name of a case's snapshot file.
#[must_use]
pub fn file_name(case: &str) -> String {
    format!("{}.snap", stem(case))
}

/// The name without its ending: letters, digits and `_`.
#[must_use]
pub fn stem(case: &str) -> String {
    let case = case
        .strip_prefix("tests/")
        .unwrap_or(case)
        .replace(".toml", "");
    let word = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    let mut name: String = case.chars().map(word).collect();
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    name.trim_matches('_').to_owned()
}

/// What a snapshot holds, without its head.
#[must_use]
pub fn body(text: &str) -> &str {
    let rest = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .map_or(text, |(_, rest)| rest);
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
    let whole = format!(
        "---\nsource: tests/suite/packs.rs\nexpression: text\n---\n{}\n",
        text.trim_end()
    );
    let written = std::fs::write(&beside, whole).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // What is left of the attempt helps nobody; where even this fails, the first error says why.
        let _ = std::fs::remove_file(&beside);
        told(error)
    })
}

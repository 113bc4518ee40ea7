//! Snapshot files in insta's format, so that `cargo test` and `kaer test` read the same files.

use std::path::Path;

/// The name of a case's snapshot file.
#[must_use]
pub fn file_name(case: &str) -> String {
    format!("{}.snap", stem(case))
}

/// The file name without its extension: letters, digits and `_`.
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

/// The text of a snapshot without its header.
#[must_use]
pub fn body(text: &str) -> &str {
    let rest = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .map_or(text, |(_, rest)| rest);
    rest.trim_end()
}

/// Writes a snapshot to a temporary file and renames it, so that a snapshot is never half written.
///
/// # Errors
/// Returns any I/O error, with the path.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let message = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(message)?;
    }
    let temp_path = path.with_extension("snap-new");
    let whole = format!(
        "---\nsource: tests/suite/packs.rs\nexpression: text\n---\n{}\n",
        text.trim_end()
    );
    let written =
        std::fs::write(&temp_path, whole).and_then(|()| std::fs::rename(&temp_path, path));
    written.map_err(|error| {
        // The temporary file is no longer needed. If removing it fails too, report only the first
        // error.
        let _ = std::fs::remove_file(&temp_path);
        message(error)
    })
}

//! Replaces files atomically.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::check::fix::FixedFile;

/// A temporary file next to the file it will replace. Dropping it deletes it, unless it was
/// renamed.
struct TempFile {
    new: PathBuf,
    file: PathBuf,
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // After the rename, there is nothing left to delete.
        let _ = fs::remove_file(&self.new);
    }
}

/// Writes all files. Every new text is written before the first file is replaced, so most failures
/// change nothing.
pub fn all(files: &[FixedFile]) -> Result<(), String> {
    let cannot = |file: &FixedFile, reason: &dyn std::fmt::Display| {
        format!("{} was not written: {reason}", file.name)
    };
    let mut ready = Vec::new();
    for file in files {
        ready.push(write_temp_file(file).map_err(|reason| cannot(file, &reason))?);
    }
    for (done, (file, text)) in files.iter().zip(&ready).enumerate() {
        if let Err(reason) = fs::rename(&text.new, &text.file) {
            let before: Vec<&str> = files[..done]
                .iter()
                .map(|file| file.name.as_str())
                .collect();
            let written = if before.is_empty() {
                String::new()
            } else {
                format!("; already written: {}", before.join(", "))
            };
            return Err(format!("{}{written}", cannot(file, &reason)));
        }
    }
    Ok(())
}

/// Writes the new text to the same folder, so that the rename is atomic. Packs ignore names that
/// begin with a dot.
fn write_temp_file(changed: &FixedFile) -> io::Result<TempFile> {
    // Follow symbolic links: the target is replaced, the link is kept.
    let file = Path::new(&changed.name).canonicalize()?;
    let permissions = file.metadata()?.permissions();
    if permissions.readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    if fs::read(&file)? != changed.old.as_bytes() {
        return Err(io::Error::other("it has changed in the meantime"));
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let new = file.with_file_name(format!(".{name}.kaer-{}", std::process::id()));
    let mut out = OpenOptions::new().write(true).create_new(true).open(&new)?;
    let temp_file = TempFile { new, file };
    out.write_all(changed.new.as_bytes())?;
    out.set_permissions(permissions)?;
    out.sync_all()?;
    Ok(temp_file)
}

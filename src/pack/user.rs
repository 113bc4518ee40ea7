//! Kaer's folder for user data.

use std::env;
use std::path::PathBuf;

/// `$KAER_DATA`, or the folder `kaer` in the system's folder for user data.
#[must_use]
pub fn user_data() -> Option<PathBuf> {
    let set = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(own) = set("KAER_DATA") {
        return Some(own);
    }
    let default = || {
        if cfg!(windows) {
            set("APPDATA")
        } else if cfg!(target_os = "macos") {
            Some(set("HOME")?.join("Library/Application Support"))
        } else {
            Some(set("HOME")?.join(".local/share"))
        }
    };
    // The XDG standard ignores relative paths.
    let data = set("XDG_DATA_HOME")
        .filter(|folder| folder.is_absolute())
        .or_else(default)?;
    Some(data.join("kaer"))
}

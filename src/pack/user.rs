//! Where Kaer keeps what belongs to the user.

use std::env;
use std::path::PathBuf;

/// The folder of Kaer in the user's data: what `KAER_DATA` says, or `kaer` where the system keeps such things.
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
    let usual = || {
        if cfg!(windows) {
            set("APPDATA")
        } else if cfg!(target_os = "macos") {
            Some(set("HOME")?.join("Library/Application Support"))
        } else {
            Some(set("HOME")?.join(".local/share"))
        }
    };
    // A folder that depends on where one stands is none, says the standard.
    let data = set("XDG_DATA_HOME")
        .filter(|folder| folder.is_absolute())
        .or_else(usual)?;
    Some(data.join("kaer"))
}

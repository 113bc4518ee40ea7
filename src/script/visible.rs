//! The names a script sees besides its own variables.

use crate::content::{Handed, HookDef};
use crate::migrate;

/// The names a hook may see, in the order they lie in its scope. The last five are seen by functions too; a hook finds them
/// faster in its scope.
pub const NAMES: &[&str] = &[
    "it", "entry", "owner", "actor", "each", "value", "typed", "fighter", "foe", "event", "fight",
    "combo", "packet", "table",
];

/// Whether a hook sees a name: of `each`, `value` and `typed` it sees the one it is handed.
pub fn sees(hook: &HookDef, name: &str) -> bool {
    NAMES.contains(&name)
        && (!matches!(name, "each" | "value" | "typed") || hook.handed.name() == name)
}

/// The names a hook sees.
pub fn names_of(hook: &HookDef) -> Vec<&'static str> {
    let seen = NAMES.iter().copied();
    seen.filter(|name| sees(hook, name)).collect()
}

/// What a hook sees instead of a name that an older version of the language had.
pub fn renamed(hook: &HookDef, old: &str) -> Option<&'static str> {
    let hook = match hook.handed {
        Handed::Each => migrate::Hook::Action,
        Handed::Value => migrate::Hook::FollowUp,
        Handed::Entry => migrate::Hook::Start,
        Handed::Typed => migrate::Hook::Panel,
    };
    migrate::handed(hook, old)
}

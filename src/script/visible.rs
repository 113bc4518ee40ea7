//! The variables that a script sees besides those it declares.

use crate::content::{HookArgument, HookDef};
use crate::migrate;

/// A variable that hooks see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookName {
    /// The piece that the hook belongs to.
    It,
    /// The entry that contains the hook; in a `[[start]]`, the entry that the game starts at.
    Entry,
    /// The seat that owns the piece.
    Owner,
    /// The acting seat.
    Actor,
    /// The item of an action's `each` list.
    Each,
    /// The value passed to a follow-up or to a phase of a sequence.
    Value,
    /// The text typed after the command of a panel.
    Typed,
    /// The fighter whose turn it is.
    Fighter,
    /// The opponent of the fighter.
    Foe,
    Event,
    Fight,
    Combo,
    Packet,
    Table,
}

impl HookName {
    /// All names, in the order in which they are pushed to the scope of a hook. Functions see the
    /// last five as globals; hooks find them faster in the scope.
    pub const ALL: [HookName; 14] = [
        HookName::It,
        HookName::Entry,
        HookName::Owner,
        HookName::Actor,
        HookName::Each,
        HookName::Value,
        HookName::Typed,
        HookName::Fighter,
        HookName::Foe,
        HookName::Event,
        HookName::Fight,
        HookName::Combo,
        HookName::Packet,
        HookName::Table,
    ];

    /// The names that every script sees, including functions.
    pub const GLOBAL: [HookName; 5] = [
        HookName::Event,
        HookName::Fight,
        HookName::Combo,
        HookName::Packet,
        HookName::Table,
    ];

    /// The name in scripts.
    pub const fn text(self) -> &'static str {
        match self {
            HookName::It => "it",
            HookName::Entry => "entry",
            HookName::Owner => "owner",
            HookName::Actor => "actor",
            HookName::Each => "each",
            HookName::Value => "value",
            HookName::Typed => "typed",
            HookName::Fighter => "fighter",
            HookName::Foe => "foe",
            HookName::Event => "event",
            HookName::Fight => "fight",
            HookName::Combo => "combo",
            HookName::Packet => "packet",
            HookName::Table => "table",
        }
    }

    /// Parses a name in a script.
    pub fn parse(text: &str) -> Option<HookName> {
        HookName::ALL.into_iter().find(|name| name.text() == text)
    }

    /// Whether a hook sees it. Of `each`, `value` and `typed`, a hook sees only the one it
    /// receives.
    pub fn is_visible(self, hook: &HookDef) -> bool {
        match self {
            HookName::Each | HookName::Value | HookName::Typed => {
                hook.argument.name() == self.text()
            }
            _ => true,
        }
    }
}

/// The texts of [`HookName::GLOBAL`].
pub const GLOBALS: &[&str] = &{
    let mut texts = [""; HookName::GLOBAL.len()];
    let mut ix = 0;
    while ix < texts.len() {
        texts[ix] = HookName::GLOBAL[ix].text();
        ix += 1;
    }
    texts
};

/// Whether a hook sees a variable with a name.
pub fn sees(hook: &HookDef, name: &str) -> bool {
    HookName::parse(name).is_some_and(|name| name.is_visible(hook))
}

/// The names of the variables that a hook sees.
pub fn names_of(hook: &HookDef) -> Vec<&'static str> {
    let seen = HookName::ALL.into_iter();
    seen.filter(|name| name.is_visible(hook))
        .map(HookName::text)
        .collect()
}

/// The current name of a hook variable that was called `old` in an earlier language version.
pub fn renamed(hook: &HookDef, old: &str) -> Option<&'static str> {
    let hook = match hook.argument {
        HookArgument::Each => migrate::Hook::Action,
        HookArgument::Value => migrate::Hook::FollowUp,
        HookArgument::Entry => migrate::Hook::Start,
        HookArgument::Typed => migrate::Hook::Panel,
    };
    migrate::handed(hook, old)
}

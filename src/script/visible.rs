//! The variables that a script sees besides those it declares.

use super::lint::types::Types;
use crate::content::{HookArgument, HookDef};
use crate::migrate;

macro_rules! hook_variables {
    ($($name:ident, $text:literal, $types:expr, $about:literal;)*) => {
        /// A variable that hooks see.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum HookVariable {
            $(#[doc = $about] $name,)*
        }

        impl HookVariable {
            /// All variables. Functions see only [`HookVariable::GLOBAL`], the last five.
            pub const ALL: [HookVariable; 14] = [$(HookVariable::$name,)*];

            /// The name in scripts.
            pub const fn text(self) -> &'static str {
                match self {
                    $(HookVariable::$name => $text,)*
                }
            }

            /// The types it may have.
            pub const fn types(self) -> Types {
                match self {
                    $(HookVariable::$name => $types,)*
                }
            }

            /// What it is, for editors.
            pub const fn about(self) -> &'static str {
                match self {
                    $(HookVariable::$name => $about,)*
                }
            }
        }
    };
}

hook_variables! {
    It, "it", Types::PIECE.or(Types::NOTHING), "In a hook: the piece it belongs to.";
    Entry, "entry", Types::ENTRY, "In a hook: the entry that contains it, with its fields. In a `[[start]]`: the entry that the game starts at.";
    Owner, "owner", Types::SEAT.or(Types::NOTHING), "In a hook: the owner of the piece.";
    Actor, "actor", Types::SEAT.or(Types::NOTHING), "In a hook: the acting seat.";
    Each, "each", Types::ANY, "In an action with `each`: the item of this menu line.";
    Value, "value", Types::ANY, "In `then` and in phases of a sequence: the value passed on.";
    Typed, "typed", Types::TEXT, "In a panel: what was typed after the command.";
    Fighter, "fighter", Types::FIGHTER, "In a fight: the fighter whose turn it is.";
    Foe, "foe", Types::FIGHTER, "In a fight: the opponent of `fighter`.";
    Event, "event", Types::EVENT, "The current event.";
    Fight, "fight", Types::FIGHT, "The current fight.";
    Combo, "combo", Types::COMBO, "The cards played in a row.";
    Packet, "packet", Types::PACKET, "The loss that is being resolved.";
    Table, "table", Types::TABLE, "The table itself, with its counters and zones.";
}

impl HookVariable {
    /// The names that every script sees, including functions.
    pub const GLOBAL: [HookVariable; 5] = [
        HookVariable::Event,
        HookVariable::Fight,
        HookVariable::Combo,
        HookVariable::Packet,
        HookVariable::Table,
    ];

    /// Whether functions see it, too.
    pub fn is_global(self) -> bool {
        HookVariable::GLOBAL.contains(&self)
    }

    /// Parses a name in a script.
    pub fn parse(text: &str) -> Option<HookVariable> {
        HookVariable::ALL
            .into_iter()
            .find(|name| name.text() == text)
    }

    /// Whether a hook sees it. Of `each`, `value` and `typed`, a hook sees only the one it
    /// receives.
    pub fn is_visible(self, hook: &HookDef) -> bool {
        match self {
            HookVariable::Each | HookVariable::Value | HookVariable::Typed => {
                hook.argument.name() == self.text()
            }
            _ => true,
        }
    }
}

/// The texts of [`HookVariable::GLOBAL`].
pub const GLOBALS: &[&str] = &{
    let mut texts = [""; HookVariable::GLOBAL.len()];
    let mut ix = 0;
    while ix < texts.len() {
        texts[ix] = HookVariable::GLOBAL[ix].text();
        ix += 1;
    }
    texts
};

/// Whether a hook sees a variable with this name.
pub fn sees(hook: &HookDef, name: &str) -> bool {
    HookVariable::parse(name).is_some_and(|name| name.is_visible(hook))
}

/// The names of the variables that a hook sees.
pub fn names_of(hook: &HookDef) -> Vec<&'static str> {
    let seen = HookVariable::ALL.into_iter();
    seen.filter(|name| name.is_visible(hook))
        .map(HookVariable::text)
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
    migrate::hook_variable(hook, old)
}

//! The table of renames, by language version. A new version adds rows.

/// The version of the pack language: kinds, fields, script functions and check codes.
pub const VERSION: u32 = 2;

/// A rename.
#[derive(Clone, Copy, Debug)]
pub struct Rename {
    /// The first version with the new name.
    pub version: u32,
    /// The context in which the name is used.
    pub of: Area,
    /// The old name.
    pub old: &'static str,
    /// The new name.
    pub new: &'static str,
}

/// The context in which a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// A built-in kind: `[[worth]]`.
    Kind,
    /// A field of entries of these kinds; of all entries if the list is empty.
    Field(&'static [&'static str]),
    /// A table of hooks of every entry; also part of question ids.
    Hooks,
    /// A key of an option: in maps for `choose` and similar functions, in tables of entries, and in
    /// actions.
    OptionKey,
    /// A pass of a combo.
    Pass,
    /// A field of a `[[case]]`.
    Case,
    /// A field of the `[defaults]` of a file of cases.
    CaseDefault,
    /// The variable that a type of hook receives.
    HookVariable(Hook),
    /// A key of the map for `run_sequence`.
    SequenceKey,
    /// A script function with this number of arguments; in `a.f(b)`, `a` counts too.
    Function(usize),
    /// A script function that takes the id of a piece or a place; the string is the new name for a
    /// place.
    ById(&'static str),
    /// A property that became a method without arguments.
    Method,
    /// The code of a check.
    Code,
    /// A row in the header of a journal.
    HeaderRow,
}

/// The types of hooks, by the variable they receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hook {
    /// Scripts of an action, which receive the item of its `each` list. All other hooks count as
    /// this.
    Action,
    /// `then` and the phases of a sequence.
    FollowUp,
    /// `[[start]]`.
    Start,
    /// `[[panel]]`.
    Panel,
}

const fn row(of: Area, old: &'static str, new: &'static str) -> Rename {
    Rename {
        version: 2,
        of,
        old,
        new,
    }
}

/// The table. Kinds come first: later rows use the new names of kinds.
pub const RENAMES: &[Rename] = &[
    row(Area::Kind, "worth", "evaluation"),
    row(Area::Field(&[]), "told", "log"),
    row(Area::OptionKey, "usual", "default"),
    row(Area::Hooks, "ask", "answer"),
    row(Area::Hooks, "may", "offer"),
    row(Area::Field(&["counter", "chain"]), "one", "singular"),
    row(Area::Field(&["mode"]), "came_as", "role_in_play"),
    row(Area::Field(&["mode"]), "together", "cooperative"),
    row(Area::Field(&["panel"]), "word", "command"),
    row(Area::Field(&["panel"]), "always", "pinned"),
    row(Area::Pass, "each", "cards"),
    row(Area::Case, "given", "setup"),
    row(Area::Case, "each", "rows"),
    row(Area::CaseDefault, "do", "setup.do"),
    row(Area::HookVariable(Hook::FollowUp), "each", "value"),
    row(Area::HookVariable(Hook::Start), "each", "entry"),
    row(Area::HookVariable(Hook::Panel), "each", "typed"),
    row(Area::SequenceKey, "each", "value"),
    row(Area::Function(2), "may", "allowed"),
    row(Area::ById("place"), "the", "piece"),
    row(Area::Function(1), "entry_of", "entry"),
    row(Area::Function(0), "base", "replaced"),
    row(Area::Function(2), "base", "base_value"),
    row(Area::Function(2), "most", "max_value"),
    row(Area::Function(1), "given", "param"),
    row(Area::Function(2), "least", "min"),
    row(Area::Function(2), "greatest", "max"),
    row(Area::Function(3), "amount_each", "choose_amount_each"),
    row(Area::Function(3), "choose_any", "choose_first"),
    row(Area::Method, "len", "len()"),
    row(Area::Method, "is_empty", "is_empty()"),
    row(Area::Code, "changes-while-looking", "write-in-read-only"),
    row(Area::Code, "hides-function", "shadowed-function"),
    row(Area::Code, "hides-name", "shadowed-name"),
    row(Area::Code, "hides-primitive", "shadowed-primitive"),
    row(Area::Code, "fails-when-run", "runtime-fault"),
    row(Area::Code, "never-heard", "dead-hook"),
    row(Area::Code, "doubled-word", "repeated-word"),
    row(Area::Code, "inconsistent-word", "inconsistent-term"),
    row(Area::Code, "never-open", "never-available"),
    row(Area::Code, "not-in-force", "not-enabled"),
    row(Area::HeaderRow, "given", "setup script"),
];

/// The renames of a version.
pub(super) fn rows(version: u32) -> impl Iterator<Item = &'static Rename> {
    RENAMES.iter().filter(move |row| row.version == version)
}

fn newest(old: &str, fits: impl Fn(Area) -> bool) -> Option<&'static str> {
    let mut found: Option<&'static str> = None;
    for row in RENAMES.iter().filter(|row| fits(row.of)) {
        if row.old == found.unwrap_or(old) {
            found = Some(row.new);
        }
    }
    found
}

/// The new name of a kind.
#[must_use]
pub fn kind(old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Kind)
}

/// The new name of a field of a kind.
#[must_use]
pub fn field(kind: &str, old: &str) -> Option<&'static str> {
    newest(old, |of| match of {
        Area::Field(kinds) => kinds.is_empty() || kinds.contains(&kind),
        Area::Hooks | Area::OptionKey => true,
        _ => false,
    })
}

/// The new name of a field of an unknown kind: the first new name that is known.
pub fn known_field(old: &str, is_known: impl Fn(&str) -> bool) -> Option<&'static str> {
    let is_field = |of: Area| {
        matches!(
            of,
            Area::Field(_) | Area::Hooks | Area::OptionKey | Area::Case
        )
    };
    let rows = RENAMES.iter().filter(|row| is_field(row.of));
    let mut found = rows.filter(|row| row.old == old && is_known(row.new));
    found.next().map(|row| row.new)
}

/// The new name of a field of a case.
#[must_use]
pub fn case_field(old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Case)
}

/// The new name of a script function; in `a.f(b)`, `a` counts as an argument.
#[must_use]
pub fn function(old: &str, arguments: usize) -> Option<&'static str> {
    newest(old, |of| match of {
        Area::Function(takes) => takes == arguments,
        Area::ById(_) => arguments == 1,
        _ => false,
    })
}

/// The new name of a hook variable.
#[must_use]
pub fn hook_variable(hook: Hook, old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::HookVariable(hook))
}

/// The method that replaces a property, with its `()`.
#[must_use]
pub fn method(old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Method)
}

/// The new name of a check code.
#[must_use]
pub fn code(old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Code)
}

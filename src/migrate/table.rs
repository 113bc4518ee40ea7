//! Every rename, by the version of the engine language that brought it. A later version adds rows.

/// The version of the language packs are written in: kinds, fields, script functions and check codes.
pub const VERSION: u32 = 2;

/// A name that changed.
#[derive(Clone, Copy, Debug)]
pub struct Rename {
    /// The first version with the new name.
    pub version: u32,
    /// What the name belongs to.
    pub of: Area,
    /// The name before.
    pub old: &'static str,
    /// The name since.
    pub new: &'static str,
}

/// Where a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// A kind of the engine: `[[worth]]`.
    Kind,
    /// A field of entries of some kinds; of all entries where none is named.
    Field(&'static [&'static str]),
    /// A table of hooks of every entry; questions are named after it too.
    Hooks,
    /// A key of an option: in maps given to `choose` and its relatives, in tables of entries, and a field of actions.
    OptionKey,
    /// A pass of a combo.
    Pass,
    /// A field of a `[[case]]`.
    Case,
    /// What a script of some hooks is handed.
    Handed(Hook),
    /// A key of the map given to `run_sequence`.
    SequenceKey,
    /// A script function that takes so many arguments; a method counts what stands before the dot.
    Function(usize),
    /// A script function that takes the id of a piece or a place; for a place, the new name is the second one.
    ById(&'static str),
    /// A property that became a method without arguments.
    Method,
    /// The code of a check.
    Code,
    /// A row in the header of a journal.
    HeaderRow,
}

/// Hooks that are handed a value, by what it is called there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hook {
    /// Scripts of an action: the item of its `each` list. All hooks that are none of the others count as this.
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

/// The table. Kinds come first: later rows name kinds as they are called then.
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
    row(Area::Handed(Hook::FollowUp), "each", "value"),
    row(Area::Handed(Hook::Start), "each", "entry"),
    row(Area::Handed(Hook::Panel), "each", "typed"),
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
    row(Area::HeaderRow, "given", "setup script"),
];

/// The rows with which a version came.
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

/// What an old kind is called now.
#[must_use]
pub fn kind(old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Kind)
}

/// What an old field of a kind is called now.
#[must_use]
pub fn field(kind: &str, old: &str) -> Option<&'static str> {
    newest(old, |of| match of {
        Area::Field(kinds) => kinds.is_empty() || kinds.contains(&kind),
        Area::Hooks | Area::OptionKey => true,
        _ => false,
    })
}

/// What an old field is called now, whatever it is a field of: the first new name that is one there.
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

/// What an old field of a case is called now.
#[must_use]
pub fn case_field(old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Case)
}

/// What an old script function is called now; a method counts what stands before the dot as an argument.
#[must_use]
pub fn function(old: &str, arguments: usize) -> Option<&'static str> {
    newest(old, |of| match of {
        Area::Function(takes) => takes == arguments,
        Area::ById(_) => arguments == 1,
        _ => false,
    })
}

/// What a value is called now that an old script of such a hook was handed.
#[must_use]
pub fn handed(hook: Hook, old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Handed(hook))
}

/// The method that an old property became, with its brackets.
#[must_use]
pub fn method(old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Method)
}

/// What an old check code is called now.
#[must_use]
pub fn code(old: &str) -> Option<&'static str> {
    newest(old, |of| of == Area::Code)
}

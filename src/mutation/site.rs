//! Places where a pack can be broken.

use std::ops::Range;

use serde::Serialize;

use crate::diagnostic::FileId;

/// What a mutation changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MutationKind {
    /// `<` becomes `<=` or `>=`, `==` becomes `!=`.
    Comparison,
    /// A number in a script becomes 1 more or 1 less.
    Number,
    /// A statement is left out.
    Statement,
    /// The branches of an `if` are swapped.
    Branches,
    /// `&&` becomes `||`, or the other way round.
    Connective,
    /// A condition is negated, or a `!` is left out.
    Negation,
    /// `true` becomes `false`, or the other way round.
    Boolean,
    /// A script of an entry is left out.
    Hook,
    /// A number of an entry becomes 1 more or 1 less.
    Figure,
    /// A word of an entry becomes another one of the words that are allowed there.
    Word,
    /// A reference names another entry of the same kind.
    Reference,
    /// A field of an entry is left out.
    Field,
    /// An item of a list is left out.
    Item,
    /// Two neighbours in a list of lists are swapped.
    Order,
    /// An entry is left out.
    Entry,
}

impl MutationKind {
    /// A phrase for reports.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Comparison => "comparison changed",
            Self::Number => "number in a script changed",
            Self::Statement => "statement left out",
            Self::Branches => "branches swapped",
            Self::Connective => "`&&` and `||` exchanged",
            Self::Negation => "condition negated",
            Self::Boolean => "true and false exchanged",
            Self::Hook => "script left out",
            Self::Figure => "number changed",
            Self::Word => "value changed",
            Self::Reference => "reference changed",
            Self::Field => "field left out",
            Self::Item => "list item left out",
            Self::Order => "list items swapped",
            Self::Entry => "entry left out",
        }
    }
}

/// What a case must do to notice a mutation.
#[derive(Clone, Debug)]
pub(super) enum Reach {
    /// Run the line of a script. If the line does not start a statement, any line of the script.
    Line {
        /// The line in the file.
        line: u32,
        /// The first and the last line of the hook or the function.
        script: (u32, u32),
    },
    /// Anything: fields are also read without a script. Cases that run the script, if there is one,
    /// and those that reach the entry come first.
    Anything(Option<(u32, u32)>),
}

/// A place where a pack can be broken.
#[derive(Clone, Debug)]
pub(super) struct MutationSite {
    pub kind: MutationKind,
    pub file: FileId,
    /// The bytes of the file that are replaced.
    pub at: Range<usize>,
    /// The texts that can replace them.
    pub news: Vec<String>,
    pub reach: Reach,
    /// The full name of the entry, if it belongs to one.
    pub entry: Option<String>,
    /// The start of the statement, if it is in a script.
    pub statement: Option<usize>,
}

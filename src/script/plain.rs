//! Plain scripts: what hooks and functions say, as a small tree of our own that runs without the interpreter.
//!
//! [`super::lower`] makes it of Rhai's tree, [`super::evaluate`] runs it. Both ways give the same results: every case is
//! played once with the one and once with the other.

use rhai::{Dynamic, Identifier, Position, Token};

use super::api::Named;
use super::direct::Word;
use super::run::CallSite;

/// A bit of a plain script.
pub(super) enum Plain {
    /// A number, a word, a yes or no, nothing.
    Value(Dynamic),
    /// `[a, b]`.
    List(Box<[Plain]>, Position),
    /// `#{ a: 1, b: 2 }`.
    Map(Box<[(Identifier, Plain)]>, Position),
    /// One of [`NAMES`](super::visible::NAMES), by position.
    Name(usize),
    /// A `let` or a parameter, by position.
    Local(usize),
    /// `of.name`.
    Field(Box<Plain>, Named, Position),
    /// `of[at]`.
    Index(Box<(Plain, Plain)>, Position),
    /// `local = value`, `local += value`.
    Assign {
        local: usize,
        by: Option<(Op, Position)>,
        value: Box<Plain>,
    },
    /// `of.name = value`, `of.name += value`.
    Set(Box<Set>),
    /// A word of the engine, as a function or a method.
    Word(Box<Saying>),
    /// A function of a pack: which of those in sight.
    Call {
        slot: usize,
        with: Box<[Plain]>,
        at: Position,
    },
    /// `` `a ${b}` ``.
    Text(Box<[Plain]>, Position),
    /// `return`.
    Return(Option<Box<Plain>>),
    /// Two values and a sign between them.
    Pair(Op, Box<(Plain, Plain)>, Position),
    /// `!value`.
    Not(Box<Plain>, Position),
    /// `-value`.
    Minus(Box<Plain>, Position),
    /// `a && b` when the flag is set, else `a || b`; stops at the first that settles it.
    All(bool, Box<[Plain]>, Position),
    /// `a ?? b`.
    Else(Box<(Plain, Plain)>),
    /// A statement whose runs are counted.
    Counted(usize, Box<Plain>),
    /// A condition and two ways to go on.
    If(Box<(Plain, Plain, Plain)>, Position),
    /// One after another; gives the last. Its `let`s are gone after it.
    Block(Box<[Plain]>),
    /// `let`: a further local.
    Let(Box<Plain>),
    /// `for`: a further local, which is each of some values, and perhaps one before it that counts them.
    For {
        over: Box<Over>,
        counted: bool,
        body: Box<Plain>,
        at: Position,
    },
    /// `while`, or `loop` without a condition.
    While {
        condition: Option<Box<Plain>>,
        body: Box<Plain>,
        at: Position,
    },
    /// `break` when the flag is set, else `continue`.
    Leave(bool, Option<Box<Plain>>),
    /// `switch`.
    Switch(Box<Switch>),
}

/// What a `for` runs over.
pub(super) enum Over {
    /// Whatever has something in it.
    Values(Plain),
    /// `a..b`, or `a..=b` when the flag is set.
    Numbers(Plain, Plain, bool),
}

/// A choice by a value.
pub(super) struct Switch {
    pub on: Plain,
    /// What it may be, and which of the bodies is for that.
    pub cases: Vec<(Dynamic, usize)>,
    /// The last is for any other value.
    pub bodies: Vec<Plain>,
}

/// A field that is given a value.
pub(super) struct Set {
    pub of: Plain,
    pub named: Named,
    pub by: Option<(Op, Position)>,
    pub value: Plain,
    pub at: Position,
    /// Where a map in a local is changed deep inside: which local, and the whole statement for Rhai.
    pub deep: Option<(usize, Box<str>)>,
}

/// A word of the engine with what it is said of.
pub(super) struct Saying {
    /// How to say it without Rhai, if there is a way.
    pub direct: Option<Word>,
    /// How to say it with Rhai.
    pub site: CallSite,
    pub with: Box<[Plain]>,
    /// The local it is a method of, which it may change. It is not in `with`.
    pub local: Option<usize>,
    pub at: Position,
}

/// A sign between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Plus,
    Minus,
    Times,
    Divide,
    Rest,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Op {
    pub fn of(token: &Token) -> Option<Op> {
        Some(match token {
            Token::Plus => Op::Plus,
            Token::Minus => Op::Minus,
            Token::Multiply => Op::Times,
            Token::Divide => Op::Divide,
            Token::Modulo => Op::Rest,
            Token::EqualsTo => Op::Equal,
            Token::NotEqualsTo => Op::Unequal,
            Token::LessThan => Op::Less,
            Token::LessThanEqualsTo => Op::AtMost,
            Token::GreaterThan => Op::More,
            Token::GreaterThanEqualsTo => Op::AtLeast,
            _ => return None,
        })
    }

    /// How it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            Op::Plus => "+",
            Op::Minus => "-",
            Op::Times => "*",
            Op::Divide => "/",
            Op::Rest => "%",
            Op::Equal => "==",
            Op::Unequal => "!=",
            Op::Less => "<",
            Op::AtMost => "<=",
            Op::More => ">",
            Op::AtLeast => ">=",
        }
    }
}

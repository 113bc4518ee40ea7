//! Syntax errors: missing punctuation in TOML and in scripts, and words of other languages.

use super::book::{Book, Field, Shape};
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;
use super::script::TokenKind;

pub const KINDS: &[Kind] = &[
    Kind {
        name: "TOML: lost quotation mark",
        text: "one of the two around a string",
        make: toml_quote,
    },
    Kind {
        name: "TOML: lost bracket",
        text: "of a header, a list or a table",
        make: toml_bracket,
    },
    Kind {
        name: "TOML: lost equals sign",
        text: "between a field and its value",
        make: toml_equals,
    },
    Kind {
        name: "script: lost bracket",
        text: "one of `( ) [ ] { }`",
        make: script_bracket,
    },
    Kind {
        name: "script: lost quotation mark",
        text: "one of the two around a string",
        make: script_quote,
    },
    Kind {
        name: "script: lost semicolon",
        text: "between two statements",
        make: semicolon,
    },
    Kind {
        name: "script: single quotation marks",
        text: "`'move first'` instead of `\"move first\"`",
        make: apostrophes,
    },
    Kind {
        name: "script: words of other languages",
        text: "`and`, `not`, `elif`, `null`, `var`, `len(x)`",
        make: foreign,
    },
    Kind {
        name: "script: `=` in a condition",
        text: "`if a = b`",
        make: assignment,
    },
];

fn toml_quote(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let texts = book
        .fields
        .iter()
        .filter(|field| field.shape == Shape::Text && book.inside(field).is_some());
    let one_line =
        |field: &&Field| !book.text(field.file)[field.value.clone()].starts_with("\"\"\"");
    let field = rng.pick(texts.filter(one_line).collect())?;
    let (start, end) = (field.value.start, field.value.end);
    let at = if rng.below(2) == 0 {
        start..start + 1
    } else {
        end - 1..end
    };
    Some(Mutation::one(book, field.file, at, ""))
}

fn toml_bracket(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (file, range) = if rng.below(2) == 0 {
        let entry = rng.pick(book.entries.iter().collect())?;
        let len = entry.kind.len() + 4;
        (entry.file, entry.at.start..entry.at.start + len)
    } else {
        let lists = book.fields.iter().filter(|field| {
            let text = &book.text(field.file)[field.value.clone()];
            text.starts_with(['[', '{']) && text.ends_with([']', '}']) && field.is_keyed()
        });
        let field = rng.pick(lists.collect())?;
        (field.file, field.value.clone())
    };
    let at = if rng.below(2) == 0 {
        range.start
    } else {
        range.end - 1
    };
    Some(Mutation::one(book, file, at..at + 1, "").or_below())
}

fn toml_equals(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let fields = book.fields.iter().filter(|field| {
        field.is_keyed()
            && field.key.end < field.value.start
            && &book.text(field.file)[field.key.end..field.value.start] == " = "
    });
    let field = rng.pick(fields.collect())?;
    Some(Mutation::one(
        book,
        field.file,
        field.key.end + 1..field.key.end + 3,
        "",
    ))
}

fn script_bracket(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let brackets = ["(", ")", "[", "]", "{", "}"];
    let (view, ix) = book.token(rng, |view, ix| {
        view.is(ix, TokenKind::Mark) && brackets.contains(&view.word(ix))
    })?;
    let mutation = Mutation::one(book, view.script.file, view.at(ix), "").or_below();
    // For a missing closing bracket, the place where it was opened is correct as well.
    let opened = (0..ix).rev().find(|open| view.closing(*open) == Some(ix));
    Some(opened.into_iter().fold(mutation, |it, open| {
        it.also(book, view.script.file, view.at(open).start)
    }))
}

fn script_quote(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| view.is(ix, TokenKind::Text))?;
    let at = view.at(ix);
    let at = if rng.below(2) == 0 {
        at.start..at.start + 1
    } else {
        at.end - 1..at.end
    };
    Some(Mutation::one(book, view.script.file, at, ""))
}

fn semicolon(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        let follows = view.is(ix + 1, TokenKind::Word) && view.word(ix + 1) != "else";
        view.word(ix) == ";" && follows && !matches!(view.before(ix), "return" | "}")
    })?;
    Some(Mutation::one(book, view.script.file, view.at(ix), "").or_below())
}

fn apostrophes(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        view.string(ix).is_some_and(|string| string.len() > 1)
    })?;
    let string = view.string(ix)?;
    Some(Mutation::one(
        book,
        view.script.file,
        view.at(ix),
        format!("'{string}'"),
    ))
}

fn foreign(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let words = [
        ("&&", "and"),
        ("||", "or"),
        ("!", "not "),
        ("let", "var"),
        ("let", "local"),
        ("fn", "function"),
    ];
    let which = rng.below(words.len() + 2);
    if let Some((old, new)) = words.get(which) {
        let (view, ix) = book.token(rng, |view, ix| {
            view.word(ix) == *old && view.word(ix + 1) != "="
        })?;
        return Some(Mutation::one(book, view.script.file, view.at(ix), *new));
    }
    if which == words.len() {
        let (view, ix) = book.token(rng, |view, ix| {
            view.word(ix) == "(" && view.word(ix + 1) == ")" && {
                matches!(view.before(ix), "==" | "!=" | "return")
            }
        })?;
        let at = view.at(ix).start..view.at(ix + 1).end;
        return Some(Mutation::one(
            book,
            view.script.file,
            at,
            rng.word(&["null", "nil", "None"]),
        ));
    }
    let (view, ix) = book.token(rng, |view, ix| {
        view.word(ix) == "len"
            && view.before(ix) == "."
            && view.is_word(ix - 2)
            && view.word(ix + 1) != "("
    })?;
    let start = (0..ix)
        .rev()
        .find(|at| !view.is_word(*at) && view.word(*at) != ".")
        .map_or(0, |at| at + 1);
    let new = format!("size({})", view.source(&(start..ix - 1)));
    Some(Mutation::one(
        book,
        view.script.file,
        view.at(start).start..view.at(ix).end,
        new,
    ))
}

fn assignment(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        let back = (0..ix)
            .rev()
            .find(|at| matches!(view.word(*at), "if" | "{" | "}" | ";" | "="));
        view.word(ix) == "==" && back.is_some_and(|at| view.word(at) == "if")
    })?;
    Some(Mutation::one(book, view.script.file, view.at(ix), "="))
}

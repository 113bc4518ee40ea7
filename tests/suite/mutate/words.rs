//! Unknown names in scripts: functions, variables, properties and strings.

use super::book::Book;
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;
use super::script::{TokenKind, View};

pub const KINDS: &[Kind] = &[
    Kind {
        name: "misspelt function",
        text: "the name in a call, of the engine or of the pack",
        make: function,
    },
    Kind {
        name: "misspelt variable",
        text: "a name that is read",
        make: variable,
    },
    Kind {
        name: "misspelt property",
        text: "the word after a dot",
        make: property,
    },
    Kind {
        name: "misspelt name for the engine",
        text: "`emit(\"…\")`, `table(\"…\")`, `roll(\"…\")`",
        make: for_engine,
    },
    Kind {
        name: "misspelt name for a function of the pack",
        text: "`raise(actor, \"…\")`",
        make: for_pack,
    },
    Kind {
        name: "misspelt name in a map",
        text: "`until: \"…\"`, `chain: \"…\"`",
        make: in_map,
    },
    Kind {
        name: "misspelt name in a comparison",
        text: "`event.counter == \"…\"`, or a case of `switch`",
        make: compared,
    },
    Kind {
        name: "misspelt mark or tag",
        text: "a word set in one place and looked for in another",
        make: mark,
    },
    Kind {
        name: "function renamed",
        text: "where it is defined, but not where it is called",
        make: renamed,
    },
];

/// Engine functions that take a word of the author's choice.
const MARKS: &[&str] = &["mark", "unmark", "marked", "has_tag"];

fn function(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, call) = book.call(rng, |view, call| view.word(call.name).len() > 2)?;
    book.misspell(view.script.file, view.at(call.name), rng)
}

fn variable(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| view.is_read(ix) && view.word(ix).len() > 1)?;
    book.misspell(view.script.file, view.at(ix), rng)
}

fn property(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        view.is(ix, TokenKind::Word)
            && view.before(ix) == "."
            && view.word(ix + 1) != "("
            && view.word(ix).len() > 1
    })?;
    book.misspell(view.script.file, view.at(ix), rng)
}

/// Whether a string is a name and not text for players.
fn is_name(view: &View, ix: usize) -> bool {
    let string = view.string(ix).unwrap_or("");
    string.len() > 2
        && !string.contains([' ', '.', ':'])
        && string.starts_with(|c: char| c.is_ascii_lowercase())
}

fn misspell_string(book: &Book, view: &View, ix: usize, rng: &mut Rng) -> Option<Mutation> {
    let at = view.at(ix);
    book.misspell(view.script.file, at.start + 1..at.end - 1, rng)
}

/// Misspells a name that is an argument of a function that fits.
fn argument(book: &Book, rng: &mut Rng, fits: impl Fn(&str) -> bool) -> Option<Mutation> {
    let names = |view: &View, call: &super::script::Call| -> Vec<usize> {
        let single = call
            .args
            .iter()
            .filter(|arg| arg.len() == 1)
            .map(|arg| arg.start);
        single.filter(|ix| is_name(view, *ix)).collect()
    };
    let (view, call) = book.call(rng, |view, call| {
        fits(view.word(call.name)) && !names(view, call).is_empty()
    })?;
    let ix = rng.pick(names(&view, &call))?;
    misspell_string(book, &view, ix, rng)
}

fn for_engine(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    // These take free text or names; both ends of `later` have their own mutation.
    let free = [
        "deny", "say", "later", "param", "push", "contains", "with", "without", "tally",
    ];
    argument(book, rng, |name| {
        !book.functions.contains(name) && !free.contains(&name) && !MARKS.contains(&name)
    })
}

fn for_pack(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    // The name under which a trophy is counted is free.
    argument(book, rng, |name| {
        book.functions.contains(name) && name != "gain_trophy"
    })
}

fn in_map(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        let key = ix.checked_sub(2).map_or("", |ix| view.word(ix));
        is_name(view, ix)
            && view.before(ix) == ":"
            && matches!(key, "until" | "from" | "chain" | "score" | "zone")
    })?;
    misspell_string(book, &view, ix, rng)
}

fn compared(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        is_name(view, ix) && (matches!(view.before(ix), "==" | "!=") || view.word(ix + 1) == "=>")
    })?;
    misspell_string(book, &view, ix, rng)
}

fn mark(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    argument(book, rng, |name| MARKS.contains(&name))
}

fn renamed(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let called: Vec<(usize, usize, &str)> = book
        .views()
        .flat_map(|view| {
            let calls = view.calls().into_iter().filter(|call| !call.method);
            calls
                .map(|call| {
                    (
                        view.script.file,
                        view.at(call.name).start,
                        view.word(call.name),
                    )
                })
                .collect::<Vec<_>>()
        })
        .collect();
    let (view, ix) = book.token(rng, |view, ix| {
        view.before(ix) == "fn" && called.iter().any(|(_, _, name)| *name == view.word(ix))
    })?;
    let name = view.word(ix);
    let mutation = book.misspell(view.script.file, view.at(ix), rng)?;
    let places = called.iter().filter(|(_, _, called)| *called == name);
    Some(places.fold(mutation, |mutation, (file, at, _)| {
        mutation.also(book, *file, *at)
    }))
}

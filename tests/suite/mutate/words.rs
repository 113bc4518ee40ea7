//! Words in scripts that mean nothing: functions, variables, properties, and names in quotation marks.

use super::book::Book;
use super::chance::Chance;
use super::kinds::Kind;
use super::mutation::Mutation;
use super::script::{View, What};

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
        text: "where it stands, and not where it is called",
        make: renamed,
    },
];

/// Words of the engine that take a word of the author's own.
const MARKS: &[&str] = &["mark", "unmark", "marked", "has_tag"];

fn function(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, call) = book.call(chance, |view, call| view.word(call.name).len() > 2)?;
    book.misspell(view.script.file, view.at(call.name), chance)
}

fn variable(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, ix) = book.token(chance, |view, ix| {
        view.is_read(ix) && view.word(ix).len() > 1
    })?;
    book.misspell(view.script.file, view.at(ix), chance)
}

fn property(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, ix) = book.token(chance, |view, ix| {
        view.is(ix, What::Word)
            && view.before(ix) == "."
            && view.word(ix + 1) != "("
            && view.word(ix).len() > 1
    })?;
    book.misspell(view.script.file, view.at(ix), chance)
}

/// Whether a text is a name and not something to be read.
fn is_name(view: &View, ix: usize) -> bool {
    let said = view.said(ix).unwrap_or("");
    said.len() > 2
        && !said.contains([' ', '.', ':'])
        && said.starts_with(|c: char| c.is_ascii_lowercase())
}

fn misspell_said(book: &Book, view: &View, ix: usize, chance: &mut Chance) -> Option<Mutation> {
    let at = view.at(ix);
    book.misspell(view.script.file, at.start + 1..at.end - 1, chance)
}

/// A name as an argument of a function whose name fits.
fn argument(book: &Book, chance: &mut Chance, fits: impl Fn(&str) -> bool) -> Option<Mutation> {
    let names = |view: &View, call: &super::script::Call| -> Vec<usize> {
        let single = call
            .args
            .iter()
            .filter(|arg| arg.len() == 1)
            .map(|arg| arg.start);
        single.filter(|ix| is_name(view, *ix)).collect()
    };
    let (view, call) = book.call(chance, |view, call| {
        fits(view.word(call.name)) && !names(view, call).is_empty()
    })?;
    let ix = chance.pick(names(&view, &call))?;
    misspell_said(book, &view, ix, chance)
}

fn for_engine(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    // What a bet or a given value is called is the author's own; both ends of `later` are broken elsewhere.
    let free = [
        "deny", "say", "later", "param", "push", "contains", "with", "without", "tally",
    ];
    argument(book, chance, |name| {
        !book.functions.contains(name) && !free.contains(&name) && !MARKS.contains(&name)
    })
}

fn for_pack(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    // By which name a trophy is counted is the author's own.
    argument(book, chance, |name| {
        book.functions.contains(name) && name != "gain_trophy"
    })
}

fn in_map(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, ix) = book.token(chance, |view, ix| {
        let key = ix.checked_sub(2).map_or("", |ix| view.word(ix));
        is_name(view, ix)
            && view.before(ix) == ":"
            && matches!(key, "until" | "from" | "chain" | "score" | "zone")
    })?;
    misspell_said(book, &view, ix, chance)
}

fn compared(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, ix) = book.token(chance, |view, ix| {
        is_name(view, ix) && (matches!(view.before(ix), "==" | "!=") || view.word(ix + 1) == "=>")
    })?;
    misspell_said(book, &view, ix, chance)
}

fn mark(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    argument(book, chance, |name| MARKS.contains(&name))
}

fn renamed(book: &Book, chance: &mut Chance) -> Option<Mutation> {
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
    let (view, ix) = book.token(chance, |view, ix| {
        view.before(ix) == "fn" && called.iter().any(|(_, _, name)| *name == view.word(ix))
    })?;
    let name = view.word(ix);
    let mutation = book.misspell(view.script.file, view.at(ix), chance)?;
    let places = called.iter().filter(|(_, _, called)| *called == name);
    Some(places.fold(mutation, |mutation, (file, at, _)| {
        mutation.also(book, *file, *at)
    }))
}

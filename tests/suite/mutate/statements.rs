//! Statements that do nothing, are never reached, never end or cannot work.

use super::book::{Book, Field};
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;
use super::script::{TokenKind, View};

pub const KINDS: &[Kind] = &[
    Kind {
        name: "`+` for `+=`",
        text: "`actor.gold + 3;` changes nothing",
        make: sum,
    },
    Kind {
        name: "`==` for `=`",
        text: "`seat.shield == 2;` changes nothing",
        make: comparison,
    },
    Kind {
        name: "result thrown away",
        text: "`x = f(y);` becomes `f(y);`",
        make: thrown_away,
    },
    Kind {
        name: "`return` before live code",
        text: "the code below it never runs",
        make: returned,
    },
    Kind {
        name: "`break` first in a loop",
        text: "the loop does nothing",
        make: broken,
    },
    Kind {
        name: "endless loop",
        text: "a `while` whose condition never changes",
        make: endless,
    },
    Kind {
        name: "division by zero",
        text: "by a counter that starts at 0",
        make: division,
    },
    Kind {
        name: "parameter hidden",
        text: "`let seat = seat.number;`, and then `seat.hand`",
        make: hidden,
    },
    Kind {
        name: "statement outside of functions",
        text: "in a file of functions",
        make: top_level,
    },
    Kind {
        name: "function hides another",
        text: "a function with the name of a built-in function, or of another one",
        make: hides,
    },
    Kind {
        name: "fight outside of a fight",
        text: "`fight.damage(…)` in a story",
        make: no_fight,
    },
];

fn sum(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| matches!(view.word(ix), "+=" | "-="))?;
    let new = &view.word(ix)[..1];
    Some(Mutation::one(book, view.script.file, view.at(ix), new))
}

/// Whether an equals sign belongs to an assignment and not to a `let`.
fn assigns(view: &View, ix: usize) -> bool {
    let start = (0..ix)
        .rev()
        .find(|at| matches!(view.word(*at), ";" | "{" | "}"))
        .map_or(0, |at| at + 1);
    view.word(ix) == "="
        && !matches!(
            view.word(start),
            "let" | "const" | "if" | "while" | "return"
        )
        && start < ix
}

fn comparison(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, assigns)?;
    Some(Mutation::one(book, view.script.file, view.at(ix), "=="))
}

/// Drops the target of a `let` or an assignment, so that the result is unused.
fn thrown_away(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        let call = view.is_word(ix + 1) && matches!(view.word(ix + 2), "(" | ".");
        let name =
            ix > 1 && view.is_word(ix - 1) && view.word(ix - 2) != "." && view.word(ix) == "=";
        name && call && !matches!(view.before(ix), "label" | "wanted")
    })?;
    let has_let = view.word(ix - 2) == "let";
    let start = if has_let { ix - 2 } else { ix - 1 };
    let range = view.at(start).start..view.at(ix + 1).start;
    let mut mutation = Mutation::one(book, view.script.file, range, "");
    if has_let {
        // The name is then unknown where it is read.
        let uses = view
            .around(ix)
            .filter(|at| *at > ix && view.is_read(*at) && view.word(*at) == view.word(ix - 1));
        mutation = uses.fold(mutation, |mutation, at| {
            mutation.also(book, view.script.file, view.at(at).start)
        });
    }
    Some(mutation)
}

fn returned(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let mut found = Vec::new();
    for (ix, view) in book.views().enumerate() {
        let acts = view.script.field.is_none_or(|field| {
            let path = &book.fields[field].path;
            path.iter()
                .any(|name| matches!(name.as_str(), "do" | "on" | "offer" | "then"))
        });
        // A `return` cannot go before a string, a map or a case of a `switch`.
        let plain = |at: &usize| {
            !view.text[view.at(*at)].starts_with(['"', '`', '#']) && !in_switch(&view, *at)
        };
        found.extend(
            view.statements()
                .into_iter()
                .filter(|at| acts && *at < view.len())
                .filter(plain)
                .map(|at| (ix, at)),
        );
    }
    let (ix, at) = rng.pick(found)?;
    let view = book.views().nth(ix)?;
    let start = view.at(at).start;
    let mutation = Mutation::one(book, view.script.file, start..start, "return; ");
    Some(mutation.described(format!("`return;` before `{}`", view.word(at))))
}

/// Whether a place is directly in the braces of a `switch`, where its cases are.
fn in_switch(view: &View, ix: usize) -> bool {
    let opens = (0..ix)
        .rev()
        .find(|at| view.word(*at) == "{" && view.closing(*at).is_none_or(|close| close >= ix));
    let before = opens.and_then(|open| {
        (0..open)
            .rev()
            .find(|at| matches!(view.word(*at), ";" | "{" | "}" | "switch"))
    });
    before.is_some_and(|at| view.word(at) == "switch") || view.word(ix + 1) == "=>"
}

fn broken(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        let back = (0..ix)
            .rev()
            .find(|at| matches!(view.word(*at), ";" | "{" | "}" | "for" | "while"));
        view.word(ix) == "{"
            && view.word(ix + 1) != "return"
            && back.is_some_and(|at| matches!(view.word(at), "for" | "while"))
    })?;
    let at = view.at(ix + 1).start;
    let mutation = Mutation::one(book, view.script.file, at..at, "break; ");
    Some(
        mutation
            .also(book, view.script.file, view.at(ix).start)
            .described(format!("`break;` before `{}`", view.word(ix + 1))),
    )
}

/// The `do` scripts of options and of the results of a test or a fight.
pub fn story_scripts(book: &Book) -> Vec<(&Field, View<'_>)> {
    let is_story = |field: &&Field| {
        let kind = book.entry(field).kind.as_str();
        matches!(kind, "exploration" | "chapter") && field.name() == "do" && field.path.len() > 1
    };
    let fields = book.fields.iter().filter(is_story);
    fields
        .filter_map(|field| {
            Some((
                field,
                View {
                    script: book.script_of(field)?,
                    text: book.text(field.file),
                },
            ))
        })
        .collect()
}

/// The numbers in statements like `actor.gold += 3;`.
fn gains(view: &View) -> Vec<usize> {
    let is_gain = |ix: &usize| {
        view.is(*ix, TokenKind::Number)
            && matches!(view.before(*ix), "+=" | "-=")
            && *ix > 3
            && view.word(ix - 4) == "actor"
    };
    (0..view.len()).filter(is_gain).collect()
}

fn endless(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let stories = story_scripts(book).into_iter().flat_map(|(_, view)| {
        let gains = gains(&view);
        gains.into_iter().map(move |ix| {
            (
                View {
                    script: view.script,
                    text: view.text,
                },
                ix,
            )
        })
    });
    let (view, ix) = rng.pick(stories.collect())?;
    let statement = view.source(&(ix - 4..ix + 1));
    let new = match rng.below(3) {
        0 => format!("while true {{ {statement}; }}"),
        1 => format!(
            "let left = {}; while left > 0 {{ actor.{} {} 1; }}",
            view.word(ix),
            view.word(ix - 2),
            view.before(ix)
        ),
        _ => format!(
            "let times = 0; while times < {} {{ {statement}; }}",
            1 + rng.below(3)
        ),
    };
    Some(Mutation::one(
        book,
        view.script.file,
        view.bytes(&(ix - 4..ix + 1)),
        new,
    ))
}

fn division(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let stories = story_scripts(book).into_iter().flat_map(|(_, view)| {
        let gains = gains(&view);
        gains.into_iter().map(move |ix| {
            (
                View {
                    script: view.script,
                    text: view.text,
                },
                ix,
            )
        })
    });
    let (view, ix) = rng.pick(stories.collect())?;
    let at = view.at(ix);
    let by = rng.word(&[
        "actor.trophies",
        "actor.potions_used",
        "(actor.level - 1)",
        "actor.quests.len()",
        "0",
    ]);
    Some(Mutation::one(
        book,
        view.script.file,
        at,
        format!("{} / {by}", view.word(ix)),
    ))
}

fn hidden(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let mut found = Vec::new();
    for (ix, view) in book.views().enumerate() {
        for function in view.functions() {
            let names = function
                .params
                .clone()
                .filter(|at| matches!(view.word(*at), "seat" | "witcher"));
            let reads = |name: &str| -> Vec<usize> {
                let body = function
                    .body
                    .clone()
                    .filter(|at| view.word(*at) == name && view.word(at + 1) == ".");
                body.filter(|at| view.word(at + 2) != "number").collect()
            };
            found.extend(
                names.map(|at| (ix, view.word(at), function.body.start, reads(view.word(at)))),
            );
        }
    }
    found.retain(|(_, _, _, reads)| !reads.is_empty());
    let (ix, name, start, reads) = rng.pick(found)?;
    let view = book.views().nth(ix)?;
    let at = view.at(start).start;
    let mutation = Mutation::one(
        book,
        view.script.file,
        at..at,
        format!("let {name} = {name}.number; "),
    );
    Some(reads.into_iter().fold(mutation, |mutation, at| {
        mutation.also(book, view.script.file, view.at(at).start)
    }))
}

fn top_level(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| view.word(ix) == "fn")?;
    let at = view.at(ix).start;
    let new = rng.word(&[
        "let most = 3;",
        "say(\"Loaded.\");",
        "seats();",
        "if true { say(\"Hello.\"); }",
    ]);
    let mutation = Mutation::one(book, view.script.file, at..at, format!("{new}\n\n"));
    Some(mutation)
}

fn hides(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let natives = [
        "draw(seat, count)",
        "say(text)",
        "choose(seat, text, list)",
        "create(entry, zone)",
        "seats()",
        "deny(why)",
    ];
    let (view, ix) = book.token(rng, |view, ix| view.word(ix) == "fn")?;
    let at = view.at(ix).start;
    if rng.below(2) == 0 {
        let new = format!("fn {} {{ () }}\n\n", rng.word(&natives));
        return Some(Mutation::one(book, view.script.file, at..at, new));
    }
    let functions = view.functions();
    let function = functions.iter().find(|function| function.name == ix + 1)?;
    let end = view.at(function.body.end).end;
    let head = &view.text[at..view.at(function.body.start - 1).end];
    let mutation = Mutation::one(
        book,
        view.script.file,
        end..end,
        format!("\n\n{head} () }}"),
    );
    let (file, line) = mutation.at[0];
    let mut mutation = mutation.also(book, view.script.file, at);
    mutation.at.push((file, line + 2));
    Some(mutation)
}

fn no_fight(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    // After a short fight, there is none any more either.
    let (_, view) = rng.pick(story_scripts(book))?;
    let start = view.script.at.start;
    let new = rng.word(&[
        "fight.damage(foe, 1); ",
        "fight.damage(actor, 2); ",
        "fight.damage(foe, 3); ",
    ]);
    Some(Mutation::one(book, view.script.file, start..start, new))
}

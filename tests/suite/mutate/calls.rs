//! Calls with wrong arguments or on the wrong value.

use std::ops::Range;

use super::book::Book;
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;
use super::script::{Call, TokenKind, View};

pub const KINDS: &[Kind] = &[
    Kind {
        name: "argument lost",
        text: "one argument fewer than the function takes",
        make: lost,
    },
    Kind {
        name: "argument too many",
        text: "one argument more than the function takes",
        make: extra,
    },
    Kind {
        name: "arguments swapped, engine",
        text: "two arguments of different types, of a built-in function",
        make: swapped_engine,
    },
    Kind {
        name: "arguments swapped, pack",
        text: "two arguments of different types, of a function of the pack",
        make: swapped_pack,
    },
    Kind {
        name: "method of a number",
        text: "`actor.gold.draw(2)`",
        make: of_number,
    },
    Kind {
        name: "method of the wrong thing",
        text: "`seat.pieces()` instead of `seat.hand.pieces()`",
        make: of_holder,
    },
    Kind {
        name: "function called with a dot",
        text: "`actor.raise(\"combat\")`, though `raise` is the pack's",
        make: dotted,
    },
    Kind {
        name: "number in quotation marks",
        text: "`actor.gold += \"3\"`, `discard_cards(actor, \"2\")`",
        make: quoted,
    },
    Kind {
        name: "zone instead of a number",
        text: "`actor.hand < 3` without `.len()`",
        make: without_len,
    },
];

fn count(call: &Call) -> usize {
    call.args.len() + usize::from(call.method)
}

/// Rhai's own list functions, which accept any argument.
const LIST_FUNCTIONS: &[&str] = &[
    "push", "append", "contains", "sort", "pop", "reverse", "len", "is_empty", "shuffled",
];

fn lost(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, call) = book.call(rng, |view, call| {
        let known = book.counts.get(view.word(call.name));
        let fits = known.is_some_and(|known| {
            known.contains(&count(call)) && !known.contains(&count(call).wrapping_sub(1))
        });
        !call.args.is_empty() && fits && !LIST_FUNCTIONS.contains(&view.word(call.name))
    })?;
    let at = rng.below(call.args.len());
    let args: Vec<&str> = call
        .args
        .iter()
        .enumerate()
        .filter(|(ix, _)| *ix != at)
        .map(|(_, arg)| view.source(arg))
        .collect();
    Some(with_args(book, &view, &call, &args))
}

fn extra(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, call) = book.call(rng, |view, call| {
        let known = book.counts.get(view.word(call.name));
        let fits = known.is_some_and(|known| {
            known.contains(&count(call)) && !known.contains(&(count(call) + 1))
        });
        fits && !LIST_FUNCTIONS.contains(&view.word(call.name))
    })?;
    let more = rng.word(&["1", "true", "\"gold\"", "2"]);
    let args: Vec<&str> = call
        .args
        .iter()
        .map(|arg| view.source(arg))
        .chain([more])
        .collect();
    Some(with_args(book, &view, &call, &args))
}

/// The same call with other arguments, described as a whole.
fn with_args(book: &Book, view: &View, call: &Call, args: &[&str]) -> Mutation {
    let start = view.at(call.name).start;
    let new = format!("{}({})", view.word(call.name), args.join(", "));
    // In a call over several lines, any of its lines is correct.
    let mutation = Mutation::one(book, view.script.file, start..view.at(call.close).end, new);
    call.args.iter().fold(mutation, |mutation, _| {
        mutation.also(book, view.script.file, start)
    })
}

/// The type of an argument, if it is obvious.
fn type_of(view: &View, arg: &Range<usize>) -> Option<&'static str> {
    let things = [
        "actor",
        "seat",
        "owner",
        "witcher",
        "foe",
        "fighter",
        "it",
        "event.seat",
        "event.of",
        "drinker",
    ];
    let source = view.source(arg);
    match (arg.len(), view.word(arg.start)) {
        (1, _) if view.is(arg.start, TokenKind::Number) => Some("number"),
        (1, _) if view.is(arg.start, TokenKind::Text) => Some("text"),
        (2, "-") if view.is(arg.start + 1, TokenKind::Number) => Some("number"),
        (3, "entry") => {
            Some("number").filter(|_| !source.ends_with("special") && !source.ends_with("links"))
        }
        (_, "#{") => Some("map"),
        (_, "[") if view.closing(arg.start) == Some(arg.end - 1) => Some("list"),
        (3, "table") => Some("zone"),
        _ if things.contains(&source) => Some("thing"),
        _ if source.ends_with(".pieces()") => Some("list"),
        _ => None,
    }
}

fn swapped(book: &Book, rng: &mut Rng, pack: bool) -> Option<Mutation> {
    let pairs = |view: &View, call: &Call| -> Vec<(usize, usize)> {
        let types: Vec<_> = call.args.iter().map(|arg| type_of(view, arg)).collect();
        let all = (0..types.len()).flat_map(|a| (a + 1..types.len()).map(move |b| (a, b)));
        all.filter(|(a, b)| types[*a].is_some() && types[*b].is_some() && types[*a] != types[*b])
            .collect()
    };
    let (view, call) = book.call(rng, |view, call| {
        let is_own = book.functions.contains(view.word(call.name));
        is_own == pack && !pairs(view, call).is_empty()
    })?;
    let (a, b) = rng.pick(pairs(&view, &call))?;
    let mut args: Vec<&str> = call.args.iter().map(|arg| view.source(arg)).collect();
    args.swap(a, b);
    Some(with_args(book, &view, &call, &args))
}

fn swapped_engine(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    swapped(book, rng, false)
}

fn swapped_pack(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    swapped(book, rng, true)
}

/// Puts a number between a seat and its method.
fn of_number(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, call) = book.call(rng, |view, call| {
        let thing = call.name.checked_sub(2).map_or("", |ix| view.word(ix));
        let seats = ["actor", "seat", "owner", "witcher"];
        let dotted = call.name > 2 && view.word(call.name - 3) == ".";
        call.method && seats.contains(&thing) && (!dotted || view.word(call.name - 4) == "event")
    })?;
    let at = view.at(call.name - 2).end;
    let counter = rng.word(&["gold", "level", "shield", "hand.len()", "trophies"]);
    Some(
        Mutation::one(book, view.script.file, at..at, format!(".{counter}")).described(format!(
            "`{}` → `{}.{counter}.{}(…)`",
            view.source(&(call.name - 2..call.name + 1)),
            view.word(call.name - 2),
            view.word(call.name)
        )),
    )
}

/// Leaves out the zone between a seat and the method of the zone.
fn of_holder(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let zones = [
        "hand", "deck", "discard", "potions", "trails", "played", "life", "marker", "quests",
        "craft", "used",
    ];
    let methods = [
        "pieces", "top", "shuffle", "random", "bottom", "refill", "room",
    ];
    let (view, call) = book.call(rng, |view, call| {
        let zone = call.name.checked_sub(2).map_or("", |ix| view.word(ix));
        call.method && methods.contains(&view.word(call.name)) && zones.contains(&zone) && {
            view.word(call.name - 3) == "." && view.word(call.name - 4) != "table"
        }
    })?;
    let range = view.at(call.name - 3).start..view.at(call.name - 2).end;
    Some(
        Mutation::one(book, view.script.file, range, "").described(format!(
            "`{}(…)` → without `.{}`",
            view.source(&(call.name - 4..call.name + 1)),
            view.word(call.name - 2)
        )),
    )
}

fn dotted(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, call) = book.call(rng, |view, call| {
        let is_own = book.functions.contains(view.word(call.name));
        is_own
            && !call.method
            && call
                .args
                .first()
                .is_some_and(|arg| type_of(view, arg) == Some("thing"))
    })?;
    let rest: Vec<&str> = call.args[1..].iter().map(|arg| view.source(arg)).collect();
    let new = format!(
        "{}.{}({})",
        view.source(&call.args[0]),
        view.word(call.name),
        rest.join(", ")
    );
    Some(Mutation::one(
        book,
        view.script.file,
        view.at(call.name).start..view.at(call.close).end,
        new,
    ))
}

fn quoted(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        let (before, after) = (view.before(ix), view.word(ix + 1));
        let summed = matches!(before, "+=" | "-=") && after == ";";
        let argument = before == "," && after == ")";
        view.is(ix, TokenKind::Number) && (summed || argument)
    })?;
    let new = format!("\"{}\"", view.word(ix));
    Some(Mutation::one(book, view.script.file, view.at(ix), new))
}

fn without_len(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (view, ix) = book.token(rng, |view, ix| {
        let counted = matches!(view.word(ix + 3), "<" | ">" | "<=" | ">=" | "-" | "+");
        view.word(ix) == "len" && view.before(ix) == "." && counted
    })?;
    let range = view.at(ix - 1).start..view.at(ix + 2).end;
    Some(
        Mutation::one(book, view.script.file, range, "").described(format!(
            "`{}` → without `.len()`",
            view.source(&(ix - 2..ix + 5))
        )),
    )
}

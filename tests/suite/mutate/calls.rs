//! Calls with the wrong arguments, or on the wrong thing.

use std::ops::Range;

use super::book::Book;
use super::chance::Chance;
use super::kinds::Kind;
use super::mutation::Mutation;
use super::script::{Call, View, What};

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
        text: "two arguments of different types, of a word of the engine",
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

/// Rhai's own words, which take what they take.
const OF_LISTS: &[&str] = &[
    "push", "append", "contains", "sort", "pop", "reverse", "len", "is_empty", "shuffled",
];

fn lost(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, call) = book.call(chance, |view, call| {
        let known = book.counts.get(view.word(call.name));
        let sound = known.is_some_and(|known| {
            known.contains(&count(call)) && !known.contains(&count(call).wrapping_sub(1))
        });
        !call.args.is_empty() && sound && !OF_LISTS.contains(&view.word(call.name))
    })?;
    let at = chance.below(call.args.len());
    let args: Vec<&str> = call
        .args
        .iter()
        .enumerate()
        .filter(|(ix, _)| *ix != at)
        .map(|(_, arg)| view.source(arg))
        .collect();
    Some(with_args(book, &view, &call, &args))
}

fn extra(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, call) = book.call(chance, |view, call| {
        let known = book.counts.get(view.word(call.name));
        let sound = known.is_some_and(|known| {
            known.contains(&count(call)) && !known.contains(&(count(call) + 1))
        });
        sound && !OF_LISTS.contains(&view.word(call.name))
    })?;
    let more = chance.word(&["1", "true", "\"gold\"", "2"]);
    let args: Vec<&str> = call
        .args
        .iter()
        .map(|arg| view.source(arg))
        .chain([more])
        .collect();
    Some(with_args(book, &view, &call, &args))
}

/// The same call with other arguments, told as a whole.
fn with_args(book: &Book, view: &View, call: &Call, args: &[&str]) -> Mutation {
    let start = view.at(call.name).start;
    let new = format!("{}({})", view.word(call.name), args.join(", "));
    // In a call over several lines any line of it will do.
    let mutation = Mutation::one(book, view.script.file, start..view.at(call.close).end, new);
    call.args.iter().fold(mutation, |mutation, _| {
        mutation.also(book, view.script.file, start)
    })
}

/// What an argument obviously is; nothing if that takes more than a look.
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
        (1, _) if view.is(arg.start, What::Number) => Some("number"),
        (1, _) if view.is(arg.start, What::Text) => Some("text"),
        (2, "-") if view.is(arg.start + 1, What::Number) => Some("number"),
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

fn swapped(book: &Book, chance: &mut Chance, pack: bool) -> Option<Mutation> {
    let pairs = |view: &View, call: &Call| -> Vec<(usize, usize)> {
        let types: Vec<_> = call.args.iter().map(|arg| type_of(view, arg)).collect();
        let all = (0..types.len()).flat_map(|a| (a + 1..types.len()).map(move |b| (a, b)));
        all.filter(|(a, b)| types[*a].is_some() && types[*b].is_some() && types[*a] != types[*b])
            .collect()
    };
    let (view, call) = book.call(chance, |view, call| {
        let is_own = book.functions.contains(view.word(call.name));
        is_own == pack && !pairs(view, call).is_empty()
    })?;
    let (a, b) = chance.pick(pairs(&view, &call))?;
    let mut args: Vec<&str> = call.args.iter().map(|arg| view.source(arg)).collect();
    args.swap(a, b);
    Some(with_args(book, &view, &call, &args))
}

fn swapped_engine(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    swapped(book, chance, false)
}

fn swapped_pack(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    swapped(book, chance, true)
}

/// A number stands between a seat and its method.
fn of_number(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, call) = book.call(chance, |view, call| {
        let thing = call.name.checked_sub(2).map_or("", |ix| view.word(ix));
        let seats = ["actor", "seat", "owner", "witcher"];
        let dotted = call.name > 2 && view.word(call.name - 3) == ".";
        call.method && seats.contains(&thing) && (!dotted || view.word(call.name - 4) == "event")
    })?;
    let at = view.at(call.name - 2).end;
    let counter = chance.word(&["gold", "level", "shield", "hand.len()", "trophies"]);
    Some(
        Mutation::one(book, view.script.file, at..at, format!(".{counter}")).told(format!(
            "`{}` → `{}.{counter}.{}(…)`",
            view.source(&(call.name - 2..call.name + 1)),
            view.word(call.name - 2),
            view.word(call.name)
        )),
    )
}

/// The zone between a seat and the method of a zone is left out.
fn of_holder(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let zones = [
        "hand", "deck", "discard", "potions", "trails", "played", "life", "marker", "quests",
        "craft", "used",
    ];
    let methods = [
        "pieces", "top", "shuffle", "random", "bottom", "refill", "room",
    ];
    let (view, call) = book.call(chance, |view, call| {
        let zone = call.name.checked_sub(2).map_or("", |ix| view.word(ix));
        call.method && methods.contains(&view.word(call.name)) && zones.contains(&zone) && {
            view.word(call.name - 3) == "." && view.word(call.name - 4) != "table"
        }
    })?;
    let range = view.at(call.name - 3).start..view.at(call.name - 2).end;
    Some(
        Mutation::one(book, view.script.file, range, "").told(format!(
            "`{}(…)` → without `.{}`",
            view.source(&(call.name - 4..call.name + 1)),
            view.word(call.name - 2)
        )),
    )
}

fn dotted(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, call) = book.call(chance, |view, call| {
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

fn quoted(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, ix) = book.token(chance, |view, ix| {
        let (before, after) = (view.before(ix), view.word(ix + 1));
        let summed = matches!(before, "+=" | "-=") && after == ";";
        let argument = before == "," && after == ")";
        view.is(ix, What::Number) && (summed || argument)
    })?;
    let new = format!("\"{}\"", view.word(ix));
    Some(Mutation::one(book, view.script.file, view.at(ix), new))
}

fn without_len(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let (view, ix) = book.token(chance, |view, ix| {
        let counted = matches!(view.word(ix + 3), "<" | ">" | "<=" | ">=" | "-" | "+");
        view.word(ix) == "len" && view.before(ix) == "." && counted
    })?;
    let range = view.at(ix - 1).start..view.at(ix + 2).end;
    Some(
        Mutation::one(book, view.script.file, range, "").told(format!(
            "`{}` → without `.len()`",
            view.source(&(ix - 2..ix + 5))
        )),
    )
}

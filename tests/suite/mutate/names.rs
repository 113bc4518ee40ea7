//! Names in TOML that lead to nothing: ids, fields, kinds, hooks, costs.

use super::book::{Book, Field, Shape};
use super::chance::Chance;
use super::kinds::Kind;
use super::mutation::Mutation;

pub const KINDS: &[Kind] = &[
    Kind {
        name: "misspelt reference",
        text: "the id in a field that names another entry",
        make: reference,
    },
    Kind {
        name: "misspelt phase",
        text: "a word of `window`, `turn`, `start` or `end`",
        make: phase,
    },
    Kind {
        name: "misspelt field",
        text: "the name of a field, in an entry or a table in it",
        make: field,
    },
    Kind {
        name: "misspelt kind",
        text: "the word in a `[[header]]`",
        make: kind,
    },
    Kind {
        name: "misspelt event of a hook",
        text: "the word after `on.` or `offer.`",
        make: hook,
    },
    Kind {
        name: "misspelt query of an answer",
        text: "the word after `answer.`",
        make: answer,
    },
    Kind {
        name: "misspelt follow-up",
        text: "the name of `then.…` or of `later(…)`",
        make: follow_up,
    },
    Kind {
        name: "misspelt cost",
        text: "what a `cost` is paid with",
        make: cost,
    },
    Kind {
        name: "unknown value",
        text: "a value that is none of those declared",
        make: value,
    },
    Kind {
        name: "misspelt column",
        text: "a key in one row of a table that scripts read",
        make: column,
    },
];

/// The words of a field, if each names an entry.
fn names_entries(field: &Field) -> bool {
    field.shape == Shape::Text
        && field
            .declared
            .as_ref()
            .is_some_and(|it| it.of().as_ref().unwrap_or(it).is("ref"))
}

fn is_phase(field: &Field) -> bool {
    ["window", "turn", "start", "end", "round"].contains(&field.path[0].as_str())
}

fn misspell_inside(
    book: &Book,
    chance: &mut Chance,
    fits: impl Fn(&Field) -> bool,
) -> Option<Mutation> {
    let field = chance.pick(book.fields.iter().filter(|field| fits(field)).collect())?;
    book.misspell(field.file, book.inside(field)?, chance)
}

fn misspell_key(
    book: &Book,
    chance: &mut Chance,
    fits: impl Fn(&Field) -> bool,
) -> Option<Mutation> {
    let fields = book
        .fields
        .iter()
        .filter(|field| field.is_keyed() && field.key.len() > 2 && fits(field));
    let field = chance.pick(fields.collect())?;
    book.misspell(field.file, field.key.clone(), chance)
}

fn reference(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    misspell_inside(book, chance, |field| {
        names_entries(field) && !is_phase(field)
    })
}

fn phase(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    misspell_inside(book, chance, |field| {
        names_entries(field) && is_phase(field)
    })
}

fn field(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    misspell_key(book, chance, |field| field.declared.is_some())
}

fn kind(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let entry = chance.pick(book.entries.iter().collect())?;
    let start = entry.at.start + 2;
    book.misspell(entry.file, start..start + entry.kind.len(), chance)
}

fn hook(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    misspell_key(book, chance, |field| {
        field.is_below("on") || field.is_below("offer")
    })
}

fn answer(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    misspell_key(book, chance, |field| field.is_below("answer"))
}

/// The two ends of a follow-up: either may be the one that is misspelt.
fn follow_up(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let field = chance.pick(
        book.fields
            .iter()
            .filter(|field| field.is_below("then"))
            .collect(),
    )?;
    let word = format!("later(\"{}\"", field.name());
    let entry = book.entry(field).at.clone();
    let call = entry.start + book.text(field.file)[entry].find(&word)? + "later(\"".len();
    let (one, other) = (field.key.clone(), call..call + field.name().len());
    let (broken, kept) = if chance.below(2) == 0 {
        (one, other)
    } else {
        (other, one)
    };
    Some(
        book.misspell(field.file, broken, chance)?
            .also(book, field.file, kept.start),
    )
}

fn cost(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    misspell_key(book, chance, |field| {
        let parent = field
            .path
            .split_last()
            .map_or(&[][..], |(_, parent)| parent);
        matches!(parent.last().map(String::as_str), Some("cost" | "price"))
            && field.name() != "where"
    })
}

/// A misspelt word, or a word of another field.
fn value(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    let is_enum = |field: &&Field| {
        let declared = field
            .declared
            .as_ref()
            .map(|it| it.of().unwrap_or_else(|| it.clone()));
        field.shape == Shape::Text && declared.is_some_and(|it| it.is("enum"))
    };
    let fields: Vec<&Field> = book.fields.iter().filter(is_enum).collect();
    let field = chance.pick(fields.clone())?;
    let inside = book.inside(field)?;
    if inside.is_empty() || chance.below(2) == 0 {
        return book.misspell(field.file, inside, chance);
    }
    let declared = field.declared.as_ref()?;
    let known = declared.of().unwrap_or_else(|| declared.clone());
    let others = fields
        .iter()
        .filter_map(|other| book.inside(other).map(|at| &book.text(other.file)[at]));
    let other = chance.pick(
        others
            .filter(|word| !word.is_empty() && !known.values().contains(word))
            .collect(),
    )?;
    Some(Mutation::one(book, field.file, inside, other))
}

fn column(book: &Book, chance: &mut Chance) -> Option<Mutation> {
    misspell_key(book, chance, |field| {
        book.entry(field).kind == "table" && field.path.len() == 3
    })
}

//! Unknown names in TOML: ids, fields, kinds, hooks, costs.

use super::book::{Book, Field, Shape};
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;

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
        text: "a value that is not among those declared",
        make: value,
    },
    Kind {
        name: "misspelt column",
        text: "a key in one row of a table that scripts read",
        make: column,
    },
];

/// Whether the text of a field names an entry.
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

fn misspell_inside(book: &Book, rng: &mut Rng, fits: impl Fn(&Field) -> bool) -> Option<Mutation> {
    let field = rng.pick(book.fields.iter().filter(|field| fits(field)).collect())?;
    book.misspell(field.file, book.inside(field)?, rng)
}

fn misspell_key(book: &Book, rng: &mut Rng, fits: impl Fn(&Field) -> bool) -> Option<Mutation> {
    let fields = book
        .fields
        .iter()
        .filter(|field| field.is_keyed() && field.key.len() > 2 && fits(field));
    let field = rng.pick(fields.collect())?;
    book.misspell(field.file, field.key.clone(), rng)
}

fn reference(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    misspell_inside(book, rng, |field| names_entries(field) && !is_phase(field))
}

fn phase(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    misspell_inside(book, rng, |field| names_entries(field) && is_phase(field))
}

fn field(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    misspell_key(book, rng, |field| field.declared.is_some())
}

fn kind(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let entry = rng.pick(book.entries.iter().collect())?;
    let start = entry.at.start + 2;
    book.misspell(entry.file, start..start + entry.kind.len(), rng)
}

fn hook(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    misspell_key(book, rng, |field| {
        field.is_below("on") || field.is_below("offer")
    })
}

fn answer(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    misspell_key(book, rng, |field| field.is_below("answer"))
}

/// Misspells one of the two ends of a follow-up.
fn follow_up(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let field = rng.pick(
        book.fields
            .iter()
            .filter(|field| field.is_below("then"))
            .collect(),
    )?;
    let word = format!("later(\"{}\"", field.name());
    let entry = book.entry(field).at.clone();
    let call = entry.start + book.text(field.file)[entry].find(&word)? + "later(\"".len();
    let (one, other) = (field.key.clone(), call..call + field.name().len());
    let (broken, kept) = if rng.below(2) == 0 {
        (one, other)
    } else {
        (other, one)
    };
    Some(
        book.misspell(field.file, broken, rng)?
            .also(book, field.file, kept.start),
    )
}

fn cost(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    misspell_key(book, rng, |field| {
        let parent = field
            .path
            .split_last()
            .map_or(&[][..], |(_, parent)| parent);
        matches!(parent.last().map(String::as_str), Some("cost" | "price"))
            && field.name() != "where"
    })
}

/// A misspelt value, or a value of another field.
fn value(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let is_enum = |field: &&Field| {
        let declared = field
            .declared
            .as_ref()
            .map(|it| it.of().unwrap_or_else(|| it.clone()));
        field.shape == Shape::Text && declared.is_some_and(|it| it.is("enum"))
    };
    let fields: Vec<&Field> = book.fields.iter().filter(is_enum).collect();
    let field = rng.pick(fields.clone())?;
    let inside = book.inside(field)?;
    if inside.is_empty() || rng.below(2) == 0 {
        return book.misspell(field.file, inside, rng);
    }
    let declared = field.declared.as_ref()?;
    let known = declared.of().unwrap_or_else(|| declared.clone());
    let others = fields
        .iter()
        .filter_map(|other| book.inside(other).map(|at| &book.text(other.file)[at]));
    let other = rng.pick(
        others
            .filter(|word| !word.is_empty() && !known.values().contains(word))
            .collect(),
    )?;
    Some(Mutation::one(book, field.file, inside, other))
}

fn column(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    misspell_key(book, rng, |field| {
        book.entry(field).kind == "table" && field.path.len() == 3
    })
}

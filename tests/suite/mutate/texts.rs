//! Texts: unknown placeholders, duplicate words, titles that are too long.

use super::book::{Book, Field};
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;

pub const KINDS: &[Kind] = &[
    Kind {
        name: "misspelt field in a text",
        text: "`{strenght}`",
        make: placeholder,
    },
    Kind {
        name: "lost brace in a text",
        text: "`{strength cards`",
        make: brace,
    },
    Kind {
        name: "doubled word",
        text: "“the the”",
        make: doubled,
    },
    Kind {
        name: "title too long",
        text: "a title that does not fit into a menu",
        make: title,
    },
];

/// The placeholders of a text that read a field: the name between the braces.
fn placeholders(book: &Book, field: &Field) -> Vec<std::ops::Range<usize>> {
    let Some(inside) = book.inside(field) else {
        return Vec::new();
    };
    let text = &book.text(field.file)[inside.clone()];
    let mut list = Vec::new();
    for (open, _) in text.match_indices('{') {
        let start = open + 1 + usize::from(text[open + 1..].starts_with(['?', '!']));
        let len = text[start..]
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
            .unwrap_or(0);
        if len > 1 && text[start + len..].starts_with(['}', ':']) {
            list.push(inside.start + start..inside.start + start + len);
        }
    }
    list
}

fn texts(book: &Book) -> impl Iterator<Item = &Field> {
    let is_text = |field: &&Field| {
        field.is("text") || book.entry(field).kind == "kind" && field.name() == "default"
    };
    book.fields.iter().filter(is_text)
}

fn placeholder(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let all = texts(book).flat_map(|field| {
        placeholders(book, field)
            .into_iter()
            .map(move |at| (field.file, at))
    });
    let (file, at) = rng.pick(all.collect())?;
    let name = &book.text(file)[at.clone()];
    // One name of a path, but not a row number.
    let names: Vec<&str> = name
        .split('.')
        .filter(|part| part.parse::<usize>().is_err() && part.len() > 1)
        .collect();
    let part = rng.pick(names)?;
    let start = at.start + name.find(part)?;
    book.misspell(file, start..start + part.len(), rng)
}

fn brace(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let closing = |field: &Field| {
        let at = book.inside(field).unwrap_or(0..0);
        let text = &book.text(field.file)[at.clone()];
        text.match_indices('}')
            .map(|(ix, _)| (field.file, at.start + ix))
            .collect::<Vec<_>>()
    };
    let (file, at) = rng.pick(texts(book).flat_map(closing).collect())?;
    let from = book.text(file)[..at].rfind('{')?;
    let description = format!("`{}` → without its `}}`", &book.text(file)[from..=at]);
    Some(Mutation::one(book, file, at..at + 1, "").described(description))
}

fn doubled(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let words = [
        "the", "a", "of", "to", "and", "in", "with", "you", "your", "at", "on", "for",
    ];
    let spots = texts(book).flat_map(|field| {
        let at = book.inside(field).unwrap_or(0..0);
        let text = &book.text(field.file)[at.clone()];
        let found = words.iter().flat_map(move |word| {
            text.match_indices(&format!(" {word} "))
                .map(|(ix, _)| (ix, *word))
                .collect::<Vec<_>>()
        });
        found
            .map(move |(ix, word)| (field.file, at.start + ix, word))
            .collect::<Vec<_>>()
    });
    let (file, at, word) = rng.pick(spots.collect())?;
    Some(Mutation::one(book, file, at..at, format!(" {word}")))
}

fn title(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let field = rng.pick(
        book.fields
            .iter()
            .filter(|field| field.path == ["title"])
            .collect(),
    )?;
    let at = book.inside(field)?.end;
    let tail = rng.word(&[
        ", Which Nobody in the Whole of the North Has Ever Managed to Read to Its End",
        ", or How an Honest Man Lost Three Horses, Two Hats and One Good Argument",
        " (Second and Improved Edition, with a Preface by the Author's Late Uncle)",
    ]);
    Some(Mutation::one(book, field.file, at..at, tail))
}

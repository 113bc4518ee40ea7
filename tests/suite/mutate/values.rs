//! Values that do not match their declaration: wrong types, out of range, missing or duplicate.

use super::book::{Book, Field, Shape};
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;

pub const KINDS: &[Kind] = &[
    Kind {
        name: "number out of range",
        text: "below the declared `min` or above the `max`",
        make: out_of_range,
    },
    Kind {
        name: "number as text",
        text: "`life = 10` becomes `life = \"10\"`, or a word",
        make: number_as_text,
    },
    Kind {
        name: "text as number",
        text: "a string or a script becomes a number",
        make: text_as_number,
    },
    Kind {
        name: "wrong shape",
        text: "a list or a table becomes something else, or the other way round",
        make: shape,
    },
    Kind {
        name: "required field removed",
        text: "a field without a default is gone",
        make: required,
    },
    Kind {
        name: "duplicate field",
        text: "the same key twice in an entry",
        make: twice,
    },
    Kind {
        name: "source removed",
        text: "an entry that does not say where it comes from",
        make: source,
    },
    Kind {
        name: "unknown type",
        text: "a type or a target misspelt where a kind declares a field",
        make: declared_type,
    },
];

fn change(book: &Book, field: &Field, new: impl Into<String>) -> Mutation {
    Mutation::one(book, field.file, field.value.clone(), new)
}

/// Fields with this shape and one of these declared types.
fn typed<'b>(book: &'b Book, shape: Shape, types: &[&str]) -> Vec<&'b Field> {
    book.fields
        .iter()
        .filter(|field| field.shape == shape && types.iter().any(|name| field.is(name)))
        .collect()
}

fn out_of_range(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let bounded = typed(book, Shape::Number, &["int"])
        .into_iter()
        .filter_map(|field| {
            let declared = field.declared.as_ref()?;
            let below = declared.number("min").map(|min| min - 1);
            let above = declared.number("max").map(|max| max + 1);
            (below.is_some() || above.is_some()).then_some((field, below, above))
        });
    // The chapter numbers of quests have their own mutations.
    let bounded = bounded.filter(|(field, ..)| field.name() != "chapter");
    let (field, below, above) = rng.pick(bounded.collect())?;
    let far = i64::try_from(rng.below(4)).unwrap_or(0) * 7;
    let ends = [below.map(|n| n - far), above.map(|n| n + far)];
    let new = rng.pick(ends.into_iter().flatten().collect())?;
    Some(change(book, field, new.to_string()))
}

fn number_as_text(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let field = rng.pick(typed(book, Shape::Number, &["int"]))?;
    let old = &book.text(field.file)[field.value.clone()];
    let new = if rng.below(2) == 0 {
        old
    } else {
        rng.word(&["one", "two", "three", "many", "none"])
    };
    Some(change(book, field, format!("\"{new}\"")))
}

fn text_as_number(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let field = rng.pick(typed(
        book,
        Shape::Text,
        &["text", "string", "enum", "ref", "script"],
    ))?;
    let new = (1 + rng.below(9)).to_string();
    Some(change(book, field, new))
}

fn shape(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    match rng.below(4) {
        0 => {
            let field = rng.pick(typed(book, Shape::Bool, &["bool"]))?;
            Some(change(book, field, rng.word(&["\"true\"", "1", "\"yes\""])))
        }
        1 => {
            let inline =
                |field: &&Field| book.text(field.file)[field.value.clone()].starts_with('{');
            let tables = typed(book, Shape::Table, &["table", "cost"])
                .into_iter()
                .filter(inline);
            let field = rng.pick(tables.collect())?;
            Some(change(book, field, rng.word(&["3", "\"gold\"", "true"])))
        }
        2 => {
            let inline =
                |field: &&Field| book.text(field.file)[field.value.clone()].starts_with('[');
            let field = rng.pick(
                typed(book, Shape::List, &["list"])
                    .into_iter()
                    .filter(inline)
                    .collect(),
            )?;
            Some(change(book, field, rng.word(&["3", "true"])))
        }
        _ => {
            let fields = typed(
                book,
                Shape::Text,
                &["text", "string", "enum", "ref", "script"],
            );
            let field = rng.pick(
                fields
                    .into_iter()
                    .filter(|field| field.is_keyed())
                    .collect(),
            )?;
            let old = &book.text(field.file)[field.value.clone()];
            let new = if rng.below(2) == 0 {
                format!("[{old}]")
            } else {
                format!("{{ id = {old} }}")
            };
            // Only single lines: an inline table cannot span lines.
            if old.contains('\n') {
                None
            } else {
                Some(change(book, field, new))
            }
        }
    }
}

fn required(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let is_required = |field: &&Field| {
        field.is_keyed()
            && field
                .declared
                .as_ref()
                .is_some_and(super::schema::Declared::is_required)
    };
    let field = rng.pick(book.fields.iter().filter(is_required).collect())?;
    let range = book.whole(field)?;
    let header = book.header_above(field.file, field.key.start);
    let line = book.text(field.file)[..field.key.start]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let inline = range.start > line;
    let id = book
        .field(field.entry, &["id"])
        .map_or(header, |id| id.key.start);
    let mutation = Mutation::one(book, field.file, range, "");
    let places = if inline {
        vec![(field.file, line)]
    } else {
        vec![(field.file, header)]
    };
    let same = book.header_above(field.file, id) == header && !inline && field.name() != "id";
    let places = [
        places,
        if same {
            vec![(field.file, id)]
        } else {
            Vec::new()
        },
    ]
    .concat();
    Some(
        mutation
            .only(book, &places)
            .described(format!("without `{}`", field.path.join("."))),
    )
}

fn twice(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let fields = book.fields.iter().filter(|field| {
        let whole = field.is_keyed().then(|| book.whole(field)).flatten();
        whole.is_some_and(|range| book.text(field.file)[range].matches('\n').count() == 1)
    });
    let field = rng.pick(fields.collect())?;
    let whole = book.whole(field)?;
    let line = book.text(field.file)[whole.clone()].to_owned();
    let mutation = Mutation::one(book, field.file, whole.end..whole.end, line);
    Some(mutation.also(book, field.file, whole.start))
}

fn source(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let field = rng.pick(
        book.fields
            .iter()
            .filter(|field| field.path == ["source"])
            .collect(),
    )?;
    let id = book.field(field.entry, &["id"])?;
    let header = book.header_above(field.file, field.key.start);
    let mutation = Mutation::one(book, field.file, book.whole(field)?, "");
    Some(mutation.only(book, &[(field.file, header), (field.file, id.key.start)]))
}

fn declared_type(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let is_type = |field: &&Field| {
        let short =
            field.path.len() == 2 && field.path[0] == "fields" && field.shape == Shape::Text;
        book.entry(field).kind == "kind"
            && (short || matches!(field.name(), "type" | "to") && field.path.len() == 3)
    };
    let field = rng.pick(book.fields.iter().filter(is_type).collect())?;
    book.misspell(field.file, book.inside(field)?, rng)
}

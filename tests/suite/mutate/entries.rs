//! Entries that are missing, duplicate or unreachable.

use std::ops::Range;

use super::book::{Book, Entry};
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;

pub const KINDS: &[Kind] = &[
    Kind {
        name: "entry removed",
        text: "an entry that others or scripts name is gone",
        make: removed,
    },
    Kind {
        name: "entry copied",
        text: "the same entry twice, with the same id",
        make: copied,
    },
    Kind {
        name: "entry orphaned",
        text: "the only line that names an entry is gone",
        make: orphaned,
    },
    Kind {
        name: "entry never used",
        text: "a new entry that nothing names",
        make: unused,
    },
    Kind {
        name: "place cut off",
        text: "every route of a place is gone",
        make: cut_off,
    },
];

/// Kinds whose entries are referenced by others.
const REFERENCED: &[&str] = &[
    "chain",
    "counter",
    "die",
    "effect",
    "event",
    "fight",
    "kind",
    "location",
    "phase",
    "query",
    "school",
    "statistic",
    "table",
    "zone",
];

/// Where an id is used as a name: in quotation marks, after a dot, before an equals sign, or as
/// part of a constructed name.
fn mentions(book: &Book, entry: &Entry) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    for (file, text) in book
        .files
        .iter()
        .enumerate()
        .map(|(ix, file)| (ix, &file.text))
    {
        for (at, _) in text.match_indices(&entry.id) {
            let (before, after) = (&text[..at], &text[at + entry.id.len()..]);
            let quoted = before.ends_with(['"', '/']) && after.starts_with(['"', '?', '*']);
            let read = before.ends_with('.')
                && !after.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '(');
            let key = before.ends_with(['.', ' ', '_', '\n', '['])
                && (after.starts_with(" =") || after.starts_with("]]"));
            let own = file == entry.file && entry.at.contains(&at);
            if (quoted || read || key) && !own {
                list.push((file, at));
            }
        }
    }
    for view in book.views() {
        let parts = view
            .script
            .tokens
            .iter()
            .filter(|token| token.kind == super::script::TokenKind::Part);
        for part in parts {
            let fixed = &view.text[part.at.clone()];
            let joined = fixed.len() > 2 && !fixed.contains(' ') && fixed.contains('_');
            if joined && (entry.id.starts_with(fixed) || entry.id.ends_with(fixed)) {
                list.push((view.script.file, part.at.start));
            }
        }
    }
    list
}

fn removed(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let entries = book
        .entries
        .iter()
        .filter(|entry| REFERENCED.contains(&entry.kind.as_str()));
    let entry = rng.pick(entries.collect())?;
    let places = mentions(book, entry);
    if places.is_empty() {
        return None;
    }
    let mutation = Mutation::one(book, entry.file, entry.at.clone(), "").only(book, &places);
    Some(mutation.described(format!("{} `{}` → nothing", entry.kind, entry.id)))
}

fn copied(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let entry = rng.pick(book.entries.iter().collect())?;
    let text = book.text(entry.file)[entry.at.clone()].to_owned();
    let id = entry.at.start + text.find("\nid = ")? + 1;
    let mutation = Mutation::one(
        book,
        entry.file,
        entry.at.end..entry.at.end,
        format!("\n{text}"),
    );
    let mut mutation = mutation.only(book, &[(entry.file, entry.at.start), (entry.file, id)]);
    let lines = text.matches('\n').count() + 1;
    let copies: Vec<(usize, usize)> = mutation
        .at
        .iter()
        .map(|(file, line)| (*file, line + lines))
        .collect();
    mutation.at.extend(copies);
    Some(mutation.described(format!("{} `{}` → two of them", entry.kind, entry.id)))
}

/// The statement around a place in a script, if it is complete.
fn statement(text: &str, at: usize) -> Option<Range<usize>> {
    let start = text[..at].rfind([';', '{', '}', '\'', '\n'])? + 1;
    let end = at + text[at..].find(';')? + 1;
    let whole = text[start..end].trim();
    let even =
        |open: char, close: char| whole.matches(open).count() == whole.matches(close).count();
    let is_complete = even('(', ')') && even('{', '}') && !whole.starts_with("let ");
    is_complete.then_some(start..end)
}

/// Removes the only statement that names an entry.
fn orphaned(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let mentioned_once = book.entries.iter().filter_map(|entry| {
        let kinds = ["counter", "die", "effect", "statistic", "table", "zone"];
        if !kinds.contains(&entry.kind.as_str()) {
            return None;
        }
        let places = mentions(book, entry);
        (places.len() == 1).then(|| (entry, places[0]))
    });
    let removable = mentioned_once.filter_map(|(entry, (file, at))| {
        statement(book.text(file), at).map(|it| (entry, file, it))
    });
    let (entry, file, range) = rng.pick(removable.collect())?;
    let mutation = Mutation::one(book, file, range.clone(), "");
    Some(mutation.also(book, entry.file, entry.at.start).also(
        book,
        entry.file,
        entry.at.start + entry.kind.len() + 5,
    ))
}

fn unused(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let bodies = [
        ("counter", ""),
        ("zone", ""),
        ("effect", "on.turn_start = 'subject().draw(1);'\n"),
        ("phase", "do = 'refill_pool();'\n"),
        ("table", "rows = [1, 2, 3]\n"),
        ("die", "faces = [1, 2, 3]\n"),
        ("statistic", ""),
    ];
    let (kind, body) = bodies[rng.below(bodies.len())];
    let first = rng.word(&["amber", "birch", "copper", "dusty", "elder", "frozen"]);
    let second = rng.word(&[
        "lantern", "ledger", "saddle", "whistle", "kettle", "thimble",
    ]);
    let toml = book
        .entries
        .iter()
        .filter(|entry| entry.kind != "kind" && book.files[entry.file].name != "pack.toml");
    let after = rng.pick(toml.collect())?;
    let id = if matches!(kind, "counter" | "zone") {
        format!("{first}_{second}")
    } else {
        format!("{first}-{second}")
    };
    let title = if kind == "table" {
        ""
    } else {
        "title = \"Something\"\n"
    };
    let new = format!("\n[[{kind}]]\nid = \"{id}\"\n{title}source = \"original\"\n{body}");
    let mutation = Mutation::one(book, after.file, after.at.end..after.at.end, new);
    let (file, line) = mutation.at[0];
    let mut mutation = mutation;
    mutation.at = vec![(file, line + 1), (file, line + 2)];
    Some(mutation)
}

fn cut_off(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (ix, place) = rng.pick(
        book.entries
            .iter()
            .enumerate()
            .filter(|(_, it)| it.kind == "location")
            .collect(),
    )?;
    let id = book.field(ix, &["id"])?;
    let leads = |route: &usize| {
        let end = |name: &str| {
            book.field(*route, &[name])
                .and_then(|field| book.inside(field))
        };
        ["from", "to"]
            .iter()
            .filter_map(|name| end(name))
            .any(|at| book.text(place.file)[at] == place.id)
    };
    let routes = (0..book.entries.len())
        .filter(|ix| book.entries[*ix].kind == "route")
        .filter(leads);
    let edits: Vec<_> = routes
        .map(|ix| (book.entries[ix].at.clone(), String::new()))
        .collect();
    let count = edits.len();
    let mutation = Mutation::new(book, place.file, edits);
    let places = [(place.file, place.at.start), (place.file, id.key.start)];
    Some(
        mutation
            .only(book, &places)
            .described(format!("the {count} routes of `{}` → nothing", place.id)),
    )
}

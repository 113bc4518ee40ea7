//! The pack as a whole: its manifest, and modes that cannot start.

use super::book::{Book, Field, Shape};
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;

pub const KINDS: &[Kind] = &[
    Kind {
        name: "wrong manifest",
        text: "an invalid version, a missing pack, another engine",
        make: manifest,
    },
    Kind {
        name: "mode that cannot start",
        text: "no seats, a setup or roles that do not exist, no turn",
        make: mode,
    },
    Kind {
        name: "setup that fails",
        text: "it takes more than there is, or looks one item too far",
        make: set_up,
    },
    Kind {
        name: "row missing",
        text: "a table too short for what scripts look up in it",
        make: row,
    },
];

/// Replaces text in a file.
fn line(book: &Book, file: &str, old: &str, new: &str) -> Option<Mutation> {
    let file = book.file(file);
    let at = book.text(file).find(old)?;
    Some(Mutation::one(book, file, at..at + old.len(), new))
}

fn manifest(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let number = 2 + rng.below(8);
    let (old, new) = match rng.below(6) {
        0 => ("version = \"1.0.0\"", format!("version = \"{number}.0\"")),
        1 => (
            "version = \"1.0.0\"",
            rng.word(&["version = \"new\"", "version = \"v1\"", "version = 1"])
                .to_owned(),
        ),
        2 => ("engine = \"2\"", format!("engine = \"{number}\"")),
        3 => (
            "engine = \"2\"",
            format!(
                "engine = \"2\"\ndepends = [\"{}\"]",
                rng.word(&["base", "old-wrold", "cards", "core"])
            ),
        ),
        4 => (
            "id = \"old-world\"",
            rng.word(&["id = \"Old World\"", "id = \"old world\"", "id = \"\""])
                .to_owned(),
        ),
        _ => (
            "version = \"1.0.0\"",
            rng.word(&["verson = \"1.0.0\"", "versoin = \"1.0.0\""])
                .to_owned(),
        ),
    };
    let mutation = line(book, "pack.toml", old, &new)?;
    Some(if new.contains("depends") {
        mutation.or_below()
    } else {
        mutation
    })
}

fn mode(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let seats = rng.word(&["0", "two to five", "5..=2", "2-5", "many", ""]);
    match rng.below(6) {
        0 => line(
            book,
            "pack.toml",
            "seats = \"2..=5\"",
            &format!("seats = \"{seats}\""),
        ),
        1 => line(
            book,
            "solo.toml",
            "seats = \"1\"",
            &format!("seats = \"{seats}\""),
        ),
        2 => {
            let new = rng.word(&[
                "setup = \"setup\"",
                "setup = \"set_pu\"",
                "setup = \"start_game\"",
            ]);
            line(book, "pack.toml", "setup = \"set_up\"", new)
        }
        3 => line(
            book,
            "pack.toml",
            "roles = \"school\"",
            rng.word(&["roles = \"shcool\"", "roles = \"witcher\""]),
        ),
        4 => line(
            book,
            "pack.toml",
            "turn = [\"roads\", \"deed\", \"rest\"]",
            "turn = []",
        ),
        _ => line(
            book,
            "solo.toml",
            "extends = \"hunt\"",
            rng.word(&["extends = \"hnut\"", "extends = \"solo\""]),
        ),
    }
}

/// Each of these fails for at least one number of players.
fn set_up(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let far = 4 + rng.below(6);
    let (old, new) = match rng.below(8) {
        0 => ("0..order.len() - 3", format!("0..order.len() * {far}")),
        1 => (
            "chance(all_seats().len()) - 1]",
            "chance(all_seats().len())]".to_owned(),
        ),
        2 => (
            "seat(1)",
            format!("seat({})", if far.is_multiple_of(2) { 0 } else { far + 5 }),
        ),
        3 => ("open[0]", format!("open[{}]", far + 1)),
        4 => ("[order.len() - 1];", "[order.len()];".to_owned()),
        5 => ("random(1)[0]", format!("random(1)[{}]", far - 3)),
        6 => ("levels[ix]);", format!("levels[ix + {}]);", far - 3)),
        _ => (
            "order[order.len() - 1].left",
            "order[order.len()].left".to_owned(),
        ),
    };
    line(book, "setup.rhai", old, &new)
}

/// Removes the last element of a list in a table that scripts read.
fn row(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let lists = book.fields.iter().filter(|field| {
        let kind = book.entry(field).kind.as_str();
        let asked = [
            "starting",
            "shield-caps",
            "level-draws",
            "poker-ranks",
            "solo-poker",
        ]
        .contains(&book.entry(field).id.as_str());
        let levels = kind == "specialty" && field.name() == "levels";
        field.shape == Shape::List && (levels || kind == "table" && asked)
    });
    let list = rng.pick(lists.collect())?;
    let last = book.fields.iter().filter(|field| {
        field.entry == list.entry
            && field.path.len() == list.path.len() + 1
            && field.path.starts_with(&list.path)
    });
    let last: &Field = last.max_by_key(|field| field.value.start)?;
    let text = book.text(list.file);
    let from = text[..last.value.start].trim_end().len();
    let from = if text[..from].ends_with(',') {
        from - 1
    } else {
        from
    };
    let mutation = Mutation::one(book, list.file, from..last.value.end, "");
    let mutation = mutation.described(format!(
        "`{}` of `{}` → without it",
        &text[last.value.clone()],
        book.entry(list).id
    ));
    let id = &book.entry(list).id;
    // The places where it is looked up are correct as well.
    let looked = format!("table(\"{id}\")");
    let mut places: Vec<(usize, usize)> = vec![
        (list.file, list.key.start),
        (list.file, book.entry(list).at.start),
    ];
    places.extend((0..book.files.len()).flat_map(|file| {
        let all = book
            .text(file)
            .match_indices(&looked)
            .map(|(at, _)| (file, at))
            .collect::<Vec<_>>();
        all.into_iter()
    }));
    // A text may mention the row.
    places.extend(
        book.field(list.entry, &["text"])
            .filter(|_| book.entry(list).kind == "specialty")
            .map(|it| (it.file, it.key.start)),
    );
    Some(places.into_iter().fold(mutation, |mutation, (file, at)| {
        mutation.also(book, file, at)
    }))
}

//! Stories that lead nowhere, or whose texts do not match their scripts.

use super::book::{Book, Field, Shape, line_starts};
use super::kinds::Kind;
use super::mutation::Mutation;
use super::rng::Rng;
use super::script::{TokenKind, View};
use super::statements::story_scripts;

pub const KINDS: &[Kind] = &[
    Kind {
        name: "quest for no chapter",
        text: "a quest with the id of a chapter that does not exist",
        make: no_chapter,
    },
    Kind {
        name: "chapter removed",
        text: "a chapter is gone, and quests still lead to it",
        make: removed,
    },
    Kind {
        name: "chapter renumbered",
        text: "two chapters with the same number",
        make: renumbered,
    },
    Kind {
        name: "quest for no place",
        text: "a quest to a place that does not exist",
        make: no_place,
    },
    Kind {
        name: "quest without a goal",
        text: "a quest with neither a place nor a terrain",
        make: nowhere,
    },
    Kind {
        name: "text off by one",
        text: "a number in a text, the script unchanged",
        make: text_off,
    },
    Kind {
        name: "script off by one",
        text: "a number in a script, the text unchanged",
        make: script_off,
    },
    Kind {
        name: "part of a story missing",
        text: "a test without `test`, a fight without `foe`, no `failure`",
        make: part,
    },
    Kind {
        name: "duplicate option",
        text: "two options of a card with the same id",
        make: option_twice,
    },
];

/// The fields of this name in stories.
fn stories<'b>(book: &'b Book, name: &str) -> Vec<&'b Field> {
    let is_story =
        |field: &&Field| matches!(book.entry(field).kind.as_str(), "exploration" | "chapter");
    book.fields
        .iter()
        .filter(is_story)
        .filter(|field| field.name() == name)
        .collect()
}

fn quests(book: &Book) -> Vec<&Field> {
    stories(book, "chapter")
}

fn no_chapter(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let field = rng.pick(quests(book))?;
    let new = format!("\"the-lost-chapter-{}\"", rng.below(40));
    Some(Mutation::one(book, field.file, field.value.clone(), new))
}

/// The quests that lead to a chapter.
fn leading(book: &Book, id: &str) -> Vec<(usize, usize)> {
    let fits = |field: &&Field| book.text(field.file)[field.value.clone()].trim_matches('"') == id;
    quests(book)
        .into_iter()
        .filter(fits)
        .map(|field| (field.file, field.value.start))
        .collect()
}

/// The number field of a chapter, its value, and the quests that lead to it.
type Numbered<'b> = (&'b Field, &'b str, Vec<(usize, usize)>);

fn chapters(book: &Book) -> Vec<Numbered<'_>> {
    let numbers = stories(book, "number")
        .into_iter()
        .map(|field| (field, &book.text(field.file)[field.value.clone()]));
    let with = numbers.map(|(field, number)| {
        let quests = leading(book, &book.entry(field).id);
        (field, number, quests)
    });
    with.filter(|(.., quests)| !quests.is_empty()).collect()
}

fn removed(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let (field, _, quests) = rng.pick(chapters(book))?;
    let entry = book.entry(field);
    let own = |place: &(usize, usize)| place.0 == entry.file && entry.at.contains(&place.1);
    let quests: Vec<(usize, usize)> = quests.into_iter().filter(|place| !own(place)).collect();
    if quests.is_empty() {
        return None;
    }
    let mutation = Mutation::one(book, entry.file, entry.at.clone(), "").only(book, &quests);
    Some(mutation.described(format!("chapter `{}` → nothing", entry.id)))
}

fn renumbered(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let all = chapters(book);
    let (other, number, _) = rng.pick(all.clone())?;
    let (field, old, _) = rng.pick(all)?;
    if old == number {
        return None;
    }
    let mutation = Mutation::one(book, field.file, field.value.clone(), number);
    let mutation = mutation.also(book, other.file, other.value.start);
    Some(mutation.described(format!(
        "number {old} of `{}` → {number}",
        book.entry(field).id
    )))
}

fn no_place(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let field = rng.pick(stories(book, "place"))?;
    if rng.below(2) == 0 {
        return book.misspell(field.file, book.inside(field)?, rng);
    }
    let names = [
        "oxenfurt",
        "crows-perch",
        "white-orchard",
        "lindenvale",
        "blackbough",
        "midcopse",
    ];
    Some(Mutation::one(
        book,
        field.file,
        book.inside(field)?,
        rng.word(&names),
    ))
}

fn nowhere(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let ways = [stories(book, "place"), stories(book, "terrain")].concat();
    let field = rng.pick(
        ways.into_iter()
            .filter(|field| field.path.iter().any(|it| it == "quest"))
            .collect(),
    )?;
    Some(
        Mutation::one(book, field.file, book.whole(field)?, "").described(format!(
            "`{}` → without it",
            &book.text(field.file)[field.key.start..field.value.end]
        )),
    )
}

/// The positions of the numbers in a text that describe an effect.
fn promises(text: &str) -> Vec<usize> {
    let what = [
        "gold", "card", "cards", "potion", "potions", "more", "fewer", "less", "mountain",
        "forest", "water", "trail", "damage",
    ];
    let before = ["by", "cost", "to", "of", "level", "on"];
    let digits = text.char_indices().filter(|(at, c)| {
        let (left, right) = (&text[..*at], &text[at + c.len_utf8()..]);
        let alone = !left.ends_with(|c: char| c.is_alphanumeric() || c == '.')
            && !right.starts_with(|c: char| c.is_alphanumeric());
        c.is_ascii_digit() && alone
    });
    let speaks = digits.filter(|(at, _)| {
        let next = text[at + 1..]
            .trim_start()
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or("");
        let last = text[..*at]
            .trim_end()
            .rsplit(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or("");
        what.contains(&next) || before.contains(&last)
    });
    // A placeholder without a space reads a field, and is always right.
    let free = speaks.filter(|(at, _)| {
        let open = text[..*at]
            .rfind('{')
            .filter(|open| !text[*open..*at].contains('}'));
        open.is_none_or(|open| text[open..*at].contains(' '))
    });
    free.map(|(at, _)| at).collect()
}

/// One more, or one fewer if that is still positive.
fn off_by_one(old: &str, rng: &mut Rng) -> Option<String> {
    let old: usize = old.parse().ok()?;
    Some(
        if old > 1 && rng.below(2) == 0 {
            old - 1
        } else {
            old + 1
        }
        .to_string(),
    )
}

/// The text that describes what a script of a story does.
fn description_of<'b>(book: &'b Book, script: &Field) -> Option<&'b Field> {
    let (_, parent) = script.path.split_last()?;
    book.fields.iter().find(|field| {
        field.entry == script.entry
            && field.name() == "result"
            && field.path.split_last().is_some_and(|(_, it)| it == parent)
    })
}

/// Texts and the scripts that they describe.
fn texts_with_scripts(book: &Book) -> Vec<(&Field, &Field)> {
    let stories = story_scripts(book)
        .into_iter()
        .filter_map(|(field, _)| Some((description_of(book, field)?, field)));
    let kinds = ["potion", "witcher_trophy", "rule", "location"];
    let cards = book.fields.iter().filter(|field| {
        let kind = book.entry(field).kind.as_str();
        kinds.contains(&kind) && matches!(field.name(), "text" | "label") && field.path.len() == 1
    });
    let script = |field: &Field| {
        let own = book
            .fields
            .iter()
            .filter(move |other| other.entry == field.entry && book.script_of(other).is_some());
        own.rev()
            .find(|other| other.shape == Shape::Text && other.name() != "each")
    };
    stories
        .chain(cards.filter_map(|field| Some((field, script(field)?))))
        .collect()
}

fn text_off(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let spots = texts_with_scripts(book)
        .into_iter()
        .flat_map(|(text, script)| {
            let inside = book.inside(text).unwrap_or(0..0);
            let found = promises(&book.text(text.file)[inside.clone()]);
            found
                .into_iter()
                .map(move |at| (text, script, inside.start + at))
        });
    let (text, script, at) = rng.pick(spots.collect())?;
    let new = off_by_one(&book.text(text.file)[at..=at], rng)?;
    let around = &book.text(text.file)[..at];
    let from = around
        .rfind(['.', '"', '{', '\n', ':'])
        .map_or(at, |from| from + 1);
    let description = format!("“{}” → {new}", &book.text(text.file)[from..=at].trim());
    let mutation = Mutation::one(book, text.file, at..at + 1, new).described(description);
    // Any line of the script may contain the other number.
    let lines = line_starts(book.text(script.file)).filter(|line| script.value.contains(line));
    let places = [script.key.start].into_iter().chain(lines);
    Some(places.fold(mutation, |mutation, at| {
        mutation.also(book, script.file, at)
    }))
}

fn script_off(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let spots = story_scripts(book).into_iter().flat_map(|(field, view)| {
        let described =
            description_of(book, field).and_then(|text| Some((text, book.inside(text)?)));
        let described = described.map(|(text, at)| (text, &book.text(text.file)[at]));
        let numbers: Vec<usize> = (0..view.len()).filter(|ix| is_amount(&view, *ix)).collect();
        let mentioned = numbers.into_iter().filter_map(move |ix| {
            let (text, described) = described?;
            let own = promises(described)
                .into_iter()
                .any(|at| described[at..].starts_with(view.word(ix)));
            own.then_some((
                text,
                View {
                    script: view.script,
                    text: view.text,
                },
                ix,
            ))
        });
        mentioned.collect::<Vec<_>>()
    });
    let (text, view, ix) = rng.pick(spots.collect())?;
    let new = off_by_one(view.word(ix), rng)?;
    let description = format!(
        "`{} {}` → {new}",
        view.word(ix.saturating_sub(2)),
        view.source(&(ix - 1..ix + 1))
    );
    let mutation = Mutation::one(book, view.script.file, view.at(ix), new);
    Some(
        mutation
            .also(book, text.file, text.key.start)
            .described(description),
    )
}

/// Whether a token is the amount of a gain or a loss.
fn is_amount(view: &View, ix: usize) -> bool {
    let (before, after) = (view.before(ix), view.word(ix + 1));
    let given =
        matches!(before, "+=" | "-=") || (matches!(before, "," | "-" | "(") && after == ")");
    view.is(ix, TokenKind::Number) && given
}

/// Removes a part that a chapter of its type needs.
fn part(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let chapters = book
        .fields
        .iter()
        .filter(|field| field.path.len() == 1 && book.entry(field).kind == "chapter");
    let parts = chapters.filter(|field| {
        let typed = book
            .field(field.entry, &["type"])
            .map_or("", |it| &book.text(it.file)[it.value.clone()]);
        let needed = match typed {
            "\"test\"" => ["test", "success", "failure"],
            "\"fight\"" => ["foe", "success", "failure"],
            _ => ["", "", ""],
        };
        needed.contains(&field.name())
    });
    let field = rng.pick(parts.collect())?;
    let text = book.text(field.file);
    let header = format!("[chapter.{}]\n", field.name());
    let entry = book.entry(field);
    let range = match text[entry.at.clone()].find(&header) {
        Some(at) => {
            let start = entry.at.start + at;
            let rest = &text[start + 1..entry.at.end];
            start
                ..rest
                    .find("\n[")
                    .map_or(entry.at.end, |end| start + 1 + end + 1)
        }
        None => book.whole(field)?,
    };
    let (id, typed) = (
        book.field(field.entry, &["id"])?,
        book.field(field.entry, &["type"])?,
    );
    let mutation = Mutation::one(book, field.file, range, "");
    let places = [entry.at.start, id.key.start, typed.key.start].map(|at| (field.file, at));
    Some(mutation.only(book, &places).described(format!(
        "`{}` of `{}` → nothing",
        field.name(),
        entry.id
    )))
}

fn option_twice(book: &Book, rng: &mut Rng) -> Option<Mutation> {
    let ids = book
        .fields
        .iter()
        .filter(|field| field.path.len() == 3 && field.path[0] == "option" && field.name() == "id");
    let ids: Vec<&Field> = ids.collect();
    let field = rng.pick(ids.clone())?;
    let other = ids
        .into_iter()
        .find(|other| other.entry == field.entry && other.path != field.path)?;
    let new = &book.text(other.file)[book.inside(other)?];
    let mutation = Mutation::one(book, field.file, book.inside(field)?, new).also(
        book,
        other.file,
        other.key.start,
    );
    let headers = [field, other].map(|it| book.header_above(it.file, it.key.start));
    Some(
        headers
            .into_iter()
            .fold(mutation, |mutation, at| mutation.also(book, field.file, at)),
    )
}

//! The front page, and the page of a pack.

use std::collections::BTreeMap;

use super::book::{Here, Shown};
use super::html::{
    Html, classed, code, counted, joined, list, paragraphs, prose, section, table, tag, tag_with,
};
use super::{frame, paths, values};
use crate::check::capabilities;
use crate::pack::{Change, ENGINE, Op, Value};

/// The front page.
pub fn index(here: &Here) -> Html {
    let book = here.book;
    let mut body = frame::heading("Reference for authors", None);
    let text = format!(
        "Everything a pack can say to engine {ENGINE} of Kaer, and what these packs say. `kaer docs` writes it anew."
    );
    body.push(tag("p", prose(&text)));
    let rows = [
        (
            paths::WORDS,
            "Words of scripts",
            format!(
                "{} by topic, each with an example that is run.",
                counted(book.words.len(), "word")
            ),
        ),
        (
            paths::EVENTS,
            "Events and queries",
            "What happens and what is asked, in the order in which it comes.".to_owned(),
        ),
        (
            paths::KINDS,
            "Kinds",
            "What may stand in a file: the engine's own kinds, and what every entry may have."
                .to_owned(),
        ),
    ];
    body.push(section(
        "The engine",
        table(
            ["page", "what is there"],
            rows.map(|(path, title, text)| [here.link(path, title), text.into()]),
        ),
    ));
    let rows = book.packs.iter().enumerate().map(|(ix, shown)| {
        let manifest = &shown.pack.manifest;
        let entries = book.of_pack(ix).count();
        [
            here.link(&paths::of_pack(&manifest.id, "index"), shown.title()),
            manifest.version.to_string().into(),
            entries.to_string().into(),
            manifest.description.as_str().into(),
        ]
    });
    body.push(section(
        "Packs",
        table(["pack", "version", "entries", "what it is"], rows),
    ));
    body
}

/// The page of a pack. `links` are its pages that show it as a whole.
pub fn page(here: &Here, pack: usize, shown: &Shown, links: &[(String, &str)]) -> Html {
    let manifest = &shown.pack.manifest;
    let mut body = frame::heading(shown.title(), Some("Pack"));
    body.push(paragraphs(&manifest.description));
    let needs = joined(manifest.needs().map(|need| pack_link(here, &need.id)), ", ");
    let facts = [
        ("id", code(&manifest.id)),
        ("version", manifest.version.to_string().into()),
        ("by", manifest.authors.join(", ").into()),
        ("license", manifest.license.as_str().into()),
        ("builds on", needs),
        ("sources", sources(here, pack)),
    ];
    let rows = facts.into_iter().filter(|(_, value)| !value.is_empty());
    body.push(tag(
        "table",
        rows.map(|(name, value)| tag("tr", [tag("th", name), tag("td", value)]))
            .collect::<Html>(),
    ));
    body.push(section(
        "As a whole",
        list(links.iter().map(|(path, title)| here.link(path, *title))),
    ));
    body.push(section("Modes", modes(here, pack, shown)));
    body.push(section("Entries", entries(here, pack, shown)));
    body.push(changes(here, shown));
    body.push(section("What its scripts do", abilities(here, shown)));
    body
}

/// A link to a pack that is shown, or its id.
fn pack_link(here: &Here, id: &str) -> Html {
    let known = here
        .book
        .packs
        .iter()
        .find(|shown| shown.pack.manifest.id == id);
    known.map_or_else(
        || id.into(),
        |shown| here.link(&paths::of_pack(id, "index"), shown.title()),
    )
}

/// How many entries come from where, as they say themselves.
fn sources(here: &Here, pack: usize) -> Html {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for source in here
        .book
        .of_pack(pack)
        .filter_map(|(_, item)| item.entry.text("source"))
    {
        *all.entry(source).or_default() += 1;
    }
    all.iter()
        .map(|(source, count)| format!("{source} ({count})"))
        .collect::<Vec<_>>()
        .join(", ")
        .into()
}

fn modes(here: &Here, pack: usize, shown: &Shown) -> Html {
    let lines = here.book.shelf.modes();
    let own = here
        .book
        .of_pack(pack)
        .filter(|(_, item)| matches!(&*item.entry.kind, "mode" | "option"));
    let rows = own.map(|(at, item)| {
        let name = format!("{}:{}", shown.pack.manifest.id, item.entry.id);
        let line = lines
            .iter()
            .find(|line| line.name == name && item.entry.kind == "mode");
        let seats = line.map_or_else(|| "an option".to_owned(), crate::shelf::ModeLine::players);
        let text = values::filled(here.book, at, &[], item.entry.text("text").unwrap_or(""));
        [
            here.entry(at),
            code(&item.entry.id),
            seats.into(),
            text.into(),
        ]
    });
    table(["mode", "id", "for", "what it is"], rows)
}

fn entries(here: &Here, pack: usize, shown: &Shown) -> Html {
    let rows = kinds(here, pack, shown)
        .into_iter()
        .map(|(kind, title, count)| {
            [
                here.link(&paths::kind(shown.id(), &kind), title),
                code(&kind),
                count.to_string().into(),
            ]
        });
    table(["kind", "id", "entries"], rows)
}

/// The kinds a pack declares or has entries of: id, title and how many, its own first.
pub fn kinds(here: &Here, pack: usize, shown: &Shown) -> Vec<(String, String, usize)> {
    let mut all: Vec<(String, String, usize)> = shown
        .pack
        .kinds
        .iter()
        .map(|kind| (kind.id.clone(), kind.title.clone(), 0))
        .collect();
    for (_, item) in here.book.of_pack(pack) {
        match all.iter_mut().find(|(kind, ..)| *kind == item.entry.kind) {
            Some((_, _, count)) => *count += 1,
            None => all.push((item.entry.kind.clone(), item.kind_title().to_owned(), 1)),
        }
    }
    all
}

/// What a pack changes in entries that are there already.
fn changes(here: &Here, shown: &Shown) -> Html {
    let one = |patch: &crate::pack::Patch| {
        let target = here.book.meant(&patch.entry);
        let target = target.map_or_else(|| Html::from(&patch.entry.text), |at| here.entry(at));
        let ops = list(patch.ops.iter().map(op));
        target
            .and(" ")
            .and(classed("span", "place", here.book.place_of(patch.span)))
            .and(ops)
    };
    let all = list(shown.pack.patches.iter().map(one));
    if all.is_empty() {
        all
    } else {
        tag(
            "section",
            [tag_with("h2", &[("id", "changes")], "What it changes"), all],
        )
    }
}

fn op(op: &Op) -> Html {
    let path = code(&op.path.join("."));
    let short = |value: &Value| code(&values::written(value));
    let all = |values: &[Value]| joined(values.iter().map(short), ", ");
    match &op.change {
        Change::Drop => "is taken out".into(),
        Change::Set(value) => path.and(" becomes ").and(short(value)),
        Change::Add(values) => path.and(" gets ").and(all(values)),
        Change::Remove(values) => path.and(" loses ").and(all(values)),
        Change::Insert {
            values,
            mark,
            before,
        } => {
            let side = if *before { " before " } else { " after " };
            path.and(" gets ")
                .and(all(values))
                .and(side)
                .and(short(mark))
        }
        Change::Swap { from, to } => path
            .and(" has ")
            .and(short(to))
            .and(" instead of ")
            .and(short(from)),
    }
}

/// What the scripts of a pack can do to a game.
fn abilities(here: &Here, shown: &Shown) -> Html {
    let content = shown.opened.as_ref().map(|opened| &*opened.rules.content);
    let one = |ability: capabilities::Capability| {
        let mut places: Vec<String> = ability
            .at
            .iter()
            .map(|span| here.book.place_of(*span))
            .collect();
        places.dedup();
        let summary = tag(
            "summary",
            format!("{} ({})", ability.what, counted(places.len(), "place")),
        );
        tag(
            "details",
            summary.and(classed("p", "place", places.join(", "))),
        )
    };
    let all = capabilities::of(here.book.shelf, shown.pack, content);
    all.into_iter()
        .filter(|ability| !ability.at.is_empty())
        .map(one)
        .collect()
}

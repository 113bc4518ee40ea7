//! The generated reference for authors: links resolve, everything is listed, and text of packs is
//! escaped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use kaer::content::events::{ask, on};
use kaer::docs;
use kaer::explore::outcomes::ExplorationLimits;
use kaer::library::PackLibrary;
use kaer::pack::named_packs;
use kaer::script::primitives;

mod markup;

use libtest_mimic::Trial;
use markup::Markup;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        pages_are_well_formed_and_links_resolve,
        every_primitive_event_and_query_is_listed,
        every_kind_and_entry_has_a_linked_page,
        text_of_packs_is_escaped,
        pages_show_cross_references,
        stories_and_maps_are_drawn,
        the_same_packs_give_the_same_pages,
        pages_match_snapshots,
    ]
}

/// Explores nothing: most tests are about pages, not about outcomes.
const NO_OUTCOMES: ExplorationLimits = ExplorationLimits {
    runs: 0,
    depth: 0,
    fights: false,
};

/// The files of a folder, by path.
type Folder = BTreeMap<String, String>;

fn library(pack: &str) -> PackLibrary {
    PackLibrary::load(named_packs(Path::new(pack)).unwrap())
}

fn folder(pack: &str, outcomes: ExplorationLimits) -> Folder {
    let library = library(pack);
    let all: Vec<u16> = (0..)
        .zip(&library.set.packs)
        .map(|(number, _)| number)
        .collect();
    let pages = docs::pages(&library, &all, outcomes);
    let count = pages.len();
    let folder: Folder = pages
        .into_iter()
        .map(|page| (page.path, page.text))
        .collect();
    assert_eq!(folder.len(), count, "{pack}: two files have the same path");
    folder
}

/// The pages of the largest pack, generated once for all tests.
fn old_world() -> &'static Folder {
    static FOLDER: OnceLock<Folder> = OnceLock::new();
    FOLDER.get_or_init(|| folder("content/old-world", NO_OUTCOMES))
}

fn fair() -> Folder {
    folder(
        "tests/docs/fair",
        ExplorationLimits {
            runs: 60,
            depth: 3,
            fights: false,
        },
    )
}

fn html(folder: &Folder) -> impl Iterator<Item = (&String, &String)> {
    folder.iter().filter(|(path, _)| path.ends_with(".html"))
}

/// Problems in the pages: tags that do not close, duplicate ids, broken links.
fn problems(folder: &Folder) -> Vec<String> {
    let mut problems = Vec::new();
    let mut anchors: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut links = Vec::new();
    for (path, text) in html(folder) {
        match Markup::read(text) {
            Err(reason) => problems.push(format!("{path}: {reason}")),
            Ok(found) => {
                let ids: BTreeSet<String> = found.ids.iter().cloned().collect();
                if ids.len() < found.ids.len() {
                    problems.push(format!("{path}: duplicate id"));
                }
                links.extend(found.links.into_iter().map(|link| (path, link)));
                anchors.insert(path, ids);
            }
        }
    }
    for (path, link) in links {
        let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let Some(target) = resolved(path, target) else {
            problems.push(format!("{path}: `{link}` leads out of the folder"));
            continue;
        };
        let there = folder.contains_key(&target);
        let known = anchor.is_empty()
            || anchors
                .get(&*target)
                .is_some_and(|ids| ids.contains(anchor));
        if !there || !known {
            problems.push(format!("{path}: broken link `{link}`"));
        }
    }
    problems.truncate(20);
    problems
}

/// The target of a link; `None` if it is outside of the folder.
fn resolved(page: &str, link: &str) -> Option<String> {
    if link.contains(':') || link.starts_with('/') {
        return None;
    }
    let mut path: Vec<&str> = page.split('/').collect();
    path.pop();
    for step in link.split('/') {
        match step {
            ".." => drop(path.pop()?),
            step => path.push(step),
        }
    }
    Some(path.join("/"))
}

fn pages_are_well_formed_and_links_resolve() {
    for pack in ["tests/packs/duel", "tests/packs", "tests/docs/broken"] {
        assert_eq!(
            problems(&folder(pack, NO_OUTCOMES)),
            Vec::<String>::new(),
            "{pack}"
        );
    }
    assert_eq!(problems(&fair()), Vec::<String>::new());
    assert_eq!(problems(old_world()), Vec::<String>::new());
}

fn every_primitive_event_and_query_is_listed() {
    let folder = old_world();
    for primitive in primitives() {
        let page = &folder[&format!("functions/{}.html", primitive.topic)];
        assert!(
            page.contains(&markup::escaped(&primitive.signature)),
            "{}",
            primitive.signature
        );
        assert!(
            folder["functions/index.html"].contains(&markup::escaped(&primitive.name)),
            "{}",
            primitive.name
        );
        let first = primitive
            .example
            .iter()
            .flat_map(|example| example.text.lines())
            .next()
            .unwrap_or("");
        assert!(markup::text(page).contains(first), "{first}");
    }
    assert!(markup::text(&folder["functions/index.html"]).contains("Two gardens in a village."));
    for native in on::EVENTS.iter().chain(ask::QUERIES) {
        assert!(
            folder["events.html"].contains(&format!(" id=\"{}\"", native.name)),
            "{}",
            native.name
        );
    }
}

fn every_kind_and_entry_has_a_linked_page() {
    for pack in ["tests/packs/duel", "content/old-world"] {
        let library = library(pack);
        let generated;
        let folder = if pack.starts_with("content") {
            old_world()
        } else {
            generated = folder(pack, NO_OUTCOMES);
            &generated
        };
        for kind in &library.set.builtin {
            assert!(
                folder["kinds.html"].contains(&format!(" id=\"{}\"", kind.id)),
                "{}",
                kind.id
            );
        }
        for pack in &library.set.packs {
            let id = &pack.manifest.id;
            assert!(folder["index.html"].contains(&format!("packs/{id}/index.html")));
            for kind in &pack.kinds {
                let page = &folder[&format!("packs/{id}/kind/{}.html", kind.id)];
                assert!(
                    kind.fields
                        .iter()
                        .all(|field| page.contains(&format!("<code>{}</code>", field.name)))
                );
            }
            for entry in pack.entries() {
                let path = format!("entry/{}/{}.html", entry.kind, entry.id);
                let list = &folder[&format!("packs/{id}/kind/{}.html", entry.kind)];
                assert!(list.contains(&path), "{path}");
                let page = &folder[&format!("packs/{id}/{path}")];
                assert!(page.contains(&entry.full_name()), "{path}");
            }
        }
    }
}

fn text_of_packs_is_escaped() {
    let folder = fair();
    for (path, text) in html(&folder) {
        let found = Markup::read(text).unwrap();
        let unexpected: Vec<&String> = found
            .tags
            .iter()
            .filter(|tag| !markup::ELEMENTS.contains(&&***tag))
            .collect();
        assert_eq!(unexpected, Vec::<&String>::new(), "{path}");
        assert!(
            found
                .attributes
                .iter()
                .all(|name| markup::ATTRIBUTES.contains(&&**name)),
            "{path}: {:?}",
            found.attributes
        );
    }
    let page = markup::text(&folder["packs/fair/entry/stall/ribbons.html"]);
    for text in [
        "Ribbons </title><script>alert(1)</script>",
        "#<svg/onload=alert(2)>",
        "2 ribbons & <img src=x onerror=\"alert(3)\">.",
        "--> ]]> </pre>",
        "Sing for 2 Coins <em> of 2.",
        "// The bell makes </code></pre> them louder.",
        "Nothing but 2 <s>ribbons</s>.",
        "buy <b>",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
    assert!(
        markup::text(&folder["packs/fair/map.html"])
            .contains("Gate <a href='javascript:alert(4)'>")
    );
    assert!(markup::text(&folder["packs/fair/index.html"]).contains("CC-BY-4.0 & \"more\""));
}

fn pages_show_cross_references() {
    let folder = fair();
    let text = |path: &str| markup::text(&folder[&format!("packs/fair/{path}.html")]);
    // Used by a number, by an id in a script, and as one of its kind.
    let bell = text("entry/stall/bell");
    let used = bell.split_once("Used by").unwrap().1;
    for by in ["option.sing.next", "option.sing.do", "set_up()"] {
        assert!(used.contains(by), "{by}\n{used}");
    }
    // A counter is used by a cost, as a property in a function, and as a bound.
    let coins = text("entry/counter/coins");
    assert!(
        coins.contains("Ring the bell") && coins.contains("greet(seat, id)"),
        "{coins}"
    );
    assert!(text("entry/counter/purse").contains("max"));
    let event = text("entry/event/rung");
    let (fired, heard) = (
        event.find("Emitted by").unwrap(),
        event.find("Handled by").unwrap(),
    );
    assert!(event[fired..heard].contains("Ring the bell") && event[heard..].contains("Ribbons"));
    // Rules with the cases that cover them.
    let rules = text("rules");
    assert!(
        rules.contains("2 rules in 2 sections; 1 covered by tests."),
        "{rules}"
    );
    assert!(
        rules.contains("A <quiet> evening tests/laws.toml:2"),
        "{rules}"
    );
}

fn stories_and_maps_are_drawn() {
    let folder = fair();
    let stories = &folder["packs/fair/stories.html"];
    assert!(
        stories.contains("<svg")
            && stories.contains("option.sing.do, option.sing.next, option.go.next")
    );
    // One card sets a flag, which decides about another.
    let has = |part: &str| stories.contains(part);
    assert!(has("entry/flag/heard.html") && has("<title>on.rung</title>"));
    assert!(has("entry/stall/echo.html") && has("<title>on.turn_end</title>"));
    let map = &folder["packs/fair/map.html"];
    // Places are drawn where the pack puts them; a one-way route has an arrow; the squares of a
    // grid are links.
    assert!(
        map.contains("marker-end") && map.contains("entry/grid/lawn.html#lawn-6"),
        "{map}"
    );
    assert!(markup::text(map).contains("grass · shade"));
    assert!(folder["packs/fair/entry/grid/lawn.html"].contains(" id=\"lawn-6\""));
}

fn the_same_packs_give_the_same_pages() {
    assert_eq!(fair(), fair());
    assert!(*old_world() == folder("content/old-world", NO_OUTCOMES));
}

fn pages_match_snapshots() {
    let folder = fair();
    insta::assert_snapshot!("docs__entry", folder["packs/fair/entry/stall/ribbons.html"]);
    insta::assert_snapshot!("docs__words", folder["functions/dice.html"]);
}

//! Layering: how packs change one another. Each test defines its packs inline.

use kaer::diagnostic::{Report, render_short};
use kaer::pack::{Entry, FieldValue, GameChoice, Layered, PackSet, PackSource, Reuse, layer, load};
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        defaults_are_filled_in,
        later_packs_come_later_and_unchosen_ones_not_at_all,
        patches_set_fields,
        patches_change_lists,
        a_set_script_keeps_its_base,
        removed_entries_leave_lists,
        a_replacement_takes_the_place_and_the_names,
        a_replacement_may_have_the_same_id,
        in_names_modes_and_options,
        modes_inherit_and_count_as_what_they_extend,
        grids_become_places,
        optional_packs_count_when_they_are_there,
        later_sources_shadow_earlier_ones,
        scripts_know_their_bytes,
        a_hash_depends_on_content_only,
    ]
}

const BASE: &str = r#"
[pack]
id = "base"
version = "1.0.0"

[[kind]]
id = "card"
faces = ["back"]
fields.cost = { type = "int", default = 1 }
fields.next = { type = "ref", to = "card", optional = true }
fields.words = { type = "list", of = "string", default = [] }
fields.cards = { type = "list", of = { type = "ref", to = "card" }, default = [] }
fields.option = { type = "list", of = { type = "table", fields.id = "string", fields.gain = { type = "int", default = 1 } }, default = [] }
fields.size = { type = "table", optional = true, fields.wide = { type = "int", default = 3 }, fields.high = "int" }

[[mode]]
id = "play"
title = "Play"
seats = "2"
on.start = 'log("base")'
on.end = 'log("end")'

[[mode]]
id = "play-long"
extends = "play"
on.start = 'log("long")'

[[option]]
id = "night"
title = "Night"

[[card]]
id = "owl"
cost = 2
words = ["hoo", "hee"]
cards = ["fox", "hen"]
option = [{ id = "stay" }, { id = "go", gain = 4 }]
size.high = 1
on.draw = 'log("owl")'

[[card]]
id = "fox"
next = "owl"

[[card]]
id = "hen"
"#;

/// Packs in memory, merged, and their diagnostics.
fn played(packs: &[(&str, &str)], choice: &GameChoice) -> (PackSet, Option<Layered>, Vec<String>) {
    let sources = packs
        .iter()
        .map(|(name, text)| PackSource::texts(name, &[("pack.toml", text)]))
        .collect();
    let mut report = Report::new();
    let set = load(sources, &mut report);
    let layered = layer(&set, choice, Reuse::Nothing, &mut report);
    let faults = report
        .iter()
        .map(|fault| render_short(&set.files, fault))
        .collect();
    (set, layered, faults)
}

/// The base pack with one mod, without diagnostics.
fn modded(rest: &str, options: &[&str]) -> Layered {
    let text = format!("[pack]\nid = \"mod\"\nextends = [\"base ^1\"]\n{rest}");
    let choice = GameChoice {
        mode: "play".into(),
        with: vec!["mod".into()],
        options: options.iter().map(|option| (*option).to_owned()).collect(),
    };
    let (_, layered, faults) = played(&[("base", BASE), ("mod", &text)], &choice);
    assert_eq!(faults, Vec::<String>::new());
    layered.unwrap()
}

fn entry<'l>(layered: &'l Layered, name: &str) -> &'l Entry {
    let found = layered
        .entries
        .iter()
        .find(|entry| entry.full_name() == name || entry.id == name);
    found.unwrap_or_else(|| panic!("{name} is not there"))
}

fn words(entry: &Entry) -> Vec<&str> {
    entry
        .list("words")
        .iter()
        .filter_map(FieldValue::as_text)
        .collect()
}

/// The ids of the entries that a list refers to.
fn ids<'l>(layered: &'l Layered, list: &[FieldValue]) -> Vec<&'l str> {
    let refs = list.iter().filter_map(FieldValue::as_ref_ix);
    refs.filter_map(|ix| layered.entry(ix))
        .map(|entry| entry.id.as_str())
        .collect()
}

fn choice(mode: &str, with: &[&str]) -> GameChoice {
    let with = with.iter().map(|id| (*id).to_owned()).collect();
    GameChoice {
        mode: mode.into(),
        with,
        options: Vec::new(),
    }
}

fn defaults_are_filled_in() {
    let layered = modded("", &[]);
    let owl = entry(&layered, "owl");
    assert_eq!(owl.int("copies"), Some(1));
    assert_eq!(
        owl.get("size").unwrap().get("wide"),
        Some(&FieldValue::Int(3))
    );
    assert_eq!(owl.list("option")[0].get("gain"), Some(&FieldValue::Int(1)));
    assert!(!owl.field("copies").unwrap().is_explicit);
    assert!(owl.field("cost").unwrap().is_explicit);
}

fn later_packs_come_later_and_unchosen_ones_not_at_all() {
    let other = |id: &str, needs: &str| {
        format!(
            "[pack]\nid = \"{id}\"\nextends = [\"base\"]\ndepends = [{needs}]\n[[card]]\nid = \"{id}\"\n"
        )
    };
    let packs = [
        ("z", other("z", "")),
        ("a", other("a", "\"z\"")),
        ("m", other("m", "")),
        ("base", BASE.to_owned()),
    ];
    let packs: Vec<(&str, &str)> = packs
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let (set, layered, faults) = played(&packs, &choice("play", &["a"]));
    let ids: Vec<&str> = set
        .packs
        .iter()
        .map(|pack| pack.manifest.id.as_str())
        .collect();
    assert_eq!(ids, ["base", "z", "a", "m"]);
    let layered = layered.unwrap();
    assert_eq!(layered.packs, [0, 1, 2]);
    assert!(layered.entries.iter().all(|entry| entry.id != "m"));
    assert_eq!(faults, Vec::<String>::new());
}

fn patches_set_fields() {
    let layered = modded(
        r#"
[[patch]]
entry = "owl"
set = { cost = 5, "size.high" = 9 }

[[patch]]
entry = "owl"
set.next = "hen"
set.face.back.title = "Wlo"
"#,
        &[],
    );
    let owl = entry(&layered, "owl");
    assert_eq!(
        (owl.int("cost"), owl.field("cost").unwrap().by),
        (Some(5), 1)
    );
    let size = owl.get("size").unwrap();
    assert_eq!(
        (size.get("high"), size.get("wide")),
        (Some(&FieldValue::Int(9)), Some(&FieldValue::Int(3)))
    );
    assert!(owl.get("next").unwrap().as_ref_ix().is_some());
    let back = owl.get("face").unwrap().get("back").unwrap();
    assert_eq!(back.get("title"), Some(&FieldValue::Text("Wlo".into())));
}

fn patches_change_lists() {
    let layered = modded(
        r#"
[[patch]]
entry = "base:card/owl"
add.words = ["hi", "ho"]
remove.words = "hee"
insert.words = { value = ["a", "b"], before = "hoo" }
swap.cards = { from = "base:fox", to = "kit" }
insert.cards = { value = "kit", after = "hen" }
remove.option = ["stay"]

[[patch]]
entry = "owl"
swap.option = { from = "go", to = { id = "run" } }
add.tags = "patched"

[[card]]
id = "kit"
"#,
        &[],
    );
    let owl = entry(&layered, "owl");
    assert_eq!(words(owl), ["a", "b", "hoo", "hi", "ho"]);
    assert_eq!(ids(&layered, owl.list("cards")), ["kit", "hen", "kit"]);
    assert_eq!(owl.list("option").len(), 1);
    assert_eq!(
        owl.list("option")[0].get("id"),
        Some(&FieldValue::Text("run".into()))
    );
    assert_eq!(owl.list("tags"), [FieldValue::Text("patched".into())]);
}

fn a_set_script_keeps_its_base() {
    let layered = modded(
        r#"
[[patch]]
entry = "owl"
set.on.draw = 'base()'

[[patch]]
entry = "owl"
set = { "on.draw" = 'base(); base()', "on.discard" = 'log("new")' }
"#,
        &[],
    );
    let on = entry(&layered, "owl").get("on").unwrap();
    let script = on.get("draw").unwrap().as_script().unwrap();
    assert_eq!(script.text, "base(); base()");
    let base = script.base.as_ref().unwrap();
    assert_eq!((base.text.as_str(), base.by), ("base()", 1));
    let first = base.base.as_ref().unwrap();
    assert_eq!((first.text.as_str(), first.by), ("log(\"owl\")", 0));
    assert!(
        on.get("discard")
            .unwrap()
            .as_script()
            .unwrap()
            .base
            .is_none()
    );
}

fn removed_entries_leave_lists() {
    let layered = modded("[[remove]]\nentry = \"hen\"\n", &[]);
    assert!(layered.entries.iter().all(|entry| entry.id != "hen"));
    assert_eq!(ids(&layered, entry(&layered, "owl").list("cards")), ["fox"]);
}

fn a_replacement_takes_the_place_and_the_names() {
    let plain = modded("", &[]);
    let layered = modded(
        "[[card]]\nid = \"eagle\"\nreplaces = \"owl\"\ncost = 7\n",
        &[],
    );
    let at = |layered: &Layered, id: &str| layered.entries.iter().position(|entry| entry.id == id);
    assert_eq!(at(&layered, "eagle"), at(&plain, "owl"));
    assert_eq!(at(&layered, "owl"), None);
    let next = entry(&layered, "fox")
        .get("next")
        .unwrap()
        .as_ref_ix()
        .unwrap();
    assert_eq!(layered.entry(next).unwrap().id, "eagle");
    assert_eq!(layered.aliases, [("base:card/owl".to_owned(), next)]);
}

fn a_replacement_may_have_the_same_id() {
    let layered = modded(
        "[[card]]\nid = \"owl\"\nreplaces = \"owl\"\n\n[[patch]]\nentry = \"owl\"\nset.cost = 8\n",
        &[],
    );
    assert_eq!(entry(&layered, "owl").full_name(), "mod:card/owl");
    assert_eq!(entry(&layered, "owl").int("cost"), Some(8));
    assert_eq!(
        layered
            .entries
            .iter()
            .filter(|entry| entry.id == "owl")
            .count(),
        1
    );
}

fn in_names_modes_and_options() {
    let text = r#"
[[card]]
id = "bat"
in = ["night"]

[[card]]
id = "lark"
in = ["play"]

[[card]]
id = "swift"
in = ["base:play-long", "night"]

[[patch]]
entry = "owl"
in = "night"
set.cost = 9
"#;
    let has = |layered: &Layered, id: &str| layered.entries.iter().any(|entry| entry.id == id);
    let day = modded(text, &[]);
    assert!(!has(&day, "bat") && has(&day, "lark") && !has(&day, "swift"));
    assert_eq!(entry(&day, "owl").int("cost"), Some(2));
    let night = modded(text, &["base:night"]);
    assert!(has(&night, "bat") && has(&night, "lark") && has(&night, "swift"));
    assert_eq!(entry(&night, "owl").int("cost"), Some(9));
}

fn modes_inherit_and_count_as_what_they_extend() {
    let text = "[pack]\nid = \"mod\"\nextends = [\"base\"]\n[[card]]\nid = \"lark\"\nin = [\"play\"]\n[[patch]]\nentry = \"mode/play\"\nset.seats = \"3\"\n";
    let (_, layered, faults) = played(
        &[("base", BASE), ("mod", text)],
        &choice("base:play-long", &["mod"]),
    );
    assert_eq!(faults, Vec::<String>::new());
    let layered = layered.unwrap();
    let mode = layered.entry(layered.mode).unwrap();
    assert_eq!(
        (mode.id.as_str(), mode.text("seats"), mode.text("title")),
        ("play-long", Some("3"), Some("Play"))
    );
    let on = mode.get("on").unwrap();
    assert_eq!(
        on.get("start").unwrap().as_script().unwrap().text,
        "log(\"long\")"
    );
    assert_eq!(
        on.get("end").unwrap().as_script().unwrap().text,
        "log(\"end\")"
    );
    entry(&layered, "lark");
}

fn grids_become_places() {
    let layered = modded(
        "[[grid]]\nid = \"field\"\ncolumns = 3\nrows = 2\ntags = [\"open\"]\n",
        &[],
    );
    entry(&layered, "mod:grid/field");
    let fifth = entry(&layered, "mod:place/field-5");
    assert_eq!(
        (fifth.int("column"), fifth.int("row"), fifth.text("grid")),
        (Some(2), Some(2), Some("field"))
    );
    assert_eq!(fifth.list("tags"), [FieldValue::Text("open".into())]);
    assert!(layered.entries.iter().all(|entry| entry.id != "field-7"));
}

fn optional_packs_count_when_they_are_there() {
    let text = r#"
[pack]
id = "mod"
extends = ["base"]
optional = ["birds"]

[[card]]
id = "nest"
cards = ["birds:wren", "fox"]

[[patch]]
entry = "birds:wren"
set.cost = 4
"#;
    let birds = "[pack]\nid = \"birds\"\ndepends = [\"base\"]\n[[card]]\nid = \"wren\"\n";
    let without = played(&[("base", BASE), ("mod", text)], &choice("play", &["mod"]));
    assert_eq!(without.2, Vec::<String>::new());
    let layered = without.1.unwrap();
    assert_eq!(
        ids(&layered, entry(&layered, "nest").list("cards")),
        ["fox"]
    );
    let packs = [("base", BASE), ("mod", text), ("birds", birds)];
    for (with, expected) in [
        (&["mod"][..], &["fox"][..]),
        (&["mod", "birds"], &["wren", "fox"]),
    ] {
        let (_, layered, faults) = played(&packs, &choice("play", with));
        assert_eq!(faults, Vec::<String>::new());
        let layered = layered.unwrap();
        assert_eq!(
            ids(&layered, entry(&layered, "nest").list("cards")),
            expected
        );
    }
}

fn later_sources_shadow_earlier_ones() {
    let old = "[pack]\nid = \"base\"\nversion = \"a fault nobody sees\"\n";
    let (set, layered, faults) = played(&[("old", old), ("base", BASE)], &choice("play", &[]));
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!((set.packs.len(), set.shadowed.len()), (1, 1));
    assert_eq!(
        (set.shadowed[0].id.as_str(), set.shadowed[0].root.as_str()),
        ("base", "old")
    );
    assert!(layered.is_some());
}

fn scripts_know_their_bytes() {
    let text = BASE.replace('\n', "\r\n")
        + "\r\n[[card]]\r\nid = \"ö\"\r\n[[card]]\r\nid = \"jay\"\r\ndo = '''\r\nlog(1);\r\nlog(2)'''\r\n";
    let (set, layered, _) = played(&[("base", &text)], &choice("play", &[]));
    let layered = layered.unwrap();
    let script = entry(&layered, "jay").script("do").unwrap();
    assert!(script.exact);
    assert_eq!(script.text, "log(1);\r\nlog(2)");
    assert_eq!(set.files.slice(script.span), script.text);
}

fn a_hash_depends_on_content_only() {
    let hash = |files: &[(&str, &str)]| {
        load(vec![PackSource::texts("base", files)], &mut Report::new()).packs[0]
            .hash
            .clone()
    };
    let plain = hash(&[("pack.toml", BASE)]);
    assert_eq!(plain.len(), 64);
    assert_eq!(
        plain,
        hash(&[("tests/a.toml", "x = 1"), ("pack.toml", BASE)])
    );
    assert_ne!(plain, hash(&[("pack.toml", BASE), ("a.rhai", "")]));
}

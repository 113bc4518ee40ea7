//! The reference for authors, in detail: tokens of scripts, functions, graphs, maps, paths.

use std::collections::BTreeMap;

use kaer::docs;
use kaer::docs::spread::STEP;
use kaer::docs::tokenizer::{TokenKind, tokens};
use kaer::explore::outcomes::ExplorationLimits;
use libtest_mimic::Trial;

use super::library;
use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        a_script_is_split_into_tokens,
        template_expressions_are_code,
        unterminated_tokens_go_to_the_end,
        functions_have_their_comments_and_their_ends,
        no_id_leads_out_of_the_folder,
        text_is_escaped,
        components_become_separate_graphs,
        a_large_graph_becomes_a_list,
        titles_take_at_most_two_lines,
        positions_are_scaled_to_a_readable_size,
        common_indentation_is_removed,
    ]
}

fn words(text: &str) -> Vec<(String, Option<&str>, Option<&str>, bool)> {
    let all = tokens(text);
    assert_eq!(all.iter().map(|token| token.text).collect::<String>(), text);
    let kept = all
        .into_iter()
        .filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Text));
    kept.map(|token| (token.text.to_owned(), token.call, token.of, token.opens))
        .collect()
}

fn a_script_is_split_into_tokens() {
    let found = words("actor.coins -= 1; // no \"word\"\nemit(\"won\", #{ of: it });");
    let row = |text: &str, call, of, opens| (text.to_owned(), call, of, opens);
    assert_eq!(
        found,
        [
            row("actor", None, None, false),
            row("coins", None, Some("actor"), false),
            row("emit", None, None, true),
            row("\"won\"", Some("emit"), None, false),
            row("of", Some("emit"), None, false),
            row("it", Some("emit"), None, false),
        ]
    );
}

fn template_expressions_are_code() {
    let found = words("say(`${if a { \"b\" } else { `c${d}` }} e`); f().g");
    let texts: Vec<&str> = found.iter().map(|(text, ..)| text.as_str()).collect();
    assert_eq!(texts, ["say", "if", "a", "\"b\"", "else", "d", "f", "g"]);
    assert_eq!(found[7].2, Some(""));
}

fn unterminated_tokens_go_to_the_end() {
    for text in ["\"a", "`a${b", "/* a", "`a${`", "\"a\\\"", "ö.ä(", "${}`"] {
        words(text);
    }
}

/// The pages of a pack in memory, by path.
fn pages(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    let nothing = ExplorationLimits {
        runs: 0,
        depth: 0,
        fights: false,
    };
    let pages = docs::pages(&library(files), &[0], nothing);
    pages
        .into_iter()
        .map(|page| (page.path, page.text))
        .collect()
}

/// The parts of a page between two texts.
fn between<'p>(page: &'p str, start: &str, end: &str) -> Vec<&'p str> {
    page.split(start)
        .skip(1)
        .map(|part| part.split(end).next().unwrap())
        .collect()
}

const PACK: &str = "[pack]\nid = \"a\"\n";

fn functions_have_their_comments_and_their_ends() {
    let text =
        "// Of the file.\n\n// Says\n// two.\nfn a(x, y) {\n    x\n}\n\n// Next.\nfn b() { 1 }\n";
    let pages = pages(&[("pack.toml", PACK), ("a.rhai", text)]);
    let page = &pages["packs/a/functions.html"];
    assert_eq!(between(page, "<h3 id=\"", "\""), ["a-2", "b-0"]);
    assert_eq!(between(page, "\"><code>", "</code>"), ["a(x, y)", "b()"]);
    assert_eq!(between(page, "</h3>\n<p>", "</p>"), ["Says two.", "Next."]);
    assert_eq!(
        between(page, "<pre><code>", "</code>"),
        ["fn a(x, y) {\n    x\n}", "fn b() { 1 }"]
    );
}

fn no_id_leads_out_of_the_folder() {
    let long = "x".repeat(500);
    let ids = ["grey-owl_2", "/etc", "Ä", "Owl", "owl", &long, ""];
    let kinds = ids.map(|id| format!("[[kind]]\nid = \"{id}\"\n"));
    let pack = format!("[pack]\nid = \"..\"\n{}", kinds.concat());
    let pages = pages(&[("pack.toml", &pack)]);
    let names: Vec<&str> = pages
        .keys()
        .filter_map(|path| path.strip_prefix("packs/=2e=2e/kind/"))
        .collect();
    assert_eq!(names.len(), ids.len(), "{names:?}");
    for name in ["grey-owl_2", "=2fetc", "=c4", "=4fwl", "owl"] {
        assert!(names.contains(&&*format!("{name}.html")), "{names:?}");
    }
    assert!(names.iter().all(|name| name.len() < 30), "{names:?}");
    let page = &pages["packs/=2e=2e/kind/owl.html"];
    assert!(page.contains("href=\"../../../style.css\""));
}

fn text_is_escaped() {
    let pack = r#"
[pack]
id = "a"
[[kind]]
id = "card"
text = "see `<x>`"
fields.cost = { type = "int", default = 1, text = "a lone ` is one" }
fields.next = { type = "ref", to = "card", optional = true }
[[card]]
id = "one"
title = "\"x'<b>&\u001b"
text = "a\nb\n\n\nc"
next = "one"
"#;
    let pages = pages(&[("pack.toml", pack)]);
    let card = &pages["packs/a/entry/card/one.html"];
    assert!(
        card.contains("<h1>&quot;x&#39;&lt;b&gt;&amp;</h1>"),
        "{card}"
    );
    assert!(card.contains("<p>a<br/>\nb</p>\n<p>c</p>\n"), "{card}");
    let kind = &pages["packs/a/kind/card.html"];
    assert!(kind.contains("see <code>&lt;x&gt;</code>"), "{kind}");
    assert!(kind.contains("a lone ` is one"), "{kind}");
}

/// A page with a graph of cards and the edges between them; card 0 has the first title.
fn drawn(titles: &[&str], edges: &[(usize, usize)]) -> String {
    let mut pack = format!(
        "{PACK}[[kind]]\nid = \"card\"\n\
         fields.next = {{ type = \"list\", of = {{ type = \"ref\", to = \"card\" }}, default = [] }}\n"
    );
    for (ix, title) in titles.iter().enumerate() {
        let next: Vec<String> = edges
            .iter()
            .filter(|(from, _)| *from == ix)
            .map(|(_, to)| format!("\"n{to}\""))
            .collect();
        pack += &format!(
            "[[card]]\nid = \"n{ix}\"\ntitle = \"{title}\"\nnext = [{}]\n",
            next.join(", ")
        );
    }
    pages(&[("pack.toml", &pack)])["packs/a/stories.html"].clone()
}

fn components_become_separate_graphs() {
    let titles = [
        "node 0", "node 1", "node 2", "node 3", "node 4", "node 5", "node 6",
    ];
    let page = drawn(&titles, &[(5, 1), (1, 3), (0, 4)]);
    let parts: Vec<Vec<&str>> = between(&page, "<section class=\"story\">", "</section>")
        .into_iter()
        .map(|part| between(part, "class=\"node look-0\"><title>", "</title>"))
        .collect();
    assert_eq!(
        parts,
        [vec!["node 0", "node 4"], vec!["node 1", "node 3", "node 5"]]
    );
    // Each is called after its first node without incoming edges.
    assert_eq!(between(&page, "<h2>", " <span"), ["node 0", "node 5"]);
}

fn a_large_graph_becomes_a_list() {
    let edges: Vec<(usize, usize)> = (0..300).map(|ix| (ix, ix + 1)).collect();
    let large = drawn(&["x"; 301], &edges);
    assert!(large.contains("<li>") && !large.contains("role=\"img\""));
    let small = drawn(&["x"; 2], &[(0, 1)]);
    assert!(!small.contains("<li>") && small.contains("role=\"img\""));
}

fn titles_take_at_most_two_lines() {
    let page = drawn(
        &["A Summons for the Gander at Noon", &"x".repeat(99)],
        &[(0, 1)],
    );
    let lines: Vec<&str> = between(&page, "<text ", "</text>")
        .into_iter()
        .map(|text| text.split_once('>').unwrap().1)
        .collect();
    let cut = format!("{}…", "x".repeat(27));
    assert_eq!(lines, ["A Summons for the Gander at", "Noon", &cut]);
}

/// The positions of places on the map.
fn map(places: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut pack = format!(
        "{PACK}[[mode]]\nid = \"play\"\ntitle = \"Play\"\nseats = \"1\"\n\
         [[kind]]\nid = \"spot\"\nis = \"place\"\nfields.x = \"int\"\nfields.y = \"int\"\n\
         [[grid]]\nid = \"lawn\"\ncolumns = 2\nrows = 2\n"
    );
    for (ix, (x, y)) in places.iter().enumerate() {
        pack += &format!("[[spot]]\nid = \"s{ix}\"\nx = {x}\ny = {y}\n");
    }
    let page = &pages(&[("pack.toml", &pack)])["packs/a/map.html"];
    let circles = between(page, "<circle cx=\"", "\" r=");
    let position = |circle: &str| {
        let (x, y) = circle.split_once("\" cy=\"").unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    circles.into_iter().map(position).collect()
}

fn positions_are_scaled_to_a_readable_size() {
    assert_eq!(
        map(&[(10, 5), (12, 5), (10, 9)]),
        [(0, 0), (STEP, 0), (0, 2 * STEP)]
    );
    let far = map(&[(0, 0), (1, 0), (i64::MAX, i64::MIN)]);
    assert_eq!(far.len(), 3);
    assert!(
        far.iter()
            .all(|(x, y)| (0..10_000).contains(x) && (0..10_000).contains(y)),
        "{far:?}"
    );
    assert_eq!(map(&[]), []);
}

fn common_indentation_is_removed() {
    let shown = |script: &str| {
        let pack = format!("{PACK}[[rule]]\nid = \"b\"\non.game_start = '''{script}'''\n");
        let pages = pages(&[("pack.toml", &pack)]);
        between(
            &pages["packs/a/entry/rule/b.html"],
            "<pre><code>",
            "</code>",
        )[0]
        .to_owned()
    };
    assert_eq!(
        shown("\n\n    if a {\n\n        b\n    }\n"),
        "if a {\n\n    b\n}"
    );
    assert_eq!(shown("a"), "a");
}

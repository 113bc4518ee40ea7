//! Reading packs: text templates, ids, script sources, the engine's own kinds, many files.

use kaer::diagnostic::Report;
use kaer::pack::{
    PackSource, Template, TemplateError, common, is_pack_id, load, loose_numbers, near_pack_id,
};
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        fills_holes,
        promises_are_read_as_they_are_said,
        numbers_outside_of_braces_are_loose,
        names_faults_and_keeps_the_text,
        checks_fields,
        deep_nesting_is_a_fault_not_a_crash,
        knows_ids,
        finds_the_text_between_the_quotes,
        the_engines_own_declarations_are_sound,
        it_is_the_same_file_in_every_set,
        keeps_the_order,
    ]
}

fn filled(text: &str) -> String {
    let (template, faults) = Template::parse(text);
    assert_eq!(faults, []);
    template.render(&|name| match name {
        "draw" => Some("1".into()),
        "damage" => Some("3".into()),
        "none" => Some("0".into()),
        _ => None,
    })
}

fn fills_holes() {
    assert_eq!(filled("Deal {damage}."), "Deal 3.");
    assert_eq!(
        filled("{draw:card|cards}, {damage:card|cards}"),
        "card, cards"
    );
    assert_eq!(
        filled("a{?draw}, draw {draw}{/}{?none}, never{/}!"),
        "a, draw 1!"
    );
    assert_eq!(filled("{?draw}{?none}x{/}y{/}z"), "yz");
    assert_eq!(filled("{{braces}} ö"), "{braces} ö");
    assert_eq!(filled("{stranger}"), "{stranger}");
}

fn promises_are_read_as_they_are_said() {
    assert_eq!(
        filled("{Gain 2 coins}, {gain coins 2}, {lose 1 coin|coins}."),
        "Gain 2 coins, gain 2 coins, lose 1 coin."
    );
    assert_eq!(
        filled("{draw damage card|cards} on {3} or more"),
        "draw 3 cards on 3 or more"
    );
    assert_eq!(filled("{raise Combat by 1}"), "raise Combat by 1");
    let (template, _) = Template::parse("{draw damage cards}{?x}{lose coins 2}{/}");
    assert_eq!(
        template
            .promises()
            .iter()
            .map(|p| (p.number(), p.field()))
            .collect::<Vec<_>>(),
        [(None, Some("damage")), (Some(2), None)]
    );
    assert_eq!(template.names(), ["damage", "x"]);
}

fn numbers_outside_of_braces_are_loose() {
    assert_eq!(
        loose_numbers("Gain 12, {gain 3 x}, {?a}4{/}, {n:1|2}5"),
        [5..7, 25..26, 38..39]
    );
}

fn names_faults_and_keeps_the_text() {
    for text in [
        "{",
        "}",
        "{draw",
        "{}",
        "{a |b}",
        "{ }",
        "{gain 2 \u{b1}}",
        "{draw:cards}",
        "{?draw} x",
        "{/}",
        "{ö}",
    ] {
        let (template, faults) = Template::parse(text);
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        let _ = template.render(&|_| None);
    }
}

fn checks_fields() {
    let (template, _) = Template::parse("{?dmage}{level:a|b}{/}{cost}");
    let faults = template.check(&|name| name == "level");
    assert_eq!(
        faults,
        [TemplateError {
            at: 0..8,
            message: "dmage".into()
        }]
    );
}

fn deep_nesting_is_a_fault_not_a_crash() {
    let (_, faults) = Template::parse(&"{?a}".repeat(10_000));
    assert!(!faults.is_empty());
}

fn knows_ids() {
    let fits = |id: &str| {
        let text = format!("[pack]\nid = \"a\"\n[[counter]]\nid = \"{id}\"\n");
        let mut report = Report::new();
        load(
            vec![PackSource::texts("a", &[("pack.toml", &text)])],
            &mut report,
        );
        report.iter().all(|fault| fault.code != "bad-id")
    };
    for good in ["a", "grey-owl", "fight_turn", "grid-12", "2nd"] {
        assert!(fits(good), "{good}");
        assert_eq!(is_pack_id(good), good != "fight_turn", "{good}");
    }
    for bad in ["", "-", "a--b", "Low", "a b", "ö", "a-"] {
        assert!(!fits(bad) && !is_pack_id(bad), "{bad}");
    }
    assert_eq!(near_pack_id("Owl's Nest!"), "owls-nest");
}

/// The script of an entry, if the file contains it byte for byte.
fn exact_script(script: &str) -> Option<String> {
    let text = format!("[pack]\nid = \"a\"\n[[rule]]\nid = \"b\"\non.game_start = {script}\n");
    let set = load(
        vec![PackSource::texts("a", &[("pack.toml", &text)])],
        &mut Report::new(),
    );
    let on = set.packs[0].entries().next().unwrap().get("on").unwrap();
    let script = on.get("game_start").unwrap().as_script().unwrap();
    script
        .exact
        .then(|| set.files.slice(script.span).to_owned())
}

fn finds_the_text_between_the_quotes() {
    assert_eq!(exact_script("'a'").unwrap(), "a");
    assert_eq!(exact_script("''").unwrap(), "");
    assert_eq!(exact_script("'''\na\n'''").unwrap(), "a\n");
    assert_eq!(exact_script("'''\r\na\r\n'''").unwrap(), "a\r\n");
    assert_eq!(exact_script("\"a\"").unwrap(), "a");
    assert_eq!(exact_script("\"\"\"\na\"\"\"").unwrap(), "a");
    assert_eq!(exact_script("\"a\\n\""), None);
}

/// In a debug build, loading asserts that the file has no diagnostics.
fn the_engines_own_declarations_are_sound() {
    let set = load(Vec::new(), &mut Report::new());
    assert!(set.builtin.iter().any(|kind| kind.id == "place"));
    assert!(
        common()
            .iter()
            .any(|spec| spec.name == "copies" && spec.default.is_some())
    );
}

fn it_is_the_same_file_in_every_set() {
    let empty = load(Vec::new(), &mut Report::new());
    let other = load(
        vec![PackSource::texts(
            "a",
            &[("pack.toml", "[pack]\nid = \"a\"\n")],
        )],
        &mut Report::new(),
    );
    for set in [&empty, &other] {
        assert_eq!(set.files.slice(set.builtin[0].span), "\"mode\"");
    }
    assert_eq!(empty.builtin[0].span, other.builtin[0].span);
}

/// Files are read on several cores if there are enough of them, and stay in order.
fn keeps_the_order() {
    let padding = format!("# {}\n", "x".repeat(1_000));
    let files: Vec<(String, String)> = (0..500)
        .map(|n| {
            let text = format!("{padding}[[counter]]\nid = \"c{n:03}\"\n");
            (format!("{n:03}.toml"), text)
        })
        .collect();
    let mut texts = vec![("pack.toml", "[pack]\nid = \"a\"\n")];
    texts.extend(files.iter().map(|(path, text)| (&**path, &**text)));
    let set = load(vec![PackSource::texts("a", &texts)], &mut Report::new());
    let ids: Vec<&str> = set.packs[0].entries().map(|entry| &*entry.id).collect();
    let expected: Vec<String> = (0..500).map(|n| format!("c{n:03}")).collect();
    assert_eq!(ids, expected);
}

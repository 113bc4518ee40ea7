//! The written rules of a pack: entries with a section, each with the cases that cover it.

use std::collections::BTreeMap;

use super::cases::{RuleCase, listed};
use super::html::{Html, classed, counted, joined, paragraphs, tag, tag_with};
use super::site::{DocEntry, DocPack, PageWriter};
use super::{frame, paths, values};
use crate::pack::FieldValue;

/// Whether an entry is a written rule.
pub fn is_rule(item: &DocEntry) -> bool {
    item.entry.text("section").is_some() && item.entry.text("text").is_some()
}

/// The page; `None` for a pack without written rules.
pub fn page(
    writer: &PageWriter,
    pack: usize,
    shown: &DocPack,
    cases: &BTreeMap<usize, Vec<RuleCase>>,
) -> Option<Html> {
    let rules: Vec<(usize, &DocEntry)> = writer
        .site
        .of_pack(pack)
        .filter(|(_, item)| is_rule(item))
        .collect();
    let mut sections: Vec<&str> = Vec::new();
    for section in rules
        .iter()
        .filter_map(|(_, item)| item.entry.text("section"))
    {
        if !sections.contains(&section) {
            sections.push(section);
        }
    }
    if rules.is_empty() {
        return None;
    }
    // Embedded packs do not include their tests.
    let sees = |other: &&DocPack| writer.site.library.set.sees(other.number, shown.number);
    let tested = writer
        .site
        .packs
        .iter()
        .filter(sees)
        .any(|other| !other.pack.tests.is_empty());
    let covered = rules
        .iter()
        .filter(|(at, _)| cases.contains_key(at))
        .count();
    let coverage = if tested {
        format!("; {covered} covered by tests")
    } else {
        String::new()
    };
    let mut body = frame::heading("Rules", Some(shown.title()));
    body.push(tag(
        "p",
        format!(
            "{} in {}{coverage}.",
            counted(rules.len(), "rule"),
            counted(sections.len(), "section")
        ),
    ));
    let anchor = |section: &str| format!("section-{}", paths::name(section));
    let page = paths::of_pack(shown.id(), "rules");
    body.push(tag(
        "p",
        joined(
            sections
                .iter()
                .map(|section| writer.link(&format!("{page}#{}", anchor(section)), *section)),
            " · ",
        ),
    ));
    for section in sections {
        let own = rules
            .iter()
            .filter(|(_, item)| item.entry.text("section") == Some(section));
        let rules: Html = own
            .map(|(at, item)| {
                rule(
                    writer,
                    *at,
                    item,
                    cases.get(at).map(Vec::as_slice).or(tested.then_some(&[])),
                )
            })
            .collect();
        body.push(tag(
            "section",
            [tag_with("h2", &[("id", &anchor(section))], section), rules],
        ));
    }
    Some(body)
}

/// A rule with its cases; `cases` is `None` if the pack does not include its tests.
fn rule(writer: &PageWriter, at: usize, item: &DocEntry, cases: Option<&[RuleCase]>) -> Html {
    let text = values::filled(writer.site, at, &[], item.entry.text("text").unwrap_or(""));
    let said = item
        .entry
        .fields
        .iter()
        .filter(|field| field.value == FieldValue::Bool(true));
    let marks: Html = said
        .map(|field| Html::from(" ").and(classed("span", "mark", &field.name)))
        .collect();
    let head = classed(
        "p",
        "small",
        writer.link(&item.path, &item.title).and(marks),
    );
    let cases = match cases {
        None => Html::default(),
        Some([]) => classed("p", "small", "Not covered by a test."),
        Some(cases) => tag(
            "details",
            tag("summary", counted(cases.len(), "case")).and(listed(writer, cases)),
        ),
    };
    tag_with(
        "article",
        &[("class", "rule"), ("id", &paths::name(&item.entry.id))],
        head.and(paragraphs(&text)).and(cases),
    )
}

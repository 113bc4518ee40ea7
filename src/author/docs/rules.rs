//! The rules of a pack in prose: entries with a section, each with the cases that prove it.

use std::collections::BTreeMap;

use super::book::{Here, Item, Shown};
use super::cases::{Proof, listed};
use super::html::{Html, classed, counted, joined, paragraphs, tag, tag_with};
use super::{frame, paths, values};
use crate::pack::Value;

/// Whether an entry is a rule in prose.
pub fn is_rule(item: &Item) -> bool {
    item.entry.text("section").is_some() && item.entry.text("text").is_some()
}

/// The page; nothing for a pack without such entries.
pub fn page(here: &Here, pack: usize, shown: &Shown, proofs: &BTreeMap<usize, Vec<Proof>>) -> Option<Html> {
    let rules: Vec<(usize, &Item)> = here.book.of_pack(pack).filter(|(_, item)| is_rule(item)).collect();
    let mut sections: Vec<&str> = Vec::new();
    for section in rules.iter().filter_map(|(_, item)| item.entry.text("section")) {
        if !sections.contains(&section) {
            sections.push(section);
        }
    }
    if rules.is_empty() {
        return None;
    }
    let proved = rules.iter().filter(|(at, _)| proofs.contains_key(at)).count();
    let mut body = frame::heading("Rules", Some(&shown.pack.manifest.title));
    body.push(tag(
        "p",
        format!(
            "{} in {}; cases prove {proved} of them.",
            counted(rules.len(), "rule"),
            counted(sections.len(), "section")
        ),
    ));
    let anchor = |section: &str| format!("section-{}", paths::name(section));
    let page = paths::of_pack(&shown.pack.manifest.id, "rules");
    body.push(tag(
        "p",
        joined(sections.iter().map(|section| here.link(&format!("{page}#{}", anchor(section)), *section)), " · "),
    ));
    for section in sections {
        let own = rules.iter().filter(|(_, item)| item.entry.text("section") == Some(section));
        let rules: Html =
            own.map(|(at, item)| rule(here, *at, item, proofs.get(at).map_or(&[][..], Vec::as_slice))).collect();
        body.push(tag("section", [tag_with("h2", &[("id", &anchor(section))], section), rules]));
    }
    Some(body)
}

fn rule(here: &Here, at: usize, item: &Item, proofs: &[Proof]) -> Html {
    let text = values::filled(here.book, at, &[], item.entry.text("text").unwrap_or(""));
    let said = item.entry.fields.iter().filter(|field| field.value == Value::Bool(true));
    let marks: Html = said.map(|field| Html::from(" ").and(classed("span", "mark", &field.name))).collect();
    let head = classed("p", "small", here.link(&item.path, &item.title).and(marks));
    let cases = if proofs.is_empty() {
        classed("p", "small", "No case proves it.")
    } else {
        let summary = tag("summary", counted(proofs.len(), "case"));
        tag("details", summary.and(listed(here, proofs)))
    };
    tag_with(
        "article",
        &[("class", "rule"), ("id", &paths::name(&item.entry.id))],
        head.and(paragraphs(&text)).and(cases),
    )
}

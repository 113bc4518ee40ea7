//! The test cases of packs, by the rules they cover.

use std::collections::BTreeMap;

use super::html::{Html, classed, list};
use super::site::{DocSite, PageWriter};
use crate::cases::parse;
use crate::diagnostic::Span;

/// A case that covers a rule.
#[derive(Clone, Debug)]
pub struct RuleCase {
    pub name: String,
    pub span: Span,
}

/// The cases of each entry that they cover. A case can only cover entries that are visible to its
/// pack. Files that cannot be read are skipped.
pub fn cases_by_entry(site: &DocSite) -> BTreeMap<usize, Vec<RuleCase>> {
    let mut all: BTreeMap<usize, Vec<RuleCase>> = BTreeMap::new();
    for shown in &site.packs {
        for test in &shown.pack.tests {
            let cases = parse::cases(&site.library.set.files, test.file).unwrap_or_default();
            for (name, case) in cases
                .into_iter()
                .filter_map(|read| Some((read.name, read.case.ok()?)))
            {
                for entry in case
                    .rule
                    .iter()
                    .filter_map(|rule| site.named(shown.number, rule, &[]))
                {
                    all.entry(entry).or_default().push(RuleCase {
                        name: name.clone(),
                        span: case.name.at,
                    });
                }
            }
        }
    }
    all
}

/// A list of cases with their source locations.
pub fn listed(writer: &PageWriter, cases: &[RuleCase]) -> Html {
    list(cases.iter().map(|case| {
        let place = classed("span", "place", writer.site.location_of(case.span));
        Html::from(&case.name).and(" ").and(place)
    }))
}

//! Generates the reference for authors: a folder of HTML pages that work offline, from the
//! documentation in the engine and the contents of packs.
//!
//! Pages are plain HTML without JavaScript. Nothing here writes files.

mod card;
mod cases;
mod entry;
mod events;
mod frame;
mod functions;
mod graph;
mod grids;
mod html;
mod kinds;
pub mod layered_layout;
mod map;
mod outcomes;
mod packs;
mod paths;
mod primitives;
mod rules;
mod scripts;
mod site;
pub mod spread;
mod stories;
pub mod tokenizer;
mod usage;
mod used_by;
mod values;

pub use functions::of_file as functions_of;

use std::collections::BTreeMap;

use crate::explore::outcomes::{ExplorationLimits, OutcomeTree};
use crate::library::PackLibrary;
use cases::RuleCase;
use html::Html;
use site::{DocPack, DocSite, PageWriter};

/// The file that marks a generated folder, which may be replaced.
pub const MARK: &str = "written-by-kaer-docs.txt";

const MARK_TEXT: &str =
    "`kaer docs` generated this folder and will replace it: do not keep files of your own in it.\n";

/// The limits for the outcomes on pages of entries; lower than those of `kaer outcomes`.
pub const OUTCOMES: ExplorationLimits = ExplorationLimits {
    runs: 200,
    depth: 3,
    fights: false,
};

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The path in the folder, separated by `/`.
    pub path: String,
    /// The contents.
    pub text: String,
}

/// Generates the reference for the packs with these indices, and the packs they depend on. With
/// `outcomes.runs` at 0, pages show no outcomes.
#[must_use]
pub fn pages(library: &PackLibrary, chosen: &[u16], outcomes: ExplorationLimits) -> Vec<Page> {
    let site = DocSite::new(library, chosen);
    let cases = cases::cases_by_entry(&site);
    let mut out = SiteWriter {
        site: &site,
        pages: Vec::new(),
    };
    out.file(MARK, MARK_TEXT.to_owned());
    out.file(paths::STYLE, include_str!("style.css").to_owned());
    out.page(paths::INDEX, "Reference for authors", &[], packs::index);
    out.page(paths::FUNCTIONS, "Script functions", &[], primitives::index);
    for topic in primitives::topics(&site.primitives) {
        let back = [(paths::FUNCTIONS.to_owned(), "Script functions".to_owned())];
        out.page(&paths::topic(topic), topic, &back, |writer| {
            primitives::topic(writer, topic)
        });
    }
    out.page(paths::EVENTS, "Events and queries", &[], events::page);
    out.page(paths::KINDS, "Kinds", &[], kinds::page);
    for (pack, shown) in site.packs.iter().enumerate() {
        out.pack(pack, shown, &cases, outcomes);
    }
    out.pages
}

struct SiteWriter<'b, 'a> {
    site: &'b DocSite<'a>,
    pages: Vec<Page>,
}

impl<'b, 'a> SiteWriter<'b, 'a> {
    fn file(&mut self, path: &str, text: String) {
        self.pages.push(Page {
            path: path.to_owned(),
            text,
        });
    }

    fn page(
        &mut self,
        path: &str,
        title: &str,
        back: &[(String, String)],
        body: impl FnOnce(&PageWriter<'b, 'a>) -> Html,
    ) {
        let writer = PageWriter::new(self.site, path);
        let body = body(&writer);
        self.file(path, frame::page(&writer, title, back, &body));
    }

    /// Adds a page about the whole pack, unless it would be empty; returns its path and title.
    fn overview(
        &mut self,
        shown: &DocPack,
        name: &str,
        title: &'static str,
        body: impl FnOnce(&PageWriter<'b, 'a>) -> Option<Html>,
    ) -> Option<(String, &'static str)> {
        let (id, pack) = (shown.id(), shown.title());
        let path = paths::of_pack(id, name);
        let body = body(&PageWriter::new(self.site, &path))?;
        let back = [(paths::of_pack(id, "index"), pack.to_owned())];
        self.page(&path, &format!("{title} — {pack}"), &back, |_| body);
        Some((path, title))
    }

    fn pack(
        &mut self,
        pack: usize,
        shown: &DocPack,
        cases: &BTreeMap<usize, Vec<RuleCase>>,
        outcomes: ExplorationLimits,
    ) {
        let (id, name) = (shown.id(), shown.title());
        let overviews = [
            self.overview(shown, "rules", "Rules", |writer| {
                rules::page(writer, pack, shown, cases)
            }),
            self.overview(shown, "map", "Map", |writer| map::page(writer, pack, shown)),
            self.overview(shown, "stories", "Connections", |writer| {
                stories::page(writer, pack, shown)
            }),
            self.overview(shown, "events", "Events", |writer| {
                stories::events_page(writer, pack, shown)
            }),
            self.overview(shown, "functions", "Functions", |writer| {
                (!shown.functions.is_empty()).then(|| functions::page(writer, pack, shown))
            }),
        ];
        let links: Vec<(String, &str)> = overviews.into_iter().flatten().collect();
        let index = paths::of_pack(id, "index");
        self.page(&index, name, &[], |writer| {
            packs::page(writer, pack, shown, &links)
        });
        let back = (index, name.to_owned());
        let kinds = packs::kinds(&PageWriter::new(self.site, ""), pack, shown);
        for (kind, title, _) in &kinds {
            let path = paths::kind(id, kind);
            let title = format!("{title} — {name}");
            self.page(&path, &title, std::slice::from_ref(&back), |writer| {
                kinds::of_pack(writer, pack, shown, kind)
            });
        }
        let trees: BTreeMap<usize, Result<OutcomeTree, String>> =
            outcomes::of_pack(self.site, shown, outcomes)
                .into_iter()
                .collect();
        let site = self.site;
        for (at, item) in site.of_pack(pack).filter(|(_, item)| item.has_page()) {
            let back = [
                back.clone(),
                (
                    paths::kind(id, &item.entry.kind),
                    item.kind_title().to_owned(),
                ),
            ];
            let title = format!("{} — {name}", item.title);
            let cases = cases.get(&at).map_or(&[][..], Vec::as_slice);
            self.page(&item.path, &title, &back, |writer| {
                entry::page(
                    writer,
                    at,
                    entry::PageExtras {
                        doings: writer.outcomes_section(at, trees.get(&at)),
                        cases,
                    },
                )
            });
        }
    }
}

//! Chains: where a loss goes, link by link.

use super::build::ContentBuilder;
use super::defs::{ChainDef, ChainLink};
use super::{Content, Symbols};
use crate::diagnostic::{Diagnostic, Severity, Span, find_misspelling};
use crate::pack;
use crate::value::EntryId;

impl ContentBuilder<'_> {
    pub(super) fn chain(&mut self, entry: EntryId, source: &pack::Entry) {
        let field = source.fields.iter().find(|field| field.name == "links");
        let span = field.map_or(source.span, |field| field.span);
        let by = self.writer(source, "links");
        let links = source
            .list("links")
            .iter()
            .filter_map(|v| v.as_text())
            .filter_map(|text| self.link(span, by, text));
        let links = links.collect();
        let zone = |value: &pack::FieldValue| self.symbol_of(self.named(value)?).zone;
        let falls_without = source
            .list("falls_without")
            .iter()
            .filter_map(zone)
            .collect();
        self.content.chains.push(ChainDef {
            entry,
            links,
            falls_without,
        });
    }

    /// Parses a link with [`link`], and reports it if it is unknown.
    fn link(&mut self, span: Span, by: u16, text: &str) -> Option<ChainLink> {
        let link = link(&self.content, by, text);
        if link.is_none() {
            let name = text.trim_end_matches(['?', '*']).trim_start_matches('+');
            let content = &self.content;
            let names = content.symbol_names(Symbols::is_property);
            Diagnostic::unknown(span, "unknown-link", "counter or zone", name)
                .severity(Severity::Fatal)
                .label("a link of this chain")
                .did_you_mean(find_misspelling(name, names.iter().copied()))
                .help("a link is a counter, `+counter` that goes up, a zone (from its top), `zone?` (chosen) or `zone*` (at random)")
                .push(self.report);
        }
        link
    }
}

/// Parses a link of a chain: `guard`, `deck`, `hand?`, `deck*`, `+track`.
#[must_use]
pub(crate) fn link(content: &Content, by: u16, text: &str) -> Option<ChainLink> {
    if let Some(name) = text.strip_prefix('+') {
        return content.symbol_in(by, name).counter.map(ChainLink::Rising);
    }
    if let Some(name) = text.strip_suffix('?') {
        return content.symbol_in(by, name).zone.map(ChainLink::Chosen);
    }
    if let Some(name) = text.strip_suffix('*') {
        return content.symbol_in(by, name).zone.map(ChainLink::Random);
    }
    let symbols = content.symbol_in(by, text);
    symbols
        .counter
        .map(ChainLink::Counter)
        .or(symbols.zone.map(ChainLink::Top))
}

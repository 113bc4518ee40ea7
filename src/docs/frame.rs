//! The frame of every page: head element, navigation and breadcrumbs.

use super::html::{Html, classed, joined, tag};
use super::paths;
use super::site::PageWriter;

/// The heading of a page, with an optional line above it.
pub fn heading(title: &str, above: Option<&str>) -> Html {
    let above = above
        .map(|text| classed("p", "above", text))
        .unwrap_or_default();
    above.and(tag("h1", title))
}

/// A complete HTML page. `back` contains the breadcrumbs: paths and titles.
pub fn page(writer: &PageWriter, title: &str, back: &[(String, String)], body: &Html) -> String {
    let mut breadcrumbs: Vec<Html> = vec![writer.link(paths::INDEX, "Reference")];
    breadcrumbs.extend(back.iter().map(|(path, title)| writer.link(path, title)));
    let parts = [
        (paths::FUNCTIONS, "Functions"),
        (paths::EVENTS, "Events"),
        (paths::KINDS, "Kinds"),
    ];
    let parts = joined(parts.map(|(path, title)| writer.link(path, title)), " · ");
    let nav = tag(
        "nav",
        [tag("span", joined(breadcrumbs, " › ")), tag("span", parts)],
    );
    let title = tag("title", title);
    let style = writer.to(paths::STYLE);
    let main = tag("main", body.clone());
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <link rel=\"stylesheet\" href=\"{style}\"/>\n{}\n</head>\n<body>\n{}{}\n</body>\n</html>\n",
        title.text(),
        nav.text(),
        main.text()
    )
}

//! Pieces of pages. Packs are written by strangers: a text becomes [`Html`] only by being escaped.

use crate::diagnostic::clean;

/// Finished HTML, which is also well-formed XML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// As a text to be written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds something at the end.
    pub fn push(&mut self, more: impl Into<Html>) {
        self.0.push_str(&more.into().0);
    }

    /// It with more at its end.
    #[must_use]
    pub fn and(mut self, more: impl Into<Html>) -> Html {
        self.push(more);
        self
    }

    /// It inside of an element, unless there is nothing.
    #[must_use]
    pub fn inside(self, name: &'static str) -> Html {
        if self.is_empty() {
            self
        } else {
            tag(name, self)
        }
    }
}

impl From<&str> for Html {
    fn from(text: &str) -> Html {
        let mut out = String::with_capacity(text.len());
        for c in clean(text).chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\'' => out.push_str("&#39;"),
                c => out.push(c),
            }
        }
        Html(out)
    }
}

impl From<String> for Html {
    fn from(text: String) -> Html {
        Html::from(text.as_str())
    }
}

impl From<&String> for Html {
    fn from(text: &String) -> Html {
        Html::from(text.as_str())
    }
}

impl<const N: usize> From<[Html; N]> for Html {
    fn from(parts: [Html; N]) -> Html {
        parts.into_iter().collect()
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Html>>(parts: I) -> Html {
        let mut all = Html::default();
        parts.into_iter().for_each(|part| all.push(part));
        all
    }
}

/// Elements that end a line of the file, so that two versions of a page can be compared.
const LINES: &[&str] = &[
    "article", "br", "circle", "details", "div", "g", "h1", "h2", "h3", "header", "li", "line",
    "nav", "p", "path", "pre", "rect", "section", "summary", "svg", "table", "tbody", "td", "th",
    "thead", "tr", "ul",
];

/// An element.
pub fn tag(name: &'static str, inner: impl Into<Html>) -> Html {
    tag_with(name, &[], inner)
}

/// An element with attributes; one with nothing in it closes itself.
pub fn tag_with(
    name: &'static str,
    attributes: &[(&'static str, &str)],
    inner: impl Into<Html>,
) -> Html {
    let inner = inner.into();
    let mut out = format!("<{name}");
    for (key, value) in attributes {
        out.push_str(&format!(" {key}=\"{}\"", Html::from(*value).0));
    }
    // A browser takes `<p/>` for an opening tag; only these are empty for it.
    if inner.is_empty() && matches!(name, "path" | "line" | "rect" | "circle" | "br") {
        out.push_str("/>");
    } else {
        out.push_str(&format!(">{}</{name}>", inner.0));
    }
    if LINES.contains(&name) {
        out.push('\n');
    }
    Html(out)
}

/// An element of a class.
pub fn classed(name: &'static str, class: &str, inner: impl Into<Html>) -> Html {
    tag_with(name, &[("class", class)], inner)
}

/// A link.
pub fn link(to: &str, inner: impl Into<Html>) -> Html {
    tag_with("a", &[("href", to)], inner)
}

/// Code within a line.
pub fn code(text: &str) -> Html {
    tag("code", text)
}

/// Things with something between them.
pub fn joined(parts: impl IntoIterator<Item = Html>, between: &str) -> Html {
    let mut all = Html::default();
    for part in parts {
        if !all.is_empty() {
            all.push(between);
        }
        all.push(part);
    }
    all
}

/// An item of a list for each; nothing for none.
pub fn list(items: impl IntoIterator<Item = Html>) -> Html {
    let items: Html = items.into_iter().map(|item| tag("li", item)).collect();
    items.inside("ul")
}

/// A table with a head; nothing without rows.
pub fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [Html; N]>) -> Html {
    let row = |cells: [Html; N]| {
        tag(
            "tr",
            cells
                .into_iter()
                .map(|cell| tag("td", cell))
                .collect::<Html>(),
        )
    };
    let rows: Html = rows.into_iter().map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    let head: Html = head.into_iter().map(|name| tag("th", name)).collect();
    classed(
        "div",
        "wide",
        tag("table", [tag("thead", tag("tr", head)), tag("tbody", rows)]),
    )
}

/// A heading of the second rank and what stands below it; nothing if that is nothing.
pub fn section(heading: &str, inner: Html) -> Html {
    if inner.is_empty() {
        inner
    } else {
        tag("section", [tag("h2", heading), inner])
    }
}

/// A sentence in which backticks mark code.
pub fn prose(text: &str) -> Html {
    let part = |(ix, part): (usize, &str)| if ix % 2 == 1 { code(part) } else { part.into() };
    // A single backtick marks nothing.
    if text.matches('`').count() % 2 == 1 {
        text.into()
    } else {
        text.split('`').enumerate().map(part).collect()
    }
}

/// A text of a card: paragraphs between blank lines.
pub fn paragraphs(text: &str) -> Html {
    let lines = |part: &str| {
        let mut all = Html::default();
        for line in part.trim().lines() {
            if !all.is_empty() {
                all.push(tag("br", ""));
            }
            all.push(line);
        }
        all
    };
    text.trim()
        .split("\n\n")
        .filter(|part| !part.trim().is_empty())
        .map(|part| tag("p", lines(part)))
        .collect()
}

/// So many of something: `1 card`, `2 cards`.
pub fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_becomes_markup() {
        assert_eq!(
            tag_with("a", &[("title", "\"x'")], "<b>&\u{1b}").text(),
            "<a title=\"&quot;x&#39;\">&lt;b&gt;&amp;</a>"
        );
        assert_eq!(prose("see `<x>`").text(), "see <code>&lt;x&gt;</code>");
        assert_eq!(prose("a lone ` is one").text(), "a lone ` is one");
        assert_eq!(
            paragraphs("a\nb\n\n\nc").text(),
            "<p>a<br/>\nb</p>\n<p>c</p>\n"
        );
    }
}

//! HTML building blocks. Packs are untrusted input: text becomes [`Html`] only by being escaped.

use crate::diagnostic::sanitize;

/// Escaped HTML that is also well-formed XML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    pub fn text(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, more: impl Into<Html>) {
        self.0.push_str(&more.into().0);
    }

    /// Appends more HTML, in builder style.
    #[must_use]
    pub fn and(mut self, more: impl Into<Html>) -> Html {
        self.push(more);
        self
    }

    /// Wraps it in an element, unless it is empty.
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
        for c in sanitize(text).chars() {
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

/// Elements followed by a line break, so that two versions of a page can be compared with a diff.
const BLOCK_ELEMENTS: &[&str] = &[
    "article", "br", "circle", "details", "div", "g", "h1", "h2", "h3", "header", "li", "line",
    "nav", "p", "path", "pre", "rect", "section", "summary", "svg", "table", "tbody", "td", "th",
    "thead", "tr", "ul",
];

pub fn tag(name: &'static str, inner: impl Into<Html>) -> Html {
    tag_with(name, &[], inner)
}

/// An element with attributes; void elements without content are self-closing.
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
    // Browsers read `<p/>` as an opening tag; only these elements may be self-closing.
    if inner.is_empty() && matches!(name, "path" | "line" | "rect" | "circle" | "br") {
        out.push_str("/>");
    } else {
        out.push_str(&format!(">{}</{name}>", inner.0));
    }
    if BLOCK_ELEMENTS.contains(&name) {
        out.push('\n');
    }
    Html(out)
}

pub fn classed(name: &'static str, class: &str, inner: impl Into<Html>) -> Html {
    tag_with(name, &[("class", class)], inner)
}

pub fn link(to: &str, inner: impl Into<Html>) -> Html {
    tag_with("a", &[("href", to)], inner)
}

/// Inline code.
pub fn code(text: &str) -> Html {
    tag("code", text)
}

/// Joins parts with a separator.
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

/// A bulleted list; empty without items.
pub fn list(items: impl IntoIterator<Item = Html>) -> Html {
    let items: Html = items.into_iter().map(|item| tag("li", item)).collect();
    items.inside("ul")
}

/// A table with a head; empty without rows.
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

/// A section with a heading; empty if the content is empty.
pub fn section(heading: &str, inner: Html) -> Html {
    if inner.is_empty() {
        inner
    } else {
        tag("section", [tag("h2", heading), inner])
    }
}

/// Text in which backticks mark code.
pub fn prose(text: &str) -> Html {
    let part = |(ix, part): (usize, &str)| if ix % 2 == 1 { code(part) } else { part.into() };
    // Unbalanced backticks are plain text.
    if text.matches('`').count() % 2 == 1 {
        text.into()
    } else {
        text.split('`').enumerate().map(part).collect()
    }
}

/// Text of a card: blank lines separate paragraphs.
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

/// A count with a noun: `1 card`, `2 cards`.
pub fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

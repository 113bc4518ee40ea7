//! A strict and minimal XML reader for the generated pages.

/// The elements that pages may use.
pub const ELEMENTS: &[&str] = &[
    "!DOCTYPE", "a", "article", "body", "br", "circle", "code", "defs", "details", "div", "em",
    "g", "h1", "h2", "h3", "head", "header", "html", "li", "line", "link", "main", "marker",
    "meta", "nav", "p", "path", "pre", "rect", "section", "span", "strong", "summary", "svg",
    "table", "tbody", "td", "text", "th", "thead", "title", "tr", "ul",
];

/// The attributes that pages may use; none of them can run a script.
pub const ATTRIBUTES: &[&str] = &[
    "charset",
    "class",
    "content",
    "cx",
    "cy",
    "d",
    "data-language",
    "height",
    "href",
    "html",
    "id",
    "lang",
    "marker-end",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "name",
    "orient",
    "r",
    "refX",
    "refY",
    "rel",
    "role",
    "rx",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

/// The contents of a page.
#[derive(Default)]
pub struct Markup {
    pub tags: Vec<String>,
    pub attributes: Vec<String>,
    pub ids: Vec<String>,
    pub links: Vec<String>,
}

impl Markup {
    /// Reads a page, or returns what is wrong with it.
    pub fn read(page: &str) -> Result<Markup, String> {
        let mut found = Markup::default();
        let mut open: Vec<String> = Vec::new();
        let mut rest = page;
        while let Some(at) = rest.find('<') {
            check_text(&rest[..at])?;
            let end = rest[at..].find('>').ok_or("unterminated tag")? + at;
            let inner = &rest[at + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = inner.strip_prefix('/') {
                let last = open.pop();
                if last.as_deref() != Some(name) {
                    return Err(format!("</{name}> where {last:?} is open"));
                }
                continue;
            }
            let name = inner
                .split([' ', '/'])
                .next()
                .unwrap_or_default()
                .to_owned();
            found.attributes(&name, &inner[name.len()..])?;
            if !inner.ends_with('/') && name != "!DOCTYPE" {
                open.push(name.clone());
            }
            found.tags.push(name);
        }
        check_text(rest)?;
        if open.is_empty() {
            Ok(found)
        } else {
            Err(format!("unclosed tags: {open:?}"))
        }
    }

    fn attributes(&mut self, tag: &str, text: &str) -> Result<(), String> {
        let mut rest = text.trim().trim_end_matches('/').trim();
        while !rest.is_empty() {
            if tag == "!DOCTYPE" {
                return Ok(());
            }
            let (name, after) = rest
                .split_once("=\"")
                .ok_or_else(|| format!("<{tag} {rest}>"))?;
            let (value, after) = after
                .split_once('"')
                .ok_or_else(|| format!("<{tag} {rest}>"))?;
            check_text(value)?;
            match name {
                "id" => self.ids.push(value.to_owned()),
                "href" => self.links.push(value.to_owned()),
                _ => {}
            }
            self.attributes.push(name.to_owned());
            rest = after.trim();
        }
        Ok(())
    }
}

/// Text must not contain unescaped quotation marks, brackets or ampersands.
fn check_text(text: &str) -> Result<(), String> {
    if text.contains(['"', '\'', '>']) {
        return Err(format!("unescaped: {text}"));
    }
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        if !known.iter().any(|entity| text[at..].starts_with(entity)) {
            return Err(format!("unescaped `&`: {text}"));
        }
    }
    Ok(())
}

/// A text escaped for a page.
pub fn escaped(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// The visible text of a page.
pub fn text(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    let text = out
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'");
    text.replace("&amp;", "&")
}

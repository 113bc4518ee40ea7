//! The pages of `docs/checks/`, which `kaer explain` prints.

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The Markdown page of a code, if the code exists.
#[must_use]
pub fn page(code: &str) -> Option<&'static str> {
    PAGES
        .iter()
        .find(|(own, _)| *own == code)
        .map(|(_, text)| *text)
}

/// Every code, with the first sentence of its page.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGES.iter().map(|(code, text)| {
        (
            *code,
            text.lines()
                .find(|line| !line.is_empty() && !line.starts_with('#'))
                .unwrap_or(""),
        )
    })
}

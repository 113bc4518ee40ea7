//! The functions in the function files of a pack.

use super::html::{Html, classed, code, paragraphs, section, tag, tag_with};
use super::site::{DocPack, PageWriter};
use super::{frame, scripts};
use crate::diagnostic::{FileId, Files, Span};
use crate::script::outline_file;

/// A function in a function file.
pub struct FunctionSource<'a> {
    pub name: &'a str,
    /// The signature: `restock(seat, count)`.
    pub head: &'a str,
    /// The number of parameters.
    pub parameters: usize,
    /// The comment above it, on one line.
    pub comment: String,
    /// The source, without the comment.
    pub text: &'a str,
    pub span: Span,
}

impl FunctionSource<'_> {
    /// The anchor on the functions page.
    pub fn anchor(&self) -> String {
        super::paths::name(&format!("{}-{}", self.name, self.parameters))
    }
}

/// The functions of a file; none if it has a syntax error.
#[must_use]
pub fn of_file(files: &Files, file: FileId) -> Vec<FunctionSource<'_>> {
    let text = files.text(file);
    let mut outlines = outline_file(text);
    outlines.sort_by_key(|outline| outline.at);
    let functions = outlines.iter().map(|outline| {
        let start = text[..outline.at].rfind('\n').map_or(0, |at| at + 1);
        let called = text[outline.at..outline.end].split('{').next();
        let head = called.unwrap_or_default().trim_end();
        FunctionSource {
            name: &text[outline.at..outline.at + outline.name.len()],
            head,
            parameters: outline.parameters,
            comment: comment_above(&text[..start]),
            text: &text[start..outline.end],
            span: Span::new(file, start, outline.at + head.len()),
        }
    });
    functions.collect()
}

/// The lines of a comment at the end of a text, joined.
fn comment_above(text: &str) -> String {
    let lines = text.lines().rev().take_while(|line| line.starts_with("//"));
    let mut lines: Vec<&str> = lines
        .map(|line| line.trim_start_matches('/').trim())
        .collect();
    lines.reverse();
    lines.join(" ")
}

pub fn page(writer: &PageWriter, pack: usize, shown: &DocPack) -> Html {
    let mut body = frame::heading("Functions", Some(shown.title()));
    body.push(tag("p", "The functions that the pack defines, by file."));
    for file in &shown.pack.libraries {
        let own = shown
            .functions
            .iter()
            .enumerate()
            .filter(|(_, function)| function.span.file == *file);
        let all: Html = own
            .map(|(at, function)| block(writer, (pack, at), function))
            .collect();
        body.push(section(writer.site.file_of(shown, *file), all));
    }
    body
}

fn block(writer: &PageWriter, at: (usize, usize), function: &FunctionSource) -> Html {
    let place = classed("span", "place", writer.site.location_of(function.span));
    let head = tag_with(
        "h3",
        &[("id", &function.anchor())],
        [code(function.head), " ".into(), place],
    );
    let text = scripts::shown(writer, writer.site.packs[at.0].number, function.text);
    tag(
        "article",
        [
            head,
            paragraphs(&function.comment),
            text,
            writer.called_by(at),
        ],
    )
}

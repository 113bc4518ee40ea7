//! The functions in the function files of a pack.

use super::html::{Html, classed, code, paragraphs, section, tag, tag_with};
use super::site::{DocPack, PageWriter};
use super::{frame, scripts};
use crate::diagnostic::{FileId, Files, Span};

/// A function, found by searching the text of its file rather than by parsing Rhai.
pub struct FunctionSource<'a> {
    pub name: &'a str,
    /// The signature: `restock(seat, count)`.
    pub head: &'a str,
    /// The comment above it, on one line.
    pub comment: String,
    /// The source, without the comment.
    pub text: &'a str,
    pub span: Span,
}

impl FunctionSource<'_> {
    /// The number of parameters.
    pub fn arguments(&self) -> usize {
        let inner = self
            .head
            .split_once('(')
            .map_or("", |(_, rest)| rest.trim_end_matches(')'));
        inner
            .split(',')
            .filter(|name| !name.trim().is_empty())
            .count()
    }

    /// The anchor on the functions page.
    pub fn anchor(&self) -> String {
        super::paths::name(&format!("{}-{}", self.name, self.arguments()))
    }
}

/// Finds the functions of a file; each must start at the beginning of a line.
pub fn of_file(files: &Files, file: FileId) -> Vec<FunctionSource<'_>> {
    let text = files.text(file);
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, line));
        at += line.len();
    }
    let is_head = |line: &str| {
        line.strip_prefix("private ")
            .unwrap_or(line)
            .starts_with("fn ")
    };
    let heads: Vec<usize> = (0..lines.len())
        .filter(|ix| is_head(lines[*ix].1))
        .collect();
    let comment_from = |head: usize| {
        (0..head)
            .rev()
            .take_while(|ix| lines[*ix].1.starts_with("//"))
            .last()
            .unwrap_or(head)
    };
    let mut found = Vec::new();
    for (ix, &head) in heads.iter().enumerate() {
        let start = lines[head].0;
        let end = heads
            .get(ix + 1)
            .map_or(text.len(), |next| lines[comment_from(*next)].0);
        let body = text[start..end].trim_end();
        let Some((called, _)) = body.split_once('{') else {
            continue;
        };
        let called = called
            .trim_start_matches("private ")
            .trim_start_matches("fn ")
            .trim();
        let bare = |ix: usize| lines[ix].1.trim_start_matches('/').trim();
        found.push(FunctionSource {
            name: called.split('(').next().unwrap_or(called).trim(),
            head: called,
            comment: (comment_from(head)..head)
                .map(bare)
                .collect::<Vec<_>>()
                .join(" "),
            text: body,
            span: Span::new(file, start, start + called.len()),
        });
    }
    found
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
    let place = classed("span", "place", writer.site.place_of(function.span));
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

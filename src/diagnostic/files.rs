//! The source map: every text that a diagnostic may point into.

use crate::number::cast;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The index of a text in [`Files`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A source location: a range of bytes in a file.
///
/// It is small and `Copy`, because every parsed value has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Creates a span. Offsets above 4 GiB, which no pack can reach, are a bug.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let small = |offset: usize| cast::<_, u32>(offset);
        Self {
            file,
            start: small(start),
            end: small(end.max(start)),
        }
    }

    /// The start of a file, for diagnostics about the whole file.
    #[must_use]
    pub fn start_of(file: FileId) -> Self {
        Self {
            file,
            start: 0,
            end: 0,
        }
    }

    /// The part that starts `from` bytes into this span and is `len` bytes long, clipped to this
    /// span.
    #[must_use]
    pub fn part(self, from: usize, len: usize) -> Self {
        let start = self.start as usize;
        let end = self.end as usize;
        let first = start.saturating_add(from).min(end);
        Self::new(self.file, first, first.saturating_add(len).min(end))
    }
}

#[derive(Clone, Debug)]
struct File {
    name: Arc<str>,
    /// Shared by the copies of the map that hot reloads make.
    text: Arc<String>,
    /// The start of each line; computed on first use, because most files have no diagnostics.
    lines: OnceLock<Vec<u32>>,
}

impl File {
    fn new(name: String, text: String) -> Self {
        Self {
            name: name.into(),
            text: Arc::new(text),
            lines: OnceLock::new(),
        }
    }

    /// The line that contains a byte, counted from 0.
    fn line_at(&self, offset: usize) -> usize {
        self.lines()
            .partition_point(|start| *start as usize <= offset)
            .saturating_sub(1)
    }

    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let breaks = (1u32..)
                .zip(self.text.bytes())
                .filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0)
                .chain(breaks.map(|(after, _)| after))
                .collect()
        })
    }
}

/// All texts read so far. Files are only added, so a [`Span`] stays valid until its file is
/// [replaced](Files::replace).
///
/// The first file is always empty. It represents everything outside of files, such as the command
/// line.
#[derive(Clone, Debug)]
pub struct Files {
    files: Vec<File>,
}

impl Default for Files {
    fn default() -> Self {
        Self::new()
    }
}

impl Files {
    /// Creates a map with only the command line.
    #[must_use]
    pub fn new() -> Self {
        Self {
            files: vec![File::new("command line".into(), String::new())],
        }
    }

    /// The location of input that is not in a file: the command line, a choice in a menu.
    #[must_use]
    pub fn outside() -> Span {
        Span::start_of(FileId(0))
    }

    /// Adds a text under a name: its path as the user would type it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(cast::<_, u32>(self.files.len()));
        self.files.push(File::new(name.into(), text.into()));
        id
    }

    /// Replaces the text of a file and returns the old one. Spans into the old text become invalid.
    pub fn replace(&mut self, file: FileId, text: Arc<String>) -> Arc<String> {
        let Some(held) = self.files.get_mut(file.0 as usize) else {
            return Arc::default();
        };
        held.lines = OnceLock::new();
        std::mem::replace(&mut held.text, text)
    }

    /// The file with that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<FileId> {
        let at = self.files.iter().position(|file| &*file.name == name)?;
        u32::try_from(at).ok().map(FileId)
    }

    /// The name of a file; empty if the id is unknown.
    #[must_use]
    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.name)
    }

    /// The text of a file; empty if the id is unknown.
    #[must_use]
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.text)
    }

    /// The text of a span; empty if the span exceeds its file.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file)
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// The line and column at which a span starts, both counted from 1; columns count characters.
    #[must_use]
    pub fn line_col(&self, span: Span) -> (u32, u32) {
        let Some(file) = self.files.get(span.file.0 as usize) else {
            return (1, 1);
        };
        let at = floor_char_boundary(&file.text, span.start as usize);
        let line = file.line_at(at);
        let start = file.lines().get(line).map_or(0, |start| *start as usize);
        let column = file
            .text
            .get(start..at)
            .map_or(0, |before| before.chars().count());
        let number = |n: usize| cast::<_, u32>(n + 1);
        (number(line), number(column))
    }

    /// The lines from `before` lines above a span to `after` lines below it: their byte range, and
    /// the number of lines before them.
    pub(super) fn lines_around(
        &self,
        span: Span,
        before: usize,
        after: usize,
    ) -> (Range<usize>, usize) {
        let Some(file) = self.files.get(span.file.0 as usize) else {
            return (0..0, 0);
        };
        let first = file.line_at(span.start as usize).saturating_sub(before);
        let line_after = file.line_at(span.end as usize) + after + 1;
        let start = file.lines().get(first).map_or(0, |start| *start as usize);
        let end = file
            .lines()
            .get(line_after)
            .map_or(file.text.len(), |end| *end as usize);
        (start..end, first)
    }

    /// The number of files, including the command line.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Never true, because there is always the command line. Clippy requires it next to `len`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// All files in the order they were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..cast::<_, u32>(self.files.len())).map(FileId)
    }
}

/// The nearest character boundary at or before `offset`.
pub(super) fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

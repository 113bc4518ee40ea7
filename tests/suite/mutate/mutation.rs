//! A mutation: its place, the old and new text, and the resulting file.

use std::ops::Range;

use super::book::Book;
use super::rng::Rng;

pub struct Mutation {
    /// The changed file and its new text.
    pub file: usize,
    pub text: String,
    /// The correct places for a diagnostic: file and line, from 1.
    pub at: Vec<(usize, usize)>,
    /// The old and the new text.
    pub what: String,
    edits: Vec<(Range<usize>, String)>,
}

impl Mutation {
    /// Replaces parts of a file; the first of them is the place of the error.
    pub fn new(book: &Book, file: usize, mut edits: Vec<(Range<usize>, String)>) -> Self {
        let place = edits[0].0.start;
        let what = format!(
            "{} → {}",
            shown(&book.text(file)[edits[0].0.clone()]),
            shown(&edits[0].1)
        );
        edits.sort_by_key(|(range, _)| range.start);
        let mut text = book.text(file).to_owned();
        for (range, new) in edits.iter().rev() {
            text.replace_range(range.clone(), new);
        }
        let mutation = Self {
            file,
            text,
            at: Vec::new(),
            what,
            edits,
        };
        mutation.also(book, file, place)
    }

    /// Replaces one part of a file.
    pub fn one(book: &Book, file: usize, range: Range<usize>, new: impl Into<String>) -> Self {
        Self::new(book, file, vec![(range, new.into())])
    }

    /// The same with another description.
    pub fn described(mut self, what: impl Into<String>) -> Self {
        self.what = what.into();
        self
    }

    /// Adds a correct place, given as a position in the original file.
    pub fn also(mut self, book: &Book, file: usize, place: usize) -> Self {
        let line = if file == self.file {
            let before = self
                .edits
                .iter()
                .filter(|(range, _)| range.end <= place && !range.is_empty());
            let moved = before.fold(place, |at, (range, new)| at + new.len() - range.len());
            line_of(&self.text, moved)
        } else {
            line_of(book.text(file), place)
        };
        if !self.at.contains(&(file, line)) {
            self.at.push((file, line));
        }
        self
    }

    /// Also accepts the next line that is not blank, where a parser notices what is missing.
    pub fn or_below(mut self) -> Self {
        let (file, line) = self.at[0];
        let below = self
            .text
            .lines()
            .skip(line)
            .position(|line| !line.trim().is_empty());
        self.at.extend(below.map(|below| (file, line + below + 1)));
        self
    }

    /// Accepts only these places, given as positions in the original files.
    pub fn only(mut self, book: &Book, places: &[(usize, usize)]) -> Self {
        self.at.clear();
        places.iter().fold(self, |mutation, (file, place)| {
            mutation.also(book, *file, *place)
        })
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count() + 1
}

fn shown(text: &str) -> String {
    let line = text.trim().replace('\n', "⏎");
    let short: String = line.chars().take(60).collect();
    if short.is_empty() {
        "nothing".to_owned()
    } else {
        format!("`{}`", short.replace('|', "\\|"))
    }
}

impl Book {
    /// A misspelt word; never one that occurs anywhere in the pack.
    pub fn misspelt(&self, word: &str, rng: &mut Rng) -> Option<String> {
        (0..40).find_map(|_| {
            let mut letters: Vec<char> = word.chars().collect();
            let at = rng.below(letters.len());
            match rng.below(4) {
                0 if at + 1 < letters.len() => letters.swap(at, at + 1),
                1 if letters.len() > 3 => drop(letters.remove(at)),
                2 => letters.insert(at, letters[at]),
                _ => letters[at] = char::from(b'a' + u8::try_from(rng.below(26)).unwrap_or(0)),
            }
            let new: String = letters.into_iter().collect();
            let is_name =
                new.starts_with(|c: char| c.is_ascii_alphabetic()) && !new.ends_with(['-', '_']);
            (is_name && !new.contains("--") && !self.words.contains(&new)).then_some(new)
        })
    }

    /// Misspells a word in a file.
    pub fn misspell(&self, file: usize, range: Range<usize>, rng: &mut Rng) -> Option<Mutation> {
        let new = self.misspelt(&self.text(file)[range.clone()], rng)?;
        Some(Mutation::one(self, file, range, new))
    }
}

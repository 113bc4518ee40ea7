//! One thing broken: where, what was there, and the text of the file after it.

use std::ops::Range;

use super::book::Book;
use super::chance::Chance;

pub struct Mutation {
    /// The file that was changed, and its new text.
    pub file: usize,
    pub text: String,
    /// Where a finding is right: file and line, from 1.
    pub at: Vec<(usize, usize)>,
    /// What was there, and what is there now.
    pub what: String,
    edits: Vec<(Range<usize>, String)>,
}

impl Mutation {
    /// Puts other texts instead of parts of a file; the first of them is the place of the fault.
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

    /// One part of a file changed.
    pub fn one(book: &Book, file: usize, range: Range<usize>, new: impl Into<String>) -> Self {
        Self::new(book, file, vec![(range, new.into())])
    }

    /// The same, told in other words.
    pub fn told(mut self, what: impl Into<String>) -> Self {
        self.what = what.into();
        self
    }

    /// Another place at which a finding is right, as it was before.
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

    /// The line below the fault is right as well: what is missing is missed there.
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

    /// Only these places, as they were before.
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
    /// A word as someone mistypes it; never one that stands anywhere in the pack.
    pub fn misspelt(&self, word: &str, chance: &mut Chance) -> Option<String> {
        (0..40).find_map(|_| {
            let mut letters: Vec<char> = word.chars().collect();
            let at = chance.below(letters.len());
            match chance.below(4) {
                0 if at + 1 < letters.len() => letters.swap(at, at + 1),
                1 if letters.len() > 3 => drop(letters.remove(at)),
                2 => letters.insert(at, letters[at]),
                _ => letters[at] = char::from(b'a' + u8::try_from(chance.below(26)).unwrap_or(0)),
            }
            let new: String = letters.into_iter().collect();
            let sound =
                new.starts_with(|c: char| c.is_ascii_alphabetic()) && !new.ends_with(['-', '_']);
            (sound && !new.contains("--") && !self.words.contains(&new)).then_some(new)
        })
    }

    /// A place in a file misspelt.
    pub fn misspell(
        &self,
        file: usize,
        range: Range<usize>,
        chance: &mut Chance,
    ) -> Option<Mutation> {
        let new = self.misspelt(&self.text(file)[range.clone()], chance)?;
        Some(Mutation::one(self, file, range, new))
    }
}

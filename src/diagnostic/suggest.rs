//! "Did you mean": the known name nearest to an unknown one.

use std::borrow::Cow;
use std::fmt;

use super::{Edit, Span};

/// Longer names are not compared, because a hostile pack could stall the check with them.
const MAX_NAME_CHARS: usize = 64;

/// Shorter names are similar to too many others to be renamed automatically.
const MIN_NAME_CHARS: usize = 3;

/// An unknown name and the known name that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelling<'a> {
    written: String,
    correction: Cow<'a, str>,
    /// Whether no other name is equally similar.
    only: bool,
}

impl Misspelling<'_> {
    /// The rename that fixes it, if it is clear which name was meant. The span must contain the
    /// misspelled name and little else.
    #[must_use]
    pub fn edit(&self, span: Span) -> Option<Edit> {
        // `level-10` is not a misspelling of `level-1`.
        let digits = |word: &str| {
            word.chars()
                .filter(char::is_ascii_digit)
                .collect::<String>()
        };
        let same_digits = digits(&self.written) == digits(&self.correction);
        let long = self.written.chars().count() >= MIN_NAME_CHARS;
        let sure = self.only && long && same_digits && self.written != self.correction;
        sure.then(|| Edit {
            span,
            old: self.written.clone(),
            new: self.correction.as_ref().to_owned(),
        })
    }

    /// Copies the suggested name, so that it outlives the list that was searched.
    #[must_use]
    pub fn into_owned(self) -> Misspelling<'static> {
        Misspelling {
            correction: Cow::Owned(self.correction.into_owned()),
            ..self
        }
    }
}

impl fmt::Display for Misspelling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.correction)
    }
}

/// A suggestion without a fix, because the misspelled name is not known.
impl<'a> From<&'a str> for Misspelling<'a> {
    fn from(suggested: &'a str) -> Self {
        Self {
            written: String::new(),
            correction: Cow::Borrowed(suggested),
            only: false,
        }
    }
}

/// The name that `word` misspells, if a candidate is [similar](nearest) enough.
pub fn find_misspelling<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Misspelling<'a>> {
    let (suggested, only) = best(word, candidates)?;
    Some(Misspelling {
        written: word.to_owned(),
        correction: Cow::Borrowed(suggested),
        only,
    })
}

/// The candidate that is most similar to `word`, if at most a third of the letters differ.
///
/// Transposed neighbours count as one difference; upper and lower case are equal. If several
/// candidates are equally similar, one that begins with `word` wins, otherwise the first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    best(word, candidates).map(|(candidate, _)| candidate)
}

/// "unknown zone `hnad`": the message for every unknown name.
pub(crate) fn unknown_name(what: &str, name: &str) -> String {
    format!("unknown {what} `{name}`")
}

/// "; did you mean `hand`?" for messages that are not diagnostics; empty if no candidate is
/// similar.
pub(crate) fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The most similar candidate, and whether no other one is equally similar.
fn best<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, bool)> {
    let target = letters(word)?;
    let limit = (target.len() / 3).max(1);
    let mut best: Option<(usize, &str, bool)> = None;
    for candidate in candidates {
        let Some(found) = letters(candidate) else {
            continue;
        };
        if found.is_empty() || found.len().abs_diff(target.len()) > limit {
            continue;
        }
        let edits = distance(&target, &found);
        if edits > limit || edits >= target.len() {
            continue;
        }
        match &mut best {
            Some((smallest, first, only)) if edits == *smallest => {
                *only &= *first == candidate;
                // `move` is rather a form of `moves` than a misspelling of `mode`.
                if candidate.starts_with(word) && !first.starts_with(word) {
                    *first = candidate;
                }
            }
            Some((smallest, _, _)) if edits > *smallest => {}
            _ => best = Some((edits, candidate, true)),
        }
    }
    best.map(|(_, candidate, only)| (candidate, only))
}

/// The letters of a word in lower case; `None` if it is too long.
fn letters(word: &str) -> Option<Vec<char>> {
    (word.len() <= MAX_NAME_CHARS).then(|| word.chars().flat_map(char::to_lowercase).collect())
}

/// Optimal string alignment distance: edits and transpositions of neighbours, in three rows.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = last.clone();
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

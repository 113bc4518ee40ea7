//! "Did you mean": the known word nearest to one that is not.

/// Longer words are not compared; nobody mistypes those, and a stranger's pack could stall us with them.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, if one is near enough: at most a third of its letters differ.
///
/// A swap of two neighbouring letters counts as one difference, upper and lower case as none.
/// Of equally near candidates the first one wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = letters(word)?;
    let limit = (wanted.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let Some(found) = letters(candidate) else { continue };
        if found.is_empty() || found.len().abs_diff(wanted.len()) > limit {
            continue;
        }
        let away = distance(&wanted, &found);
        if away <= limit && away < wanted.len() && best.is_none_or(|(least, _)| away < least) {
            best = Some((away, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The letters of a word in lower case; nothing if it is too long.
fn letters(word: &str) -> Option<Vec<char>> {
    (word.len() <= LONGEST).then(|| word.chars().flat_map(char::to_lowercase).collect())
}

/// Edit distance with transpositions of neighbours (optimal string alignment), in three rows.
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

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_of_the_finger() {
        let words = ["level", "life", "title"];
        assert_eq!(nearest("levle", words), Some("level"));
        assert_eq!(nearest("LIFE", words), Some("life"));
        assert_eq!(nearest("titel", words), Some("title"));
        assert_eq!(nearest("damage", words), None);
        assert_eq!(nearest("", words), None);
    }
}

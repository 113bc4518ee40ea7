//! English grammar for the sentences of the catalogue: lists, plurals, possessives.

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn join_and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// `1`, `1 and 3`, `1, 3 and 4`; more than two in a row are `1 to 14`.
#[must_use]
pub fn join_numbers(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|before, after| before + 1 == *after);
    let parts: Vec<String> = runs
        .flat_map(|run| match run {
            [first, _, .., last] => vec![format!("{first} to {last}")],
            few => few.iter().map(usize::to_string).collect(),
        })
        .collect();
    join_and(&parts)
}

/// `a`, `a, and b`, `a, b, and c`: clauses, which need the comma.
#[must_use]
pub fn join_clauses(clauses: &[String]) -> String {
    match clauses {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{}, and {last}", rest.join(", ")),
    }
}

/// Each distinct item once, in order of appearance, with its count if that is above 1: `Jab ×2`.
#[must_use]
pub fn count_equal(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for item in items {
        match counts.iter_mut().find(|(other, _)| *other == item) {
            Some((_, count)) => *count += 1,
            None => counts.push((item, 1)),
        }
    }
    let text = |(item, count): (String, usize)| match count {
        1 => item,
        n => format!("{item} ×{n}"),
    };
    counts.into_iter().map(text).collect()
}

/// `Ann's`.
#[must_use]
pub fn possessive(name: &str) -> String {
    format!("{name}'s")
}

/// The noun at the end of a title, in lower case: `card` for `Action card`.
#[must_use]
pub fn head_noun(title: &str) -> String {
    title
        .split_whitespace()
        .next_back()
        .unwrap_or(title)
        .to_lowercase()
}

/// `cards` for `card`; a noun that already looks like a plural is unchanged.
#[must_use]
pub fn plural(noun: &str) -> String {
    let ends_in = |endings: &[&str]| endings.iter().any(|ending| noun.ends_with(ending));
    match noun.strip_suffix('y') {
        Some(stem) if !ends_in(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if is_plural(noun) => noun.to_owned(),
        _ if ends_in(&["s", "x", "z", "ch", "sh"]) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// The singular of a title that looks like a plural; any other title unchanged.
#[must_use]
pub fn singular(title: &str) -> String {
    if !is_plural(title) {
        return title.to_owned();
    }
    let stem = |ending: &str| title.strip_suffix(ending);
    match (stem("ies"), stem("ches").or_else(|| stem("shes"))) {
        (Some(stem), _) => format!("{stem}y"),
        (_, Some(_)) => title[..title.len() - 2].to_owned(),
        _ => title[..title.len() - 1].to_owned(),
    }
}

/// Whether a title looks like a plural: it ends in `s`, but not as `Focus` or `Success` do.
#[must_use]
pub fn is_plural(title: &str) -> bool {
    let ends_in = |endings: &[&str]| endings.iter().any(|ending| title.ends_with(ending));
    title.ends_with('s') && !ends_in(&["ss", "us", "is", "as", "os"])
}

/// `1 card`, `3 cards`.
#[must_use]
pub fn count(amount: i64, noun: &str) -> String {
    if amount == 1 {
        format!("1 {noun}")
    } else {
        format!("{amount} {}", plural(noun))
    }
}

/// A title inside a sentence: `discard pile` for `Discard pile`. A title with capitals in other places
/// is a name and stays as it is.
#[must_use]
pub fn mid_sentence(title: &str) -> String {
    let mut chars = title.chars();
    let Some(first) = chars.next() else {
        return String::new();
    };
    if chars.clone().any(char::is_uppercase) {
        return title.to_owned();
    }
    first.to_lowercase().chain(chars).collect()
}

/// A name inside a sentence: `the Five Inn` for `The Five Inn`.
#[must_use]
pub fn lowercase_article(name: &str) -> String {
    name.strip_prefix("The ")
        .map_or_else(|| name.to_owned(), |rest| format!("the {rest}"))
}

/// `the deck`, inside a sentence; a title that already has an article is unchanged.
#[must_use]
pub fn with_article(title: &str) -> String {
    let has_article = ["The ", "the ", "A ", "a ", "An ", "an "]
        .iter()
        .any(|article| title.starts_with(article));
    if has_article {
        mid_sentence(title)
    } else {
        format!("the {}", mid_sentence(title))
    }
}

/// Quotes what a player chose, unless the text already has quotation marks.
#[must_use]
pub fn quote(text: &str) -> String {
    if text.starts_with('“') {
        text.to_owned()
    } else {
        format!("“{text}”")
    }
}

/// Ends a text with a full stop, unless it already ends like a sentence.
#[must_use]
pub fn end_sentence(text: &str) -> String {
    let text = text.trim();
    let end = text.trim_end_matches('”');
    if end.ends_with(['.', '!', '?', '…', ':']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// `The deck` for `the deck`.
#[must_use]
pub fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

//! The names of saves.

const MAX_LENGTH: usize = 40;

/// Whether a name is valid: up to 40 letters, digits, `-` and `_`, starting with a letter or digit.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    name.starts_with(char::is_alphanumeric)
        && name.chars().all(fits)
        && name.chars().count() <= MAX_LENGTH
}

/// Turns typed text into a name, with `-` between words; `None` if the result is not valid.
#[must_use]
pub fn named(typed: &str) -> Option<String> {
    let name = typed.split_whitespace().collect::<Vec<&str>>().join("-");
    is_name(&name).then_some(name)
}

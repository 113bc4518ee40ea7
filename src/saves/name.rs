//! What saves may be called.

/// No name is longer.
const LONGEST: usize = 40;

/// Whether a save may be called so: letters, digits, `-` and `_`, the first of them a letter or a digit.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    name.starts_with(char::is_alphanumeric)
        && name.chars().all(fits)
        && name.chars().count() <= LONGEST
}

/// A name from what somebody typed, with `-` between words; `None` if nothing can be made of it.
#[must_use]
pub fn named(typed: &str) -> Option<String> {
    let name = typed.split_whitespace().collect::<Vec<&str>>().join("-");
    is_name(&name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(
            named(" before  the dragon "),
            Some("before-the-dragon".to_owned())
        );
        for wrong in [
            "",
            " ",
            "../up",
            "a/b",
            "a\\b",
            ".hidden",
            "-flag",
            "a\nb/",
            "a\0",
            "C:x",
            &"a".repeat(41),
        ] {
            assert_eq!(named(wrong), None, "{wrong:?}");
        }
    }
}

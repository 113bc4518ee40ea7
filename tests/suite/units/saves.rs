//! The names of saves.

use kaer::saves::named;
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![names_stay_in_their_folder,]
}

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

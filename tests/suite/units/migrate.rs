//! Migrating scripts: only code is changed.

use kaer::migrate::{FileFormat, PackNames, migrate};
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![texts_templates_and_comments_are_told_apart]
}

/// In each text, the function `least` is renamed where it is code and written `LEAST` where it is
/// not.
fn texts_templates_and_comments_are_told_apart() {
    for text in [
        "a.b + least(0, 1) // LEAST(1, 2)\n/* x /* y */ LEAST(1, 2) */ \"q\\\"LEAST(1, 2)\" == 'c' + least(3, 4)",
        "`LEAST(1, 2) ${x + #{ y: `in ${least(3, 4)}` }} LEAST(5, 6)` + #\"raw \"LEAST(7, 8)\"# + least(9, 10)",
        "'\"' + least(1, 2) + '\"'",
        "0..least(1, 2) + x?.LEAST(3, 4)",
        "`open LEAST(1, 2) ${least(1, 2)",
        "`open ${",
        "\"open LEAST(1, 2)",
        "/* open LEAST(1, 2)",
    ] {
        let old = text.replace("LEAST", "least");
        let new = text.replace("least", "min").replace("LEAST", "least");
        let migrated = migrate(&old, FileFormat::Rhai, 1, &PackNames::default()).unwrap();
        assert_eq!(migrated.text, new);
    }
}

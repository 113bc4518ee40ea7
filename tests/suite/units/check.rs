//! Automatic fixes.

use kaer::check::fix::plan;
use kaer::pack::PackSource;
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![comments_are_told_from_strings]
}

/// Only an `allow` in a comment is removed, not a text in a string that looks like one.
fn comments_are_told_from_strings() {
    let text = r#"
[pack]
id = "a"
title = "A" # allow: long-title
license = '''
# allow: repeated-word
'''
description = """
\"""
# allow: unused-entry
B"""" # allow: loose-number
# 'it
# allow: missing-source

version = "1.0.0"
"#;
    let sources = vec![PackSource::texts("a", &[("pack.toml", text)])];
    let (plan, _) = plan(sources, |_| true, |fault| fault.code == "unused-allow");
    let new = text
        .replace(" # allow: long-title", "")
        .replace(" # allow: loose-number", "")
        .replace("# allow: missing-source\n", "");
    assert_eq!(plan.files[0].new, new);
}

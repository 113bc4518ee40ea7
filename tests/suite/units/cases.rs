//! Parameterised cases.

use kaer::cases::parse;
use kaer::diagnostic::Files;
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![only_names_in_braces_are_filled]
}

/// The name of a case, filled in with the values of one row.
fn filled(name: &str) -> String {
    let text = format!(
        "[[case]]\nname = '''{name}'''\nrows = [{{ a = 1, b-2 = 2, n = 3 }}]\nmoves = [\"{{a}}{{b-2}}{{n}}\"]\n"
    );
    let mut files = Files::new();
    let file = files.add("a.toml", text);
    let read = parse::cases(&files, file).unwrap().remove(0);
    assert!(read.case.is_ok(), "{:?}", read.case);
    read.name
}

fn only_names_in_braces_are_filled() {
    assert_eq!(filled("{a} of {b-2}, ogre#{n}.life"), "1 of 2, ogre#3.life");
    let others = "if a { b } #{ c: 1 } #{} `${d}` {2} {e f} {";
    assert_eq!(filled(others), others);
    assert_eq!(filled("{a}b"), "1b");
    assert_eq!(filled("b{{a}}"), "b{a}");
    assert_eq!(filled("{{g}} {n}"), "{g} 3");
}

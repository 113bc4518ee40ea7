//! The schema of test files.

use kaer::cases::parse;
use kaer::diagnostic::Files;
use kaer::pack::PackSet;
use kaer::schema::schemas;
use libtest_mimic::Trial;
use serde_json::Value;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![the_schema_has_the_keys_that_are_read]
}

/// The keys that the reader accepts, taken from its error message for an unknown key.
fn accepted_keys(text: &str) -> Vec<String> {
    let mut files = Files::new();
    let file = files.add("a.toml", text);
    let error = match parse::cases(&files, file) {
        Ok(read) => read[0].case.clone().unwrap_err(),
        Err(errors) => errors,
    };
    let error: String = error.iter().map(|error| error.text(&files)).collect();
    let (_, list) = error.split_once("known fields:").unwrap();
    list.split([',', ' ', '\n'])
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn properties(schema: &Value) -> Vec<String> {
    schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

fn the_schema_has_the_keys_that_are_read() {
    let file = schemas(&PackSet::default(), &[], &[]).tests;
    let defaults = &file["properties"]["defaults"];
    let case = &file["properties"]["case"]["items"];
    let (setup, expect) = (&case["properties"]["setup"], &case["properties"]["expect"]);
    assert_eq!(properties(&file), accepted_keys("xyzzy = 1"));
    // A field of the defaults is read as that of a case, but a name belongs to one case.
    let mut of_cases = accepted_keys("[defaults]\nxyzzy = 1\n[[case]]\nname = \"a\"");
    of_cases.retain(|key| key != "name");
    assert_eq!(properties(defaults), of_cases);
    assert_eq!(
        properties(case),
        accepted_keys("[[case]]\nname = \"a\"\nxyzzy = 1")
    );
    assert_eq!(
        properties(setup),
        accepted_keys("[[case]]\nname = \"a\"\nsetup.xyzzy = 1")
    );
    assert_eq!(
        properties(expect),
        accepted_keys("[[case]]\nname = \"a\"\nexpect.xyzzy = 1")
    );
}

//! Generates the settings that tell `taplo` which schema applies to which file.

use std::fmt::Write as _;

/// The first line of a generated file. Files without it were written by hand and are never
/// overwritten.
pub const MARK: &str = "# Written by `kaer schema`";

/// Generates the settings. `folder` contains the schemas, and `roots` are the folders of the packs,
/// both relative to the folder opened in the editor. Without `roots`, files are matched by name
/// alone.
#[must_use]
pub fn associations(folder: &str, roots: &[String]) -> String {
    let folder = prefix(folder);
    let mut prefixes: Vec<String> = roots.iter().map(|root| prefix(root)).collect();
    if prefixes.is_empty() {
        prefixes.push("**/".to_owned());
    }
    let globs = |endings: &[&str]| -> String {
        let all = prefixes.iter().flat_map(|prefix| {
            endings
                .iter()
                .map(move |ending| quoted(&format!("{prefix}{ending}")))
        });
        all.collect::<Vec<_>>().join(", ")
    };
    let (head, tests, rest) = (["pack.toml"], ["tests/**/*.toml"], ["**/*.toml"]);
    let mut not_rest = vec!["pack.toml", "tests/**", "**/.*", "**/.*/**"];
    if roots.is_empty() {
        // When files are matched by name alone, exclude a common file that is not part of a pack.
        not_rest.push("Cargo.toml");
    }
    let mut text =
        format!("{MARK}. Copy it to `.taplo.toml` in the folder that you open in your editor.\n");
    for (globs, except, schema) in [
        (globs(&rest), Some(globs(&not_rest)), "content"),
        (globs(&head), None, "pack"),
        (globs(&tests), None, "tests"),
    ] {
        let _ = write!(text, "\n[[rule]]\ninclude = [{globs}]\n");
        if let Some(except) = except {
            let _ = writeln!(text, "exclude = [{except}]");
        }
        let _ = writeln!(
            text,
            "schema.path = {}",
            quoted(&format!("{folder}{schema}.schema.json"))
        );
    }
    text
}

/// A folder as a path prefix, with a trailing slash.
fn prefix(folder: &str) -> String {
    let folder = folder.replace('\\', "/");
    let mut folder = folder.trim_end_matches('/');
    while let Some(rest) = folder.strip_prefix("./") {
        folder = rest;
    }
    if folder.is_empty() || folder == "." {
        String::new()
    } else {
        format!("{folder}/")
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

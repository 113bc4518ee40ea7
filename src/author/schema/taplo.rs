//! The settings by which `taplo` finds the schemas.

use std::fmt::Write as _;

/// How such a file begins, so that one that somebody wrote by hand is never written over.
pub const MARK: &str = "# Written by `kaer schema`";

/// Which files have which schema. `folder` is where the schemas lie, `roots` are the folders of the packs, both as
/// seen from the folder that is opened in the editor; without any, files are known by their names alone.
#[must_use]
pub fn associations(folder: &str, roots: &[String]) -> String {
    let folder = start(folder);
    let mut starts: Vec<String> = roots.iter().map(|root| start(root)).collect();
    if starts.is_empty() {
        starts.push("**/".to_owned());
    }
    let globs = |endings: &[&str]| -> String {
        let all = starts.iter().flat_map(|start| {
            endings
                .iter()
                .map(move |ending| quoted(&format!("{start}{ending}")))
        });
        all.collect::<Vec<_>>().join(", ")
    };
    let (head, tests, rest) = (["pack.toml"], ["tests/**/*.toml"], ["**/*.toml"]);
    let mut not_rest = vec!["pack.toml", "tests/**", "**/.*", "**/.*/**"];
    if roots.is_empty() {
        // Where only names tell, a file that lies in many folders is not meant.
        not_rest.push("Cargo.toml");
    }
    let mut text =
        format!("{MARK}: copy it to `.taplo.toml` in the folder that you open in your editor.\n");
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

/// A folder as the beginning of paths in it.
fn start(folder: &str) -> String {
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

//! The schemas for editors accept every file of every pack in the repository and reject invalid
//! files. To add a case, add a block to `tests/schema/cases.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::{Draft, Validator};
use kaer::library::PackLibrary;
use kaer::pack::{PackSource, named_packs};
use kaer::schema::{self, Schemas};
use libtest_mimic::Trial;
use serde::Deserialize;
use serde_json::Value;

use crate::support::{packs_in, stem, trial, trials};

/// A trial for each pack, and others.
pub fn trials() -> Vec<Trial> {
    let mut trials = trials![
        every_file_matches_the_schema_of_all_packs,
        invalid_files_are_rejected,
        schemas_match_snapshots,
        editor_settings_match_snapshots,
    ];
    let packs = GROUPS.iter().flat_map(|group| packs_in(group));
    trials.extend(packs.map(|root| {
        let name = format!("packs::{}", stem(&root));
        trial(module_path!(), &name, move || files_match(&root))
    }));
    trials
}

/// The folders that contain packs.
const GROUPS: &[&str] = &[
    "content",
    "campaigns",
    "examples",
    "tests/packs",
    "tests/packs/mechanics",
];

/// The compiled validators of the three schemas.
struct Validators {
    pack: Validator,
    content: Validator,
    tests: Validator,
}

impl Validators {
    fn new(schemas: &Schemas) -> Self {
        let compile = |schema: &Value| {
            jsonschema::options()
                .with_draft(Draft::Draft7)
                .build(schema)
                .unwrap()
        };
        Self {
            pack: compile(&schemas.pack),
            content: compile(&schemas.content),
            tests: compile(&schemas.tests),
        }
    }

    /// The schema of a file, by its path in the pack.
    fn of(&self, path: &str) -> &Validator {
        match path {
            "pack.toml" => &self.pack,
            path if path.starts_with("tests/") => &self.tests,
            _ => &self.content,
        }
    }
}

/// The validation errors of a text, with their paths.
fn errors(validator: &Validator, text: &str) -> Vec<String> {
    let table: toml::Table = text.parse().unwrap();
    let value = serde_json::to_value(table).unwrap();
    let errors = validator.iter_errors(&value);
    errors
        .map(|fault| {
            format!(
                "{}: {}",
                fault.instance_path(),
                shortened(&fault.to_string())
            )
        })
        .collect()
}

fn shortened(text: &str) -> String {
    text.chars().take(300).collect()
}

fn library(groups: &[&str]) -> PackLibrary {
    let there = groups.iter().filter(|group| Path::new(group).exists());
    let sources: Vec<PackSource> = there
        .flat_map(|group| named_packs(Path::new(group)).unwrap())
        .collect();
    PackLibrary::load(sources)
}

fn schemas_of(library: &PackLibrary, ids: &[&str]) -> Schemas {
    let chosen: Vec<u16> = ids
        .iter()
        .map(|id| library.set.pack(id).unwrap().0)
        .collect();
    schema::schemas(&library.set, &chosen, &["long-title"])
}

/// The `.toml` files below a folder, with their paths in it.
fn files(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let paths: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|item| item.unwrap().path())
            .collect();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "toml") {
                let inside = path
                    .strip_prefix(root)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                found.push((inside, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Every file of a pack is valid according to its schemas.
fn files_match(root: &Path) {
    thread_local! {
        static ALL: PackLibrary = library(GROUPS);
    }
    ALL.with(|library| {
        let mut packs = library.set.packs.iter();
        let pack = packs.find(|pack| Path::new(&pack.root) == root).unwrap();
        let validators = Validators::new(&schemas_of(library, &[&pack.manifest.id]));
        let mut wrong = Vec::new();
        for (path, text) in files(root) {
            let errors = errors(validators.of(&path), &text);
            wrong.extend(errors.iter().map(|reason| format!("{path}{reason}")));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

/// Without paths, `kaer schema` covers all packs at once, even if they have kinds of the same name.
fn every_file_matches_the_schema_of_all_packs() {
    let library = library(GROUPS);
    let all: Vec<&str> = library
        .set
        .packs
        .iter()
        .map(|pack| &*pack.manifest.id)
        .collect();
    let schemas = schemas_of(&library, &all);
    for schema in [&schemas.pack, &schemas.content, &schemas.tests] {
        assert!(jsonschema::meta::is_valid(schema), "{}", schema["title"]);
    }
    let validators = Validators::new(&schemas);
    let mut wrong = Vec::new();
    for pack in &library.set.packs {
        for (path, text) in files(Path::new(&pack.root)) {
            wrong.extend(
                errors(validators.of(&path), &text)
                    .iter()
                    .map(|reason| format!("{}/{path}{reason}", pack.root)),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The contents of `tests/schema/cases.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

/// A valid or an invalid file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// The pack that the file is for.
    pack: String,
    /// Its path in the pack.
    file: String,
    text: String,
    /// Part of the expected error; if not given, the file is valid.
    fault: Option<String>,
}

fn invalid_files_are_rejected() {
    let text = fs::read_to_string("tests/schema/cases.toml").unwrap();
    let cases: Cases = toml::from_str(&text).unwrap();
    let library = library(&["examples", "tests/packs", "tests/schema"]);
    let mut known: BTreeMap<&str, Validators> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &cases.case {
        let validators = known
            .entry(&case.pack)
            .or_insert_with(|| Validators::new(&schemas_of(&library, &[&case.pack])));
        let found = errors(validators.of(&case.file), &case.text);
        let as_expected = match &case.fault {
            None => found.is_empty(),
            Some(fault) => !found.is_empty() && found.iter().all(|found| found.contains(fault)),
        };
        if !as_expected {
            wrong.push(format!(
                "{}: expected {:?}, found {found:#?}",
                case.name, case.fault
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn schemas_match_snapshots() {
    let library = library(&["tests/packs"]);
    let schemas = schemas_of(&library, &["duel"]);
    insta::assert_snapshot!("schema__duel_pack", laid_out(&schemas.pack));
    insta::assert_snapshot!("schema__duel_tests", laid_out(&schemas.tests));
    // The content schema is that of `pack.toml` without the parts that only `pack.toml` has.
    let without = |mut schema: Value| {
        for name in ["pack", "check"] {
            schema["properties"].as_object_mut().unwrap().remove(name);
        }
        schema
            .as_object_mut()
            .unwrap()
            .retain(|name, _| !matches!(name.as_str(), "title" | "required"));
        schema
    };
    assert_eq!(without(schemas.pack), without(schemas.content));
}

fn editor_settings_match_snapshots() {
    let roots = [
        "./content/mill".to_owned(),
        "packs/quoted \"mill\"".to_owned(),
    ];
    let several = schema::associations("./.schemas/", &roots);
    let here = schema::associations(".schemas", &[".".to_owned()]);
    let by_name = schema::associations("/far/schemas", &[]);
    for text in [&several, &here, &by_name] {
        assert!(
            text.starts_with(schema::MARK) && text.parse::<toml::Table>().is_ok(),
            "{text}"
        );
    }
    insta::assert_snapshot!("schema__taplo", [several, here, by_name].join("\n"));
}

/// A schema with one line for each field of a definition.
fn laid_out(schema: &Value) -> String {
    let mut text = String::new();
    lay_out(schema, 0, &mut text);
    text
}

fn lay_out(value: &Value, depth: usize, text: &mut String) {
    let rows = value
        .as_object()
        .filter(|_| depth < 4)
        .into_iter()
        .flatten();
    for (name, inner) in rows {
        let deeper = inner.as_object().is_some_and(|rows| !rows.is_empty()) && depth < 3;
        let shown = if deeper {
            String::new()
        } else {
            format!(" {inner}")
        };
        *text += &format!("{}{name}:{shown}\n", "  ".repeat(depth));
        if deeper {
            lay_out(inner, depth + 1, text);
        }
    }
}

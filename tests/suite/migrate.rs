//! Packs of older versions before and after `kaer migrate`. To add a case, add a folder to
//! `tests/migrate/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use kaer::migrate::{Area, FileFormat, PackNames, RENAMES, VERSION, migrate, version_of};
use libtest_mimic::Trial;

use crate::support::{trials, updating};

type Files = BTreeMap<String, String>;

pub fn trials() -> Vec<Trial> {
    trials![
        old_packs_are_migrated,
        migrating_twice_changes_nothing,
        line_endings_are_kept,
        every_rename_is_tested,
    ]
}

fn files(folder: &Path) -> Files {
    let mut out = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for item in fs::read_dir(&next).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy();
                out.insert(name.replace('\\', "/"), fs::read_to_string(&path).unwrap());
            }
        }
    }
    out
}

/// The migrated files and the notes, one per line.
fn migrated(before: &Files, from: u32) -> (Files, String) {
    let scope = PackNames::from_files(before.iter().map(|(name, text)| (&**name, &**text)));
    let (mut out, mut notes) = (Files::new(), String::new());
    for (name, text) in before {
        let format = FileFormat::detect(name, text).unwrap();
        let migration =
            migrate(text, format, from, &scope).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        for (at, note) in &migration.notes {
            notes += &format!("{name}:{}:{}: {note}\n", at.line, at.column);
        }
        out.insert(name.clone(), migration.text);
    }
    (out, notes)
}

fn cases() -> Vec<(Files, Files, std::path::PathBuf)> {
    let mut folders: Vec<_> = fs::read_dir("tests/migrate")
        .unwrap()
        .map(|item| item.unwrap().path())
        .collect();
    folders.sort();
    folders
        .into_iter()
        .map(|folder| {
            let (before, after) = (files(&folder.join("before")), folder.join("after"));
            let after = if after.is_dir() {
                files(&after)
            } else {
                Files::new()
            };
            (before, after, folder)
        })
        .collect()
}

fn from(files: &Files) -> u32 {
    files
        .get("pack.toml")
        .map_or(1, |manifest| version_of(manifest).unwrap())
}

fn old_packs_are_migrated() {
    for (before, after, folder) in cases() {
        let (new, notes) = migrated(&before, from(&before));
        if updating() {
            for (name, text) in &new {
                let path = folder.join("after").join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        } else {
            for (name, text) in &new {
                assert_eq!(after.get(name), Some(text), "{}/{name}", folder.display());
            }
        }
        let name = folder.file_name().unwrap().to_string_lossy();
        insta::assert_snapshot!(format!("migrate__{name}"), notes);
    }
}

/// Migrating a new file changes nothing, whether or not it states its version.
fn migrating_twice_changes_nothing() {
    for (before, ..) in cases() {
        let (new, _) = migrated(&before, from(&before));
        let (twice, _) = migrated(&new, 1);
        for (name, text) in &new {
            assert_eq!(twice.get(name), Some(text), "{name}");
        }
        if new.contains_key("pack.toml") {
            assert_eq!(from(&new), VERSION);
        }
    }
}

fn line_endings_are_kept() {
    for (before, ..) in cases() {
        let with_crlf = |files: &Files| -> Files {
            files
                .iter()
                .map(|(name, text)| (name.clone(), text.replace('\n', "\r\n")))
                .collect()
        };
        let (new, _) = migrated(&before, from(&before));
        assert_eq!(
            migrated(&with_crlf(&before), from(&before)).0,
            with_crlf(&new)
        );
    }
}

/// The cases contain every row of the rename table and no other change.
fn every_rename_is_tested() {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
    let mut calls = 0;
    for (before, ..) in cases() {
        let (after, _) = migrated(&before, from(&before));
        for (name, old) in &before {
            let new = &after[name];
            // A migrated journal states the kind of its setup.
            let plain = new.replace("setup script ", "setup ");
            let plain = plain.replace("[defaults]\nsetup.do", "[defaults]\nsetup-do");
            let (old_words, new_words) = (words(old), words(&plain));
            assert_eq!(old_words.len(), new_words.len(), "{name}");
            pairs.extend(
                old_words
                    .into_iter()
                    .zip(new_words)
                    .filter(|(old, new)| old != new),
            );
            calls += new.matches("()").count() - old.matches("()").count();
        }
    }
    let mut wanted: BTreeSet<(String, String)> =
        BTreeSet::from([("1".to_owned(), VERSION.to_string())]);
    for row in RENAMES {
        let new = row.new.split(" script").next().unwrap_or_default();
        let pair = (row.old.to_owned(), new.to_owned());
        match row.of {
            Area::CaseDefault => drop(wanted.insert((pair.0, pair.1.replace('.', "-")))),
            Area::Method => assert!(calls > 1, "no `{}` became a call", row.old),
            Area::ById(place) => {
                wanted.insert((row.old.to_owned(), place.to_owned()));
                wanted.insert(pair);
            }
            _ => drop(wanted.insert(pair)),
        }
    }
    assert_eq!(pairs, wanted);
}

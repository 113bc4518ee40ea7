//! New packs from templates.

use kaer::pack::PackSet;
use kaer::scaffold::{PackTemplate, ScaffoldRequest, drafts};
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![names_are_filled_in_once]
}

/// A title may look like a name in a template, and may contain quotes.
fn names_are_filled_in_once() {
    let request = ScaffoldRequest {
        template: PackTemplate::Game,
        id: "grey-owl".to_owned(),
        title: "The \"old\" {{id}} {mill}".to_owned(),
        base: None,
        pack_folders: Vec::new(),
    };
    let draft = drafts(&PackSet::default(), &[], &request)
        .unwrap()
        .next()
        .unwrap();
    let text_of = |path: &str| {
        &draft
            .files
            .iter()
            .find(|file| file.path == path)
            .unwrap()
            .text
    };
    let manifest: toml::Table = text_of("pack.toml").parse().unwrap();
    assert_eq!(manifest["pack"]["id"].as_str(), Some("grey-owl"));
    assert_eq!(manifest["pack"]["title"].as_str(), Some(&*request.title));
    assert!(text_of("README.md").contains(&request.title));
}

//! Tests of single functions of the library, with a module for each area of `src/`. They belong to
//! this program, so that the library is compiled only once.

mod cases;
mod check;
mod cli;
mod diagnostic;
mod docs;
mod game;
mod layers;
mod layout;
mod migrate;
mod number;
mod pack;
mod saves;
mod scaffold;
mod schema;
mod script;
mod session;

use std::rc::Rc;

use kaer::game::Rules;
use kaer::library::PackLibrary;
use kaer::pack::{GameChoice, PackSource};
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    let modules = [
        cases::trials,
        check::trials,
        cli::trials,
        diagnostic::trials,
        docs::trials,
        game::trials,
        layers::trials,
        layout::trials,
        migrate::trials,
        number::trials,
        pack::trials,
        saves::trials,
        scaffold::trials,
        schema::trials,
        script::trials,
        session::trials,
    ];
    modules.iter().flat_map(|trials| trials()).collect()
}

/// A pack in memory.
fn library(files: &[(&str, &str)]) -> PackLibrary {
    PackLibrary::load(vec![PackSource::texts("unit", files)])
}

/// The rules of the mode `play` of a pack in memory.
fn rules(pack: &str) -> Rc<Rules> {
    let choice = GameChoice {
        mode: "play".to_owned(),
        ..GameChoice::default()
    };
    let (rules, report) = library(&[("pack.toml", pack)]).open(&choice, None);
    assert!(report.has_no_errors(), "{report:?}");
    rules.unwrap()
}

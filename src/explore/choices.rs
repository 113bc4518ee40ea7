//! The modes that tools play if the user does not name one.

use crate::library::PackLibrary;
use crate::pack::GameChoice;

/// Every mode of a pack. A pack without modes is added to the modes of the packs it extends.
#[must_use]
pub fn choices(library: &PackLibrary, pack: &str) -> Vec<GameChoice> {
    let modes = library.modes();
    let modes_of = |id: &str, with: Vec<String>| -> Vec<GameChoice> {
        let matching = modes
            .iter()
            .filter(|mode| mode.name.split(':').next() == Some(id));
        matching
            .map(|mode| GameChoice {
                mode: mode.name.clone(),
                with: with.clone(),
                options: Vec::new(),
            })
            .collect()
    };
    let choices = modes_of(pack, Vec::new());
    if !choices.is_empty() {
        return choices;
    }
    let bases = library.extended(pack);
    let choices = bases
        .iter()
        .flat_map(|base| modes_of(base, vec![pack.to_owned()]));
    choices
        .filter(|choice| library.incompatibility(choice).is_none())
        .collect()
}

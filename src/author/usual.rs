//! The modes that tools play if the user names none.

use crate::pack::GameChoice;
use crate::shelf::PackLibrary;

/// Every mode of a pack. For a pack without modes: those of the packs it extends, with it added.
#[must_use]
pub fn choices(shelf: &PackLibrary, pack: &str) -> Vec<GameChoice> {
    let modes = shelf.modes();
    let of = |id: &str, with: Vec<String>| -> Vec<GameChoice> {
        let own = modes
            .iter()
            .filter(|mode| mode.name.split(':').next() == Some(id));
        own.map(|mode| GameChoice {
            mode: mode.name.clone(),
            with: with.clone(),
            options: Vec::new(),
        })
        .collect()
    };
    let own = of(pack, Vec::new());
    if !own.is_empty() {
        return own;
    }
    let bases = shelf
        .set
        .pack(pack)
        .map(|(_, held)| held.manifest.extends.as_slice())
        .unwrap_or_default();
    bases
        .iter()
        .flat_map(|base| of(&base.id, vec![pack.to_owned()]))
        .collect()
}

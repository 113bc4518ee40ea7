//! All places of a pack where it can be broken, in a random order.

use std::collections::BTreeMap;

use super::game_words::GameWords;
use super::mutant::Mutant;
use super::script_sites::{self, MutableScript};
use super::site::{MutationKind, MutationSite};
use super::toml_sites;
use crate::game::random_number;
use crate::library::PackLibrary;

/// The stream of random numbers that orders mutants.
const STREAM: u64 = 0x6d75_7461_7465;

/// The places of a pack where it can be broken, and the order in which they are tried.
pub struct MutationPlan {
    pub(super) sites: Vec<MutationSite>,
    /// Indices of sites, each with the index of one of its new texts.
    pub(super) order: Vec<(usize, usize)>,
}

impl MutationPlan {
    /// Finds all places of a pack. The same pack and seed give the same plan.
    #[must_use]
    pub fn new(library: &PackLibrary, pack: &str, seed: u64) -> MutationPlan {
        let sites = sites(library, pack);
        let order = shuffled(&sites, seed);
        MutationPlan { sites, order }
    }

    /// The number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is nothing to break.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    pub(super) fn mutant(&self, library: &PackLibrary, number: usize) -> Option<Mutant> {
        let (site, new) = *self.order.get(number)?;
        let site = self.sites.get(site)?;
        Some(Mutant::new(&library.set.files, site, site.news.get(new)?))
    }
}

fn sites(library: &PackLibrary, pack: &str) -> Vec<MutationSite> {
    let set = &library.set;
    let Some((number, held)) = set.pack(pack) else {
        return Vec::new();
    };
    let words = GameWords::of(set, number);
    let mut sites = Vec::new();
    for (path, text) in set.texts(held) {
        let Some(file) = set.files.find(&format!("{}/{path}", held.root)) else {
            continue;
        };
        if path.ends_with(".toml") {
            toml_sites::find(set, number, file, &words, &mut sites);
        } else if held.libraries.contains(&file) && !held.test_libraries.contains(&file) {
            let script = MutableScript {
                files: &set.files,
                file,
                start: 0,
                text,
                entry: None,
            };
            script_sites::find(&script, &|name| words.calls(name), &mut sites);
        }
    }
    sites
}

/// Draws sites without replacement. Rare kinds of mutations are drawn more often than their share:
/// the weight of a kind is the square root of its number of sites.
fn shuffled(sites: &[MutationSite], seed: u64) -> Vec<(usize, usize)> {
    let mut kinds: BTreeMap<MutationKind, Vec<usize>> = BTreeMap::new();
    for (number, site) in sites.iter().enumerate() {
        kinds.entry(site.kind).or_default().push(number);
    }
    let mut count = 0;
    let mut below = |limit: usize| {
        count += 1;
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        random_number(seed, STREAM, count, limit) as usize
    };
    let mut order = Vec::with_capacity(sites.len());
    while !kinds.is_empty() {
        let total = kinds.values().map(|own| own.len().isqrt()).sum();
        let mut drawn = below(total);
        let mut chosen = None;
        for (kind, own) in &kinds {
            let weight = own.len().isqrt();
            if drawn < weight {
                chosen = Some(*kind);
                break;
            }
            drawn -= weight;
        }
        let Some(own) = chosen.and_then(|kind| kinds.get_mut(&kind)) else {
            break;
        };
        let site = own.swap_remove(below(own.len()));
        order.push((site, below(sites[site].news.len())));
        kinds.retain(|_, own| !own.is_empty());
    }
    order
}

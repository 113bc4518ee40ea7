//! Who needs whom: load order, missing packs, wrong versions, circles, and what each pack sees.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Report};

use super::find::LOOKED_FOR;
use super::manifest::{Dependency, Manifest};

/// The order in which packs are loaded: what a pack needs comes before it, else by id.
pub(super) fn order(manifests: &[&Manifest], report: &mut Report) -> Vec<usize> {
    let ids = by_id(manifests);
    let mut sorter = Sorter {
        manifests,
        ids: &ids,
        marks: vec![Mark::New; manifests.len()],
        path: Vec::new(),
        done: Vec::new(),
    };
    for index in ids.values() {
        sorter.visit(*index, report);
    }
    sorter.done
}

fn by_id<'a>(manifests: &[&'a Manifest]) -> BTreeMap<&'a str, usize> {
    manifests
        .iter()
        .enumerate()
        .map(|(index, manifest)| (manifest.id.as_str(), index))
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Visits packs depth first, with a path of its own instead of the stack, so that long chains are harmless.
struct Sorter<'a> {
    manifests: &'a [&'a Manifest],
    ids: &'a BTreeMap<&'a str, usize>,
    marks: Vec<Mark>,
    path: Vec<(usize, Vec<&'a Dependency>)>,
    done: Vec<usize>,
}

impl<'a> Sorter<'a> {
    fn visit(&mut self, index: usize, report: &mut Report) {
        self.open(index);
        while let Some((current, waiting)) = self.path.last_mut() {
            let current = *current;
            let Some(next) = waiting.pop() else {
                self.marks[current] = Mark::Done;
                self.done.push(current);
                self.path.pop();
                continue;
            };
            match self.ids.get(next.id.as_str()) {
                Some(found) if self.marks[*found] == Mark::New => self.open(*found),
                Some(found) if self.marks[*found] == Mark::Open => self.cycle(*found, next, report),
                _ => {}
            }
        }
    }

    fn open(&mut self, index: usize) {
        if self.marks[index] != Mark::New {
            return;
        }
        self.marks[index] = Mark::Open;
        let manifests: &'a [&'a Manifest] = self.manifests;
        let mut waiting: Vec<&Dependency> = manifests[index].names().collect();
        waiting.sort_by(|a, b| b.id.cmp(&a.id));
        self.path.push((index, waiting));
    }

    fn cycle(&self, found: usize, link: &Dependency, report: &mut Report) {
        let from = self
            .path
            .iter()
            .position(|(index, _)| *index == found)
            .unwrap_or(0);
        let mut names: Vec<&str> = self.path[from..]
            .iter()
            .map(|(i, _)| self.manifests[*i].id.as_str())
            .collect();
        names.push(&link.id);
        Diagnostic::crash(
            link.span,
            "dependency-cycle",
            format!("packs need one another in a circle: {}", names.join(" → ")),
        )
        .label("closes the circle")
        .help("take this line out of one of these packs")
        .push(report);
    }
}

/// What each pack sees, by load order.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// For each pack, whether it sees each other one (and itself).
    sees: Vec<Vec<bool>>,
    /// For each pack, whether it needs each other one (and itself).
    needs: Vec<Vec<bool>>,
    /// For each pack, whether something it needs is missing, so that nothing can be said about names in it.
    pub blind: Vec<bool>,
    /// For each pack, the packs it knows of that are not there.
    pub absent: Vec<Vec<String>>,
}

impl Links {
    /// Links packs in load order, and reports what is missing or of the wrong version.
    pub fn new(manifests: &[&Manifest], report: &mut Report) -> Self {
        let ids = by_id(manifests);
        let mut links = Self::default();
        for (index, manifest) in manifests.iter().enumerate() {
            let mut sees = vec![false; manifests.len()];
            let mut needs = sees.clone();
            (sees[index], needs[index]) = (true, true);
            links.absent.push(Vec::new());
            links.blind.push(false);
            for link in manifest.needs() {
                links.join(&ids, index, link, &mut [&mut sees, &mut needs]);
                links.blind[index] |= !ids.contains_key(link.id.as_str());
            }
            for link in &manifest.optional {
                links.join(&ids, index, link, &mut [&mut sees]);
            }
            check(manifest, manifests, &ids, report);
            links.sees.push(sees);
            links.needs.push(needs);
        }
        links
    }

    /// Adds what a link leads to, and all that is seen from there.
    fn join(
        &mut self,
        ids: &BTreeMap<&str, usize>,
        index: usize,
        link: &Dependency,
        rows: &mut [&mut Vec<bool>],
    ) {
        let Some(&found) = ids.get(link.id.as_str()) else {
            self.absent[index].push(link.id.clone());
            return;
        };
        for (row, known) in rows.iter_mut().zip([&self.sees, &self.needs]) {
            row[found] = true;
            for (mine, theirs) in row.iter_mut().zip(known.get(found).into_iter().flatten()) {
                *mine |= theirs;
            }
        }
        let absent = self.absent.get(found).cloned().unwrap_or_default();
        self.absent[index].extend(absent);
        self.blind[index] |= self.blind.get(found).copied().unwrap_or(false);
    }

    /// Whether a pack sees the entries of another.
    pub fn sees(&self, pack: u16, other: u16) -> bool {
        at(&self.sees, pack, other)
    }

    /// Whether a pack cannot do without another, directly or not.
    pub fn needs(&self, pack: u16, other: u16) -> bool {
        at(&self.needs, pack, other)
    }
}

fn at(rows: &[Vec<bool>], pack: u16, other: u16) -> bool {
    rows.get(usize::from(pack))
        .and_then(|row| row.get(usize::from(other)))
        .copied()
        .unwrap_or(false)
}

fn check(manifest: &Manifest, all: &[&Manifest], ids: &BTreeMap<&str, usize>, report: &mut Report) {
    for link in manifest.names() {
        let optional = manifest
            .optional
            .iter()
            .any(|other| std::ptr::eq(other, link));
        match ids.get(link.id.as_str()) {
            Some(found) => check_version(manifest, link, all[*found], report),
            None if optional => {}
            None => missing(manifest, link, ids, report),
        }
    }
}

fn missing(
    manifest: &Manifest,
    link: &Dependency,
    ids: &BTreeMap<&str, usize>,
    report: &mut Report,
) {
    // Only a hint: the pack may be right and merely not be there.
    let near = crate::diagnostic::nearest(
        &link.id,
        ids.keys().copied().filter(|id| *id != manifest.id),
    );
    Diagnostic::crash(
        link.span,
        "missing-pack",
        format!(
            "`{}` needs the pack `{}`, which is not there",
            manifest.id, link.id
        ),
    )
    .label("not found")
    .did_you_mean(near)
    .help(LOOKED_FOR)
    .push(report);
}

fn check_version(manifest: &Manifest, link: &Dependency, found: &Manifest, report: &mut Report) {
    if link.range.matches(&found.version) {
        return;
    }
    let message = format!(
        "`{}` needs `{}` in version {}, but version {} is there",
        manifest.id, link.id, link.range, found.version
    );
    Diagnostic::crash(link.span, "version-conflict", message)
        .label(format!("{} does not fit", found.version))
        .also(found.span, format!("this is version {}", found.version))
        .help(format!(
            "get another version of `{}`, or write a range that {} fits",
            link.id, found.version
        ))
        .push(report);
}

//! Dependencies between packs: load order, missing packs, wrong versions, cycles, and what each
//! pack sees.

use std::collections::BTreeMap;

use crate::diagnostic::{Confidence, Diagnostic, Report, Severity};

use super::find::SEARCH_PATH_HELP;
use super::manifest::{Dependency, Manifest};

/// The load order: dependencies first, otherwise by id.
pub(super) fn order(manifests: &[&Manifest], report: &mut Report) -> Vec<usize> {
    let ids = by_id(manifests);
    let mut sorter = LoadOrder {
        manifests,
        ids: &ids,
        marks: vec![VisitState::New; manifests.len()],
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
enum VisitState {
    New,
    Open,
    Done,
}

/// A depth-first search with an explicit stack, so that long chains cannot exhaust the thread's
/// stack.
struct LoadOrder<'a> {
    manifests: &'a [&'a Manifest],
    ids: &'a BTreeMap<&'a str, usize>,
    marks: Vec<VisitState>,
    path: Vec<(usize, Vec<&'a Dependency>)>,
    done: Vec<usize>,
}

impl<'a> LoadOrder<'a> {
    fn visit(&mut self, index: usize, report: &mut Report) {
        self.open(index);
        while let Some((current, waiting)) = self.path.last_mut() {
            let current = *current;
            let Some(next) = waiting.pop() else {
                self.marks[current] = VisitState::Done;
                self.done.push(current);
                self.path.pop();
                continue;
            };
            match self.ids.get(next.id.as_str()) {
                Some(found) if self.marks[*found] == VisitState::New => self.open(*found),
                Some(found) if self.marks[*found] == VisitState::Open => {
                    self.cycle(*found, next, report);
                }
                _ => {}
            }
        }
    }

    fn open(&mut self, index: usize) {
        if self.marks[index] != VisitState::New {
            return;
        }
        self.marks[index] = VisitState::Open;
        let manifests: &'a [&'a Manifest] = self.manifests;
        let mut waiting: Vec<&Dependency> = manifests[index].all_dependencies().collect();
        waiting.sort_by(|a, b| b.id.cmp(&a.id));
        self.path.push((index, waiting));
    }

    fn cycle(&self, found: usize, dependency: &Dependency, report: &mut Report) {
        let from = self
            .path
            .iter()
            .position(|(index, _)| *index == found)
            .unwrap_or(0);
        let mut names: Vec<&str> = self.path[from..]
            .iter()
            .map(|(i, _)| self.manifests[*i].id.as_str())
            .collect();
        names.push(&dependency.id);
        Diagnostic::fatal(
            dependency.span,
            "dependency-cycle",
            format!(
                "packs depend on each other in a cycle: {}",
                names.join(" → ")
            ),
        )
        .label("closes the cycle")
        .help("remove this dependency from one of these packs")
        .push(report);
    }
}

/// Which packs each pack sees, by index in load order.
#[derive(Clone, Debug, Default)]
pub(super) struct Visibility {
    /// For each pack, whether it sees each other pack; a pack sees itself.
    sees: Vec<Vec<bool>>,
    /// For each pack, whether it depends on each other pack; a pack depends on itself.
    requires: Vec<Vec<bool>>,
    /// For each pack, whether a dependency is missing, so that its names cannot be checked.
    pub has_missing_dependency: Vec<bool>,
    /// For each pack, the packs it names that were not found.
    pub absent: Vec<Vec<String>>,
}

impl Visibility {
    /// Resolves dependencies in load order, and reports missing packs and wrong versions.
    pub fn new(manifests: &[&Manifest], report: &mut Report) -> Self {
        let ids = by_id(manifests);
        let mut visibility = Self::default();
        for (index, manifest) in manifests.iter().enumerate() {
            let mut sees = vec![false; manifests.len()];
            let mut requires = sees.clone();
            (sees[index], requires[index]) = (true, true);
            visibility.absent.push(Vec::new());
            visibility.has_missing_dependency.push(false);
            for dependency in manifest.required() {
                visibility.join(&ids, index, dependency, &mut [&mut sees, &mut requires]);
                visibility.has_missing_dependency[index] |=
                    !ids.contains_key(dependency.id.as_str());
            }
            for dependency in &manifest.optional {
                visibility.join(&ids, index, dependency, &mut [&mut sees]);
            }
            check(manifest, manifests, &ids, report);
            visibility.sees.push(sees);
            visibility.requires.push(requires);
        }
        visibility
    }

    /// Adds the pack that a dependency names, and every pack that it sees.
    fn join(
        &mut self,
        ids: &BTreeMap<&str, usize>,
        index: usize,
        dependency: &Dependency,
        rows: &mut [&mut Vec<bool>],
    ) {
        let Some(&found) = ids.get(dependency.id.as_str()) else {
            self.absent[index].push(dependency.id.clone());
            return;
        };
        for (row, known) in rows.iter_mut().zip([&self.sees, &self.requires]) {
            row[found] = true;
            for (mine, theirs) in row.iter_mut().zip(known.get(found).into_iter().flatten()) {
                *mine |= theirs;
            }
        }
        let absent = self.absent.get(found).cloned().unwrap_or_default();
        self.absent[index].extend(absent);
        self.has_missing_dependency[index] |= self
            .has_missing_dependency
            .get(found)
            .copied()
            .unwrap_or(false);
    }

    /// Whether a pack sees the entries of another.
    pub fn sees(&self, pack: u16, other: u16) -> bool {
        at(&self.sees, pack, other)
    }

    /// Whether a pack depends on another, directly or not.
    pub fn requires(&self, pack: u16, other: u16) -> bool {
        at(&self.requires, pack, other)
    }
}

fn at(rows: &[Vec<bool>], pack: u16, other: u16) -> bool {
    rows.get(usize::from(pack))
        .and_then(|row| row.get(usize::from(other)))
        .copied()
        .unwrap_or(false)
}

fn check(manifest: &Manifest, all: &[&Manifest], ids: &BTreeMap<&str, usize>, report: &mut Report) {
    for dependency in manifest.all_dependencies() {
        let optional = manifest
            .optional
            .iter()
            .any(|other| std::ptr::eq(other, dependency));
        match ids.get(dependency.id.as_str()) {
            Some(found) => check_version(manifest, dependency, all[*found], report),
            None if optional => misspelt(manifest, dependency, ids, report),
            None => missing(manifest, dependency, ids, report),
        }
    }
    for conflict in &manifest.conflicts {
        check_conflict(manifest, conflict, ids, report);
    }
}

/// Reports a conflict with a pack that this one needs, and a name that is probably misspelt.
fn check_conflict(
    manifest: &Manifest,
    conflict: &Dependency,
    ids: &BTreeMap<&str, usize>,
    report: &mut Report,
) {
    let id = &conflict.id;
    let needs = |other: &Dependency| other.id == *id;
    if *id == manifest.id || manifest.required().any(needs) {
        let message = format!("`{}` conflicts with `{id}`, but needs it", manifest.id);
        Diagnostic::error(conflict.span, "pack-conflict", message)
            .label("can never be met")
            .help("remove it from `conflicts`, or from `depends` and `extends`")
            .push(report);
    } else if !ids.contains_key(id.as_str()) {
        misspelt(manifest, conflict, ids, report);
    }
}

/// Reports a pack that need not exist, if its name is probably misspelt.
fn misspelt(
    manifest: &Manifest,
    named: &Dependency,
    ids: &BTreeMap<&str, usize>,
    report: &mut Report,
) {
    let others = ids.keys().copied().filter(|id| *id != manifest.id);
    let near = crate::diagnostic::nearest(&named.id, others);
    if near.is_some() {
        Diagnostic::unknown(named.span, "missing-pack", "pack", &named.id)
            .severity(Severity::Warning)
            .label("not found")
            .did_you_mean(near)
            .confidence(Confidence::Likely)
            .push(report);
    }
}

fn missing(
    manifest: &Manifest,
    dependency: &Dependency,
    ids: &BTreeMap<&str, usize>,
    report: &mut Report,
) {
    // No fix: the name may be correct and the pack not installed.
    let near = crate::diagnostic::nearest(
        &dependency.id,
        ids.keys().copied().filter(|id| *id != manifest.id),
    );
    Diagnostic::fatal(
        dependency.span,
        "missing-pack",
        format!("missing pack `{}`", dependency.id),
    )
    .label(format!("`{}` needs it", manifest.id))
    .did_you_mean(near)
    .help(format!(
        "install the pack `{}`, or remove its name here; {SEARCH_PATH_HELP}",
        dependency.id
    ))
    .push(report);
}

fn check_version(
    manifest: &Manifest,
    dependency: &Dependency,
    found: &Manifest,
    report: &mut Report,
) {
    if dependency.range.matches(&found.version) {
        return;
    }
    let message = format!(
        "`{}` needs `{}` {}, but found {}",
        manifest.id, dependency.id, dependency.range, found.version
    );
    Diagnostic::fatal(dependency.span, "version-conflict", message)
        .label(format!("{} does not match", found.version))
        .related(found.span, format!("this is version {}", found.version))
        .help(format!(
            "install another version of `{}`, or write a range that includes {}",
            dependency.id, found.version
        ))
        .push(report);
}

//! Reads the `[[<kind>]]` blocks of all packs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::diagnostic::{Confidence, Diagnostic, FileId, Report, Severity, Span};

use super::declare::{KindNames, unknown_kind};
use super::define;
use super::entry::Entry;
use super::grid;
use super::kind::Kind;
use super::large_stack;
use super::load::DIRECTIVES;
use super::names::NameIndex;
use super::parsed::ParsedFile;
use super::read_context::ReadContext;
use super::set::PackSet;
use super::toml_tree::{self, TomlNode, TomlPair, TomlShape};

/// Reads the entries of each pack, and builds the index of names.
pub(super) fn read_entries(
    set: &mut PackSet,
    trees: &[Vec<ParsedFile>],
    before: Option<&PackSet>,
    report: &mut Report,
) {
    for (pack, trees) in (0u16..).zip(trees) {
        let mut entries = entries_of(set, pack, trees, before, report);
        if let Some(place) = set.builtin.iter().find(|kind| kind.id == "place") {
            let places = grid::places(&entries, place, report);
            entries.extend(places.into_iter().map(Arc::new));
        }
        set.packs[usize::from(pack)].entries = distinct(entries, report);
    }
    set.index = index(set).into();
}

/// Builds the index of all names in a set.
pub(super) fn index(set: &PackSet) -> NameIndex {
    let all = set
        .packs
        .iter()
        .flat_map(|pack| &pack.kinds)
        .chain(&set.builtin);
    NameIndex::new(&set.packs, all.map(|kind| (kind.id.as_str(), kind.is)))
}

/// Reads the entries of a pack, file by file. Unchanged files keep their entries if the kinds have
/// not changed either.
fn entries_of(
    set: &PackSet,
    pack: u16,
    trees: &[ParsedFile],
    before: Option<&PackSet>,
    report: &mut Report,
) -> Vec<Arc<Entry>> {
    let mut found = before
        .map(|before| unchanged_entries(set, before, pack, trees))
        .unwrap_or_default();
    let new: Vec<&ParsedFile> = trees
        .iter()
        .filter(|tree| !found.contains_key(&tree.file))
        .collect();
    let text = |tree: &&ParsedFile| set.files.text(tree.file);
    let read = large_stack::map_on_large_stack(&new, text, |tree| {
        let mut faults = Report::new();
        // A `known` file was not parsed yet, and had no errors.
        let apart = tree.known.then(|| {
            let (table, _) = toml_tree::parse(&set.files, tree.file, &mut faults);
            ParsedFile {
                file: tree.file,
                table,
                is_head: false,
                known: false,
            }
        });
        let mut reader = EntryReader::new(set, pack, &mut faults);
        reader.tree(apart.as_ref().unwrap_or(tree));
        (reader.entries, faults)
    });
    for (tree, (entries, faults)) in new.iter().zip(read) {
        report.extend(faults);
        found.insert(tree.file, entries.into_iter().map(Arc::new).collect());
    }
    trees
        .iter()
        .filter_map(|tree| found.remove(&tree.file))
        .flatten()
        .collect()
}

/// The previous entries of unchanged files, if all kinds in them are unchanged.
fn unchanged_entries(
    set: &PackSet,
    before: &PackSet,
    pack: u16,
    trees: &[ParsedFile],
) -> BTreeMap<FileId, Vec<Arc<Entry>>> {
    let known = trees
        .iter()
        .filter(|tree| tree.known)
        .map(|tree| (tree.file, Vec::new()));
    let mut found: BTreeMap<FileId, Vec<Arc<Entry>>> = known.collect();
    for entry in before
        .packs
        .get(usize::from(pack))
        .into_iter()
        .flat_map(|held| &held.entries)
    {
        if let Some(entries) = found.get_mut(&entry.span.file) {
            entries.push(entry.clone());
        }
    }
    let old: HashMap<&str, &Kind> = before
        .kinds_of(pack)
        .map(|kind| (kind.id.as_str(), kind))
        .collect();
    let stayed = set.kinds_of(pack).filter(|kind| {
        old.get(kind.id.as_str())
            .is_some_and(|old| old.is_same_as(kind))
    });
    let stayed: BTreeSet<&str> = stayed.map(|kind| kind.id.as_str()).collect();
    found.retain(|_, entries| {
        entries
            .iter()
            .all(|entry| stayed.contains(entry.kind.as_str()))
    });
    found
}

/// Reads the entries of one file again; `None` if it has errors or contains anything but entries.
pub(super) fn reread(set: &PackSet, pack: u16, file: FileId) -> Option<Vec<Entry>> {
    let mut faults = Report::new();
    if !toml_tree::is_shallow(set.files.text(file)) {
        return None;
    }
    let (table, valid) = toml_tree::parse(&set.files, file, &mut faults);
    let plain = valid
        && table
            .pairs
            .iter()
            .all(|pair| !DIRECTIVES.contains(&pair.key.as_str()));
    let mut reader = EntryReader::new(set, pack, &mut faults);
    reader.tree(&ParsedFile {
        file,
        table,
        is_head: false,
        known: false,
    });
    let entries = reader.entries;
    (plain && faults.is_empty()).then_some(entries)
}

struct EntryReader<'a> {
    set: &'a PackSet,
    kinds: HashMap<&'a str, &'a Kind>,
    pack_id: &'a str,
    cx: ReadContext<'a>,
    entries: Vec<Entry>,
}

impl<'a> EntryReader<'a> {
    fn new(set: &'a PackSet, pack: u16, report: &'a mut Report) -> Self {
        let kinds = set
            .kinds_of(pack)
            .map(|kind| (kind.id.as_str(), kind))
            .collect();
        let pack_id = &set.packs[usize::from(pack)].manifest.id;
        Self {
            set,
            kinds,
            pack_id,
            cx: ReadContext {
                files: &set.files,
                report,
                pack,
            },
            entries: Vec::new(),
        }
    }

    /// Reads the entries of a file in order.
    fn tree(&mut self, tree: &ParsedFile) {
        let mut found: Vec<(&'a Kind, &TomlNode)> = Vec::new();
        for pair in &tree.table.pairs {
            if DIRECTIVES.contains(&pair.key.as_str()) {
                self.directive(tree, pair);
            } else if let Some(kind) = self.kind(tree, pair) {
                found.extend(pair.node.items().iter().map(|node| (kind, node)));
            }
        }
        found.sort_by_key(|(_, node)| node.span.start);
        for (kind, node) in found {
            let entry = define::entry(&mut self.cx, kind, node, self.pack_id);
            self.entries.extend(entry);
        }
    }

    fn directive(&mut self, tree: &ParsedFile, pair: &TomlPair) {
        let is_head = matches!(pair.key.as_str(), "pack" | "check");
        if !is_head && !matches!(pair.node.shape, TomlShape::List(_)) {
            self.cx.wrong_type(
                &pair.node,
                &pair.key,
                &format!("[[{}]], in double brackets", pair.key),
            );
        }
        if is_head && !tree.is_head {
            Diagnostic::warning(
                Span {
                    file: tree.file,
                    ..pair.at
                },
                "misplaced-manifest",
                format!("[{}] belongs in pack.toml", pair.key),
            )
            .label("ignored here")
            .help("move these lines to pack.toml in the folder of the pack")
            .push(self.cx.report);
        }
    }

    /// The kind that a top-level key names, if the value is a list of blocks.
    fn kind(&mut self, tree: &ParsedFile, pair: &TomlPair) -> Option<&'a Kind> {
        let kind = self.kinds.get(pair.key.as_str()).copied();
        match (&pair.node.shape, kind) {
            (TomlShape::List(_), Some(kind)) => return Some(kind),
            (TomlShape::Table(_), Some(_)) => {
                let expected = format!("[[{}]], in double brackets", pair.key);
                self.cx.wrong_type(&pair.node, &pair.key, &expected);
            }
            (TomlShape::Table(_) | TomlShape::List(_), None) => self.unknown_kind(pair),
            // A missing [pack] is reported once.
            _ if tree.is_head && tree.table.get("pack").is_none() => {}
            _ => self.field_outside_block(pair),
        }
        None
    }

    fn unknown_kind(&mut self, pair: &TomlPair) {
        let visibility = &self.set.visibility;
        let pack = usize::from(self.cx.pack);
        if visibility.has_missing_dependency[pack] {
            return;
        }
        if matches!(pair.key.as_str(), "case" | "cases" | "defaults") {
            return self.misplaced_case(pair);
        }
        let kinds = self.set.kinds_of(self.cx.pack).map(|kind| kind.id.as_str());
        let known: KindNames = kinds.chain(DIRECTIVES).collect();
        if visibility.absent[pack].is_empty() {
            unknown_kind(&mut self.cx, &pair.key, pair.at, &known, Some(&pair.node));
        } else if let Some(near) = self.cx.suggest(&pair.key, known.iter().copied()) {
            Diagnostic::unknown(pair.at, "unknown-kind", "kind", &pair.key)
                .severity(Severity::Warning)
                .label("unless an optional pack, which is missing, declares it")
                .did_you_mean(Some(near))
                .confidence(Confidence::Guess)
                .push(self.cx.report);
        }
    }

    fn misplaced_case(&mut self, pair: &TomlPair) {
        Diagnostic::error(pair.at, "unknown-kind", "a test case outside of `tests/`")
            .label("not a kind of entry")
            .help("move these lines to a file in the folder tests/ of the pack, such as tests/first.toml")
            .push(self.cx.report);
    }

    fn field_outside_block(&mut self, pair: &TomlPair) {
        Diagnostic::error(
            pair.at,
            "unknown-field",
            format!("`{}` is outside of any block", pair.key),
        )
        .label("ignored")
        .help("put it under a line such as [[card]] or, in pack.toml, [pack]")
        .push(self.cx.report);
    }
}

/// Keeps the first entry of each kind and id, and reports the others.
fn distinct(mut entries: Vec<Arc<Entry>>, report: &mut Report) -> Vec<Arc<Entry>> {
    let mut first: HashMap<(&str, &str), Span> = HashMap::with_capacity(entries.len());
    let mut is_first = Vec::with_capacity(entries.len());
    for entry in &entries {
        let earlier = first
            .get(&(entry.kind.as_str(), entry.id.as_str()))
            .copied();
        is_first.push(earlier.is_none());
        match earlier {
            Some(earlier) => duplicate_id(entry, earlier, report),
            None => drop(first.insert((&entry.kind, &entry.id), entry.span)),
        }
    }
    let mut is_first = is_first.into_iter();
    entries.retain(|_| is_first.next().unwrap_or(true));
    entries
}

fn duplicate_id(entry: &Entry, first: Span, report: &mut Report) {
    Diagnostic::error(
        entry.span,
        "duplicate-id",
        format!("duplicate entry `{}/{}` in this pack", entry.kind, entry.id),
    )
    .label("second definition")
    .related(first, "first definition")
    .help("change one of the two ids")
    .push(report);
}

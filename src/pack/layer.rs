//! Merges the packs of a game in load order.

use crate::number::cast;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Files, Report, Span};

use super::apply::apply;
use super::entry::Entry;
use super::extension::KindExtension;
use super::inherit::inherit;
use super::kind::Kind;
use super::names::EntryLocation;
use super::options::ChosenOption;
use super::patch::{Patch, PatchChange, PatchOp};
use super::references::{self, ReferenceResolver};
use super::reuse::Reuse;
use super::selection::{GameChoice, Selection, conditions, select};
use super::set::PackSet;
use super::value::{EntryField, EntryIx, FieldValue, Reference};

/// The index of the entry in each slot; `None` for empty slots. All later stages share it.
pub(crate) type EntryIndices = Arc<[Option<EntryIx>]>;

/// The packs of one game, merged in load order.
#[derive(Clone, Debug)]
pub struct Layered {
    /// The enabled packs, in load order; later ones override earlier ones.
    pub packs: Vec<u16>,
    /// The built-in kinds and those of these packs.
    pub kinds: Arc<[Kind]>,
    /// All entries, with references resolved: no value is a [`FieldValue::Name`].
    pub entries: Vec<Arc<Entry>>,
    /// The mode that is played.
    pub mode: EntryIx,
    /// All options of the packs, with their values.
    pub options: Vec<ChosenOption>,
    /// Full names of replaced entries, and the entries that replaced them.
    pub aliases: Vec<(String, EntryIx)>,
    slots: Arc<EntrySlots>,
    indices: EntryIndices,
    /// The slots of entries that a patch or another pack has changed.
    touched: Arc<BTreeSet<u32>>,
    /// Scripts that two packs replace.
    pub(crate) script_conflicts: Arc<[ScriptConflict]>,
}

/// A script that is replaced by two packs that do not depend on each other. Both replacements run
/// if each of them calls the script that it replaces.
#[derive(Clone, Debug)]
pub(crate) struct ScriptConflict {
    /// The source location of the script that is replaced again.
    pub before: Span,
    /// The source location of the script that runs.
    pub now: Span,
    /// The diagnostic, if the first one is lost.
    pub diagnostic: Diagnostic,
}

impl Layered {
    /// The entry at an index.
    #[must_use]
    pub fn entry(&self, ix: EntryIx) -> Option<&Entry> {
        self.entries.get(ix.0 as usize).map(|entry| &**entry)
    }

    /// The indices of the entries in later stages. Two results that share this have the same
    /// entries in the same order.
    pub(crate) fn indices(&self) -> &EntryIndices {
        &self.indices
    }

    /// The index of an entry of the set, or of the entry that replaces it.
    pub(crate) fn index_of(&self, set: &PackSet, loc: EntryLocation) -> Option<EntryIx> {
        self.refs(set).index_of(loc)
    }

    fn refs<'a>(&'a self, set: &'a PackSet) -> ReferenceResolver<'a> {
        ReferenceResolver {
            set,
            slots: &self.slots,
            indices: &self.indices,
        }
    }

    /// The same result for another mode or other options; `None` if these change which entries
    /// exist.
    fn with_choice(&self, set: &PackSet, choice: &GameChoice) -> Option<Layered> {
        let mut report = Report::new();
        let selection = select(set, choice, &mut report)?;
        let depends = |pack: &u16| {
            let pack = &set.packs[usize::from(*pack)];
            pack.entries
                .iter()
                .any(|entry| !entry.list("in").is_empty())
                || pack.patches.iter().any(|patch| !patch.only_in.is_empty())
        };
        if !report.is_empty()
            || selection.packs != self.packs
            || selection.packs.iter().any(depends)
        {
            return None;
        }
        let mode = self.refs(set).index_of(selection.mode)?;
        Some(Layered {
            mode,
            options: selection.options,
            ..self.clone()
        })
    }

    /// The same result with some entries read again; `None` if a patch or another entry changes one
    /// of them.
    fn with_changes(&self, set: &PackSet, changed: &[EntryLocation]) -> Option<Layered> {
        let mut layered = self.clone();
        let mut report = Report::new();
        let refs = self.refs(set);
        for loc in changed {
            let Some(slot) = refs.slot(*loc) else {
                continue;
            };
            if self.touched.contains(&slot) {
                return None;
            }
            let Some(ix) = refs.index_of(*loc) else {
                continue;
            };
            let mut entry = set.packs[usize::from(loc.pack)].entries[loc.entry as usize].clone();
            refs.resolve(&mut entry, &mut report);
            layered.entries[ix.0 as usize] = entry;
        }
        report.is_empty().then_some(layered)
    }
}

/// The second stage: merges the packs of a choice. Returns `None` if the mode does not exist.
pub fn layer(
    set: &PackSet,
    choice: &GameChoice,
    reuse: Reuse<Layered>,
    report: &mut Report,
) -> Option<Layered> {
    let shared = match reuse {
        Reuse::Nothing | Reuse::OlderFiles(_) => None,
        Reuse::OtherChoice(previous) => previous.with_choice(set, choice),
        Reuse::AllButOneFile(previous, changed) => changed
            .entries()
            .and_then(|changed| previous.with_changes(set, changed)),
    };
    shared.or_else(|| layer_all(set, choice, report))
}

fn layer_all(set: &PackSet, choice: &GameChoice, report: &mut Report) -> Option<Layered> {
    let selection = select(set, choice, report)?;
    let kinds = kinds(set, &selection, report);
    let mut stack = LayerStack::new(set, &selection, report);
    for (count, pack) in (1..).zip(&selection.packs) {
        stack.add_pack(*pack, &kinds, &selection.packs[..count]);
    }
    stack.add_hooks();
    inherit(set, &stack.slots, &mut stack.layered);
    let script_conflicts = stack.script_conflicts.into();
    let (slots, layered, touched) = (stack.slots, stack.layered, stack.touched);
    let indices = references::indices(&layered);
    let refs = ReferenceResolver {
        set,
        slots: &slots,
        indices: &indices,
    };
    let Some(mode) = refs.index_of(selection.mode) else {
        no_mode(set, &selection, report);
        return None;
    };
    let aliases = aliases(set, &selection, &refs, &layered);
    let mut entries = Vec::with_capacity(layered.len());
    for mut entry in layered.into_iter().flatten() {
        refs.resolve(&mut entry, report);
        entries.push(entry);
    }
    report_duplicates(&kinds, &entries, report);
    let (slots, indices, touched) = (Arc::new(slots), indices.into(), Arc::new(touched));
    Some(Layered {
        packs: selection.packs,
        options: selection.options,
        kinds: kinds.into(),
        entries,
        mode,
        aliases,
        slots,
        indices,
        touched,
        script_conflicts,
    })
}

/// The kinds of the enabled packs. Reports packs that declare the same kind without depending on
/// each other.
fn kinds(set: &PackSet, selection: &Selection, report: &mut Report) -> Vec<Kind> {
    let mut out: Vec<Kind> = set.builtin.clone();
    for kind in selection
        .packs
        .iter()
        .flat_map(|pack| &set.packs[usize::from(*pack)].kinds)
    {
        match out.iter().find(|other| other.id == kind.id) {
            None => out.push(kind.clone()),
            Some(other) => Diagnostic::error(
                kind.span,
                "duplicate-kind",
                format!("two packs declare the kind `{}`", kind.id),
            )
            .label("declared again")
            .related(other.span, "declared here")
            .help("play with one of the two packs, or let one depend on the other and use its kind")
            .push(report),
        }
    }
    for extension in extensions(set, &selection.packs) {
        if let Some(kind) = out.iter_mut().find(|kind| kind.id == extension.kind) {
            extension.merge_into(kind, report);
        }
    }
    out
}

/// What the given packs add to kinds, in load order.
fn extensions<'s>(set: &'s PackSet, packs: &'s [u16]) -> impl Iterator<Item = &'s KindExtension> {
    packs
        .iter()
        .flat_map(|pack| &set.packs[usize::from(*pack)].extensions)
}

/// Reports entries that have the same value of a `unique` field.
fn report_duplicates(kinds: &[Kind], entries: &[Arc<Entry>], report: &mut Report) {
    for kind in kinds {
        for field in kind.fields.iter().filter(|field| field.rules.unique) {
            let mut first: HashMap<String, &Entry> = HashMap::new();
            for entry in entries.iter().filter(|entry| entry.kind == kind.id) {
                let Some(value) = entry.field(&field.name) else {
                    continue;
                };
                let key = match &value.value {
                    FieldValue::Int(number) => number.to_string(),
                    FieldValue::Ref(ix) => entries[ix.0 as usize].full_name(),
                    other => other.as_text().unwrap_or_default().to_owned(),
                };
                if let Some(earlier) = first.get(&key) {
                    duplicate_value(earlier, entry, value, &key, report);
                } else {
                    first.insert(key, entry);
                }
            }
        }
    }
}

fn duplicate_value(
    earlier: &Entry,
    entry: &Entry,
    field: &EntryField,
    value: &str,
    report: &mut Report,
) {
    let name = &field.name;
    let at = earlier.field(name).map_or(earlier.span, |own| own.span);
    Diagnostic::error(
        field.span,
        "duplicate-value",
        format!("two entries of `{}` have the {name} {value}", entry.kind),
    )
    .label(if field.is_explicit {
        format!("`{name}` of {}", entry.full_name())
    } else {
        format!("{} has the default of `{name}`", entry.full_name())
    })
    .related(at, format!("`{name}` of {}", earlier.full_name()))
    .help(format!(
        "change one of them: the kind declares `{name}` as unique"
    ))
    .push(report);
}

fn no_mode(set: &PackSet, selection: &Selection, report: &mut Report) {
    let entry = &set.packs[usize::from(selection.mode.pack)].entries[selection.mode.entry as usize];
    Diagnostic::fatal(
        Files::outside(),
        "unknown-mode",
        format!("mode `{}` does not exist in its own game", entry.id),
    )
    .related(entry.span, "excluded by its own `in`, or removed by a pack")
    .push(report);
}

fn aliases(
    set: &PackSet,
    selection: &Selection,
    refs: &ReferenceResolver,
    layered: &[Option<Arc<Entry>>],
) -> Vec<(String, EntryIx)> {
    let mut out = Vec::new();
    for (old, _) in set
        .replaced
        .iter()
        .filter(|(old, _)| selection.packs.contains(&old.pack))
    {
        let def = &set.packs[usize::from(old.pack)].entries[old.entry as usize];
        let now = refs
            .slot(*old)
            .and_then(|slot| layered.get(slot as usize)?.as_ref());
        let replaced = now.is_some_and(|now| now.span != def.span);
        out.extend(
            refs.index_of(*old)
                .filter(|_| replaced)
                .map(|ix| (def.full_name(), ix)),
        );
    }
    out
}

/// The path under which the removal of an entry is recorded.
const REMOVAL_PATH: &str = "[[remove]]";

/// For each pack, the slots of its entries.
pub(super) type EntrySlots = Vec<Vec<Option<u32>>>;

/// The pack that last set a value, and the source location.
#[derive(Clone, Copy)]
struct LastWriter {
    pack: u16,
    span: Span,
    /// The source location of the text, if the value is a script.
    script: Option<Span>,
}

struct LayerStack<'a> {
    set: &'a PackSet,
    selection: &'a Selection,
    report: &'a mut Report,
    layered: Vec<Option<Arc<Entry>>>,
    slots: EntrySlots,
    touched: BTreeSet<u32>,
    script_conflicts: Vec<ScriptConflict>,
    /// Never iterated, so hash order does not matter.
    last_writers: BTreeMap<(u32, String), LastWriter>,
}

impl<'a> LayerStack<'a> {
    fn new(set: &'a PackSet, selection: &'a Selection, report: &'a mut Report) -> Self {
        let slots = set
            .packs
            .iter()
            .map(|pack| vec![None; pack.entries.len()])
            .collect();
        Self {
            set,
            selection,
            report,
            layered: Vec::new(),
            slots,
            touched: BTreeSet::new(),
            script_conflicts: Vec::new(),
            last_writers: BTreeMap::new(),
        }
    }

    /// Adds one pack, the last of `packs`: its new entries, its replacements, the fields it adds to
    /// kinds, then its patches.
    fn add_pack(&mut self, pack: u16, kinds: &[Kind], packs: &[u16]) {
        let set = self.set;
        let pack_def = &set.packs[usize::from(pack)];
        let known: BTreeSet<&str> = kinds.iter().map(|kind| kind.id.as_str()).collect();
        let mut replacing = Vec::new();
        for (number, entry) in (0u32..).zip(&pack_def.entries) {
            let loc = EntryLocation {
                pack,
                entry: number,
            };
            if !known.contains(entry.kind.as_str()) || !self.is_selected(entry) {
                continue;
            }
            match entry.get("replaces") {
                Some(FieldValue::Name(name)) => replacing.push((loc, entry, name)),
                _ => _ = self.push(loc, entry),
            }
        }
        for (loc, entry, name) in replacing {
            self.replace(loc, entry, name);
        }
        self.extend_entries(packs, KindExtension::add_defaults);
        for patch in &pack_def.patches {
            self.apply_patch(patch);
        }
    }

    /// Adds the texts and hooks of extended kinds.
    fn add_hooks(&mut self) {
        let selection = self.selection;
        self.extend_entries(&selection.packs, KindExtension::add_hooks);
    }

    fn extend_entries(
        &mut self,
        packs: &[u16],
        extend: fn(&KindExtension, &mut Arc<Entry>) -> bool,
    ) {
        for extension in extensions(self.set, packs) {
            for (slot, entry) in (0u32..).zip(&mut self.layered) {
                if entry.as_mut().is_some_and(|entry| extend(extension, entry)) {
                    self.touched.insert(slot);
                }
            }
        }
    }

    fn is_selected(&self, entry: &Entry) -> bool {
        self.selection.contains(self.set, conditions(entry))
    }

    fn push(&mut self, loc: EntryLocation, entry: &Arc<Entry>) -> u32 {
        let slot = cast::<_, u32>(self.layered.len());
        self.layered.push(Some(entry.clone()));
        self.assign_slot(loc, slot);
        slot
    }

    fn assign_slot(&mut self, loc: EntryLocation, slot: u32) {
        if let Some(place) = self
            .slots
            .get_mut(usize::from(loc.pack))
            .and_then(|p| p.get_mut(loc.entry as usize))
        {
            *place = Some(slot);
        }
    }

    fn slot(&self, loc: EntryLocation) -> Option<u32> {
        slot_of(&self.slots, loc)
    }

    /// Puts an entry into the slot of the entry it replaces, so that references to the old entry
    /// resolve to it.
    fn replace(&mut self, loc: EntryLocation, entry: &Arc<Entry>, name: &Reference) {
        let old =
            self.set
                .index
                .candidates(&self.set.packs, &self.set.visibility, name, &|other| {
                    other != loc
                });
        if let Some(slot) = old.iter().find_map(|old| self.slot(*old)) {
            let writer = LastWriter {
                pack: loc.pack,
                span: entry.span,
                script: None,
            };
            self.report_lost(slot, "", writer);
            self.record_writer(slot, "", writer);
            self.touched.insert(slot);
            self.layered[slot as usize] = Some(entry.clone());
            self.assign_slot(loc, slot);
        } else {
            let slot = self.push(loc, entry);
            for old in old {
                self.assign_slot(old, slot);
            }
        }
    }

    fn apply_patch(&mut self, patch: &Patch) {
        if !self.selection.contains(self.set, patch.only_in.iter()) {
            return;
        }
        let (set, slots) = (self.set, &self.slots);
        let found = set
            .index
            .candidates(&set.packs, &set.visibility, &patch.entry, &|loc| {
                slot_of(slots, loc).is_some()
            });
        let Some(slot) = found.first().and_then(|loc| self.slot(*loc)) else {
            return;
        };
        for op in &patch.ops {
            self.apply_op(slot, op, patch.pack);
        }
    }

    fn apply_op(&mut self, slot: u32, op: &PatchOp, by: u16) {
        self.touched.insert(slot);
        let setter = LastWriter {
            pack: by,
            span: op.span,
            script: match &op.change {
                PatchChange::Set(FieldValue::Script(script)) => Some(script.span),
                _ => None,
            },
        };
        match &op.change {
            PatchChange::Drop => {
                self.report_lost(slot, REMOVAL_PATH, setter);
                self.last_writers
                    .insert((slot, REMOVAL_PATH.to_owned()), setter);
                self.layered[slot as usize] = None;
                return;
            }
            PatchChange::Set(_) => self.record_writer(slot, &op.path.join("."), setter),
            _ => {}
        }
        self.report_lost(slot, &op.path.join("."), setter);
        let (set, slots) = (self.set, &self.slots);
        let slots_of = |name: &Reference| -> BTreeSet<u32> {
            let found = set
                .index
                .candidates(&set.packs, &set.visibility, name, &|loc| {
                    slot_of(slots, loc).is_some()
                });
            found
                .into_iter()
                .filter_map(|loc| slot_of(slots, loc))
                .collect()
        };
        let same = |a: &Reference, b: &Reference| {
            (a.text == b.text && a.by == b.by) || !slots_of(a).is_disjoint(&slots_of(b))
        };
        if let Some(entry) = self.layered.get_mut(slot as usize).and_then(Option::as_mut) {
            apply(Arc::make_mut(entry), op, by, &same, self.report);
        }
    }

    /// Reports a change that another pack makes useless by replacing or removing the entry.
    fn report_lost(&mut self, slot: u32, path: &str, now: LastWriter) {
        let is_whole = |path: &str| path.is_empty() || path == REMOVAL_PATH;
        let of_slot = (slot, String::new())..(slot + 1, String::new());
        let mut before = self.last_writers.range(of_slot);
        let found = before.find(|((_, other), writer)| {
            is_whole(other) != is_whole(path)
                && writer.pack != now.pack
                && !self.set.visibility.requires(now.pack, writer.pack)
        });
        let Some(((_, other), before)) = found else {
            return;
        };
        let name = |pack: u16| self.set.packs[usize::from(pack)].manifest.id.as_str();
        let (first, second) = (name(before.pack), name(now.pack));
        let does = |path: &str| match path {
            "" => "replaces",
            REMOVAL_PATH => "removes",
            _ => "changes",
        };
        let message = format!("`{first}` and `{second}` change the same entry");
        Diagnostic::warning(now.span, "patch-conflict", message)
            .label(format!("`{second}` {} it", does(path)))
            .related(before.span, format!("`{first}` {} it", does(other)))
            .help(format!(
                "the change is lost; if that is intended, make `{second}` depend on `{first}`"
            ))
            .push(self.report);
    }

    /// Records which pack set a value, and reports a conflict with an earlier pack that this one
    /// does not depend on.
    fn record_writer(&mut self, slot: u32, path: &str, now: LastWriter) {
        let Some(before) = self.last_writers.insert((slot, path.to_owned()), now) else {
            return;
        };
        if before.pack == now.pack || self.set.visibility.requires(now.pack, before.pack) {
            return;
        }
        let name = |pack: u16| self.set.packs[usize::from(pack)].manifest.id.as_str();
        let what = if path.is_empty() {
            "replace the same entry".into()
        } else {
            format!("set `{path}` of the same entry")
        };
        let winner = name(now.pack);
        let conflict = Diagnostic::warning(
            now.span,
            "patch-conflict",
            format!("`{}` and `{winner}` both {what}", name(before.pack)),
        )
        .label(format!("`{winner}` wins, because it is loaded later"))
        .related(
            before.span,
            format!("the change by `{}`", name(before.pack)),
        )
        .help(format!(
            "if that is intended, make `{winner}` depend on `{}`",
            name(before.pack)
        ));
        match (before.script, now.script) {
            (Some(first), Some(second)) => self.script_conflicts.push(ScriptConflict {
                before: first,
                now: second,
                diagnostic: conflict.into(),
            }),
            _ => conflict.push(self.report),
        }
    }
}

pub(super) fn slot_of(slots: &EntrySlots, loc: EntryLocation) -> Option<u32> {
    slots
        .get(usize::from(loc.pack))?
        .get(loc.entry as usize)
        .copied()
        .flatten()
}

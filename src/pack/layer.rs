//! Lays the packs of a game over one another.

use crate::number::cast;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Files, Report, Span};

use super::apply::apply;
use super::entry::Entry;
use super::force::{Choice, Force, force};
use super::inherit::inherit;
use super::kind::Kind;
use super::names::Loc;
use super::patch::{Change, Op, Patch};
use super::refs::{self, Refs};
use super::reuse::Reuse;
use super::set::PackSet;
use super::value::{EntryIx, Name, Value};

/// For each slot, the number of its entry; empty slots have none. Shared by all that later stages make of it.
pub(crate) type EntryNumbers = Arc<[Option<EntryIx>]>;

/// The packs of one game, laid over one another.
#[derive(Clone, Debug)]
pub struct Layered {
    /// The packs in force, in order; later ones override earlier ones.
    pub packs: Vec<u16>,
    /// The kinds of the engine and of these packs.
    pub kinds: Arc<[Kind]>,
    /// The entries that exist, with all references resolved: none holds a [`Value::Name`].
    pub entries: Vec<Arc<Entry>>,
    /// The mode that is played.
    pub mode: EntryIx,
    /// Full names of replaced entries, and the entries that replace them.
    pub aliases: Vec<(String, EntryIx)>,
    place: Arc<Places>,
    numbers: EntryNumbers,
    /// The slots of entries that another pack, or a patch of their own, changed.
    touched: Arc<BTreeSet<u32>>,
}

impl Layered {
    /// The entry with that number.
    #[must_use]
    pub fn entry(&self, ix: EntryIx) -> Option<&Entry> {
        self.entries.get(ix.0 as usize).map(|entry| &**entry)
    }

    /// The numbers that later stages know the entries by; layers with the same ones hold the same entries in the same order.
    pub(crate) fn numbers(&self) -> &EntryNumbers {
        &self.numbers
    }

    /// The number of an entry of the set, or of the entry that replaces it.
    pub(crate) fn number_of(&self, set: &PackSet, loc: Loc) -> Option<EntryIx> {
        self.refs(set).of(loc)
    }

    fn refs<'a>(&'a self, set: &'a PackSet) -> Refs<'a> {
        Refs {
            set,
            place: &self.place,
            numbers: &self.numbers,
        }
    }

    /// The same layers for another mode or other options; `None` if these decide which entries exist.
    fn with_choice(&self, set: &PackSet, choice: &Choice) -> Option<Layered> {
        let mut report = Report::new();
        let force = force(set, choice, &mut report)?;
        let depends = |pack: &u16| {
            let pack = &set.packs[usize::from(*pack)];
            pack.entries
                .iter()
                .any(|entry| !entry.list("in").is_empty())
                || pack.patches.iter().any(|patch| !patch.only_in.is_empty())
        };
        if !report.is_empty() || force.packs != self.packs || force.packs.iter().any(depends) {
            return None;
        }
        let mode = self.refs(set).of(force.mode)?;
        Some(Layered {
            mode,
            ..self.clone()
        })
    }

    /// The same layers with some entries read again; `None` if another entry or a patch changes one of them.
    fn with_changes(&self, set: &PackSet, changed: &[Loc]) -> Option<Layered> {
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
            let Some(ix) = refs.of(*loc) else { continue };
            let mut entry = set.packs[usize::from(loc.pack)].entries[loc.entry as usize].clone();
            refs.resolve(&mut entry, &mut report);
            layered.entries[ix.0 as usize] = entry;
        }
        report.is_empty().then_some(layered)
    }
}

/// The second stage: lays the packs of a choice over one another. Returns `None` if the mode does not exist.
pub fn layer(
    set: &PackSet,
    choice: &Choice,
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

fn layer_all(set: &PackSet, choice: &Choice, report: &mut Report) -> Option<Layered> {
    let force = force(set, choice, report)?;
    let kinds = kinds(set, &force, report);
    let mut stack = Stack::new(set, &force, report);
    for pack in &force.packs {
        stack.pack(*pack, &kinds);
    }
    inherit(set, &stack.place, &mut stack.slots);
    let (place, slots, touched) = (stack.place, stack.slots, stack.touched);
    let numbers = refs::numbers(&slots);
    let refs = Refs {
        set,
        place: &place,
        numbers: &numbers,
    };
    let Some(mode) = refs.of(force.mode) else {
        no_mode(set, &force, report);
        return None;
    };
    let aliases = aliases(set, &force, &refs, &slots);
    let mut entries = Vec::with_capacity(slots.len());
    for mut entry in slots.into_iter().flatten() {
        refs.resolve(&mut entry, report);
        entries.push(entry);
    }
    let (place, numbers, touched) = (Arc::new(place), numbers.into(), Arc::new(touched));
    Some(Layered {
        packs: force.packs,
        kinds: kinds.into(),
        entries,
        mode,
        aliases,
        place,
        numbers,
        touched,
    })
}

/// The kinds in force. Reports packs that declare the same kind without knowing of each other.
fn kinds(set: &PackSet, force: &Force, report: &mut Report) -> Vec<Kind> {
    let mut out: Vec<Kind> = set.builtin.clone();
    for kind in force
        .packs
        .iter()
        .flat_map(|pack| &set.packs[usize::from(*pack)].kinds)
    {
        match out.iter().find(|other| other.id == kind.id) {
            None => out.push(kind.clone()),
            Some(other) => Diagnostic::wrong(
                kind.span,
                "duplicate-kind",
                format!("two packs declare the kind `{}`", kind.id),
            )
            .label("declared again")
            .also(other.span, "declared here")
            .help("play with one of the two packs, or let one depend on the other and use its kind")
            .push(report),
        }
    }
    out
}

fn no_mode(set: &PackSet, force: &Force, report: &mut Report) {
    let entry = &set.packs[usize::from(force.mode.pack)].entries[force.mode.entry as usize];
    Diagnostic::crash(
        Files::outside(),
        "unknown-mode",
        format!("mode `{}` does not exist in its own game", entry.id),
    )
    .also(entry.span, "excluded by its own `in`, or removed by a pack")
    .push(report);
}

fn aliases(
    set: &PackSet,
    force: &Force,
    refs: &Refs,
    slots: &[Option<Arc<Entry>>],
) -> Vec<(String, EntryIx)> {
    let mut out = Vec::new();
    for (old, _) in set
        .replaced
        .iter()
        .filter(|(old, _)| force.packs.contains(&old.pack))
    {
        let def = &set.packs[usize::from(old.pack)].entries[old.entry as usize];
        let now = refs
            .slot(*old)
            .and_then(|slot| slots.get(slot as usize)?.as_ref());
        let replaced = now.is_some_and(|now| now.span != def.span);
        out.extend(
            refs.of(*old)
                .filter(|_| replaced)
                .map(|ix| (def.full_name(), ix)),
        );
    }
    out
}

/// For each pack, the slots of its entries.
pub(super) type Places = Vec<Vec<Option<u32>>>;

/// The pack that last set something, and where.
#[derive(Clone, Copy)]
struct Setter {
    pack: u16,
    span: Span,
}

struct Stack<'a> {
    set: &'a PackSet,
    force: &'a Force,
    report: &'a mut Report,
    slots: Vec<Option<Arc<Entry>>>,
    place: Places,
    touched: BTreeSet<u32>,
    /// Never iterated, so its order cannot matter.
    setters: HashMap<(u32, String), Setter>,
}

impl<'a> Stack<'a> {
    fn new(set: &'a PackSet, force: &'a Force, report: &'a mut Report) -> Self {
        let place = set
            .packs
            .iter()
            .map(|pack| vec![None; pack.entries.len()])
            .collect();
        Self {
            set,
            force,
            report,
            slots: Vec::new(),
            place,
            touched: BTreeSet::new(),
            setters: HashMap::new(),
        }
    }

    /// Adds one pack on top: plain entries, entries that replace others, patches.
    fn pack(&mut self, pack: u16, kinds: &[Kind]) {
        let set = self.set;
        let held = &set.packs[usize::from(pack)];
        let known: BTreeSet<&str> = kinds.iter().map(|kind| kind.id.as_str()).collect();
        let mut replacing = Vec::new();
        for (number, entry) in (0u32..).zip(&held.entries) {
            let loc = Loc {
                pack,
                entry: number,
            };
            if !known.contains(entry.kind.as_str()) || !self.exists(entry) {
                continue;
            }
            match entry.get("replaces") {
                Some(Value::Name(name)) => replacing.push((loc, entry, name)),
                _ => _ = self.push(loc, entry),
            }
        }
        for (loc, entry, name) in replacing {
            self.replace(loc, entry, name);
        }
        for patch in &held.patches {
            self.patch(patch);
        }
    }

    fn exists(&self, entry: &Entry) -> bool {
        let names = entry.list("in").iter().filter_map(|value| match value {
            Value::Name(name) => Some(name),
            _ => None,
        });
        self.force.holds(self.set, names)
    }

    fn push(&mut self, loc: Loc, entry: &Arc<Entry>) -> u32 {
        let slot = cast::<_, u32>(self.slots.len());
        self.slots.push(Some(entry.clone()));
        self.put(loc, slot);
        slot
    }

    fn put(&mut self, loc: Loc, slot: u32) {
        if let Some(place) = self
            .place
            .get_mut(usize::from(loc.pack))
            .and_then(|p| p.get_mut(loc.entry as usize))
        {
            *place = Some(slot);
        }
    }

    fn slot(&self, loc: Loc) -> Option<u32> {
        slot_of(&self.place, loc)
    }

    /// Puts an entry into the slot of another, so that references to the old one find it.
    fn replace(&mut self, loc: Loc, entry: &Arc<Entry>, name: &Name) {
        let old = self
            .set
            .index
            .candidates(&self.set.packs, &self.set.links, name, &|other| {
                other != loc
            });
        if let Some(slot) = old.iter().find_map(|old| self.slot(*old)) {
            self.note(
                slot,
                "",
                Setter {
                    pack: loc.pack,
                    span: entry.span,
                },
            );
            self.touched.insert(slot);
            self.slots[slot as usize] = Some(entry.clone());
            self.put(loc, slot);
        } else {
            let slot = self.push(loc, entry);
            for old in old {
                self.put(old, slot);
            }
        }
    }

    fn patch(&mut self, patch: &Patch) {
        if !self.force.holds(self.set, patch.only_in.iter()) {
            return;
        }
        let (set, place) = (self.set, &self.place);
        let found = set
            .index
            .candidates(&set.packs, &set.links, &patch.entry, &|loc| {
                slot_of(place, loc).is_some()
            });
        let Some(slot) = found.first().and_then(|loc| self.slot(*loc)) else {
            return;
        };
        for op in &patch.ops {
            self.op(slot, op, patch.pack);
        }
    }

    fn op(&mut self, slot: u32, op: &Op, by: u16) {
        self.touched.insert(slot);
        let setter = Setter {
            pack: by,
            span: op.span,
        };
        match &op.change {
            Change::Drop => {
                self.slots[slot as usize] = None;
                return;
            }
            Change::Set(_) => self.note(slot, &op.path.join("."), setter),
            _ => {}
        }
        let (set, place) = (self.set, &self.place);
        let slots_of = |name: &Name| -> BTreeSet<u32> {
            let found = set.index.candidates(&set.packs, &set.links, name, &|loc| {
                slot_of(place, loc).is_some()
            });
            found
                .into_iter()
                .filter_map(|loc| slot_of(place, loc))
                .collect()
        };
        let same = |a: &Name, b: &Name| {
            (a.text == b.text && a.by == b.by) || !slots_of(a).is_disjoint(&slots_of(b))
        };
        if let Some(entry) = self.slots.get_mut(slot as usize).and_then(Option::as_mut) {
            apply(Arc::make_mut(entry), op, by, &same, self.report);
        }
    }

    /// Records which pack set something, and reports a conflict with an earlier pack that it does not depend on.
    fn note(&mut self, slot: u32, path: &str, now: Setter) {
        let Some(before) = self.setters.insert((slot, path.to_owned()), now) else {
            return;
        };
        if before.pack == now.pack || self.set.links.needs(now.pack, before.pack) {
            return;
        }
        let name = |pack: u16| self.set.packs[usize::from(pack)].manifest.id.as_str();
        let what = if path.is_empty() {
            "replace the same entry".into()
        } else {
            format!("set `{path}` of the same entry")
        };
        let winner = name(now.pack);
        Diagnostic::odd(
            now.span,
            "patch-conflict",
            format!("`{}` and `{winner}` both {what}", name(before.pack)),
        )
        .label(format!("`{winner}` wins, because it is loaded later"))
        .also(
            before.span,
            format!("the change by `{}`", name(before.pack)),
        )
        .help(format!(
            "if that is intended, make `{winner}` depend on `{}`",
            name(before.pack)
        ))
        .push(self.report);
    }
}

pub(super) fn slot_of(place: &Places, loc: Loc) -> Option<u32> {
    place
        .get(usize::from(loc.pack))?
        .get(loc.entry as usize)
        .copied()
        .flatten()
}

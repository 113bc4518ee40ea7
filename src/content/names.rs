//! Name resolution in the files and scripts of a pack.
//!
//! Packs that know nothing of each other may use the same names. A bare name refers to a definition
//! in the pack that uses it, or else in the packs that this pack sees; `pack:name` refers to a
//! definition in that pack.

use ahash::AHashMap;
use smallvec::SmallVec;

use super::{Content, OptionDef};
use crate::value::{
    ChainId, CounterId, DieId, EntryId, EventId, FightId, ListId, PhaseId, QueryId, Text, ZoneId,
};

/// The pack number of what the engine defines, which every pack sees.
pub(super) const ENGINE: u16 = u16::MAX;

/// The definitions that a name may refer to, at most one of each type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symbols {
    /// The counter with that name.
    pub counter: Option<CounterId>,
    /// The zone with that name.
    pub zone: Option<ZoneId>,
    /// The event with that name.
    pub event: Option<EventId>,
    /// The query with that name.
    pub query: Option<QueryId>,
    /// The chain with that name.
    pub chain: Option<ChainId>,
    /// The die with that name.
    pub die: Option<DieId>,
    /// The fight with that name.
    pub fight: Option<FightId>,
    /// The phase with that name.
    pub phase: Option<PhaseId>,
    /// The sequence with that name.
    pub list: Option<ListId>,
}

/// The definitions of all packs by name, with `-` and with `_`.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolTable {
    /// For each name, the packs that define it; nearly always one.
    names: AHashMap<String, SmallVec<[(u16, Symbols); 1]>>,
}

impl Symbols {
    /// Whether the name is a counter or a zone, which scripts read as properties.
    #[must_use]
    pub const fn is_property(&self) -> bool {
        self.counter.is_some() || self.zone.is_some()
    }

    /// Whether a cost may name it.
    #[must_use]
    pub const fn is_payable(&self) -> bool {
        self.is_property() || self.chain.is_some()
    }

    /// These definitions, and those of the types that are missing here.
    #[must_use]
    pub fn or(self, others: Symbols) -> Symbols {
        Symbols {
            counter: self.counter.or(others.counter),
            zone: self.zone.or(others.zone),
            event: self.event.or(others.event),
            query: self.query.or(others.query),
            chain: self.chain.or(others.chain),
            die: self.die.or(others.die),
            fight: self.fight.or(others.fight),
            phase: self.phase.or(others.phase),
            list: self.list.or(others.list),
        }
    }
}

impl SymbolTable {
    /// The definitions of a pack with this name, to add to.
    pub fn define(&mut self, pack: u16, name: &str) -> &mut Symbols {
        let packs = self.names.entry(name.to_owned()).or_default();
        let at = packs.iter().position(|(other, _)| *other == pack);
        let at = at.unwrap_or_else(|| {
            packs.push((pack, Symbols::default()));
            packs.len() - 1
        });
        &mut packs[at].1
    }
}

/// The only value, or `None` if there are several different ones.
fn only<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|other| other == first).then_some(first)
}

/// One definition of each type: of the pack itself, else of the packs it sees, else of any pack.
/// Where several packs at the same distance define it, the name is ambiguous.
fn nearest(packs: &[(u16, Symbols)], own: Option<u16>, seen: &[u16]) -> Symbols {
    macro_rules! choose {
        ($($field:ident),*) => {
            Symbols {
                $($field: {
                    let all = || packs.iter().filter_map(|(pack, own)| Some((*pack, own.$field?)));
                    let of_pack = all().find(|(pack, _)| Some(*pack) == own);
                    let visible = || {
                        all().filter(|(pack, _)| *pack == ENGINE || seen.contains(pack))
                    };
                    match of_pack {
                        Some((_, id)) => Some(id),
                        None if visible().next().is_some() => only(visible().map(|(_, id)| id)),
                        None => only(all().map(|(_, id)| id)),
                    }
                }),*
            }
        };
    }
    choose!(counter, zone, event, query, chain, die, fight, phase, list)
}

impl Content {
    /// The definitions with this name in any pack.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Symbols {
        self.symbol_seen_from(None, name)
    }

    /// The definitions that a name refers to in a pack.
    #[must_use]
    pub fn symbol_in(&self, pack: u16, name: &str) -> Symbols {
        self.symbol_seen_from(Some(pack), name)
    }

    fn symbol_seen_from(&self, pack: Option<u16>, name: &str) -> Symbols {
        match self.symbols.names.get(name).map(|packs| &packs[..]) {
            Some([(_, only)]) => *only,
            Some(packs) => {
                let seen = pack.and_then(|pack| self.visible.get(usize::from(pack)));
                nearest(packs, pack, seen.map_or(&[], Vec::as_slice))
            }
            None => self.symbol_of_pack(name).unwrap_or_default(),
        }
    }

    /// The full names of the definitions that a bare name may refer to, if it is ambiguous: several
    /// packs define it, and none of them takes precedence.
    #[must_use]
    pub fn ambiguous_symbol(
        &self,
        pack: Option<u16>,
        name: &str,
        is: impl Fn(&Symbols) -> bool,
    ) -> Option<Vec<String>> {
        let packs = self.symbols.names.get(name)?;
        let fitting = packs.iter().filter(|(_, own)| is(own));
        let fitting = fitting.filter_map(|(own, _)| self.packs.get(usize::from(*own)));
        let names: Vec<String> = fitting.map(|own| format!("{}:{name}", own.id)).collect();
        (names.len() > 1 && !is(&self.symbol_seen_from(pack, name))).then_some(names)
    }

    /// The number of an enabled pack; 0 if it is not enabled.
    #[must_use]
    pub fn pack_number(&self, id: &str) -> u16 {
        let found = self.packs.iter().position(|pack| pack.id == id);
        found.and_then(|at| u16::try_from(at).ok()).unwrap_or(0)
    }

    /// The definitions that `pack:name` or `pack:kind/name` refers to.
    fn symbol_of_pack(&self, name: &str) -> Option<Symbols> {
        let (pack, name) = name.split_once(':')?;
        let (_, name) = name.split_once('/').unwrap_or(("", name));
        let pack = self.packs.iter().position(|known| known.id == pack)?;
        let packs = self.symbols.names.get(name)?;
        let own = packs.iter().find(|(own, _)| usize::from(*own) == pack);
        own.map(|(_, symbols)| *symbols)
    }

    /// The names of definitions for which `is` holds, sorted.
    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "the names are sorted")]
    pub fn symbol_names(&self, is: impl Fn(&Symbols) -> bool) -> Vec<&str> {
        let all = self.symbols.names.iter();
        let fitting = all.filter(|(_, packs)| packs.iter().any(|(_, own)| is(own)));
        let mut names: Vec<&str> = fitting.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Finds an entry in any pack by `id`, `kind/id`, `pack:id` or `pack:kind/id`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<EntryId> {
        match &self.entry_names.get(name)?[..] {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Finds the entry that a name refers to in a pack: its own, else one of the packs it sees.
    #[must_use]
    pub fn find_in(&self, pack: u16, name: &str) -> Option<EntryId> {
        let all = &self.entry_names.get(name)?[..];
        if let [only] = all {
            return Some(*only);
        }
        let seen = self
            .visible
            .get(usize::from(pack))
            .map_or(&[][..], Vec::as_slice);
        let of = |wanted: &dyn Fn(u16) -> bool| -> Vec<EntryId> {
            let fitting = all.iter().filter(|id| wanted(self.entry(**id).pack));
            fitting.copied().collect()
        };
        let own = of(&|other| other == pack);
        let near = if own.is_empty() {
            of(&|other| seen.contains(&other))
        } else {
            own
        };
        match near[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The full names of the entries that a name may refer to.
    #[must_use]
    pub fn candidates(&self, name: &str) -> Vec<&str> {
        let all = self.entry_names.get(name).into_iter().flatten();
        all.map(|id| &*self.entry(*id).name).collect()
    }

    /// The full name of the entry that an ambiguous name refers to in a pack; any other name
    /// unchanged.
    #[must_use]
    pub fn qualified_entry(&self, pack: u16, name: &str) -> String {
        let found = self.is_ambiguous(name).then(|| self.find_in(pack, name));
        let full = found.flatten().map(|id| self.entry(id).name.to_string());
        full.unwrap_or_else(|| name.to_owned())
    }

    /// The short form of `pack:name` in a pack, if there is one: scripts see names of definitions
    /// in this form, so that they can compare them.
    #[must_use]
    pub fn plain_name(&self, pack: u16, name: &str) -> Option<Text> {
        if !name.contains(':') {
            return None;
        }
        let all = self.entry_names.get(name)?;
        let plain = only(all.iter().map(|id| self.name_in(pack, *id)))?;
        (*plain != *name).then_some(plain)
    }

    /// If several packs define a counter or zone, `pack:name` for the one that the name refers to
    /// in this pack; any other name unchanged.
    #[must_use]
    pub fn qualified_symbol(&self, pack: u16, name: &str) -> String {
        let packs = self.symbols.names.get(name).map_or(&[][..], |packs| packs);
        let meant = self.symbol_in(pack, name);
        let is_meant = |own: &Symbols| match (meant.counter, meant.zone) {
            (Some(counter), _) => own.counter == Some(counter),
            (None, Some(zone)) => own.zone == Some(zone),
            (None, None) => false,
        };
        let definer = packs.iter().find(|(_, own)| is_meant(own));
        match definer.and_then(|(definer, _)| self.packs.get(usize::from(*definer))) {
            Some(definer) if packs.len() > 1 => format!("{}:{name}", definer.id),
            _ => name.to_owned(),
        }
    }

    /// The option that a name refers to in a pack: its own, else one of the packs it sees, else the
    /// only one.
    #[must_use]
    pub fn option_in(&self, pack: u16, name: &str) -> Option<&OptionDef> {
        let (of, name) = name
            .split_once(':')
            .map_or(("", name), |(of, name)| (of, name));
        let name = name.strip_prefix("option/").unwrap_or(name);
        let fitting = self.options.iter().filter(|option| {
            option.id == name && (of.is_empty() || self.packs[usize::from(option.pack)].id == of)
        });
        let fitting: Vec<&OptionDef> = fitting.collect();
        let seen = self.visible.get(usize::from(pack));
        let is_seen = |option: &&&OptionDef| seen.is_some_and(|seen| seen.contains(&option.pack));
        let mut own = fitting.iter().filter(|option| option.pack == pack);
        let mut near = fitting.iter().filter(is_seen);
        let only = || match fitting[..] {
            [only] => Some(only),
            _ => None,
        };
        own.next().or_else(|| near.next()).copied().or_else(only)
    }

    /// Whether the `pack.toml` of a pack names another, or it is the pack itself.
    #[must_use]
    pub fn is_related(&self, pack: u16, other: &str) -> bool {
        let related = self.related.get(usize::from(pack));
        related.is_some_and(|related| related.iter().any(|id| id == other))
    }

    /// Whether `pack:name` refers to a pack that is not in this game, but that this pack may refer
    /// to.
    #[must_use]
    pub fn is_of_absent_pack(&self, pack: u16, name: &str) -> bool {
        name.split_once(':').is_some_and(|(of, _)| {
            self.is_related(pack, of) && self.packs.iter().all(|own| own.id != of)
        })
    }

    /// Whether a pack itself has an entry with this name.
    #[must_use]
    pub fn has_own(&self, pack: u16, name: &str) -> bool {
        let mut all = self.entry_names.get(name).into_iter().flatten();
        all.any(|id| self.entry(*id).pack == pack)
    }

    /// Whether a name refers to several entries.
    #[must_use]
    pub fn is_ambiguous(&self, name: &str) -> bool {
        self.entry_names.get(name).is_some_and(|all| all.len() > 1)
    }

    /// Whether a name in a pack refers to an entry, among the entries of its kind.
    #[must_use]
    pub fn is_name_in(&self, pack: u16, id: EntryId, name: &str) -> bool {
        let entry = self.entry(id);
        if *entry.id == *name {
            return !entry.shares_name || *self.name_in(pack, id) == *name;
        }
        name.split_once(':').is_some_and(|(of, name)| {
            let (kind, name) = name.split_once('/').unwrap_or(("", name));
            of == self.packs[usize::from(entry.pack)].id
                && *entry.id == *name
                && (kind.is_empty() || *self.kinds[entry.kind.ix()].id == *kind)
        })
    }

    /// The name that a pack writes for an entry among the entries of its kind: the id, or `pack:id`
    /// if the id means an entry of another pack.
    #[must_use]
    pub fn name_in(&self, pack: u16, id: EntryId) -> Text {
        let entry = self.entry(id);
        if !entry.shares_name {
            return entry.id.clone();
        }
        let kind = &self.kinds[entry.kind.ix()].id;
        if self.find_in(pack, &format!("{kind}/{}", entry.id)) == Some(id) {
            return entry.id.clone();
        }
        format!("{}:{}", self.packs[usize::from(entry.pack)].id, entry.id).into()
    }
}

//! The third stage: turns layered entries into content, with names resolved to ids.

use crate::number::cast;
use std::collections::VecDeque;
use std::sync::Arc;

use super::defs::{
    Bound, ComboPass, CounterDef, DieDef, EntryDef, FaceDef, FightDef, HookFilter, HookTable,
    MenuSeats, OptionDef, Owner, PanelDef, PhaseDef, Scope, SeenBy, ZoneDef,
};
use super::numbers::spellings;
use super::{Content, PackStamp, PerOwner, Symbols, stable_hash};
use crate::diagnostic::{Diagnostic, Report, Span, unknown_name};
use crate::pack::{self, Layered, PackSet, Reuse};
use crate::value::{CounterId, EntryId, HookId, KindId, ListId, PlaceId, ZoneId};
use crate::value::{Map, Text, Value};

/// The maximum number of entries, and of anything else with 16-bit ids.
const MAX_ENTRIES: usize = 60_000;

/// The third stage: resolves all names. Reports errors and omits what they affect.
pub fn build(
    set: &PackSet,
    layered: &Layered,
    reuse: Reuse<Content>,
    report: &mut Report,
) -> Content {
    // If layering assigned new indices, nothing of the previous content is valid.
    let same_indices = |previous: &Content| Arc::ptr_eq(layered.indices(), &previous.indices);
    let shared = match reuse {
        Reuse::OtherChoice(previous) if same_indices(previous) => {
            build_other_choice(layered, previous, report)
        }
        Reuse::AllButOneFile(previous, changed) if same_indices(previous) => changed
            .entries()
            .and_then(|changed| build_changed(set, layered, previous, changed)),
        _ => None,
    };
    shared.unwrap_or_else(|| build_all(set, layered, report))
}

fn build_all(set: &PackSet, layered: &Layered, report: &mut Report) -> Content {
    let content = Content {
        indices: layered.indices().clone(),
        ..Content::default()
    };
    let mut builder = ContentBuilder::new(content, layered, report);
    builder.packs(set);
    builder.options();
    if layered.entries.len() > MAX_ENTRIES {
        builder.report_too_many_entries();
        return builder.content;
    }
    builder.number_names();
    builder.number_entries();
    for ix in 0..layered.entries.len() {
        builder.entry(ix);
    }
    builder.definitions();
    builder.listeners();
    builder.state_rules();
    builder.window_actions();
    builder.content
}

/// Rebuilds only the changed entries; `None` if one of them now listens, acts or fails differently.
fn build_changed(
    set: &PackSet,
    layered: &Layered,
    previous: &Content,
    changed: &[pack::EntryLocation],
) -> Option<Content> {
    let mut content = previous.clone();
    for (stamp, ix) in content.packs.iter_mut().zip(&layered.packs) {
        stamp.hash.clone_from(&set.packs[usize::from(*ix)].hash);
    }
    let mut report = Report::new();
    let mut builder = ContentBuilder::new(content, layered, &mut report);
    for loc in changed {
        if let Some(ix) = layered.index_of(set, *loc) {
            builder.rebuild_entry(EntryId::at(ix.0 as usize))?;
        }
    }
    let content = builder.content;
    report.is_empty().then_some(content)
}

/// Reuses the content for another mode or other options; `None` if the modes differ in their number
/// of scripts.
fn build_other_choice(
    layered: &Layered,
    previous: &Content,
    report: &mut Report,
) -> Option<Content> {
    let mut content = previous.clone();
    content.options.clear();
    let mut faults = Report::new();
    let mut builder = ContentBuilder::new(content, layered, &mut faults);
    builder.options();
    builder.reuse = Some(builder.content.mode.as_ref()?.setup.into_iter().collect());
    builder.mode();
    builder.listeners();
    let (content, left) = (builder.content, builder.reuse);
    if left.is_none_or(|left| !left.is_empty()) {
        return None;
    }
    report.extend(faults);
    Some(content)
}

/// Whether a value is or contains a script.
fn has_script(value: &pack::FieldValue) -> bool {
    match value {
        pack::FieldValue::Script(_) => true,
        pack::FieldValue::List(list) => list.iter().any(has_script),
        pack::FieldValue::Table(rows) => rows.iter().any(|(_, value)| has_script(value)),
        _ => false,
    }
}

pub(super) struct ContentBuilder<'a> {
    pub content: Content,
    pub layered: &'a Layered,
    pub report: &'a mut Report,
    /// While an entry is rebuilt: the ids of its old scripts, which its new scripts reuse in order.
    pub reuse: Option<VecDeque<HookId>>,
}

impl<'a> ContentBuilder<'a> {
    fn new(content: Content, layered: &'a Layered, report: &'a mut Report) -> Self {
        Self {
            content,
            layered,
            report,
            reuse: None,
        }
    }

    fn packs(&mut self, set: &PackSet) {
        for &ix in &self.layered.packs {
            let pack = &set.packs[ix as usize];
            self.content.packs.push(PackStamp {
                id: pack.manifest.id.clone(),
                version: pack.manifest.version.to_string(),
                hash: pack.hash.clone(),
            });
            self.content.libraries.push(pack.libraries.clone());
            let manifest = &pack.manifest;
            let related = manifest.all_dependencies().chain(&manifest.conflicts);
            let related = related.map(|other| other.id.clone());
            let related = related.chain([manifest.id.clone()]).collect();
            self.content.related.push(related);
            let visible = pack::visible(set, ix);
            let position = |wanted: &u16| self.layered.packs.iter().position(|p| p == wanted);
            let list = visible
                .iter()
                .filter_map(position)
                .filter_map(|p| u16::try_from(p).ok())
                .collect();
            self.content.visible.push(list);
        }
    }

    fn options(&mut self) {
        for option in &self.layered.options {
            let value = match &option.value {
                pack::OptionValue::Switch(is_on) => Value::Bool(*is_on),
                pack::OptionValue::One(value) => Value::Text(value.as_str().into()),
            };
            self.content.options.push(OptionDef {
                pack: self.pack_index(option.pack),
                id: option.id.clone(),
                value,
            });
        }
    }

    /// The index of a pack among the enabled packs.
    pub fn pack_index(&self, pack: u16) -> u16 {
        let at = self
            .layered
            .packs
            .iter()
            .position(|p| *p == pack)
            .unwrap_or(0);
        cast::<_, u16>(at)
    }

    fn report_too_many_entries(&mut self) {
        let span = self.layered.entries[MAX_ENTRIES].span;
        let count = self.layered.entries.len();
        let message = format!("too many entries: {count} (at most {MAX_ENTRIES})");
        Diagnostic::fatal(span, "too-many-entries", message)
            .label("the first beyond the limit")
            .push(self.report);
    }

    pub fn is_place(&self, kind: &str) -> bool {
        self.layered
            .kinds
            .iter()
            .any(|k| k.id == kind && k.is == pack::EntryNature::Place)
    }

    fn entry(&mut self, ix: usize) {
        let entry = self.build_entry(ix);
        let kind = &mut self.content.kinds[entry.kind.ix()];
        kind.entries.push(EntryId::at(ix));
        self.content.entries.push(Arc::new(entry));
    }

    /// Rebuilds an entry with its old ids; `None` if its hooks or its menus have changed.
    fn rebuild_entry(&mut self, id: EntryId) -> Option<()> {
        let numbers = (0..self.content.hooks.len()).map(HookId::at);
        self.reuse = Some(
            numbers
                .filter(|hook| self.content.hooks[hook.ix()].entry == id)
                .collect(),
        );
        let entry = self.build_entry(id.ix());
        let left = self.reuse.take()?;
        let old = &self.content.entries[id.ix()];
        let acts = |entry: &EntryDef| {
            entry
                .action
                .as_ref()
                .map(|action| (action.windows.clone(), action.order))
        };
        let same = entry.hooks == old.hooks
            && acts(&entry) == acts(old)
            && entry.faces.len() == old.faces.len()
            && entry
                .faces
                .iter()
                .zip(&old.faces)
                .all(|(new, old)| new.hooks == old.hooks);
        if !left.is_empty() || !same {
            return None;
        }
        self.content.entries[id.ix()] = Arc::new(entry);
        Some(())
    }

    fn build_entry(&mut self, ix: usize) -> EntryDef {
        let layered = self.layered;
        let source = &*layered.entries[ix];
        let id = EntryId::at(ix);
        let fields = self.fields(id, &source.fields);
        let hooks = self.hooks(id, source);
        let faces = self.faces(id, source);
        let place = self
            .content
            .map
            .places
            .iter()
            .position(|node| node.entry == id)
            .map(PlaceId::at);
        let title = source.text("title").unwrap_or(&source.id);
        let tags = source
            .list("tags")
            .iter()
            .filter_map(|v| v.as_text())
            .map(Text::from)
            .collect();
        let name = source.full_name();
        let mut entry = EntryDef {
            hash: stable_hash(&name),
            name: name.into(),
            shares_name: self
                .content
                .is_ambiguous(&format!("{}/{}", source.kind, source.id)),
            id: source.id.as_str().into(),
            title: title.into(),
            pack: self.pack_index(source.pack),
            kind: self.content.kind(&source.kind).unwrap_or(KindId(0)),
            fields,
            tags,
            copies: u16::try_from(source.int("copies").unwrap_or(1)).unwrap_or(1),
            hooks,
            action: None,
            faces,
            place,
            hook_filter: HookFilter::default(),
            span: source.span,
        };
        entry.action = self.action(id, source).map(Box::new);
        if let (Some(action), Some(face)) = (&mut entry.action, source.text(pack::ACTION_FACE)) {
            let position = entry.faces.iter().position(|own| &*own.name == face);
            action.face = position.and_then(|at| u8::try_from(at + 1).ok());
        }
        entry.index_hooks();
        entry
    }

    fn fields(&mut self, id: EntryId, fields: &[pack::EntryField]) -> Vec<(Text, Value)> {
        let own = [
            "on", "answer", "offer", "then", "face", "window", "each", "can", "do", "cost", "once",
            "tags", "copies", "in", "replaces",
        ];
        let plain = fields
            .iter()
            .filter(|field| !own.contains(&field.name.as_str()));
        plain
            .map(|field| {
                (
                    self.name(&field.name),
                    self.value(id, &field.name, &field.value),
                )
            })
            .collect()
    }

    fn faces(&mut self, id: EntryId, source: &pack::Entry) -> Vec<FaceDef> {
        let Some(pack::FieldValue::Table(faces)) = source.get("face") else {
            return Vec::new();
        };
        let mut list = Vec::new();
        for (name, face) in faces {
            let pack::FieldValue::Table(rows) = face else {
                continue;
            };
            let mut hooks = HookTable::default();
            let mut fields = Vec::new();
            for (key, value) in rows {
                match (key.as_str(), value) {
                    ("on" | "answer" | "offer", pack::FieldValue::Table(scripts)) => {
                        self.hook_table(
                            id,
                            source.span,
                            &format!("face.{name}.{key}"),
                            key,
                            scripts,
                            &mut hooks,
                        );
                    }
                    _ => fields.push((
                        Text::from(key.as_str()),
                        self.value(id, &format!("face.{name}.{key}"), value),
                    )),
                }
            }
            list.push(FaceDef {
                name: name.as_str().into(),
                fields,
                hooks,
            });
        }
        list
    }

    /// Interns a name.
    pub(super) fn name(&mut self, name: &str) -> Text {
        if let Some(known) = self.content.field_names.get(name) {
            return known.clone();
        }
        let new = Text::from(name);
        Arc::make_mut(&mut self.content.field_names).insert(name.to_owned(), new.clone());
        new
    }

    /// Converts a value that contains no scripts.
    pub(super) fn plain_value(&mut self, value: &pack::FieldValue) -> Value {
        match value {
            pack::FieldValue::List(list) => {
                Value::Rows(list.iter().map(|value| self.plain_value(value)).collect())
            }
            pack::FieldValue::Table(rows) => Value::Table(Map::table(
                rows.iter()
                    .map(|(key, value)| (self.name(key), self.plain_value(value)))
                    .collect(),
            )),
            pack::FieldValue::Int(n) => Value::Int(*n),
            pack::FieldValue::Bool(yes) => Value::Bool(*yes),
            pack::FieldValue::Ref(ix) => Value::Entry(EntryId::at(ix.0 as usize)),
            other => Value::Text(other.as_text().unwrap_or_default().into()),
        }
    }

    /// Converts a value and assigns ids to its scripts; `path` names them.
    pub fn value(&mut self, id: EntryId, path: &str, value: &pack::FieldValue) -> Value {
        if !has_script(value) {
            return self.plain_value(value);
        }
        match value {
            pack::FieldValue::List(list) => {
                let number = |(ix, value)| self.value(id, &format!("{path}.{}", ix + 1), value);
                Value::Rows(list.iter().enumerate().map(number).collect())
            }
            pack::FieldValue::Table(rows) => {
                let row = |(key, value): &(String, pack::FieldValue)| {
                    (
                        self.name(key),
                        self.value(id, &format!("{path}.{key}"), value),
                    )
                };
                Value::Table(Map::table(rows.iter().map(row).collect()))
            }
            pack::FieldValue::Script(script) => {
                let role = if script.is_value {
                    super::defs::HookRole::Value
                } else {
                    super::flags::role_in_table(path)
                };
                Value::Script(self.hook(id, path, role, script))
            }
            other => self.plain_value(other),
        }
    }

    fn definitions(&mut self) {
        let layered = self.layered;
        for (ix, source) in layered.entries.iter().enumerate() {
            let id = EntryId::at(ix);
            match source.kind.as_str() {
                "counter" => self.counter(id, source),
                "flag" => self.flag(id, source),
                "zone" => self.zone(id, source),
                "phase" => self.phase(id, source),
                "sequence" => drop(self.list(source, "phases")),
                "fight" => self.fight(id, source),
                "chain" => self.chain(id, source),
                "die" => self.die(id, source),
                "panel" => self.panel(id, source),
                "evaluation" => {
                    let hook = self.script(id, source, "value", super::defs::HookRole::Value);
                    self.content.evaluations.extend(hook.map(|hook| (id, hook)));
                }
                "statistic" => {
                    let hook = self.script(id, source, "value", super::defs::HookRole::Value);
                    self.content.statistics.extend(hook.map(|hook| (id, hook)));
                }
                "invariant" => {
                    let hook = self.script(id, source, "holds", super::defs::HookRole::Value);
                    self.content.invariants.extend(hook.map(|hook| (id, hook)));
                }
                "start" => self.start_def(id, source),
                "route" => self.route(id, source),
                "grid" => self.grid(source),
                _ => {}
            }
            if self.content.entries[ix].place.is_some() {
                self.routes(ix, source);
            }
        }
        self.route_defaults();
        self.mode();
    }

    fn owners(source: &pack::Entry, field: &str) -> Vec<Owner> {
        let named = |value: &pack::FieldValue| match value.as_text() {
            Some("table") => Owner::Table,
            Some("place") => Owner::Place,
            Some("piece") => Owner::Piece,
            _ => Owner::Seat,
        };
        source.list(field).iter().map(named).collect()
    }

    /// The definitions that an entry makes.
    pub fn symbol_of(&self, entry: &pack::Entry) -> Symbols {
        let pack = self.pack_index(entry.pack);
        self.content.symbol_in(pack, &entry.id)
    }

    /// The index of the pack that set a field last, whose names the field uses.
    pub fn writer(&self, source: &pack::Entry, field: &str) -> u16 {
        self.pack_index(source.field(field).map_or(source.pack, |field| field.by))
    }

    pub fn bound(&mut self, source: &pack::Entry, field: &str) -> Option<Bound> {
        match source.get(field)? {
            pack::FieldValue::Int(n) => Some(Bound::Fixed(clamp(*n))),
            pack::FieldValue::Ref(ix) => {
                let target = &self.layered.entries[ix.0 as usize];
                self.symbol_of(target).counter.map(Bound::Counter)
            }
            _ => None,
        }
    }

    fn counter(&mut self, entry: EntryId, source: &pack::Entry) {
        let owners = Self::owners(source, "of");
        let kinds = self.counted_kinds(source, &owners);
        let def = CounterDef {
            entry,
            min: self.bound(source, "min").unwrap_or(Bound::Fixed(0)),
            max: self.bound(source, "max"),
            start: self.bound(source, "start").unwrap_or(Bound::Fixed(0)),
            scope: scope(source.text("scope").unwrap_or("game")),
            quiet: source.flag("quiet"),
            quiet_of: Self::owners(source, "quiet_of"),
            kinds,
            owners,
            secret: source.text("seen_by") == Some("owner"),
            flag: None,
            of_campaign: false,
        };
        self.add_counter(def);
    }

    /// Adds a counter and gives it a slot for each kind of owner.
    pub(super) fn add_counter(&mut self, def: CounterDef) {
        let mut slots = PerOwner::default();
        let id = CounterId::at(self.content.counters.len());
        for &owner in &def.owners {
            slots[owner] = u16::try_from(self.content.counters_of[owner].len()).ok();
            self.content.counters_of[owner].push(id);
        }
        self.content.counter_slot.push(slots);
        self.content.counters.push(def);
    }

    fn zone(&mut self, entry: EntryId, source: &pack::Entry) {
        let owners = Self::owners(source, "of");
        let mut slots = PerOwner::default();
        let id = ZoneId::at(self.content.zones.len());
        for &owner in &owners {
            slots[owner] = u16::try_from(self.content.zones_of[owner].len()).ok();
            self.content.zones_of[owner].push(id);
        }
        self.content.zone_slot.push(slots);
        let def = ZoneDef {
            entry,
            owners,
            seen_by: match source.text("seen_by") {
                Some("owner") => SeenBy::Owner,
                Some("none") => SeenBy::Nobody,
                _ => SeenBy::All,
            },
            limit: self.bound(source, "limit"),
            draws_from: self.zone_ref(source, "draws_from"),
            discards_to: self.zone_ref(source, "discards_to"),
            refills_from: self.zone_ref(source, "refills_from"),
            refills_at_once: source.text("refills") == Some("at_once"),
            listens: source.flag("listens"),
            quiet: source.flag("quiet"),
        };
        self.content.zones.push(def);
    }

    fn zone_ref(&self, source: &pack::Entry, field: &str) -> Option<ZoneId> {
        let pack::FieldValue::Ref(ix) = source.get(field)? else {
            return None;
        };
        self.symbol_of(&self.layered.entries[ix.0 as usize]).zone
    }

    fn phase(&mut self, entry: EntryId, source: &pack::Entry) {
        let def = PhaseDef {
            entry,
            who: match source.text("who") {
                Some("each") => MenuSeats::Each,
                Some("all") => MenuSeats::All,
                Some("none") => MenuSeats::Nobody,
                _ => MenuSeats::Active,
            },
            menu: source.flag("menu"),
            fighter_must_be_seat: match source.text("fighter") {
                Some("seat") => Some(true),
                Some("piece") => Some(false),
                _ => None,
            },
            combo: self.combo_zones(source),
            must: source.flag("must"),
            limit: self.bound(source, "limit"),
            when: self.script(entry, source, "when", super::defs::HookRole::Value),
            run: self.script(entry, source, "do", super::defs::HookRole::Do),
            end: self.script(entry, source, "end", super::defs::HookRole::Do),
            actions: Vec::new(),
        };
        self.content.phases.push(def);
    }

    fn combo_zones(&self, source: &pack::Entry) -> Option<(ZoneId, ZoneId)> {
        let Some(pack::FieldValue::Table(rows)) = source.get("combo") else {
            return None;
        };
        let zone = |name: &str| {
            let (_, value) = rows.iter().find(|(key, _)| key == name)?;
            self.symbol_of(self.named(value)?).zone
        };
        zone("from").zip(zone("to"))
    }

    /// The entry that a reference refers to.
    pub(super) fn named(&self, value: &pack::FieldValue) -> Option<&pack::Entry> {
        match value {
            pack::FieldValue::Ref(ix) => self.layered.entry(*ix),
            _ => None,
        }
    }

    /// Reads a pass: the name of a field, or a table that says what to do with the sum.
    fn pass(&mut self, span: Span, by: u16, value: &pack::FieldValue) -> Option<ComboPass> {
        let pack::FieldValue::Table(rows) = value else {
            return value
                .as_text()
                .map(|field| ComboPass::announcing(field.into()));
        };
        let find = |name: &str| {
            rows.iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value)
        };
        let counter = |name: &str| {
            find(name)?
                .as_text()
                .and_then(|id| self.content.symbol_in(by, id).counter)
        };
        let pass = ComboPass {
            field: find("field")
                .and_then(|field| field.as_text())
                .unwrap_or_default()
                .into(),
            hits: matches!(find("hits"), Some(pack::FieldValue::Bool(true))),
            gains: counter("gains"),
            draws: counter("draws"),
        };
        let unknown_field = rows
            .iter()
            .find(|(key, _)| !["field", "hits", "gains", "draws"].contains(&key.as_str()));
        let missing_counter = ["gains", "draws"]
            .iter()
            .find(|name| find(name).is_some() && counter(name).is_none());
        let fault = match (unknown_field, missing_counter) {
            _ if pass.field.is_empty() => "pass without a `field`".to_owned(),
            (Some((key, _)), _) => unknown_name("field", key),
            (_, Some(name)) => format!("`{name}` of a pass is not a counter"),
            _ => return Some(pass),
        };
        Diagnostic::error(span, "bad-pass", fault)
            .label("in these passes")
            .help("write the name of a field, or `{ field = …, hits = true }`, or a table with `gains` or `draws` and a counter")
            .push(self.report);
        None
    }

    /// Assigns an id to the list of phases in a field.
    pub fn list(&mut self, source: &pack::Entry, field: &str) -> ListId {
        let named = |value: &pack::FieldValue| match value {
            pack::FieldValue::Ref(ix) => self.symbol_of(&self.layered.entries[ix.0 as usize]).phase,
            _ => None,
        };
        let phases = source.list(field).iter().filter_map(named).collect();
        self.content.lists.push(phases);
        let id = ListId::at(self.content.lists.len() - 1);
        if source.kind == "sequence" {
            let pack = self.pack_index(source.pack);
            for name in spellings(&source.id) {
                Arc::make_mut(&mut self.content.symbols)
                    .define(pack, &name)
                    .list = Some(id);
            }
        }
        id
    }

    fn fight(&mut self, entry: EntryId, source: &pack::Entry) {
        let span = source
            .field("passes")
            .map_or(source.span, |field| field.span);
        let by = self.writer(source, "passes");
        let passes = source
            .list("passes")
            .iter()
            .filter_map(|value| self.pass(span, by, value))
            .collect();
        let def = FightDef {
            entry,
            start: self.list(source, "start"),
            turn: self.list(source, "turn"),
            end: self.list(source, "end"),
            passes,
        };
        self.content.fights.push(def);
    }

    fn die(&mut self, entry: EntryId, source: &pack::Entry) {
        let faces = self
            .content
            .entry(entry)
            .field("faces")
            .map(|value| value.list().to_vec())
            .unwrap_or_default();
        self.die_faces(source, &faces);
        self.content.dice.push(DieDef { entry, faces });
    }

    fn panel(&mut self, entry: EntryId, source: &pack::Entry) {
        let word = source.text("command").unwrap_or(&source.id).into();
        if let Some(show) = self.script(entry, source, "show", super::defs::HookRole::Value) {
            let always = source.flag("pinned");
            self.content.panels.push(PanelDef {
                entry,
                word,
                always,
                show,
            });
        }
    }
}

/// Clamps a number to the range of counters.
pub(super) fn clamp(n: i64) -> i32 {
    i32::try_from(n).unwrap_or(if n < 0 { i32::MIN / 2 } else { i32::MAX / 2 })
}

#[must_use]
pub(super) fn scope(name: &str) -> Scope {
    match name {
        "round" => Scope::Round,
        "turn" => Scope::Turn,
        "phase" => Scope::Phase,
        "fight" => Scope::Fight,
        "fight_turn" => Scope::FightTurn,
        "window" => Scope::Window,
        _ => Scope::Game,
    }
}

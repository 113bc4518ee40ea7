//! Assigns ids to scripts, and collects the listeners of events.

use std::sync::Arc;

use super::Symbols;
use super::build::{ContentBuilder, scope};
use super::costs::{CostAlternative, CostError, CostPart, CostReader};
use super::defs::{ActionDef, HookArgument, HookDef, HookRole, HookTable, Owner};
use super::listeners::ListenerIndex;
use crate::diagnostic::{Diagnostic, Misspelling, Span, find_misspelling};
use crate::pack;
use crate::value::{CounterId, EntryId, HookId, PhaseId, Text, Value, ZoneId};

impl ContentBuilder<'_> {
    /// Assigns ids to a script and to the script it replaced.
    pub fn hook(
        &mut self,
        entry: EntryId,
        name: &str,
        role: HookRole,
        script: &pack::ScriptSource,
    ) -> HookId {
        let base = script
            .base
            .as_deref()
            .map(|base| self.hook(entry, name, role, base));
        let mut script = script.clone();
        script.base = None;
        script.by = self.pack_index(script.by);
        let def = HookDef {
            entry,
            name: name.into(),
            role,
            script,
            base,
            argument: self.hook_argument(entry, name),
        };
        if let Some(numbers) = &mut self.reuse {
            // The scripts differ from before: leave an id unused, so that the entry counts as
            // changed.
            let Some(id) = numbers
                .pop_front()
                .filter(|id| self.content.hooks[id.ix()].name == def.name)
            else {
                numbers.push_front(HookId(0));
                return HookId(0);
            };
            self.content.hooks[id.ix()] = Arc::new(def);
            return id;
        }
        self.content.hooks.push(Arc::new(def));
        HookId::at(self.content.hooks.len() - 1)
    }

    /// The argument that the script of a field receives.
    fn hook_argument(&self, entry: EntryId, name: &str) -> HookArgument {
        let source = &self.layered.entries[entry.ix()];
        let in_menu = || source.get("window").is_some() && source.get("each").is_none();
        match (source.kind.as_str(), name) {
            ("start", "prepare" | "do") => HookArgument::Entry,
            ("panel", "show") => HookArgument::Typed,
            ("phase", "when" | "do" | "end") => HookArgument::Value,
            (_, name) if name.starts_with("then.") => HookArgument::Value,
            // An action without an `each` list, in a menu of a sequence.
            (_, "do" | "can") if in_menu() => HookArgument::Value,
            _ => HookArgument::Each,
        }
    }

    /// Assigns an id to the script in a field.
    pub fn script(
        &mut self,
        id: EntryId,
        source: &pack::Entry,
        field: &str,
        role: HookRole,
    ) -> Option<HookId> {
        match source.get(field)? {
            pack::FieldValue::Script(script) => Some(self.hook(id, field, role, script)),
            _ => None,
        }
    }

    /// The hooks of an entry: its tables `on`, `offer` and `answer`.
    pub fn hooks(&mut self, id: EntryId, source: &pack::Entry) -> HookTable {
        let mut hooks = HookTable::default();
        for field in &source.fields {
            if let ("then", pack::FieldValue::Table(scripts)) = (field.name.as_str(), &field.value)
            {
                self.follow_ups(id, scripts);
            }
            if let ("on" | "offer" | "answer", pack::FieldValue::Table(scripts)) =
                (field.name.as_str(), &field.value)
            {
                self.hook_table(
                    id,
                    field.span,
                    &field.name,
                    &field.name,
                    scripts,
                    &mut hooks,
                );
            }
        }
        hooks
    }

    /// Assigns ids to the scripts that run after a sequence or a fight.
    fn follow_ups(&mut self, id: EntryId, scripts: &[(String, pack::FieldValue)]) {
        for (name, value) in scripts {
            if let pack::FieldValue::Script(script) = value {
                self.hook(id, &format!("then.{name}"), HookRole::Do, script);
            }
        }
    }

    /// Assigns ids to the hooks of one table; `path` names them.
    pub fn hook_table(
        &mut self,
        id: EntryId,
        span: Span,
        path: &str,
        table: &str,
        scripts: &[(String, pack::FieldValue)],
        hooks: &mut HookTable,
    ) {
        for (key, value) in scripts {
            let pack::FieldValue::Script(script) = value else {
                continue;
            };
            let name = format!("{path}.{key}");
            match table {
                "answer" => match self
                    .content
                    .symbol_in(self.pack_index(script.by), pack::hook_key(key))
                    .query
                {
                    Some(query) => hooks
                        .answers
                        .push((query, self.hook(id, &name, HookRole::Answer(query), script))),
                    None => self.unknown(span, script, "query", key),
                },
                _ => self.event_hook(id, span, &name, (table, pack::hook_key(key)), script, hooks),
            }
        }
    }

    fn event_hook(
        &mut self,
        id: EntryId,
        span: Span,
        name: &str,
        (table, key): (&str, &str),
        script: &pack::ScriptSource,
        hooks: &mut HookTable,
    ) {
        let by = self.pack_index(script.by);
        let about_itself = self
            .content
            .symbol_in(by, key)
            .event
            .is_none()
            .then(|| key.strip_prefix("self_"))
            .flatten();
        let Some(event) = self
            .content
            .symbol_in(by, about_itself.unwrap_or(key))
            .event
        else {
            return self.unknown(span, script, "event", key);
        };
        if table == "offer" && (about_itself.is_some() || !self.is_piece(id)) {
            return self.cannot_offer(span, script);
        }
        let role = if table == "offer" {
            HookRole::Offer(event)
        } else {
            HookRole::On(event)
        };
        let hook = self.hook(id, name, role, script);
        let list = match (table, about_itself) {
            ("offer", _) => &mut hooks.offers,
            (_, Some(_)) => &mut hooks.on_self,
            _ => &mut hooks.on,
        };
        list.push((event, hook));
    }

    fn is_piece(&self, id: EntryId) -> bool {
        let kind = &self.layered.entries[id.ix()].kind;
        self.layered
            .kinds
            .iter()
            .any(|other| other.id == *kind && other.is == pack::EntryNature::Piece)
    }

    fn cannot_offer(&mut self, span: Span, script: &pack::ScriptSource) {
        Diagnostic::error(span, "cannot-offer", "hook would never be offered")
            .label("only pieces can have `offer` hooks, and not for `self_` events")
            .related(script.span, "the script")
            .help("put it on an entry whose pieces are in a zone with `listens = true`, or use `on` with `confirm(…)`")
            .push(self.report);
    }

    fn unknown(&mut self, span: Span, script: &pack::ScriptSource, what: &str, key: &str) {
        let bare = key.strip_prefix("self_").unwrap_or(key);
        let is_wanted = |own: &Symbols| match what {
            "event" => own.event.is_some(),
            _ => own.query.is_some(),
        };
        let pack = Some(self.pack_index(script.by));
        if let Some(names) = self.content.ambiguous_symbol(pack, bare, is_wanted) {
            let role = if what == "event" { "on" } else { "answer" };
            let names = names.iter().map(|name| format!("`{role}.\"{name}\"`"));
            let names: Vec<String> = names.collect();
            return self.ambiguous(name_span(script, key), bare, &names);
        }
        let defs = if what == "event" {
            &self.content.events
        } else {
            &self.content.queries
        };
        // `on.draw` may be meant as `on.after_draw`.
        let after = format!("after_{bare}");
        let is_query = self.content.symbol(bare).query.is_some();
        let meant = defs.iter().find(|def| *def.name == *after && !is_query);
        let near = match meant {
            Some(def) => Some(Misspelling::from(&*def.name)),
            None => find_misspelling(bare, defs.iter().map(|def| &*def.name)),
        };
        let code = if what == "event" {
            "unknown-event"
        } else {
            "unknown-query"
        };
        // `on` and `answer` are easy to confuse.
        let symbol = self.content.symbol(bare);
        let help = match what {
            "event" if symbol.query.is_some() => {
                format!("`{bare}` is a query: answer it with `answer.{bare}`")
            }
            "query" if symbol.event.is_some() => {
                format!("`{bare}` is an event: react to it with `on.{bare}`")
            }
            _ => format!(
                "`kaer list --{}` lists them all; packs declare their own with [[{what}]]",
                if what == "event" { "events" } else { "queries" }
            ),
        };
        Diagnostic::unknown(span, code, what, bare)
            .label("this hook would never run")
            .related(name_span(script, key), "named here")
            .did_you_mean_at(near, span_before(script, key))
            .help(help)
            .push(self.report);
    }

    /// Reports a name that several packs define, with what to write instead.
    fn ambiguous(&mut self, span: Span, name: &str, instead: &[String]) {
        Diagnostic::error(span, "ambiguous-entry", format!("ambiguous name `{name}`"))
            .label("several packs define it")
            .help(format!("write {}", instead.join(" or ")))
            .push(self.report);
    }

    /// The options that an entry adds to menus.
    pub fn action(&mut self, id: EntryId, source: &pack::Entry) -> Option<ActionDef> {
        let windows: Vec<PhaseId> = source
            .list("window")
            .iter()
            .filter_map(|value| self.phase_ref(value))
            .collect();
        let does = ["can", "do", "cost"]
            .iter()
            .any(|field| source.get(field).is_some());
        if source.kind == "phase" || windows.is_empty() && !does {
            return None;
        }
        let once: Vec<&str> = source
            .list("once")
            .iter()
            .filter_map(|value| value.as_text())
            .collect();
        let each = self.script(id, source, "each", HookRole::Each);
        let can = self.script(id, source, "can", HookRole::Can);
        let run = self.script(id, source, "do", HookRole::Do);
        let cost = self.cost(id, source);
        let parts = cost.iter().flat_map(|alternative| &alternative.parts);
        let option_hooks = can.into_iter().chain(parts.flat_map(CostPart::hooks));
        Some(ActionDef {
            windows,
            each,
            can,
            run,
            option_hooks: option_hooks.collect(),
            cost,
            once: once
                .iter()
                .filter(|name| **name != "place")
                .map(|name| scope(name))
                .collect(),
            limit: self.bound(source, "limit"),
            once_place: once.contains(&"place"),
            order: source.int("order").unwrap_or(0),
            face: None,
        })
    }

    fn phase_ref(&self, value: &pack::FieldValue) -> Option<PhaseId> {
        let pack::FieldValue::Ref(ix) = value else {
            return None;
        };
        self.symbol_of(&self.layered.entries[ix.0 as usize]).phase
    }

    fn cost(&mut self, id: EntryId, source: &pack::Entry) -> Vec<CostAlternative> {
        let Some(field) = source.fields.iter().find(|field| field.name == "cost") else {
            return Vec::new();
        };
        let alternatives: &[pack::FieldValue] = match &field.value {
            pack::FieldValue::List(list) => list,
            single => std::slice::from_ref(single),
        };
        let mut list = Vec::new();
        for alternative in alternatives {
            if let pack::FieldValue::Table(rows) = alternative {
                list.push(self.cost_alternative(id, field, rows));
            }
        }
        list
    }

    fn cost_alternative(
        &mut self,
        id: EntryId,
        field: &pack::EntryField,
        rows: &[(String, pack::FieldValue)],
    ) -> CostAlternative {
        // The scripts of a cost are numbered with `where` first.
        let mut order: Vec<&(String, pack::FieldValue)> = rows.iter().collect();
        order.sort_by_key(|(key, _)| key != "where");
        let rows: Vec<(Text, Value)> = order
            .into_iter()
            .map(|(key, value)| (key.into(), self.value(id, &format!("cost.{key}"), value)))
            .collect();
        let by = self.pack_index(field.by);
        let reader = CostReader {
            symbols: &|name| self.content.symbol_in(by, name),
            hand: self.drawing_zone(),
        };
        reader.alternative(&rows).unwrap_or_else(|fault| {
            let (CostError::Unknown(key) | CostError::NotAnAmount(key)) = fault;
            self.unknown_cost(field.span, by, &key);
            CostAlternative::default()
        })
    }

    /// The zone that draws from another one, such as a hand. The cost `discard` takes pieces from
    /// it.
    fn drawing_zone(&self) -> Option<ZoneId> {
        let draws =
            |entry: &&Arc<pack::Entry>| entry.kind == "zone" && entry.get("draws_from").is_some();
        self.layered
            .entries
            .iter()
            .find(draws)
            .and_then(|entry| self.symbol_of(entry).zone)
    }

    fn unknown_cost(&mut self, span: Span, pack: u16, key: &str) {
        if let Some(names) = self
            .content
            .ambiguous_symbol(Some(pack), key, Symbols::is_payable)
        {
            let names = names.iter().map(|name| format!("`\"{name}\" = …`"));
            let names: Vec<String> = names.collect();
            return self.ambiguous(span, key, &names);
        }
        let names = self.content.symbol_names(Symbols::is_payable);
        Diagnostic::unknown(span, "unknown-cost", "counter, zone or chain", key)
            .label("in this cost")
            .did_you_mean(find_misspelling(key, names.iter().copied()))
            .help("a cost names counters, zones or chains: `{ pips = 2 }`, `{ hand = 1 }`; `discard` takes from the hand")
            .push(self.report);
    }

    /// Builds the index of listeners, in hook order.
    pub fn listeners(&mut self) {
        let content = &mut self.content;
        let mut index = ListenerIndex::new(content.events.len(), content.queries.len());
        for (ix, entry) in content.entries.iter().enumerate() {
            let id = EntryId::at(ix);
            let kind = &*content.kinds[entry.kind.ix()].id;
            let always = matches!(kind, "rule" | "mode" | "statistic")
                && (kind != "mode" || self.layered.mode.0 as usize == ix);
            let faces = entry.faces.iter().map(|face| &face.hooks);
            for hooks in faces.chain([&entry.hooks]) {
                for &(event, hook) in &hooks.on {
                    let listeners = index.event_mut(event);
                    if always {
                        listeners.rules.push((id, hook));
                    } else {
                        listeners.entries = true;
                    }
                }
                for &(event, hook) in &hooks.on_self {
                    let listeners = index.event_mut(event);
                    if always {
                        listeners.rules.push((id, hook));
                    } else {
                        listeners.own = true;
                    }
                }
                for &(event, _) in &hooks.offers {
                    index.event_mut(event).offers = true;
                }
                for &(query, hook) in &hooks.answers {
                    let listeners = index.query_mut(query);
                    if always {
                        listeners.rules.push((id, hook));
                    } else {
                        listeners.entries = true;
                    }
                }
            }
        }
        content.listeners = index;
        for owner in Owner::ALL {
            let listens = |zone: &&ZoneId| content.zones[zone.ix()].listens;
            content.listening_zones[owner] = content.zones_of[owner]
                .iter()
                .filter(listens)
                .copied()
                .collect();
        }
        content.scoped = Default::default();
        for (ix, def) in content.counters.iter().enumerate() {
            content.scoped[def.scope as usize].push(CounterId::at(ix));
        }
    }

    /// Collects the rules that run after each step.
    pub fn state_rules(&mut self) {
        let layered = self.layered;
        for (ix, source) in layered
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.kind == "rule")
        {
            let id = EntryId::at(ix);
            if let Some(hook) = self.script(id, source, "state", HookRole::Do) {
                self.content.state_rules.push((id, hook));
            }
        }
    }

    /// Adds the actions to the menus of their phases.
    pub fn window_actions(&mut self) {
        let mut lines: Vec<(PhaseId, i64, EntryId)> = Vec::new();
        for (ix, entry) in self.content.entries.iter().enumerate() {
            if let Some(action) = &entry.action {
                lines.extend(
                    action
                        .windows
                        .iter()
                        .map(|phase| (*phase, action.order, EntryId::at(ix))),
                );
            }
        }
        lines.sort_by_key(|(phase, order, entry)| (*phase, *order, *entry));
        for (phase, _, entry) in lines {
            self.content.phases[phase.ix()].actions.push(entry);
        }
    }
}

/// The line with the name of a hook, right before its script.
fn name_span(script: &pack::ScriptSource, key: &str) -> Span {
    let start = script
        .span
        .start
        .saturating_sub(u32::try_from(key.len() + 4).unwrap_or(0));
    Span {
        start,
        end: start + 1,
        ..script.span
    }
}

/// The text before a script, which contains the name of the hook.
fn span_before(script: &pack::ScriptSource, key: &str) -> Span {
    let length = u32::try_from(key.len() + 12).unwrap_or(u32::MAX);
    Span {
        start: script.span.start.saturating_sub(length),
        end: script.span.start,
        ..script.span
    }
}

//! Checks properties: counters, zones, fields, event values, and assignments to them.

use super::flow;
use super::infer::TypeInference;
use super::natives;
use super::types::Types;
use crate::content::{self, FlagType, HookRole, Owner};
use crate::diagnostic::{Confidence, Diagnostic, Edit, Misspelling, find_misspelling, nearest};
use crate::migrate;
use crate::script::primitives::{entry, event, fight, object, packet};
use crate::script::syntax::{Assign, Chain, Node, NodeKind, StepKind};

impl TypeInference<'_> {
    /// Infers the type of a chain of fields, indexes and methods after a value of the type `of`.
    pub fn chain(&mut self, chain: &Chain, mut of: Types) -> Types {
        let mut base = Some(&chain.root);
        for step in &chain.steps {
            of = match &step.kind {
                StepKind::Index(index) => {
                    self.expr(index);
                    if of == Types::TEXT {
                        Types::TEXT
                    } else {
                        Types::ANY
                    }
                }
                StepKind::Property(name) => self.property(of, base, name, step.at),
                StepKind::Method(call) => {
                    if let Some(base) = base {
                        self.want_method(base, &call.name, call.arguments.len() + 1);
                    }
                    self.call(&call.name, Some(of), &call.arguments, step.at)
                }
            };
            if step.optional {
                of = of | Types::NOTHING;
            }
            base = None;
        }
        of
    }

    fn want_method(&mut self, base: &Node, name: &str, count: usize) {
        let accepted = natives::with_count(name, count)
            .fold(Types::NONE, |all, signature| all | signature.takes[0]);
        if !accepted.is_none() {
            self.want(base, accepted);
        }
    }

    /// Infers the type of `of.name`.
    fn property(&mut self, of: Types, base: Option<&Node>, name: &str, at: u32) -> Types {
        if let Some(NodeKind::Variable(variable)) = base.map(|base| &base.kind)
            && variable.name == "event"
            && of == Types::EVENT
        {
            self.provided(name, at);
        }
        let known = self.types_with_property(name);
        if let Some(base) = base {
            self.want(base, known | Types::MAP | Types::DATA);
        }
        let of = of.without(Types::NOTHING);
        if of.is_none() || of.meets(Types::MAP | Types::DATA | Types::OTHER) {
            // Only seats, pieces, places or the table have a property with that name.
            let only = known.is_within(Types::OBJECT) && !self.facts.keys.contains(name);
            return if only && of.meets(known) {
                self.property_types(known, name)
            } else {
                Types::ANY
            };
        }
        if !of.meets(known) {
            self.unknown_property(of, name, at);
            return Types::ANY;
        }
        self.property_types(of, name)
    }

    fn unknown_property(&mut self, of: Types, name: &str, at: u32) {
        // Reported as `missing-parentheses`.
        if migrate::method(name).is_some() {
            return;
        }
        let is_method = natives::with_count(name, 1).any(|own| own.fits(&[of]));
        let meant = if is_method {
            Some(name)
        } else {
            let counts = matches!(name, "length" | "size" | "count");
            (counts && of.meets(Types::LIST | Types::ZONE | Types::TEXT)).then_some("len")
        };
        if let Some(method) = meant {
            let (name, method) = (name.to_owned(), method.to_owned());
            return self.found(at, name.len(), move |span| {
                let end = span.part(name.len(), 0);
                let fix = (name == method).then(|| Edit::insert(end, "()"));
                Diagnostic::error(
                    span,
                    "missing-parentheses",
                    format!("`{method}` is a method"),
                )
                .label("missing `()`")
                .help(format!(
                    "write `{method}()`: methods need parentheses, properties do not"
                ))
                .fix(fix)
            });
        }
        let (phrase, name, content) = (of.phrase(), name.to_owned(), self.content);
        let counters = content
            .counters
            .iter()
            .map(|def| &*content.entry(def.entry).id);
        let zones = content
            .zones
            .iter()
            .map(|def| &*content.entry(def.entry).id);
        let fields = self.facts.fields.keys().map(String::as_str);
        let known: Vec<&str> = counters
            .chain(zones)
            .chain(fields)
            .chain(object::BUILT_IN.iter().copied())
            .collect();
        // An id with hyphens is a property with underscores.
        let known: Vec<String> = known.iter().map(|name| name.replace('-', "_")).collect();
        let is_part = |own: &&String| own.starts_with(&format!("{name}_"));
        let hyphen = known.iter().find(is_part).cloned();
        let near = known
            .iter()
            .map(String::as_str)
            .filter(|near| *near != name && self.types_with_property(near).meets(of));
        let near = find_misspelling(&name, near.collect::<Vec<_>>()).map(Misspelling::into_owned);
        let len = name.len();
        let help = self.owner_help(&name).unwrap_or_else(|| {
            if let (None, Some(whole)) = (&near, &hyphen) {
                return format!("write `_` for each `-` of an id: `.{whole}`");
            }
            if of.meets(Types::OBJECT) {
                "counters, zones and flags belong to what their `of` says: seats, pieces, places or \
                 the table; declare a new one with [[counter]], [[zone]] or [[flag]]"
            } else {
                "check the value before the dot: there may be one dot too many"
            }
            .to_owned()
        });
        self.found(at, len, move |span| {
            Diagnostic::error(
                span,
                "unknown-property",
                format!("{phrase} has no `{name}`"),
            )
            .label("read here")
            .did_you_mean(near.clone())
            .help(help.clone())
        });
    }

    /// Where a counter or zone of another owner is read.
    fn owner_help(&self, name: &str) -> Option<String> {
        let symbols = self.content.symbol_in(self.pack, name);
        let content = self.content;
        let counter = symbols.counter.map(|id| &content.counters[id.ix()]);
        let is_flag = counter.is_some_and(|def| def.flag.is_some());
        let counter = counter.map(|def| &def.owners);
        let zone = symbols.zone.map(|id| &content.zones[id.ix()].owners);
        let (what, owners) = counter
            .map(|owners| (if is_flag { "flag" } else { "counter" }, owners))
            .or_else(|| zone.map(|owners| ("zone", owners)))?;
        let help = match owners.first()? {
            Owner::Table => format!("the {what} belongs to the table: write `table.{name}`"),
            Owner::Seat => {
                format!("the {what} belongs to seats: write `actor.{name}` or `owner.{name}`")
            }
            Owner::Place => {
                format!("the {what} belongs to places: write `actor.place.{name}`, for example")
            }
            Owner::Piece => format!("the {what} belongs to pieces: write `it.{name}`, for example"),
        };
        Some(help)
    }

    /// Reports the assignment to a field that a kind declares.
    fn assign_field(&mut self, chain: &Chain, of: Types) {
        let [step] = &chain.steps[..] else { return };
        let StepKind::Property(name) = &step.kind else {
            return;
        };
        let symbols = self.content.symbol_in(self.pack, name);
        let is_object = of == Types::ANY || of.meets(Types::OBJECT) && !of.meets(Types::MAP);
        let is_field = self.facts.fields.contains_key(&**name)
            && !self.facts.keys.contains(&**name)
            && !symbols.is_property()
            && !object::BUILT_IN.contains(&&**name);
        if !is_object || !is_field {
            return;
        }
        let (name, len) = (name.to_string(), name.len());
        self.found(step.at, len, move |span| {
            Diagnostic::error(span, "wrong-operand", format!("field `{name}` cannot be changed"))
                .label("declared in a file")
                .help("entries keep the values of their files; use a [[counter]] of pieces, another face, or an effect")
        });
    }

    fn types_with_property(&self, name: &str) -> Types {
        let mut types = Types::NONE;
        let symbols = self.content.symbol_in(self.pack, name);
        let symbols = if symbols.counter.is_none() && symbols.zone.is_none() && name.contains('_') {
            self.content.symbol_in(self.pack, &name.replace('_', "-"))
        } else {
            symbols
        };
        if let Some(counter) = symbols.counter {
            types = types | owners(&self.content.counters[counter.ix()].owners);
        }
        if let Some(zone) = symbols.zone {
            types = types | owners(&self.content.zones[zone.ix()].owners);
        }
        if object::BUILT_IN.contains(&name) {
            types = types | Types::OBJECT;
        }
        if self.facts.fields.contains_key(name) {
            types = types | Types::PIECE | Types::PLACE | Types::ENTRY;
        }
        if entry::BUILT_IN.contains(&name) {
            types = types | Types::ENTRY;
        }
        if event::NAMES.contains(&name) || self.facts.given.iter().any(|given| given == name) {
            types = types | Types::EVENT;
        }
        if fight::NAMES.contains(&name) {
            types = types | Types::FIGHT;
        }
        if packet::NAMES.contains(&name) {
            types = types | Types::PACKET;
        }
        if !of_sequence(name).is_none() {
            types = types | Types::LIST | Types::TEXT;
        }
        types
    }

    fn property_types(&self, of: Types, name: &str) -> Types {
        let mut types = Types::NONE;
        let symbols = self.content.symbol_in(self.pack, name);
        if let Some(counter) = symbols.counter {
            let def = &self.content.counters[counter.ix()];
            if of.meets(owners(&def.owners)) {
                let flag = def.flag.as_ref();
                types = types | flag.map_or(Types::NUMBER, FlagType::types);
            }
        }
        if symbols
            .zone
            .is_some_and(|zone| of.meets(owners(&self.content.zones[zone.ix()].owners)))
        {
            types = types | Types::ZONE;
        }
        if of.meets(Types::PIECE | Types::PLACE | Types::ENTRY)
            && let Some(field) = self.facts.fields.get(name)
        {
            types = types | *field;
        }
        if of.meets(Types::OBJECT) {
            types = types | built_in(name);
        }
        if of.meets(Types::ENTRY) && matches!(name, "id" | "title" | "kind") {
            types = types | Types::TEXT;
        }
        if of.meets(Types::EVENT) {
            types = types
                | if let Some(declared) = self.provided_types(name) {
                    declared
                } else if self.facts.given.iter().any(|given| given == name) {
                    Types::ANY
                } else {
                    of_event(name)
                };
        }
        if of.meets(Types::LIST | Types::TEXT) {
            types = types | of_sequence(name);
        }
        if types.is_none() || of.meets(Types::FIGHT | Types::PACKET) {
            Types::ANY
        } else {
            types
        }
    }

    /// Reports a value that the hook's event does not provide, so that it is always `()`.
    fn provided(&mut self, name: &str, at: u32) {
        let Some(def) = self.hook else { return };
        let provides = match def.role {
            HookRole::On(event) | HookRole::Offer(event) => &self.content.events[event.ix()],
            HookRole::Answer(query) => &self.content.queries[query.ix()],
            _ => return,
        };
        let from_pack = match def.role {
            HookRole::Answer(query) => query.ix() >= content::events::ask::QUERIES.len(),
            HookRole::On(event) | HookRole::Offer(event) => {
                event.ix() >= content::events::on::EVENTS.len()
            }
            _ => false,
        };
        // A pack's event always has a seat, by default the acting one, and need not declare its
        // other values.
        let emitted = self.facts.emitted.get(&*provides.name);
        let is_open = || match (def.role, emitted) {
            (HookRole::Answer(_), _) | (_, None) => true,
            (_, Some(emits)) => emits.is_open || emits.keys.contains(name),
        };
        let left_open = from_pack && (name == "seat" || provides.provides.is_empty() && is_open());
        if left_open
            || provides.provides.iter().any(|provided| **provided == *name)
            || matches!(name, "name" | "cause")
        {
            return;
        }
        // A name that no event provides is reported as `unknown-property`.
        if !self.types_with_property(name).meets(Types::EVENT) {
            return;
        }
        let list = provides
            .provides
            .iter()
            .map(|own| format!("`{own}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let (event, name) = (provides.name.to_string(), name.to_owned());
        let near = nearest(&name, provides.provides.iter().map(|own| &**own)).map(str::to_owned);
        let len = name.len();
        self.found(at, len, move |span| {
            let list = if list.is_empty() {
                "nothing".to_owned()
            } else {
                list.clone()
            };
            Diagnostic::warning(
                span,
                "not-provided",
                format!("`{event}` provides no `{name}`"),
            )
            .label("always `()` here")
            .did_you_mean(near.as_deref())
            .help(format!("it provides {list}"))
            .confidence(Confidence::Likely)
        });
    }

    /// Checks `a = b` and `a += b`.
    pub fn assign(&mut self, assign: &Assign) {
        let value = self.expr(&assign.value);
        match &assign.target.kind {
            NodeKind::Variable(variable) => {
                let same = matches!(&assign.value.kind, NodeKind::Variable(other) if other.name == variable.name);
                if assign.op.is_none() && same {
                    let name = &variable.name;
                    flow::no_effect(
                        self,
                        assign.target.at,
                        &format!("`{name} = {name}` has no effect"),
                    );
                }
                let mut locals = self.locals.iter_mut().rev();
                if let Some(local) = locals.find(|local| *local.name == *variable.name) {
                    let kept = assign.op.is_some() && value.is_within(local.types);
                    local.types = if kept { local.types } else { Types::ANY };
                    local.parameter = None;
                }
            }
            NodeKind::Chain(chain) if !matches!(chain.steps[0].kind, StepKind::Index(_)) => {
                let is_flag = assign.op.is_none() && self.set_flag(chain, &assign.value, value);
                self.assign_property(chain, if is_flag { Types::ANY } else { value });
            }
            _ => drop(self.expr(&assign.target)),
        }
    }

    /// Reports `event.amount = 2` in a hook that runs after the event.
    fn late_change(&mut self, of: Types, at: u32) {
        let is_late = self.hook.is_some_and(|hook| {
            let event = hook.name.rsplit('.').next().unwrap_or_default();
            let event = event.strip_prefix("self_").unwrap_or(event);
            matches!(hook.role, HookRole::On(id) if id.ix() < content::events::on::EVENTS.len())
                && event.starts_with("after_")
        });
        if of != Types::EVENT || !is_late {
            return;
        }
        self.found(at, "event".len(), |span| {
            let message = "a change of `event` has no effect after the event";
            Diagnostic::warning(span, "no-effect", message)
                .label("it has already happened")
                .help("to change what happens, use the hook that begins with `on.before_`")
        });
    }

    fn assign_property(&mut self, chain: &Chain, value: Types) {
        let of = self.expr(&chain.root);
        let at = chain.root.start();
        if chain.steps.len() == 1 {
            self.late_change(of, at);
        }
        self.assign_field(chain, of);
        let into = self.chain(chain, of);
        self.does |= !of.is_within(Types::MAP);
        if !of.meets(Types::MAP) {
            self.changes = true;
            self.read_only("assignment", at);
        }
        if of.is_within(Types::ENTRY | Types::DATA | Types::NOTHING) && !of.is_none() {
            let phrase = of.phrase();
            return self.found(at, 1, move |span| {
                Diagnostic::error(span, "wrong-operand", format!("{phrase} cannot be changed"))
                    .label("read-only")
                    .help("entries keep the values of their files; use a [[counter]] or an effect")
            });
        }
        let simple = chain.steps.len() == 1 && matches!(chain.steps[0].kind, StepKind::Property(_));
        if let ([step], true) = (
            &chain.steps[..],
            of.is_within(Types::OBJECT | Types::NOTHING),
        ) && let StepKind::Property(name) = &step.kind
            && self.is_fixed(name)
        {
            let name = name.to_string();
            return self.found(step.at, name.len(), move |span| {
                Diagnostic::error(span, "wrong-operand", format!("`{name}` cannot be set"))
                    .label("read-only")
                    .help(object::instead_of_setting(&name))
            });
        }
        if simple
            && into == Types::NUMBER
            && of.is_within(Types::OBJECT | Types::NOTHING)
            && !value.meets(Types::NUMBER)
        {
            let phrase = value.phrase();
            self.found(at, 1, move |span| {
                Diagnostic::error(span, "wrong-operand", "a counter must be a number")
                    .label(format!("this is {phrase}"))
                    .help("write a number without quotes, or read one, as in `.coins` or `.len()`")
            });
        }
    }
}

impl TypeInference<'_> {
    /// Whether a property of seats, pieces and places cannot be set.
    fn is_fixed(&self, name: &str) -> bool {
        let symbols = self.content.symbol_in(self.pack, name);
        name != "target" && symbols.counter.is_none() && object::BUILT_IN.contains(&name)
    }
}

/// The types of the properties of lists and texts.
fn of_sequence(name: &str) -> Types {
    match name {
        "len" => Types::NUMBER,
        "is_empty" => Types::BOOL,
        _ => Types::NONE,
    }
}

fn owners(of: &[Owner]) -> Types {
    let type_of = |owner: &Owner| match owner {
        Owner::Table => Types::TABLE,
        Owner::Seat => Types::SEAT,
        Owner::Place => Types::PLACE,
        Owner::Piece => Types::PIECE,
    };
    of.iter()
        .fold(Types::NONE, |all, owner| all | type_of(owner))
}

/// The types of built-in properties of seats, pieces, places and the table.
pub fn built_in(name: &str) -> Types {
    match name {
        "title" | "id" | "kind" | "face" => Types::TEXT,
        "place" => Types::PLACE | Types::NOTHING,
        "seat" | "owner" | "left" | "right" | "controller" => Types::SEAT | Types::NOTHING,
        "number" | "turns" | "side" | "fight_turns" => Types::NUMBER | Types::NOTHING,
        "is_active" | "is_out" | "is_standing" | "is_seat" | "is_piece" | "is_place" => Types::BOOL,
        "zone" => Types::ZONE,
        "entry" | "role" => Types::ENTRY | Types::NOTHING,
        "target" => Types::SEAT | Types::PIECE | Types::NOTHING,
        _ => Types::NONE,
    }
}

/// The types of the values that engine events provide.
pub fn of_event(name: &str) -> Types {
    match name {
        "seat" => Types::SEAT | Types::NOTHING,
        "of" | "last" | "source" => Types::OBJECT | Types::NOTHING,
        "piece" => Types::PIECE | Types::NOTHING,
        "place" => Types::PLACE | Types::NOTHING,
        "from" => Types::PLACE | Types::ZONE | Types::NOTHING,
        "to" | "zone" => Types::ZONE | Types::NOTHING,
        "counter" | "pass" | "mark" | "purpose" | "name" => Types::TEXT | Types::NOTHING,
        "action" | "entry" | "effect" | "die" | "cause" => Types::ENTRY | Types::NOTHING,
        "phase" => Types::PHASE | Types::NOTHING,
        "amount" | "value" | "side" | "face" => Types::NUMBER,
        "roll" => Types::ROLL,
        "packet" => Types::PACKET,
        _ => Types::ANY,
    }
}

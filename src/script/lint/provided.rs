//! Checks the values that events and queries of packs provide: against the map that `emit`, `ask`
//! or `allowed` passes, and where hooks read them.

use super::infer::TypeInference;
use super::types::Types;
use crate::content::events::{self, ProvidedType};
use crate::content::{EventDef, HookRole};
use crate::diagnostic::{Confidence, Diagnostic, nearest};
use crate::script::primitives::event;
use crate::script::syntax::{Node, NodeKind};

/// The types of a declared type.
const fn types_of(ty: ProvidedType) -> Types {
    match ty {
        ProvidedType::Int => Types::NUMBER,
        ProvidedType::Bool => Types::BOOL,
        ProvidedType::String => Types::TEXT,
        ProvidedType::Seat => Types::SEAT,
        ProvidedType::Piece => Types::PIECE,
        ProvidedType::Place => Types::PLACE,
        ProvidedType::Zone => Types::ZONE,
        ProvidedType::Entry => Types::ENTRY,
        ProvidedType::List => Types::LIST.or(Types::DATA),
        ProvidedType::Map => Types::MAP.or(Types::DATA),
    }
}

/// The types of a field of an event, if they are declared.
fn declared(def: &EventDef, name: &str) -> Option<Types> {
    let mut fields = def.provides.iter().zip(&def.types);
    let (_, ty) = fields.find(|(own, _)| ***own == *name)?;
    ty.map(types_of)
}

impl TypeInference<'_> {
    /// The event or query of a pack that the hook is for.
    fn own_event(&self) -> Option<&EventDef> {
        match self.hook?.role {
            HookRole::On(id) | HookRole::Offer(id) if id.ix() >= events::on::EVENTS.len() => {
                self.content.events.get(id.ix())
            }
            HookRole::Answer(id) if id.ix() >= events::ask::QUERIES.len() => {
                self.content.queries.get(id.ix())
            }
            _ => None,
        }
    }

    /// The types of `event.name` in this hook, if the event declares them.
    pub fn provided_types(&self, name: &str) -> Option<Types> {
        Some(declared(self.own_event()?, name)? | Types::NOTHING)
    }

    /// Checks the map that a call passes to an event or a query of a pack, if it is a literal.
    pub fn provided_values(&mut self, call: &str, args: &[Node]) {
        let Some(name) = args.first().and_then(Node::text) else {
            return;
        };
        let rows = match args.last().map(|node| &node.kind) {
            Some(NodeKind::Map(rows)) => &rows[..],
            // `emit("toll")` passes no values.
            _ if call == "emit" && args.len() == 1 => &[],
            _ => return,
        };
        let symbols = self.content.symbol_in(self.pack, name);
        let def = match call {
            "emit" => {
                let event = symbols
                    .event
                    .filter(|id| id.ix() >= events::on::EVENTS.len());
                event.and_then(|id| self.content.events.get(id.ix()))
            }
            "ask" | "allowed" => {
                let query = symbols
                    .query
                    .filter(|id| id.ix() >= events::ask::QUERIES.len());
                query.and_then(|id| self.content.queries.get(id.ix()))
            }
            _ => None,
        };
        let Some(def) = def.filter(|def| !def.provides.is_empty()) else {
            return;
        };
        let types = std::mem::take(&mut self.last_map);
        for (row, given) in rows.iter().zip(types) {
            let key = row.key.to_string();
            let (event, at) = (def.name.to_string(), row.value.start());
            if key != "seat" && def.provides.iter().all(|own| **own != *key) {
                let near = nearest(&key, def.provides.iter().map(|own| &**own));
                let near = near.map(str::to_owned);
                self.found(at, 1, move |span| {
                    let message = format!("`{event}` provides no `{key}`");
                    Diagnostic::warning(span, "not-provided", message)
                        .label(format!("the value of `{key}`"))
                        .did_you_mean(near.as_deref())
                        .help(format!("add \"{key}\" to `provides` of `{event}`"))
                        .confidence(Confidence::Likely)
                });
            } else if let Some(wanted) = declared(def, &key)
                && !given.meets(wanted | Types::NOTHING)
            {
                let (wanted, given) = (wanted.phrase(), given.phrase());
                self.found(at, 1, move |span| {
                    let message = format!("wrong type for `{key}` of `{event}`");
                    Diagnostic::error(span, "wrong-argument-type", message)
                        .label(format!("expected {wanted}, found {given}"))
                        .help(format!("`provides` of `{event}` declares the type"))
                });
            }
        }
        // The engine's own names are `()` or 0 if they are missing.
        let missing = def.provides.iter().filter(|own| {
            !event::NAMES.contains(&&***own) && rows.iter().all(|row| *row.key != ***own)
        });
        let missing: Vec<String> = missing.map(ToString::to_string).collect();
        if let (Some(first), Some(map)) = (missing.first(), args.last()) {
            let (event, first) = (def.name.to_string(), first.clone());
            self.found(map.start(), 1, move |span| {
                let names = format!("`{}`", missing.join("`, `"));
                let verb = if missing.len() == 1 { "is" } else { "are" };
                let message = format!("{names} of `{event}` {verb} missing");
                Diagnostic::warning(span, "not-provided", message)
                    .label("hooks cannot read it")
                    .help(format!(
                        "pass a map with `{first}: …`, or remove it from `provides` of `{event}`"
                    ))
                    .confidence(Confidence::Likely)
            });
        }
    }
}

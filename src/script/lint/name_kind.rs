//! The kinds of names in scripts: how messages call them, and which names packs declare.

use crate::content::Content;
use crate::script::primitive::NameKind;
use crate::script::primitives::entry::name_with_kind;
use crate::script::primitives::object;

impl NameKind {
    /// What it names, in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            NameKind::Counter => "counter",
            NameKind::Entry => "entry",
            NameKind::Kind => "kind",
            NameKind::Event => "event",
            NameKind::Query => "query",
            NameKind::Fight => "fight",
            NameKind::Sequence => "sequence",
            NameKind::Die => "die",
            NameKind::Zone => "zone",
            NameKind::Chain => "chain",
            NameKind::Effect => "effect",
            NameKind::Modified => "counter, query or effect",
            NameKind::Table => "table",
            NameKind::Statistic => "statistic",
            NameKind::Option => "option",
            NameKind::Pack => "pack",
            NameKind::Field => "field",
        }
    }

    /// The kinds of entries that it may name; `None` if it names no entry. An empty list means any.
    #[must_use]
    pub const fn entry_kinds(self) -> Option<&'static [&'static str]> {
        Some(match self {
            NameKind::Kind | NameKind::Field | NameKind::Pack => return None,
            NameKind::Entry => &[],
            NameKind::Modified => &["counter", "query", "effect"],
            NameKind::Counter => &["counter"],
            NameKind::Event => &["event"],
            NameKind::Query => &["query"],
            NameKind::Fight => &["fight"],
            NameKind::Sequence => &["sequence"],
            NameKind::Die => &["die"],
            NameKind::Zone => &["zone"],
            NameKind::Chain => &["chain"],
            NameKind::Effect => &["effect"],
            NameKind::Table => &["table"],
            NameKind::Statistic => &["statistic"],
            NameKind::Option => &["option"],
        })
    }

    /// The code of the diagnostic for an unknown name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            NameKind::Counter => "unknown-counter",
            NameKind::Entry => "unknown-entry",
            NameKind::Kind => "unknown-kind",
            NameKind::Event => "unknown-event",
            NameKind::Query => "unknown-query",
            NameKind::Fight => "unknown-fight",
            NameKind::Sequence => "unknown-sequence",
            NameKind::Die => "unknown-die",
            NameKind::Zone => "unknown-zone",
            NameKind::Chain => "unknown-chain",
            NameKind::Effect | NameKind::Modified => "unknown-effect",
            NameKind::Table => "unknown-table",
            NameKind::Statistic => "unknown-statistic",
            NameKind::Option => "unknown-option",
            NameKind::Pack => "missing-pack",
            NameKind::Field => "unknown-property",
        }
    }

    /// What to do about a name that nothing declares and that resembles no other.
    #[must_use]
    pub fn remedy(self, name: &str) -> String {
        match self {
            NameKind::Pack => {
                format!("write optional = [\"{name}\"] in pack.toml if the pack may be missing")
            }
            NameKind::Event => {
                "`kaer list --events` lists them all; declare your own with [[event]]".to_owned()
            }
            NameKind::Query => {
                "`kaer list --queries` lists them all; declare your own with [[query]]".to_owned()
            }
            NameKind::Kind => format!("declare it with [[kind]] and id = \"{name}\""),
            NameKind::Field => "name a field that a kind declares".to_owned(),
            NameKind::Entry => {
                "write the id of an entry; `kaer list --entries` lists them all".to_owned()
            }
            NameKind::Modified => {
                format!(
                    "declare it with [[effect]] and id = \"{name}\", or name a counter or a query"
                )
            }
            other => format!("declare it with [[{}]] and id = \"{name}\"", other.word()),
        }
    }

    /// Whether packs declare the name.
    pub fn is_known(self, content: &Content, pack: u16, name: &str) -> bool {
        if self == NameKind::Option {
            let absent = content.is_of_absent_pack(pack, name);
            return absent || content.option_in(pack, name).is_some();
        }
        if name.contains('/') {
            return content.find(name).is_some();
        }
        let symbols = content.symbol_in(pack, name);
        let find = |name: &str| content.find_in(pack, name);
        match self {
            NameKind::Counter => symbols.counter.is_some(),
            NameKind::Entry => find(name).is_some() || content.has_own(pack, name),
            NameKind::Kind => content.kind(name).is_some(),
            NameKind::Event => symbols.event.is_some(),
            NameKind::Query => symbols.query.is_some(),
            NameKind::Fight => symbols.fight.is_some(),
            NameKind::Sequence => symbols.list.is_some(),
            NameKind::Field => {
                let known = |kind: &crate::content::KindDef, name: &str| {
                    kind.fields
                        .iter()
                        .chain(&kind.nested)
                        .any(|field| **field == *name)
                };
                let is_field = |name: &str| {
                    content.kinds.iter().any(|kind| known(kind, name))
                        || object::BUILT_IN.contains(&name)
                };
                symbols.counter.is_some()
                    || name
                        .split('.')
                        .all(|part| part.parse::<u32>().is_ok() || is_field(part))
            }
            NameKind::Die => symbols.die.is_some(),
            NameKind::Zone => symbols.zone.is_some(),
            NameKind::Chain => symbols.chain.is_some(),
            NameKind::Modified => {
                let declared = find(&name_with_kind("effect", name)).is_some();
                declared || symbols.counter.is_some() || symbols.query.is_some()
            }
            NameKind::Pack => content.is_related(pack, name),
            NameKind::Option => content.option_in(pack, name).is_some(),
            NameKind::Effect | NameKind::Table | NameKind::Statistic => {
                find(&name_with_kind(self.word(), name)).is_some()
            }
        }
    }

    /// The names that packs declare.
    pub fn known(self, content: &Content) -> Vec<&str> {
        match self {
            NameKind::Entry => content.entries.iter().map(|entry| &*entry.id).collect(),
            NameKind::Kind => content.kinds.iter().map(|kind| &*kind.id).collect(),
            NameKind::Field => content
                .kinds
                .iter()
                .flat_map(|kind| kind.fields.iter().chain(&kind.nested))
                .map(|field| &**field)
                .collect(),
            NameKind::Pack => content
                .related
                .iter()
                .flatten()
                .map(String::as_str)
                .collect(),
            NameKind::Option => {
                let options = content.options.iter();
                options.map(|option| option.id.as_str()).collect()
            }
            NameKind::Event => content.events.iter().map(|event| &*event.name).collect(),
            NameKind::Query => content.queries.iter().map(|query| &*query.name).collect(),
            NameKind::Modified => {
                let of_kind = |entry: &&std::sync::Arc<crate::content::EntryDef>| {
                    matches!(
                        &*content.kinds[entry.kind.ix()].id,
                        "counter" | "effect" | "query"
                    )
                };
                content
                    .entries
                    .iter()
                    .filter(of_kind)
                    .map(|entry| &*entry.id)
                    .collect()
            }
            other => {
                let of_kind = |entry: &&std::sync::Arc<crate::content::EntryDef>| {
                    *content.kinds[entry.kind.ix()].id == *other.word()
                };
                content
                    .entries
                    .iter()
                    .filter(of_kind)
                    .map(|entry| &*entry.id)
                    .collect()
            }
        }
    }
}

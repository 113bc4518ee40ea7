//! Collects cross-references: in fields, by number, in costs, in hooks and in scripts.

use std::collections::BTreeMap;

use super::site::{DocEntry, DocSite, KindKey, TokenTarget};
use super::tokenizer::{Token, tokens};
use crate::pack::{FieldSpec, FieldValue, Type, common};

/// Where a reference comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsedBy {
    /// The index of an entry.
    Entry(usize),
    /// The index of a pack, and of a function in it.
    Function(usize, usize),
    /// The index of a pack, and of a patch in it.
    Patch(usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UseKind {
    /// A field refers to it.
    Refers,
    /// A script mentions it.
    Mentions,
    /// A script sets the counter or flag.
    Sets,
    /// A script fires it.
    Fires,
    /// A hook handles it, or answers it.
    Handles,
    /// A patch changes it.
    Changes,
}

/// A reference to an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Usage {
    pub by: UsedBy,
    pub kind: UseKind,
    /// The path of the field or script.
    pub description: String,
}

/// All cross-references.
#[derive(Default)]
pub struct UsageIndex {
    /// For each entry, the places that refer to it.
    pub of: Vec<Vec<Usage>>,
    /// For each entry, the entries it refers to, with the path of the field or script.
    pub names: Vec<Vec<(usize, UseKind, String)>>,
    /// For each kind, the places that use all of its entries.
    pub of_kinds: BTreeMap<KindKey, Vec<Usage>>,
    /// For each function, the places that call it.
    pub calls: BTreeMap<(usize, usize), Vec<Usage>>,
}

impl UsageIndex {
    /// Collects the cross-references of all packs.
    pub fn collect(site: &DocSite) -> UsageIndex {
        let none = UsageIndex {
            of: vec![Vec::new(); site.items.len()],
            names: vec![Vec::new(); site.items.len()],
            ..UsageIndex::default()
        };
        let mut search = UsageSearch { site, found: none };
        for at in 0..site.items.len() {
            search.entry(at);
        }
        for (pack, shown) in site.packs.iter().enumerate() {
            for (at, function) in shown.functions.iter().enumerate() {
                search.script(UsedBy::Function(pack, at), shown.number, function.text, "");
            }
            for (at, patch) in shown.pack.patches.iter().enumerate() {
                if let Some(target) = site.resolve(&patch.entry) {
                    search.add(UsedBy::Patch(pack, at), target, UseKind::Changes, "");
                }
            }
        }
        let mut found = search.found;
        let all = found
            .of
            .iter_mut()
            .chain(found.of_kinds.values_mut())
            .chain(found.calls.values_mut());
        for uses in all {
            uses.sort();
            uses.dedup();
        }
        for names in &mut found.names {
            let mut seen = Vec::new();
            names.retain(|name| {
                !seen.contains(name) && {
                    seen.push(name.clone());
                    true
                }
            });
        }
        found
    }
}

struct UsageSearch<'b, 'a> {
    site: &'b DocSite<'a>,
    found: UsageIndex,
}

impl UsageSearch<'_, '_> {
    fn entry(&mut self, at: usize) {
        let item = &self.site.items[at];
        // A generated square has only the fields of its grid.
        if !item.has_page() {
            return;
        }
        let mut leaves = Vec::new();
        each_leaf(item, &mut |path, value, leaf| {
            leaves.push((path.to_owned(), value, leaf));
        });
        for (path, value, leaf) in leaves {
            self.leaf(at, &path, value, leaf);
        }
    }

    fn leaf(&mut self, at: usize, path: &str, value: &FieldValue, leaf: LeafValue) {
        let (site, by) = (self.site, self.site.items[at].entry.pack);
        if let Some(event) = leaf.event {
            let bare = event.strip_prefix("self_").unwrap_or(event);
            if let Some(target) = site.named(by, bare, &["event", "query"]) {
                self.add(UsedBy::Entry(at), target, UseKind::Handles, path);
            }
        }
        if let Some(paid_with) = leaf.paid_with
            && let Some(target) = site.named(by, paid_with, &["counter", "zone", "chain"])
        {
            self.add(UsedBy::Entry(at), target, UseKind::Refers, path);
        }
        let target = match value {
            FieldValue::Name(name) => site.resolve(name),
            FieldValue::Int(number) => leaf
                .names
                .and_then(|names| site.numbered(by, names, *number)),
            FieldValue::Text(text) if leaf.may_be_id => {
                site.named(by, text.trim_end_matches(['?', '*', '+']), &[])
            }
            FieldValue::Script(script) => {
                self.script(UsedBy::Entry(at), script.by, &script.text, path);
                None
            }
            _ => None,
        };
        if let Some(target) = target.filter(|target| *target != at) {
            self.add(UsedBy::Entry(at), target, UseKind::Refers, path);
        }
    }

    fn script(&mut self, by: UsedBy, pack: u16, text: &str, description: &str) {
        let parts = tokens(text);
        let is_only_token = parts.len() == 1;
        for (ix, token) in parts.iter().enumerate() {
            let use_kind = if token.call == Some("emit") {
                UseKind::Fires
            } else if is_assigned(&parts[ix + 1..]) {
                UseKind::Sets
            } else {
                UseKind::Mentions
            };
            let found = || Usage {
                by,
                kind: use_kind,
                description: description.to_owned(),
            };
            match self.site.meaning(pack, token, is_only_token) {
                Some(TokenTarget::Entry(target)) if UsedBy::Entry(target) != by => {
                    self.add(by, target, use_kind, description);
                }
                Some(TokenTarget::Kind(kind)) => {
                    self.found.of_kinds.entry(kind).or_default().push(found());
                }
                Some(TokenTarget::Function(pack, at)) if UsedBy::Function(pack, at) != by => {
                    self.found
                        .calls
                        .entry((pack, at))
                        .or_default()
                        .push(found());
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, by: UsedBy, target: usize, use_kind: UseKind, description: &str) {
        self.found.of[target].push(Usage {
            by,
            kind: use_kind,
            description: description.to_owned(),
        });
        if let UsedBy::Entry(at) = by {
            self.found.names[at].push((target, use_kind, description.to_owned()));
        }
    }
}

/// Whether the tokens after a word assign to it: `=`, `+=`, but not `==`.
fn is_assigned(after: &[Token]) -> bool {
    let mut signs = after.iter().map(|token| token.text.trim());
    let first = signs.find(|sign| !sign.is_empty()).unwrap_or_default();
    let second = signs.next().unwrap_or_default();
    match first {
        "=" => second != "=",
        "+" | "-" | "*" | "/" | "%" => second == "=",
        _ => false,
    }
}

/// What is known about a value from its position.
#[derive(Clone, Copy, Default)]
pub struct LeafValue<'s> {
    /// The kind and field that a number refers to.
    pub names: Option<(&'s str, &'s str)>,
    /// The event or query that a script handles.
    pub event: Option<&'s str>,
    /// The counter, zone or chain that an amount of a cost is paid from.
    pub paid_with: Option<&'s str>,
    /// Whether a string may be an id without being declared as a reference.
    pub may_be_id: bool,
}

/// Visits every value of an entry that is neither a list nor a table, with its path:
/// `option.serve.quest.chapter`.
pub fn each_leaf<'v>(
    item: &'v DocEntry,
    visit: &mut dyn FnMut(&str, &'v FieldValue, LeafValue<'v>),
) {
    for field in item.entry.fields.iter().filter(|field| field.is_explicit) {
        let spec = spec_of(item, &field.name);
        let leaf = LeafValue {
            names: spec.and_then(names),
            ..LeafValue::default()
        };
        walk(
            item,
            &field.name,
            &field.value,
            spec.map(|spec| &spec.ty),
            leaf,
            visit,
        );
    }
}

/// The declaration of a field.
pub fn spec_of<'v>(item: &'v DocEntry, name: &str) -> Option<&'v FieldSpec> {
    let own = item.kind.map_or(&[][..], |kind| &kind.fields);
    own.iter().chain(common()).find(|spec| spec.name == name)
}

fn names(spec: &FieldSpec) -> Option<(&str, &str)> {
    spec.rules
        .names
        .as_ref()
        .map(|(kind, field)| (kind.as_str(), field.as_str()))
}

fn walk<'v>(
    item: &'v DocEntry,
    path: &str,
    value: &'v FieldValue,
    ty: Option<&'v Type>,
    leaf: LeafValue<'v>,
    visit: &mut dyn FnMut(&str, &'v FieldValue, LeafValue<'v>),
) {
    match value {
        FieldValue::List(list) => {
            for (ix, inner) in (1..).zip(list) {
                let step = inner
                    .get("id")
                    .and_then(FieldValue::as_text)
                    .map_or_else(|| ix.to_string(), str::to_owned);
                let ty = if let Some(Type::List(of)) = ty {
                    Some(&**of)
                } else {
                    ty
                };
                // A list with one item is usually written without brackets.
                let path = if list.len() == 1 && inner.get("id").is_none() {
                    path.to_owned()
                } else {
                    format!("{path}.{step}")
                };
                walk(item, &path, inner, ty, leaf, visit);
            }
        }
        FieldValue::Table(rows) => {
            for (key, inner) in rows {
                let spec = match ty {
                    Some(Type::Table(specs)) => specs.iter().find(|spec| spec.name == *key),
                    // A face is a table of the kind's fields.
                    Some(Type::Face) if path.contains('.') => spec_of(item, key),
                    _ => None,
                };
                let inner_ty = match ty {
                    Some(Type::Map(of)) => Some(&**of),
                    Some(Type::Face | Type::Cost | Type::Any) if spec.is_none() => ty,
                    _ => spec.map(|spec| &spec.ty),
                };
                let is_hook_table =
                    matches!(path.rsplit('.').next(), Some("on" | "offer" | "answer"));
                let leaf = LeafValue {
                    names: spec.and_then(names),
                    event: Some(key.as_str()).filter(|_| is_hook_table),
                    paid_with: Some(key.as_str()).filter(|_| ty == Some(&Type::Cost)),
                    may_be_id: false,
                };
                walk(item, &format!("{path}.{key}"), inner, inner_ty, leaf, visit);
            }
        }
        other => {
            // The links of a chain are ids, although they are declared as strings.
            let links = item.entry.kind == "chain" && path.starts_with("links");
            let may_be_id = links || ty == Some(&Type::Any);
            visit(path, other, LeafValue { may_be_id, ..leaf });
        }
    }
}

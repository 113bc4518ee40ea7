//! The names that migration needs from the packs around a file: places, declared names, script
//! fields.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{self, TomlItem, TomlItemKind};
use super::table::Hook;

/// Script fields of every entry, by old and new names.
const SCRIPTS: &[&str] = &[
    "each", "can", "do", "cost", "on", "may", "offer", "ask", "answer", "then",
];

/// More script fields, by engine kind.
const SCRIPTS_OF: &[(&str, &[&str])] = &[
    ("mode", &["setup", "came_as", "role_in_play"]),
    ("phase", &["when", "end"]),
    ("rule", &["state"]),
    ("panel", &["show"]),
    ("start", &["prepare"]),
    ("worth", &["value"]),
    ("evaluation", &["value"]),
    ("statistic", &["value"]),
    ("invariant", &["holds"]),
];

/// Declarations of the packs around a file.
#[derive(Clone, Debug, Default)]
pub struct PackNames {
    /// Whether packs were loaded; otherwise, ids cannot be resolved.
    known: bool,
    places: BTreeSet<String>,
    /// Grids, whose places have the ids `<id>-1` and so on.
    grids: BTreeSet<String>,
    /// Counters, zones and fields that packs declare.
    own: BTreeSet<String>,
    /// Fields that packs declare as scripts, by kind.
    scripts: BTreeSet<(String, String)>,
    /// Kinds by the ids of their entries.
    kinds: BTreeMap<String, BTreeSet<String>>,
    /// Kinds that declare `each` for their entries.
    listed: BTreeSet<String>,
    /// Functions that hooks call by name, with these hooks.
    functions: BTreeMap<String, Vec<Hook>>,
}

impl PackNames {
    /// Collects the declarations of files, given as names and texts. Invalid files are skipped.
    pub fn from_files<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> PackNames {
        let mut scope = PackNames {
            known: true,
            ..PackNames::default()
        };
        let mut documents: Vec<(&str, Vec<TomlItem>)> = Vec::new();
        for (name, text) in files {
            if let (true, Ok(items)) = (name.ends_with(".toml"), document::read(text)) {
                documents.push((text, items));
            }
        }
        let mut place_kinds: BTreeSet<String> = BTreeSet::from(["place".to_owned()]);
        for (text, items) in &documents {
            for block in blocks(items) {
                scope.kind(text, block, &mut place_kinds);
            }
        }
        for (text, items) in &documents {
            for block in blocks(items) {
                scope.entry(text, block, &place_kinds);
            }
        }
        for (text, items) in &documents {
            for block in blocks(items) {
                scope.hooks(text, block);
            }
        }
        scope
    }

    /// Whether an id belongs to a place; `None` if no packs were loaded.
    pub(super) fn is_place(&self, id: &str) -> Option<bool> {
        let of_grid = |(grid, number): (&str, &str)| {
            self.grids.contains(grid) && number.chars().all(|c| c.is_ascii_digit())
        };
        let bare = id.rsplit(['/', ':']).next().unwrap_or(id);
        self.known
            .then(|| self.places.contains(bare) || bare.rsplit_once('-').is_some_and(of_grid))
    }

    /// Whether packs declare a counter, a zone or a field with this name.
    pub(super) fn has_own(&self, name: &str) -> bool {
        self.own.contains(name)
    }

    /// The hooks that call a function by name.
    pub(super) fn hooks_of(&self, function: &str) -> &[Hook] {
        self.functions.get(function).map_or(&[], Vec::as_slice)
    }

    /// The kinds that a reference may refer to: `coins`, `counter/coins`, `pack:counter/coins`.
    pub(super) fn kinds_of(&self, reference: &str) -> Vec<String> {
        let bare = reference.rsplit(':').next().unwrap_or(reference);
        match bare.split_once('/') {
            Some((kind, _)) => vec![kind.to_owned()],
            None => self
                .kinds
                .get(bare)
                .map(|kinds| kinds.iter().cloned().collect())
                .unwrap_or_default(),
        }
    }

    /// Whether a field of a kind, or something nested in it, is a script.
    pub(super) fn is_script(&self, kind: &str, path: &[String]) -> bool {
        let of_kind = SCRIPTS_OF.iter().find(|(own, _)| *own == kind);
        let engine = |name: &str| {
            SCRIPTS.contains(&name) || of_kind.is_some_and(|(_, names)| names.contains(&name))
        };
        let pack = |name: &str| {
            if kind.is_empty() {
                self.scripts.iter().any(|(_, own)| own == name)
            } else {
                self.scripts.contains(&(kind.to_owned(), name.to_owned()))
            }
        };
        path.iter().any(|name| engine(name) || pack(name))
    }

    /// The kind of hook that a script is, determined by its field and by whether its entry has its
    /// own menu line.
    pub(super) fn hook(&self, kind: &str, path: &[String], block: &ScriptBlock) -> Hook {
        let field = path.first().map_or("", String::as_str);
        let in_menu = block.has_window && !block.has_each && !self.listed.contains(kind);
        match (kind, field) {
            ("start", _) => Hook::Start,
            ("panel", _) => Hook::Panel,
            (_, "then") | ("phase", "do" | "when" | "end") => Hook::FollowUp,
            (_, "do" | "can") if in_menu => Hook::FollowUp,
            _ => Hook::Action,
        }
    }

    fn kind(&mut self, text: &str, block: &[TomlItem], place_kinds: &mut BTreeSet<String>) {
        if block[0].path[0] != "kind" {
            return;
        }
        let Some(id) = value(text, block, &["kind", "id"]) else {
            return;
        };
        if value(text, block, &["kind", "is"]).as_deref() == Some("place") {
            place_kinds.insert(id.clone());
        }
        for item in block.iter().filter(|item| item.path.len() > 2) {
            if item.path[1] != "fields" {
                continue;
            }
            let names = || item.path[2..].iter().filter(|name| is_name(name));
            if item.path[2] == "each" {
                self.listed.insert(id.clone());
            }
            let says_script = matches!(item.kind, TomlItemKind::Text { .. })
                && held(text, item) == Some("script");
            if let (true, Some(name)) = (says_script, names().next_back()) {
                self.scripts.insert((id.clone(), name.clone()));
            }
            // A pack may redeclare engine fields, which are renamed too.
            if let Some(name) = names().next_back()
                && super::table::field("", name).is_none()
            {
                self.own.insert(name.clone());
            }
        }
    }

    fn entry(&mut self, text: &str, block: &[TomlItem], place_kinds: &BTreeSet<String>) {
        let kind = &block[0].path[0];
        let Some(id) = value(text, block, &[kind, "id"]) else {
            return;
        };
        if place_kinds.contains(kind) {
            self.places.insert(id.clone());
        }
        match kind.as_str() {
            "grid" => drop(self.grids.insert(id.clone())),
            "counter" | "zone" => drop(self.own.insert(id.replace('-', "_"))),
            _ => {}
        }
        self.kinds.entry(id).or_default().insert(kind.clone());
    }

    /// Collects the functions that hooks call by name.
    fn hooks(&mut self, text: &str, items: &[TomlItem]) {
        let block = ScriptBlock::new(text, items, self);
        for item in items {
            for (kind, path) in block.fields(item) {
                if !self.is_script(kind, path) {
                    continue;
                }
                let Some((script, _)) = document::decoded(text, item) else {
                    continue;
                };
                let name = script.trim();
                let is_function =
                    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if is_function {
                    let hook = self.hook(kind, path, &block);
                    let hooks = self.functions.entry(name.to_owned()).or_default();
                    if !hooks.contains(&hook) {
                        hooks.push(hook);
                    }
                }
            }
        }
    }
}

/// Whether a key in the declaration of a field names a field.
fn is_name(name: &str) -> bool {
    !matches!(
        name,
        "fields"
            | "of"
            | "type"
            | "to"
            | "default"
            | "optional"
            | "text"
            | "values"
            | "min"
            | "max"
    )
}

/// The items of a file, grouped by block.
pub(super) fn blocks(items: &[TomlItem]) -> impl Iterator<Item = &[TomlItem]> {
    items.chunk_by(|one, other| one.block == other.block)
}

/// The content of a text without escapes.
fn held<'t>(text: &'t str, item: &TomlItem) -> Option<&'t str> {
    match item.kind {
        TomlItemKind::Text { quotes, .. } => text.get(item.start + quotes..item.end - quotes),
        _ => None,
    }
}

fn value(text: &str, block: &[TomlItem], path: &[&str]) -> Option<String> {
    let mut found = block
        .iter()
        .filter(|item| item.path.len() == path.len() && item.path.iter().eq(path.iter().copied()));
    found.find_map(|item| held(text, item)).map(str::to_owned)
}

/// A block of a file: an entry, a patch, a case.
pub(super) struct ScriptBlock {
    /// Its first key: a kind, or `patch`, `case`, `pack`.
    pub head: String,
    /// The kinds of the entry; several if the target of a patch is ambiguous.
    kinds: Vec<String>,
    has_window: bool,
    has_each: bool,
}

/// The operations of a patch.
const VERBS: &[&str] = &["set", "add", "remove", "insert", "swap"];

impl ScriptBlock {
    pub fn new(text: &str, items: &[TomlItem], scope: &PackNames) -> ScriptBlock {
        let head = items[0].path[0].clone();
        let has = |name: &str| {
            items
                .iter()
                .any(|item| item.path.get(1).is_some_and(|own| own == name))
        };
        let kinds = match head.as_str() {
            "patch" => value(text, items, &["patch", "entry"])
                .map(|entry| scope.kinds_of(&entry))
                .unwrap_or_default(),
            "kind" => value(text, items, &["kind", "id"]).into_iter().collect(),
            _ => vec![head.clone()],
        };
        ScriptBlock {
            kinds,
            has_window: has("window"),
            has_each: has("each"),
            head,
        }
    }

    /// The field that contains an item: for each possible kind, the kind and the path within the
    /// entry.
    pub fn fields<'b>(&'b self, item: &'b TomlItem) -> Vec<(&'b str, &'b [String])> {
        let path = item.path.as_slice();
        let rest: &[String] = match self.head.as_str() {
            "patch" if path.len() > 2 && VERBS.contains(&path[1].as_str()) => &path[2..],
            "pack" | "check" | "case" | "defaults" | "patch" | "remove" => return Vec::new(),
            // Only the default of a field can be a script; its description is prose.
            "kind" => {
                let default = path.last().is_some_and(|last| last == "default");
                if path.len() < 4 || path[1] != "fields" || !default {
                    return Vec::new();
                }
                &path[2..]
            }
            // An entry without a header, as in documents.
            _ if item.block == 0 => return vec![("", path)],
            _ => &path[1..],
        };
        let rest = match rest {
            [face, _, inner @ ..] if face == "face" && !inner.is_empty() => inner,
            rest => rest,
        };
        if rest.is_empty() {
            return Vec::new();
        }
        let kinds = self.kinds.iter().map(|kind| (kind.as_str(), rest));
        let kinds: Vec<_> = kinds.collect();
        if kinds.is_empty() {
            vec![("", rest)]
        } else {
            kinds
        }
    }
}

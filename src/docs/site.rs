//! The data that all pages share: packs, entries and functions with their paths, and name
//! resolution.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::functions::{self, FunctionSource};
use super::html::{Html, link};
use super::tokenizer::{Token, TokenKind};
use super::usage::UsageIndex;
use super::{paths, values};
use crate::content::events;
use crate::diagnostic::{FileId, Span};
use crate::explore::choices;
use crate::library::{LintLevel, OpenedGame, PackLibrary, Reuse};
use crate::pack::{Condition, Entry, FieldValue, Kind, Pack, Reference, visible};
use crate::script::names_in_arguments;
use crate::script::primitive::NameKind;
use crate::script::{Primitive, primitives};

/// The data behind all pages.
pub struct DocSite<'a> {
    pub library: &'a PackLibrary,
    /// The packs, in load order.
    pub packs: Vec<DocPack<'a>>,
    /// The entries of all packs.
    pub items: Vec<DocEntry<'a>>,
    /// All built-in script functions and properties.
    pub primitives: Vec<Primitive>,
    /// The path of each primitive: functions by name, properties by a dot and the name.
    primitive_paths: BTreeMap<String, String>,
    /// Entries by pack, kind and id.
    by_name: BTreeMap<(u16, &'a str, &'a str), usize>,
    /// Entries by number, for each kind and field that is referred to by number.
    numbers: BTreeMap<(&'a str, &'a str), BTreeMap<i64, Vec<usize>>>,
    /// The cross-references between entries, functions and patches.
    pub uses: UsageIndex,
}

/// A pack in the reference.
pub struct DocPack<'a> {
    /// The index in the set of packs.
    pub number: u16,
    pub pack: &'a Pack,
    /// The content of its first mode, or of a mode of a pack it extends; `None` if there is no
    /// mode, or if there are errors.
    pub opened: Option<OpenedGame>,
    /// The name of that mode.
    pub mode: Option<String>,
    /// The functions in its libraries.
    pub functions: Vec<FunctionSource<'a>>,
}

impl DocPack<'_> {
    pub fn id(&self) -> &str {
        &self.pack.manifest.id
    }

    /// The title, or the id if it has no title.
    pub fn title(&self) -> &str {
        let title = &self.pack.manifest.title;
        if title.trim().is_empty() {
            self.id()
        } else {
            title
        }
    }
}

/// An entry of the reference.
pub struct DocEntry<'a> {
    pub entry: &'a Entry,
    /// The index of its pack in [`DocSite::packs`].
    pub pack: usize,
    pub kind: Option<&'a Kind>,
    /// The title with its placeholders filled in, or the id.
    pub title: String,
    /// The path of its page, or of an anchor on another page.
    pub path: String,
}

impl DocEntry<'_> {
    /// Whether it has its own page; a square of a grid is on the page of the grid.
    pub fn has_page(&self) -> bool {
        !self.path.contains('#')
    }

    pub fn kind_key(&self) -> Option<KindKey> {
        self.kind.map(|kind| (kind.pack, kind.id.clone()))
    }

    pub fn kind_title(&self) -> &str {
        let title = self
            .kind
            .map(|kind| kind.title.trim())
            .filter(|title| !title.is_empty());
        title.unwrap_or(&self.entry.kind)
    }
}

/// A kind: the pack that declares it (`None` for the engine) and its id. Unrelated packs may use
/// the same id.
pub type KindKey = (Option<u16>, String);

/// What a token of a script refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenTarget {
    /// The index of an entry.
    Entry(usize),
    /// The index of a pack, and of a function in it.
    Function(usize, usize),
    /// All entries of a kind.
    Kind(KindKey),
    /// The path of something else, such as a built-in function or a built-in event.
    Path(String),
}

impl<'a> DocSite<'a> {
    /// Collects the data for the chosen packs and their dependencies, and opens a mode of each.
    pub fn new(library: &'a PackLibrary, chosen: &[u16]) -> DocSite<'a> {
        let wanted: BTreeSet<u16> = chosen
            .iter()
            .flat_map(|number| visible(&library.set, *number))
            .collect();
        let packs = wanted
            .into_iter()
            .filter_map(|number| shown(library, number))
            .collect();
        let mut site = DocSite {
            library,
            packs,
            items: Vec::new(),
            primitives: primitives(),
            primitive_paths: BTreeMap::new(),
            by_name: BTreeMap::new(),
            numbers: BTreeMap::new(),
            uses: UsageIndex::default(),
        };
        site.index_primitives();
        site.index_entries();
        site.number_entries();
        site.title_entries();
        site.uses = UsageIndex::collect(&site);
        site
    }

    fn index_primitives(&mut self) {
        for (primitive, anchor) in super::primitives::anchored(&self.primitives) {
            let path = format!("{}#{anchor}", paths::topic(primitive.topic));
            let bare = primitive
                .name
                .split_once('.')
                .map_or(primitive.name.clone(), |(_, name)| format!(".{name}"));
            self.primitive_paths.entry(bare).or_insert(path);
        }
    }

    fn index_entries(&mut self) {
        for (pack, shown) in self.packs.iter().enumerate() {
            let kinds: BTreeMap<&str, &Kind> = self
                .library
                .set
                .kinds_of(shown.number)
                .map(|kind| (kind.id.as_str(), kind))
                .collect();
            let id = shown.id();
            for entry in shown.pack.entries() {
                let key = (shown.number, entry.kind.as_str(), entry.id.as_str());
                if self.by_name.contains_key(&key) {
                    continue;
                }
                let path = match grid_of(entry) {
                    Some(grid) => format!(
                        "{}#{}",
                        paths::entry(id, "grid", grid),
                        paths::name(&entry.id)
                    ),
                    None => paths::entry(id, &entry.kind, &entry.id),
                };
                self.by_name.insert(key, self.items.len());
                let kind = kinds.get(&*entry.kind).copied();
                self.items.push(DocEntry {
                    entry,
                    pack,
                    kind,
                    title: entry.id.clone(),
                    path,
                });
            }
        }
    }

    fn number_entries(&mut self) {
        let named = self.items.iter().flat_map(|item| &item.entry.numbers);
        self.numbers = named
            .map(|at| ((at.kind.as_str(), at.field.as_str()), BTreeMap::new()))
            .collect();
        for ((kind, field), numbers) in &mut self.numbers {
            for (at, item) in self
                .items
                .iter()
                .enumerate()
                .filter(|(_, item)| item.entry.kind == **kind)
            {
                if let Some(number) = item.entry.int(field) {
                    numbers.entry(number).or_default().push(at);
                }
            }
        }
    }

    /// The entry with a number in a field, among entries of a kind that are visible to the pack
    /// `by`.
    pub fn numbered(&self, by: u16, (kind, field): (&str, &str), number: i64) -> Option<usize> {
        let all = self.numbers.get(&(kind, field))?.get(&number)?;
        all.iter()
            .copied()
            .find(|at| self.library.set.sees(by, self.items[*at].entry.pack))
    }

    /// Fills in the placeholders of titles. Runs after all entries are known, because titles can
    /// refer to others.
    fn title_entries(&mut self) {
        for at in 0..self.items.len() {
            let title = self.items[at]
                .entry
                .text("title")
                .map(|title| values::filled(self, at, &[], title));
            if let Some(title) = title.filter(|title| !title.trim().is_empty()) {
                self.items[at].title = title;
            }
        }
    }

    /// The entries of a pack, with their indices.
    pub fn of_pack(&self, pack: usize) -> impl Iterator<Item = (usize, &DocEntry<'a>)> {
        self.items
            .iter()
            .enumerate()
            .filter(move |(_, item)| item.pack == pack)
    }

    pub fn find(&self, entry: &Entry) -> Option<usize> {
        self.by_name
            .get(&(entry.pack, entry.kind.as_str(), entry.id.as_str()))
            .copied()
    }

    /// Finds an entry by its full name, `pack:kind/id`.
    pub fn find_name(&self, name: &str) -> Option<usize> {
        let (pack, rest) = name.split_once(':')?;
        let (kind, id) = rest.split_once('/')?;
        self.by_name
            .get(&(self.library.set.pack(pack)?.0, kind, id))
            .copied()
    }

    /// Resolves a reference.
    pub fn resolve(&self, name: &Reference) -> Option<usize> {
        self.library
            .set
            .resolve(name)
            .and_then(|entry| self.find(entry))
    }

    /// Resolves a name as written in a pack, among entries of some kinds. An empty list means all
    /// kinds.
    pub fn named(&self, by: u16, word: &str, kinds: &[&str]) -> Option<usize> {
        if word.is_empty() || word.contains(char::is_whitespace) {
            return None;
        }
        let to: Arc<[String]> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        self.resolve(&Reference {
            text: word.to_owned(),
            span: Span::default(),
            to,
            by,
            condition: Condition::default(),
        })
    }

    /// Finds a counter or a zone by its name in scripts, which use underscores for dashes.
    fn property(&self, by: u16, word: &str) -> Option<usize> {
        let kinds = ["counter", "flag", "zone"];
        self.named(by, word, &kinds)
            .or_else(|| self.named(by, &word.replace('_', "-"), &kinds))
    }

    /// Resolves a token in a script of the pack `by`. `alone` means that the token is the whole
    /// script, which can be just the name of a function.
    pub fn meaning(&self, by: u16, token: &Token, alone: bool) -> Option<TokenTarget> {
        match token.kind {
            TokenKind::Word if token.opens || alone => self
                .function(by, token.text)
                .or_else(|| self.primitive_path(token.text))
                .filter(|_| !is_keyword(token.text)),
            TokenKind::Word => {
                let owner = token.of?;
                let field = matches!(owner, "entry" | "event" | "packet" | "fight" | "combo");
                let property = if field {
                    None
                } else {
                    self.property(by, token.text).map(TokenTarget::Entry)
                };
                property.or_else(|| self.primitive_path(&format!(".{}", token.text)))
            }
            TokenKind::Text => self.text(by, token.inner()?, token.call.unwrap_or("")),
            TokenKind::Comment | TokenKind::Other => None,
        }
    }

    fn text(&self, by: u16, text: &str, call: &str) -> Option<TokenTarget> {
        let text = text.strip_prefix("any ").unwrap_or(text);
        let Some(names) = names_in_arguments(call) else {
            return self.named(by, text, &[]).map(TokenTarget::Entry);
        };
        if names.contains(&NameKind::Kind)
            && let Some(kind) = self.library.set.kinds_of(by).find(|kind| kind.id == text)
        {
            return Some(TokenTarget::Kind((kind.pack, kind.id.clone())));
        }
        let mut kinds = names.iter().filter_map(|name| name.entry_kinds());
        let entry = kinds.find_map(|kinds| self.named(by, text, kinds));
        let may_be_built_in = |name: &NameKind| {
            matches!(name, NameKind::Event | NameKind::Query | NameKind::Modified)
        };
        match entry {
            Some(entry) => Some(TokenTarget::Entry(entry)),
            None if names.iter().any(may_be_built_in) => native(text).map(TokenTarget::Path),
            None => None,
        }
    }

    /// The path of a built-in function or property.
    pub fn primitive_path(&self, name: &str) -> Option<TokenTarget> {
        self.primitive_paths
            .get(name)
            .map(|path| TokenTarget::Path(path.clone()))
    }

    fn function(&self, by: u16, name: &str) -> Option<TokenTarget> {
        let seen = self
            .packs
            .iter()
            .enumerate()
            .filter(|(_, shown)| self.library.set.sees(by, shown.number));
        seen.rev().find_map(|(pack, shown)| {
            let at = shown
                .functions
                .iter()
                .position(|function| function.name == name)?;
            Some(TokenTarget::Function(pack, at))
        })
    }

    /// The page of a kind: in the pack that declares it, or that of the built-in kinds.
    pub fn kind_path(&self, (pack, kind): &KindKey) -> Option<String> {
        let Some(pack) = pack else {
            return Some(format!("{}#{}", paths::KINDS, paths::name(kind)));
        };
        let declares = |shown: &&DocPack| shown.number == *pack;
        self.packs
            .iter()
            .find(declares)
            .map(|shown| paths::kind(shown.id(), kind))
    }

    pub fn function_path(&self, (pack, at): (usize, usize)) -> String {
        let shown = &self.packs[pack];
        format!(
            "{}#{}",
            paths::of_pack(shown.id(), "functions"),
            shown.functions[at].anchor()
        )
    }

    /// The path of a file relative to its pack.
    pub fn file_of(&self, shown: &DocPack, file: FileId) -> &str {
        let name = self.library.set.files.name(file);
        name.strip_prefix(&*shown.pack.root)
            .map_or(name, |rest| rest.trim_start_matches('/'))
    }

    /// The file and line of a source location, relative to its pack.
    pub fn location_of(&self, span: Span) -> String {
        let files = &self.library.set.files;
        let name = files.name(span.file);
        let inside = |shown: &DocPack| {
            name.strip_prefix(&*shown.pack.root)
                .and_then(|rest| rest.strip_prefix('/'))
        };
        let short = self.packs.iter().find_map(inside).unwrap_or(name);
        format!("{short}:{}", files.line_col(span).0)
    }
}

/// Whether a word is a keyword of Rhai.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "while" | "for" | "in" | "switch" | "return" | "fn" | "let" | "loop" | "else"
    )
}

/// The path of an event or built-in query, with or without `self_`.
pub fn native(name: &str) -> Option<String> {
    let bare = name.strip_prefix("self_").unwrap_or(name);
    let mut all = events::on::EVENTS.iter().chain(events::ask::QUERIES);
    all.any(|native| native.name == bare)
        .then(|| format!("{}#{bare}", paths::EVENTS))
}

/// The grid that generated a place.
pub fn grid_of(entry: &Entry) -> Option<&str> {
    // For places that a grid generates, this field has the span of the entry. A field in a file has
    // its own span.
    let grid = entry
        .field("grid")
        .filter(|field| field.span == entry.span)?;
    match &grid.value {
        FieldValue::Text(id) if entry.kind == "place" => Some(id),
        _ => None,
    }
}

fn shown(library: &PackLibrary, number: u16) -> Option<DocPack<'_>> {
    let pack = library.set.packs.get(usize::from(number))?;
    let choice = choices::choices(library, &pack.manifest.id)
        .into_iter()
        .next()
        .filter(|_| !library.has_errors(&[number]));
    let mode = choice.as_ref().map(|choice| choice.mode.clone());
    let opened = choice.and_then(|choice| {
        let (opened, report) =
            library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names);
        opened.filter(|_| report.has_no_errors())
    });
    let functions = pack
        .libraries
        .iter()
        .flat_map(|file| functions::of_file(&library.set.files, *file))
        .collect();
    Some(DocPack {
        number,
        pack,
        opened,
        mode,
        functions,
    })
}

/// A page in progress, with the relative path to the root of the folder.
pub struct PageWriter<'b, 'a> {
    pub site: &'b DocSite<'a>,
    root: String,
}

impl<'b, 'a> PageWriter<'b, 'a> {
    pub fn new(site: &'b DocSite<'a>, path: &str) -> PageWriter<'b, 'a> {
        PageWriter {
            site,
            root: paths::root(path),
        }
    }

    /// A path relative to this page.
    pub fn to(&self, path: &str) -> String {
        format!("{}{path}", self.root)
    }

    pub fn link(&self, path: &str, inner: impl Into<Html>) -> Html {
        link(&self.to(path), inner)
    }

    /// A link to an entry, with its title as text.
    pub fn entry(&self, at: usize) -> Html {
        let item = &self.site.items[at];
        self.link(&item.path, &item.title)
    }

    /// The relative path of what a token refers to.
    pub fn meaning(&self, meaning: &TokenTarget) -> Option<String> {
        let path = match meaning {
            TokenTarget::Entry(at) => self.site.items[*at].path.clone(),
            TokenTarget::Function(pack, at) => self.site.function_path((*pack, *at)),
            TokenTarget::Kind(kind) => self.site.kind_path(kind)?,
            TokenTarget::Path(path) => path.clone(),
        };
        Some(self.to(&path))
    }

    /// The name of an event or query, as a link if it is known.
    pub fn event_link(&self, by: u16, name: &str) -> Html {
        let bare = name.strip_prefix("self_").unwrap_or(name);
        let own = self
            .site
            .named(by, bare, &["event", "query"])
            .map(|at| self.site.items[at].path.clone());
        match native(bare).or(own) {
            Some(path) => self.link(&path, name),
            None => name.into(),
        }
    }
}

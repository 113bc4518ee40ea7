//! The places where the entries of a TOML file can be broken.

use std::collections::BTreeSet;
use std::ops::Range;

use super::game_words::{GameWords, OUTSIDE_GAME};
use super::script_sites::{self, MutableScript, near};
use super::site::{MutationKind, MutationSite, Reach};
use crate::diagnostic::{FileId, Report, Span};
use crate::pack::{
    Entry, EntryNature, FieldSpec, Kind, Pack, PackSet, TomlNode, TomlPair, TomlShape, TomlTable,
    Type, body, common, parse_on_large_stack,
};

/// Fields that decide what players see, not what happens.
const PRESENTATION: [&str; 6] = ["default", "order", "outcomes", "quiet", "quiet_of", "rules"];
/// Fields that may be left out.
const OPTIONAL: [&str; 5] = ["cost", "in", "limit", "once", "when"];
/// A reference is replaced by one of this many other entries.
const MAX_OTHERS: usize = 8;

/// Finds the places of a file.
pub(super) fn find(
    set: &PackSet,
    pack: u16,
    file: FileId,
    words: &GameWords,
    out: &mut Vec<MutationSite>,
) {
    let (table, _) = parse_on_large_stack(&set.files, file, &mut Report::new());
    let mut finder = EntrySites {
        set,
        pack,
        file,
        text: set.files.text(file),
        words,
        entry: None,
        is_own_kind: false,
        out,
    };
    let mut starts: Vec<usize> = blocks(&table).map(|(_, node)| start_of(node)).collect();
    starts.push(finder.text.len());
    starts.sort_unstable();
    for (key, node) in blocks(&table) {
        let start = start_of(node);
        let end = starts.iter().copied().find(|other| *other > start);
        finder.block(key, node, start..end.unwrap_or(finder.text.len()));
    }
}

/// The blocks of a file, each with its key.
fn blocks(table: &TomlTable) -> impl Iterator<Item = (&str, &TomlNode)> {
    let pairs = table.pairs.iter();
    pairs.flat_map(|pair| {
        pair.node
            .items()
            .iter()
            .map(|node| (pair.key.as_str(), node))
    })
}

fn start_of(node: &TomlNode) -> usize {
    node.span.start as usize
}

struct EntrySites<'a, 'o> {
    set: &'a PackSet,
    pack: u16,
    file: FileId,
    text: &'a str,
    words: &'a GameWords,
    /// The full name of the entry.
    entry: Option<String>,
    /// Whether a pack declares the kind of the entry.
    is_own_kind: bool,
    out: &'o mut Vec<MutationSite>,
}

impl<'a> EntrySites<'a, '_> {
    fn kind(&self, id: &str) -> Option<&'a Kind> {
        self.set.kinds_of(self.pack).find(|kind| kind.id == id)
    }

    fn block(&mut self, key: &str, node: &TomlNode, extent: Range<usize>) {
        let Some(table) = node.as_table() else { return };
        if key == "patch" {
            self.patch(table);
            return;
        }
        let Some(kind) = self.kind(key).filter(|_| !OUTSIDE_GAME.contains(&key)) else {
            return;
        };
        let is_here =
            |span: Span| span.file == self.file && extent.contains(&(span.start as usize));
        let own = &self.set.packs[usize::from(self.pack)];
        let found = own
            .entries()
            .find(|entry| entry.kind == key && is_here(entry.span));
        self.entry = found.map(Entry::full_name);
        self.is_own_kind = kind.pack.is_some();
        let has_script = found.is_some_and(|entry| {
            let mut found = false;
            for field in &entry.fields {
                field
                    .value
                    .each(&mut |value| found |= value.as_script().is_some());
            }
            found
        });
        let counts = kind.is != EntryNature::Data || has_script || key == "route";
        if counts && key != "mode" && self.text[extent.start..].starts_with("[[") {
            self.entry_left_out(extent);
        }
        self.fields(table, &kind.fields, Some(kind));
    }

    /// Leaves out an entry, but not the comments above the next one.
    fn entry_left_out(&mut self, extent: Range<usize>) {
        let start = extent.start;
        let (mut at, mut end) = (start, start);
        for line in self.text[extent].split_inclusive('\n') {
            at += line.len();
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                end = at;
            }
        }
        self.push(MutationKind::Entry, start..end, vec![String::new()]);
    }

    /// The changes of a `[[patch]]` that set fields.
    fn patch(&mut self, table: &TomlTable) {
        let name = table.get("entry").and_then(|pair| pair.node.as_text());
        let own = &self.set.packs[usize::from(self.pack)];
        let target = own
            .patches
            .iter()
            .find(|patch| {
                patch.span.file == self.file
                    && table.get("entry").is_some_and(|pair| {
                        (pair.node.span.start..=pair.node.span.end).contains(&patch.span.start)
                    })
            })
            .and_then(|patch| self.set.resolve(&patch.entry));
        let Some(target) = target.filter(|_| name.is_some()) else {
            return;
        };
        let Some(kind) = self.kind(&target.kind) else {
            return;
        };
        if OUTSIDE_GAME.contains(&target.kind.as_str()) {
            return;
        }
        self.entry = Some(target.full_name());
        self.is_own_kind = kind.pack.is_some();
        if let Some(fields) = table.get("set").and_then(|pair| pair.node.as_table()) {
            self.fields(fields, &kind.fields, Some(kind));
        }
    }

    fn fields(&mut self, table: &TomlTable, specs: &[FieldSpec], kind: Option<&Kind>) {
        let shared = kind.map_or(&[][..], |_| common());
        for pair in &table.pairs {
            let own = specs.iter().find(|spec| spec.name == pair.key);
            let Some(spec) = own.or_else(|| shared.iter().find(|spec| spec.name == pair.key))
            else {
                continue;
            };
            let is_read = own.is_none() || !self.is_own_kind || self.words.has(&pair.key);
            let is_shown =
                PRESENTATION.contains(&pair.key.as_str()) && (own.is_none() || !self.is_own_kind);
            let is_script = matches!(
                spec.ty,
                Type::Script | Type::Map(_) | Type::Face | Type::Cost
            );
            if is_shown || !is_read && !is_script {
                continue;
            }
            if matches!(spec.ty, Type::Script) && kind.is_some() {
                self.hook(pair);
            } else if OPTIONAL.contains(&pair.key.as_str()) {
                self.left_out(MutationKind::Field, pair);
            }
            self.value(&pair.node, &spec.ty, kind);
        }
    }

    fn value(&mut self, node: &TomlNode, ty: &Type, kind: Option<&Kind>) {
        match (ty, &node.shape) {
            (Type::Int { min, max }, TomlShape::Int(number)) => {
                let mut news = near(*number);
                news.retain(|new| {
                    let new: i64 = new.parse().unwrap_or(*number);
                    min.is_none_or(|min| new >= min) && max.is_none_or(|max| new <= max)
                });
                self.replace(MutationKind::Figure, node, news);
            }
            (Type::Bool, TomlShape::Bool(yes)) => {
                self.replace(MutationKind::Boolean, node, vec![(!yes).to_string()]);
            }
            (Type::Enum(values), TomlShape::Text(text)) => {
                let others = values.iter().filter(|value| *value != text);
                let news = others.map(|value| format!("{value:?}")).collect();
                self.replace(MutationKind::Word, node, news);
            }
            (Type::Ref(to), TomlShape::Text(text)) => {
                let news = self.others(text, to);
                self.replace(MutationKind::Reference, node, news);
            }
            (Type::List(of), TomlShape::List(items)) => self.list(items, of, kind),
            (Type::List(of), _) => self.value(node, of, kind),
            (Type::Table(specs), TomlShape::Table(table)) => self.fields(table, specs, None),
            (Type::Map(of), TomlShape::Table(table)) => {
                for pair in &table.pairs {
                    if matches!(**of, Type::Script) {
                        self.hook(pair);
                    }
                    self.value(&pair.node, of, None);
                }
            }
            (Type::Face, TomlShape::Table(table)) => {
                for face in table.pairs.iter().filter_map(|pair| pair.node.as_table()) {
                    let specs = kind.map_or(&[][..], |kind| &kind.fields);
                    self.fields(face, specs, kind);
                }
            }
            (Type::Script, TomlShape::Text(_)) => self.script(node),
            (Type::Cost | Type::Bound | Type::Any, _) => self.untyped(node, ty),
            _ => {}
        }
    }

    fn list(&mut self, items: &[TomlNode], of: &Type, kind: Option<&Kind>) {
        if let Type::List(inner) = of
            && matches!(**inner, Type::Ref(_))
        {
            for row in items {
                for pair in row.items().windows(2) {
                    self.swapped(&pair[0], &pair[1]);
                }
            }
            return;
        }
        for item in items {
            let is_name = item.as_text().is_some_and(|text| !self.words.has(text));
            if !(matches!(of, Type::String) && is_name) {
                self.item_left_out(item);
            }
            self.value(item, of, kind);
        }
    }

    /// A value whose parts have no declared types.
    fn untyped(&mut self, node: &TomlNode, ty: &Type) {
        match &node.shape {
            TomlShape::Int(number) => self.replace(MutationKind::Figure, node, near(*number)),
            TomlShape::Bool(yes) => {
                self.replace(MutationKind::Boolean, node, vec![(!yes).to_string()]);
            }
            TomlShape::Text(_) if matches!(ty, Type::Cost) => self.script(node),
            TomlShape::List(items) => {
                for item in items {
                    self.item_left_out(item);
                    self.untyped(item, ty);
                }
            }
            TomlShape::Table(table) => {
                table
                    .pairs
                    .iter()
                    .for_each(|pair| self.untyped(&pair.node, ty));
            }
            TomlShape::Text(_) | TomlShape::Foreign(_) => {}
        }
    }

    /// The names of other entries of the same kind.
    fn others(&self, text: &str, to: &[String]) -> Vec<String> {
        let id = text.trim_start_matches('!');
        let id = id.rsplit([':', '/']).next().unwrap_or(id);
        let packs = || self.set.packs.iter();
        let found = packs()
            .flat_map(Pack::entries)
            .find(|entry| entry.id == id && self.is_of(entry.kind.as_str(), to));
        let Some(found) = found else {
            return Vec::new();
        };
        let same = packs()
            .flat_map(Pack::entries)
            .filter(|other| other.kind == found.kind && other.pack == found.pack);
        let names: BTreeSet<&str> = same.map(|other| other.id.as_str()).collect();
        let before = names.range(..id).next_back();
        let after = names.range(id..).filter(|other| **other != id);
        let others = before.into_iter().chain(after).take(MAX_OTHERS);
        let prefix = &text[..text.len() - id.len()];
        others.map(|other| format!("\"{prefix}{other}\"")).collect()
    }

    fn is_of(&self, kind: &str, to: &[String]) -> bool {
        let nature = |word: &str| {
            self.kind(kind)
                .is_some_and(|kind| kind.is.word() == word && word != "data")
        };
        to.is_empty() || to.iter().any(|word| word == kind || nature(word))
    }

    fn script(&mut self, node: &TomlNode) {
        let Some(at) = body(&self.set.files, node.span) else {
            return;
        };
        let script = MutableScript {
            files: &self.set.files,
            file: self.file,
            start: at.start as usize,
            text: self.set.files.slice(at),
            entry: Some(self.entry.as_deref().unwrap_or_default()),
        };
        if script_sites::find(&script, &|_| true, self.out) {
            // It only shows texts, so leaving it out changes nothing but texts.
            let end = node.span.end as usize;
            let is_whole = |site: &MutationSite| {
                site.kind == MutationKind::Hook && site.file == self.file && site.at.end == end
            };
            self.out.retain(|site| !is_whole(site));
        }
    }

    fn hook(&mut self, pair: &TomlPair) {
        let from = self.out.len();
        self.left_out(MutationKind::Hook, pair);
        let line = |at: usize| {
            let span = Span::new(self.file, at, at);
            self.set.files.line_col(span).0
        };
        let inside = body(&self.set.files, pair.node.span);
        if let (Some(site), Some(inside)) = (self.out.get_mut(from), inside) {
            let lines = (line(inside.start as usize), line(inside.end as usize));
            site.reach = Reach::Anything(Some(lines));
        }
    }

    fn push(&mut self, kind: MutationKind, at: Range<usize>, news: Vec<String>) {
        if news.is_empty() {
            return;
        }
        self.out.push(MutationSite {
            kind,
            file: self.file,
            at,
            news,
            reach: Reach::Anything(None),
            entry: self.entry.clone(),
            statement: None,
        });
    }

    fn replace(&mut self, kind: MutationKind, node: &TomlNode, news: Vec<String>) {
        let at = node.span.start as usize..node.span.end as usize;
        self.push(kind, at, news);
    }

    fn swapped(&mut self, left: &TomlNode, right: &TomlNode) {
        let at = left.span.start as usize..right.span.end as usize;
        let between = &self.text[left.span.end as usize..right.span.start as usize];
        let slice = |node: &TomlNode| self.set.files.slice(node.span);
        let new = format!("{}{between}{}", slice(right), slice(left));
        self.push(MutationKind::Order, at, vec![new]);
    }

    /// Leaves out a key with its value.
    fn left_out(&mut self, kind: MutationKind, pair: &TomlPair) {
        let (start, end) = (pair.at.start as usize, pair.node.span.end as usize);
        let line = self.text[..start].rfind('\n').map_or(0, |found| found + 1);
        let before = &self.text[line..start];
        let is_key = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ' ' | '\t');
        let at = if before.chars().all(is_key) {
            line..end
        } else {
            self.with_comma(start, end)
        };
        self.push(kind, at, vec![String::new()]);
    }

    fn item_left_out(&mut self, item: &TomlNode) {
        let at = self.with_comma(item.span.start as usize, item.span.end as usize);
        self.push(MutationKind::Item, at, vec![String::new()]);
    }

    /// A part of a list or an inline table, with the comma after it or before it.
    fn with_comma(&self, start: usize, end: usize) -> Range<usize> {
        let rest = &self.text[end..];
        let blank = rest.len() - rest.trim_start().len();
        if rest.trim_start().starts_with(',') {
            let past = end + blank + 1;
            let gap = self.text[past..].bytes().take_while(|byte| *byte == b' ');
            return start..past + gap.count();
        }
        let before = self.text[..start].trim_end();
        match before.strip_suffix(',') {
            Some(kept) => kept.len()..end,
            None => start..end,
        }
    }
}

//! The source of a pack: files, entries, fields and scripts, each with its position in the text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::{env, fs};

use kaer::content::events;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::schema::{Declared, Schema};
use super::script::Script;

pub struct Book {
    pub files: Vec<File>,
    pub entries: Vec<Entry>,
    pub fields: Vec<Field>,
    pub scripts: Vec<Script>,
    /// Every word in the pack: a misspelt word must not be one of them.
    pub words: BTreeSet<String>,
    pub schema: Schema,
    /// The functions of the pack.
    pub functions: BTreeSet<String>,
    /// The possible argument counts of each function, the engine's and the pack's; the receiver of
    /// a method counts.
    pub counts: BTreeMap<String, Vec<usize>>,
}

pub struct File {
    /// The path in the pack.
    pub name: String,
    pub text: String,
}

pub struct Entry {
    pub file: usize,
    pub kind: String,
    pub id: String,
    /// From the `[` of its header to the end of its last line.
    pub at: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Text,
    Number,
    Bool,
    List,
    Table,
}

pub struct Field {
    pub entry: usize,
    pub file: usize,
    /// The names that lead to it; list elements have a number.
    pub path: Vec<String>,
    /// Its key; empty for list elements.
    pub key: Range<usize>,
    pub value: Range<usize>,
    pub shape: Shape,
    pub declared: Option<Declared>,
}

impl Field {
    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// Whether it has a key of its own.
    pub fn is_keyed(&self) -> bool {
        !self.key.is_empty()
    }

    /// Whether it is declared with this type.
    pub fn is(&self, name: &str) -> bool {
        self.declared
            .as_ref()
            .is_some_and(|declared| declared.is(name))
    }

    /// Whether it is directly below a field of that name: `answer.damage`,
    /// `face.trophy.on.before_pool`.
    pub fn is_below(&self, name: &str) -> bool {
        let path = if self.path[0] == "face" {
            self.path.get(2..).unwrap_or_default()
        } else {
            &self.path[..]
        };
        path.len() == 2 && path[0] == name
    }
}

impl Book {
    pub fn read(folder: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = Vec::new();
        collect(&root, &root, &mut files);
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let kinds = files
            .iter()
            .find(|file| file.name == "kinds.toml")
            .expect("the pack declares kinds");
        let schema = Schema::new(&kinds.text);
        let mut book = Self {
            files,
            entries: Vec::new(),
            fields: Vec::new(),
            scripts: Vec::new(),
            words: BTreeSet::new(),
            schema,
            functions: BTreeSet::new(),
            counts: BTreeMap::new(),
        };
        book.words
            .extend(book.schema.kinds().map(str::to_owned).collect::<Vec<_>>());
        for list in [events::on::EVENTS, events::ask::QUERIES] {
            book.words.extend(
                list.iter()
                    .flat_map(|native| native.provides.split(' ').chain([native.name]))
                    .map(str::to_owned),
            );
        }
        for file in 0..book.files.len() {
            let text = book.files[file].text.clone();
            let is_part = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
            book.words.extend(text.split(is_part).map(str::to_owned));
            book.words.extend(
                text.split(|c: char| is_part(c) || c == '-')
                    .map(str::to_owned),
            );
            if book.files[file].name.ends_with(".rhai") {
                book.scripts
                    .push(Script::new(file, None, &text, 0..text.len()));
            } else {
                book.read_toml(file, &text);
            }
        }
        book.count_arguments();
        book
    }

    fn count_arguments(&mut self) {
        let mut own = Vec::new();
        for view in self.views() {
            let count = |params: Range<usize>| params.filter(|ix| view.is_word(*ix)).count();
            own.extend(
                view.functions()
                    .into_iter()
                    .map(|it| (view.word(it.name).to_owned(), count(it.params))),
            );
        }
        self.functions = own.iter().map(|(name, _)| name.clone()).collect();
        for primitive in kaer::script::primitives() {
            let (name, rest) = primitive
                .signature
                .split_once('(')
                .unwrap_or((&primitive.name, ""));
            own.push((name.to_owned(), rest.matches(": ").count()));
            self.words.insert(primitive.name.clone());
        }
        own.into_iter()
            .for_each(|(name, count)| self.counts.entry(name).or_default().push(count));
    }

    fn read_toml(&mut self, file: usize, text: &str) {
        let table = DeTable::parse(text).expect("a file of the pack is TOML");
        for (kind, list) in table.get_ref() {
            let Some(list) = list.get_ref().as_array() else {
                continue;
            };
            let header = format!("[[{}]]", kind.get_ref());
            let starts =
                line_starts(text).filter(|at| text[*at..].lines().next() == Some(header.as_str()));
            for (start, entry) in starts.zip(list.iter()) {
                let Some(fields) = entry.get_ref().as_table() else {
                    continue;
                };
                let id = fields
                    .get("id")
                    .and_then(|id| id.get_ref().as_str())
                    .unwrap_or("")
                    .to_owned();
                let kind = kind.get_ref().clone().into_owned();
                self.entries.push(Entry {
                    file,
                    kind,
                    id,
                    at: start..block_end(text, start),
                });
                self.read_fields(file, text, &[], fields);
            }
        }
    }

    fn read_fields(&mut self, file: usize, text: &str, path: &[String], table: &DeTable) {
        for (key, value) in table {
            let path = [path, &[key.get_ref().clone().into_owned()]].concat();
            self.read_value(file, text, &path, key.span(), value);
        }
    }

    fn read_value(
        &mut self,
        file: usize,
        text: &str,
        path: &[String],
        key: Range<usize>,
        value: &Spanned<DeValue>,
    ) {
        let entry = self.entries.len() - 1;
        let at = value.span();
        let shape = match value.get_ref() {
            DeValue::Integer(_) => Shape::Number,
            DeValue::Boolean(_) => Shape::Bool,
            DeValue::Array(_) => Shape::List,
            DeValue::Table(_) => Shape::Table,
            _ => Shape::Text,
        };
        let declared = self.schema.field(&self.entries[entry].kind, path);
        self.fields.push(Field {
            entry,
            file,
            path: path.to_vec(),
            key,
            value: at.clone(),
            shape,
            declared,
        });
        if shape == Shape::Text && text[at.clone()].starts_with('\'') {
            let marks = if text[at.clone()].starts_with("'''") {
                3
            } else {
                1
            };
            let inner = at.start + marks..at.end - marks;
            self.scripts
                .push(Script::new(file, Some(self.fields.len() - 1), text, inner));
        }
        match value.get_ref() {
            DeValue::Table(table) => self.read_fields(file, text, path, table),
            DeValue::Array(list) => {
                for (ix, value) in list.iter().enumerate() {
                    let path = [path, &[ix.to_string()]].concat();
                    self.read_value(file, text, &path, 0..0, value);
                }
            }
            _ => {}
        }
    }

    pub fn text(&self, file: usize) -> &str {
        &self.files[file].text
    }

    pub fn file(&self, name: &str) -> usize {
        self.files
            .iter()
            .position(|file| file.name == name)
            .unwrap_or_else(|| panic!("no file {name}"))
    }

    /// The range inside the quotation marks of a field.
    pub fn inside(&self, field: &Field) -> Option<Range<usize>> {
        let raw = &self.text(field.file)[field.value.clone()];
        let marks = if raw.starts_with("\"\"\"") {
            3
        } else {
            usize::from(raw.starts_with('"'))
        };
        (field.shape == Shape::Text && marks > 0)
            .then(|| field.value.start + marks..field.value.end - marks)
    }

    pub fn entry(&self, field: &Field) -> &Entry {
        &self.entries[field.entry]
    }

    /// The field of an entry at a path.
    pub fn field(&self, entry: usize, path: &[&str]) -> Option<&Field> {
        self.fields
            .iter()
            .find(|field| field.entry == entry && field.path == path)
    }

    /// The whole field, to remove it: its lines, or its part of an inline table.
    pub fn whole(&self, field: &Field) -> Option<Range<usize>> {
        let text = self.text(field.file);
        let line = text[..field.key.start].rfind('\n').map_or(0, |at| at + 1);
        let end = field.value.end;
        if line == field.key.start
            && text[end..].starts_with('\n')
            && field.key.end < field.value.start
        {
            return Some(line..end + 1);
        }
        if text[end..].starts_with(", ") && text[..field.key.start].ends_with("{ ") {
            return Some(field.key.start..end + 2);
        }
        text[..field.key.start]
            .ends_with(", ")
            .then(|| field.key.start - 2..end)
    }

    /// The position of the header above a position.
    pub fn header_above(&self, file: usize, at: usize) -> usize {
        let text = self.text(file);
        let is_header = |at: &usize| text[*at..].starts_with('[');
        line_starts(text)
            .take_while(|start| *start <= at)
            .filter(is_header)
            .last()
            .unwrap_or(0)
    }

    /// The script of a field.
    pub fn script_of(&self, field: &Field) -> Option<&Script> {
        let own = |script: &&Script| {
            script.file == field.file
                && script.at.start >= field.value.start
                && script.at.end <= field.value.end
        };
        self.scripts.iter().find(own)
    }
}

/// Where the lines of a text begin.
pub fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .filter(|at| *at < text.len())
}

/// Where an entry's last line ends: before the header of the next entry and the comment above it.
fn block_end(text: &str, start: usize) -> usize {
    let is_header = |line: &str| line.starts_with("[[") && !line.contains('.');
    let mut end = start;
    for at in line_starts(text).filter(|at| *at >= start) {
        let line = text[at..].lines().next().unwrap_or("");
        if at > start && is_header(line) {
            break;
        }
        if !line.is_empty() && !line.starts_with('#') {
            end = at + line.len() + 1;
        }
    }
    end.min(text.len())
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<File>) {
    for item in fs::read_dir(folder)
        .expect("the folder is readable")
        .flatten()
    {
        let path = item.path();
        if path.is_dir() {
            // Cases are not part of the game.
            if path != root.join("tests") {
                collect(root, &path, files);
            }
        } else if path
            .extension()
            .is_some_and(|end| end == "toml" || end == "rhai")
        {
            let name = path
                .strip_prefix(root)
                .expect("the file is in the pack")
                .to_string_lossy()
                .replace('\\', "/");
            files.push(File {
                name,
                text: fs::read_to_string(&path).expect("a file of the pack is text"),
            });
        }
    }
}

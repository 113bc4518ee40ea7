//! A TOML file as a list of keys and values, each with its path and byte range, in file order.

use toml_parser::decoder::Encoding;
use toml_parser::parser::{Event, EventKind, parse_document};
use toml_parser::{ParseError, Source};

/// A key or a value.
#[derive(Clone, Debug)]
pub(super) struct TomlItem {
    /// The keys that lead to it; for a key, including itself.
    pub path: Vec<String>,
    /// The number of the block that contains it. Each entry is a block.
    pub block: usize,
    /// Its byte range, without the quotes of a key.
    pub start: usize,
    pub end: usize,
    pub kind: TomlItemKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TomlItemKind {
    Key,
    /// A text, and the length of its quotes on each side in bytes.
    Text {
        quotes: usize,
        escapes: bool,
    },
    /// A number, a boolean or a date.
    Other,
}

/// Parses a file.
///
/// # Errors
/// Returns the first syntax error, with its offset.
pub(super) fn read(text: &str) -> Result<Vec<TomlItem>, (String, usize)> {
    let source = Source::new(text);
    let tokens: Vec<_> = source.lex().collect();
    let mut reader = TomlItemReader {
        source,
        items: Vec::new(),
        table: Vec::new(),
        block: 0,
        blocks: 0,
        key: Vec::new(),
        key_items: Vec::new(),
        nested: Vec::new(),
        header: None,
    };
    let mut error: Option<ParseError> = None;
    parse_document(&tokens, &mut |event: Event| reader.take(event), &mut error);
    match error {
        Some(error) => {
            let at = error.unexpected().map_or(0, |span| span.start());
            Err((error.description().to_owned(), at))
        }
        None => Ok(reader.items),
    }
}

struct TomlItemReader<'t> {
    source: Source<'t>,
    items: Vec<TomlItem>,
    /// The path of the last header.
    table: Vec<String>,
    block: usize,
    blocks: usize,
    /// The parts of the current key.
    key: Vec<String>,
    key_items: Vec<usize>,
    /// The paths of open inline tables and arrays.
    nested: Vec<Vec<String>>,
    /// The header that is being parsed, if any, and whether it begins an entry.
    header: Option<bool>,
}

impl TomlItemReader<'_> {
    fn take(&mut self, event: Event) {
        match event.kind() {
            EventKind::StdTableOpen => self.open_header(false),
            EventKind::ArrayTableOpen => self.open_header(true),
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.close_header(),
            EventKind::SimpleKey => self.simple_key(event),
            EventKind::KeyValSep => self.finish_key(),
            EventKind::InlineTableOpen | EventKind::ArrayOpen => {
                let path = self.path();
                self.nested.push(path);
                self.key.clear();
            }
            EventKind::InlineTableClose | EventKind::ArrayClose => {
                // The items that follow in the same array have the path of the array.
                self.nested.pop();
                self.key.clear();
            }
            EventKind::ValueSep | EventKind::Newline if self.nested.is_empty() => self.key.clear(),
            EventKind::ValueSep => self.key.clear(),
            EventKind::Scalar => self.scalar(event),
            _ => {}
        }
    }

    /// The path of the current item: that of the enclosing table, and the key.
    fn path(&self) -> Vec<String> {
        let enclosing = self.nested.last().unwrap_or(&self.table);
        enclosing.iter().chain(&self.key).cloned().collect()
    }

    fn open_header(&mut self, is_list: bool) {
        self.header = Some(is_list);
        self.table.clear();
        self.key.clear();
        self.key_items.clear();
        self.nested.clear();
    }

    fn close_header(&mut self) {
        let begins = self.header.take().unwrap_or(false) && self.key.len() == 1;
        let same = self.key_items.first().is_some_and(|first| {
            let head = &self.items[*first].path[0];
            self.items[..*first]
                .iter()
                .rev()
                .find(|item| item.block == self.block)
                .is_some_and(|item| item.path[0] == *head)
        });
        if begins || !same {
            self.blocks += 1;
            self.block = self.blocks;
        }
        for item in std::mem::take(&mut self.key_items) {
            self.items[item].block = self.block;
        }
        self.table = std::mem::take(&mut self.key);
    }

    fn simple_key(&mut self, event: Event) {
        let span = event.span();
        let raw = self.source.get(span).map_or("", |raw| raw.as_str());
        let quotes = usize::from(event.encoding().is_some());
        let name = raw[quotes..raw.len() - quotes].to_owned();
        self.key.push(name);
        let path = if self.header.is_some() {
            self.key.clone()
        } else {
            self.path()
        };
        self.key_items.push(self.items.len());
        self.items.push(TomlItem {
            path,
            block: self.block,
            start: span.start() + quotes,
            end: span.end() - quotes,
            kind: TomlItemKind::Key,
        });
    }

    fn finish_key(&mut self) {
        self.key_items.clear();
    }

    fn scalar(&mut self, event: Event) {
        let span = event.span();
        let what = match event.encoding() {
            None => TomlItemKind::Other,
            Some(encoding) => TomlItemKind::Text {
                quotes: match encoding {
                    Encoding::LiteralString | Encoding::BasicString => 1,
                    Encoding::MlLiteralString | Encoding::MlBasicString => 3,
                },
                escapes: matches!(encoding, Encoding::BasicString | Encoding::MlBasicString),
            },
        };
        self.items.push(TomlItem {
            path: self.path(),
            block: self.block,
            start: span.start(),
            end: span.end(),
            kind: what,
        });
    }
}

/// The content of a text, and the position of each of its bytes in the file.
pub(super) fn decoded(text: &str, item: &TomlItem) -> Option<(String, Vec<usize>)> {
    let TomlItemKind::Text { quotes, escapes } = item.kind else {
        return None;
    };
    let (start, end) = (item.start + quotes, item.end - quotes);
    let raw = text.get(start..end)?;
    let mut out = String::with_capacity(raw.len());
    let mut at = Vec::with_capacity(raw.len() + 1);
    let mut chars = raw.char_indices().peekable();
    while let Some((ix, c)) = chars.next() {
        let mut put = |c: char| {
            at.extend(std::iter::repeat_n(start + ix, c.len_utf8()));
            out.push(c);
        };
        if c != '\\' || !escapes {
            put(c);
            continue;
        }
        let (_, escape) = chars.next()?;
        let digits = match escape {
            'n' => Err('\n'),
            't' => Err('\t'),
            'r' => Err('\r'),
            'b' => Err('\u{8}'),
            'f' => Err('\u{c}'),
            'e' => Err('\u{1b}'),
            'x' => Ok(2),
            'u' => Ok(4),
            'U' => Ok(8),
            c if c.is_whitespace() => {
                while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
                continue;
            }
            c => Err(c),
        };
        match digits {
            Err(c) => put(c),
            Ok(count) => {
                let hex: String = chars.by_ref().take(count).map(|(_, c)| c).collect();
                put(char::from_u32(u32::from_str_radix(&hex, 16).ok()?)?);
            }
        }
    }
    at.push(end);
    Some((out, at))
}

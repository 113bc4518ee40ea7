//! TOML as a tree in which every value has a span.
//!
//! This is the only file of the module that uses the `toml` crate, so that another parser could
//! replace it.

use std::borrow::Cow;

use toml::de::{DeTable, DeValue, Error};

use crate::diagnostic::{Diagnostic, FileId, Files, Report, Span};

use super::large_stack;

/// The maximum number of errors reported for a file, so that one broken file does not hide others.
const MAX_ERRORS_PER_FILE: usize = 20;

/// The maximum depth of nested tables; deeper ones could exhaust the stack.
const MAX_DEPTH: usize = 48;

/// A value and its span.
#[derive(Clone, Debug)]
pub(crate) struct TomlNode {
    pub span: Span,
    pub shape: TomlShape,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum TomlShape {
    Int(i64),
    Bool(bool),
    Text(String),
    List(Vec<TomlNode>),
    Table(TomlTable),
    /// A TOML type that packs do not use, as a phrase: a date, a decimal number.
    Foreign(&'static str),
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct TomlTable {
    pub pairs: Vec<TomlPair>,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub(crate) struct TomlPair {
    pub key: String,
    pub at: Span,
    pub node: TomlNode,
}

impl TomlTable {
    pub fn get(&self, key: &str) -> Option<&TomlPair> {
        self.pairs.iter().find(|pair| pair.key == key)
    }
}

impl TomlNode {
    /// The type as a phrase, for messages.
    pub fn type_phrase(&self) -> &'static str {
        match &self.shape {
            TomlShape::Int(_) => "a number",
            TomlShape::Bool(_) => "true or false",
            TomlShape::Text(_) => "text",
            TomlShape::List(_) => "a list",
            TomlShape::Table(_) => "a table",
            TomlShape::Foreign(phrase) => phrase,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        if let TomlShape::Text(text) = &self.shape {
            Some(text)
        } else {
            None
        }
    }

    pub fn as_table(&self) -> Option<&TomlTable> {
        if let TomlShape::Table(table) = &self.shape {
            Some(table)
        } else {
            None
        }
    }

    /// The items of a list; a single value counts as a list with one item.
    pub fn items(&self) -> &[TomlNode] {
        if let TomlShape::List(list) = &self.shape {
            list
        } else {
            std::slice::from_ref(self)
        }
    }
}

/// Parses a file. Reports errors, and returns what could be parsed.
///
/// The flag is false if the file has errors. Missing entries of a broken file are not reported.
pub(super) fn parse(files: &Files, file: FileId, report: &mut Report) -> (TomlTable, bool) {
    let mut reading = ParseAttempt::new(files.text(file), file);
    let mut text = Cow::Borrowed(files.text(file));
    let mut stops = Vec::new();
    while let Some(stop) = reading
        .take_stop()
        .filter(|_| stops.len() < MAX_ERRORS_PER_FILE)
    {
        text = Cow::Owned(without_line(&text, stop.span().map_or(0, |at| at.start)));
        reading = ParseAttempt::new(&text, file);
        stops.push(stop);
    }
    for error in stops
        .iter()
        .chain(&reading.errors)
        .take(MAX_ERRORS_PER_FILE)
    {
        syntax_fault(file, error, report);
    }
    if let Some(span) = reading.too_deep {
        Diagnostic::fatal(span, "toml-syntax", "tables nested too deeply")
            .help(format!(
                "nest tables and lists at most {MAX_DEPTH} levels deep"
            ))
            .push(report);
    }
    let valid = stops.is_empty() && reading.errors.is_empty() && reading.too_deep.is_none();
    (reading.table, valid)
}

/// Whether a text is certainly shallow enough to parse on any stack. Brackets in strings count too.
pub(super) fn is_shallow(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut dots = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'.' => dots += 1,
            b'\n' => dots = 0,
            _ => {}
        }
        if depth > MAX_DEPTH || dots > 4 * MAX_DEPTH {
            return false;
        }
    }
    true
}

/// [`parse`] for callers on a thread with a small stack.
pub(crate) fn parse_on_large_stack(
    files: &Files,
    file: FileId,
    report: &mut Report,
) -> (TomlTable, bool) {
    let (parsed, faults) = large_stack::on_large_stack(files.text(file), || {
        let mut faults = Report::new();
        (parse(files, file, &mut faults), faults)
    });
    report.extend(faults);
    parsed
}

/// The result of parsing a text once.
struct ParseAttempt {
    table: TomlTable,
    errors: Vec<Error>,
    too_deep: Option<Span>,
}

impl ParseAttempt {
    fn new(text: &str, file: FileId) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut builder = TreeBuilder {
            file,
            too_deep: None,
        };
        let table = builder.table(root.into_inner(), 0);
        Self {
            table,
            errors,
            too_deep: builder.too_deep,
        }
    }

    /// The error that stopped the parser: after a key without a value, it skips the rest of the
    /// file.
    fn take_stop(&mut self) -> Option<Error> {
        let at = self
            .errors
            .iter()
            .position(|error| error.message().contains("key with no value"))?;
        Some(self.errors.swap_remove(at))
    }
}

/// Replaces one line with spaces, so that all offsets stay the same.
fn without_line(text: &str, at: usize) -> String {
    let at = at.min(text.len());
    let bytes = text.as_bytes();
    let start = bytes[..at]
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |found| found + 1);
    let end = bytes[at..]
        .iter()
        .position(|b| *b == b'\n')
        .map_or(text.len(), |found| at + found);
    let (before, line, after) = (text.get(..start), text.get(start..end), text.get(end..));
    [
        before.unwrap_or(""),
        &" ".repeat(line.map_or(0, str::len)),
        after.unwrap_or(""),
    ]
    .concat()
}

fn syntax_fault(file: FileId, error: &Error, report: &mut Report) {
    let at = error.span().unwrap_or(0..0);
    let span = Span::new(file, at.start, at.end);
    Diagnostic::fatal(
        span,
        "toml-syntax",
        format!("invalid TOML: {}", error.message()),
    )
    .label("here")
    .maybe_help(syntax_help(error.message()))
    .push(report);
}

fn syntax_help(message: &str) -> Option<String> {
    let help = if message.contains("duplicate key") {
        "this key already has a value; keep one of the two"
    } else if message.contains("string") || message.contains("quote") {
        "put text in double quotes, and scripts in '…' or between two lines of '''"
    } else if message.contains("assignment")
        || message.contains("key with no value")
        || message.contains("`=`")
    {
        "write a key and a value, as in: level = 2"
    } else {
        return None;
    };
    Some(help.to_owned())
}

struct TreeBuilder {
    file: FileId,
    too_deep: Option<Span>,
}

impl TreeBuilder {
    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    fn table(&mut self, table: DeTable<'_>, depth: usize) -> TomlTable {
        let mut pairs: Vec<TomlPair> = Vec::with_capacity(table.len());
        for (key, value) in table {
            let at = self.span(key.span());
            let span = self.span(value.span());
            let shape = self.shape(value.into_inner(), span, depth);
            pairs.push(TomlPair {
                key: key.into_inner().into_owned(),
                at,
                node: TomlNode { span, shape },
            });
        }
        pairs.sort_by_key(|pair| pair.at.start);
        TomlTable { pairs }
    }

    fn shape(&mut self, value: DeValue<'_>, span: Span, depth: usize) -> TomlShape {
        match value {
            DeValue::String(text) => TomlShape::Text(text.into_owned()),
            DeValue::Integer(number) => {
                match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => TomlShape::Int(number),
                    Err(_) => TomlShape::Foreign("a number that is too large"),
                }
            }
            DeValue::Boolean(yes) => TomlShape::Bool(yes),
            DeValue::Float(_) => TomlShape::Foreign("a decimal number"),
            DeValue::Datetime(_) => TomlShape::Foreign("a date or time"),
            DeValue::Array(_) | DeValue::Table(_) if depth >= MAX_DEPTH => {
                self.too_deep.get_or_insert(span);
                TomlShape::Foreign("something nested too deeply")
            }
            DeValue::Array(list) => TomlShape::List(self.list(list, depth)),
            DeValue::Table(table) => TomlShape::Table(self.table(table, depth + 1)),
        }
    }

    fn list(&mut self, list: toml::de::DeArray<'_>, depth: usize) -> Vec<TomlNode> {
        list.into_iter()
            .map(|value| {
                let span = self.span(value.span());
                let shape = self.shape(value.into_inner(), span, depth + 1);
                TomlNode { span, shape }
            })
            .collect()
    }
}

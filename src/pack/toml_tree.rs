//! TOML as a tree in which every value has a span.
//!
//! This is the only file of the module that uses the `toml` crate, so that another parser could
//! replace it.

use std::borrow::Cow;
use std::ops::Range;

use toml::de::{DeTable, DeValue, Error};

use crate::diagnostic::{Diagnostic, DiagnosticBuilder, FileId, Files, Report, Span};

use super::large_stack;
use super::toml_help::{TomlProblem, is_invisible};
use super::toml_scan;

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
    let text = files.text(file);
    let mut reading = ParseAttempt::new(text, file);
    let sound = reading.errors.is_empty() && reading.too_deep.is_none();
    if !reading.errors.is_empty() {
        reading = parse_valid_lines(files, file, report);
    }
    if let Some(span) = reading.too_deep {
        Diagnostic::fatal(span, "toml-syntax", "tables nested too deeply")
            .help(format!(
                "nest tables and lists at most {MAX_DEPTH} levels deep"
            ))
            .push(report);
    }
    (reading.table, sound)
}

/// Parses a file without the lines that are not valid, and reports those.
fn parse_valid_lines(files: &Files, file: FileId, report: &mut Report) -> ParseAttempt {
    let mut text = Cow::Borrowed(files.text(file));
    let problems = toml_scan::problems(&text, MAX_ERRORS_PER_FILE);
    let mut reported = problems.len();
    for problem in problems {
        text = Cow::Owned(without(&text, &problem.lines));
        report_problem(file, problem, report);
    }
    loop {
        let mut reading = ParseAttempt::new(&text, file);
        // Later errors may be consequences of the first.
        let first = reading
            .errors
            .iter()
            .min_by_key(|error| error.span().map_or(0, |at| at.start));
        let Some(error) = first else { return reading };
        if reported >= MAX_ERRORS_PER_FILE {
            reading.errors.clear();
            return reading;
        }
        let at = error.span().map_or(0, |at| at.start);
        syntax_diagnostic(files, file, error, report);
        reported += 1;
        let mut lost = line_of(&text, at);
        if text[lost.clone()].trim_start().starts_with('[') {
            // The fields below would otherwise be read as fields of the block before.
            lost.end = toml_scan::block_end(&text, lost.end);
        }
        text = Cow::Owned(without(&text, &lost));
    }
}

fn report_problem(file: FileId, problem: TomlProblem, report: &mut Report) {
    let span = |at: &Range<usize>| Span::new(file, at.start, at.end);
    let mut diagnostic = Diagnostic::fatal(span(&problem.at), "toml-syntax", problem.message)
        .label(problem.label)
        .help(problem.help);
    if let Some(at) = &problem.opened {
        diagnostic = diagnostic.related(span(at), "opened here");
    }
    diagnostic.push(report);
}

/// Whether a text is a TOML value.
pub(super) fn is_value(text: &str) -> bool {
    is_shallow(text) && !text.contains('\n') && DeTable::parse(&format!("x = {text}")).is_ok()
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
}

/// The line that contains a position.
fn line_of(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n');
    let end = bytes[at..].iter().position(|byte| *byte == b'\n');
    start.map_or(0, |found| found + 1)..end.map_or(text.len(), |found| at + found)
}

/// Replaces a part with spaces, so that all offsets and lines stay the same.
fn without(text: &str, part: &Range<usize>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let part = part.start.min(bytes.len())..part.end.min(bytes.len());
    for byte in &mut bytes[part] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Reports an error for which there is only the message of the parser.
fn syntax_diagnostic(files: &Files, file: FileId, error: &Error, report: &mut Report) {
    let at = error.span().unwrap_or(0..0);
    let span = Span::new(file, at.start, at.end);
    let message = error.message();
    let diagnostic = Diagnostic::fatal(span, "toml-syntax", format!("invalid TOML: {message}"));
    let diagnostic = if message.contains("duplicate key") {
        duplicate_key(diagnostic, files, span)
    } else if files.text(file)[line_of(files.text(file), at.start)].contains(is_invisible) {
        diagnostic
            .label("an invisible character in this line")
            .help("type the line again: it contains a character that you cannot see")
    } else {
        diagnostic.label("here").help(syntax_help(message))
    };
    diagnostic.push(report);
}

/// A key that already has a value, or a header in single brackets after others in double brackets.
fn duplicate_key(diagnostic: DiagnosticBuilder, files: &Files, span: Span) -> DiagnosticBuilder {
    let text = files.text(span.file);
    let own = line_of(text, span.start as usize);
    if let Some(name) = text[own.clone()].trim().strip_prefix('[') {
        let name = name.trim_matches(['[', ']', ' ']);
        return diagnostic
            .label("this block already exists")
            .help(format!("to begin another entry, write [[{name}]]"));
    }
    let key = files.slice(span);
    let mut diagnostic = diagnostic.label("second value");
    let mut end = own.start;
    for line in text[..own.start].rsplit('\n').skip(1) {
        end -= line.len() + 1;
        let body = line.trim_start();
        if toml_scan::is_header(line) {
            break;
        }
        let rest = body.strip_prefix(key).map(str::trim_start);
        if rest.is_some_and(|rest| rest.starts_with('=')) {
            let start = end + line.len() - body.len();
            let first = Span::new(span.file, start, start + key.len());
            diagnostic = diagnostic.related(first, "first value");
            break;
        }
    }
    diagnostic.help("this key already has a value; keep one of the two")
}

fn syntax_help(message: &str) -> &'static str {
    if message.contains("escape") {
        r"a backslash has a meaning in double quotes: write \\ for one, or put the text in single quotes"
    } else if message.contains("string") || message.contains("quote") {
        "put text in double quotes, and scripts in '…' or between two lines of '''"
    } else {
        "write a key and a value, as in: level = 2"
    }
}

struct TreeBuilder {
    file: FileId,
    too_deep: Option<Span>,
}

impl TreeBuilder {
    fn span(&self, range: Range<usize>) -> Span {
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

//! Reads the cases of a test file. Fields that no reader requested are reported in one place.

use std::collections::{BTreeMap, BTreeSet};

use super::case::{
    Case, CaseSetup, Expectation, ExpectedValue, ForcedResult, KeyedTable, Located, PlayerList,
};
use super::failures::CaseFailure;
use super::rows;
use super::snapshot;
use crate::diagnostic::{Diagnostic, FileId, Files, Report, Span};
use crate::pack::{ReadContext, TomlNode, TomlPair, TomlShape, TomlTable, parse_on_large_stack};

/// A case, or the errors in it.
#[derive(Clone, Debug)]
pub struct ParsedCase {
    /// The name of the case, with the values of its row filled in.
    pub name: String,
    /// The case, or what is wrong with it.
    pub case: Result<Box<Case>, Vec<CaseFailure>>,
}

/// Reads the cases of a file.
///
/// # Errors
/// Returns what is wrong with the file as a whole.
pub fn cases(files: &Files, file: FileId) -> Result<Vec<ParsedCase>, Vec<CaseFailure>> {
    let mut reader = CaseReader {
        files,
        report: Report::new(),
        filled: false,
    };
    let (table, _) = parse_on_large_stack(files, file, &mut reader.report);
    reader.flush()?;
    let mut fields = FieldReader::new("a file of cases", &table);
    let defaults = reader
        .field(&mut fields, "defaults", CaseReader::defaults)
        .unwrap_or_default();
    let nodes = fields
        .get("case")
        .map(|node| reader.blocks(node))
        .unwrap_or_default();
    reader.done(&fields);
    reader.flush()?;
    let mut all = Vec::new();
    for (number, node) in (1..).zip(nodes) {
        all.extend(reader.rows(node, number, &defaults));
    }
    let wrong = wrong_defaults(&all, &defaults);
    if wrong.is_empty() {
        Ok(refuse_duplicates(all))
    } else {
        Err(wrong)
    }
}

/// The problems of `[defaults]`, which are the same in all cases.
fn wrong_defaults(cases: &[ParsedCase], defaults: &TomlTable) -> Vec<CaseFailure> {
    let is_default = |span: Span| {
        let holds = |pair: &TomlPair| (pair.at.start..pair.node.span.end).contains(&span.start);
        defaults.pairs.iter().any(holds)
    };
    let mut seen = BTreeSet::new();
    let failures = cases.iter().filter_map(|read| read.case.as_ref().err());
    let own = failures.flatten().filter(|failure| match failure {
        CaseFailure::Diagnostic(fault) => {
            is_default(fault.label.span) && seen.insert(fault.message.clone())
        }
        CaseFailure::At(span, text) => is_default(*span) && seen.insert(text.clone()),
        CaseFailure::Text(_) => false,
    });
    own.cloned().collect()
}

/// The fields of a case with those of `[defaults]` that it leaves out. Tables are merged field by
/// field, and of two scripts of the setup both run.
fn with_defaults(own: &TomlTable, defaults: &TomlTable) -> TomlTable {
    let mut merged = own.clone();
    for pair in &defaults.pairs {
        let Some(held) = merged.pairs.iter_mut().find(|held| held.key == pair.key) else {
            merged.pairs.push(pair.clone());
            continue;
        };
        held.node.shape = match (&held.node.shape, &pair.node.shape) {
            (TomlShape::Table(own), TomlShape::Table(defaults)) => {
                TomlShape::Table(with_defaults(own, defaults))
            }
            (TomlShape::Text(_), TomlShape::Text(_)) if SCRIPTS.contains(&pair.key.as_str()) => {
                TomlShape::List(vec![pair.node.clone(), held.node.clone()])
            }
            _ => continue,
        };
    }
    merged
}

/// The scripts of a setup.
const SCRIPTS: &[&str] = &["before", "do"];

/// Turns cases with a duplicate name or snapshot file into failures.
fn refuse_duplicates(mut all: Vec<ParsedCase>) -> Vec<ParsedCase> {
    let (mut names, mut stems) = (BTreeSet::new(), BTreeSet::new());
    for read in &mut all {
        let Ok(case) = &read.case else { continue };
        let reason = if !names.insert(read.name.clone()) {
            "another case in this file has this name; with `rows`, put a `{column}` into the name"
        } else if case.expect.snapshot && !stems.insert(snapshot::stem(&read.name)) {
            "another case in this file would use the same snapshot file: make the letters of the names differ"
        } else {
            continue;
        };
        read.case = Err(vec![CaseFailure::At(case.name.at, reason.to_owned())]);
    }
    all
}

/// A table whose fields are read by name. It remembers the names, so that other fields can be
/// reported.
struct FieldReader<'t> {
    what: &'static str,
    table: &'t TomlTable,
    asked: Vec<&'static str>,
}

impl<'t> FieldReader<'t> {
    fn new(what: &'static str, table: &'t TomlTable) -> Self {
        Self {
            what,
            table,
            asked: Vec::new(),
        }
    }

    fn get(&mut self, name: &'static str) -> Option<&'t TomlNode> {
        self.asked.push(name);
        self.table.get(name).map(|pair| &pair.node)
    }
}

/// The table that a field belongs in, if it was written one level too high.
fn misplaced_field(what: &str, key: &str) -> Option<String> {
    const SETUP: &[&str] = &[
        "start", "files", "counters", "flags", "zones", "places", "before", "do",
    ];
    const EXPECT: &[&str] = &[
        "after",
        "log",
        "not_log",
        "state",
        "counted",
        "decision",
        "open",
        "closed",
        "hidden",
        "over",
        "winners",
        "faults",
        "refused",
        "unseen",
        "diagnostics",
        "snapshot",
    ];
    if what == "`expect`" && matches!(key, "counters" | "zones" | "places" | "flags") {
        return Some(
            "write expect.state, as in { \"1.coins\" = 3, \"1.hand\" = [\"its-id\"] }".to_owned(),
        );
    }
    let of = match what {
        "a case" if SETUP.contains(&key) => "setup",
        "a case" if EXPECT.contains(&key) => "expect",
        _ => return None,
    };
    Some(format!("write {of}.{key}"))
}

/// Reads values; errors go to the report.
struct CaseReader<'f> {
    files: &'f Files,
    report: Report,
    /// Whether a row filled in the case. A row may have turned a text into a number.
    filled: bool,
}

impl CaseReader<'_> {
    /// Takes the diagnostics reported since the last call.
    fn flush(&mut self) -> Result<(), Vec<CaseFailure>> {
        let mut report = std::mem::take(&mut self.report);
        report.sort(self.files);
        let failures: Vec<CaseFailure> = report
            .iter()
            .map(|fault| CaseFailure::Diagnostic(Box::new(fault.clone())))
            .collect();
        if failures.is_empty() {
            Ok(())
        } else {
            Err(failures)
        }
    }

    fn cx(&mut self) -> ReadContext<'_> {
        ReadContext {
            files: self.files,
            report: &mut self.report,
            pack: 0,
        }
    }

    /// Reports the fields that were not read.
    fn done(&mut self, fields: &FieldReader) {
        for pair in fields
            .table
            .pairs
            .iter()
            .filter(|pair| !fields.asked.contains(&pair.key.as_str()))
        {
            let remedy = misplaced_field(fields.what, &pair.key);
            if let (Some(remedy), "`expect`") = (&remedy, fields.what) {
                Diagnostic::unknown(pair.at, "unknown-field", "field", &pair.key)
                    .label("not a field of `expect`")
                    .help(remedy.clone())
                    .push(&mut self.report);
                continue;
            }
            let known = fields.asked.iter().copied();
            self.cx().unknown_field_or(pair, fields.what, known, remedy);
        }
    }

    /// Reports a table that is written as something else.
    fn not_a_table<T>(&mut self, name: &str, node: &TomlNode) -> Option<T> {
        let help = match name {
            "defaults" => "write [defaults], in single brackets",
            "expect" => "write what is expected by name, as in expect.log = [\"…\"]",
            "setup" => "write what is set by name, as in setup.counters = { \"1.coins\" = 3 }",
            _ => return self.wrong(name, node, "a table: keys and values in curly brackets"),
        };
        let message = format!("wrong type for `{name}`: found {}", node.type_phrase());
        Diagnostic::error(node.span, "wrong-type", message)
            .label("expected a table")
            .help(help)
            .push(&mut self.report);
        None
    }

    fn wrong<T>(&mut self, name: &str, node: &TomlNode, expected: &str) -> Option<T> {
        self.cx().wrong_type(node, name, expected);
        None
    }

    fn blocks<'n>(&mut self, node: &'n TomlNode) -> &'n [TomlNode] {
        match &node.shape {
            TomlShape::List(list) => list,
            _ => self
                .wrong("case", node, "blocks that begin with [[case]]")
                .unwrap_or_default(),
        }
    }

    fn table<'n>(&mut self, name: &str, node: &'n TomlNode) -> Option<&'n TomlTable> {
        node.as_table().or_else(|| self.not_a_table(name, node))
    }

    /// How the game continues after the moves.
    fn then(&mut self, name: &str, node: &TomlNode) -> Option<Located<String>> {
        let text = self.text(name, node)?;
        if text.value == "random" || text.value.contains('{') {
            return Some(text);
        }
        Diagnostic::unknown(node.span, "unknown-value", "value", &text.value)
            .label("not a value of `then`")
            .help("write then = \"random\", which plays random moves to the end")
            .push(&mut self.report);
        None
    }

    fn text(&mut self, name: &str, node: &TomlNode) -> Option<Located<String>> {
        let value = match &node.shape {
            TomlShape::Text(text) => text.clone(),
            TomlShape::Int(number) if self.filled => number.to_string(),
            TomlShape::Bool(yes) if self.filled => yes.to_string(),
            _ => return self.wrong(name, node, "a string"),
        };
        Some(Located {
            value,
            at: node.span,
        })
    }

    fn plain_text(&mut self, name: &str, node: &TomlNode) -> Option<String> {
        self.text(name, node).map(|text| text.value)
    }

    fn number<N: TryFrom<i64>>(
        &mut self,
        name: &str,
        node: &TomlNode,
        expected: &str,
    ) -> Option<N> {
        let number = if let TomlShape::Int(number) = node.shape {
            N::try_from(number).ok()
        } else {
            None
        };
        number.or_else(|| self.wrong(name, node, expected))
    }

    fn amount(&mut self, name: &str, node: &TomlNode) -> Option<i64> {
        self.number(name, node, "a whole number")
    }

    fn count<N: TryFrom<i64>>(&mut self, name: &str, node: &TomlNode) -> Option<N> {
        self.number(name, node, "a whole number, 0 or more")
    }

    fn flag(&mut self, name: &str, node: &TomlNode) -> Option<bool> {
        if let TomlShape::Bool(yes) = node.shape {
            Some(yes)
        } else {
            self.wrong(name, node, "true or false")
        }
    }

    fn list<T>(
        &mut self,
        name: &str,
        node: &TomlNode,
        one: impl Fn(&mut Self, &str, &TomlNode) -> Option<T>,
    ) -> Option<Vec<T>> {
        match &node.shape {
            TomlShape::List(list) => Some(
                list.iter()
                    .filter_map(|node| one(self, name, node))
                    .collect(),
            ),
            _ => self.wrong(name, node, "a list, in square brackets"),
        }
    }

    fn texts(&mut self, name: &str, node: &TomlNode) -> Option<Vec<Located<String>>> {
        self.list(name, node, Self::text)
    }

    fn plain_texts(&mut self, name: &str, node: &TomlNode) -> Option<Vec<String>> {
        self.list(name, node, Self::plain_text)
    }

    /// Reads a table with arbitrary keys.
    fn rows_of<T>(
        one: impl Fn(&mut Self, &str, &TomlNode) -> Option<T>,
    ) -> impl Fn(&mut Self, &str, &TomlNode) -> Option<KeyedTable<T>> {
        move |of, name, node| {
            let mut rows = Vec::new();
            for pair in &of.table(name, node)?.pairs {
                let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                let value = if pair.key.chars().all(is_plain) {
                    one(of, &pair.key, &pair.node)
                } else {
                    one(of, &format!("\"{}\"", pair.key), &pair.node)
                };
                rows.extend(value.map(|value| {
                    (
                        Located {
                            value: pair.key.clone(),
                            at: pair.at,
                        },
                        value,
                    )
                }));
            }
            rows.sort_by(|one, other| one.0.value.cmp(&other.0.value));
            Some(rows)
        }
    }

    /// Reads a value with its source location.
    fn placed<T>(
        read: impl Fn(&mut Self, &str, &TomlNode) -> Option<T>,
    ) -> impl Fn(&mut Self, &str, &TomlNode) -> Option<Located<T>> {
        move |of, name, node| {
            Some(Located {
                value: read(of, name, node)?,
                at: node.span,
            })
        }
    }

    /// A field, if it is present and valid.
    fn field<T>(
        &mut self,
        fields: &mut FieldReader,
        name: &'static str,
        read: impl Fn(&mut Self, &str, &TomlNode) -> Option<T>,
    ) -> Option<T> {
        fields.get(name).and_then(|node| read(self, name, node))
    }

    fn players(&mut self, name: &str, node: &TomlNode) -> Option<Located<PlayerList>> {
        let value = match &node.shape {
            TomlShape::List(_) => PlayerList::Names(self.plain_texts(name, node)?),
            _ => PlayerList::Count(self.number(
                name,
                node,
                "a number of players, or a list of their names",
            )?),
        };
        Some(Located {
            value,
            at: node.span,
        })
    }

    fn defaults(&mut self, name: &str, node: &TomlNode) -> Option<TomlTable> {
        let table = self.table(name, node)?;
        if let Some(pair) = table.get("name") {
            let help = "write `name` into each [[case]]; every other field can be a default";
            let remedy = Some(help.to_owned());
            self.cx()
                .unknown_field_or(pair, "[defaults]", [].into_iter(), remedy);
        }
        Some(table.clone())
    }

    /// The cases of a `[[case]]` block: one, or one for each row.
    fn rows(&mut self, node: &TomlNode, number: usize, defaults: &TomlTable) -> Vec<ParsedCase> {
        let own = self.table("case", node).cloned();
        let merged = own.as_ref().map(|own| with_defaults(own, defaults));
        let (Some(own), Some(table)) = (&own, &merged) else {
            return vec![ParsedCase {
                name: format!("case {number}"),
                case: Err(self.flush().err().unwrap_or_default()),
            }];
        };
        let title = table.get("name").and_then(|pair| pair.node.as_text());
        let name = title.map_or_else(|| format!("case {number}"), str::to_owned);
        let Some(pair) = table.get("rows") else {
            return vec![self.read(own, table, node.span, name)];
        };
        match rows::cases(table, &pair.node) {
            Err(wrong) => {
                let lines = wrong
                    .into_iter()
                    .map(|(span, text)| CaseFailure::At(span, text));
                vec![ParsedCase {
                    name,
                    case: Err(lines.collect()),
                }]
            }
            Ok(cases) => {
                self.filled = true;
                let read = cases
                    .iter()
                    .map(|case| self.read(own, case, node.span, name.clone()))
                    .collect();
                self.filled = false;
                read
            }
        }
    }

    /// Reads a case: its own fields, and these with the defaults.
    fn read(
        &mut self,
        own: &TomlTable,
        table: &TomlTable,
        whole: Span,
        name: String,
    ) -> ParsedCase {
        let mut case = self.case(table, whole);
        if let Some(case) = &mut case {
            let own_setup = own.get("setup").and_then(|pair| pair.node.as_table());
            case.inherits_chance = own.get("chance").is_none();
            case.setup.inherits_chance = own_setup.is_none_or(|own| own.get("chance").is_none());
        }
        match (self.flush(), case) {
            (Ok(()), Some(case)) => ParsedCase {
                name: case.name.value.clone(),
                case: Ok(Box::new(case)),
            },
            (flushed, _) => ParsedCase {
                name,
                case: Err(flushed.err().unwrap_or_default()),
            },
        }
    }

    fn case(&mut self, table: &TomlTable, whole: Span) -> Option<Case> {
        let mut fields = FieldReader::new("a case", table);
        let f = &mut fields;
        let name = match f.get("name") {
            Some(node) => self.text("name", node),
            None => {
                self.cx().missing_field(
                    whole,
                    "a case",
                    "name",
                    "a string that says what the case shows",
                    None,
                );
                None
            }
        };
        // The rows have been read before; this marks `rows` as known.
        f.get("rows");
        let case = Case {
            name: Located {
                value: String::new(),
                at: whole,
            },
            rule: self
                .field(f, "rule", Self::text_or_texts)
                .unwrap_or_default(),
            mode: self.field(f, "mode", Self::text),
            roles: self.field(f, "roles", Self::texts).unwrap_or_default(),
            with: self.field(f, "with", Self::texts).unwrap_or_default(),
            options: self.field(f, "options", Self::texts).unwrap_or_default(),
            players: self.field(f, "players", Self::players),
            seed: self.field(f, "seed", Self::count).unwrap_or_default(),
            chance: self.field(f, "chance", Self::chance).unwrap_or_default(),
            inherits_chance: false,
            setup: self.field(f, "setup", Self::setup).unwrap_or_default(),
            moves: self.field(f, "moves", Self::texts).unwrap_or_default(),
            then: self.field(f, "then", Self::then),
            expect: self.field(f, "expect", Self::expect).unwrap_or_default(),
        };
        self.done(&fields);
        Some(Case {
            name: name?,
            ..case
        })
    }

    /// A text, or a list of texts.
    fn text_or_texts(&mut self, name: &str, node: &TomlNode) -> Option<Vec<String>> {
        node.items()
            .iter()
            .map(|node| self.plain_text(name, node))
            .collect()
    }

    /// A script, or the scripts of `[defaults]` and of the case.
    fn scripts(&mut self, name: &str, node: &TomlNode) -> Option<Vec<Located<String>>> {
        let nodes = node.items().iter();
        nodes.map(|node| self.text(name, node)).collect()
    }

    fn chance(&mut self, name: &str, node: &TomlNode) -> Option<Vec<Located<ForcedResult>>> {
        self.list(name, node, Self::forced)
    }

    fn forced(&mut self, name: &str, node: &TomlNode) -> Option<Located<ForcedResult>> {
        let value = match &node.shape {
            TomlShape::Text(text) => ForcedResult::Text(text.clone()),
            _ => ForcedResult::Number(self.number(
                name,
                node,
                "a number from 1, `order: …` or `piece: …`",
            )?),
        };
        Some(Located {
            value,
            at: node.span,
        })
    }

    fn setup(&mut self, name: &str, node: &TomlNode) -> Option<CaseSetup> {
        let mut fields = FieldReader::new("`setup`", self.table(name, node)?);
        let f = &mut fields;
        let setup = CaseSetup {
            start: self.field(f, "start", Self::text),
            files: self
                .field(f, "files", Self::rows_of(Self::plain_text))
                .unwrap_or_default(),
            counters: self
                .field(f, "counters", Self::rows_of(Self::amount))
                .unwrap_or_default(),
            flags: self
                .field(f, "flags", Self::rows_of(Self::flag_value))
                .unwrap_or_default(),
            zones: self
                .field(f, "zones", Self::rows_of(Self::texts))
                .unwrap_or_default(),
            places: self
                .field(f, "places", Self::rows_of(Self::text))
                .unwrap_or_default(),
            chance: self.field(f, "chance", Self::chance).unwrap_or_default(),
            inherits_chance: false,
            before: self.field(f, "before", Self::scripts).unwrap_or_default(),
            run: self.field(f, "do", Self::scripts).unwrap_or_default(),
        };
        self.done(&fields);
        Some(setup)
    }

    /// The value of a flag: true or false, a number, a word or an id.
    fn flag_value(&mut self, name: &str, node: &TomlNode) -> Option<Located<String>> {
        let value = match &node.shape {
            TomlShape::Text(text) => text.clone(),
            TomlShape::Int(number) => number.to_string(),
            TomlShape::Bool(yes) => yes_or_no(*yes),
            _ => return self.wrong(name, node, "true, false, a number or a string"),
        };
        Some(Located {
            value,
            at: node.span,
        })
    }

    fn expect(&mut self, name: &str, node: &TomlNode) -> Option<Expectation> {
        let mut fields = FieldReader::new("`expect`", self.table(name, node)?);
        let f = &mut fields;
        let expect = Expectation {
            after: self.field(f, "after", Self::placed(Self::count)),
            log: self.field(f, "log", Self::texts).unwrap_or_default(),
            not_log: self.field(f, "not_log", Self::texts).unwrap_or_default(),
            state: self
                .field(f, "state", Self::rows_of(Self::wanted))
                .unwrap_or_default(),
            counted: self
                .field(f, "counted", Self::rows_of(Self::groups))
                .unwrap_or_default(),
            decision: self.field(f, "decision", Self::text),
            options: self.field(f, "options", Self::placed(Self::plain_texts)),
            open: self.field(f, "open", Self::texts).unwrap_or_default(),
            closed: self
                .field(f, "closed", Self::rows_of(Self::plain_text))
                .unwrap_or_default(),
            hidden: self.field(f, "hidden", Self::texts).unwrap_or_default(),
            over: self.field(f, "over", Self::placed(Self::flag)),
            winners: self.field(f, "winners", Self::placed(Self::seats)),
            faults: self.field(f, "faults", Self::texts).unwrap_or_default(),
            refused: self.field(f, "refused", Self::text),
            unseen: self
                .field(f, "unseen", Self::rows_of(Self::plain_texts))
                .unwrap_or_default(),
            diagnostics: self.field(f, "diagnostics", Self::placed(Self::texts)),
            snapshot: self.field(f, "snapshot", Self::flag).unwrap_or_default(),
        };
        self.done(&fields);
        Some(expect)
    }

    fn seats(&mut self, name: &str, node: &TomlNode) -> Option<Vec<u8>> {
        self.list(name, node, |of, name, node| {
            of.number(name, node, "seat numbers, from 1, as in [1, 2]")
        })
    }

    fn wanted(&mut self, name: &str, node: &TomlNode) -> Option<ExpectedValue> {
        match &node.shape {
            TomlShape::Int(number) => Some(ExpectedValue::Number(*number)),
            TomlShape::Text(word) => Some(ExpectedValue::Word(word.clone())),
            TomlShape::Bool(yes) => Some(ExpectedValue::Word(yes_or_no(*yes))),
            TomlShape::List(_) => self.plain_texts(name, node).map(ExpectedValue::Pieces),
            _ => self.wrong(
                name,
                node,
                "a number, a string, true, false or a list of ids",
            ),
        }
    }

    fn groups(&mut self, name: &str, node: &TomlNode) -> Option<BTreeMap<String, i64>> {
        let rows = Self::rows_of(Self::amount)(self, name, node)?;
        Some(
            rows.into_iter()
                .map(|(group, number)| (group.value, number))
                .collect(),
        )
    }
}

/// The value of a flag that is true or false.
fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

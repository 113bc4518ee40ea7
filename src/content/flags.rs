//! Flags: what a game remembers. A flag is a counter whose number stands for yes or no, a word or an
//! entry.

use super::build::{ContentBuilder, clamp, scope};
use super::defs::{Bound, CounterDef, FlagType, Owner};
use super::{Content, CounterId, EntryId, Value};
use crate::diagnostic::{Diagnostic, suggestion};
use crate::pack::{self, FieldValue};
use crate::value::Text;

impl ContentBuilder<'_> {
    pub(super) fn flag(&mut self, entry: EntryId, source: &pack::Entry) {
        let flag = self.flag_type(source);
        let (low, high) = (source.int("min").unwrap_or(0), source.int("max"));
        self.flag_fields(source, &flag, (low, high));
        let (min, max) = match &flag {
            FlagType::YesOrNo => (0, Some(1)),
            FlagType::Number => (low, high),
            FlagType::Word(words) => (0, i64::try_from(words.len()).ok().map(|n| n - 1)),
            FlagType::Entry(kind) => (0, i64::try_from(self.count_of_kind(*kind)).ok()),
        };
        let start = self.flag_start(source, &flag, (min, max));
        let of_campaign = source.text("of") == Some("campaign");
        let def = CounterDef {
            entry,
            min: Bound::Fixed(clamp(min)),
            max: max.map(|max| Bound::Fixed(clamp(max))),
            start: Bound::Fixed(clamp(start)),
            scope: scope("game"),
            owners: vec![flag_owner(source)],
            secret: source.text("seen_by") == Some("owner"),
            quiet: source.flag("quiet"),
            quiet_of: Vec::new(),
            kinds: Vec::new(),
            flag: Some(flag),
            of_campaign,
        };
        self.add_counter(def);
    }

    fn count_of_kind(&self, kind: super::KindId) -> usize {
        let id = &*self.content.kinds[kind.ix()].id;
        let entries = self.layered.entries.iter();
        entries.filter(|entry| entry.kind == *id).count()
    }

    /// Reports fields that do not fit the type of the flag, and values that contradict each other.
    fn flag_fields(
        &mut self,
        source: &pack::Entry,
        flag: &FlagType,
        (low, high): (i64, Option<i64>),
    ) {
        if let Some(high) = high.filter(|high| *high < low) {
            let message = format!("the flag has no value from {low} to {high}");
            self.bad_flag(
                source,
                "max",
                message,
                "make `max` at least as large as `min`",
            );
        }
        let bounds = ["min", "max"];
        let bound = bounds.into_iter().find(|name| is_explicit(source, name));
        if let Some(field) = bound.filter(|_| *flag != FlagType::Number) {
            let message = format!("`{field}` is only for numbers");
            self.bad_flag(source, field, message, "write type = \"int\", or remove it");
        }
        if let FlagType::Word(words) = flag {
            let twice = (1..words.len()).find(|ix| words[..*ix].contains(&words[*ix]));
            if let Some(word) = twice.map(|ix| &words[ix]) {
                let message = format!("the value `{word}` is listed twice");
                self.bad_flag(source, "values", message, "remove one of the two");
            }
            if words.is_empty() && is_explicit(source, "values") {
                let help = "list the words that the flag can be: values = [\"open\", \"closed\"]";
                self.bad_flag(source, "values", "the flag has no values".to_owned(), help);
            }
        }
        let ty = source.text("type").unwrap_or("bool");
        if ty == "bool" && is_explicit(source, "values") {
            let message = "`values` needs type = \"enum\"".to_owned();
            self.bad_flag(source, "values", message, "add a line: type = \"enum\"");
        }
        if ty == "bool" && is_explicit(source, "to") {
            let message = "`to` needs type = \"ref\"".to_owned();
            self.bad_flag(source, "to", message, "add a line: type = \"ref\"");
        }
    }

    fn flag_type(&mut self, source: &pack::Entry) -> FlagType {
        let ty = source.text("type").unwrap_or("bool");
        // A missing or unknown type is reported once, not wherever the flag is used.
        let meant = match ty {
            "int" | "enum" | "ref" => ty,
            _ if is_explicit(source, "values") => "enum",
            _ if is_explicit(source, "to") => "ref",
            _ => "bool",
        };
        match Some(meant) {
            Some("int") => FlagType::Number,
            Some("enum") => FlagType::Word(
                (source.list("values").iter())
                    .filter_map(|value| value.as_text().map(Text::from))
                    .collect(),
            ),
            Some("ref") => {
                let kind = source.text("to").unwrap_or_default();
                match self.content.kind(kind) {
                    Some(kind) => FlagType::Entry(kind),
                    None => {
                        let known = self.content.kinds.iter().map(|kind| &*kind.id);
                        let near = suggestion(kind, known);
                        let message = format!("no kind `{kind}`{near}");
                        self.bad_flag(source, "to", message, "name the kind of the entries");
                        FlagType::YesOrNo
                    }
                }
            }
            _ => FlagType::YesOrNo,
        }
    }

    /// The number at the start. Reports a start that is not a value of the flag.
    fn flag_start(
        &mut self,
        source: &pack::Entry,
        flag: &FlagType,
        (min, max): (i64, Option<i64>),
    ) -> i64 {
        let Some(value) = source.get("start") else {
            return min;
        };
        let number = match (flag, value) {
            (FlagType::YesOrNo, FieldValue::Bool(yes)) => Some(i64::from(*yes)),
            (FlagType::Number, FieldValue::Int(number)) => {
                let fits = *number >= min && max.is_none_or(|max| *number <= max);
                fits.then_some(*number)
            }
            (FlagType::Word(words), FieldValue::Text(text)) => word_number(words, text),
            _ => None,
        };
        number.unwrap_or_else(|| {
            let wanted = match flag {
                FlagType::YesOrNo => "write `true` or `false`".to_owned(),
                FlagType::Number => "write a number from `min` to `max`".to_owned(),
                FlagType::Word(words) => format!("write one of {}", quoted(words)),
                FlagType::Entry(_) => "a flag of the type `ref` starts with none".to_owned(),
            };
            let message = "the flag cannot start with this value".to_owned();
            self.bad_flag(source, "start", message, &wanted);
            min
        })
    }

    fn bad_flag(&mut self, source: &pack::Entry, field: &str, message: String, help: &str) {
        let span = source.field(field).map_or(source.span, |field| field.span);
        Diagnostic::error(span, "bad-flag", message)
            .label("in this flag")
            .help(help)
            .push(self.report);
    }
}

fn is_explicit(source: &pack::Entry, field: &str) -> bool {
    source.field(field).is_some_and(|field| field.is_explicit)
}

fn flag_owner(source: &pack::Entry) -> Owner {
    match source.text("of") {
        Some("seat") => Owner::Seat,
        Some("place") => Owner::Place,
        Some("piece") => Owner::Piece,
        _ => Owner::Table,
    }
}

fn word_number(words: &[Text], word: &str) -> Option<i64> {
    let at = words.iter().position(|own| **own == *word)?;
    i64::try_from(at).ok()
}

/// "`a`, `b` or `c`".
fn quoted(words: &[Text]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

impl Content {
    /// How to read the number of a counter, if it is a flag.
    #[must_use]
    pub fn flag(&self, counter: CounterId) -> Option<&FlagType> {
        self.counters[counter.ix()].flag.as_ref()
    }

    /// The value of a counter or flag, for scripts.
    #[must_use]
    pub fn counter_as_value(&self, counter: CounterId, number: i64) -> Value {
        let at = usize::try_from(number).unwrap_or(0);
        match self.flag(counter) {
            None | Some(FlagType::Number) => Value::Int(number),
            Some(FlagType::YesOrNo) => Value::Bool(number != 0),
            Some(FlagType::Word(words)) => words.get(at).cloned().map_or(Value::Unit, Value::Text),
            Some(FlagType::Entry(kind)) => {
                let entry = at.checked_sub(1).and_then(|at| self.of_kind(*kind).nth(at));
                entry.map_or(Value::Unit, Value::Entry)
            }
        }
    }

    /// The number that stands for a value of a flag.
    ///
    /// # Errors
    /// Returns what to write instead if the flag cannot have the value.
    pub fn flag_number(&self, flag: &FlagType, value: &Value) -> Result<i64, String> {
        match (flag, value) {
            (FlagType::YesOrNo, Value::Bool(yes)) => Ok(i64::from(*yes)),
            (FlagType::Number, Value::Int(number)) => Ok(*number),
            (FlagType::Word(words), Value::Text(text)) => {
                word_number(words, text).ok_or_else(|| self.flag_values(flag))
            }
            (FlagType::Entry(_), Value::Unit) => Ok(0),
            (FlagType::Entry(kind), Value::Entry(wanted)) => {
                let at = self.of_kind(*kind).position(|entry| entry == *wanted);
                let number = at.and_then(|at| i64::try_from(at + 1).ok());
                number.ok_or_else(|| self.flag_values(flag))
            }
            _ => Err(self.flag_values(flag)),
        }
    }

    /// The number that stands for a value as it is typed: `yes`, `3`, `spared`, an id.
    ///
    /// # Errors
    /// Returns what to write instead if the flag cannot have the value.
    pub fn flag_number_typed(&self, flag: &FlagType, typed: &str) -> Result<i64, String> {
        let value = match (flag, typed) {
            (FlagType::YesOrNo, "yes" | "true" | "1") => Value::Bool(true),
            (FlagType::YesOrNo, "no" | "false" | "0") => Value::Bool(false),
            (FlagType::Number, number) => number.parse().map_or(Value::Unit, Value::Int),
            (FlagType::Entry(_), "none") => Value::Unit,
            (FlagType::Entry(kind), id) => {
                let mut entries = self.of_kind(*kind);
                let is_meant = |entry: &EntryId| {
                    let entry = self.entry(*entry);
                    *entry.id == *id || *entry.name == *id
                };
                let entry = entries.find(is_meant).map(Value::Entry);
                entry.ok_or_else(|| self.flag_values(flag))?
            }
            (_, word) => Value::Text(word.into()),
        };
        self.flag_number(flag, &value)
    }

    /// The values of a flag in words, for messages.
    #[must_use]
    pub fn flag_values(&self, flag: &FlagType) -> String {
        match flag {
            FlagType::YesOrNo => "yes or no".to_owned(),
            FlagType::Number => "a number".to_owned(),
            FlagType::Word(words) => quoted(words),
            FlagType::Entry(kind) => {
                format!(
                    "an entry of the kind `{}`, or none",
                    self.kinds[kind.ix()].id
                )
            }
        }
    }

    /// The value of a counter or flag, for players.
    #[must_use]
    pub fn counter_text(&self, counter: CounterId, number: i64) -> String {
        match self.counter_as_value(counter, number) {
            Value::Bool(yes) => if yes { "yes" } else { "no" }.to_owned(),
            Value::Unit => "none".to_owned(),
            value => self.display(&value),
        }
    }

    /// The value of a flag as [`Content::flag_number_typed`] reads it, by ids.
    #[must_use]
    pub fn flag_typed(&self, counter: CounterId, number: i64) -> String {
        match self.counter_as_value(counter, number) {
            Value::Entry(entry) => self.entry(entry).id.to_string(),
            _ => self.counter_text(counter, number),
        }
    }
}

/// The role of a script in a field. In a table, `when` is a condition of an option or a result.
pub(super) fn role_in_table(path: &str) -> super::HookRole {
    match path.rsplit_once('.') {
        Some((_, "when")) => super::HookRole::Value,
        _ => super::HookRole::Do,
    }
}

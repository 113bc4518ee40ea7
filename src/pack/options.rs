//! Options that players choose when a game starts: switches, and options with one of several
//! values.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Report, Span, nearest};

use super::entry::Entry;
use super::kind::quoted;
use super::names::EntryLocation;
use super::patch::{PatchChange, PatchOp};
use super::set::PackSet;
use super::value::{FieldValue, Reference};

/// An option of a pack in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenOption {
    /// The index of its pack in the set.
    pub pack: u16,
    /// The id of its entry.
    pub id: String,
    /// Its value.
    pub value: OptionValue,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// Whether a switch is on. An option that the mode excludes is off.
    Switch(bool),
    /// One of several values.
    One(String),
}

impl ChosenOption {
    /// The option as players write it, if it is a switch that is on or has a value.
    #[must_use]
    pub fn written(&self) -> Option<String> {
        match &self.value {
            OptionValue::Switch(true) => Some(self.id.clone()),
            OptionValue::Switch(false) => None,
            OptionValue::One(value) => Some(format!("{}={value}", self.id)),
        }
    }
}

/// The values of an option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionValues {
    /// The values in order; empty for a switch.
    pub all: Vec<String>,
    /// The one that applies if players choose none.
    pub default: Option<String>,
}

impl OptionValues {
    pub(super) fn has(&self, value: &str) -> bool {
        self.all.iter().any(|own| own == value)
    }

    fn of(entry: &Entry) -> Self {
        let all = texts(entry.list("values"));
        let default = entry.text("default").map(str::to_owned);
        Self { all, default }
    }

    fn patch(&mut self, op: &PatchOp) {
        match (&op.change, &op.path[..]) {
            (PatchChange::Set(value), [field]) if field == "default" => {
                self.default = value.as_text().map(str::to_owned);
            }
            (PatchChange::Set(FieldValue::List(values)), [field]) if field == "values" => {
                self.all = texts(values);
            }
            (PatchChange::Add(values) | PatchChange::Insert { values, .. }, [field])
                if field == "values" =>
            {
                self.all.extend(texts(values));
            }
            (PatchChange::Remove(values), [field]) if field == "values" => {
                let removed = texts(values);
                self.all.retain(|value| !removed.contains(value));
            }
            _ => {}
        }
    }
}

fn texts(values: &[FieldValue]) -> Vec<String> {
    let texts = values.iter().filter_map(FieldValue::as_text);
    texts.map(str::to_owned).collect()
}

/// The values of an option, with the patches of the given packs.
pub(super) fn values(
    set: &PackSet,
    option: EntryLocation,
    is_used: impl Fn(u16) -> bool,
) -> OptionValues {
    let entry = &set.packs[usize::from(option.pack)].entries[option.entry as usize];
    let mut values = OptionValues::of(entry);
    let used = (0u16..).zip(&set.packs).filter(|(pack, _)| is_used(*pack));
    for patch in used.flat_map(|(_, pack)| &pack.patches) {
        let changes =
            |op: &PatchOp| op.path.len() == 1 && ["values", "default"].contains(&&*op.path[0]);
        if patch.ops.iter().any(changes) {
            let (packs, visibility) = (&set.packs, &set.visibility);
            let meant = set
                .index
                .candidates(packs, visibility, &patch.entry, &|loc| loc == option);
            if !meant.is_empty() {
                patch.ops.iter().for_each(|op| values.patch(op));
            }
        }
    }
    if values.default.as_ref().is_none_or(|own| !values.has(own)) {
        values.default = values.all.first().cloned();
    }
    values
}

/// Checks the declaration of an option.
pub(super) fn check(set: &PackSet, option: EntryLocation, report: &mut Report) {
    let entry = &set.packs[usize::from(option.pack)].entries[option.entry as usize];
    let OptionValues { all, default } = OptionValues::of(entry);
    let span = |field: &str| entry.field(field).map_or(entry.span, |own| own.span);
    let is_word = |value: &String| {
        let is_fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !value.is_empty() && value.chars().all(is_fit)
    };
    if let Some(value) = all.iter().find(|value| !is_word(value)) {
        Diagnostic::error(
            span("values"),
            "bad-id",
            format!("`{value}` is not a valid value"),
        )
        .label("values of an option")
        .help("use lower-case letters, digits and `-`; what players read goes into `texts`")
        .push(report);
    }
    let distinct: BTreeSet<&String> = all.iter().collect();
    let is_empty = all.is_empty() && entry.field("values").is_some_and(|own| own.is_explicit);
    if is_empty || all.len() == 1 || distinct.len() < all.len() {
        Diagnostic::error(
            span("values"),
            "unknown-value",
            "an option needs different values",
        )
        .label("values of an option")
        .help("write two or more different values, or leave `values` out for a switch")
        .push(report);
    }
    let described = entry.get("texts").and_then(FieldValue::as_table);
    let described = described
        .into_iter()
        .flatten()
        .map(|(value, _)| (value, "texts"));
    for (value, field) in default
        .iter()
        .map(|value| (value, "default"))
        .chain(described)
    {
        if !all.contains(value) {
            unknown(span(field), value, &entry.id, &all, report);
        }
    }
}

/// Checks the condition of a name in `in`, which means this entry.
pub(super) fn check_condition(
    set: &PackSet,
    name: &Reference,
    loc: EntryLocation,
    report: &mut Report,
) {
    let entry = &set.packs[usize::from(loc.pack)].entries[loc.entry as usize];
    if !matches!(&*entry.kind, "mode" | "option") {
        return;
    }
    let values = match &*entry.kind {
        "option" => values(set, loc, |pack| set.sees(name.by, pack)).all,
        _ => Vec::new(),
    };
    match &name.condition.value {
        Some(value) if values.is_empty() => {
            let message = format!("`{}` has no values", name.text);
            Diagnostic::error(name.span, "unknown-option", message)
                .label(format!("`{value}` is not one"))
                .related(entry.span, format!("a {} that is on or off", entry.kind))
                .help(format!("write \"{}\"", name.text))
                .push(report);
        }
        Some(value) if !values.contains(value) => {
            unknown(name.span, value, &name.text, &values, report);
        }
        None if !values.is_empty() => {
            let message = format!("`{}` is one of several values", name.text);
            let examples: Vec<String> = values
                .iter()
                .map(|value| format!("{}={value}", name.text))
                .collect();
            Diagnostic::error(name.span, "unknown-option", message)
                .label("which one?")
                .help(format!("write {}", quoted(&examples, "or")))
                .push(report);
        }
        _ => {}
    }
}

fn unknown(span: Span, value: &str, option: &str, known: &[String], report: &mut Report) {
    // No fix: it would have to keep the rest of the name.
    let near = nearest(value, known.iter().map(String::as_str));
    let help = match &known {
        [] => "a switch has no values: add `values`".to_owned(),
        known => format!("the values are {}", quoted(known, "and")),
    };
    Diagnostic::unknown(span, "unknown-value", "value", value)
        .label(format!("not a value of `{option}`"))
        .did_you_mean(near)
        .help(help)
        .push(report);
}

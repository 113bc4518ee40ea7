//! A mod: changes a number or a title of the game, with a rule that announces it.

use std::borrow::Cow;

use super::base::BasePack;
use super::fill::{fill, quoted};
use super::{ScaffoldRequest, TemplatePart, flags, log_expectations, made, manifest};
use crate::pack::{Entry, EntryNature, FieldSpec, Type};

/// The number of candidate numbers to try before falling back to a title.
const MAX_NUMBERS: usize = 4;

pub fn parts(base: &BasePack, request: &ScaffoldRequest) -> Vec<TemplatePart> {
    let mut changes: Vec<EditableField> = numbers(base).into_iter().take(MAX_NUMBERS).collect();
    changes.extend(
        base.entries()
            .into_iter()
            .find(|entry| is_piece(base, entry))
            .map(EditableField::title),
    );
    let last = EditableField::title(base.mode);
    let fallbacks = log_expectations(&last.says).map(|how| part(base, request, &last, &how));
    let candidates = changes
        .iter()
        .map(|change| part(base, request, change, &log_expectations(&change.says)[0]));
    candidates.chain(fallbacks).collect()
}

/// A change to a field of an entry.
struct EditableField<'s> {
    entry: &'s Entry,
    field: &'s str,
    /// The new value in TOML syntax.
    value: String,
    /// The log line of the rule.
    says: String,
    /// The script of the rule, which logs that line.
    script: String,
}

impl<'s> EditableField<'s> {
    fn number(entry: &'s Entry, spec: &'s FieldSpec) -> Option<Self> {
        let Type::Int { min, max } = spec.ty else {
            return None;
        };
        let name = plain_title(entry)?;
        let given = entry.field(&spec.name).filter(|field| field.is_explicit)?;
        let now = given.value.as_int()?;
        let fits = |n: &i64| min.is_none_or(|min| *n >= min) && max.is_none_or(|max| *n <= max);
        let value = [now.checked_add(1)?, now.checked_sub(1)?]
            .into_iter()
            .find(fits)?;
        let (full, field) = (entry.full_name(), &*spec.name);
        Some(EditableField {
            entry,
            field,
            value: value.to_string(),
            says: format!("{name}: {field} {value}"),
            script: format!(
                "say(`${{entry(\"{full}\")}}: {field} ${{entry(\"{full}\").{field}}}`);"
            ),
        })
    }

    /// A new title, which cannot break a game.
    fn title(entry: &'s Entry) -> Self {
        let name = format!("{} (changed)", plain_title(entry).unwrap_or("Something"));
        let script = format!("say(`Now there is ${{entry(\"{}\")}}`);", entry.full_name());
        EditableField {
            entry,
            field: "title",
            value: quoted(&name),
            says: format!("Now there is {name}"),
            script,
        }
    }
}

/// The title, unless it has placeholders or line breaks.
fn plain_title(entry: &Entry) -> Option<&str> {
    entry
        .text("title")
        .filter(|title| !title.contains(['{', '}', '\n']))
}

/// Numbers that can be changed. Those that a text shows come first, because they are amounts rather
/// than references.
fn numbers<'s>(base: &BasePack<'s>) -> Vec<EditableField<'s>> {
    let mut found = Vec::new();
    for entry in base.entries() {
        let Some(kind) = base.kind_of(entry).filter(|kind| kind.pack.is_some()) else {
            continue;
        };
        for spec in kind
            .fields
            .iter()
            .filter(|spec| spec.rules.names.is_none() && can_follow_dot(&spec.name))
        {
            let Some(change) = EditableField::number(entry, spec) else {
                continue;
            };
            found.push((
                !shows(entry, &spec.name),
                kind.is != EntryNature::Piece,
                change,
            ));
        }
    }
    found.sort_by_key(|(hidden, other, _)| (*hidden, *other));
    found.into_iter().map(|(_, _, change)| change).collect()
}

/// Whether the text of an entry shows a field.
fn shows(entry: &Entry, field: &str) -> bool {
    let text = entry.text("text").unwrap_or_default();
    text.contains(&format!("{{{field}}}"))
}

fn is_piece(base: &BasePack, entry: &Entry) -> bool {
    base.kind_of(entry)
        .is_some_and(|kind| kind.is == EntryNature::Piece)
        && plain_title(entry).is_some()
}

fn can_follow_dot(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn part(
    base: &BasePack,
    request: &ScaffoldRequest,
    change: &EditableField,
    how: &str,
) -> TemplatePart {
    let (entry, mode) = (change.entry.full_name(), base.mode_name());
    let (script, packs) = (format!("'{}'", change.script), flags(&request.pack_folders));
    let (rule, set) = (
        base.free("announce-change", &request.id),
        format!("set.{} = {}", change.field, change.value),
    );
    let pairs = [
        ("entry", &*entry),
        ("change", &set),
        ("rule", &rule),
        ("script", &script),
        ("mode", &mode),
        ("how", how),
        ("packs", &packs),
    ];
    let what = format!("A mod of {}.", base.title());
    TemplatePart {
        files: vec![
            made(
                "changes.toml",
                fill(include_str!("templates/mod/changes.toml"), &pairs),
                "the changes",
            ),
            manifest(base, request, &what),
            made(
                "tests/first.toml",
                fill(include_str!("templates/mod/tests.toml"), &pairs),
                "a test case",
            ),
        ],
        play: mode,
        show: entry,
        what,
        first: Cow::Borrowed(include_str!("templates/mod/first.md")),
    }
}

//! An expansion: a new entry of one of the game's kinds, modelled on an existing entry.

use std::borrow::Cow;

use super::base::BasePack;
use super::fill::{fill, quoted};
use super::{
    MOVES, NewFile, ScaffoldRequest, TemplatePart, flags, log_expectations, made, manifest, model,
};
use crate::pack::{Entry, EntryNature, Kind};

/// The number of kinds to try before falling back to a rule.
const MAX_KINDS: usize = 6;

/// The log line of the rule; the template has the same text.
const ANNOUNCEMENT: &str = "Something new is in this game.";

pub fn parts(base: &BasePack, request: &ScaffoldRequest) -> Vec<TemplatePart> {
    let mut parts: Vec<TemplatePart> = models(base)
        .into_iter()
        .take(MAX_KINDS)
        .map(|model| entry(base, request, &model))
        .collect();
    parts.extend(log_expectations(ANNOUNCEMENT).map(|how| rule(base, request, &how)));
    parts
}

/// An entry that a new one can be modelled on.
struct EntryModel<'s> {
    kind: &'s Kind,
    entry: &'s Entry,
    fields: Vec<String>,
}

/// The simplest entry of each kind of piece. Kinds with many entries come first, because one more
/// makes little difference.
fn models<'s>(base: &BasePack<'s>) -> Vec<EntryModel<'s>> {
    let mut found = Vec::new();
    for kind in base
        .kinds()
        .into_iter()
        .filter(|kind| kind.is == EntryNature::Piece)
    {
        let all: Vec<&Entry> = base
            .entries()
            .into_iter()
            .filter(|entry| entry.kind == kind.id)
            .collect();
        let candidates = all.iter().filter_map(|entry| {
            let fields = model::fields(base, kind, entry)?;
            Some(EntryModel {
                kind,
                entry,
                fields,
            })
        });
        let simple = |model: &EntryModel| {
            (
                script_count(model.entry),
                model.fields.iter().map(String::len).sum::<usize>(),
            )
        };
        found.extend(
            candidates
                .min_by_key(simple)
                .map(|model| (all.len(), model)),
        );
    }
    found.sort_by_key(|(entries, _)| std::cmp::Reverse(*entries));
    found.into_iter().map(|(_, model)| model).collect()
}

/// The number of script fields, which the new entry does not copy.
fn script_count(entry: &Entry) -> usize {
    ["on", "offer", "answer", "then", "do", "can", "each"]
        .iter()
        .filter(|field| entry.get(field).is_some())
        .count()
}

fn entry(base: &BasePack, request: &ScaffoldRequest, model: &EntryModel) -> TemplatePart {
    let kind = model.kind;
    let named = if kind.title.is_empty() {
        &kind.id
    } else {
        &kind.title
    };
    let entry = base.free(&format!("new-{}", kind.id.replace('_', "-")), &request.id);
    let (title, case) = (
        quoted(&format!("New {named}")),
        quoted(&format!("The new {named} is in the game")),
    );
    let (fields, packs) = (
        model
            .fields
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
        flags(&request.pack_folders),
    );
    let (model_name, mode) = (model.entry.full_name(), base.mode_name());
    let pairs = [
        ("of_title", base.title()),
        ("model", &model_name),
        ("kind", &kind.id),
        ("entry", &entry),
        ("entry_title", &title),
        ("fields", &fields),
        ("packs", &packs),
        ("case", &case),
        ("mode", &mode),
        ("moves", MOVES),
    ];
    let content = fill(include_str!("templates/expansion/entries.toml"), &pairs);
    let tests = fill(include_str!("templates/expansion/tests.toml"), &pairs);
    part(base, request, content, tests, entry)
}

/// The fallback for a game without suitable kinds: a rule.
fn rule(base: &BasePack, request: &ScaffoldRequest, how: &str) -> TemplatePart {
    let (rule, mode) = (base.free("something-new", &request.id), base.mode_name());
    let content = fill(
        include_str!("templates/expansion/rule.toml"),
        &[("rule", &rule)],
    );
    let tests = fill(
        include_str!("templates/expansion/rule-tests.toml"),
        &[("mode", &mode), ("how", how)],
    );
    part(base, request, content, tests, rule)
}

fn part(
    base: &BasePack,
    request: &ScaffoldRequest,
    content: String,
    tests: String,
    show: String,
) -> TemplatePart {
    let what = format!("An expansion of {}.", base.title());
    let files: Vec<NewFile> = vec![
        made("entries.toml", content, "the new entries"),
        manifest(base, request, &what),
        made("tests/first.toml", tests, "a test case"),
    ];
    TemplatePart {
        files,
        play: base.mode_name(),
        show,
        what,
        first: Cow::Borrowed(include_str!("templates/expansion/first.md")),
    }
}

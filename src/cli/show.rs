//! `kaer show`: an entry as written in its pack.

use super::{Failure, PackArgs, screen};
use crate::diagnostic::nearest;
use crate::library::PackLibrary;
use crate::pack::{Entry, FieldValue, Pack, ScriptSource, Template};

#[derive(clap::Args, Clone, Debug)]
pub struct ShowArgs {
    /// The entry: `id`, `kind/id`, `pack:id` or `pack:kind/id`.
    entry: String,
    #[command(flatten)]
    packs: PackArgs,
}

pub fn run(args: &ShowArgs) -> Result<(), Failure> {
    let library = args.packs.or_current().library()?;
    let all: Vec<&Entry> = library.set.packs.iter().flat_map(Pack::entries).collect();
    let found: Vec<&Entry> = all
        .iter()
        .copied()
        .filter(|entry| is_named(entry, &args.entry))
        .collect();
    if found.is_empty() {
        let near = nearest(&args.entry, all.iter().map(|entry| entry.id.as_str()));
        let hint = near
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        return Err(Failure::error(format!(
            "no entry is called `{}`{hint}",
            args.entry
        )));
    }
    for entry in found {
        show(&library, entry);
    }
    Ok(())
}

fn is_named(entry: &Entry, name: &str) -> bool {
    let full = entry.full_name();
    let pack = full.split(':').next().unwrap_or("");
    name == entry.id
        || name == full
        || name == format!("{}/{}", entry.kind, entry.id)
        || name == format!("{pack}:{}", entry.id)
}

fn show(library: &PackLibrary, entry: &Entry) {
    let (line, _) = library.set.files.line_col(entry.span);
    screen::print(&format!(
        "{}  ({}:{line})",
        entry.full_name(),
        library.set.files.name(entry.span.file)
    ));
    if let Some(text) = entry.text("text") {
        let lookup = |name: &str| {
            let (first, rest) = name.split_once('.').unwrap_or((name, ""));
            entry
                .get(first)
                .and_then(|value| value.get_path(rest))
                .map(show_value)
        };
        screen::print(&format!("  {}", Template::parse(text).0.render(&lookup)));
    }
    for field in entry
        .fields
        .iter()
        .filter(|field| field.name != "text" && field.name != "id")
    {
        field_lines(&field.name, &field.value);
    }
    added_lines(library, entry);
}

/// What other packs add to the kind of an entry, unless the entry overrides it.
fn added_lines(library: &PackLibrary, entry: &Entry) {
    let extensions = library.set.packs.iter().flat_map(|pack| &pack.extensions);
    for extension in extensions.filter(|extension| extension.kind == entry.kind) {
        let missing = extension
            .fields
            .iter()
            .filter(|field| entry.get(&field.name).is_none());
        for field in missing {
            let value = field.default.as_ref().map_or("()".to_owned(), show_value);
            let (name, pack) = (&field.name, &extension.pack_id);
            screen::print(&format!("  {name} = {value}  (added by {pack})"));
        }
        if let Some(text) = &extension.text {
            let fields = extension.fields.iter();
            let lookup = |name: &str| {
                let own = entry.get(name);
                let added = || {
                    let field = fields.clone().find(|field| field.name == name)?;
                    field.default.as_ref()
                };
                own.or_else(added).map(show_value)
            };
            let text = Template::parse(text).0.render(&lookup);
            screen::print(&format!("  {text}  (added by {})", extension.pack_id));
        }
        for (table, name, script) in &extension.hooks {
            if let FieldValue::Script(script) = script {
                let name = format!("{table}.{name} (added by {})", extension.pack_id);
                script_lines(&name, script);
            }
        }
    }
}

fn field_lines(name: &str, value: &FieldValue) {
    match value {
        FieldValue::Script(script) => script_lines(name, script),
        FieldValue::Table(rows) => rows
            .iter()
            .for_each(|(key, value)| field_lines(&format!("{name}.{key}"), value)),
        value => screen::print(&format!("  {name} = {}", show_value(value))),
    }
}

fn script_lines(name: &str, script: &ScriptSource) {
    screen::print(&format!("  {name}:"));
    for line in script.text.lines().filter(|line| !line.trim().is_empty()) {
        screen::print(&format!("    {}", line.trim_end()));
    }
}

fn show_value(value: &FieldValue) -> String {
    match value {
        FieldValue::Int(n) => n.to_string(),
        FieldValue::Bool(yes) => yes.to_string(),
        FieldValue::Text(text) => text.clone(),
        FieldValue::Name(name) => name.written().into_owned(),
        FieldValue::List(list) => format!(
            "[{}]",
            list.iter().map(show_value).collect::<Vec<_>>().join(", ")
        ),
        FieldValue::Table(rows) => {
            let rows: Vec<String> = rows
                .iter()
                .map(|(key, value)| format!("{key} = {}", show_value(value)))
                .collect();
            format!("{{ {} }}", rows.join(", "))
        }
        FieldValue::Script(script) => script.text.trim().to_owned(),
        FieldValue::Ref(_) => String::new(),
    }
}

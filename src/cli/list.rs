//! `kaer list`: modes, packs, entries, kinds, events, queries and script functions.

use super::{Failure, PackArgs, screen};
use crate::content::events;
use crate::docs;
use crate::library::PackLibrary;
use crate::pack::{Origin, Pack, visible};

#[derive(clap::Args, Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a separate command-line flag"
)]
pub struct ListArgs {
    #[command(flatten)]
    packs: PackArgs,
    /// List packs in load order, with version and location.
    #[arg(long = "packs")]
    all_packs: bool,
    /// List entries, of one kind or of all kinds.
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "")]
    entries: Option<String>,
    /// List kinds and their fields.
    #[arg(long)]
    kinds: bool,
    /// List the events of the engine and of packs, and what each provides to hooks.
    #[arg(long)]
    events: bool,
    /// List the queries of the engine and of packs, and what each provides to answers.
    #[arg(long)]
    queries: bool,
    /// List the options of packs, for `--option`.
    #[arg(long)]
    options: bool,
    /// List script functions of the engine and of packs.
    #[arg(long)]
    functions: bool,
}

pub fn run(args: &ListArgs) -> Result<(), Failure> {
    let packs_named = args.packs.or_current();
    let library = packs_named.library()?;
    let named: Vec<u16> = (0u16..)
        .zip(&library.set.packs)
        .filter(|(_, pack)| packs_named.paths.is_empty() || pack.origin == Origin::CommandLine)
        .flat_map(|(number, _)| visible(&library.set, number))
        .collect();
    let is_listed = |number: &u16| named.contains(number);
    let listed = (0u16..).zip(&library.set.packs);
    let listed: Vec<&Pack> = listed
        .filter(|(number, _)| is_listed(number))
        .map(|(_, pack)| pack)
        .collect();
    if args.events {
        print_events(events::on::EVENTS);
        pack_events(&listed, "event");
    } else if args.queries {
        print_events(events::ask::QUERIES);
        pack_events(&listed, "query");
    } else if args.functions {
        functions();
        pack_functions(&library, &listed);
    } else if args.options {
        options(&listed);
    } else if args.all_packs {
        packs(&library);
    } else if args.kinds {
        kinds(&library, &listed);
    } else if let Some(kind) = &args.entries {
        entries(&library, kind);
    } else {
        for mode in library.modes() {
            screen::print(&format!(
                "{:<28} {} ({}, {})",
                mode.name,
                mode.title,
                mode.pack,
                mode.players()
            ));
        }
    }
    Ok(())
}

fn print_events(list: &[events::EventSpec]) {
    for topic in events::TOPICS {
        let own: Vec<&events::EventSpec> = list
            .iter()
            .filter(|native| native.topic == topic.name)
            .collect();
        if own.is_empty() {
            continue;
        }
        screen::print(&format!("# {}", topic.name));
        let names = |sequence: &events::EventSequence| {
            own.iter()
                .any(|native| sequence.names().any(|name| name == native.name))
        };
        for sequence in topic.sequences.iter().filter(|sequence| names(sequence)) {
            screen::print(&format!(
                "{}: {}",
                sequence.what,
                sequence.names().collect::<Vec<_>>().join(" → ")
            ));
        }
        for native in own {
            screen::print(&format!("{:<20} {}", native.name, native.text));
            if !native.provides.is_empty() {
                screen::print(&format!("{:<20} event: {}", "", native.provides));
            }
        }
        screen::print("");
    }
}

/// The events or queries that packs declare, with what they provide.
fn pack_events(packs: &[&Pack], kind: &str) {
    for pack in packs {
        let mut own = pack.entries().filter(|entry| entry.kind == kind).peekable();
        if own.peek().is_some() {
            screen::print(&format!("# {}", pack.manifest.id));
        }
        for entry in own {
            let text = entry.text("text").or(entry.text("title")).unwrap_or("");
            screen::print(format!("{:<20} {text}", entry.id).trim_end());
            let provided: Vec<String> = entry
                .list("provides")
                .iter()
                .filter_map(|item| item.as_text())
                .map(|text| match events::provided(text) {
                    (name, Some(of)) => format!("{name} ({of})"),
                    (name, None) => name.to_owned(),
                })
                .collect();
            if !provided.is_empty() {
                screen::print(&format!("{:<20} event: {}", "", provided.join(" ")));
            }
        }
    }
}

/// The functions in the files of packs.
fn pack_functions(library: &PackLibrary, packs: &[&Pack]) {
    for pack in packs.iter().filter(|pack| !pack.libraries.is_empty()) {
        screen::print(&format!("\n# {}", pack.manifest.id));
        for file in &pack.libraries {
            for function in docs::functions_of(&library.set.files, *file) {
                screen::print(function.head);
                if !function.comment.is_empty() {
                    screen::print(&format!("    {}", function.comment));
                }
            }
        }
    }
}

/// The options of packs with their values, as `--option` takes them.
fn options(packs: &[&Pack]) {
    for pack in packs {
        for entry in pack.entries().filter(|entry| entry.kind == "option") {
            let name = format!("{}:{}", pack.manifest.id, entry.id);
            let title = entry.text("title").unwrap_or("");
            screen::print(format!("{name:<28} {title}").trim_end());
            let values = entry
                .list("values")
                .iter()
                .filter_map(|value| value.as_text());
            let values: Vec<&str> = values.collect();
            if let Some(first) = values.first() {
                let default = entry.text("default").unwrap_or(first);
                let all = values.join(", ");
                screen::print(&format!("{:<28} one of {all}; by default {default}", ""));
            }
            if let Some(text) = entry.text("text") {
                screen::print(&format!("{:<28} {text}", ""));
            }
        }
    }
}

fn functions() {
    screen::print("The examples run in this game:");
    indented(crate::script::EXAMPLE_GAME);
    let mut topic = "";
    for function in crate::script::primitives() {
        if function.topic != topic {
            screen::print(&format!("\n# {}", function.topic));
            topic = function.topic;
        }
        screen::print(&format!("{}\n    {}", function.signature, function.text));
        if let Some(example) = &function.example {
            indented(&example.text);
        }
    }
}

fn indented(code: &str) {
    for line in code.lines() {
        screen::print(format!("        {line}").trim_end());
    }
}

fn packs(library: &PackLibrary) {
    for (ix, pack) in library.set.packs.iter().enumerate() {
        let manifest = &pack.manifest;
        let hash = pack.hash.get(..12).unwrap_or(&pack.hash);
        screen::print(&format!(
            "{:>2}  {} {} ({hash}) — {:?}: {}",
            ix + 1,
            manifest.id,
            manifest.version,
            pack.origin,
            pack.root
        ));
    }
    for shadowed in &library.set.shadowed {
        screen::print(&format!(
            "    shadowed by a later pack: {} — {:?}: {}",
            shadowed.id, shadowed.origin, shadowed.root
        ));
    }
}

fn kinds(library: &PackLibrary, packs: &[&Pack]) {
    for kind in &library.set.builtin {
        screen::print(&format!("engine:{} — {}", kind.id, kind.text));
        for field in &kind.fields {
            screen::print(&format!("    {:<14} {}", field.name, field.ty.phrase()));
        }
    }
    for pack in packs {
        for kind in &pack.kinds {
            screen::print(&format!("{}:{} — {}", pack.manifest.id, kind.id, kind.text));
            for field in &kind.fields {
                screen::print(&format!("    {:<14} {}", field.name, field.ty.phrase()));
            }
        }
        for extension in &pack.extensions {
            let id = &pack.manifest.id;
            screen::print(&format!("{id} adds to {}:", extension.kind));
            for field in &extension.fields {
                screen::print(&format!("    {:<14} {}", field.name, field.ty.phrase()));
            }
            for added in &extension.values {
                let values = added.values.join(", ");
                screen::print(&format!("    {:<14} also {values}", added.path.join(".")));
            }
            for (table, event, _) in &extension.hooks {
                screen::print(&format!("    {table}.{event}"));
            }
        }
    }
}

fn entries(library: &PackLibrary, kind: &str) {
    for pack in &library.set.packs {
        for entry in pack
            .entries()
            .filter(|entry| kind.is_empty() || entry.kind == kind)
        {
            screen::print(&format!(
                "{:<40} {}",
                entry.full_name(),
                entry.text("title").unwrap_or("")
            ));
        }
    }
}

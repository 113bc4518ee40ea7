//! `kaer list`: modes, packs, entries, kinds, events, queries and script functions.

use super::{Failure, PackArgs, screen};
use crate::content::events;

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
    /// List the built-in events and what each provides to hooks.
    #[arg(long)]
    events: bool,
    /// List the built-in queries.
    #[arg(long)]
    queries: bool,
    /// List script functions.
    #[arg(long)]
    functions: bool,
}

pub fn run(args: &ListArgs) -> Result<(), Failure> {
    if args.events || args.queries {
        print_events(if args.events {
            events::on::EVENTS
        } else {
            events::ask::QUERIES
        });
        return Ok(());
    }
    if args.functions {
        functions();
        return Ok(());
    }
    let library = args.packs.library()?;
    if args.all_packs {
        packs(&library);
    } else if args.kinds {
        kinds(&library);
    } else if let Some(kind) = &args.entries {
        entries(&library, kind);
    } else {
        for mode in library.modes() {
            screen::say(&format!(
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
        screen::say(&format!("# {}", topic.name));
        let names = |sequence: &events::EventSequence| {
            own.iter()
                .any(|native| sequence.names().any(|name| name == native.name))
        };
        for sequence in topic.sequences.iter().filter(|sequence| names(sequence)) {
            screen::say(&format!(
                "{}: {}",
                sequence.what,
                sequence.names().collect::<Vec<_>>().join(" → ")
            ));
        }
        for native in own {
            screen::say(&format!("{:<20} {}", native.name, native.text));
            if !native.provides.is_empty() {
                screen::say(&format!("{:<20} event: {}", "", native.provides));
            }
        }
        screen::say("");
    }
}

fn functions() {
    screen::say("The examples run in this game:");
    indented(crate::script::EXAMPLE_GAME);
    let mut topic = "";
    for function in crate::script::primitives() {
        if function.topic != topic {
            screen::say(&format!("\n# {}", function.topic));
            topic = function.topic;
        }
        screen::say(&format!("{}\n    {}", function.signature, function.text));
        if let Some(example) = &function.example {
            indented(&example.text);
        }
    }
}

fn indented(code: &str) {
    for line in code.lines() {
        screen::say(format!("        {line}").trim_end());
    }
}

fn packs(library: &crate::library::PackLibrary) {
    for (ix, pack) in library.set.packs.iter().enumerate() {
        let manifest = &pack.manifest;
        let hash = pack.hash.get(..12).unwrap_or(&pack.hash);
        screen::say(&format!(
            "{:>2}  {} {} ({hash}) — {:?}: {}",
            ix + 1,
            manifest.id,
            manifest.version,
            pack.origin,
            pack.root
        ));
    }
    for shadowed in &library.set.shadowed {
        screen::say(&format!(
            "    shadowed by a later pack: {} — {:?}: {}",
            shadowed.id, shadowed.origin, shadowed.root
        ));
    }
}

fn kinds(library: &crate::library::PackLibrary) {
    for pack in &library.set.packs {
        for kind in &pack.kinds {
            screen::say(&format!("{}:{} — {}", pack.manifest.id, kind.id, kind.text));
            for field in &kind.fields {
                screen::say(&format!("    {:<14} {}", field.name, field.ty.phrase()));
            }
        }
        for extension in &pack.extensions {
            let id = &pack.manifest.id;
            screen::say(&format!("{id} adds to {}:", extension.kind));
            for field in &extension.fields {
                screen::say(&format!("    {:<14} {}", field.name, field.ty.phrase()));
            }
            for added in &extension.values {
                let values = added.values.join(", ");
                screen::say(&format!("    {:<14} also {values}", added.path.join(".")));
            }
            for (table, event, _) in &extension.hooks {
                screen::say(&format!("    {table}.{event}"));
            }
        }
    }
}

fn entries(library: &crate::library::PackLibrary, kind: &str) {
    for pack in &library.set.packs {
        for entry in pack
            .entries()
            .filter(|entry| kind.is_empty() || entry.kind == kind)
        {
            screen::say(&format!(
                "{:<40} {}",
                entry.full_name(),
                entry.text("title").unwrap_or("")
            ));
        }
    }
}

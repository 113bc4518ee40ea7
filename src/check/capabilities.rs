//! What a pack is able to do to a game, to help decide whether to trust it.

use super::CheckSubject;
use crate::content::{Content, SeenBy};
use crate::diagnostic::Span;
use crate::library::PackLibrary;
use crate::pack::Pack;
use crate::script::{ScriptOutline, SideEffects, outline_file, outline_hook};

/// Something that a pack can do, and the places where it does.
pub struct Capability {
    /// A verb phrase, as shown to the user.
    pub description: &'static str,
    /// The scripts and patches that do it; empty if the pack does not do it.
    pub at: Vec<Span>,
}

/// Properties that lead to other players.
const OTHERS: &[&str] = &["left", "right"];

/// Lists every capability, whether the pack has it or not.
pub(crate) fn capabilities(
    library: &PackLibrary,
    pack: &Pack,
    content: Option<&Content>,
) -> Vec<Capability> {
    let scripts = scripts(library, pack);
    let with = |test: &dyn Fn(&ScriptOutline) -> bool| -> Vec<Span> {
        let own = scripts.iter().filter(|(outline, _)| test(outline));
        own.map(|(_, span)| *span).collect()
    };
    let calls = |outline: &ScriptOutline, does: SideEffects| {
        outline.calls.iter().any(|call| call.does.any(does))
    };
    let mut hidden = with(&|outline| {
        calls(outline, SideEffects::REVEALS)
            || content.is_some_and(|content| {
                reads_hidden(content, content.pack_number(&pack.manifest.id), outline)
            })
    });
    hidden.sort_unstable();
    let theirs = |name: &str| !pack.entries().any(|entry| name.ends_with(&entry.id));
    let patches = pack
        .patches
        .iter()
        .filter(|patch| theirs(&patch.entry.text));
    vec![
        Capability {
            description: "uses randomness",
            at: with(&|outline| calls(outline, SideEffects::CHANCE)),
        },
        Capability {
            description: "reads or reveals hidden information",
            at: hidden,
        },
        Capability {
            description: "affects other players",
            at: with(&|outline| {
                calls(outline, SideEffects::OTHERS)
                    || OTHERS.iter().any(|name| outline.has_name(name))
            }),
        },
        Capability {
            description: "ends or prolongs games and turns",
            at: with(&|outline| calls(outline, SideEffects::ENDS)),
        },
        Capability {
            description: "changes entries of other packs",
            at: patches.map(|patch| patch.entry.span).collect(),
        },
    ]
}

/// Every script of a pack, and every function in its libraries.
fn scripts(library: &PackLibrary, pack: &Pack) -> Vec<(ScriptOutline, Span)> {
    let mut all = Vec::new();
    for field in pack.entries().flat_map(|entry| &entry.fields) {
        field.value.each(&mut |value| {
            let script = value.as_script();
            all.extend(script.map(|script| (outline_hook(&script.text), script.span)));
        });
    }
    for file in &pack.libraries {
        for function in outline_file(library.set.files.text(*file)) {
            let end = function.at + function.name.len();
            let span = Span::new(*file, function.at, end);
            all.push((function, span));
        }
    }
    all
}

/// Whether a script reads a zone that no player can see.
fn reads_hidden(content: &Content, pack: u16, outline: &ScriptOutline) -> bool {
    let is_hidden = |zone: &str| {
        let zone = content.symbol_in(pack, zone).zone;
        zone.is_some_and(|zone| content.zones[zone.ix()].seen_by == SeenBy::Nobody)
    };
    outline.calls.iter().any(|call| {
        call.does.any(SideEffects::READS_ZONE) && call.on.as_deref().is_some_and(is_hidden)
    })
}

/// The capabilities of all checked packs, by pack id.
pub(super) fn all(subject: &CheckSubject) -> Vec<(String, Vec<Capability>)> {
    let of_pack = |pack: &&Pack| {
        let opened = subject.opened_with(pack);
        let content = opened.map(|opened| &*opened.rules.content);
        (
            pack.manifest.id.clone(),
            capabilities(subject.library, pack, content),
        )
    };
    subject.packs.iter().map(of_pack).collect()
}

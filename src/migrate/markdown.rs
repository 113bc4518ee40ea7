//! Migrates the code blocks of a Markdown file. Prose is left to the author.

use super::table::Hook;
use super::{PackNames, Rewrites, script, toml};

/// Migrates blocks of TOML and Rhai. A block that is not valid TOML is left unchanged, with a note.
pub(super) fn markdown(text: &str, version: u32, scope: &PackNames) -> Rewrites {
    let mut out = Rewrites::default();
    for (language, start, end) in blocks(text) {
        let block = &text[start..end];
        let changes = match language {
            "rhai" => {
                let mut changes = Rewrites::default();
                script::script(block, Hook::Action, version, scope, &mut changes);
                Ok(changes)
            }
            "functions" => {
                let mut changes = Rewrites::default();
                script::library(block, version, scope, &mut changes);
                Ok(changes)
            }
            "toml" => toml::toml(block, version, scope),
            _ => continue,
        };
        match changes {
            Ok(changes) => out.shift(changes, start),
            Err(reason) => out.note(start, format!("skipped this block: {reason}")),
        }
    }
    out
}

/// The TOML of all blocks, to collect declarations.
pub(super) fn declared(text: &str) -> impl Iterator<Item = &str> {
    blocks(text)
        .into_iter()
        .filter(|(language, ..)| *language == "toml")
        .map(|(_, start, end)| &text[start..end])
}

/// The fenced blocks: language, start and end.
fn blocks(text: &str) -> Vec<(&str, usize, usize)> {
    let mut out = Vec::new();
    let mut open: Option<(&str, &str, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let marks = bare.len() - bare.trim_start_matches('`').len();
        match open {
            None if marks >= 3 => {
                let info = bare[marks..].trim();
                let end = info.find(|c: char| !c.is_ascii_alphanumeric());
                // A block may name its file. Many renderers know Rhai only as Rust.
                let is_rhai = info.split(' ').any(|word| word.ends_with(".rhai"));
                let language = if is_rhai {
                    "functions"
                } else {
                    &info[..end.unwrap_or(info.len())]
                };
                open = Some((&bare[..marks], language, at + line.len()));
            }
            Some((fence, language, start)) if bare == fence => {
                out.push((language, start, at));
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    out
}

//! The paths of pages. Packs with errors can have any string as an id, so characters that are not
//! safe in a file name are encoded.

use crate::content::stable_hash;

/// Longer names are replaced by a hash, because file systems limit their length.
const MAX_LENGTH: usize = 100;

pub const INDEX: &str = "index.html";
pub const STYLE: &str = "style.css";
pub const FUNCTIONS: &str = "functions/index.html";
pub const EVENTS: &str = "events.html";
pub const KINDS: &str = "kinds.html";

/// Encodes an id as a file name or anchor.
pub fn name(id: &str) -> String {
    let mut out = String::new();
    for c in id.chars() {
        match c {
            'a'..='z' | '0'..='9' | '-' | '_' => out.push(c),
            // Encode upper case, too: many file systems ignore case.
            c => out.push_str(&format!("={:x}", u32::from(c))),
        }
    }
    if out.len() > MAX_LENGTH || out.is_empty() {
        format!("=={:016x}", stable_hash(id))
    } else {
        out
    }
}

/// The page of a topic of script functions.
pub fn topic(topic: &str) -> String {
    format!("functions/{}.html", name(topic))
}

pub fn of_pack(pack: &str, page: &str) -> String {
    format!("packs/{}/{page}.html", name(pack))
}

/// The page of a kind, with its entries in this pack.
pub fn kind(pack: &str, kind: &str) -> String {
    format!("packs/{}/kind/{}.html", name(pack), name(kind))
}

pub fn entry(pack: &str, kind: &str, id: &str) -> String {
    format!(
        "packs/{}/entry/{}/{}.html",
        name(pack),
        name(kind),
        name(id)
    )
}

/// The relative path from a page to the root of the folder.
pub fn root(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

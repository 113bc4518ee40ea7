//! Where each page lies below the folder. Ids may be anything, because packs with faults are shown too: what could not
//! be a name of a file, or would lead out of the folder, is written otherwise.

use crate::content::stable_hash;

/// Longer names are cut, as not every disk takes them.
const LONGEST: usize = 100;

/// The front page.
pub const INDEX: &str = "index.html";
/// The look of all pages.
pub const STYLE: &str = "style.css";
/// The words of scripts.
pub const WORDS: &str = "words/index.html";
/// The engine's events and queries.
pub const EVENTS: &str = "events.html";
/// The kinds.
pub const KINDS: &str = "kinds.html";

/// An id as the name of a file or an anchor.
pub fn name(id: &str) -> String {
    let mut out = String::new();
    for c in id.chars() {
        match c {
            'a'..='z' | '0'..='9' | '-' | '_' => out.push(c),
            // Two names that differ only in capitals are one on many disks.
            c => out.push_str(&format!("={:x}", u32::from(c))),
        }
    }
    if out.len() > LONGEST || out.is_empty() {
        format!("=={:016x}", stable_hash(id))
    } else {
        out
    }
}

/// The page of the words of a topic.
pub fn topic(topic: &str) -> String {
    format!("words/{}.html", name(topic))
}

/// A page of a pack.
pub fn of_pack(pack: &str, page: &str) -> String {
    format!("packs/{}/{page}.html", name(pack))
}

/// The page of a kind, with its entries in a pack.
pub fn kind(pack: &str, kind: &str) -> String {
    format!("packs/{}/kind/{}.html", name(pack), name(kind))
}

/// The page of an entry.
pub fn entry(pack: &str, kind: &str, id: &str) -> String {
    format!(
        "packs/{}/entry/{}/{}.html",
        name(pack),
        name(kind),
        name(id)
    )
}

/// How to come from a page to the folder all paths begin at.
pub fn root(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_leads_out_of_the_folder() {
        assert_eq!(name("grey-owl_2"), "grey-owl_2");
        assert_eq!(
            entry("..", "/etc", "Ä"),
            "packs/=2e=2e/entry/=2fetc/=c4.html"
        );
        assert_ne!(name("Owl"), name("owl"));
        assert!(name(&"x".repeat(500)).len() < 30 && !name("").is_empty());
        assert_eq!(root("packs/a/entry/b/c.html"), "../../../../");
    }
}

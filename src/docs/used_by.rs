//! Cross-references on pages: what uses an entry, and what an entry uses.

use std::collections::BTreeMap;

use super::html::{Html, classed, code, counted, joined, list, tag};
use super::paths;
use super::site::{KindKey, PageWriter};
use super::usage::{Usage, UseKind, UsedBy};
use crate::pack::EntryNature;

/// Longer lists than this are collapsed.
const MAX_OPEN: usize = 30;

impl PageWriter<'_, '_> {
    /// A link to an entry, a function or a patch.
    pub fn by(&self, by: UsedBy) -> Html {
        match by {
            UsedBy::Entry(at) => self.entry(at),
            UsedBy::Function(pack, at) => {
                let function = &self.site.packs[pack].functions[at];
                self.link(&self.site.function_path((pack, at)), code(function.head))
            }
            UsedBy::Patch(pack, _) => {
                let shown = &self.site.packs[pack];
                self.link(
                    &format!("{}#changes", paths::of_pack(shown.id(), "index")),
                    shown.title(),
                )
            }
        }
    }

    /// Links to users, without duplicates, each with the fields and scripts that contain the
    /// reference.
    fn users<'u>(&self, uses: impl Iterator<Item = &'u Usage>) -> Vec<Html> {
        let mut all: BTreeMap<UsedBy, Vec<&str>> = BTreeMap::new();
        for used in uses {
            all.entry(used.by).or_default().push(&used.description);
        }
        let item = |(by, hows): (UsedBy, Vec<&str>)| {
            let note = match by {
                UsedBy::Patch(pack, at) => self
                    .site
                    .location_of(self.site.packs[pack].pack.patches[at].span),
                _ => hows.join(", "),
            };
            if note.is_empty() {
                self.by(by)
            } else {
                self.by(by).and(" ").and(classed("span", "how", note))
            }
        };
        all.into_iter().map(item).collect()
    }

    /// Everything that uses an entry, in groups.
    pub fn used_by(&self, at: usize) -> Html {
        let item = &self.site.items[at];
        let uses = &self.site.uses.of[at];
        let is_function = |used: &Usage| matches!(used.by, UsedBy::Function(..));
        let mut all = Html::default();
        let mut group = |heading: &str, fits: &dyn Fn(&Usage) -> bool| {
            all.push(listed(
                heading,
                self.users(uses.iter().filter(|used| fits(used))),
            ));
        };
        group("Patched by", &|used| used.kind == UseKind::Changes);
        group("Emitted by", &|used| used.kind == UseKind::Fires);
        group("Handled by", &|used| used.kind == UseKind::Handles);
        group("Set by", &|used| used.kind == UseKind::Sets);
        group("Entries", &|used| used.kind == UseKind::Refers);
        group("Scripts", &|used| {
            used.kind == UseKind::Mentions && !is_function(used)
        });
        group("Functions", &|used| {
            used.kind == UseKind::Mentions && is_function(used)
        });
        let pieces = item.kind.is_some_and(|kind| kind.is == EntryNature::Piece);
        let key = item.kind_key().filter(|_| pieces);
        let takers = key.and_then(|key| self.site.uses.of_kinds.get(&key));
        all.and(listed(
            "Uses of all entries of its kind",
            self.users(takers.into_iter().flatten()),
        ))
    }

    /// Everything that uses all entries of a kind.
    pub fn kind_used_by(&self, kind: &KindKey) -> Html {
        list(self.users(self.site.uses.of_kinds.get(kind).into_iter().flatten()))
    }

    /// The callers of a function, given by the index of its pack and its index in the pack.
    pub fn called_by(&self, function: (usize, usize)) -> Html {
        let users = joined(
            self.users(self.site.uses.calls.get(&function).into_iter().flatten()),
            ", ",
        );
        if users.is_empty() {
            users
        } else {
            classed("p", "small", Html::from("Called by ").and(users))
        }
    }

    /// The entries that an entry refers to.
    pub fn names(&self, at: usize) -> Html {
        let mut by_target: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (target, _, note) in &self.site.uses.names[at] {
            by_target.entry(*target).or_default().push(note);
        }
        let item = |(target, mut hows): (usize, Vec<&str>)| {
            hows.dedup();
            let note = format!(
                "{} · {}",
                self.site.items[target].kind_title(),
                hows.join(", ")
            );
            self.entry(target)
                .and(" ")
                .and(classed("span", "how", note))
        };
        list(by_target.into_iter().map(item))
    }
}

/// A heading with a list of users; empty without users.
fn listed(heading: &str, users: Vec<Html>) -> Html {
    let count = users.len();
    let users = list(users);
    match count {
        0 => users,
        1..=MAX_OPEN => tag("h3", heading).and(users),
        _ => tag("h3", heading).and(tag(
            "details",
            tag("summary", counted(count, "user")).and(users),
        )),
    }
}

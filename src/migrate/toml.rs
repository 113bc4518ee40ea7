//! Migrates the TOML files of a pack.

use semver::{Version, VersionReq};

use super::document::{self, TomlItem, TomlItemKind};
use super::scope::{PackNames, ScriptBlock, blocks};
use super::table::{Area, Rename, rows};
use super::{LineColumn, Rewrite, Rewrites, codes, journal, location, script};

/// Fields that refer to entries of any kind.
const REFERENCES: &[&str] = &["entry", "replaces", "rules"];

/// Migrates a TOML file.
///
/// # Errors
/// Returns a message if the file is not valid TOML.
pub(super) fn toml(text: &str, version: u32, scope: &PackNames) -> Result<Rewrites, String> {
    let items = document::read(text).map_err(|(reason, at)| {
        let LineColumn { line, column } = location(text, at);
        format!("{line}:{column}: invalid TOML: {reason}")
    })?;
    let mut out = Rewrites::default();
    codes::comments(text, version, &mut out);
    let file = TomlRewriter {
        text,
        version,
        scope,
        rows: rows(version).collect(),
    };
    for items in blocks(&items) {
        let block = ScriptBlock::new(text, items, scope);
        for item in items {
            match item.kind {
                TomlItemKind::Key => file.key(item, &block, &mut out),
                TomlItemKind::Text { .. } => file.text(item, &block, &mut out),
                TomlItemKind::Other => {}
            }
        }
    }
    Ok(out)
}

struct TomlRewriter<'t> {
    text: &'t str,
    version: u32,
    scope: &'t PackNames,
    rows: Vec<&'static Rename>,
}

impl TomlRewriter<'_> {
    fn key(&self, item: &TomlItem, block: &ScriptBlock, out: &mut Rewrites) {
        let Some(name) = item.path.last() else { return };
        let row = self.rows.iter().find(|row| {
            row.old == name
                && match row.of {
                    Area::Kind => item.path.len() == 1,
                    Area::Case => block.head == "case" && item.path.len() == 2,
                    Area::CaseDefault => block.head == "defaults" && item.path.len() == 2,
                    Area::Field(kinds) => is_field(item, block, kinds),
                    Area::Hooks => is_field(item, block, &[]),
                    Area::OptionKey => is_option_key(item, block),
                    _ => false,
                }
        });
        self.taken(item, name, block, out);
        match row {
            Some(row) => rename(item, row.new, out),
            None if block.head == "patch" => self.dotted(item, block, out),
            None => {}
        }
    }

    /// Adds a note about a declared field whose name the engine now uses.
    fn taken(&self, item: &TomlItem, name: &str, block: &ScriptBlock, out: &mut Rewrites) {
        let declared = block.head == "kind" && item.path.len() == 3 && item.path[1] == "fields";
        let taken = |row: &&Rename| row.of == Area::Hooks && row.new == name;
        if declared && self.rows.iter().copied().any(|row| taken(&row)) {
            out.note(
                item.start,
                format!("every entry now has a field `{name}`: rename this field everywhere"),
            );
        }
    }

    /// Renames parts of a quoted path: `set."ask.cost"`.
    fn dotted(&self, item: &TomlItem, block: &ScriptBlock, out: &mut Rewrites) {
        let mut start = item.start;
        let path = &item.path[..item.path.len() - 1];
        let mut names: Vec<&str> = Vec::new();
        for name in self.text[item.start..item.end].split('.') {
            names.push(name);
            let part = TomlItem {
                path: path
                    .iter()
                    .cloned()
                    .chain(names.iter().map(|name| (*name).to_owned()))
                    .collect(),
                start,
                end: start + name.len(),
                ..item.clone()
            };
            start += name.len() + 1;
            let row = self.rows.iter().find(|row| {
                row.old == name
                    && match row.of {
                        Area::Field(kinds) => is_field(&part, block, kinds),
                        Area::Hooks => is_field(&part, block, &[]),
                        _ => false,
                    }
            });
            if let Some(row) = row {
                rename(&part, row.new, out);
            }
        }
    }

    fn text(&self, item: &TomlItem, block: &ScriptBlock, out: &mut Rewrites) {
        let TomlItemKind::Text { quotes, .. } = item.kind else {
            return;
        };
        let inner = TomlItem {
            start: item.start + quotes,
            end: item.end - quotes,
            ..item.clone()
        };
        let inner_text = &self.text[inner.start..inner.end];
        let path: Vec<&str> = item.path.iter().map(String::as_str).collect();
        match path[..] {
            ["pack", "engine"] => {
                if let Some(new) = engine(inner_text, self.version) {
                    rename(&inner, &new, out);
                }
            }
            ["check", "allow"] => codes::list(inner_text, inner.start, self.version, out),
            ["case", "expect", "diagnostics"] => {
                codes::list(inner_text, inner.start, self.version, out);
            }
            ["case", "expect", "decision"] => {
                let new = journal::decision(inner_text, self.version);
                if new != inner_text {
                    rename(&inner, &new, out);
                }
            }
            ["case", "given" | "setup", "files", name] => self.file(item, name, out),
            ["case" | "defaults", "given" | "setup", "do" | "before"] | ["defaults", "do"] => {
                self.script(item, super::table::Hook::Action, out);
            }
            // The row inserts this value into a script.
            ["case", "each" | "rows", ..] if self.text[item.start..].starts_with('\'') => {
                self.script(item, super::table::Hook::Action, out);
            }
            _ => self.value(&inner, item, block, out),
        }
    }

    fn value(&self, inner: &TomlItem, item: &TomlItem, block: &ScriptBlock, out: &mut Rewrites) {
        let inner_text = &self.text[inner.start..inner.end];
        let last = item.path.last().map_or("", String::as_str);
        for row in self.rows.iter().filter(|row| row.of == Area::Kind) {
            let is_reference = REFERENCES.contains(&last);
            if let (true, Some(at)) = (is_reference, kind_in(inner_text, row.old)) {
                out.list.push(Rewrite {
                    start: inner.start + at,
                    end: inner.start + at + row.old.len(),
                    new: row.new.to_owned(),
                });
            } else if inner_text == row.old && matches!(last, "to" | "of") {
                rename(inner, row.new, out);
            }
        }
        let fields = block.fields(item);
        for row in self.rows.iter().filter(|row| row.of == Area::Pass) {
            let is_pass = |(kind, path): &(&str, &[String])| {
                *kind == "fight" && path[0] == "passes" && !matches!(last, "gains" | "draws")
            };
            if inner_text == row.old && fields.iter().any(is_pass) {
                rename(inner, row.new, out);
            }
        }
        let script = fields
            .iter()
            .find(|(kind, path)| self.scope.is_script(kind, path));
        if let Some((kind, path)) = script {
            self.script(item, self.scope.hook(kind, path, block), out);
        }
    }

    /// Migrates a script inside a string.
    fn script(&self, item: &TomlItem, hook: super::table::Hook, out: &mut Rewrites) {
        let mut changes = Rewrites::default();
        let Some((script, at)) = document::decoded(self.text, item) else {
            return;
        };
        script::script(&script, hook, self.version, self.scope, &mut changes);
        out.extend(changes, &at, self.text, &script);
    }

    /// Migrates a file in a case's setup, which replaces or extends a file of the pack.
    fn file(&self, item: &TomlItem, name: &str, out: &mut Rewrites) {
        let Some((inner_text, at)) = document::decoded(self.text, item) else {
            return;
        };
        let changes = if name.ends_with(".rhai") {
            let mut changes = Rewrites::default();
            script::library(&inner_text, self.version, self.scope, &mut changes);
            Ok(changes)
        } else {
            toml(&inner_text, self.version, self.scope)
        };
        // A case may contain an invalid file on purpose.
        if let Ok(changes) = changes {
            out.extend(changes, &at, self.text, &inner_text);
        }
    }
}

fn rename(item: &TomlItem, new: &str, out: &mut Rewrites) {
    out.list.push(Rewrite {
        start: item.start,
        end: item.end,
        new: new.to_owned(),
    });
}

/// Whether a key is a field of an entry of one of the kinds.
fn is_field(item: &TomlItem, block: &ScriptBlock, kinds: &[&str]) -> bool {
    // The declaration of a field counts too.
    if block.head == "kind" {
        return kinds.is_empty() && item.path.len() == 3 && item.path[1] == "fields";
    }
    block
        .fields(item)
        .iter()
        .any(|(kind, path)| path.len() == 1 && (kinds.is_empty() || kinds.contains(kind)))
}

/// Whether a key may be a key of an option: a field of an entry, or a key of a table in it.
fn is_option_key(item: &TomlItem, block: &ScriptBlock) -> bool {
    if block.head == "kind" {
        let declared = item.path.len().checked_sub(2).map(|at| &item.path[at]);
        return declared.is_some_and(|before| before == "fields");
    }
    !block.fields(item).is_empty()
}

/// The position of the kind in a reference: `worth/…` or `pack:worth/…`.
fn kind_in(reference: &str, kind: &str) -> Option<usize> {
    let at = reference.find(':').map_or(0, |colon| colon + 1);
    reference[at..]
        .strip_prefix(kind)
        .is_some_and(|rest| rest.starts_with('/'))
        .then_some(at)
}

/// The version range to write instead of one that excludes the current version.
fn engine(range: &str, version: u32) -> Option<String> {
    let range = VersionReq::parse(range).ok()?;
    let is = |version: u32| range.matches(&Version::new(version.into(), 0, 0));
    (is(version - 1) && !is(version)).then(|| version.to_string())
}

//! `[pack]` and `[check]` in `pack.toml`: the id, version and dependencies of a pack, and the
//! warnings it allows.

use std::sync::Arc;

use semver::{Version, VersionReq};

use crate::diagnostic::{Diagnostic, Span};

use super::id;
use super::read_context::ReadContext;
use super::table_reader::{LocatedText, TableReader};
use super::toml_tree::TomlTable;
use super::value::Reference;
use crate::migrate;

/// The version of the pack language: kinds, fields and script functions.
pub const ENGINE: Version = Version::new(migrate::VERSION as u64, 0, 0);

/// The contents of `pack.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The id of the pack in files and journals.
    pub id: String,
    /// The title, for players.
    pub title: String,
    /// The version; 0.0.0 by default.
    pub version: Version,
    /// The people who wrote it.
    pub authors: Vec<String>,
    /// The licence; may be empty.
    pub license: String,
    /// A description of a sentence or two.
    pub description: String,
    /// The engine versions it was written for.
    pub engine: VersionReq,
    /// The packs it depends on.
    pub depends: Vec<Dependency>,
    /// The packs it refers to without depending on them.
    pub optional: Vec<Dependency>,
    /// The packs it depends on and whose modes it can be added to.
    pub extends: Vec<Dependency>,
    /// The packs it cannot be played with.
    pub conflicts: Vec<Dependency>,
    /// The modes it can be played in; all if empty.
    pub only_in: Vec<Reference>,
    /// The codes of warnings that the whole pack allows, with their source locations.
    pub allow: Vec<(String, Span)>,
    /// Words that its texts should avoid, and what to write instead.
    pub avoid: Vec<(String, String)>,
    /// The source location of its id.
    pub span: Span,
}

impl Manifest {
    /// The packs it cannot do without: `depends` and `extends`.
    pub fn required(&self) -> impl Iterator<Item = &Dependency> {
        self.depends.iter().chain(&self.extends)
    }

    /// All packs it refers to, including optional ones.
    pub fn all_dependencies(&self) -> impl Iterator<Item = &Dependency> {
        self.required().chain(&self.optional)
    }

    /// The manifest for a pack without `[pack]`: the id is the name of the folder.
    pub(super) fn nameless(folder: &str, span: Span) -> Self {
        Self {
            id: folder.to_owned(),
            title: folder.to_owned(),
            version: Version::new(0, 0, 0),
            authors: Vec::new(),
            license: String::new(),
            description: String::new(),
            engine: VersionReq::STAR,
            depends: Vec::new(),
            optional: Vec::new(),
            extends: Vec::new(),
            conflicts: Vec::new(),
            only_in: Vec::new(),
            allow: Vec::new(),
            avoid: Vec::new(),
            span,
        }
    }
}

/// A pack that another pack names, with a version requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The id of the pack.
    pub id: String,
    /// The accepted versions.
    pub range: VersionReq,
    /// The source location of the name.
    pub span: Span,
}

/// Reads `[pack]`. Missing fields are reported and filled in, so that the rest of the pack can be
/// checked.
pub(super) fn read(cx: &mut ReadContext, table: &TomlTable, at: Span, folder: &str) -> Manifest {
    let mut reader = TableReader::new(table, "[pack]", at);
    let mut manifest = Manifest::nameless(folder, at);
    if let Some((name, span)) = reader.need_text(cx, "id") {
        id::check(cx, &name, span, "pack");
        manifest.title.clone_from(&name);
        manifest.id = name;
        manifest.span = span;
    }
    if let Some((title, _)) = reader.text(cx, "title") {
        manifest.title = title;
    }
    if let Some(text) = reader.text(cx, "version") {
        manifest.version = version(cx, &text).unwrap_or(manifest.version);
    }
    manifest.authors = reader
        .texts(cx, "authors")
        .into_iter()
        .map(|(author, _)| author)
        .collect();
    manifest.license = reader
        .text(cx, "license")
        .map(|(text, _)| text)
        .unwrap_or_default();
    manifest.description = reader
        .text(cx, "description")
        .map(|(text, _)| text)
        .unwrap_or_default();
    if let Some(text) = reader.text(cx, "engine") {
        manifest.engine = engine(cx, &text);
    }
    manifest.depends = dependencies(cx, &mut reader, "depends");
    manifest.optional = dependencies(cx, &mut reader, "optional");
    manifest.extends = dependencies(cx, &mut reader, "extends");
    manifest.conflicts = dependencies(cx, &mut reader, "conflicts");
    let modes: Arc<[String]> = Arc::from(["mode".to_owned()]);
    manifest.only_in = reader
        .texts(cx, "in")
        .into_iter()
        .map(|(text, span)| Reference::conditional(&text, span, &modes, cx.pack))
        .collect();
    reader.finish(cx);
    manifest
}

/// Reads `[check]`: the warnings that the pack allows, and the words it avoids.
pub(super) fn allowed(cx: &mut ReadContext, table: &TomlTable, at: Span, manifest: &mut Manifest) {
    let mut reader = TableReader::new(table, "[check]", at);
    manifest.allow = reader.texts(cx, "allow");
    for pair in reader
        .table(cx, "avoid")
        .map(|words| words.pairs.as_slice())
        .unwrap_or_default()
    {
        match pair.node.as_text() {
            Some(instead) => manifest.avoid.push((pair.key.clone(), instead.to_owned())),
            None => cx.wrong_type(
                &pair.node,
                &pair.key,
                "the word to write instead, in quotes",
            ),
        }
    }
    reader.finish(cx);
}

fn version(cx: &mut ReadContext, (text, span): &LocatedText) -> Option<Version> {
    let parsed = Version::parse(text.trim()).ok();
    if parsed.is_none() {
        bad_version(
            cx,
            *span,
            text,
            "write three numbers with dots, as in \"1.0.0\"",
        );
    }
    parsed
}

fn engine(cx: &mut ReadContext, (text, span): &LocatedText) -> VersionReq {
    let range = range(cx, text, *span);
    let older = (1..ENGINE.major)
        .rev()
        .find(|major| range.matches(&Version::new(*major, 0, 0)));
    if let (Some(major), false) = (older, range.matches(&ENGINE)) {
        Diagnostic::fatal(
            *span,
            "engine-version",
            format!("this pack was written for version {major} of the engine"),
        )
        .label(format!("this is version {}", ENGINE.major))
        .help("run `kaer migrate PATH` to update it")
        .push(cx.report);
    } else if !range.matches(&ENGINE) {
        Diagnostic::fatal(
            *span,
            "engine-version",
            format!("pack needs engine {text}, but this is {ENGINE}"),
        )
        .label("does not match this engine")
        .help(format!(
            "install a version of Kaer with that engine, or try engine = \"{}\"",
            ENGINE.major
        ))
        .push(cx.report);
    }
    range
}

fn dependencies(
    cx: &mut ReadContext,
    reader: &mut TableReader,
    name: &'static str,
) -> Vec<Dependency> {
    let texts = reader.texts(cx, name);
    texts
        .into_iter()
        .map(|(text, span)| dependency(cx, &text, span))
        .collect()
}

/// Parses `old-world ^1`, or only an id.
fn dependency(cx: &mut ReadContext, text: &str, span: Span) -> Dependency {
    let (name, rest) = text
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((text.trim(), "*"));
    Dependency {
        id: name.to_owned(),
        range: range(cx, rest.trim(), span),
        span,
    }
}

fn range(cx: &mut ReadContext, text: &str, span: Span) -> VersionReq {
    VersionReq::parse(text).unwrap_or_else(|_| {
        bad_version(
            cx,
            span,
            text,
            "write a range of versions, as in \"1\", \"^1.2\" or \">=1, <3\"",
        );
        VersionReq::STAR
    })
}

fn bad_version(cx: &mut ReadContext, span: Span, text: &str, help: &str) {
    Diagnostic::error(span, "bad-version", format!("invalid version `{text}`"))
        .label("not a version")
        .help(help)
        .push(cx.report);
}

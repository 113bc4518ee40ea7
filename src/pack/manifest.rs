//! `[pack]`: what a pack is called, which version it is, and what it needs.

use semver::{Version, VersionReq};

use crate::diagnostic::{Diagnostic, Span};

use super::asker::{Asker, Placed};
use super::faults::Cx;
use super::id;
use super::node::Table;
use crate::migrate;

/// The version of the language packs are written in: kinds, fields and script functions of the engine.
pub const ENGINE: Version = Version::new(migrate::VERSION as u64, 0, 0);

/// What a pack says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Its name in files and journals.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// Its version; 0.0.0 if it does not say.
    pub version: Version,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Under which licence.
    pub license: String,
    /// What it is, in a sentence or two.
    pub description: String,
    /// The versions of the engine it was written for.
    pub engine: VersionReq,
    /// Packs it cannot do without.
    pub depends: Vec<Dependency>,
    /// Packs it knows about, but can do without.
    pub optional: Vec<Dependency>,
    /// Packs whose modes it adds layers to when it is chosen.
    pub extends: Vec<Dependency>,
    /// Warnings its author has seen and wants to keep, by code, and where each stands.
    pub allow: Vec<(String, Span)>,
    /// Words its texts avoid, and what they say instead.
    pub avoid: Vec<(String, String)>,
    /// Where its id stands.
    pub span: Span,
}

impl Manifest {
    /// The packs it cannot do without: what it depends on and what it extends.
    pub fn needs(&self) -> impl Iterator<Item = &Dependency> {
        self.depends.iter().chain(&self.extends)
    }

    /// All packs it names.
    pub fn names(&self) -> impl Iterator<Item = &Dependency> {
        self.needs().chain(&self.optional)
    }

    /// What is left when a pack says nothing about itself: the name of its folder.
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
            allow: Vec::new(),
            avoid: Vec::new(),
            span,
        }
    }
}

/// Another pack, by id and range of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The id of the pack.
    pub id: String,
    /// The versions that will do.
    pub range: VersionReq,
    /// Where it stands.
    pub span: Span,
}

/// Reads `[pack]`. What is missing is reported and filled in, so that the rest of the pack can be checked.
pub(super) fn read(cx: &mut Cx, table: &Table, at: Span, folder: &str) -> Manifest {
    let mut asker = Asker::new(table, "[pack]", at);
    let mut manifest = Manifest::nameless(folder, at);
    if let Some((name, span)) = asker.need_text(cx, "id") {
        id::check(cx, &name, span, "pack");
        manifest.title.clone_from(&name);
        manifest.id = name;
        manifest.span = span;
    }
    if let Some((title, _)) = asker.text(cx, "title") {
        manifest.title = title;
    }
    if let Some(text) = asker.text(cx, "version") {
        manifest.version = version(cx, &text).unwrap_or(manifest.version);
    }
    manifest.authors = asker
        .texts(cx, "authors")
        .into_iter()
        .map(|(author, _)| author)
        .collect();
    manifest.license = asker
        .text(cx, "license")
        .map(|(text, _)| text)
        .unwrap_or_default();
    manifest.description = asker
        .text(cx, "description")
        .map(|(text, _)| text)
        .unwrap_or_default();
    if let Some(text) = asker.text(cx, "engine") {
        manifest.engine = engine(cx, &text);
    }
    manifest.depends = dependencies(cx, &mut asker, "depends");
    manifest.optional = dependencies(cx, &mut asker, "optional");
    manifest.extends = dependencies(cx, &mut asker, "extends");
    asker.finish(cx);
    manifest
}

/// Reads `[check]`: the warnings that are allowed in the whole pack, and the words it avoids.
pub(super) fn allowed(cx: &mut Cx, table: &Table, at: Span, manifest: &mut Manifest) {
    let mut asker = Asker::new(table, "[check]", at);
    manifest.allow = asker.texts(cx, "allow");
    for pair in asker
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
    asker.finish(cx);
}

fn version(cx: &mut Cx, (text, span): &Placed) -> Option<Version> {
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

fn engine(cx: &mut Cx, (text, span): &Placed) -> VersionReq {
    let range = range(cx, text, *span);
    let older = (1..ENGINE.major)
        .rev()
        .find(|major| range.matches(&Version::new(*major, 0, 0)));
    if let (Some(major), false) = (older, range.matches(&ENGINE)) {
        Diagnostic::crash(
            *span,
            "engine-version",
            format!("this pack was written for version {major} of the engine"),
        )
        .label(format!("this is version {}", ENGINE.major))
        .help("run `kaer migrate PATH` to update it")
        .push(cx.report);
    } else if !range.matches(&ENGINE) {
        Diagnostic::crash(
            *span,
            "engine-version",
            format!("this pack was written for engine {text}, and this is engine {ENGINE}"),
        )
        .label("does not fit this engine")
        .help(format!(
            "get a version of Kaer with that engine, or try engine = \"{}\"",
            ENGINE.major
        ))
        .push(cx.report);
    }
    range
}

fn dependencies(cx: &mut Cx, asker: &mut Asker, name: &'static str) -> Vec<Dependency> {
    let texts = asker.texts(cx, name);
    texts
        .into_iter()
        .map(|(text, span)| dependency(cx, &text, span))
        .collect()
}

/// `old-world ^1`, or only the id.
fn dependency(cx: &mut Cx, text: &str, span: Span) -> Dependency {
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

fn range(cx: &mut Cx, text: &str, span: Span) -> VersionReq {
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

fn bad_version(cx: &mut Cx, span: Span, text: &str, help: &str) {
    Diagnostic::wrong(span, "bad-version", format!("`{text}` is not a version"))
        .label("not a version")
        .help(help)
        .push(cx.report);
}

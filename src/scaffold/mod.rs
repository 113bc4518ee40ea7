//! Scaffolds new packs, based on the contents of the pack they build on.
//!
//! Nothing is written here. It is not known in advance what works in an arbitrary game, so there
//! are several drafts, best first. The caller takes the first draft that checks clean and passes
//! its tests.

mod base;
mod campaign;
mod changes;
mod expansion;
mod fill;
mod game;
mod model;
mod own;
mod start;

use std::borrow::Cow;

use crate::pack::{PackSet, PackSource};
use crate::schema::{self, associations};
use base::BasePack;
use fill::{fill, quoted};

/// The folder of generated files for editors; packs ignore folders that begin with a dot.
const FOR_EDITORS: &str = ".kaer";

/// The kinds of pack that can be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackTemplate {
    /// A stand-alone game.
    Game,
    /// New entries of the kinds of a game.
    Expansion,
    /// A new mode that extends a mode of a game.
    Campaign,
    /// Changes to existing entries of a game.
    Mod,
}

impl PackTemplate {
    /// All templates, in menu order.
    pub const ALL: [PackTemplate; 4] = [
        PackTemplate::Game,
        PackTemplate::Expansion,
        PackTemplate::Campaign,
        PackTemplate::Mod,
    ];

    /// A noun phrase, a colon and an explanation; shown in menus.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            PackTemplate::Game => "a game",
            PackTemplate::Expansion => "an expansion: more cards and other pieces for a game",
            PackTemplate::Campaign => "a campaign: a mode with a story and an ending for a game",
            PackTemplate::Mod => "a mod: changes to a game",
        }
    }

    /// The name as typed in answers and flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PackTemplate::Game => "game",
            PackTemplate::Expansion => "expansion",
            PackTemplate::Campaign => "campaign",
            PackTemplate::Mod => "mod",
        }
    }
}

/// What to create.
#[derive(Clone, Debug)]
pub struct ScaffoldRequest {
    /// The kind of pack.
    pub template: PackTemplate,
    /// The id of the new pack.
    pub id: String,
    /// The title shown to players.
    pub title: String,
    /// The id of the pack to build on; `None` for a game.
    pub base: Option<String>,
    /// Folders of required packs that `kaer` does not find on its own, relative to the new pack.
    pub pack_folders: Vec<String>,
}

/// A file of a new pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// The path inside the pack.
    pub path: Cow<'static, str>,
    /// The contents.
    pub text: String,
    /// Its purpose in a few words; empty for settings, which are not listed.
    pub about: Cow<'static, str>,
}

/// A candidate for the new pack.
#[derive(Clone, Debug)]
pub struct PackDraft {
    /// The files; the one to read first comes first.
    pub files: Vec<NewFile>,
    /// The mode to play: `pack:mode`.
    pub play: String,
}

impl PackDraft {
    /// The draft as an in-memory source of a pack.
    #[must_use]
    pub fn source(&self, id: &str) -> PackSource {
        source(id, &self.files)
    }
}

/// The files as an in-memory source. Its folder name cannot exist on disk, so no other pack can
/// appear to be inside it.
fn source(id: &str, files: &[NewFile]) -> PackSource {
    let texts: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (&*file.path, &*file.text))
        .collect();
    PackSource::texts(&format!("(new)/{id}"), &texts)
}

/// Candidates for the new pack, best first, created lazily. `sources` are the sources of the packs
/// in `set`.
///
/// # Errors
/// Returns a message if no pack can build on the base pack.
pub fn drafts<'a>(
    set: &PackSet,
    sources: &'a [PackSource],
    request: &'a ScaffoldRequest,
) -> Result<impl Iterator<Item = PackDraft> + use<'a>, String> {
    let base = request
        .base
        .as_ref()
        .map(|base| BasePack::new(set, base))
        .transpose()?;
    let own = base
        .as_ref()
        .map_or_else(Vec::new, |base| own::parts(base, request));
    let parts = match (request.template, &base) {
        (PackTemplate::Expansion, Some(base)) => expansion::parts(base, request),
        (PackTemplate::Campaign, Some(base)) => campaign::parts(base, request),
        (PackTemplate::Mod, Some(base)) => changes::parts(base, request),
        _ => game::parts(request),
    };
    Ok(own
        .into_iter()
        .chain(parts)
        .map(move |part| assemble(sources, request, part)))
}

/// The parts of a draft that depend on the template.
struct TemplatePart {
    files: Vec<NewFile>,
    /// The mode to play.
    play: String,
    /// An entry that the README suggests looking at.
    show: String,
    /// A sentence that describes the pack.
    what: String,
    /// The README's steps for what to change first.
    first: Cow<'static, str>,
}

/// Completes a draft with the parts that every pack has: a README and settings.
fn assemble(sources: &[PackSource], request: &ScaffoldRequest, part: TemplatePart) -> PackDraft {
    let readme = fill(
        include_str!("templates/readme.md"),
        &[
            ("title", &request.title),
            ("what", &part.what),
            ("first", &*part.first),
            ("pack_folders", &arguments(&request.pack_folders)),
            ("packs", &flags(&request.pack_folders)),
            ("play", &part.play),
            ("show", &part.show),
        ],
    );
    let mut files = part.files;
    start::answer(sources, request, &part.play, &mut files);
    files.push(made("README.md", readme, "first steps and useful commands"));
    files.push(made(
        ".gitignore",
        include_str!("templates/gitignore").to_owned(),
        "",
    ));
    let (settings, extensions) = (
        include_str!("templates/vscode-settings.json"),
        include_str!("templates/vscode-extensions.json"),
    );
    files.push(made(".vscode/settings.json", settings.to_owned(), ""));
    files.push(made(".vscode/extensions.json", extensions.to_owned(), ""));
    PackDraft {
        files,
        play: part.play,
    }
}

/// Schemas and definitions for editors, for a pack of the set. `codes` are the warnings that a pack
/// can allow.
#[must_use]
pub fn for_editors(set: &PackSet, id: &str, codes: &[&str]) -> Vec<NewFile> {
    let chosen: Vec<u16> = set.pack(id).map(|(number, _)| number).into_iter().collect();
    let schemas = schema::schemas(set, &chosen, codes);
    let text = |schema: &serde_json::Value| format!("{schema:#}\n");
    vec![
        made(
            ".taplo.toml",
            associations(FOR_EDITORS, &[".".to_owned()]),
            "",
        ),
        made(".kaer/pack.schema.json", text(&schemas.pack), ""),
        made(".kaer/content.schema.json", text(&schemas.content), ""),
        made(".kaer/tests.schema.json", text(&schemas.tests), ""),
        made(".kaer/kaer.d.rhai", crate::script::definitions(), ""),
    ]
}

const fn made(path: &'static str, text: String, about: &'static str) -> NewFile {
    NewFile {
        path: Cow::Borrowed(path),
        text,
        about: Cow::Borrowed(about),
    }
}

/// `pack.toml` of a pack that builds on another.
fn manifest(base: &BasePack, request: &ScaffoldRequest, description: &str) -> NewFile {
    let extends: Vec<String> = base.extends().iter().map(|text| quoted(text)).collect();
    let pairs = [
        ("id", &*request.id),
        ("title", &quoted(&request.title)),
        ("description", &quoted(description)),
        ("extends", &extends.join(", ")),
    ];
    made(
        "pack.toml",
        fill(include_str!("templates/pack/pack.toml"), &pairs),
        "title, version, and the packs it builds on",
    )
}

/// A placeholder for the answers given during setup, which can be recorded only once the rest of
/// the pack exists.
const MOVES: &str = "{{moves}}";

/// Three variants of a case for a log line at the start of a game: the line appears after setup; it
/// appears at some point in a random game; or the case only shows that a game can start.
fn log_expectations(line: &str) -> [String; 3] {
    let expected = format!("expect.log = [{}]", quoted(line));
    [
        format!("{MOVES}{expected}"),
        format!("then = \"random\"\n{expected}"),
        "expect.over = false".to_owned(),
    ]
}

/// Paths as shell arguments, each after a space.
fn arguments(paths: &[String]) -> String {
    paths
        .iter()
        .map(|path| format!(" {}", in_shell(path)))
        .collect()
}

/// Paths as `--pack` arguments, each after a space.
fn flags(paths: &[String]) -> String {
    paths
        .iter()
        .map(|path| format!(" --pack {}", in_shell(path)))
        .collect()
}

/// Quotes a path for the shell, if it needs quotes.
#[must_use]
pub fn in_shell(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/\\._-:~".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("\"{path}\"")
    }
}

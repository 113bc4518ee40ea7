//! New packs: what a folder holds at first, made from what the pack it builds on really has.
//!
//! Nothing is written here. Where it is not sure what will do in a game nobody knows, there are several drafts, the best
//! first; whoever wants one takes the first that checks clean and whose cases pass.

mod base;
mod campaign;
mod changes;
mod expansion;
mod fill;
mod game;
mod model;
mod start;

use crate::author::schema::{self, associations};
use crate::pack::{PackSet, Source};
use base::Base;
use fill::{fill, quoted};

/// Where the files for editors lie; a pack reads no folder whose name begins with a dot.
const FOR_EDITORS: &str = ".kaer";

/// What a new pack is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A game of its own.
    Game,
    /// New entries of the kinds of a game.
    Expansion,
    /// A mode of its own, over a mode of a game.
    Campaign,
    /// Changes to a game.
    Mod,
}

impl Form {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Form; 4] = [Form::Game, Form::Expansion, Form::Campaign, Form::Mod];

    /// What it is, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Form::Game => "a game of its own",
            Form::Expansion => "an expansion: more of what a game has",
            Form::Campaign => "a campaign: a story and an ending for a game",
            Form::Mod => "a mod: something in a game is different",
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Form::Game => "game",
            Form::Expansion => "expansion",
            Form::Campaign => "campaign",
            Form::Mod => "mod",
        }
    }
}

/// What somebody wants to have.
#[derive(Clone, Debug)]
pub struct Wish {
    /// What it is to be.
    pub form: Form,
    /// Its id.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// The id of the pack it builds on; nothing for a game of its own.
    pub of: Option<String>,
    /// The folders of the packs it needs that `kaer` does not find by itself, as seen from the new one.
    pub beside: Vec<String>,
}

/// A file of a new pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its path in the pack.
    pub path: &'static str,
    /// What it holds.
    pub text: String,
    /// What it is for, in a few words; nothing for settings, which nobody begins with.
    pub about: &'static str,
}

/// A pack that could be written.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Its files, the one to begin with first.
    pub files: Vec<Made>,
    /// The mode in which it is played: `pack:mode`.
    pub play: String,
}

impl Draft {
    /// The draft as a pack that can be read, although it lies nowhere.
    #[must_use]
    pub fn source(&self, id: &str) -> Source {
        source(id, &self.files)
    }
}

/// Files as a pack. No folder is called as its one is, so that nothing else seems to lie in it.
fn source(id: &str, files: &[Made]) -> Source {
    let texts: Vec<(&str, &str)> = files.iter().map(|file| (file.path, &*file.text)).collect();
    Source::texts(&format!("(new)/{id}"), &texts)
}

/// Packs that would do, the best first, each made when it is asked for. The sources are where the packs of the set are.
///
/// # Errors
/// Why nothing can be built on the pack that was named.
pub fn drafts<'a>(
    set: &PackSet,
    sources: &'a [Source],
    wish: &'a Wish,
) -> Result<impl Iterator<Item = Draft> + use<'a>, String> {
    let base = wish.of.as_ref().map(|of| Base::new(set, of)).transpose()?;
    let parts = match (wish.form, &base) {
        (Form::Expansion, Some(base)) => expansion::parts(base, wish),
        (Form::Campaign, Some(base)) => campaign::parts(base, wish),
        (Form::Mod, Some(base)) => changes::parts(base, wish),
        _ => game::parts(wish),
    };
    Ok(parts
        .into_iter()
        .map(move |part| whole(sources, wish, part)))
}

/// What differs from form to form.
struct Part {
    files: Vec<Made>,
    /// The mode in which it is played.
    play: String,
    /// An entry to look at.
    show: String,
    /// What the pack is, in a sentence.
    what: String,
    /// What to change first.
    first: &'static str,
}

/// A draft with what every pack has: a page for its author, and settings.
fn whole(sources: &[Source], wish: &Wish, part: Part) -> Draft {
    let readme = fill(
        include_str!("templates/readme.md"),
        &[
            ("title", &wish.title),
            ("what", &part.what),
            ("first", part.first),
            ("beside", &spaced(&wish.beside)),
            ("packs", &flags(&wish.beside)),
            ("play", &part.play),
            ("show", &part.show),
        ],
    );
    let mut files = part.files;
    start::answer(sources, wish, &part.play, &mut files);
    files.push(made(
        "README.md",
        readme,
        "where to begin, and the commands to know",
    ));
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
    Draft {
        files,
        play: part.play,
    }
}

/// The files that let editors complete what a pack may say; it must be among those of the set. `codes` are the
/// warnings a pack may allow.
#[must_use]
pub fn for_editors(set: &PackSet, id: &str, codes: &[&str]) -> Vec<Made> {
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

const fn made(path: &'static str, text: String, about: &'static str) -> Made {
    Made { path, text, about }
}

/// `pack.toml` of a pack that builds on another.
fn manifest(base: &Base, wish: &Wish, description: &str) -> Made {
    let extends: Vec<String> = base.extends().iter().map(|text| quoted(text)).collect();
    let pairs = [
        ("id", &*wish.id),
        ("title", &quoted(&wish.title)),
        ("description", &quoted(description)),
        ("extends", &extends.join(", ")),
    ];
    made(
        "pack.toml",
        fill(include_str!("templates/pack/pack.toml"), &pairs),
        "what it is called and builds on",
    )
}

/// Where a case says what is answered before a game begins, which is known when the rest of the pack is.
const MOVES: &str = "{{moves}}";

/// What a case says of a line that is told when the game begins: it is heard at once, or when all questions before that
/// are answered; it is heard in the course of a game; or the case only shows that a game can begin.
fn ways_to_hear(line: &str) -> [String; 3] {
    let heard = format!("expect.log = [{}]", quoted(line));
    [
        format!("{MOVES}{heard}"),
        format!("then = \"random\"\n{heard}"),
        "expect.over = false".to_owned(),
    ]
}

/// Paths, each behind a space, as a shell takes them.
fn spaced(paths: &[String]) -> String {
    paths
        .iter()
        .map(|path| format!(" {}", in_shell(path)))
        .collect()
}

/// The same with `--pack` before each.
fn flags(paths: &[String]) -> String {
    paths
        .iter()
        .map(|path| format!(" --pack {}", in_shell(path)))
        .collect()
}

/// A path as a shell takes it.
#[must_use]
pub fn in_shell(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/\\._-:~".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("\"{path}\"")
    }
}

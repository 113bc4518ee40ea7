//! `kaer new`: a new pack.

mod questions;
mod trial;
mod write;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use super::{Failure, Packs, line, screen};
use crate::author::new::{self, Draft, Form, Made, Wish, in_shell};
use crate::check::pages;
use crate::diagnostic::{clean, nearest};
use crate::pack::{self, Origin, Pack, Source, is_pack_id, near_pack_id, visible};
use crate::shelf::Shelf;

/// The longest title; a longer one would not fit into a line of a menu.
const LONGEST_TITLE: usize = 60;

/// What `kaer new` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The folder to write, which must be new or empty.
    path: PathBuf,
    /// The pack it builds on, by its id or its folder: for an expansion, a campaign or a mod.
    of: Option<String>,
    /// More of what a game has: a new entry of one of its kinds.
    #[arg(long, group = "form")]
    expansion: bool,
    /// A mode of its own for a game, with a story and an ending.
    #[arg(long, group = "form")]
    campaign: bool,
    /// Something in a game is different.
    #[arg(long = "mod", group = "form")]
    changes: bool,
    /// Its name in files and journals; without it, made from the name of the folder.
    #[arg(long)]
    id: Option<String>,
    /// What people call it.
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    packs: Packs,
}

/// Writes a new pack, once it is sure that it is as it should be.
pub fn run(args: &Args) -> Result<(), Failure> {
    write::may_hold_a_pack(&args.path)?;
    let found = Found::new(args)?;
    let wish = wish(args, &found)?;
    let drafts = new::drafts(&found.shelf.set, &found.sources, &wish).map_err(Failure::cannot)?;
    let (draft, tried) = trial::first_sound(&found.sources, &wish.id, drafts).map_err(|why| {
        let on = wish
            .of
            .as_ref()
            .map(|of| format!(" on `{of}`"))
            .unwrap_or_default();
        Failure::cannot(format!(
            "nothing could be built{on} that checks clean; this is wrong with the last try:\n{why}"
        ))
    })?;
    let codes: Vec<&str> = pages::all().map(|(code, _)| code).collect();
    let mut files = draft.files.clone();
    files.extend(new::for_editors(&tried.set, &wish.id, &codes));
    write::folder(&args.path, &files)?;
    tell(&args.path, &found, &wish, &draft, &files);
    Ok(())
}

/// What is wanted. What flags do not say is asked for; if nobody is there to answer, the usual is taken.
fn wish(args: &Args, found: &Found) -> Result<Wish, Failure> {
    let named = folder_name(&args.path);
    let id = id(args, &named, &found.shelf)?;
    let mut somebody = |question: &str| {
        screen::say(question);
        line::ask()
    };
    let mut nobody = |_: &str| Some(String::new());
    let ask: &mut questions::Ask = if std::io::stdin().is_terminal() {
        &mut somebody
    } else {
        &mut nobody
    };
    let form = match (args.form(), &args.of) {
        (Some(form), _) => form,
        (None, None) => questions::form(ask)?,
        (None, Some(of)) => {
            return Err(Failure::cannot(format!(
                "say what it is to be of `{of}`: --expansion, --campaign or --mod; a game of its own builds on nothing"
            )));
        }
    };
    let of = if form == Form::Game {
        None
    } else {
        Some(found.of(args.of.as_deref(), ask)?)
    };
    let title = args
        .title
        .clone()
        .map_or_else(|| questions::title(ask, &title_of(&named)), Ok)?;
    let beside = of
        .as_deref()
        .map_or_else(Vec::new, |of| found.beside(of, &args.path));
    Ok(Wish {
        form,
        id,
        title: checked_title(&title)?,
        of,
        beside,
    })
}

impl Args {
    fn form(&self) -> Option<Form> {
        let flags = [
            (self.expansion, Form::Expansion),
            (self.campaign, Form::Campaign),
            (self.changes, Form::Mod),
        ];
        flags
            .into_iter()
            .find(|(given, _)| *given)
            .map(|(_, form)| form)
    }
}

/// The packs that a new one may build on.
struct Found {
    sources: Vec<Source>,
    shelf: Shelf,
    /// The folders of packs that somebody had to name.
    named: Vec<String>,
}

impl Found {
    fn new(args: &Args) -> Result<Self, Failure> {
        let mut paths = args.packs.paths.clone();
        let folder = args
            .of
            .as_deref()
            .map(Path::new)
            .filter(|path| path.join("pack.toml").is_file());
        paths.extend(
            folder
                .filter(|path| !paths.iter().any(|own| own == path))
                .map(Path::to_path_buf),
        );
        let mut sources = pack::find(Path::new("."), &paths).map_err(Failure::cannot)?;
        let mut named = Vec::new();
        for source in &mut sources {
            // Only the new pack is looked at closely, so only it comes from the command line.
            if let Source::Folder {
                path,
                origin: origin @ Origin::CommandLine,
            } = source
            {
                *origin = Origin::UserData;
                named.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
        let shelf = Shelf::load(sources.clone());
        Ok(Self {
            sources,
            shelf,
            named,
        })
    }

    fn packs(&self) -> &[Pack] {
        &self.shelf.set.packs
    }

    /// The id of the pack to build on: the one that was said, or one that is chosen.
    fn of(&self, said: Option<&str>, ask: &mut questions::Ask) -> Result<String, Failure> {
        let id = said.map_or_else(
            || questions::of(ask, self.packs()),
            |said| self.called(said),
        )?;
        let number = self.shelf.set.pack(&id).map(|(number, _)| number);
        if self.shelf.is_faulty(&Vec::from_iter(number)) {
            return Err(Failure::cannot(format!(
                "something is wrong with `{id}`, so that nothing can be built on it yet; `kaer check` shows what"
            )));
        }
        Ok(id)
    }

    /// The id of a pack that is called by its id or its folder.
    fn called(&self, said: &str) -> Result<String, Failure> {
        let root = said.replace('\\', "/");
        let found = self
            .packs()
            .iter()
            .find(|pack| pack.manifest.id == said || pack.root == root);
        let Some(found) = found else {
            let ids: Vec<&str> = self.packs().iter().map(|pack| &*pack.manifest.id).collect();
            let near = nearest(said, ids.iter().copied());
            let hint = near
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            return Err(Failure::cannot(format!(
                "there is no pack `{said}`{hint} (there are: {}); a pack elsewhere is named by its folder",
                ids.join(", ")
            )));
        };
        Ok(found.manifest.id.clone())
    }

    /// The packs that a pack on top of another needs.
    fn needed(&self, of: &str) -> impl Iterator<Item = &Pack> {
        let number = self.shelf.set.pack(of).map(|(number, _)| number);
        let seen = number
            .map(|number| visible(&self.shelf.set, number))
            .unwrap_or_default();
        seen.into_iter()
            .filter_map(|other| self.packs().get(usize::from(other)))
    }

    fn is_named(&self, pack: &Pack) -> bool {
        self.named.contains(&pack.root)
    }

    /// The folders that must be named wherever one is, as seen from the new pack's.
    fn beside(&self, of: &str, path: &Path) -> Vec<String> {
        let built_in = |id: &str| {
            self.shelf
                .set
                .shadowed
                .iter()
                .any(|other| other.id == id && other.origin == Origin::Embedded)
        };
        let here_only = |pack: &&Pack| {
            let near = matches!(pack.origin, Origin::Content | Origin::Campaigns)
                && !built_in(&pack.manifest.id);
            near || self.is_named(pack)
        };
        self.needed(of)
            .filter(here_only)
            .map(|pack| write::seen_from(path, Path::new(&pack.root)))
            .collect()
    }
}

/// The name of a folder that may not be there yet.
fn folder_name(path: &Path) -> String {
    let last = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    last(path)
        .or_else(|| last(&path.canonicalize().ok()?))
        .unwrap_or_default()
}

/// The id that was said, or that the folder's name makes.
fn id(args: &Args, named: &str, shelf: &Shelf) -> Result<String, Failure> {
    const RULE: &str =
        "an id has small letters and digits, with one - between words, as in `grey-owl`";
    let id = args.id.clone().unwrap_or_else(|| near_pack_id(named));
    if !is_pack_id(&id) {
        let near = near_pack_id(&id);
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!("; write `--id {near}`")
        };
        let what = if args.id.is_some() {
            format!("`{}` cannot be the id of a pack", clean(&id))
        } else {
            format!(
                "the folder's name `{}` makes no id; say one with --id",
                clean(named)
            )
        };
        return Err(Failure::cannot(format!("{what}: {RULE}{hint}")));
    }
    match shelf.set.pack(&id) {
        Some((_, pack)) => Err(Failure::cannot(format!(
            "there is a pack `{id}` already ({}), which the new one would hide: give it another id with --id",
            pack.root
        ))),
        None => Ok(id),
    }
}

/// The title that a folder's name makes: `grey-owl` is "Grey Owl".
fn title_of(named: &str) -> String {
    let words = named.split(['-', '_', ' ']).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters).collect()
        })
    };
    let title = words
        .map(capital)
        .collect::<Vec<_>>()
        .join(" ")
        .replace(['{', '}'], "");
    title.chars().take(LONGEST_TITLE).collect()
}

fn checked_title(title: &str) -> Result<String, Failure> {
    let title = clean(title.trim()).into_owned();
    if title.is_empty() || title.contains(['{', '}', '\n']) || title.chars().count() > LONGEST_TITLE
    {
        return Err(Failure::cannot(format!(
            "`{title}` cannot be a title: it has 1 to {LONGEST_TITLE} letters in one line, and no braces"
        )));
    }
    Ok(title)
}

/// What was made, and what to do next.
fn tell(path: &Path, found: &Found, wish: &Wish, draft: &Draft, files: &[Made]) {
    let folder = path.to_string_lossy();
    let for_or_of = if wish.form == Form::Campaign {
        "for"
    } else {
        "of"
    };
    let of = wish
        .of
        .as_deref()
        .map(|of| format!(" {for_or_of} {of}"))
        .unwrap_or_default();
    let what = wish.form.words().split(':').next().unwrap_or_default();
    screen::say(&format!("Made {}, {what}{of}, in {folder}:", wish.title));
    for file in files.iter().filter(|file| !file.about.is_empty()) {
        screen::say(&format!("  {:<18} {}", file.path, file.about));
    }
    screen::say("  and settings for editors and git, in files that begin with a dot");
    let named: Vec<String> = wish
        .of
        .iter()
        .flat_map(|of| found.needed(of))
        .filter(|pack| found.is_named(pack))
        .map(|pack| in_shell(&pack.root))
        .collect();
    let paths: Vec<String> = std::iter::once(in_shell(&folder)).chain(named).collect();
    let (spaced, flags) = (paths.join(" "), paths.join(" --pack "));
    screen::say("It checks clean, and its cases pass. Next:");
    screen::say(&format!("  kaer play {} --pack {flags}", draft.play));
    for command in ["check", "test", "watch"] {
        screen::say(&format!("  kaer {command} {spaced}"));
    }
    screen::say(&format!(
        "{} says where to begin.",
        path.join("README.md").display()
    ));
}

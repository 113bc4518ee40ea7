//! `kaer new`: creates a pack that checks clean and passes its tests.

mod questions;
mod trial;
mod write;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use super::{Failure, PackArgs, line_reader, screen};
use crate::check::pages;
use crate::diagnostic::{nearest, sanitize};
use crate::library::PackLibrary;
use crate::pack::{self, Origin, Pack, PackSource, is_pack_id, near_pack_id, visible};
use crate::scaffold::{self, NewFile, PackDraft, PackTemplate, ScaffoldRequest, in_shell};

/// A longer title would not fit on a line of a menu.
const MAX_TITLE_CHARS: usize = 60;

#[derive(clap::Args, Clone, Debug)]
pub struct NewArgs {
    /// The folder to create; if it exists, it must be empty.
    path: PathBuf,
    /// The pack to build on, by id or folder (for an expansion, a campaign or a mod).
    #[arg(value_name = "BASE")]
    base: Option<String>,
    /// Create an expansion: new entries of the game's kinds.
    #[arg(long, group = "form")]
    expansion: bool,
    /// Create a campaign: a new mode of the game, with a story and an ending.
    #[arg(long, group = "form")]
    campaign: bool,
    /// Create a mod: changes to existing entries of the game.
    #[arg(long = "mod", group = "form")]
    changes: bool,
    /// The pack's id, used in files and journals; by default, derived from the folder name.
    #[arg(long)]
    id: Option<String>,
    /// The pack's title, shown to players.
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    packs: PackArgs,
}

pub fn run(args: &NewArgs) -> Result<(), Failure> {
    write::require_empty(&args.path)?;
    let found = BaseChoices::new(args)?;
    let request = read_request(args, &found)?;
    let drafts =
        scaffold::drafts(&found.library.set, &found.sources, &request).map_err(Failure::error)?;
    let (draft, tried) = trial::first_valid_draft(&found.sources, &request.id, drafts).map_err(|reason| {
        let on = request
            .base
            .as_ref()
            .map(|base| format!(" on `{base}`"))
            .unwrap_or_default();
        Failure::error(format!(
            "cannot create a pack{on} that checks clean; the last attempt had these problems:\n{reason}"
        ))
    })?;
    let codes: Vec<&str> = pages::all().map(|(code, _)| code).collect();
    let mut files = draft.files.clone();
    files.extend(scaffold::for_editors(&tried.set, &request.id, &codes));
    write::folder(&args.path, &files)?;
    print_next_steps(&args.path, &found, &request, &draft, &files);
    Ok(())
}

/// Collects what to create. Asks for everything that the flags leave open; without a terminal, uses
/// the defaults.
fn read_request(args: &NewArgs, found: &BaseChoices) -> Result<ScaffoldRequest, Failure> {
    let named = folder_name(&args.path);
    let id = id(args, &named, &found.library)?;
    let mut ask_line = |question: &str| {
        screen::print(question);
        line_reader::ask()
    };
    let mut use_default = |_: &str| Some(String::new());
    let ask: &mut questions::AskLine = if std::io::stdin().is_terminal() {
        &mut ask_line
    } else {
        &mut use_default
    };
    let template = match (args.template(), &args.base) {
        (Some(template), _) => template,
        (None, None) => questions::template(ask)?,
        (None, Some(base)) => {
            return Err(Failure::error(format!(
                "add --expansion, --campaign or --mod to build on `{base}`; for a new game, leave out `{base}`"
            )));
        }
    };
    let base = if template == PackTemplate::Game {
        None
    } else {
        Some(found.base_pack(args.base.as_deref(), ask)?)
    };
    let title = args
        .title
        .clone()
        .map_or_else(|| questions::title(ask, &title_of(&named)), Ok)?;
    let pack_folders = base
        .as_deref()
        .map_or_else(Vec::new, |base| found.pack_folders(base, &args.path));
    Ok(ScaffoldRequest {
        template,
        id,
        title: checked_title(&title)?,
        base,
        pack_folders,
    })
}

impl NewArgs {
    fn template(&self) -> Option<PackTemplate> {
        let flags = [
            (self.expansion, PackTemplate::Expansion),
            (self.campaign, PackTemplate::Campaign),
            (self.changes, PackTemplate::Mod),
        ];
        flags
            .into_iter()
            .find(|(given, _)| *given)
            .map(|(_, template)| template)
    }
}

/// The packs that a new pack can build on.
struct BaseChoices {
    sources: Vec<PackSource>,
    library: PackLibrary,
    /// Folders of packs that are found only because the command line names them.
    named: Vec<String>,
}

impl BaseChoices {
    fn new(args: &NewArgs) -> Result<Self, Failure> {
        let mut paths = args.packs.paths.clone();
        let folder = args
            .base
            .as_deref()
            .map(Path::new)
            .filter(|path| path.join("pack.toml").is_file());
        paths.extend(
            folder
                .filter(|path| !paths.iter().any(|own| own == path))
                .map(Path::to_path_buf),
        );
        let mut sources = pack::find(Path::new("."), &paths).map_err(Failure::error)?;
        let mut named = Vec::new();
        for source in &mut sources {
            // Only packs from the command line are checked, and that should be only the new pack.
            if let PackSource::Folder {
                path,
                origin: origin @ Origin::CommandLine,
            } = source
            {
                *origin = Origin::UserData;
                named.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
        let library = PackLibrary::load(sources.clone());
        Ok(Self {
            sources,
            library,
            named,
        })
    }

    fn packs(&self) -> &[Pack] {
        &self.library.set.packs
    }

    /// The id of the pack to build on: from the command line, or from the answer to a question.
    fn base_pack(
        &self,
        typed: Option<&str>,
        ask: &mut questions::AskLine,
    ) -> Result<String, Failure> {
        let id = typed.map_or_else(
            || questions::base_pack(ask, self.packs()),
            |typed| self.find_pack(typed),
        )?;
        let number = self.library.set.pack(&id).map(|(number, _)| number);
        if self.library.has_errors(&Vec::from_iter(number)) {
            return Err(Failure::error(format!(
                "cannot build on `{id}`, because it has errors; `kaer check` lists them"
            )));
        }
        Ok(id)
    }

    /// Finds a pack by id or folder, and returns its id.
    fn find_pack(&self, typed: &str) -> Result<String, Failure> {
        let root = typed.replace('\\', "/");
        let found = self
            .packs()
            .iter()
            .find(|pack| pack.manifest.id == typed || pack.root == root);
        let Some(found) = found else {
            let ids: Vec<&str> = self.packs().iter().map(|pack| &*pack.manifest.id).collect();
            let near = nearest(typed, ids.iter().copied());
            let hint = near
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            return Err(Failure::error(format!(
                "no pack is called `{typed}`{hint} (known packs: {}; name any other pack by its folder)",
                ids.join(", ")
            )));
        };
        Ok(found.manifest.id.clone())
    }

    /// The packs that a pack built on `of` depends on.
    fn needed(&self, base: &str) -> impl Iterator<Item = &Pack> {
        let number = self.library.set.pack(base).map(|(number, _)| number);
        let seen = number
            .map(|number| visible(&self.library.set, number))
            .unwrap_or_default();
        seen.into_iter()
            .filter_map(|other| self.packs().get(usize::from(other)))
    }

    fn is_named(&self, pack: &Pack) -> bool {
        self.named.contains(&pack.root)
    }

    /// Folders that commands must always name, relative to the new pack.
    fn pack_folders(&self, base: &str, path: &Path) -> Vec<String> {
        let built_in = |id: &str| {
            self.library
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
        self.needed(base)
            .filter(here_only)
            .map(|pack| write::relative_path(path, Path::new(&pack.root)))
            .collect()
    }
}

/// The name of a folder that may not exist yet.
fn folder_name(path: &Path) -> String {
    let last = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    last(path)
        .or_else(|| last(&path.canonicalize().ok()?))
        .unwrap_or_default()
}

/// The id from the command line, or one derived from the folder name.
fn id(args: &NewArgs, named: &str, library: &PackLibrary) -> Result<String, Failure> {
    const RULE: &str =
        "use lower-case letters and digits, with a single - between words, as in `grey-owl`";
    let id = args.id.clone().unwrap_or_else(|| near_pack_id(named));
    if !is_pack_id(&id) {
        let near = near_pack_id(&id);
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!("; try `--id {near}`")
        };
        let what = if args.id.is_some() {
            format!("`{}` is not a valid pack id", sanitize(&id))
        } else {
            format!(
                "cannot derive an id from the folder name `{}`; add --id ID",
                sanitize(named)
            )
        };
        return Err(Failure::error(format!("{what}: {RULE}{hint}")));
    }
    match library.set.pack(&id) {
        Some((_, pack)) => Err(Failure::error(format!(
            "a pack called `{id}` exists already ({}); choose another id with --id",
            pack.root
        ))),
        None => Ok(id),
    }
}

/// Derives a title from a folder name: `grey-owl` becomes "Grey Owl".
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
    title.chars().take(MAX_TITLE_CHARS).collect()
}

fn checked_title(title: &str) -> Result<String, Failure> {
    let title = sanitize(title.trim()).into_owned();
    if title.is_empty()
        || title.contains(['{', '}', '\n'])
        || title.chars().count() > MAX_TITLE_CHARS
    {
        return Err(Failure::error(format!(
            "`{title}` is not a valid title: use 1 to {MAX_TITLE_CHARS} characters on one line, without braces"
        )));
    }
    Ok(title)
}

/// Lists the files that were written, and what to do next.
fn print_next_steps(
    path: &Path,
    found: &BaseChoices,
    request: &ScaffoldRequest,
    draft: &PackDraft,
    files: &[NewFile],
) {
    let folder = path.to_string_lossy();
    let for_or_of = if request.template == PackTemplate::Campaign {
        "for"
    } else {
        "of"
    };
    let base = request
        .base
        .as_deref()
        .map(|base| format!(" {for_or_of} {base}"))
        .unwrap_or_default();
    let what = request
        .template
        .description()
        .split(':')
        .next()
        .unwrap_or_default();
    screen::print(&format!(
        "Created {}, {what}{base}, in {folder}:",
        request.title
    ));
    for file in files.iter().filter(|file| !file.about.is_empty()) {
        screen::print(&format!("  {:<18} {}", file.path, file.about));
    }
    screen::print("  and settings for editors and git, in dotfiles");
    let named: Vec<String> = request
        .base
        .iter()
        .flat_map(|base| found.needed(base))
        .filter(|pack| found.is_named(pack))
        .map(|pack| in_shell(&pack.root))
        .collect();
    let paths: Vec<String> = std::iter::once(in_shell(&folder)).chain(named).collect();
    let (arguments, flags) = (paths.join(" "), paths.join(" --pack "));
    screen::print("It checks clean and its tests pass. Next:");
    screen::print(&format!("  kaer play {} --pack {flags}", draft.play));
    for command in ["check", "test", "watch"] {
        screen::print(&format!("  kaer {command} {arguments}"));
    }
    screen::print(&format!("Start with {}.", path.join("README.md").display()));
}

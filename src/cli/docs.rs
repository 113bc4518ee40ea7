//! `kaer docs`: the reference for authors as a folder of HTML pages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Failure, PackArgs, current_pack, screen};
use crate::docs::{self, MARK, Page};

#[derive(clap::Args, Clone, Debug)]
pub struct DocsArgs {
    /// Output folder; replaced if `kaer docs` wrote it before.
    #[arg(long, value_name = "DIR", default_value = "kaer-docs")]
    out: PathBuf,
    #[command(flatten)]
    packs: PackArgs,
}

pub fn run(args: &DocsArgs) -> Result<(), Failure> {
    let folder = fs::canonicalize(&args.out).unwrap_or_else(|_| args.out.clone());
    require_own_folder(&folder)?;
    let packs = args.packs.or_current();
    let library = packs.library()?;
    let is_selected = current_pack::selected(&library, &packs.paths, "describing");
    let chosen: Vec<u16> = (0u16..)
        .zip(&library.set.packs)
        .filter(|(_, pack)| is_selected(pack.origin))
        .map(|(number, _)| number)
        .collect();
    if library.has_errors(&chosen) {
        screen::print_error(
            "the packs have errors, so pages may be incomplete; `kaer check` lists them",
        );
    }
    let pages = docs::pages(&library, &chosen, docs::OUTCOMES);
    write_all(&folder, &pages)?;
    let count = pages
        .iter()
        .filter(|page| page.path.ends_with(".html"))
        .count();
    screen::print(&format!(
        "wrote {}; open {}",
        screen::counted(count, "page"),
        args.out.join("index.html").display()
    ));
    Ok(())
}

/// Refuses to replace anything but an empty folder or one that `kaer docs` wrote.
fn require_own_folder(folder: &Path) -> Result<(), Failure> {
    if !folder.exists() || is_own(folder) {
        return Ok(());
    }
    let what = if folder.is_dir() {
        "contains files that `kaer docs` did not write"
    } else {
        "is a file, not a folder"
    };
    Err(Failure::error(format!(
        "{} {what}; choose another folder with `--out DIR`",
        folder.display()
    )))
}

fn is_own(folder: &Path) -> bool {
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut items| items.next().is_none());
    folder.join(MARK).is_file() || (folder.is_dir() && is_empty())
}

/// Writes everything to a temporary folder and then swaps it in, so that the output is never half
/// written. If anything fails, the old pages are kept.
fn write_all(folder: &Path, pages: &[Page]) -> Result<(), Failure> {
    let (fresh, old) = (with_suffix(folder, "new"), with_suffix(folder, "old"));
    for stale in [&fresh, &old] {
        require_own_folder(stale)?;
        remove(stale).map_err(|error| cannot(stale, &error))?;
    }
    let swap = || -> io::Result<()> {
        let had = folder.exists();
        if had {
            fs::rename(folder, &old)?;
        }
        fs::rename(&fresh, folder).inspect_err(|_| {
            // Restore the old pages. If that fails too, report only the first error.
            let _ = if had {
                fs::rename(&old, folder)
            } else {
                Ok(())
            };
        })
    };
    let written = write_pages(&fresh, pages).and_then(|()| swap());
    if let Err(error) = written {
        let _ = remove(&fresh);
        return Err(cannot(folder, &error));
    }
    remove(&old).map_err(|error| cannot(&old, &error))
}

fn with_suffix(folder: &Path, suffix: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    PathBuf::from(name)
}

fn remove(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
    } else {
        Ok(())
    }
}

fn write_pages(folder: &Path, pages: &[Page]) -> io::Result<()> {
    for page in pages {
        let path = folder.join(&page.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &page.text)?;
    }
    Ok(())
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure::error(format!("cannot write {}: {error}", path.display()))
}

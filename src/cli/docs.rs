//! `kaer docs`: the reference for authors as a folder of pages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Failure, Packs, screen};
use crate::author::docs::{self, MARK, Page};
use crate::pack::Origin;

/// What `kaer docs` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Where to write the pages; a folder that was written before is replaced.
    #[arg(long, value_name = "DIR", default_value = "kaer-docs")]
    out: PathBuf,
    #[command(flatten)]
    packs: Packs,
}

/// Writes the pages.
pub fn run(args: &Args) -> Result<(), Failure> {
    let folder = fs::canonicalize(&args.out).unwrap_or_else(|_| args.out.clone());
    refuse_others(&folder)?;
    let shelf = args.packs.shelf()?;
    let is_wanted = |origin: Origin| args.packs.paths.is_empty() || origin == Origin::CommandLine;
    let chosen: Vec<u16> = (0u16..)
        .zip(&shelf.set.packs)
        .filter(|(_, pack)| is_wanted(pack.origin))
        .map(|(number, _)| number)
        .collect();
    if shelf.is_faulty(&chosen) {
        screen::complain(
            "something is wrong with these packs, so that parts may be missing; `kaer check` shows it",
        );
    }
    let pages = docs::pages(&shelf, &chosen, docs::OUTCOMES);
    write_all(&folder, &pages)?;
    let count = pages
        .iter()
        .filter(|page| page.path.ends_with(".html"))
        .count();
    screen::say(&format!(
        "wrote {}: begin at {}",
        screen::counted(count, "page"),
        args.out.join("index.html").display()
    ));
    Ok(())
}

/// Only a folder that was written before may be replaced, or one with nothing in it.
fn refuse_others(folder: &Path) -> Result<(), Failure> {
    if !folder.exists() || is_ours(folder) {
        return Ok(());
    }
    let what = if folder.is_dir() {
        "has files that `kaer docs` did not write"
    } else {
        "is a file, and the pages need a folder"
    };
    Err(Failure::cannot(format!(
        "{} {what}; name another folder with `--out DIR`",
        folder.display()
    )))
}

fn is_ours(folder: &Path) -> bool {
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut items| items.next().is_none());
    folder.join(MARK).is_file() || (folder.is_dir() && is_empty())
}

/// Writes everything into a folder beside the one that is meant, and then puts it in its place: nobody ever finds pages half
/// written, and what was there stays if anything goes wrong.
fn write_all(folder: &Path, pages: &[Page]) -> Result<(), Failure> {
    let (fresh, old) = (beside(folder, "new"), beside(folder, "old"));
    for left in [&fresh, &old] {
        refuse_others(left)?;
        remove(left).map_err(|error| cannot(left, &error))?;
    }
    let swap = || -> io::Result<()> {
        let had = folder.exists();
        if had {
            fs::rename(folder, &old)?;
        }
        fs::rename(&fresh, folder).inspect_err(|_| {
            // The first error says why; all that can be done is to put back what was there.
            let _ = if had {
                fs::rename(&old, folder)
            } else {
                Ok(())
            };
        })
    };
    let written = put(&fresh, pages).and_then(|()| swap());
    if let Err(error) = written {
        let _ = remove(&fresh);
        return Err(cannot(folder, &error));
    }
    remove(&old).map_err(|error| cannot(&old, &error))
}

/// A folder beside another.
fn beside(folder: &Path, ending: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(format!(".{ending}"));
    PathBuf::from(name)
}

fn remove(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
    } else {
        Ok(())
    }
}

fn put(folder: &Path, pages: &[Page]) -> io::Result<()> {
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
    Failure::cannot(format!("cannot write {}: {error}", path.display()))
}

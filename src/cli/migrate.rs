//! `kaer migrate`: rewrites packs, scripts, cases and journals of an older version, after asking.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};

use super::check::write;
use super::{Failure, screen};
use crate::check::fix::FixedFile;
use crate::diagnostic::unified_diff;
use crate::migrate::{FileFormat, PackNames, VERSION, declared, migrate, version_of};
use crate::pack::{self, PackSource};

/// Arguments of `kaer migrate`.
#[derive(clap::Args)]
pub struct MigrateArgs {
    /// A pack's folder, a folder of packs, or a single .toml, .rhai, .md or journal file.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Show what would change and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Write the changes without asking.
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
}

/// Migrates the files and folders at the paths.
pub fn run(args: &MigrateArgs) -> Result<(), Failure> {
    let mut work = MigrationRun::default();
    for path in &args.paths {
        work.path(path)?;
    }
    let shown = work
        .files
        .iter()
        .map(|file| unified_diff(&file.name, &file.old, &file.new, screen::has_colours()));
    shown.for_each(|text| screen::print_raw(&text));
    work.lines.iter().for_each(|line| screen::print(line));
    let failed = if work.failed {
        Err(Failure::problems_found())
    } else {
        Ok(())
    };
    if work.files.is_empty() {
        if !work.failed && work.lines.is_empty() {
            screen::print("Nothing to do.");
        }
        return failed;
    }
    let what = format!(
        "{} to {}",
        screen::counted(work.changes, "change"),
        screen::counted(work.files.len(), "file")
    );
    if !args.yes {
        if args.dry_run || !std::io::stdin().is_terminal() {
            let again = format!("Nothing was written. To write {what}, run this again with --yes.");
            screen::print(&again);
            return if args.dry_run {
                failed
            } else {
                Err(Failure::problems_found())
            };
        }
        let these = if work.changes == 1 { "this" } else { "these" };
        screen::write(&format!("Write {these} {what}? [y/N] "));
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        if read.is_err() || !matches!(line.trim(), "y" | "Y" | "yes") {
            screen::print("Nothing was written.");
            return Err(Failure::problems_found());
        }
    }
    write::all(&work.files).map_err(Failure::error)?;
    screen::print(&format!("Wrote {what}."));
    failed
}

/// A file that was read.
struct InputFile {
    name: String,
    text: String,
}

/// The files to write and the notes to print.
#[derive(Default)]
struct MigrationRun {
    files: Vec<FixedFile>,
    changes: usize,
    lines: Vec<String>,
    failed: bool,
    /// The packs that files may refer to, by id, with their texts and the packs they name. Read
    /// when first needed.
    neighbours: Option<BTreeMap<String, NeighbourPack>>,
}

/// A pack that others may depend on.
struct NeighbourPack {
    files: Vec<(String, String)>,
    names: Vec<String>,
}

impl MigrationRun {
    fn path(&mut self, path: &Path) -> Result<(), Failure> {
        let path = if path.ends_with("pack.toml") {
            path.parent().unwrap_or(path)
        } else {
            path
        };
        if !path.is_dir() {
            return self.single(path);
        }
        let mut roots = Vec::new();
        let mut loose = Vec::new();
        walk(path, &mut |file| {
            if file.ends_with("pack.toml") {
                roots.extend(file.parent().map(Path::to_owned));
            } else if file.extension().is_some_and(|ending| ending == "md") {
                loose.push(file.to_owned());
            }
        })
        .map_err(|reason| Failure::error(format!("{}: {reason}", path.display())))?;
        if roots.is_empty() && loose.is_empty() {
            return Err(Failure::error(format!(
                "{} holds neither a pack.toml nor a Markdown file",
                path.display()
            )));
        }
        for root in &roots {
            self.pack(root, &roots);
        }
        loose.retain(|file| !roots.iter().any(|root| file.starts_with(root)));
        loose.iter().try_for_each(|file| self.single(file))
    }

    /// Migrates a file without the rest of its pack.
    fn single(&mut self, path: &Path) -> Result<(), Failure> {
        let file = read(path)?;
        let Some(format) = FileFormat::detect(&file.name, &file.text) else {
            return Err(Failure::error(format!(
                "{} is neither a .toml, .rhai or .md file nor a journal",
                file.name
            )));
        };
        let root = path
            .ancestors()
            .skip(1)
            .find(|folder| folder.join("pack.toml").is_file());
        let mut from = 1;
        let mut texts = Vec::new();
        if let Some(root) = root.filter(|_| format != FileFormat::Journal) {
            let manifest = read(&root.join("pack.toml"))?;
            let version = version_of(&manifest.text);
            from =
                version.map_err(|reason| Failure::error(format!("{}: {reason}", manifest.name)))?;
            texts = files_of(root, &[])?;
        }
        if from == VERSION {
            self.lines.push(format!(
                "{}: nothing to do, its pack says engine {VERSION}",
                file.name
            ));
            return Ok(());
        }
        let scope = match (format, root) {
            (FileFormat::Journal, _) => PackNames::from_files(self.everything()),
            (_, Some(root)) => self.scope(root, &texts),
            (FileFormat::Markdown, None) => {
                let blocks = declared(&file.text).map(|block| ("block.toml", block));
                PackNames::from_files(self.everything().into_iter().chain(blocks))
            }
            _ => PackNames::from_files(
                self.everything()
                    .into_iter()
                    .chain([(&*file.name, &*file.text)]),
            ),
        };
        self.file(file, format, from, &scope);
        Ok(())
    }

    fn pack(&mut self, root: &Path, roots: &[PathBuf]) {
        let name = root.display().to_string();
        let files = match files_of(root, roots) {
            Ok(files) => files,
            Err(reason) => {
                self.fail(format!("{name} was left as it is: {}", reason.message));
                return;
            }
        };
        let manifest = files
            .iter()
            .find(|file| Path::new(&file.name) == root.join("pack.toml"));
        let version = version_of(manifest.map_or("", |file| &file.text));
        let from = match version {
            Ok(VERSION) => {
                self.lines
                    .push(format!("{name}: nothing to do, it says engine {VERSION}"));
                return;
            }
            Ok(from) => from,
            Err(reason) => {
                self.fail(format!("{name} was left as it is: pack.toml:{reason}"));
                return;
            }
        };
        let scope = self.scope(root, &files);
        // If a file of a pack cannot be read, the whole pack is left unchanged: a half-migrated
        // pack is useless.
        let mut own = MigrationRun::default();
        for file in files {
            if let Some(format) = FileFormat::detect(&file.name, "") {
                own.file(file, format, from, &scope);
            }
        }
        self.lines.append(&mut own.lines);
        if own.failed {
            self.fail(format!("{name} was left as it is"));
        } else if own.files.is_empty() {
            self.lines.push(format!("{name}: nothing to do"));
        } else {
            self.lines.push(format!(
                "{name}: version {from} to {VERSION}, {} in {}",
                screen::counted(own.changes, "change"),
                screen::counted(own.files.len(), "file")
            ));
            self.changes += own.changes;
            self.files.append(&mut own.files);
        }
    }

    fn file(&mut self, file: InputFile, format: FileFormat, from: u32, scope: &PackNames) {
        let done = match migrate(&file.text, format, from, scope) {
            Ok(done) => done,
            Err(reason) => return self.fail(format!("{}:{reason}", file.name)),
        };
        for (at, note) in &done.notes {
            self.lines
                .push(format!("{}:{}:{}: {note}", file.name, at.line, at.column));
        }
        if done.text != file.text {
            self.changes += done.changes;
            self.files.push(FixedFile {
                name: file.name,
                old: file.text,
                new: done.text,
            });
        }
    }

    fn fail(&mut self, line: String) {
        self.lines.push(line);
        self.failed = true;
    }

    /// The declarations of a pack and of the packs it depends on.
    fn scope(&mut self, root: &Path, files: &[InputFile]) -> PackNames {
        let manifest = files
            .iter()
            .find(|file| Path::new(&file.name) == root.join("pack.toml"));
        let mut names = manifest.map_or_else(Vec::new, |file| named(&file.text));
        let neighbours = self.neighbours();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut texts: Vec<(&str, &str)> = Vec::new();
        while let Some(name) = names.pop() {
            if let (true, Some(pack)) = (seen.insert(name.clone()), neighbours.get(&name)) {
                names.extend(pack.names.iter().cloned());
                texts.extend(pack.files.iter().map(|(name, text)| (&**name, &**text)));
            }
        }
        texts.extend(files.iter().map(|file| (&*file.name, &*file.text)));
        PackNames::from_files(texts)
    }

    /// The texts of all packs found, for files that do not belong to a pack.
    fn everything(&mut self) -> Vec<(&str, &str)> {
        let packs = self.neighbours().values();
        packs
            .flat_map(|pack| pack.files.iter().map(|(name, text)| (&**name, &**text)))
            .collect()
    }

    fn neighbours(&mut self) -> &BTreeMap<String, NeighbourPack> {
        self.neighbours.get_or_insert_with(|| {
            let sources = pack::find(Path::new("."), &[]).unwrap_or_default();
            sources.iter().filter_map(neighbour).collect()
        })
    }
}

fn neighbour(source: &PackSource) -> Option<(String, NeighbourPack)> {
    let files: Vec<(String, String)> = match source {
        PackSource::Files { files, .. } => files
            .iter()
            .filter_map(|(name, bytes)| {
                Some((name.to_string(), String::from_utf8(bytes.to_vec()).ok()?))
            })
            .collect(),
        PackSource::Folder { path, .. } => files_of(path, &[])
            .ok()?
            .into_iter()
            .map(|file| (file.name, file.text))
            .collect(),
    };
    let (_, manifest) = files.iter().find(|(name, _)| {
        let depth = match source {
            PackSource::Files { .. } => 0,
            PackSource::Folder { path, .. } => path.components().count(),
        };
        let path = Path::new(name);
        path.ends_with("pack.toml") && path.components().count() == depth + 1
    })?;
    let table: toml::Table = manifest.parse().ok()?;
    let id = table.get("pack")?.get("id")?.as_str()?.to_owned();
    let names = named(manifest);
    Some((id, NeighbourPack { files, names }))
}

/// The packs that a manifest names.
fn named(manifest: &str) -> Vec<String> {
    let table: toml::Table = manifest.parse().unwrap_or_default();
    let mut out = Vec::new();
    for field in ["depends", "extends", "optional"] {
        let list = table.get("pack").and_then(|pack| pack.get(field));
        let texts = match list {
            Some(toml::Value::Array(list)) => list.iter().collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        let ids = texts
            .into_iter()
            .filter_map(|text| text.as_str()?.split_whitespace().next());
        out.extend(ids.map(str::to_owned));
    }
    out
}

/// The files of a pack that may contain names, without packs nested in it.
fn files_of(root: &Path, roots: &[PathBuf]) -> Result<Vec<InputFile>, Failure> {
    let mut paths = Vec::new();
    let inner = |file: &Path| {
        roots
            .iter()
            .any(|other| other != root && other.starts_with(root) && file.starts_with(other))
    };
    walk(root, &mut |file| {
        let ending = file.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("toml" | "rhai" | "md")) && !inner(file) {
            paths.push(file.to_owned());
        }
    })
    .map_err(|reason| Failure::error(format!("{}: {reason}", root.display())))?;
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Result<InputFile, Failure> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|reason| Failure::error(format!("{name}: {reason}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::error(format!("{name} is not UTF-8 text")))?;
    Ok(InputFile { name, text })
}

/// Visits every file below a folder in order, except hidden files.
fn walk(folder: &Path, visit: &mut dyn FnMut(&Path)) -> std::io::Result<()> {
    let mut paths = Vec::new();
    for item in fs::read_dir(folder)? {
        paths.push(item?.path());
    }
    paths.sort();
    for path in paths {
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden || path.is_symlink() && path.is_dir() {
            continue;
        }
        if path.is_dir() {
            walk(&path, visit)?;
        } else {
            visit(&path);
        }
    }
    Ok(())
}

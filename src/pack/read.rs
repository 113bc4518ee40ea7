//! Reads the files of a pack from memory, or from a folder within limits.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, FileId, Files, Report, Span, nearest};

use super::find::PackSource;

/// The maximum size of one file; 4 MiB are about 40,000 lines.
pub(super) const MAX_FILE_BYTES: u64 = 4 << 20;
/// The maximum size of all files of a pack together.
const MAX_PACK_BYTES: u64 = 64 << 20;
/// The maximum number of files in a pack.
const MAX_FILES: usize = 2_000;
/// The maximum number of names in the folders of a pack, including files that are not read.
const MAX_NAMES: usize = 20_000;
/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 12;

/// A file of a pack, with its path inside the pack.
#[derive(Clone, Debug)]
pub(super) struct PackFile {
    pub path: String,
    pub file: FileId,
}

/// Reads one file of a source, if it exists.
pub(super) fn one(
    source: &PackSource,
    path: &str,
    files: &mut Files,
    report: &mut Report,
) -> Option<PackFile> {
    match source {
        PackSource::Files { files: held, .. } => {
            let (path, bytes) = held.iter().find(|(held, _)| held == path)?;
            add(source, path, bytes.to_vec(), files, report)
        }
        PackSource::Folder { path: root, .. } => {
            let full = root.join(path);
            full.symlink_metadata().ok()?;
            let bytes = FolderWalk::new(source, root, files, report).bytes(&full, path)?;
            add(source, path, bytes, files, report)
        }
    }
}

/// Reads all files of a source except `pack.toml`, sorted by path.
pub(super) fn rest(source: &PackSource, files: &mut Files, report: &mut Report) -> Vec<PackFile> {
    match source {
        PackSource::Files { files: held, .. } => {
            let mut wanted: Vec<_> = held.iter().filter(|(path, _)| is_wanted(path)).collect();
            wanted.sort_by(|a, b| a.0.cmp(&b.0));
            for (path, _) in held {
                report_ignored(&source.root(), path, files, report);
            }
            wanted
                .iter()
                .filter_map(|(path, bytes)| add(source, path, bytes.to_vec(), files, report))
                .collect()
        }
        PackSource::Folder { path: root, .. } => {
            let mut walk = FolderWalk::new(source, root, files, report);
            walk.folder(root, "", 0);
            let mut found = walk.found;
            found.sort_by(|a, b| a.0.cmp(&b.0));
            found
                .into_iter()
                .filter_map(|(path, bytes)| add(source, &path, bytes, files, report))
                .collect()
        }
    }
}

fn is_wanted(path: &str) -> bool {
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    let kind = Path::new(path)
        .extension()
        .is_some_and(|ext| ext == "toml" || ext == "rhai");
    kind && !hidden && path != "pack.toml"
}

/// Reports a file whose name looks like that of a pack file: `cards.tml`, `cards.toml.txt`.
fn report_ignored(root: &str, path: &str, files: &mut Files, report: &mut Report) {
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    let Some(meant) = meant_name(path).filter(|_| !hidden) else {
        return;
    };
    let file = files.add(format!("{root}/{path}"), "");
    Diagnostic::warning(Span::start_of(file), "ignored-file", "this file is ignored")
        .help(format!(
            "rename it to {meant}: only .toml and .rhai files are read"
        ))
        .push(report);
}

/// The name that a file of a pack probably should have.
fn meant_name(path: &str) -> Option<String> {
    let (stem, ending) = path.rsplit_once('.')?;
    if matches!(ending, "toml" | "rhai") {
        return None;
    }
    if ending.eq_ignore_ascii_case("txt") && (stem.ends_with(".toml") || stem.ends_with(".rhai")) {
        return Some(stem.to_owned());
    }
    let known = nearest(ending, ["toml", "rhai"]).filter(|_| ending.len() >= 3)?;
    Some(format!("{stem}.{known}"))
}

/// The name of a file that was probably meant to be `pack.toml`.
pub(super) fn misnamed_manifest(source: &PackSource) -> Option<String> {
    let names: Vec<String> = match source {
        PackSource::Files { files, .. } => files.iter().map(|(path, _)| path.to_string()).collect(),
        PackSource::Folder { path, .. } => names_in(path),
    };
    names.into_iter().find(|name| is_misnamed(name))
}

fn is_misnamed(name: &str) -> bool {
    let lower = name.to_lowercase();
    let stem = lower.split('.').next().unwrap_or_default();
    name != "pack.toml"
        && (lower == "pack.toml"
            || meant_name(&lower).is_some_and(|meant| meant == "pack.toml")
            || lower.ends_with(".toml") && matches!(stem, "packs" | "package" | "manifest"))
}

/// The name of a file in a folder that was probably meant to be `pack.toml`.
pub(super) fn misnamed_in(folder: &Path) -> Option<String> {
    names_in(folder).into_iter().find(|name| is_misnamed(name))
}

fn names_in(folder: &Path) -> Vec<String> {
    let list = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = list.map(|item| item.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.take(MAX_NAMES).collect();
    names.sort();
    names
}

fn add(
    source: &PackSource,
    path: &str,
    bytes: Vec<u8>,
    files: &mut Files,
    report: &mut Report,
) -> Option<PackFile> {
    let name = format!("{}/{path}", source.root());
    if bytes.len() as u64 > MAX_FILE_BYTES {
        too_large(files, report, name);
        return None;
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => {
            let file = files.add(name, text);
            Some(PackFile {
                path: path.to_owned(),
                file,
            })
        }
        _ => {
            file_error(
                files,
                report,
                name,
                "not-text",
                "file is not text",
                "save it as UTF-8 text",
            );
            None
        }
    }
}

fn too_large(files: &mut Files, report: &mut Report, name: String) {
    let message = format!("file is larger than {} MiB", MAX_FILE_BYTES >> 20);
    file_error(
        files,
        report,
        name,
        "file-too-large",
        &message,
        "split it into several files",
    );
}

/// Reports an error about a whole file, without an excerpt.
fn file_error(
    files: &mut Files,
    report: &mut Report,
    name: String,
    code: &'static str,
    message: &str,
    help: &str,
) {
    let file = files.add(name, "");
    Diagnostic::fatal(Span::start_of(file), code, message)
        .help(help)
        .push(report);
}

/// A recursive walk through the folder of a pack.
struct FolderWalk<'a> {
    root_name: String,
    /// The folder with all symbolic links resolved, to recognise links that lead out of it.
    real_root: Option<PathBuf>,
    files: &'a mut Files,
    report: &'a mut Report,
    found: Vec<(String, Vec<u8>)>,
    names: usize,
    size: u64,
    full: bool,
}

impl<'a> FolderWalk<'a> {
    fn new(source: &PackSource, root: &Path, files: &'a mut Files, report: &'a mut Report) -> Self {
        Self {
            root_name: source.root(),
            real_root: root.canonicalize().ok(),
            files,
            report,
            found: Vec::new(),
            names: 0,
            size: 0,
            full: false,
        }
    }

    fn folder(&mut self, folder: &Path, inside: &str, depth: usize) {
        let Ok(list) = fs::read_dir(folder) else {
            self.file_error(
                inside,
                "unreadable",
                "cannot read this folder",
                "check its permissions",
            );
            return;
        };
        let mut names: Vec<(String, PathBuf)> = Vec::new();
        for item in list.flatten() {
            self.names += 1;
            if self.names > MAX_NAMES {
                self.too_many(inside);
                break;
            }
            names.push((item.file_name().to_string_lossy().into_owned(), item.path()));
        }
        names.sort();
        for (name, path) in names.into_iter().filter(|(name, _)| !name.starts_with('.')) {
            let inside = if inside.is_empty() {
                name
            } else {
                format!("{inside}/{name}")
            };
            self.item(&path, &inside, depth);
        }
    }

    fn item(&mut self, path: &Path, inside: &str, depth: usize) {
        let Ok(data) = path.symlink_metadata() else {
            return;
        };
        if self.full {
            return;
        }
        if data.is_dir() {
            if depth < MAX_DEPTH {
                self.folder(path, inside, depth + 1);
            } else {
                self.file_error(
                    inside,
                    "too-many-files",
                    "folders nested too deeply",
                    "move the files up",
                );
            }
        } else if data.is_symlink() && self.leaves(path) {
            self.outside(inside);
        } else if is_wanted(inside) {
            if self.found.len() >= MAX_FILES {
                self.too_many(inside);
            } else if let Some(bytes) = self.bytes(path, inside) {
                self.keep(inside, bytes);
            }
        } else {
            report_ignored(&self.root_name, inside, self.files, self.report);
        }
    }

    fn keep(&mut self, inside: &str, bytes: Vec<u8>) {
        self.size += bytes.len() as u64;
        if self.size > MAX_PACK_BYTES {
            self.full = true;
            let message = format!("pack is larger than {} MiB", MAX_PACK_BYTES >> 20);
            self.file_error(
                inside,
                "file-too-large",
                &message,
                "remove files it does not need, or split it into two packs",
            );
            return;
        }
        self.found.push((inside.to_owned(), bytes));
    }

    /// The bytes of a file, at most one more than the limit. Only regular files are read: a pipe
    /// might never end.
    fn bytes(&mut self, path: &Path, inside: &str) -> Option<Vec<u8>> {
        if path.is_symlink() && self.leaves(path) {
            self.outside(inside);
            return None;
        }
        let data = path.metadata().ok();
        if data.as_ref().is_some_and(fs::Metadata::is_dir) {
            return None;
        }
        let size = data
            .filter(fs::Metadata::is_file)
            .map(|data| data.len().min(MAX_FILE_BYTES));
        let mut bytes = Vec::with_capacity(
            size.and_then(|size| usize::try_from(size).ok())
                .map_or(0, |size| size + 1),
        );
        let mut read = || {
            fs::File::open(path)
                .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        };
        if !matches!(size.map(|_| read()), Some(Ok(_))) {
            self.file_error(
                inside,
                "unreadable",
                "cannot read this file",
                "check its permissions, or delete it",
            );
            return None;
        }
        Some(bytes)
    }

    fn leaves(&self, path: &Path) -> bool {
        match (&self.real_root, path.canonicalize()) {
            (Some(root), Ok(real)) => !real.starts_with(root),
            _ => true,
        }
    }

    fn outside(&mut self, inside: &str) {
        let message = "link points outside the pack, or nowhere";
        self.file_error(
            inside,
            "outside-pack",
            message,
            "copy the file itself into the pack",
        );
    }

    fn too_many(&mut self, inside: &str) {
        if !self.full {
            self.full = true;
            let message = format!("pack has more than {MAX_FILES} files");
            self.file_error(
                inside,
                "too-many-files",
                &message,
                "put several entries into one file",
            );
        }
    }

    fn file_error(&mut self, inside: &str, code: &'static str, message: &str, help: &str) {
        let name = format!("{}/{inside}", self.root_name);
        file_error(self.files, self.report, name, code, message, help);
    }
}

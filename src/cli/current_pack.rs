//! The pack of the current folder, for commands that are given no path.

use std::path::{Path, PathBuf};

use super::screen;
use crate::library::PackLibrary;
use crate::pack::Origin;

/// The number of names in a list of packs.
const MAX_NAMES: usize = 5;

/// The paths that were given, or else the pack of the current folder or of a folder above it, which
/// standard error then names.
pub fn or_current(paths: &[PathBuf]) -> Vec<PathBuf> {
    if !paths.is_empty() {
        return paths.to_vec();
    }
    let Some(path) = current_pack() else {
        return Vec::new();
    };
    let name = path.canonicalize().ok();
    let name = name.as_deref().and_then(Path::file_name);
    let name = name.map_or_else(|| ".".into(), |name| name.to_string_lossy());
    let place = if path == Path::new(".") {
        "the current folder".into()
    } else {
        path.to_string_lossy()
    };
    screen::eprint(&format!("Pack: {name} ({place})"));
    vec![path]
}

/// The nearest folder with a pack.toml, from the current one upwards, as a relative path.
fn current_pack() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut path = PathBuf::from(".");
    for folder in here.ancestors() {
        if folder.join("pack.toml").is_file() {
            return Some(path);
        }
        if path == Path::new(".") {
            path.clear();
        }
        path.push("..");
    }
    None
}

/// Which packs a command works on: those named by path; otherwise all that are not embedded; if
/// there are none, the embedded ones.
pub fn is_selected(
    library: &PackLibrary,
    paths: &[PathBuf],
) -> impl Fn(Origin) -> bool + Copy + use<> {
    let origins: Vec<Origin> = library.set.packs.iter().map(|pack| pack.origin).collect();
    is_selected_of(&origins, paths)
}

/// Like [`is_selected`], for packs from these places.
pub fn is_selected_of(
    origins: &[Origin],
    paths: &[PathBuf],
) -> impl Fn(Origin) -> bool + Copy + use<> {
    let is_named = !paths.is_empty();
    let has_own = origins.iter().any(|origin| *origin != Origin::Embedded);
    move |origin| match origin {
        Origin::CommandLine => true,
        Origin::Embedded => !is_named && !has_own,
        _ => !is_named,
    }
}

/// Like [`is_selected`], and announces the packs.
pub fn selected(
    library: &PackLibrary,
    paths: &[PathBuf],
    doing: &str,
) -> impl Fn(Origin) -> bool + Copy + use<> {
    announce(library, paths, doing);
    is_selected(library, paths)
}

/// If no path was given, names the packs that a command works on, on standard error.
pub fn announce(library: &PackLibrary, paths: &[PathBuf], doing: &str) {
    let is_selected = is_selected(library, paths);
    if paths.is_empty() {
        let chosen = library.set.packs.iter();
        let chosen = chosen.filter(|pack| is_selected(pack.origin));
        let names: Vec<&str> = chosen.map(|pack| pack.manifest.id.as_str()).collect();
        let more = match names.len().saturating_sub(MAX_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let which = if is_selected(Origin::Embedded) {
            "built in"
        } else {
            "found"
        };
        screen::eprint(&format!(
            "No pack.toml here or above: {doing} the packs {which} ({}{more})",
            names[..names.len().min(MAX_NAMES)].join(", ")
        ));
    }
}

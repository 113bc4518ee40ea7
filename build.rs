//! Embeds the packs of `content/` and `campaigns/` into the binary, so that it runs without a data
//! folder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=content");
    println!("cargo::rerun-if-changed=campaigns");
    println!("cargo::rerun-if-changed=docs/checks");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut text = String::from("type Files = &'static [(&'static str, &'static [u8])];\n");
    text.push_str("pub static EMBEDDED: &[(&str, Files)] = &[\n");
    for pack in packs(&here) {
        let name = pack
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let _ = writeln!(text, "    ({name:?}, &[");
        for file in files(&pack)
            .into_iter()
            .filter(|file| !file.starts_with(pack.join("tests")))
        {
            let path = file
                .strip_prefix(&pack)
                .unwrap_or(&file)
                .to_string_lossy()
                .replace('\\', "/");
            let full = file.to_string_lossy();
            let _ = writeln!(text, "        ({path:?}, include_bytes!({full:?})),");
        }
        text.push_str("    ]),\n");
    }
    text.push_str("];\n");
    fs::write(out.join("embedded.rs"), text).expect("OUT_DIR is writable");
    fs::write(out.join("pages.rs"), pages(&here)).expect("OUT_DIR is writable");
}

/// Generates the table of pages for `kaer explain`.
fn pages(here: &Path) -> String {
    let mut text = String::from("static PAGES: &[(&str, &str)] = &[\n");
    for page in sorted(&here.join("docs/checks")) {
        let code = page
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if code != "README" {
            let full = page.to_string_lossy();
            let _ = writeln!(text, "    ({code:?}, include_str!({full:?})),");
        }
    }
    text.push_str("];\n");
    text
}

/// The folders of the packs to embed.
fn packs(here: &Path) -> Vec<PathBuf> {
    let mut packs = [
        sorted(&here.join("content")),
        sorted(&here.join("campaigns")),
    ]
    .concat();
    packs.retain(|path| path.join("pack.toml").is_file());
    packs
}

/// The files of a pack that the engine reads, in all folders except hidden ones.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in sorted(folder) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path
            .extension()
            .is_some_and(|ext| ext == "toml" || ext == "rhai")
        {
            found.push(path);
        }
    }
    found
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = list.flatten().map(|item| item.path()).collect();
    paths.retain(|path| {
        path.file_name()
            .is_some_and(|name| !name.to_string_lossy().starts_with('.'))
    });
    paths.sort();
    paths
}

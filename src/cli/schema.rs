//! `kaer schema`: JSON schemas of pack files, for completion and checks in editors.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::file::{self, put};
use super::{Failure, current_pack, screen};
use crate::check::pages;
use crate::pack::Origin;
use crate::schema::{self, MARK};

#[derive(clap::Args, Clone, Debug)]
pub struct SchemaArgs {
    /// Packs or folders of packs; by default, the pack of the current folder.
    paths: Vec<PathBuf>,
    /// Write the schemas of pack.toml, content and tests, and settings for taplo, to this folder;
    /// by default, print the schema of content.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let paths = current_pack::or_current(&args.paths);
    let library = super::library(&paths)?;
    let is_selected = current_pack::selected(&library, &paths, "describing");
    let chosen: Vec<u16> = (0u16..)
        .zip(&library.set.packs)
        .filter(|(_, pack)| is_selected(pack.origin))
        .map(|(number, _)| number)
        .collect();
    let codes: Vec<&str> = pages::all().map(|(code, _)| code).collect();
    let schemas = schema::schemas(&library.set, &chosen, &codes);
    // Generate the schemas even if there are errors: authors need them while they fix the errors.
    if library.has_errors(&chosen) {
        screen::print_error(
            "the packs have errors, so ids may be missing; `kaer check` lists them",
        );
    }
    let Some(folder) = &args.out else {
        screen::print(&text(&schemas.content));
        return Ok(());
    };
    file::folder(folder)?;
    for (name, schema) in [
        ("pack", &schemas.pack),
        ("content", &schemas.content),
        ("tests", &schemas.tests),
    ] {
        put(
            &folder.join(format!("{name}.schema.json")),
            &format!("{}\n", text(schema)),
        )?;
    }
    let packs = chosen
        .iter()
        .filter_map(|number| library.set.packs.get(usize::from(*number)));
    let roots: Vec<String> = packs
        .filter(|pack| pack.origin != Origin::Embedded)
        .map(|pack| pack.root.clone())
        .collect();
    put_settings(
        folder,
        &schema::associations(&folder.to_string_lossy(), &roots),
    )
}

fn text(schema: &Value) -> String {
    format!("{schema:#}")
}

/// Writes the taplo settings, unless the user has written their own. The name begins with a dot
/// because a pack reads every other `.toml` file in its folder.
fn put_settings(folder: &Path, text: &str) -> Result<(), Failure> {
    let path = folder.join(".taplo.toml");
    if fs::read_to_string(&path).is_ok_and(|own| !own.starts_with(MARK)) {
        screen::print(&format!(
            "kept {}: `kaer schema` did not write it",
            path.display()
        ));
        return Ok(());
    }
    put(&path, text)
}

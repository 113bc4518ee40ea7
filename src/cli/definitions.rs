//! `kaer definitions`: definitions of script functions for editors.

use std::path::PathBuf;

use super::{Failure, file, screen};

#[derive(clap::Args, Clone, Debug)]
pub struct DefinitionsArgs {
    /// Write `kaer.d.rhai` to this folder; by default, print it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &DefinitionsArgs) -> Result<(), Failure> {
    let text = crate::script::definitions();
    let Some(folder) = &args.out else {
        screen::write(&text);
        return Ok(());
    };
    file::folder(folder)?;
    file::put(&folder.join("kaer.d.rhai"), &text)
}

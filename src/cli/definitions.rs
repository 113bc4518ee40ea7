//! `kaer definitions`: the words of scripts, for editors that complete and explain them.

use std::path::PathBuf;

use super::{Failure, file, screen};

/// What `kaer definitions` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Where to write them, as `kaer.d.rhai`; without it, they are printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Makes definitions.
pub fn run(args: &Args) -> Result<(), Failure> {
    let text = crate::script::definitions();
    let Some(folder) = &args.out else {
        screen::write(&text);
        return Ok(());
    };
    file::folder(folder)?;
    file::put(&folder.join("kaer.d.rhai"), &text)
}

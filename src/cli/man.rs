//! `kaer man`: pages for the manual of the system.

use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::{Cli, Failure, file, screen};

/// What `kaer man` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Where to write a page for each command, as in ~/.local/share/man/man1; without it, the page of `kaer` is printed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Makes the pages.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut kaer = Cli::command().disable_help_subcommand(true);
    // Only then do commands know by which name they are called.
    kaer.build();
    let Some(folder) = &args.out else {
        screen::write(&page(kaer)?.1);
        return Ok(());
    };
    file::folder(folder)?;
    let commands: Vec<Command> = kaer.get_subcommands().cloned().collect();
    for command in std::iter::once(kaer).chain(commands) {
        let (name, text) = page(command)?;
        file::put(&folder.join(name), &text)?;
    }
    Ok(())
}

/// The page of a command, and the name of its file.
fn page(command: Command) -> Result<(String, String), Failure> {
    let man = Man::new(command).source(concat!("kaer ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    man.render(&mut text)
        .map_err(|error| Failure::cannot(format!("cannot make a page: {error}")))?;
    Ok((
        man.get_filename(),
        String::from_utf8_lossy(&text).into_owned(),
    ))
}

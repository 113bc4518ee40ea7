//! `kaer man`: man pages.

use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::{Cli, Failure, file, screen};

#[derive(clap::Args, Clone, Debug)]
pub struct ManArgs {
    /// Write a page for each command to this folder, for example ~/.local/share/man/man1; by
    /// default, print the page of `kaer`.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &ManArgs) -> Result<(), Failure> {
    let mut kaer = Cli::command().disable_help_subcommand(true);
    // Fills in the full names of the subcommands.
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

/// Renders the page of a command; returns its file name and text.
fn page(command: Command) -> Result<(String, String), Failure> {
    let man = Man::new(command).source(concat!("kaer ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    man.render(&mut text)
        .map_err(|error| Failure::error(format!("cannot render a man page: {error}")))?;
    Ok((
        man.get_filename(),
        String::from_utf8_lossy(&text).into_owned(),
    ))
}

//! `kaer completions`: lets a shell complete commands and flags.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Failure, screen};

const WHERE: &str = "\
Where the script goes:
  bash        kaer completions bash > ~/.local/share/bash-completion/completions/kaer
  zsh         kaer completions zsh > ~/.zfunc/_kaer
              with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  fish        kaer completions fish > ~/.config/fish/completions/kaer.fish
  powershell  kaer completions powershell >> $PROFILE
  elvish      kaer completions elvish > ~/.config/elvish/lib/kaer.elv
              with `use kaer` in ~/.config/elvish/rc.elv
The folder must be there. Open a new shell, and the Tab key knows the commands.";

/// What `kaer completions` takes.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = WHERE)]
pub struct Args {
    /// Which shell.
    shell: Shell,
}

/// Prints the script of a shell.
#[allow(clippy::unnecessary_wraps, reason = "every command gives a result")]
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kaer", &mut script);
    screen::write(&String::from_utf8_lossy(&script));
    Ok(())
}

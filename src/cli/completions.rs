//! `kaer completions`: shell completion scripts.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Failure, screen};

const INSTALL: &str = "\
Where to install the script:
  bash        kaer completions bash > ~/.local/share/bash-completion/completions/kaer
  zsh         kaer completions zsh > ~/.zfunc/_kaer
              with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  fish        kaer completions fish > ~/.config/fish/completions/kaer.fish
  powershell  kaer completions powershell >> $PROFILE
  elvish      kaer completions elvish > ~/.config/elvish/lib/kaer.elv
              with `use kaer` in ~/.config/elvish/rc.elv
The folder must exist. Then open a new shell.";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = INSTALL)]
pub struct CompletionsArgs {
    /// The shell to generate the script for.
    shell: Shell,
}

#[allow(clippy::unnecessary_wraps, reason = "every command returns a result")]
pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kaer", &mut script);
    screen::write(&String::from_utf8_lossy(&script));
    Ok(())
}

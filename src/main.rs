//! The `kaer` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    kaer::cli::main()
}

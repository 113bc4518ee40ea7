//! The command `kaer`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kaer::cli::main()
}

//! The `kaer` command.

use std::process::ExitCode;

/// Scripts make many small values, which this allocator makes and frees faster than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    kaer::cli::main()
}

//! Words to the terminal: nothing of a pack reaches it unless its control characters were taken out.

use std::io::{IsTerminal, Write};

use crate::diagnostic::{Diagnostic, Files, Look, clean, render};

/// Writes a line to standard output; a reader that has gone away ends the program quietly.
pub fn say(line: &str) {
    write(&format!("{}\n", clean(line)));
}

/// Writes to standard output without ending the line.
pub fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Writes text of the program's own making, colours and all.
pub fn raw(line: &str) {
    write(&format!("{line}\n"));
}

/// Writes a message to standard error.
pub fn complain(message: &str) {
    let mut out = std::io::stderr().lock();
    // Where even standard error is gone there is nobody left to tell.
    let _ = writeln!(out, "kaer: {message}");
}

/// Whether colours are wanted: on a terminal, unless the environment says otherwise.
pub fn colours() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
}

/// A fault in full.
pub fn fault(files: &Files, fault: &Diagnostic) -> String {
    render(files, fault, Look { colour: colours(), width: 100 })
}

/// A number with its word: `1 error`, `2 errors`.
pub fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Shows how much of some work is done, on standard error.
pub fn progress(shows: bool, what: &str, done: u64, all: u64) {
    if !shows || (!done.is_multiple_of((all / 200).max(1)) && done != all) {
        return;
    }
    let filled = usize::try_from(done * 40 / all.max(1)).unwrap_or(0);
    let end = if done == all { "\n" } else { "" };
    let mut out = std::io::stderr().lock();
    let _ = write!(out, "\r{}{} {done} of {all} {what}{end}", "█".repeat(filled), "░".repeat(40 - filled));
    let _ = out.flush();
}

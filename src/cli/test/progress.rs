//! How far the cases are, for whoever waits at a terminal.

use std::io::{IsTerminal as _, Write as _};

/// A line at the foot of the terminal; nothing where standard error goes to a file.
pub struct Progress {
    shows: bool,
    files: usize,
    done: usize,
}

impl Progress {
    pub fn new(files: usize) -> Progress {
        // A single file is told at once when it is done.
        let progress = Progress {
            shows: files > 1 && std::io::stderr().is_terminal(),
            files,
            done: 0,
        };
        progress.put(&format!("{files} files …"));
        progress
    }

    /// Another file is done.
    pub fn step(&mut self, cases: usize, failed: usize) {
        self.done += 1;
        if self.done < self.files {
            self.put(&format!(
                "{} of {} files, {cases} cases, {failed} failed",
                self.done, self.files
            ));
        }
    }

    /// Makes room for other lines.
    pub fn clear(&self) {
        self.put("\r\x1b[2K");
    }

    fn put(&self, text: &str) {
        if self.shows {
            let mut out = std::io::stderr().lock();
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    }
}

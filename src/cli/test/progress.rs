//! The progress line of a test run.

use std::io::{IsTerminal as _, Write as _};

/// A line on standard error that is overwritten as files finish; only shown on a terminal.
pub struct ProgressLine {
    enabled: bool,
    files: usize,
    done: usize,
}

impl ProgressLine {
    pub fn new(files: usize) -> ProgressLine {
        // With a single file, there is no progress to show.
        let progress = ProgressLine {
            enabled: files > 1 && std::io::stderr().is_terminal(),
            files,
            done: 0,
        };
        progress.write(&format!("{files} files …"));
        progress
    }

    /// Counts a finished file.
    pub fn step(&mut self, cases: usize, failed: usize) {
        self.done += 1;
        if self.done < self.files {
            self.write(&format!(
                "{} of {} files, {cases} cases, {failed} failed",
                self.done, self.files
            ));
        }
    }

    /// Erases the line, so that other output can be printed.
    pub fn clear(&self) {
        self.write("\r\x1b[2K");
    }

    fn write(&self, text: &str) {
        if self.enabled {
            let mut out = std::io::stderr().lock();
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    }
}

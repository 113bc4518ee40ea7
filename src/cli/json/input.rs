//! Parses the input of a program: one JSON object per line. The input may be arbitrary bytes.

use std::io::BufRead;

use serde::Deserialize;

/// The maximum length of a line in bytes. Longer lines are skipped.
const MAX_BYTES: usize = 65_536;

/// A request of a program.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Request {
    Answer {
        /// Option keys, or numbers as strings.
        answer: Vec<String>,
        /// The answering seat; by default the first one that is asked.
        seat: Option<u8>,
    },
    Undo {
        #[allow(dead_code, reason = "it identifies the request")]
        undo: True,
        /// The seat whose answer is undone; by default the one that answered last.
        seat: Option<u8>,
    },
    Redo {
        #[allow(dead_code, reason = "it identifies the request")]
        redo: True,
    },
    View {
        /// The seat.
        view: u8,
    },
    Panel {
        /// The command of the panel.
        panel: String,
        /// The text after the command.
        #[serde(default)]
        with: String,
        /// The reading seat; by default the first one that is asked.
        seat: Option<u8>,
    },
    Quit {
        #[allow(dead_code, reason = "it identifies the request")]
        quit: True,
    },
}

/// The JSON value `true`; anything else is an error.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "bool")]
pub struct True;

impl TryFrom<bool> for True {
    type Error = &'static str;

    fn try_from(yes: bool) -> Result<True, &'static str> {
        if yes {
            Ok(True)
        } else {
            Err("only `true` is valid")
        }
    }
}

impl Request {
    /// Parses a line; `None` if it is blank.
    pub fn parse(line: &[u8]) -> Result<Option<Request>, String> {
        let text = std::str::from_utf8(line).map_err(|_| "this line is not UTF-8".to_owned())?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let json: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| format!("this line is not JSON: {error}"))?;
        let request = serde_json::from_value(json);
        request.map(Some).map_err(|_| {
            "unknown request: send {\"answer\": [\"key\"], \"seat\": 0}, {\"undo\": true}, {\"redo\": true}, {\"view\": 0}, \
             {\"panel\": \"command\"} or {\"quit\": true}"
                .to_owned()
        })
    }
}

/// Reads the next line of standard input; `None` at its end or after a read error.
pub fn line() -> Option<Result<Vec<u8>, String>> {
    next_line(&mut std::io::stdin().lock())
}

/// Reads the next line of a stream, keeping at most [`MAX_BYTES`] in memory.
fn next_line(stream: &mut impl BufRead) -> Option<Result<Vec<u8>, String>> {
    let (mut line, mut length) = (Vec::new(), 0usize);
    loop {
        let bytes = match stream.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = MAX_BYTES.saturating_sub(line.len()).min(part.len());
        line.extend_from_slice(&part[..room]);
        length = length.saturating_add(part.len());
        let (read, at_end) = (part.len() + usize::from(end.is_some()), bytes.is_empty());
        stream.consume(read);
        if at_end && length == 0 {
            return None;
        }
        if at_end || end.is_some() {
            return Some(if length > MAX_BYTES {
                Err(format!("a line may have at most {MAX_BYTES} bytes"))
            } else {
                Ok(line)
            });
        }
    }
}

//! What a program sends: a line of JSON each, whatever bytes may come.

use std::io::BufRead;

use serde::Deserialize;

/// The longest line that is read, in bytes; the rest of a longer one is passed over.
const LONGEST: usize = 65_536;

/// What a program wants.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Request {
    /// To answer the question that waits.
    Answer {
        /// The keys, or numbers as texts.
        answer: Vec<String>,
        /// Whose answer; by default that of the first seat that is asked.
        seat: Option<u8>,
    },
    /// To take back the last answer.
    Undo {
        /// Always true.
        #[allow(dead_code, reason = "it is there to be recognised")]
        undo: Yes,
    },
    /// To see what a seat sees.
    View {
        /// The seat.
        view: u8,
    },
    /// To see a panel of a pack.
    Panel {
        /// Its word.
        panel: String,
        /// What stands behind the word.
        #[serde(default)]
        with: String,
        /// For whom; by default for the first seat that is asked.
        seat: Option<u8>,
    },
    /// To leave.
    Quit {
        /// Always true.
        #[allow(dead_code, reason = "it is there to be recognised")]
        quit: Yes,
    },
}

/// `true`, and nothing else.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "bool")]
pub struct Yes;

impl TryFrom<bool> for Yes {
    type Error = &'static str;

    fn try_from(yes: bool) -> Result<Yes, &'static str> {
        if yes {
            Ok(Yes)
        } else {
            Err("only true is understood")
        }
    }
}

impl Request {
    /// What a line asks for; nothing, if it is blank.
    pub fn parse(line: &[u8]) -> Result<Option<Request>, String> {
        let text = std::str::from_utf8(line).map_err(|_| "this line is no UTF-8".to_owned())?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let json: serde_json::Value =
            serde_json::from_str(text).map_err(|error| format!("this line is no JSON: {error}"))?;
        let request = serde_json::from_value(json);
        request.map(Some).map_err(|_| {
            "this line is no request: send {\"answer\": [\"key\"], \"seat\": 0}, {\"undo\": true}, {\"view\": 0}, \
             {\"panel\": \"word\"} or {\"quit\": true}"
                .to_owned()
        })
    }
}

/// The next line of standard input; `None` at its end, and where it cannot be read any more.
pub fn line() -> Option<Result<Vec<u8>, String>> {
    next(&mut std::io::stdin().lock())
}

/// The next line of a stream. No more of it is kept than may be read.
fn next(stream: &mut impl BufRead) -> Option<Result<Vec<u8>, String>> {
    let (mut line, mut length) = (Vec::new(), 0usize);
    loop {
        let bytes = match stream.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = LONGEST.saturating_sub(line.len()).min(part.len());
        line.extend_from_slice(&part[..room]);
        length = length.saturating_add(part.len());
        let (read, over) = (part.len() + usize::from(end.is_some()), bytes.is_empty());
        stream.consume(read);
        if over && length == 0 {
            return None;
        }
        if over || end.is_some() {
            return Some(if length > LONGEST {
                Err(format!("a line has at most {LONGEST} bytes"))
            } else {
                Ok(line)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Option<Request>, String> {
        Request::parse(text.as_bytes())
    }

    #[test]
    fn requests_are_understood() {
        let answer = Request::Answer {
            answer: vec!["a".into()],
            seat: None,
        };
        assert_eq!(parsed(r#"{"answer": ["a"]}"#), Ok(Some(answer)));
        assert_eq!(
            parsed(r#"{"undo": true}"#),
            Ok(Some(Request::Undo { undo: Yes }))
        );
        assert_eq!(
            parsed(r#"{"view": 1}"#),
            Ok(Some(Request::View { view: 1 }))
        );
        assert_eq!(parsed(" \r"), Ok(None));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "{",
            "[]",
            "7",
            r#"{"undo": false}"#,
            r#"{"view": 300}"#,
            r#"{"answer": 1}"#,
            r#"{"answer": [], "x": 1}"#,
            "\u{1}",
        ] {
            assert!(parsed(text).is_err(), "{text}");
        }
        assert!(Request::parse(b"\xc3").is_err_and(|why| why.contains("UTF-8")));
        assert!(parsed(&"[".repeat(10_000)).is_err());
    }

    #[test]
    fn long_lines_are_passed_over() {
        let text = format!("{}\nnext\nlast", "x".repeat(LONGEST + 1));
        let mut stream = std::io::BufReader::with_capacity(100, text.as_bytes());
        assert!(next(&mut stream).is_some_and(|line| line.is_err()));
        assert_eq!(next(&mut stream), Some(Ok(b"next".to_vec())));
        assert_eq!(next(&mut stream), Some(Ok(b"last".to_vec())));
        assert_eq!(next(&mut stream), None);
    }
}

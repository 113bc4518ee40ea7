//! Lines that somebody types: edited on a terminal, with history and completion; plainly read from a pipe.

use std::borrow::Cow;
use std::io::{BufRead, IsTerminal};

use rustyline::completion::{Completer, Pair};
use rustyline::config::Configurer as _;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::screen;

/// The longest line that is read as an answer.
const LONGEST: u64 = 10_000;

/// What came of waiting for a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Read {
    /// A line.
    Line(String),
    /// The person wants to stop (Ctrl-C).
    Stop,
    /// There are no more lines (Ctrl-D, the end of a pipe).
    End,
}

/// Whoever types.
pub struct Reader {
    /// On a terminal.
    editor: Option<Box<Editor<Words, MemHistory>>>,
}

impl Reader {
    /// Somebody at a terminal, or a pipe.
    pub fn new() -> Reader {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        // No more signs for the terminal than editing a line needs.
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .bracketed_paste(false)
            .build();
        if !terminal {
            return Reader { editor: None };
        }
        let history = MemHistory::with_config(&config);
        // Where lines cannot be edited, they are read as they come.
        let editor = Editor::with_history(config, history)
            .ok()
            .map(|mut editor| {
                editor.set_helper(Some(Words::default()));
                editor.enable_synchronized_output(false);
                Box::new(editor)
            });
        Reader { editor }
    }

    /// Whether somebody sits at a terminal.
    pub const fn is_person(&self) -> bool {
        self.editor.is_some()
    }

    /// Waits for a line. `words` are what may be completed to.
    pub fn read(&mut self, words: impl FnOnce() -> Vec<String>) -> Read {
        let Some(editor) = &mut self.editor else {
            return piped();
        };
        if let Some(helper) = editor.helper_mut() {
            helper.0 = words();
        }
        match editor.readline("> ") {
            Ok(line) => Read::Line(cut(&line)),
            Err(ReadlineError::Interrupted) => Read::Stop,
            // A half of a character is no reason to leave.
            Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                Read::Line(String::new())
            }
            Err(_) => Read::End,
        }
    }
}

/// A line of a pipe, which is shown, so that what is printed reads like what was typed.
fn piped() -> Read {
    match plain() {
        Some(line) => {
            screen::say(&format!("> {line}"));
            Read::Line(line)
        }
        None => Read::End,
    }
}

fn cut(line: &str) -> String {
    let longest = usize::try_from(LONGEST).unwrap_or(usize::MAX);
    line.trim().chars().take(longest).collect()
}

/// Marks the line in which somebody types, on a terminal.
pub fn mark() {
    if std::io::stdin().is_terminal() {
        screen::write("> ");
    }
}

/// Reads a line without history and completion; `None` at the end of input.
pub fn ask() -> Option<String> {
    mark();
    if std::io::stdin().is_terminal() {
        return plain();
    }
    match piped() {
        Read::Line(line) => Some(line),
        Read::Stop | Read::End => None,
    }
}

/// Reads a line of standard input as it comes; what is longer than anyone would type is cut.
pub fn plain() -> Option<String> {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock();
    let read = std::io::Read::take(&mut input, LONGEST)
        .read_until(b'\n', &mut bytes)
        .ok()?;
    if read == 0 {
        return None;
    }
    if bytes.last() != Some(&b'\n') {
        // The rest of the line is nothing anyone meant to say.
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// What can be completed to.
#[derive(Default)]
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line[..at].to_lowercase();
        let fits = |word: &&String| !typed.is_empty() && word.to_lowercase().starts_with(&typed);
        let pair = |word: &String| Pair {
            display: word.clone(),
            replacement: word.clone(),
        };
        Ok((0, self.0.iter().filter(fits).map(pair).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(screen::painted(prompt, screen::Tone::Key))
    }
}

impl Validator for Words {}
impl Helper for Words {}

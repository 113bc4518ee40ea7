//! Reads lines: with editing, history and completion on a terminal, or unchanged from a pipe.

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

/// The maximum length of a line, in bytes from a pipe and in characters on a terminal. The rest is
/// dropped.
const MAX_LENGTH: u64 = 10_000;

/// The result of reading a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    Line(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or the end of a pipe.
    Eof,
}

/// Reads lines from standard input.
pub struct LineReader {
    /// `None` if standard input is not a terminal.
    editor: Option<Box<Editor<WordCompleter, MemHistory>>>,
}

impl LineReader {
    pub fn new() -> LineReader {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        // Use only the escape sequences that editing needs.
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .bracketed_paste(false)
            .build();
        if !terminal {
            return LineReader { editor: None };
        }
        let history = MemHistory::with_config(&config);
        // If the editor is not available, lines are read without editing.
        let editor = Editor::with_history(config, history)
            .ok()
            .map(|mut editor| {
                editor.set_helper(Some(WordCompleter::default()));
                editor.enable_synchronized_output(false);
                Box::new(editor)
            });
        LineReader { editor }
    }

    /// Whether a person types at a terminal.
    pub const fn is_person(&self) -> bool {
        self.editor.is_some()
    }

    /// Reads a line. `completions` returns the possible completions.
    pub fn read(&mut self, completions: impl FnOnce() -> Vec<String>) -> InputLine {
        let Some(editor) = &mut self.editor else {
            return piped();
        };
        if let Some(helper) = editor.helper_mut() {
            helper.0 = completions();
        }
        match editor.readline("> ") {
            Ok(line) => InputLine::Line(cut(&line)),
            Err(ReadlineError::Interrupted) => InputLine::Interrupted,
            // An incomplete character is no reason to quit.
            Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                InputLine::Line(String::new())
            }
            Err(_) => InputLine::Eof,
        }
    }
}

/// Reads a line from a pipe and echoes it, so that the output reads like a session at a terminal.
fn piped() -> InputLine {
    match plain() {
        Some(line) => {
            screen::print(&format!("> {line}"));
            InputLine::Line(line)
        }
        None => InputLine::Eof,
    }
}

fn cut(line: &str) -> String {
    let longest = usize::try_from(MAX_LENGTH).unwrap_or(usize::MAX);
    line.trim().chars().take(longest).collect()
}

/// Prints the prompt sign on a terminal.
pub fn print_prompt() {
    if std::io::stdin().is_terminal() {
        screen::write("> ");
    }
}

/// Reads a line without history and completion; `None` at the end of input.
pub fn ask() -> Option<String> {
    print_prompt();
    if std::io::stdin().is_terminal() {
        return plain();
    }
    match piped() {
        InputLine::Line(line) => Some(line),
        InputLine::Interrupted | InputLine::Eof => None,
    }
}

/// Reads a line of standard input, and truncates it if it is too long.
pub fn plain() -> Option<String> {
    let mut bytes = Vec::new();
    let mut input = std::io::stdin().lock();
    let read = std::io::Read::take(&mut input, MAX_LENGTH)
        .read_until(b'\n', &mut bytes)
        .ok()?;
    if read == 0 {
        return None;
    }
    if bytes.last() != Some(&b'\n') {
        // Skip the rest of a line that is too long.
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Completes commands and options.
#[derive(Default)]
struct WordCompleter(Vec<String>);

impl Completer for WordCompleter {
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

impl Hinter for WordCompleter {
    type Hint = String;
}

impl Highlighter for WordCompleter {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(screen::coloured(prompt, screen::Tone::Key))
    }
}

impl Validator for WordCompleter {}
impl Helper for WordCompleter {}

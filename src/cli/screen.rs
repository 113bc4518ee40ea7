//! Prints to the terminal. Control characters are removed from the texts of packs first.

use crate::number::cast;
use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use unicode_width::UnicodeWidthStr;

use crate::diagnostic::{Diagnostic, Files, RenderStyle, render, sanitize};

/// The line width if the terminal's width is unknown.
const DEFAULT_WIDTH: usize = 80;
/// Longer lines are hard to read, however wide the window is.
const MAX_WIDTH: usize = 120;

/// Whether only ASCII is printed.
static ASCII: AtomicBool = AtomicBool::new(false);

/// The meaning of a text, which determines its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    #[default]
    Plain,
    Heading,
    /// A detail that readers may skip.
    Quiet,
    /// A gain.
    Good,
    /// A loss.
    Bad,
    Warning,
    /// Text to type.
    Key,
}

impl Tone {
    /// The ANSI code.
    const fn code(self) -> &'static str {
        match self {
            Tone::Plain => "",
            Tone::Heading => "1",
            Tone::Quiet => "2",
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Warning => "33",
            Tone::Key => "36",
        }
    }
}

/// Switches to ASCII output, if requested or if the locale does not support Unicode.
pub fn use_ascii(wanted: bool) {
    ASCII.store(wanted || !has_unicode(), Ordering::Relaxed);
}

fn has_unicode() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL")
        .or_else(|| set("LC_CTYPE"))
        .or_else(|| set("LANG"));
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        // A missing locale has most likely just not been set.
        locale.contains("utf") || locale == "c" || locale == "posix"
    })
}

/// Makes a text of a pack or a person safe to print: without control characters, and in ASCII if
/// required.
pub fn printable(text: &str) -> Cow<'_, str> {
    let text = sanitize(text);
    if !ASCII.load(Ordering::Relaxed) || text.is_ascii() {
        return text;
    }
    let plain = text.chars().map(|c| match c {
        '→' => "->".into(),
        '–' | '·' | '•' => "-".into(),
        '—' => "--".into(),
        '×' => "x".into(),
        '█' => "#".into(),
        '░' => ".".into(),
        c if c.is_ascii() => Cow::Owned(c.to_string()),
        c => Cow::Borrowed(deunicode::deunicode_char(c).unwrap_or("?")),
    });
    Cow::Owned(plain.collect())
}

/// Prints a line. If standard output was closed, the program exits quietly.
pub fn print(line: &str) {
    write(&format!("{}\n", printable(line)));
}

/// Writes to standard output, without a line break.
pub fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    if out
        .write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .is_err()
    {
        std::process::exit(0);
    }
}

/// Prints a line unchanged, including its colours.
pub fn print_raw(line: &str) {
    write(&format!("{line}\n"));
}

/// Prints a wrapped text: the first line starts with `head`, the others are indented to match.
pub fn print_indented(head: &str, head_tone: Tone, text: &str, tone: Tone) {
    let (head, text) = (printable(head), printable(text));
    let indent = " ".repeat(columns(&head).min(width() / 2));
    let room = width().saturating_sub(indent.len()).max(20);
    let mut shown = String::new();
    let lines = text.lines().flat_map(|line| wrapped(line, room));
    for (ix, line) in lines.enumerate() {
        let front = if ix == 0 {
            coloured(&head, head_tone)
        } else {
            indent.clone()
        };
        shown.push_str(&format!("{front}{}\n", coloured(&line, tone)));
    }
    if shown.is_empty() {
        shown = format!("{}\n", coloured(&head, head_tone));
    }
    write(&shown);
}

/// Prints a wrapped text.
pub fn print_wrapped(text: &str, tone: Tone) {
    print_indented("", Tone::Plain, text, tone);
}

/// Wraps a line. The indentation is kept, and the lines after the first are indented further.
fn wrapped(line: &str, room: usize) -> Vec<String> {
    let blanks = &line[..line.len() - line.trim_start().len()];
    let deeper = format!("{blanks}  ");
    let options = textwrap::Options::new(room)
        .subsequent_indent(if blanks.is_empty() { "" } else { &deeper })
        .break_words(true)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    if columns(line) <= room {
        return vec![line.replace('\u{a0}', " ")];
    }
    textwrap::wrap(line, options)
        .into_iter()
        .map(|line| line.replace('\u{a0}', " "))
        .collect()
}

/// A text in the colour of its tone, if colours are on.
pub fn coloured(text: &str, tone: Tone) -> String {
    if tone == Tone::Plain || text.is_empty() || !has_colours() {
        return text.to_owned();
    }
    format!("\x1b[{}m{text}\x1b[0m", tone.code())
}

/// The width of a text, in columns.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The width of a line, in columns.
pub fn width() -> usize {
    let from_environment = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse::<usize>().ok());
    let from_terminal =
        terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    from_terminal
        .or(from_environment)
        .map_or(DEFAULT_WIDTH, |width| width.clamp(40, MAX_WIDTH))
}

/// Clears the screen, so that the next player does not see what the previous player saw.
pub fn clear() {
    if std::io::stdout().is_terminal() && !is_dumb() {
        // 3J clears the scrollback as well.
        write("\x1b[2J\x1b[3J\x1b[H");
    } else {
        write(&"\n".repeat(3));
    }
}

/// Prints a line that is not part of the output to standard error.
pub fn eprint(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", printable(line));
}

/// Prints a message to standard error.
pub fn print_error(message: &str) {
    let mut out = std::io::stderr().lock();
    // If standard error is closed too, there is nowhere left to report it.
    let _ = writeln!(
        out,
        "kaer: {}",
        if message.contains('\x1b') {
            Cow::Borrowed(message)
        } else if !std::io::stderr().is_terminal() {
            printable(message)
        } else {
            let lines = message.lines().flat_map(|line| wrapped(line, width()));
            Cow::Owned(printable(&lines.collect::<Vec<_>>().join("\n")).into_owned())
        }
    );
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether to print colours: on a terminal, unless `NO_COLOR`, `CLICOLOR` or `CLICOLOR_FORCE` say
/// otherwise.
pub fn has_colours() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is = |name: &str, value: &str| std::env::var_os(name).is_some_and(|own| own == value);
    if set("NO_COLOR") {
        return false;
    }
    if set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") {
        return true;
    }
    std::io::stdout().is_terminal() && !is_dumb() && !is("CLICOLOR", "0")
}

/// Renders a diagnostic for the terminal.
pub fn diagnostic(files: &Files, diagnostic: &Diagnostic) -> String {
    render(
        files,
        diagnostic,
        RenderStyle {
            colour: has_colours(),
            width: 100,
        },
    )
}

/// `1 error`, `2 errors`.
pub fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Turns a text into a sentence: with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    let stop = if text.ends_with(['.', '!', '?', '…', '”', '"']) {
        ""
    } else {
        "."
    };
    let first: String = first.into_iter().flatten().collect();
    format!("{first}{}{stop}", letters.as_str())
}

/// Shows a progress bar on standard error.
pub fn progress(shows: bool, what: &str, done: u64, all: u64) {
    if !shows || (!done.is_multiple_of((all / 200).max(1)) && done != all) {
        return;
    }
    let filled = cast::<_, usize>(done * 40 / all.max(1));
    let end = if done == all { "\n" } else { "" };
    let mut out = std::io::stderr().lock();
    let _ = write!(
        out,
        "\r{}{} {done} of {all} {what}{end}",
        "█".repeat(filled),
        "░".repeat(40 - filled)
    );
    let _ = out.flush();
}

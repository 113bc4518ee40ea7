//! Words to the terminal: nothing of a pack reaches it unless its control characters were taken out.

use crate::number::cast;
use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use unicode_width::UnicodeWidthStr;

use crate::diagnostic::{Diagnostic, Files, Look, clean, render};

/// So wide a line is where nobody knows better.
const USUAL_WIDTH: usize = 80;
/// Longer lines are hard to read, however wide the window is.
const MOST_WIDTH: usize = 120;

/// Whether only plain letters may be written.
static ASCII: AtomicBool = AtomicBool::new(false);

/// What a text means, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    /// As it is.
    #[default]
    Plain,
    /// What stands over other lines.
    Heading,
    /// What can be passed over.
    Quiet,
    /// A gain.
    Good,
    /// A loss.
    Bad,
    /// What should be noticed.
    Warning,
    /// What can be typed.
    Key,
}

impl Tone {
    /// Its number among the colours of terminals.
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

/// Writes only plain letters from now on, if that is wanted, or if the locale says that the terminal knows no others.
pub fn use_ascii(wanted: bool) {
    ASCII.store(wanted || !knows_unicode(), Ordering::Relaxed);
}

/// Whether the locale does not speak against it.
fn knows_unicode() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL")
        .or_else(|| set("LC_CTYPE"))
        .or_else(|| set("LANG"));
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        // A machine without a locale is nearly always one on which nobody cared to set it.
        locale.contains("utf") || locale == "c" || locale == "posix"
    })
}

/// A text of a pack or a person, fit to be written.
pub fn fit(text: &str) -> Cow<'_, str> {
    let text = clean(text);
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

/// Writes a line to standard output; a reader that has gone away ends the program quietly.
pub fn say(line: &str) {
    write(&format!("{}\n", fit(line)));
}

/// Writes to standard output without ending the line.
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

/// Writes text of the program's own making, colours and all.
pub fn raw(line: &str) {
    write(&format!("{line}\n"));
}

/// Writes a text over as many lines as it needs: the first begins with `head`, the others under its end.
pub fn block(head: &str, head_tone: Tone, text: &str, tone: Tone) {
    let (head, text) = (fit(head), fit(text));
    let indent = " ".repeat(columns(&head).min(width() / 2));
    let room = width().saturating_sub(indent.len()).max(20);
    let mut shown = String::new();
    let lines = text.lines().flat_map(|line| wrapped(line, room));
    for (ix, line) in lines.enumerate() {
        let front = if ix == 0 {
            painted(&head, head_tone)
        } else {
            indent.clone()
        };
        shown.push_str(&format!("{front}{}\n", painted(&line, tone)));
    }
    if shown.is_empty() {
        shown = format!("{}\n", painted(&head, head_tone));
    }
    write(&shown);
}

/// Writes a text of one meaning over as many lines as it needs.
pub fn text(text: &str, tone: Tone) {
    block("", Tone::Plain, text, tone);
}

/// A line in pieces that fit; what it begins with in blanks, all of them do.
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

/// A text in the colour of its meaning, where colours are wanted.
pub fn painted(text: &str, tone: Tone) -> String {
    if tone == Tone::Plain || text.is_empty() || !colours() {
        return text.to_owned();
    }
    format!("\x1b[{}m{text}\x1b[0m", tone.code())
}

/// How many columns a text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// How many columns a line has.
pub fn width() -> usize {
    let told = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse::<usize>().ok());
    let seen =
        terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    seen.or(told)
        .map_or(USUAL_WIDTH, |width| width.clamp(40, MOST_WIDTH))
}

/// Empties the screen, so that nobody reads what was shown to somebody else.
pub fn clear() {
    if std::io::stdout().is_terminal() && !is_dumb() {
        // What can be scrolled back to goes too.
        write("\x1b[2J\x1b[3J\x1b[H");
    } else {
        write(&"\n".repeat(3));
    }
}

/// Writes a message to standard error.
pub fn complain(message: &str) {
    let mut out = std::io::stderr().lock();
    // Where even standard error is gone there is nobody left to tell.
    let _ = writeln!(
        out,
        "kaer: {}",
        if message.contains('\x1b') {
            Cow::Borrowed(message)
        } else {
            fit(message)
        }
    );
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether colours are wanted: on a terminal, unless the environment says otherwise.
pub fn colours() -> bool {
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

/// A fault in full.
pub fn fault(files: &Files, fault: &Diagnostic) -> String {
    render(
        files,
        fault,
        Look {
            colour: colours(),
            width: 100,
        },
    )
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

//! What to write instead of something that is not TOML.

use std::ops::Range;

use super::toml_scan::{Pair, closer, without_comment};
use super::toml_tree::is_value;

/// A problem in a text that is not valid TOML.
#[derive(Debug)]
pub(super) struct TomlProblem {
    pub at: Range<usize>,
    pub message: &'static str,
    pub label: &'static str,
    /// The bracket that was opened.
    pub opened: Option<Range<usize>>,
    pub help: String,
    /// The lines that cannot be read because of it.
    pub lines: Range<usize>,
}

impl TomlProblem {
    fn new(at: Range<usize>, message: &'static str, end: usize) -> Self {
        Self {
            lines: at.start..end,
            at,
            message,
            label: "here",
            opened: None,
            help: String::new(),
        }
    }

    fn label(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: help.into(),
            ..self
        }
    }

    /// Suggests another text.
    fn write(self, new: &str) -> Self {
        self.help(format!("write: {new}"))
    }
}

const MANY_LINES: &str =
    "put text of several lines between two lines of \"\"\", and a script between two lines of '''";

pub(super) fn header(at: Range<usize>, body: &str, name: &str, lost: usize) -> TomlProblem {
    let words: Vec<&str> = name
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .filter(|word| !word.is_empty())
        .collect();
    let problem = TomlProblem::new(at.clone(), "invalid header", lost);
    let followed = body
        .find(']')
        .map(|end| body[end..].trim_start_matches(']'));
    if followed.is_some_and(|rest| rest.contains('=')) {
        return problem
            .label("a header, and a field in the same line")
            .help("write each field on a line of its own, below the header");
    }
    if words.is_empty() {
        return problem.help("write the kind of the entry in double brackets, as in [[card]]");
    }
    let name = words.join("-").to_lowercase();
    let header = if matches!(name.as_str(), "pack" | "check" | "defaults") {
        format!("[{name}]")
    } else {
        format!("[[{name}]]")
    };
    problem
        .label("a header is one word in double brackets")
        .write(&header)
}

/// A line that is neither a header nor a key with a value. It is lost up to the end of its
/// paragraph or, if it was meant as a header, of its block.
pub(super) fn no_equals(
    at: Range<usize>,
    key: &str,
    rest: &str,
    (lost, block): (usize, usize),
) -> TomlProblem {
    let problem = |message: &'static str| TomlProblem::new(at.clone(), message, lost);
    let of_block = |message: &'static str| TomlProblem::new(at.clone(), message, block);
    let body = [key, rest].join(" ");
    let body = body.trim();
    if body.contains(is_invisible) {
        return problem("an invisible character")
            .label("in this line")
            .help("type the line again: it contains a character that you cannot see");
    }
    for mark in ["//", "/*", "<!--", "--", ";", "%"] {
        if let Some(comment) = body.strip_prefix(mark) {
            let comment = comment
                .trim_end_matches("*/")
                .trim_end_matches("-->")
                .trim();
            return problem("invalid comment")
                .label("a comment begins with #")
                .write(&format!("# {comment}"));
        }
    }
    if body.starts_with("- ") || body.starts_with("* ") {
        return problem("invalid list")
            .help("write a list in square brackets: name = [\"first\", \"second\"]");
    }
    let name = body.trim_matches(['{', '}', '(', ')', '<', '>', '[', ']', ':', ' ']);
    let is_name = |text: &str| {
        let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        !text.is_empty() && text.chars().all(letters)
    };
    if is_name(name) && (key.is_empty() || name != body) {
        return of_block("invalid header")
            .label("a header is one word in double brackets")
            .write(&format!("[[{name}]]"));
    }
    if is_name(body) {
        return of_block("no value")
            .label("a word alone in its line")
            .help(format!(
                "write a value after it, as in {body} = 2, or, to begin an entry, [[{body}]]"
            ));
    }
    if let Some(value) = rest.strip_prefix([':', '~']).filter(|_| !key.is_empty()) {
        let value = value.trim();
        let bare = value.trim_end_matches([',', ';']);
        let value = if is_value(bare) { bare } else { value };
        return problem("no equals sign")
            .label("a key and its value are joined by =")
            .write(&format!("{} = {}", key_of(key), quoted(value)));
    }
    if ["fn ", "function ", "def ", "private fn "]
        .iter()
        .any(|word| body.starts_with(word))
    {
        return problem("a function in a TOML file")
            .label("this looks like a script")
            .help("write functions into a file with the ending .rhai, next to this one");
    }
    // `price 2` or `title "Ball"`: the key takes all words in front of a quote or a bracket.
    if let Some((key, value)) = body.split_once(char::is_whitespace)
        && is_name(key)
        && !body.contains([';', '(', '{'])
    {
        let is_short = value.split_whitespace().count() <= 2 || is_value(value.trim());
        if is_short {
            return problem("no equals sign")
                .label("a key and its value are joined by =")
                .write(&format!("{key} = {}", quoted(value.trim())));
        }
    }
    problem("no equals sign")
        .label("neither a header nor a key with a value")
        .help(format!(
            "write a key and a value, as in: level = 2; {MANY_LINES}"
        ))
}

pub(super) fn extra_sign(pair: &Pair<'_>, value: &str, end: usize) -> TomlProblem {
    let at = pair.key_at..end;
    TomlProblem::new(at.clone(), "too many equals signs", end)
        .label("a single = is enough")
        .write(&format!("{} = {}", pair.key, quoted(value)))
}

pub(super) fn key_with_space(pair: &Pair<'_>, value: &str, end: usize) -> TomlProblem {
    let at = pair.key_at..end;
    if let Some(rest) = ["let ", "const ", "var "]
        .iter()
        .find_map(|word| pair.key.strip_prefix(word))
    {
        return TomlProblem::new(at, "a script outside of quotes", end)
            .label(if rest.is_empty() {
                "here"
            } else {
                "this looks like a script"
            })
            .help(MANY_LINES);
    }
    let key = match pair.key.split_once(char::is_whitespace) {
        Some((table, name)) if TABLES.contains(&table) => format!("{table}.{}", key_of(name)),
        _ => key_of(pair.key),
    };
    let is_long = value.starts_with("\"\"\"") || value.starts_with("'''");
    let shown = if is_long {
        value[..3].to_owned()
    } else {
        quoted(value)
    };
    let line_end = pair.value_at + value.len();
    TomlProblem::new(at.start..line_end, "a key with a space", end)
        .label("a key is one word")
        .write(&format!("{key} = {shown}"))
}

/// Fields that are tables: a dot and a name follow.
const TABLES: &[&str] = &[
    "on", "answer", "offer", "fields", "cost", "setup", "expect", "set",
];

/// The conflict markers of an unfinished merge.
pub(super) fn merge_conflict(at: Range<usize>, lost: usize) -> TomlProblem {
    TomlProblem::new(at, "an unfinished merge", lost)
        .label("two versions of these lines")
        .help("keep one version, and remove the lines with <<<<<<<, ======= and >>>>>>>")
}

/// A script between triple backticks, as in a chat or a Markdown file.
pub(super) fn triple_backticks(pair: &Pair<'_>, lost: usize) -> TomlProblem {
    TomlProblem::new(pair.value_at..pair.value_at + 3, "triple backticks", lost)
        .label("opened here")
        .help("write ''' in place of ``` before and after a script, and \"\"\" around a long text")
}

/// A list in curly brackets.
pub(super) fn list_in_braces(at: Range<usize>, items: &str, end: usize) -> TomlProblem {
    let items: Vec<String> = items.split(',').map(|item| quoted(item.trim())).collect();
    TomlProblem::new(at, "a list in curly brackets", end)
        .label("a list is in square brackets")
        .write(&format!("[{}]", items.join(", ")))
}

pub(super) fn no_value(pair: &Pair<'_>, end: usize, lost: usize) -> TomlProblem {
    TomlProblem::new(pair.key_at..end, "no value", lost)
        .label("nothing after the =")
        .help(format!(
            "write a value after the =, in the same line, as in {0} = 2, {0} = \"text\" or {0} = [\"a\", \"b\"], or remove the line",
            pair.key
        ))
}

/// A value without quotes that is not a number, true or false.
pub(super) fn unquoted(pair: &Pair<'_>, value: &str, end: usize) -> TomlProblem {
    let value_at = pair.value_at..pair.value_at + value.len();
    let problem = |message: &'static str| TomlProblem::new(value_at.clone(), message, end);
    let write =
        |problem: TomlProblem, value: &str| problem.write(&format!("{} = {value}", pair.key));
    let word = value.trim_end_matches([';', ',']).trim_end();
    let list = word
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    if let Some(list) = list
        .map(|list| format!("[{list}]"))
        .filter(|list| is_value(list))
    {
        return write(
            problem("invalid list").label("a list is in square brackets"),
            &list,
        );
    }
    match word.to_lowercase().as_str() {
        "true" | "yes" | "on" | "y" => {
            return write(
                problem("invalid value").label("write it in lowercase letters"),
                "true",
            );
        }
        "false" | "no" | "off" | "n" => return write(problem("invalid value"), "false"),
        "null" | "nil" | "none" | "undefined" | "nothing" | "-" | "()" | "n/a" => {
            return problem("invalid value")
                .label("there is no empty value")
                .help("leave the line out: a field without a value has no line");
        }
        _ => {}
    }
    if value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | '$' | '€'))
    {
        return number(problem("invalid number"), value, &write);
    }
    if is_value(word) {
        return write(problem("unexpected text after the value"), word);
    }
    let message = if value.starts_with(['"', '\'', '“', '”', '„', '«', '‘', '’', '`']) {
        "invalid quotes"
    } else {
        "missing quotes"
    };
    write(
        problem(message).label("text needs straight quotes"),
        &quoted(value),
    )
}

/// A value that begins like a number.
fn number(
    problem: TomlProblem,
    value: &str,
    write: &dyn Fn(TomlProblem, &str) -> TomlProblem,
) -> TomlProblem {
    let after_first = value
        .char_indices()
        .nth(1)
        .map_or(value.len(), |(at, _)| at);
    let mark = ["//", "--", "/*", ";"]
        .into_iter()
        .find(|mark| value[after_first..].contains(mark));
    if let Some((number, comment)) = mark.and_then(|mark| value.split_once(mark)) {
        let (number, comment) = (number.trim_end(), comment.trim_end_matches("*/"));
        if is_value(number) && !comment.trim().is_empty() {
            let new = format!("{number} # {}", comment.trim());
            return write(problem.label("a comment begins with #"), &new);
        }
    }
    let digits = |c: char| c.is_ascii_digit() || c == '_';
    let sign = value.starts_with('-');
    let body = value.trim_start_matches(['-', '+', '$', '€', ' ']);
    let length = body.find(|c: char| !digits(c)).unwrap_or(body.len());
    let (whole, rest) = body.split_at(length);
    let whole = whole.trim_start_matches('0').trim_matches('_');
    let whole = if whole.is_empty() { "0" } else { whole };
    let whole = format!("{}{whole}", if sign { "-" } else { "" });
    if rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        // A version, a range.
        return write(
            problem.label("text needs quotes"),
            &format!("\"{}\"", value.trim_end_matches(';')),
        );
    }
    let thousands = rest
        .strip_prefix([',', '\'', ' ', '.'])
        .filter(|rest| rest.len() == 3 && rest.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(rest) = thousands {
        return write(
            problem.label("write the digits without a separator"),
            &format!("{whole}{rest}"),
        );
    }
    let decimal = rest.strip_prefix([',', '.']);
    if decimal.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        let problem = write(problem, &whole);
        let help = format!(
            "write a whole number, as in {}",
            problem.help.trim_start_matches("write: ")
        );
        return problem.help(help);
    }
    let unit = rest.trim().trim_matches(['%', ';', ',']);
    if unit.split_whitespace().count() > 1 || unit.contains(|c: char| !c.is_alphabetic()) {
        return write(problem.label("text needs quotes"), &quoted(value));
    }
    write(problem.label("a number has only digits"), &whole)
}

/// Text after a complete value.
pub(super) fn after_value(pair: &Pair<'_>, value: &str, rest: &str, end: usize) -> TomlProblem {
    let rest_at = end - rest.len()..end;
    let problem = TomlProblem::new(rest_at, "unexpected text after the value", end);
    let write =
        |problem: TomlProblem, value: &str| problem.write(&format!("{} = {value}", pair.key));
    for mark in ["//", "--", "/*"] {
        if let Some(comment) = rest.trim_start_matches(';').trim_start().strip_prefix(mark) {
            let comment = comment.trim_end_matches("*/").trim();
            return write(
                problem.label("a comment begins with #"),
                &format!("{value} # {comment}"),
            );
        }
    }
    if rest.starts_with(['+', '&']) {
        return problem.help("a value is one text or one number: nothing is calculated here");
    }
    let quote = value.chars().next().unwrap_or_default();
    let is_string = matches!(quote, '"' | '\'');
    let more = rest.trim_end_matches([';', ',']).trim_end();
    if more.is_empty() {
        return write(problem.label("a line needs no mark at its end"), value);
    }
    if let Some(items) = more.strip_prefix(',') {
        let items = items.trim().trim_end_matches(']');
        let list = format!("[{value}, {items}]");
        if is_value(&list) {
            return write(problem.label("a list is in square brackets"), &list);
        }
    }
    if is_string && !more.contains('=') && more.ends_with(quote)
        || is_string && more.starts_with(is_letter)
    {
        // The quote that was meant to end the string is the last one.
        let all = format!("{value}{rest}");
        let all = all.trim_end_matches([';', ',']);
        let inner = all.trim_start_matches(quote).trim_end_matches(quote);
        let problem = problem.label("the text ends at the quote before this");
        return write(problem, &in_other_quotes(inner));
    }
    if is_string && more.ends_with(quote) {
        let all = format!("{value}{more}");
        let inner = &all[1..all.len() - 1];
        return write(
            problem.label("the text ends at the quote before this"),
            &in_other_quotes(inner),
        );
    }
    if more.starts_with([']', '}', ')']) {
        return write(problem.label("no bracket was opened"), value);
    }
    if more.contains('=') {
        return problem.help("write each field on a line of its own");
    }
    problem.help(format!(
        "write one value, as in {} = {value}; put text in quotes",
        pair.key
    ))
}

/// Spaces and marks that only word processors and web pages use.
pub(super) fn is_invisible(c: char) -> bool {
    let is_mark = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{feff}');
    is_mark || c.is_whitespace() && !c.is_ascii()
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic()
}

pub(super) fn unclosed_quote(
    text: &str,
    at: usize,
    quote: &str,
    pair: Option<&Pair<'_>>,
    end: usize,
) -> TomlProblem {
    let problem = TomlProblem::new(at..at + 1, "quote is not closed", end).label("opened here");
    let Some(pair) = pair else {
        return problem.help(format!(
            "close it with {quote} after the last letter of the text"
        ));
    };
    let inner = text[at + 1..end]
        .trim_end()
        .trim_end_matches(['\'', '"', '”', '“', '’', '`', ';', ',']);
    let line = format!("{} = {quote}{inner}{quote}", pair.key);
    problem.help(format!("close the quote: {line}"))
}

pub(super) fn odd_quotes(line: Range<usize>) -> TomlProblem {
    let end = line.end;
    TomlProblem::new(line, "quote is not closed", end)
        .label("one of the quotes in this line is missing")
        .help("put each text in quotes of its own, as in [\"first\", \"second\"]")
}

pub(super) fn line_break(at: usize, quote: &str, lost: usize) -> TomlProblem {
    TomlProblem::new(at..at + 1, "quote is not closed in its line", lost)
        .label(if quote == "'" {
            "' opened here"
        } else {
            "\" opened here"
        })
        .help(MANY_LINES)
}

pub(super) fn unclosed_triple(at: usize, triple: &str, lost: usize) -> TomlProblem {
    TomlProblem::new(at..at + 3, "triple quotes are not closed", lost)
        .label("opened here")
        .help(format!(
            "close them with {triple} in a line of its own, after the last line of the text or script"
        ))
}

pub(super) fn unclosed_bracket(at: usize, open: u8, lost: usize) -> TomlProblem {
    let close = char::from(closer(open));
    let message = if open == b'[' {
        "list is not closed"
    } else {
        "table is not closed"
    };
    TomlProblem::new(at..at + 1, message, lost)
        .label("opened here")
        .help(format!("close it with {close} after its last item"))
}

pub(super) fn wrong_bracket(at: usize, opened: usize, open: u8, end: usize) -> TomlProblem {
    let close = char::from(closer(open));
    let problem = TomlProblem::new(at..at + 1, "closing bracket does not match", end);
    TomlProblem {
        opened: Some(opened..opened + 1),
        ..problem
    }
    .label("closed here")
    .help(format!("close it with {close}"))
}

pub(super) fn semicolon_in_list(at: usize, end: usize) -> TomlProblem {
    TomlProblem::new(at..at + 1, "semicolon between two items", end).help("write a comma")
}

pub(super) fn extra_comma(at: usize, end: usize) -> TomlProblem {
    TomlProblem::new(at..at + 1, "comma without an item before it", end).help("remove the comma")
}

pub(super) fn missing_comma(next: usize, end: usize) -> TomlProblem {
    TomlProblem::new(next..next + 1, "comma is missing", end)
        .label("before this")
        .help("write a comma between two items")
}

pub(super) fn colon_in_table(text: &str, at: usize, end: usize) -> TomlProblem {
    let key = text[..at].trim_end();
    let start = key
        .rfind(['{', ',', ' ', '\n'])
        .map_or(0, |found| found + 1);
    TomlProblem::new(at..at + 1, "colon instead of an equals sign", end)
        .help(format!("write {} =", &key[start..]))
}

pub(super) fn no_equals_in_table(
    at: Range<usize>,
    key: &str,
    value: &str,
    end: usize,
) -> TomlProblem {
    TomlProblem::new(at.clone(), "no equals sign", end)
        .label("a key and its value are joined by =")
        .write(&format!("{key} = {}", quoted(value.trim())))
}

pub(super) fn unquoted_item(at: Range<usize>, word: &str, end: usize) -> TomlProblem {
    let problem = TomlProblem::new(at.clone(), "missing quotes", end).label("text needs quotes");
    match word.to_lowercase().as_str() {
        truth @ ("true" | "false") => problem.write(truth),
        "" => problem.help("write a value here: a number, text in quotes, true or false"),
        _ => problem.write(&quoted(word)),
    }
}

/// A key as one word.
fn key_of(key: &str) -> String {
    let key = key.trim_matches(['"', '\'']);
    let words: Vec<&str> = key.split_whitespace().collect();
    words.join("_")
}

/// A text as a TOML value: unchanged if it is one, otherwise in quotes.
fn quoted(value: &str) -> String {
    let value = without_comment(value).trim();
    if is_value(value) {
        return value.to_owned();
    }
    let plain = value.trim_matches(|c: char| "\"'“”„«»‘’`".contains(c));
    let is_script = [";", "+=", "-=", "==", "&&", "||", "()", " = "]
        .iter()
        .any(|mark| plain.contains(mark))
        || plain.contains('(') && plain.ends_with(')') && !plain.contains(' ');
    if is_script {
        let quote = if plain.contains('\'') { "'''" } else { "'" };
        return format!("{quote}{plain}{quote}");
    }
    let plain = plain.trim_end_matches(',');
    if plain.contains(['"', '\\']) {
        in_other_quotes(plain)
    } else {
        format!("\"{plain}\"")
    }
}

/// A text in quotes that it does not contain.
fn in_other_quotes(text: &str) -> String {
    let quote = match (text.contains('\''), text.contains(['"', '\\'])) {
        (_, false) => "\"",
        (false, true) => "'",
        (true, true) => "'''",
    };
    format!("{quote}{text}{quote}")
}

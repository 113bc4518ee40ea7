//! Finds what is wrong in a file that is not valid TOML, statement by statement.
//!
//! The TOML parser stops, or loses track, after the first error: an unclosed bracket makes it read
//! all that follows as items of a list. This scanner knows what the start of a line usually means,
//! so it finds the cause, and the lines that are lost because of it.

use super::toml_help::{self as help, TomlProblem};
use super::toml_tree::is_value;

/// The problems of a text in order, at most `max`.
pub(super) fn problems(text: &str, max: usize) -> Vec<TomlProblem> {
    let mut scanner = Scanner { text, at: 0 };
    let mut found = Vec::new();
    while scanner.at < text.len() && found.len() < max {
        found.extend(scanner.statement());
    }
    found
}

/// A key that is followed by an equals sign.
pub(super) struct Pair<'t> {
    /// The key as written, without spaces around it.
    pub key: &'t str,
    pub key_at: usize,
    /// The first byte after the equals sign and spaces.
    pub value_at: usize,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    /// Reads the statement at the start of a line, and moves behind it.
    fn statement(&mut self) -> Option<TomlProblem> {
        let start = self.at;
        let line = line_at(self.text, start);
        let body = line.trim_start();
        let from = start + line.len() - body.len();
        if body.is_empty() || body.starts_with('#') || body.starts_with('\u{feff}') && start == 0 {
            // A byte order mark may be followed by a statement.
            self.at = match body.strip_prefix('\u{feff}') {
                Some(_) => from + '\u{feff}'.len_utf8(),
                None => next_line(self.text, start),
            };
            return None;
        }
        let result = if body.starts_with('[') {
            self.header(start, from)
        } else {
            self.pair(start, from)
        };
        match result {
            Ok(end) => {
                self.at = next_line(self.text, end);
                None
            }
            Err(problem) => {
                let end = problem.lines.end.max(start + 1);
                self.at = next_line(self.text, end.min(self.text.len()).saturating_sub(1));
                Some(TomlProblem {
                    lines: start..self.at,
                    ..problem
                })
            }
        }
    }

    fn header(&self, start: usize, from: usize) -> Result<usize, TomlProblem> {
        let end = start + line_at(self.text, start).len();
        let body = without_comment(&self.text[from..end]);
        let name = body.trim_matches(['[', ']', ' ', '\t']);
        let brackets = body.chars().filter(|c| matches!(c, '[' | ']')).count();
        let is_double = body.starts_with("[[") && body.ends_with("]]") && brackets == 4;
        let is_single =
            !is_double && body.ends_with(']') && !body.starts_with("[[") && !body.ends_with("]]");
        if (is_double || is_single) && is_value(&format!("{{ {name} = 1 }}")) {
            return Ok(end);
        }
        // The fields below would otherwise be read as fields of the block before.
        let lost = self.block_end(end);
        Err(help::header(from..from + body.len(), body, name, lost))
    }

    fn block_end(&self, at: usize) -> usize {
        block_end(self.text, at)
    }

    fn pair(&self, start: usize, from: usize) -> Result<usize, TomlProblem> {
        let end = start + line_at(self.text, start).len();
        let line = &self.text[from..end];
        let key_end = from + key_length(line);
        let rest = self.text[key_end..end].trim_start();
        let key = self.text[from..key_end].trim_end();
        if is_conflict_mark(line) {
            let last = self.text[end..].find("\n>>>>>>>");
            let last = last.map_or(end, |found| end + found + 1);
            let lost = last + line_at(self.text, last).len();
            return Err(help::merge_conflict(from..end, lost));
        }
        if key.is_empty() || !rest.starts_with('=') {
            let lost = (self.prose_end(end), self.block_end(end));
            return Err(help::no_equals(from..end, key, rest, lost));
        }
        let mut value_at = end - rest.len() + 1;
        let sign_at = value_at + blank(&self.text[value_at..end]);
        let is_doubled = self.text[sign_at..end].starts_with(['=', '>']);
        if is_doubled {
            value_at = sign_at + 1;
        }
        value_at += blank(&self.text[value_at..end]);
        let pair = Pair {
            key,
            key_at: from,
            value_at,
        };
        let value = &self.text[value_at..end];
        if is_doubled {
            return Err(help::extra_sign(&pair, value, end));
        }
        if has_space(key) {
            // The value may extend over several lines, which are lost with the key.
            let end = self.value(&pair, end).unwrap_or(end);
            return Err(help::key_with_space(&pair, value, end));
        }
        let value_end = self.value(&pair, end)?;
        let line_end = value_end + line_at(self.text, value_end).len();
        let rest = self.text[value_end..line_end].trim_start();
        if rest.is_empty() || rest.starts_with('#') {
            return Ok(line_end);
        }
        let value = &self.text[value_at..value_end];
        Err(help::after_value(&pair, value, rest, line_end))
    }

    /// The end of lines that are neither statements nor empty.
    fn prose_end(&self, end: usize) -> usize {
        let mut at = next_line(self.text, end);
        while at < self.text.len() {
            let line = line_at(self.text, at);
            if line.trim().is_empty() || is_header(line) || is_pair(line) {
                break;
            }
            at = next_line(self.text, at);
        }
        at
    }

    /// The end of the value of a pair.
    fn value(&self, pair: &Pair<'t>, line_end: usize) -> Result<usize, TomlProblem> {
        let value = &self.text[pair.value_at..line_end];
        match value.chars().next() {
            None | Some('#') => {
                let lost = self.prose_end(line_end);
                Err(help::no_value(pair, line_end, lost))
            }
            Some('"' | '\'') => self.string(pair.value_at, Some(pair)),
            Some('[' | '{') => self.container(pair),
            Some('`') if value.starts_with("```") => {
                let inside = pair.value_at + 3;
                let found = self.text[inside..].find("```");
                let lost = found.map_or_else(|| self.block_end(line_end), |end| inside + end + 3);
                Err(help::triple_backticks(pair, lost))
            }
            Some(_) => {
                let plain = without_comment(value);
                if is_value(plain) {
                    Ok(pair.value_at + plain.len())
                } else {
                    Err(help::unquoted(pair, plain, line_end))
                }
            }
        }
    }

    /// The end of a string, after its closing quotes.
    fn string(&self, at: usize, pair: Option<&Pair<'t>>) -> Result<usize, TomlProblem> {
        let quote = &self.text[at..=at];
        let triple = quote.repeat(3);
        if self.text[at..].starts_with(&triple) {
            return self.long_string(at, &triple);
        }
        let line_end = at + line_at(self.text, at).len();
        if let Some(end) = closing(&self.text[at + 1..line_end], quote) {
            return Ok(at + 1 + end + 1);
        }
        if let Some(lost) = self.continued(at, quote, line_end) {
            return Err(help::line_break(at, quote, lost));
        }
        Err(help::unclosed_quote(self.text, at, quote, pair, line_end))
    }

    /// The end of the lines over which a string in single quotes seems to extend.
    fn continued(&self, at: usize, quote: &str, line_end: usize) -> Option<usize> {
        let opens_block = self.text[at + 1..line_end].trim().is_empty();
        let mut next = next_line(self.text, line_end);
        while next < self.text.len() {
            let line = line_at(self.text, next);
            let body = line.trim_end_matches([',', ';', ' ', '\t', '\r']);
            if is_header(line) || (!opens_block && is_pair(line)) {
                break;
            }
            next = next_line(self.text, next);
            if body.ends_with(quote) && (!opens_block || body.trim() == quote) {
                return Some(next);
            }
        }
        opens_block.then(|| next_line(self.text, line_end))
    }

    fn long_string(&self, at: usize, triple: &str) -> Result<usize, TomlProblem> {
        let inside = at + 3;
        let found = closing(&self.text[inside..], triple).map(|end| inside + end);
        // A closing quote after `key =` opens the next string: this one was never closed.
        let opens_next = |end: &usize| {
            let line_start = self.text[..*end].rfind('\n').map_or(0, |found| found + 1);
            line_start > at
                && is_pair(&format!("{}1", &self.text[line_start..*end]))
                && self.text[line_start..*end].trim_end().ends_with('=')
        };
        match found {
            Some(end) if !opens_next(&end) => {
                let quote = triple.as_bytes()[0];
                let more = self.text.as_bytes()[end + 3..].iter();
                Ok(end + 3 + more.take(2).take_while(|byte| **byte == quote).count())
            }
            Some(end) => {
                let lost = self.text[..end].rfind('\n').unwrap_or(end);
                Err(help::unclosed_triple(at, triple, lost))
            }
            None => Err(help::unclosed_triple(at, triple, self.block_end(at))),
        }
    }

    /// The end of a list or an inline table.
    fn container(&self, pair: &Pair<'t>) -> Result<usize, TomlProblem> {
        let mut scan = ContainerScan {
            scanner: self,
            pair,
            open: Vec::new(),
            before: ContainerToken::Start,
            before_end: pair.value_at,
        };
        let mut at = pair.value_at;
        loop {
            match scan.token(at)? {
                next if scan.open.is_empty() => return Ok(next),
                next => at = next,
            }
        }
    }
}

/// What the last token in a list or table was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContainerToken {
    Start,
    Comma,
    Key,
    Equals,
    Value,
}

struct ContainerScan<'s, 't> {
    scanner: &'s Scanner<'t>,
    pair: &'s Pair<'t>,
    /// The brackets that are open, with their positions.
    open: Vec<(u8, usize)>,
    before: ContainerToken,
    before_end: usize,
}

impl ContainerScan<'_, '_> {
    /// Reads one token, and returns where the next one may start.
    fn token(&mut self, at: usize) -> Result<usize, TomlProblem> {
        let text = self.scanner.text;
        let Some(&byte) = text.as_bytes().get(at) else {
            return Err(self.unclosed(at));
        };
        match byte {
            b'\n' if self.ends_before(at + 1) => Err(self.unclosed(at + 1)),
            b' ' | b'\t' | b'\r' | b'\n' => Ok(at + 1),
            b'#' => Ok(at + line_at(text, at).len()),
            b'[' | b'{' => {
                self.require_comma(at)?;
                self.open.push((byte, at));
                Ok(self.set(ContainerToken::Start, at + 1))
            }
            b']' | b'}' | b')' => self.close(at, byte),
            b',' | b';' => self.comma(at, byte),
            b'=' | b':' if self.is_table() && self.before == ContainerToken::Key => {
                if byte == b':' {
                    return Err(help::colon_in_table(text, at, self.line_end(at)));
                }
                Ok(self.set(ContainerToken::Equals, at + 1))
            }
            b'"' | b'\'' => {
                self.require_comma(at)?;
                let end = self.scanner.string(at, None)?;
                let is_key = self.is_table() && self.before != ContainerToken::Equals;
                Ok(self.set(
                    if is_key {
                        ContainerToken::Key
                    } else {
                        ContainerToken::Value
                    },
                    end,
                ))
            }
            b'.' if self.before == ContainerToken::Key => Ok(at + 1),
            _ => self.word(at),
        }
    }

    fn set(&mut self, token: ContainerToken, end: usize) -> usize {
        self.before = token;
        self.before_end = end;
        end
    }

    fn is_table(&self) -> bool {
        self.open.last().is_some_and(|(open, _)| *open == b'{')
    }

    fn line_end(&self, at: usize) -> usize {
        at + line_at(self.scanner.text, at).len()
    }

    /// Whether the line at a position no longer belongs to the list or table.
    fn ends_before(&self, at: usize) -> bool {
        let line = line_at(self.scanner.text, at);
        let in_table =
            self.is_table() && matches!(self.before, ContainerToken::Start | ContainerToken::Comma);
        is_header(line) || (is_pair(line) && !in_table)
    }

    fn unclosed(&self, end: usize) -> TomlProblem {
        let (open, at) = self
            .open
            .last()
            .copied()
            .unwrap_or((b'[', self.pair.value_at));
        help::unclosed_bracket(at, open, end)
    }

    fn close(&mut self, at: usize, byte: u8) -> Result<usize, TomlProblem> {
        let (open, opened) = self.open.last().copied().unwrap_or((b'[', at));
        if byte != closer(open) {
            return Err(help::wrong_bracket(at, opened, open, self.line_end(at)));
        }
        self.require_pair(at)?;
        self.open.pop();
        Ok(self.set(ContainerToken::Value, at + 1))
    }

    fn comma(&mut self, at: usize, byte: u8) -> Result<usize, TomlProblem> {
        if byte == b';' {
            return Err(help::semicolon_in_list(at, self.line_end(at)));
        }
        if matches!(self.before, ContainerToken::Start | ContainerToken::Comma) {
            return Err(help::extra_comma(at, self.line_end(at)));
        }
        self.require_pair(at)?;
        Ok(self.set(ContainerToken::Comma, at + 1))
    }

    /// Refuses a word without a value in curly brackets: `{ "a", "b" }`.
    fn require_pair(&self, at: usize) -> Result<(), TomlProblem> {
        let (_, opened) = self.open.last().copied().unwrap_or((b'[', at));
        if !self.is_table() || self.before != ContainerToken::Key {
            return Ok(());
        }
        let text = self.scanner.text;
        let line_end = self.line_end(at);
        let close = text[at..line_end].find('}').map(|found| at + found);
        let items = &text[opened + 1..close.unwrap_or(at)];
        let end = close.map_or(line_end, |close| close + 1);
        Err(help::list_in_braces(opened..end, items, line_end))
    }

    fn require_comma(&self, at: usize) -> Result<(), TomlProblem> {
        if self.before != ContainerToken::Value || self.open.is_empty() {
            return Ok(());
        }
        let text = self.scanner.text;
        let end = self.before_end;
        let start = text[..end].rfind('\n').map_or(0, |found| found + 1);
        let line = &text[start..self.line_end(end)];
        let quotes = line.matches('"').count();
        if quotes % 2 == 1 && text[..end].ends_with('"') {
            return Err(help::odd_quotes(start + blank(line)..self.line_end(end)));
        }
        Err(help::missing_comma(at, self.line_end(at)))
    }

    /// Reads a word without quotes: a key, a number, or text whose quotes are missing.
    fn word(&mut self, at: usize) -> Result<usize, TomlProblem> {
        self.require_comma(at)?;
        let text = self.scanner.text;
        let delimiters = [',', ']', '}', '[', '{', '=', '#', '\n', '"', '\'', ')', ';'];
        let colon = |c: char| c == ':' && self.is_table() && self.before != ContainerToken::Equals;
        let length = text[at..]
            .find(|c: char| delimiters.contains(&c) || colon(c))
            .unwrap_or(text.len() - at);
        let word = text[at..at + length].trim_end();
        let end = at + word.len();
        if self.is_table() && self.before != ContainerToken::Equals {
            return match word.split_once(char::is_whitespace) {
                Some((key, value)) => {
                    let line_end = self.line_end(at);
                    Err(help::no_equals_in_table(at..end, key, value, line_end))
                }
                None => Ok(self.set(ContainerToken::Key, end.max(at + 1))),
            };
        }
        if is_value(word) {
            return Ok(self.set(ContainerToken::Value, end));
        }
        let line_end = self.line_end(at);
        let parts: Vec<&str> = word.split_whitespace().collect();
        let followed = text[at + length..].starts_with('=');
        if parts.len() > 1 && (followed || parts.iter().all(|part| is_value(part))) {
            let second = end - parts[parts.len() - 1].len();
            return Err(help::missing_comma(second, line_end));
        }
        Err(help::unquoted_item(at..end, word, line_end))
    }
}

/// The start of the next header after a position.
pub(super) fn block_end(text: &str, at: usize) -> usize {
    let mut at = next_line(text, at);
    while at < text.len() && !is_header(line_at(text, at)) {
        at = next_line(text, at);
    }
    at
}

pub(super) fn closer(open: u8) -> u8 {
    match open {
        b'[' => b']',
        b'{' => b'}',
        _ => b')',
    }
}

/// The rest of the line at a position, without the line break.
pub(super) fn line_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    line.strip_suffix('\r').unwrap_or(line)
}

/// The start of the line after the one that contains a position.
fn next_line(text: &str, at: usize) -> usize {
    let end = text.as_bytes()[at..].iter().position(|byte| *byte == b'\n');
    end.map_or(text.len(), |end| at + end + 1)
}

/// The number of bytes that spaces take at the start of a text.
pub(super) fn blank(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The text before a comment, without spaces at the end. It has no strings.
pub(super) fn without_comment(text: &str) -> &str {
    text.split('#').next().unwrap_or_default().trim_end()
}

/// The offset of the closing quotes in the text after the opening ones.
fn closing(text: &str, quotes: &str) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        if text.as_bytes()[at] == b'\\' && quotes.starts_with('"') {
            at += 2;
        } else if text.as_bytes()[at..].starts_with(quotes.as_bytes()) {
            return Some(at);
        } else {
            at += 1;
        }
    }
    None
}

fn is_key_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// The length of the words, dots, quoted keys and spaces at the start of a line.
fn key_length(line: &str) -> usize {
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        if is_key_letter(c) || matches!(c, '.' | ' ' | '\t') {
            at += c.len_utf8();
        } else if matches!(c, '"' | '\'')
            && let Some(end) = closing(&line[at + 1..], &line[at..=at])
        {
            at += end + 2;
        } else {
            break;
        }
    }
    at
}

/// Whether a key as written consists of several words.
fn has_space(key: &str) -> bool {
    if key.contains(['"', '\'']) {
        return false;
    }
    key.split('.')
        .any(|part| part.trim().contains(char::is_whitespace))
}

/// Whether a line was written by a version control system between two versions of a file.
fn is_conflict_mark(line: &str) -> bool {
    ["<<<<<<<", "=======", ">>>>>>>"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Whether a line looks like the header of a block.
pub(super) fn is_header(line: &str) -> bool {
    let body = without_comment(line.trim_start());
    let name = body.trim_matches(['[', ']', ' ']);
    let is_name = |c: char| is_key_letter(c) || c == '.';
    body.starts_with('[')
        && body.ends_with(']')
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(is_name)
        && !matches!(name, "true" | "false" | "inf" | "nan")
}

/// Whether a line looks like a key with a value.
fn is_pair(line: &str) -> bool {
    let body = line.trim_start();
    let length = body
        .find(|c: char| !is_key_letter(c) && c != '.')
        .unwrap_or(body.len());
    let rest = body[length..].trim_start();
    length > 0
        && body.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && rest.starts_with('=')
        && !rest.starts_with("==")
        && !rest.starts_with("=>")
}

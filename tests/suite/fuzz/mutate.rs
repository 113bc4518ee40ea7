//! Randomly mutated packs: the same seed always gives the same pack.

use super::pack_bytes::{FILE_SEPARATOR, NAME_SEPARATOR};

/// The files of a pack: names and contents.
pub type Pack = Vec<(String, Vec<u8>)>;

/// The maximum number of files in an input; larger packs are cut down.
const MAX_FILES: usize = 6;

/// Edge cases of numbers.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "99999999999999999999999999999999999999",
    "0x7fffffffffffffff",
    "1e999",
    "4294967296",
    "65536",
];

/// Edge cases of bytes: invalid and incomplete UTF-8, byte order marks, zero-width characters, NUL
/// and other control characters.
const ODD_BYTES: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x92",
    b"\xef\xbb\xbf",
    "\u{200b}".as_bytes(),
    "\u{202e}".as_bytes(),
    "e\u{301}".as_bytes(),
    "\u{10ffff}".as_bytes(),
    "ß".as_bytes(),
    "İ".as_bytes(),
    b"\r",
    b"\x1b[31m",
    b"\x7f",
    "\u{2028}".as_bytes(),
];

/// Tokens of TOML and Rhai.
const TOKENS: &[&str] = &[
    "\"",
    "'",
    "'''",
    "\"\"\"",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "${",
    "`",
    "=",
    ".",
    ",",
    "\n",
    "\r\n",
    "#",
    "//",
    "/*",
    "\\",
    "\\u",
    ":",
    "/",
    "|",
    "?",
    "*",
    "+",
    "-",
    "self_",
    "replaced()",
    "fn f() {",
    "loop {}",
    "let x = ",
    "#{",
    "(",
    ")",
    ";",
    "in = [",
    "extends = ",
    "replaces = ",
    "id = ",
    "on.",
    "{x}",
    "{x:",
    "{?",
    "..=",
];

/// A random number generator with a fixed seed (splitmix64).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, or 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).unwrap();
        usize::try_from(self.next() % limit).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// The input for a seed.
pub fn input(corpus: &[Pack], seed: u64) -> Vec<u8> {
    let rng = &mut Rng::new(seed);
    let mut files = part(&corpus[rng.below(corpus.len())], rng);
    for _ in 0..=rng.below(6) {
        let other = &corpus[rng.below(corpus.len())];
        mutate_file(&mut files, other, rng);
    }
    encode(&files)
}

/// A pack, or its manifest and a few of its files.
fn part(pack: &Pack, rng: &mut Rng) -> Pack {
    let mut files = pack.clone();
    while files.len() > MAX_FILES {
        // The manifest comes first and is kept.
        files.remove(1 + rng.below(files.len() - 1));
    }
    files
}

/// Encodes files as the bytes of an input.
pub fn encode(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let parts = files
        .iter()
        .map(|(name, content)| [name.as_bytes(), &[NAME_SEPARATOR], content].concat());
    parts.collect::<Vec<_>>().join(&FILE_SEPARATOR)
}

/// Applies one mutation to one file.
fn mutate_file(files: &mut Pack, other: &Pack, rng: &mut Rng) {
    let which = rng.below(files.len());
    let from = files[rng.below(files.len())].1.clone();
    let content = &mut files[which].1;
    let at = rng.below(content.len() + 1);
    let end = (at + 1 + rng.below(40)).min(content.len());
    match rng.below(14) {
        0 => {
            if let Some(byte) = content.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        1 => drop(content.drain(at..end)),
        2 => {
            let twice = content[at..end].to_vec();
            drop(content.splice(at..at, twice));
        }
        3 => drop(content.splice(at..at, rng.pick(ODD_BYTES).iter().copied())),
        4 | 5 => drop(content.splice(at..at, rng.pick(TOKENS).bytes())),
        6 => {
            let number = rng.pick(NUMBERS);
            replace_number(content, at, number);
        }
        7 => drop(content.splice(at..at, nested(rng))),
        8 => content.truncate(at),
        9 => splice_lines(content, &from, rng),
        10 => splice_lines(content, &other[rng.below(other.len())].1, rng),
        11 => swap_words(content, rng),
        12 => {
            let lines: Vec<&[u8]> = content.split(|byte| *byte == b'\n').collect();
            let gone = rng.below(lines.len());
            *content = [&lines[..gone], &lines[(gone + 1).min(lines.len())..]]
                .concat()
                .join(&b'\n');
        }
        _ => {
            let name = rng.below(files.len());
            let new = rng.pick(&[
                "pack.toml",
                "a.rhai",
                "tests/a.toml",
                "../a.toml",
                "",
                "ä/b.toml",
            ]);
            files[name].0 = String::from(new);
        }
    }
}

/// Replaces the next number.
fn replace_number(content: &mut Vec<u8>, at: usize, number: &str) {
    let Some(start) = content[at..]
        .iter()
        .position(u8::is_ascii_digit)
        .map(|found| at + found)
    else {
        return;
    };
    let end = content[start..]
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .map_or(content.len(), |found| start + found);
    drop(content.splice(start..end, number.bytes()));
}

/// Nested brackets, some of which are never closed.
fn nested(rng: &mut Rng) -> Vec<u8> {
    let depth = 1 << rng.below(12);
    let (open, close) = *rng.pick(&[
        &("[", "]"),
        &("{a=", "}"),
        &("(", ")"),
        &("{ ", "}"),
        &("#{a:", "}"),
        &("!", ""),
        &("-", ""),
        &("a.", ""),
        &("if true {", "}"),
        &("|x| ", ""),
        &("${`", "`}"),
    ]);
    let before = ["x = ", "", "[", "let x = "][rng.below(4)];
    let close = if rng.below(2) == 0 { close } else { "" };
    format!("\n{before}{}1{}\n", open.repeat(depth), close.repeat(depth)).into_bytes()
}

/// Inserts a few lines of another file between the lines of this one.
fn splice_lines(content: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let lines: Vec<&[u8]> = other.split(|byte| *byte == b'\n').collect();
    let from = rng.below(lines.len());
    let to = (from + 1 + rng.below(12)).min(lines.len());
    let taken = [&lines[from..to].join(&b'\n'), &b"\n"[..]].concat();
    let breaks: Vec<usize> = (0..content.len())
        .filter(|at| content[*at] == b'\n')
        .map(|at| at + 1)
        .collect();
    let at = breaks.get(rng.below(breaks.len())).copied().unwrap_or(0);
    drop(content.splice(at..at, taken));
}

/// Replaces one word of a file by another, so that valid names end up in the wrong places.
fn swap_words(content: &mut Vec<u8>, rng: &mut Rng) {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    let starts: Vec<usize> = (0..content.len())
        .filter(|at| is_letter(&content[*at]) && (*at == 0 || !is_letter(&content[*at - 1])))
        .collect();
    if starts.is_empty() {
        return;
    }
    let word = |at: usize| {
        at..content[at..]
            .iter()
            .position(|byte| !is_letter(byte))
            .map_or(content.len(), |n| at + n)
    };
    let (one, other) = (
        word(starts[rng.below(starts.len())]),
        word(starts[rng.below(starts.len())]),
    );
    let taken = content[other].to_vec();
    drop(content.splice(one, taken));
}

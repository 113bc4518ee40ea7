//! Packs with something done to their bytes: the same seed always gives the same pack.

use super::pack_bytes::{BETWEEN, NAMED};

/// The files of a pack: names and what they hold.
pub type Pack = Vec<(String, Vec<u8>)>;

/// Most files of one input; a large pack is taken in parts.
const MOST_FILES: usize = 6;

/// Numbers that something may not expect.
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

/// Bytes that something may not expect: no UTF-8, half of it, marks, signs without width, NUL and other controls.
const ODD: &[&[u8]] = &[
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

/// Words and signs of the two languages.
const SIGNS: &[&str] = &[
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

/// Chance that depends on nothing but its seed (splitmix64).
pub struct Dice(u64);

impl Dice {
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

    /// A number below another one; 0 below 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).unwrap();
        usize::try_from(self.next() % limit).unwrap()
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// The input of a seed.
pub fn input(corpus: &[Pack], seed: u64) -> Vec<u8> {
    let dice = &mut Dice::new(seed);
    let mut files = part(&corpus[dice.below(corpus.len())], dice);
    for _ in 0..=dice.below(6) {
        let other = &corpus[dice.below(corpus.len())];
        change(&mut files, other, dice);
    }
    joined(&files)
}

/// A pack, or its manifest and a few of its files.
fn part(pack: &Pack, dice: &mut Dice) -> Pack {
    let mut files = pack.clone();
    while files.len() > MOST_FILES {
        // The manifest comes first and stays.
        files.remove(1 + dice.below(files.len() - 1));
    }
    files
}

/// The bytes from which the files are read again.
pub fn joined(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let parts = files
        .iter()
        .map(|(name, held)| [name.as_bytes(), &[NAMED], held].concat());
    parts.collect::<Vec<_>>().join(&BETWEEN)
}

/// Does one thing to one file.
fn change(files: &mut Pack, other: &Pack, dice: &mut Dice) {
    let which = dice.below(files.len());
    let from = files[dice.below(files.len())].1.clone();
    let held = &mut files[which].1;
    let at = dice.below(held.len() + 1);
    let end = (at + 1 + dice.below(40)).min(held.len());
    match dice.below(14) {
        0 => {
            if let Some(byte) = held.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
        1 => drop(held.drain(at..end)),
        2 => {
            let twice = held[at..end].to_vec();
            drop(held.splice(at..at, twice));
        }
        3 => drop(held.splice(at..at, dice.one(ODD).iter().copied())),
        4 | 5 => drop(held.splice(at..at, dice.one(SIGNS).bytes())),
        6 => {
            let number = dice.one(NUMBERS);
            replace_number(held, at, number);
        }
        7 => drop(held.splice(at..at, nested(dice))),
        8 => held.truncate(at),
        9 => splice_lines(held, &from, dice),
        10 => splice_lines(held, &other[dice.below(other.len())].1, dice),
        11 => swap_words(held, dice),
        12 => {
            let lines: Vec<&[u8]> = held.split(|byte| *byte == b'\n').collect();
            let gone = dice.below(lines.len());
            *held = [&lines[..gone], &lines[(gone + 1).min(lines.len())..]]
                .concat()
                .join(&b'\n');
        }
        _ => {
            let name = dice.below(files.len());
            let new = dice.one(&[
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

/// Puts a number in place of the next one.
fn replace_number(held: &mut Vec<u8>, at: usize, number: &str) {
    let Some(start) = held[at..]
        .iter()
        .position(u8::is_ascii_digit)
        .map(|found| at + found)
    else {
        return;
    };
    let end = held[start..]
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .map_or(held.len(), |found| start + found);
    drop(held.splice(start..end, number.bytes()));
}

/// Brackets in brackets, of which some never close.
fn nested(dice: &mut Dice) -> Vec<u8> {
    let depth = 1 << dice.below(12);
    let (open, close) = *dice.one(&[
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
    let before = ["x = ", "", "[", "let x = "][dice.below(4)];
    let close = if dice.below(2) == 0 { close } else { "" };
    format!("\n{before}{}1{}\n", open.repeat(depth), close.repeat(depth)).into_bytes()
}

/// Puts a few lines of another file between the lines of this one.
fn splice_lines(held: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let lines: Vec<&[u8]> = other.split(|byte| *byte == b'\n').collect();
    let from = dice.below(lines.len());
    let to = (from + 1 + dice.below(12)).min(lines.len());
    let taken = [&lines[from..to].join(&b'\n'), &b"\n"[..]].concat();
    let breaks: Vec<usize> = (0..held.len())
        .filter(|at| held[*at] == b'\n')
        .map(|at| at + 1)
        .collect();
    let at = breaks.get(dice.below(breaks.len())).copied().unwrap_or(0);
    drop(held.splice(at..at, taken));
}

/// Puts one word of a file in the place of another: names that mean something, where they mean something else.
fn swap_words(held: &mut Vec<u8>, dice: &mut Dice) {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    let starts: Vec<usize> = (0..held.len())
        .filter(|at| is_letter(&held[*at]) && (*at == 0 || !is_letter(&held[*at - 1])))
        .collect();
    if starts.is_empty() {
        return;
    }
    let word = |at: usize| {
        at..held[at..]
            .iter()
            .position(|byte| !is_letter(byte))
            .map_or(held.len(), |n| at + n)
    };
    let (one, other) = (
        word(starts[dice.below(starts.len())]),
        word(starts[dice.below(starts.len())]),
    );
    let taken = held[other].to_vec();
    drop(held.splice(one, taken));
}

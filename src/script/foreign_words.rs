//! Words and operators of other languages.

/// Words of other languages, and what scripts write instead.
const WORDS: &[(&str, &str)] = &[
    ("and", "&&"),
    ("or", "||"),
    ("not", "!"),
    ("elif", "else if"),
    ("elsif", "else if"),
    ("elseif", "else if"),
    ("function", "fn"),
    ("func", "fn"),
    ("fun", "fn"),
    ("def", "fn"),
    ("foreach", "for"),
    ("for_each", "for"),
    ("var", "let"),
    ("local", "let"),
    ("dim", "let"),
    ("auto", "let"),
    ("int", "let"),
    ("integer", "let"),
    ("number", "let"),
    ("string", "let"),
    ("bool", "let"),
    ("float", "let"),
    ("mod", "%"),
    ("div", "/"),
    ("is", "=="),
    ("equals", "=="),
    ("endif", "}"),
    ("endwhile", "}"),
    ("endfor", "}"),
    ("end", "}"),
    ("begin", "{"),
    ("match", "switch"),
    ("default", "_ =>"),
];

/// Operators of other languages.
pub(super) const OPERATORS: &[(&str, &str)] = &[
    ("===", "=="),
    ("!==", "!="),
    ("<>", "!="),
    ("~=", "!="),
    ("=<", "<="),
    (":=", "="),
    ("->", "."),
    ("≥", ">="),
    ("≤", "<="),
    ("≠", "!="),
    ("×", "*"),
    ("·", "*"),
    ("÷", "/"),
    ("−", "-"),
    ("–", "-"),
    ("—", "-"),
];

/// The keywords of scripts.
pub(super) const KEYWORDS: &[&str] = &[
    "let", "const", "if", "else", "for", "in", "while", "loop", "switch", "fn", "return", "break",
    "continue", "throw", "try", "catch", "true", "false", "do",
];

/// What scripts write instead of a word of another language.
pub(super) fn foreign(word: &str) -> Option<&'static str> {
    let found = WORDS.iter().find(|(own, _)| *own == word);
    found.map(|(_, new)| *new)
}

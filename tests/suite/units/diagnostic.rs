//! Diagnostics: edits, control characters, source locations, diffs, suggestions and rendering.

use kaer::diagnostic::{
    Diagnostic, Edit, EditResult, FileId, Files, RenderStyle, Span, apply_edits, find_misspelling,
    nearest, render, render_short, sanitize, sanitize_same_length, unified_diff,
};
use libtest_mimic::Trial;

use crate::support::trials;

pub fn trials() -> Vec<Trial> {
    trials![
        a_name_is_found_in_its_place,
        the_first_of_two_wins_and_broken_ones_are_left_out,
        strips_escapes_and_keeps_line_breaks,
        a_mask_keeps_the_length,
        columns_count_characters,
        spans_out_of_bounds_are_harmless,
        shows_what_changes_and_what_is_around_it,
        nothing_is_lost_between_texts_that_share_nothing,
        finds_misspellings,
        only_an_unambiguous_misspelling_is_fixed,
        colours_are_optional,
        a_huge_line_is_not_shown,
    ]
}

fn rename(text: &str, old: &str, new: &str) -> Option<String> {
    let mut files = Files::new();
    let file = files.add("a.toml", text);
    let edit = Edit {
        span: Span::new(file, 0, text.len()),
        old: old.into(),
        new: new.into(),
    };
    edit.located(&files)
        .map(|edit| apply_edits(text, vec![edit], |_| true).text)
}

fn a_name_is_found_in_its_place() {
    assert_eq!(rename("rode", "rode", "road").unwrap(), "road");
    assert_eq!(
        rename("\"phase/rode\"", "rode", "road").unwrap(),
        "\"phase/road\""
    );
    assert_eq!(rename("[[rode]]", "rode", "road").unwrap(), "[[road]]");
    assert_eq!(rename("'rode'", "rode", "a road").unwrap(), "'a road'");
    for other in [
        "strode",
        "rode rode",
        "road",
        "",
        "rode-2",
        "…rode…………………………………………………",
    ] {
        assert_eq!(rename(other, "rode", "road"), None, "{other}");
    }
    assert_eq!(rename("rode", "rode", "a road"), None);
    assert_eq!(rename("'rode'", "rode", "it's"), None);
    assert_eq!(rename("it.rode", "rode", "grey-road"), None);
}

fn the_first_of_two_wins_and_broken_ones_are_left_out() {
    let mut files = Files::new();
    let file = files.add("a.toml", "abcdef");
    let edit = |start, end, new: &str| Edit::replace(&files, Span::new(file, start, end), new);
    let insert = Edit::insert(Span::new(file, 6, 6), "!");
    let edits = vec![
        insert.clone(),
        edit(0, 3, "x"),
        edit(2, 4, "y"),
        edit(4, 5, "#"),
        insert,
    ];
    assert_eq!(apply_edits("abcdef", edits.clone(), |_| true).text, "xd#f!");
    let careful = apply_edits("abcdef", edits, |text| !text.contains('#'));
    assert_eq!(
        careful,
        EditResult {
            text: "xdef!".into(),
            applied: 2,
            failed: 1
        }
    );
}

fn strips_escapes_and_keeps_line_breaks() {
    assert_eq!(sanitize("a\u{1b}[31mb\n\tc\u{9b}\u{202e}"), "a[31mb\n\tc");
}

fn a_mask_keeps_the_length() {
    let text = "a\u{1b}\u{9b}\r\nb\u{202e}";
    assert_eq!(sanitize_same_length(text), "a?¿ \nb\u{fffd}");
    assert_eq!(sanitize_same_length(text).len(), text.len());
}

fn columns_count_characters() {
    let mut files = Files::new();
    let id = files.add("a.toml", "one\nzwölf x\n");
    let x = files.text(id).find('x').unwrap();
    assert_eq!(files.line_col(Span::new(id, x, x + 1)), (2, 7));
}

fn spans_out_of_bounds_are_harmless() {
    let mut files = Files::new();
    let id = files.add("a.toml", "ö");
    assert_eq!(files.line_col(Span::new(id, 1, 99)), (1, 1));
    assert_eq!(files.slice(Span::new(id, 1, 99)), "");
    assert_eq!(files.line_col(Span::new(FileId(99), 1, 99)), (1, 1));
}

fn shown(old: &str, new: &str) -> String {
    unified_diff("a.toml", old, new, false)
}

fn shows_what_changes_and_what_is_around_it() {
    let text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let diff = shown(text, &text.replace("5\n", "five\n"));
    assert_eq!(
        diff,
        "--- a.toml\n+++ a.toml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    );
    let diff = shown("a\n\nb\n\nc\n", "a\n\nx\n\nb\n\nc\n");
    assert!(
        diff.contains("@@ -1,5 +1,7 @@\n a\n \n+x\n+\n b\n"),
        "{diff}"
    );
    assert!(
        shown("a", "a\nb")
            .contains("-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n")
    );
    assert!(unified_diff("a", "x\n", "y\n", true).contains("\x1b[32m+y"));
}

fn nothing_is_lost_between_texts_that_share_nothing() {
    let (old, new) = ("x\n".repeat(900), "y\n".repeat(700));
    let diff = shown(&old, &new);
    assert_eq!(
        (diff.matches("\n-x").count(), diff.matches("\n+y").count()),
        (900, 700)
    );
}

fn finds_misspellings() {
    let words = ["level", "life", "title"];
    assert_eq!(nearest("levle", words), Some("level"));
    assert_eq!(nearest("LIFE", words), Some("life"));
    assert_eq!(nearest("titel", words), Some("title"));
    assert_eq!(nearest("damage", words), None);
    assert_eq!(nearest("", words), None);
}

fn only_an_unambiguous_misspelling_is_fixed() {
    let fix = |word: &str, words: &[&str]| {
        find_misspelling(word, words.iter().copied())
            .unwrap()
            .edit(Files::outside())
    };
    assert_eq!(
        fix("cions", &["coins", "hand", "coins"]).unwrap().new,
        "coins"
    );
    assert_eq!(fix("cions", &["lions", "coins"]), None);
    assert_eq!(fix("cions", &["lionz", "coins"]).unwrap().new, "coins");
    assert_eq!(fix("at", &["it"]), None);
    assert_eq!(fix("level-10", &["level-1"]), None);
    assert_eq!(fix("levle-1", &["level-1"]).unwrap().new, "level-1");
}

fn colours_are_optional() {
    let mut files = Files::new();
    let file = files.add("a.toml", "level = two\n");
    let fault = Diagnostic::error(Span::new(file, 8, 11), "wrong-type", "not a number")
        .label("this")
        .build();
    let plain = render(
        &files,
        &fault,
        RenderStyle {
            colour: false,
            width: 80,
        },
    );
    let coloured = render(
        &files,
        &fault,
        RenderStyle {
            colour: true,
            width: 80,
        },
    );
    assert!(
        plain.contains("a.toml:1:9") && plain.contains("wrong-type") && !plain.contains('\u{1b}')
    );
    assert!(coloured.contains('\u{1b}'));
    assert_eq!(
        render_short(&files, &fault),
        "a.toml:1:9: error[wrong-type]: not a number"
    );
}

fn a_huge_line_is_not_shown() {
    let mut files = Files::new();
    let file = files.add("a.toml", "x".repeat(1 << 20));
    let fault = Diagnostic::warning(Span::new(file, 7, 9), "long", "too long")
        .related(Span::new(file, 1, 2), "here")
        .build();
    assert!(render(&files, &fault, RenderStyle::default()).len() < 400);
}

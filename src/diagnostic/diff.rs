//! Unified diffs.

use super::sanitize::sanitize;

/// Lines of context around a change.
const CONTEXT_LINES: usize = 3;
/// The maximum length of a change; beyond it, the search for equal lines gives up.
const MAX_CHANGE_LINES: usize = 400;
/// This many equal lines end a change. So does a single line of at least [`LONG_LINE_BYTES`] bytes, which is
/// unlikely to be equal by chance.
const MIN_EQUAL_LINES: usize = 2;
const LONG_LINE_BYTES: usize = 8;

/// The text or texts that contain a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DiffLine {
    Both,
    Old,
    New,
}

/// The unified diff of two versions of a file; `colour` adds ANSI escapes.
#[must_use]
pub fn unified_diff(name: &str, old: &str, new: &str, colour: bool) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let lines = lines(&old, &new);
    let paint = |code: &str, text: &str| {
        if colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    };
    let name = sanitize(name).replace('\n', " ");
    let mut out = paint("1", &format!("--- {name}\n+++ {name}")) + "\n";
    for (from, to) in hunks(&lines) {
        out += &paint("36", &hunk_header(&lines, from, to));
        out.push('\n');
        for (side, line) in &lines[from..to] {
            let text = sanitize(line.trim_end_matches(['\n', '\r'])).into_owned();
            out += &match side {
                DiffLine::Both => format!(" {text}"),
                DiffLine::Old => paint("31", &format!("-{text}")),
                DiffLine::New => paint("32", &format!("+{text}")),
            };
            out += if line.ends_with('\n') {
                "\n"
            } else {
                "\n\\ No newline at end of file\n"
            };
        }
    }
    out
}

/// The lines of both texts in order.
fn lines<'t>(mut old: &[&'t str], mut new: &[&'t str]) -> Vec<(DiffLine, &'t str)> {
    let mut out = Vec::new();
    while !old.is_empty() || !new.is_empty() {
        let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        out.extend(old[..same].iter().map(|line| (DiffLine::Both, *line)));
        (old, new) = (&old[same..], &new[same..]);
        let (removed, added) = next_equal(old, new);
        out.extend(old[..removed].iter().map(|line| (DiffLine::Old, *line)));
        out.extend(new[..added].iter().map(|line| (DiffLine::New, *line)));
        (old, new) = (&old[removed..], &new[added..]);
    }
    out
}

/// The smallest number of lines to skip in each text until both are equal again.
fn next_equal(old: &[&str], new: &[&str]) -> (usize, usize) {
    let are_equal = |old: &[&str], new: &[&str]| match (old.first(), new.first()) {
        (Some(a), Some(b)) if a == b && (a.len() >= LONG_LINE_BYTES || old.len() == new.len()) => {
            true
        }
        _ => old
            .iter()
            .take(MIN_EQUAL_LINES)
            .eq(new.iter().take(MIN_EQUAL_LINES)),
    };
    for sum in 0..=MAX_CHANGE_LINES.min(old.len() + new.len()) {
        for removed in sum.saturating_sub(new.len())..=sum.min(old.len()) {
            if are_equal(&old[removed..], &new[sum - removed..]) {
                return (removed, sum - removed);
            }
        }
    }
    (old.len(), new.len())
}

/// The ranges of lines to show.
fn hunks(lines: &[(DiffLine, &str)]) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for at in (0..lines.len()).filter(|at| lines[*at].0 != DiffLine::Both) {
        let (from, to) = (
            at.saturating_sub(CONTEXT_LINES),
            (at + CONTEXT_LINES + 1).min(lines.len()),
        );
        match out.last_mut() {
            Some((_, end)) if from <= *end => *end = to,
            _ => out.push((from, to)),
        }
    }
    out
}

/// The heading of a hunk: `@@ -3,7 +3,8 @@`.
fn hunk_header(lines: &[(DiffLine, &str)], from: usize, to: usize) -> String {
    let count = |part: &[(DiffLine, &str)], other: DiffLine| {
        part.iter().filter(|(side, _)| *side != other).count()
    };
    let range = |other: DiffLine| {
        let (before, here) = (count(&lines[..from], other), count(&lines[from..to], other));
        format!("{},{here}", if here == 0 { before } else { before + 1 })
    };
    format!("@@ -{} +{} @@", range(DiffLine::New), range(DiffLine::Old))
}

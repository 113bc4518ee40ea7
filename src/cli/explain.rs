//! `kaer explain`: what a diagnostic code means, with an example and a fix.

use super::Failure;
use super::screen::{self, Tone};
use crate::check::pages;
use crate::diagnostic::nearest;
use crate::migrate;

#[derive(clap::Args, Clone, Debug)]
pub struct ExplainArgs {
    /// A code from `kaer check`; by default, list all codes.
    code: Option<String>,
}

pub fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let Some(code) = &args.code else {
        for (code, meaning) in pages::all() {
            screen::print(&format!("{code:<24} {meaning}"));
        }
        return Ok(());
    };
    let Some(page) = pages::page(code) else {
        let near = nearest(code, pages::all().map(|(code, _)| code));
        let hint = match (migrate::code(code), near) {
            (Some(new), _) => format!(": it is now `{new}`"),
            (None, Some(near)) => format!("; did you mean `{near}`?"),
            (None, None) => String::new(),
        };
        return Err(Failure::error(format!(
            "unknown code `{code}`{hint} (`kaer explain` lists all codes)"
        )));
    };
    show(page);
    Ok(())
}

/// Prints a page without its Markdown: paragraphs are wrapped, code is indented under its file name.
fn show(page: &str) {
    let mut paragraph = String::new();
    let mut in_code = false;
    for line in page.trim_end().lines() {
        if let Some(info) = line.strip_prefix("```") {
            flush(&mut paragraph);
            in_code = !in_code;
            if let Some((_, file)) = info.split_once(' ') {
                screen::print_wrapped(&format!("  {file}"), Tone::Quiet);
            }
        } else if in_code {
            screen::print(format!("    {line}").trim_end());
        } else if line.starts_with('#') {
            flush(&mut paragraph);
            screen::print_wrapped(line.trim_start_matches(['#', ' ']), Tone::Heading);
        } else if line.is_empty() {
            flush(&mut paragraph);
            screen::print("");
        } else {
            if line.starts_with("- ") || line.starts_with("| ") {
                flush(&mut paragraph);
            }
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(&line.trim_start().replace("**", ""));
        }
    }
    flush(&mut paragraph);
}

fn flush(paragraph: &mut String) {
    if !paragraph.is_empty() {
        screen::print_wrapped(paragraph, Tone::Plain);
        paragraph.clear();
    }
}

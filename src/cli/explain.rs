//! `kaer explain`: what a diagnostic code means, with an example and a fix.

use super::{Failure, screen};
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
            screen::say(&format!("{code:<24} {meaning}"));
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
        return Err(Failure::cannot(format!(
            "unknown code `{code}`{hint} (`kaer explain` lists all codes)"
        )));
    };
    screen::say(page.trim_end());
    Ok(())
}

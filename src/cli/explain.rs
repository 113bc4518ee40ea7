//! `kaer explain`: what a code of `kaer check` means, with an example and its mending.

use super::{Failure, screen};
use crate::check::pages;
use crate::diagnostic::nearest;
use crate::migrate;

/// What `kaer explain` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The code, as it stands behind a fault; without one, all of them are listed.
    code: Option<String>,
}

/// Explains.
pub fn run(args: &Args) -> Result<(), Failure> {
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
            "there is no code `{code}`{hint} (`kaer explain` lists them all)"
        )));
    };
    screen::say(page.trim_end());
    Ok(())
}

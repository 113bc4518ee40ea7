//! `kaer outcomes`: everything an entry can do.

use super::start::{self, Trying, Wishes};
use super::{Failure, refuse, screen};
use crate::author::at::At;
use crate::author::outcomes::{self, Limits};
use crate::shelf::{Care, Reuse};

/// What `kaer outcomes` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Entries: by id, `kind/id`, `pack:kind/id` or title.
    #[arg(required = true)]
    entries: Vec<String>,
    /// The mode: `pack:mode`, or `mode` where only one pack has it; without it, one that has the entry.
    #[arg(long)]
    mode: Option<String>,
    #[command(flatten)]
    packs: super::Packs,
    /// A pack to lay over the game, by its id; or what is so at the start: `coins=5`, `hand=card,card`. May be given several
    /// times.
    #[arg(long = "with", value_name = "PACK|COUNTER=N")]
    with: Vec<String>,
    /// An option of the game to switch on; may be given several times.
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// What you are.
    #[arg(long = "as", value_name = "ENTRY")]
    role: Option<String>,
    /// How many questions in a row are gone through.
    #[arg(long, value_name = "N", default_value_t = Limits::default().deep)]
    depth: usize,
    /// How often something is tried out, at most.
    #[arg(long, value_name = "N", default_value_t = Limits::default().runs)]
    most: usize,
    /// Follow fights, too.
    #[arg(long)]
    fights: bool,
    /// How they are shown.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How outcomes are shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Shows them.
pub fn run(args: &Args) -> Result<(), Failure> {
    let shelf = args.packs.shelf()?;
    if !shelf.report.is_sound() {
        return Err(refuse(&shelf, &shelf.report));
    }
    let limits = Limits {
        runs: args.most,
        deep: args.depth,
        fights: args.fights,
    };
    let mut trees = Vec::new();
    for entry in &args.entries {
        let trying = Trying {
            at: Some(entry.clone()),
            role: args.role.clone(),
        };
        let mode = match &args.mode {
            Some(mode) => start::find_mode(&shelf.modes(), mode)?,
            None => start::likely_mode(&shelf, &trying)
                .ok_or_else(|| Failure::cannot("no pack with a mode was found"))?,
        };
        let wishes = Wishes {
            with: args.with.clone(),
            options: args.options.clone(),
            ..Wishes::default()
        };
        let (opened, report) = shelf.open_again(
            &start::choice(&shelf, &wishes, &mode),
            None,
            Reuse::Nothing,
            Care::Names,
        );
        let Some(opened) = opened.filter(|_| report.is_sound()) else {
            return Err(refuse(&shelf, &report));
        };
        let at = At {
            entry: Some(entry.clone()),
            with: wishes.given(),
        };
        trees.push(
            outcomes::of(&shelf, &opened, &at, args.role.as_deref(), limits)
                .map_err(Failure::cannot)?,
        );
    }
    if args.format == Format::Json {
        screen::say(&serde_json::to_string_pretty(&trees).unwrap_or_default());
        return Ok(());
    }
    for (ix, tree) in trees.iter().enumerate() {
        if ix > 0 {
            screen::say("");
        }
        screen::say(tree.words().trim_end());
        let cut = tree.cut();
        if cut > 0 {
            let ends = if cut == 1 {
                "1 end was".to_owned()
            } else {
                format!("{cut} ends were")
            };
            screen::say(&format!(
                "  {ends} not followed; `--depth N`, `--most N` and `--fights` go further."
            ));
        }
    }
    Ok(())
}

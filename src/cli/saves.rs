//! `kaer saves`: lists saved games.

use crate::number::cast;
use std::time::{Duration, SystemTime};

use super::screen::{self, Tone};
use super::{Failure, campaign};
use crate::game::Journal;
use crate::saves::{MAX_FINISHED, Save, Saves};

/// Arguments of `kaer saves`.
#[derive(clap::Args, Clone, Debug)]
pub struct SavesArgs {}

pub fn run(_: &SavesArgs) -> Result<(), Failure> {
    let user = of_user()?;
    let (saves, campaigns) = (user.list(), user.campaigns());
    if !campaigns.is_empty() {
        screen::print("Campaigns; `kaer play --after NAME` plays the next game:");
        for (name, log) in &campaigns {
            screen::print(&campaign::line(name, log));
        }
        screen::print("");
    }
    if saves.is_empty() {
        screen::print("There are no saves. `kaer play` saves every game.");
        return Ok(());
    }
    show(&saves);
    let help = format!(
        "`kaer resume NAME` resumes a game, `kaer replay NAME` shows it. The last {MAX_FINISHED} finished games are kept, and every \
         save you named."
    );
    screen::print_wrapped(&help, Tone::Plain);
    Ok(())
}

pub fn of_user() -> Result<Saves, Failure> {
    Saves::of_user().ok_or_else(|| Failure::error("no folder for saves: set KAER_DATA to one"))
}

/// Shows saves, one per line.
#[allow(clippy::disallowed_methods, reason = "it shows how old each save is")]
pub fn show(saves: &[Save]) {
    let now = SystemTime::now();
    let width = saves
        .iter()
        .map(|save| save.name.chars().count())
        .max()
        .unwrap_or(0);
    for save in saves {
        let text = match &save.journal {
            Ok(journal) => line(
                journal,
                &ago(
                    now.duration_since(save.changed).unwrap_or_default(),
                    save.changed,
                ),
            ),
            Err(reason) => format!("cannot be read: {reason}"),
        };
        let named = if save.named { "; kept" } else { "" };
        screen::print(&format!("  {:<width$}  {text}{named}", save.name));
    }
}

fn line(journal: &Journal, when: &str) -> String {
    let (header, notes) = (&journal.header, journal.notes);
    let title = if header.title.is_empty() {
        &header.mode
    } else {
        &header.title
    };
    let players: Vec<&str> = header
        .players
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let round = if notes.round > 0 {
        format!("round {}, ", notes.round)
    } else {
        String::new()
    };
    let answers = screen::counted(journal.lines.len(), "answer");
    let over = if notes.over { ", finished" } else { "" };
    let hindsight = hindsight(notes.hindsight)
        .map(|undos| format!(", {undos}"))
        .unwrap_or_default();
    format!(
        "{title} ({}): {round}{answers}, {when}{over}{hindsight}",
        players.join(", ")
    )
}

/// `2 undos with hindsight`; `None` if there were none.
pub fn hindsight(undos: u32) -> Option<String> {
    let undos = cast::<_, usize>(undos);
    (undos > 0).then(|| format!("{} with hindsight", screen::counted(undos, "undo")))
}

/// `2 hours ago`, or the date after a week.
fn ago(age: Duration, at: SystemTime) -> String {
    let seconds = age.as_secs();
    let several =
        |count: u64, word: &str| format!("{} ago", screen::counted(cast::<_, usize>(count), word));
    match seconds {
        0..60 => "just now".to_owned(),
        60..3600 => several(seconds / 60, "minute"),
        3600..86_400 => several(seconds / 3600, "hour"),
        86_400..604_800 => several(seconds / 86_400, "day"),
        _ => date(
            at.duration_since(SystemTime::UNIX_EPOCH)
                .unwrap_or_default()
                .as_secs()
                / 86_400,
        ),
    }
}

/// The date of a day, counted from 1970. The Gregorian calendar repeats every 400 years; for this
/// calculation, years start in March.
fn date(day: u64) -> String {
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let (month, day) = (
        if march < 10 { march + 3 } else { march - 9 },
        of_year - (153 * march + 2) / 5 + 1,
    );
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

//! `kaer saves`: every game that was kept.

use crate::number::cast;
use std::time::{Duration, SystemTime};

use super::{Failure, screen};
use crate::game::Journal;
use crate::saves::{MAX_FINISHED, Save, Saves};

/// What `kaer saves` takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {}

/// Lists all saves.
pub fn run(_: &Args) -> Result<(), Failure> {
    let saves = of_user()?.list();
    if saves.is_empty() {
        screen::say("There are no saves: `kaer play` keeps every game.");
        return Ok(());
    }
    show(&saves);
    screen::say(&format!(
        "`kaer resume NAME` goes on with one, `kaer replay NAME` shows it. Of games that are over, {MAX_FINISHED} stay, and all \
         that you named."
    ));
    Ok(())
}

/// The user's saves.
pub fn of_user() -> Result<Saves, Failure> {
    Saves::of_user()
        .ok_or_else(|| Failure::cannot("nobody says where your data is: set KAER_DATA to a folder"))
}

/// Shows saves, one a line.
#[allow(
    clippy::disallowed_methods,
    reason = "it tells how long ago each was written"
)]
pub fn show(saves: &[Save]) {
    let now = SystemTime::now();
    let width = saves
        .iter()
        .map(|save| save.name.chars().count())
        .max()
        .unwrap_or(0);
    for save in saves {
        let told = match &save.journal {
            Ok(journal) => line(
                journal,
                &ago(
                    now.duration_since(save.changed).unwrap_or_default(),
                    save.changed,
                ),
            ),
            Err(why) => format!("cannot be read: {why}"),
        };
        let named = if save.named { ", named by you" } else { "" };
        screen::say(&format!("  {:<width$}  {told}{named}", save.name));
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
    let over = if notes.over { ", over" } else { "" };
    let hindsight = hindsight(notes.hindsight)
        .map(|words| format!(", {words}"))
        .unwrap_or_default();
    format!(
        "{title} ({}): {round}{answers}, {when}{over}{hindsight}",
        players.join(", ")
    )
}

/// How often answers were taken back after something had shown, in words.
pub fn hindsight(times: u32) -> Option<String> {
    match times {
        0 => None,
        1 => Some("once taken back with hindsight".to_owned()),
        times => Some(format!("{times} times taken back with hindsight")),
    }
}

/// How long ago something was; after a week, its date.
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

/// The date of a day since 1970, by the calendar that repeats every 400 years, which begin in March here.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_774), "2026-11-17");
        assert_eq!(
            ago(Duration::from_hours(2), SystemTime::UNIX_EPOCH),
            "2 hours ago"
        );
    }
}

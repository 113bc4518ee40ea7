//! What simulated games came to, as tables of a document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::lab::{Plan, Sum};

/// A part of a whole in hundredths, with one decimal.
pub fn share(part: u64, all: u64) -> String {
    format!(
        "{}.{}",
        part * 100 / all.max(1),
        part * 1000 / all.max(1) % 10
    )
}

/// The whole result.
pub fn markdown(plan: &Plan, sum: &Sum) -> String {
    let mut out = format!(
        "| {} games of {} | |\n| --- | ---: |\n",
        sum.games, plan.choice.mode
    );
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "| {name} | {value} |");
    };
    row("seeds", format!("{} on", plan.seed));
    row(
        &format!("ended within {} turns", plan.turns),
        format!("{} %", share(sum.ended, sum.games)),
    );
    row("faults of scripts", sum.faults.to_string());
    row(
        "decisions a game",
        (sum.decisions / sum.games.max(1)).to_string(),
    );
    let tenths: Vec<String> = [10, 50, 90]
        .iter()
        .map(|part| sum.turns_at(*part).to_string())
        .collect();
    row(
        "turns within which a tenth, half and nine tenths ended",
        tenths.join(", "),
    );
    for (player, wins) in plan.players.iter().zip(&sum.wins) {
        row(
            &format!("wins of {} ({})", player.name, player.who()),
            format!("{} %", share(*wins, sum.ended)),
        );
    }
    for (title, groups) in &sum.statistics {
        let numbers: BTreeMap<&str, u64> = groups
            .iter()
            .map(|(group, number)| (group.as_str(), u64::try_from(*number).unwrap_or(0)))
            .collect();
        out.push('\n');
        out.push_str(&statistic(title, &numbers));
    }
    out.trim_end().to_owned()
}

/// One statistic. Groups such as `level 1: won` become rows and columns.
fn statistic(title: &str, numbers: &BTreeMap<&str, u64>) -> String {
    let parted: Option<Vec<(&str, &str, u64)>> = numbers
        .iter()
        .map(|(group, number)| {
            group
                .split_once(": ")
                .map(|(row, column)| (row, column, *number))
        })
        .collect();
    match parted.filter(|parted| !parted.is_empty()) {
        Some(parted) => crossed(title, &parted),
        None => plain(title, numbers),
    }
}

fn plain(title: &str, numbers: &BTreeMap<&str, u64>) -> String {
    let whole: u64 = numbers.values().sum();
    let mut out = format!("| {title} | | |\n| --- | ---: | ---: |\n");
    for (group, number) in in_order(numbers) {
        let _ = writeln!(out, "| {group} | {number} | {} % |", share(number, whole));
    }
    out
}

fn crossed(title: &str, parted: &[(&str, &str, u64)]) -> String {
    let columns: BTreeSet<&str> = parted.iter().map(|(_, column, _)| *column).collect();
    let rows: BTreeSet<&str> = parted.iter().map(|(row, ..)| *row).collect();
    let mut out = format!("| {title} |");
    for column in &columns {
        let _ = write!(out, " {column} |");
    }
    out.push_str("\n| --- |");
    out.push_str(&" ---: |".repeat(columns.len()));
    for row in rows {
        let own: BTreeMap<&str, u64> = parted
            .iter()
            .filter(|(name, ..)| *name == row)
            .map(|(_, column, number)| (*column, *number))
            .collect();
        let whole: u64 = own.values().sum();
        let _ = write!(out, "\n| {row} |");
        for column in &columns {
            let number = own.get(column).copied().unwrap_or(0);
            let _ = write!(out, " {number} ({} %) |", share(number, whole));
        }
    }
    out.push('\n');
    out
}

/// Numbers by size, words by their letters.
fn in_order<'a>(numbers: &BTreeMap<&'a str, u64>) -> Vec<(&'a str, u64)> {
    let mut rows: Vec<(&str, u64)> = numbers
        .iter()
        .map(|(group, number)| (*group, *number))
        .collect();
    rows.sort_by_key(|(group, _)| group.parse::<u64>().unwrap_or(0));
    rows
}

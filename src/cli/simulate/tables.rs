//! Simulation results as Markdown tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::simulation::{SimulationPlan, SimulationReport};

/// A percentage with one decimal, without the sign.
pub fn share(part: u64, all: u64) -> String {
    format!(
        "{}.{}",
        part * 100 / all.max(1),
        part * 1000 / all.max(1) % 10
    )
}

pub fn markdown(plan: &SimulationPlan, sum: &SimulationReport) -> String {
    let mut out = format!(
        "| {} games of {} | |\n| --- | ---: |\n",
        sum.games, plan.choice.mode
    );
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "| {name} | {value} |");
    };
    row("seeds", format!("from {}", plan.seed));
    row(
        &format!("ended within {} turns", plan.turns),
        format!("{} %", share(sum.ended, sum.games)),
    );
    row("script faults", sum.faults.to_string());
    row(
        "decisions per game",
        (sum.decisions / sum.games.max(1)).to_string(),
    );
    let percentiles: Vec<String> = [10, 50, 90]
        .iter()
        .map(|part| sum.turns_at(*part).to_string())
        .collect();
    row(
        "turns (10th, 50th, 90th percentile)",
        percentiles.join(", "),
    );
    for (player, wins) in plan.players.iter().zip(&sum.wins) {
        row(
            &format!("wins by {} ({})", player.name, player.spec()),
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

/// A table for one statistic. Groups such as `level 1: won` become rows and columns.
fn statistic(title: &str, numbers: &BTreeMap<&str, u64>) -> String {
    let cells: Option<Vec<(&str, &str, u64)>> = numbers
        .iter()
        .map(|(group, number)| {
            group
                .split_once(": ")
                .map(|(row, column)| (row, column, *number))
        })
        .collect();
    match cells.filter(|cells| !cells.is_empty()) {
        Some(cells) => two_way(title, &cells),
        None => one_column(title, numbers),
    }
}

fn one_column(title: &str, numbers: &BTreeMap<&str, u64>) -> String {
    let total: u64 = numbers.values().sum();
    let mut out = format!("| {title} | | |\n| --- | ---: | ---: |\n");
    for (group, number) in in_order(numbers) {
        let _ = writeln!(out, "| {group} | {number} | {} % |", share(number, total));
    }
    out
}

fn two_way(title: &str, cells: &[(&str, &str, u64)]) -> String {
    let columns: BTreeSet<&str> = cells.iter().map(|(_, column, _)| *column).collect();
    let rows: BTreeSet<&str> = cells.iter().map(|(row, ..)| *row).collect();
    let mut out = format!("| {title} |");
    for column in &columns {
        let _ = write!(out, " {column} |");
    }
    out.push_str("\n| --- |");
    out.push_str(&" ---: |".repeat(columns.len()));
    for row in rows {
        let own: BTreeMap<&str, u64> = cells
            .iter()
            .filter(|(name, ..)| *name == row)
            .map(|(_, column, number)| (*column, *number))
            .collect();
        let total: u64 = own.values().sum();
        let _ = write!(out, "\n| {row} |");
        for column in &columns {
            let number = own.get(column).copied().unwrap_or(0);
            let _ = write!(out, " {number} ({} %) |", share(number, total));
        }
    }
    out.push('\n');
    out
}

/// Sorts numeric groups by value; the others stay in alphabetical order.
fn in_order<'a>(numbers: &BTreeMap<&'a str, u64>) -> Vec<(&'a str, u64)> {
    let mut rows: Vec<(&str, u64)> = numbers
        .iter()
        .map(|(group, number)| (*group, *number))
        .collect();
    rows.sort_by_key(|(group, _)| group.parse::<u64>().unwrap_or(0));
    rows
}

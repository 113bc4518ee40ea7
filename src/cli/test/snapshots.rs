//! Compares, accepts and reviews the snapshots of cases.

use std::path::{Path, PathBuf};

use super::TestArgs;
use crate::cases::runner::CaseResult;
use crate::cases::snapshot;
use crate::cli::{Failure, line_reader, screen};
use crate::diagnostic::unified_diff;
use crate::pack::Pack;

/// A snapshot that is new or has changed.
pub struct SnapshotChange {
    case: String,
    path: PathBuf,
    old: Option<String>,
    new: String,
}

impl SnapshotChange {
    fn diff(&self, colour: bool) -> String {
        let end = |text: &str| format!("{}\n", text.trim_end());
        let old = self.old.as_deref().map(end).unwrap_or_default();
        unified_diff(&self.path.to_string_lossy(), &old, &end(&self.new), colour)
    }
}

/// What remains to be done for the snapshot of a case.
pub enum SnapshotStatus {
    /// Nothing more.
    Done,
    /// Review it at the end of the run.
    Waits(SnapshotChange),
}

pub fn path(pack: &Pack, case: &str) -> PathBuf {
    Path::new(&pack.root)
        .join("tests/snapshots")
        .join(snapshot::file_name(case))
}

/// Compares a case's log with its snapshot, or accepts the new one. A case that fails for another
/// reason keeps its old snapshot.
pub fn compare_or_accept(
    pack: &Pack,
    outcome: &mut CaseResult,
    args: &TestArgs,
) -> Result<SnapshotStatus, Failure> {
    let Some(new) = &outcome.snapshot else {
        return Ok(SnapshotStatus::Done);
    };
    let path = path(pack, &outcome.name);
    let old = std::fs::read_to_string(&path)
        .ok()
        .map(|text| snapshot::body(&text).to_owned());
    if old.as_deref() == Some(new.trim_end()) {
        return Ok(SnapshotStatus::Done);
    }
    let case = format!("{} {}", pack.manifest.id, outcome.name);
    let changed = SnapshotChange {
        case,
        path,
        old,
        new: new.clone(),
    };
    let passes = outcome.failures.is_empty();
    if passes && args.accept {
        accept(&changed)?;
        return Ok(SnapshotStatus::Done);
    }
    if passes && args.review {
        return Ok(SnapshotStatus::Waits(changed));
    }
    let hint = if args.accept || args.review {
        "not accepted, because the case also fails for another reason"
    } else {
        "--review shows it and asks, --accept accepts it"
    };
    outcome.failures.push(match &changed.old {
        Some(_) => format!(
            "the snapshot has changed ({hint}):\n{}",
            changed.diff(false)
        ),
        None => format!(
            "there is no snapshot yet ({hint}): {}",
            changed.path.display()
        ),
    });
    Ok(SnapshotStatus::Done)
}

fn accept(changed: &SnapshotChange) -> Result<(), Failure> {
    snapshot::write(&changed.path, &changed.new).map_err(Failure::error)?;
    screen::print(&format!("wrote   {}", changed.path.display()));
    Ok(())
}

/// Shows snapshots one by one and writes those that are accepted. Returns the numbers of accepted
/// and of rejected snapshots.
pub fn review(list: &[SnapshotChange]) -> Result<(usize, usize), Failure> {
    let mut accepted = 0;
    for (number, changed) in (1..).zip(list) {
        let what = if changed.old.is_some() {
            "has changed"
        } else {
            "is new"
        };
        screen::print(&format!(
            "\n{number} of {}: the snapshot of {} {what}",
            list.len(),
            changed.case
        ));
        screen::print_raw(changed.diff(screen::has_colours()).trim_end());
        match ask() {
            Some(true) => {
                accept(changed)?;
                accepted += 1;
            }
            Some(false) => {}
            None => break,
        }
    }
    if !list.is_empty() {
        screen::print(&format!(
            "\n{accepted} accepted, {} not",
            list.len() - accepted
        ));
    }
    Ok((accepted, list.len() - accepted))
}

/// Whether to accept a snapshot; `None` to stop the review.
fn ask() -> Option<bool> {
    loop {
        screen::print("Accept, skip or quit? [a/s/q]");
        match line_reader::ask()?.to_lowercase().as_str() {
            "a" | "accept" | "y" | "yes" => return Some(true),
            "s" | "skip" | "n" | "no" => return Some(false),
            "q" | "quit" => return None,
            other => screen::print(&format!("No option matches `{other}`.")),
        }
    }
}

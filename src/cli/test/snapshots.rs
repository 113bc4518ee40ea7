//! Snapshots of cases: compared, written, or shown one by one to somebody who decides.

use std::path::{Path, PathBuf};

use super::Args;
use crate::author::snapshot;
use crate::author::test::Outcome;
use crate::cli::{Failure, line, screen};
use crate::diagnostic::unified;
use crate::pack::Pack;

/// A snapshot that is new or differs.
pub struct Changed {
    /// Whose it is.
    case: String,
    path: PathBuf,
    before: Option<String>,
    now: String,
}

impl Changed {
    /// What changes, as a diff.
    fn diff(&self, colour: bool) -> String {
        let end = |text: &str| format!("{}\n", text.trim_end());
        let before = self.before.as_deref().map(end).unwrap_or_default();
        unified(
            &self.path.to_string_lossy(),
            &before,
            &end(&self.now),
            colour,
        )
    }
}

/// What became of a case's snapshot.
pub enum Settled {
    /// All is said of it.
    Done,
    /// Somebody shall look at it.
    Waits(Changed),
}

/// Where the snapshot of a case lies.
pub fn path(pack: &Pack, case: &str) -> PathBuf {
    Path::new(&pack.root)
        .join("tests/snapshots")
        .join(snapshot::file_name(case))
}

/// Compares a case's log with its snapshot, or writes it. A case that fails otherwise keeps its old one.
pub fn settle(pack: &Pack, outcome: &mut Outcome, args: &Args) -> Result<Settled, Failure> {
    let Some(now) = &outcome.snapshot else {
        return Ok(Settled::Done);
    };
    let path = path(pack, &outcome.name);
    let before = std::fs::read_to_string(&path)
        .ok()
        .map(|text| snapshot::body(&text).to_owned());
    if before.as_deref() == Some(now.trim_end()) {
        return Ok(Settled::Done);
    }
    let case = format!("{} {}", pack.manifest.id, outcome.name);
    let changed = Changed {
        case,
        path,
        before,
        now: now.clone(),
    };
    let sound = outcome.failures.is_empty();
    if sound && args.accept {
        keep(&changed)?;
        return Ok(Settled::Done);
    }
    if sound && args.review {
        return Ok(Settled::Waits(changed));
    }
    let hint = if args.accept || args.review {
        "it is not accepted while the case fails otherwise"
    } else {
        "--review shows it and asks, --accept keeps the new one"
    };
    outcome.failures.push(match &changed.before {
        Some(_) => format!("the snapshot differs ({hint}):\n{}", changed.diff(false)),
        None => format!(
            "there is no snapshot yet ({hint}): {}",
            changed.path.display()
        ),
    });
    Ok(Settled::Done)
}

fn keep(changed: &Changed) -> Result<(), Failure> {
    snapshot::write(&changed.path, &changed.now).map_err(Failure::cannot)?;
    screen::say(&format!("wrote   {}", changed.path.display()));
    Ok(())
}

/// Shows the snapshots one by one and writes those that are accepted; gives how many were, and how many were not.
pub fn review(list: &[Changed]) -> Result<(usize, usize), Failure> {
    let mut accepted = 0;
    for (number, changed) in (1..).zip(list) {
        let what = if changed.before.is_some() {
            "differs"
        } else {
            "is new"
        };
        screen::say(&format!(
            "\n{number} of {}: {}: its snapshot {what}",
            list.len(),
            changed.case
        ));
        screen::raw(changed.diff(screen::colours()).trim_end());
        match ask() {
            Some(true) => {
                keep(changed)?;
                accepted += 1;
            }
            Some(false) => {}
            None => break,
        }
    }
    if !list.is_empty() {
        screen::say(&format!(
            "\n{accepted} accepted, {} not",
            list.len() - accepted
        ));
    }
    Ok((accepted, list.len() - accepted))
}

/// Whether a snapshot is accepted; `None` when nobody wants to see more.
fn ask() -> Option<bool> {
    loop {
        screen::say("Accept, skip or quit? [a/s/q]");
        match line::ask()?.to_lowercase().as_str() {
            "a" | "accept" | "y" | "yes" => return Some(true),
            "s" | "skip" | "n" | "no" => return Some(false),
            "q" | "quit" => return None,
            other => screen::say(&format!("`{other}` is none of them.")),
        }
    }
}

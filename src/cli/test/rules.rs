//! Reports which rules of a pack are covered by test cases.

use std::collections::BTreeMap;

use crate::cases::runner::CaseResult;
use crate::cli::screen;
use crate::pack::Pack;

/// The cases that name a rule, by pack and rule, and whether each passed.
#[derive(Default)]
pub struct RuleCoverage(BTreeMap<(String, String), Vec<(String, bool)>>);

impl RuleCoverage {
    pub fn add(&mut self, pack: &Pack, outcome: &CaseResult) {
        for rule in &outcome.rules {
            let cases = self
                .0
                .entry((pack.manifest.id.clone(), rule.clone()))
                .or_default();
            cases.push((outcome.name.clone(), outcome.failures.is_empty()));
        }
    }

    /// Prints the rules of a pack (its entries with a `section`), each with the cases that cover
    /// it.
    pub fn print(&self, pack: &Pack) {
        let (mut all, mut uncovered) = (0, 0);
        let mut section = "";
        for entry in pack
            .entries()
            .filter(|entry| entry.text("section").is_some())
        {
            let own = entry.text("section").unwrap_or_default();
            if own != section {
                screen::print(&format!("\n{own}"));
                section = own;
            }
            let cases = self.0.get(&(pack.manifest.id.clone(), entry.id.clone()));
            all += 1;
            uncovered += usize::from(cases.is_none());
            let state = match cases {
                None => "NO CASE".to_owned(),
                Some(cases) if cases.iter().all(|(_, passed)| *passed) => {
                    format!("{} pass", cases.len())
                }
                Some(_) => "FAILING".to_owned(),
            };
            screen::print(&format!(
                "  {:<12}{state:<10}{}",
                entry.id,
                entry.text("text").unwrap_or_default()
            ));
            for (name, passed) in cases.into_iter().flatten() {
                screen::print(&format!(
                    "  {:<12}{:<10}· {name}",
                    "",
                    if *passed { "" } else { "failed" }
                ));
            }
        }
        if all > 0 {
            screen::print(&format!(
                "\n{}: {all} rules, {} covered by cases, {uncovered} not covered",
                pack.manifest.id,
                all - uncovered
            ));
        }
    }
}

//! Dynamic checks: plays random games for a while, and runs every script in snapshots recorded from
//! them.
//!
//! A script that no game reached runs in snapshots of similar scripts, with a card of the same kind
//! as a stand-in. The check reports scripts that fail or never end, violated invariants, and texts
//! whose promises no script keeps, each with the smallest game that shows the problem.

mod minimize;
mod never_available;
mod promises;
mod snapshots;
mod staging;
mod unfilled;
mod unheard;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::CheckSubject;
use super::promise::{self, PromiseMeaning, PromisedChange, Resource};
use crate::agents::RandomPlayer;
use crate::content::{Content, HookDef, HookId, HookRole};
use crate::diagnostic::{Confidence, Diagnostic, Files, Report, Span};
use crate::game::{Fault, Rules, State};
use crate::pack::{CheckedText, Entry, FieldValue, Promise};
use crate::script::outline_hook;
use snapshots::{GameProblem, GameReport, PlayedGame, RecordedSnapshot, ShortDraw, Snapshots};
use staging::StagedHook;
use unheard::UnheardHooks;

/// The maximum number of runs in one snapshot, each with different random results.
const MAX_ROUNDS: usize = 6;

/// A script with this many faults does not run again.
const MAX_FAULTS: usize = 8;
/// The number of runs of each script before a promise counts as broken.
const MIN_RUNS: u32 = 3;

/// How many games to play and how many snapshots to use.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Maximum number of answers in each game.
    pub answers: usize,
    /// Number of games for each number of seats.
    pub games: u64,
    /// Maximum number of snapshots for each script.
    pub snapshots: usize,
    /// Run only the scripts of this entry, given by id or full name.
    pub only: Option<String>,
}

impl Effort {
    /// The default effort, with a number of games and an optional entry.
    #[must_use]
    pub fn new(games: u64, only: Option<String>) -> Effort {
        Effort {
            games,
            only,
            ..Effort::default()
        }
    }
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            answers: 400,
            games: 2,
            snapshots: 160,
            only: None,
        }
    }
}

/// A promise of a text, and whether any run has kept it.
struct TrackedPromise<'e> {
    entry: &'e Entry,
    at: &'e CheckedText,
    promise: Promise,
    meaning: PromiseMeaning,
    /// The scripts next to the text, and how often each ran.
    hooks: Vec<(HookId, u32)>,
    fulfilled: bool,
}

impl TrackedPromise<'_> {
    /// Records a run of one of the scripts next to the text.
    fn record_run(&mut self, hook: HookId, fulfilled: bool) {
        let own = self.hooks.iter_mut().filter(|(own, _)| *own == hook);
        own.for_each(|(_, runs)| *runs += 1);
        self.fulfilled |= fulfilled;
    }

    /// The number of runs that did not keep the promise. `None` until each script next to the text
    /// has run often enough, because any of them might keep it.
    fn broken(&self) -> Option<u32> {
        let enough = !self.fulfilled && self.hooks.iter().all(|(_, ran)| *ran >= MIN_RUNS);
        enough.then(|| self.hooks.iter().map(|(_, ran)| *ran).sum())
    }
}

/// Runs every script that can run, and reports what went wrong. Returns the number of script runs.
pub(super) fn check(subject: &CheckSubject, effort: &Effort, report: &mut Report) -> usize {
    let mut runs = 0;
    let (mut seen, mut reported_short) = (BTreeSet::new(), BTreeSet::new());
    let mut done: BTreeSet<Span> = BTreeSet::new();
    let mut unheard = UnheardHooks::default();
    for (choice, opened) in subject.opened {
        let rules = &opened.rules;
        let snapshots = Rc::new(RefCell::new(Snapshots::default()));
        let mut problems = Vec::new();
        for game in games(&rules.content, &choice.mode, effort) {
            problems.extend(snapshots::play(rules, &game, effort.answers, &snapshots));
        }
        for game in setup_games(&rules.content, &choice.mode) {
            let (faults, short) = snapshots::set_up(rules, &game);
            problems.extend(faults);
            short.iter().for_each(|short| {
                report_short_draw(
                    subject,
                    &rules.content,
                    &game,
                    short,
                    &mut reported_short,
                    report,
                );
            });
        }
        let snapshots = snapshots.borrow();
        unheard.note(subject, &rules.content, &snapshots.sightings, |hook| {
            snapshots.runs.contains_key(&hook)
        });
        let mut reported = BTreeSet::new();
        let mut running = DynamicChecker {
            subject,
            rules,
            snapshots: &snapshots,
            effort,
            tracked: tracked(subject, &rules.content),
            runs: 0,
        };
        for hook in (0..rules.content.hooks.len()).map(HookId::at) {
            let def = &rules.content.hooks[hook.ix()];
            let span = def.script.span;
            let is_selected = |name: &String| {
                rules.content.find(name) == Some(def.entry)
                    || *rules.content.entry(def.entry).id == **name
            };
            if effort.only.as_ref().is_none_or(is_selected)
                && is_in_use(&rules.content, hook)
                && subject.owns(span)
                && !done.contains(&span)
                && running.run_hook(hook, &mut reported, report)
            {
                done.insert(span);
            }
        }
        running.report_broken_promises(report);
        // A script that fails on its own makes a better report than a whole game, so report these
        // first.
        for problem in problems.iter().filter(|_| effort.only.is_none()) {
            report_problem(subject, &rules.content, problem, &mut reported, report);
        }
        runs += running.runs;
        seen.extend(
            snapshots
                .runs
                .keys()
                .map(|hook| rules.content.hooks[hook.ix()].script.span),
        );
    }
    never_available::check(subject, &seen, report);
    if effort.only.is_none() {
        unheard.report(report);
    }
    runs
}

/// Whether a script can run: a replaced script runs only if its replacement calls it.
fn is_in_use(content: &Content, hook: HookId) -> bool {
    let calls = |by: &Arc<HookDef>| {
        by.base != Some(hook) || outline_hook(&by.script.text).calls("replaced")
    };
    content.hooks.iter().all(calls)
}

/// The games to play: with the minimum number of seats, with two, and with the maximum, capped at four.
fn games(content: &Content, mode: &str, effort: &Effort) -> Vec<Rc<PlayedGame>> {
    let Some(def) = &content.mode else {
        return Vec::new();
    };
    let (min, max) = (usize::from(def.seats_min), usize::from(def.seats_max));
    let mut counts = vec![min, 2.clamp(min, max), max.min(4)];
    counts.retain(|count| (min..=max).contains(count));
    counts.sort_unstable();
    counts.dedup();
    let game = |seats, seed| {
        Rc::new(PlayedGame {
            mode: mode.to_owned(),
            seats,
            seed,
        })
    };
    (1..=effort.games)
        .flat_map(|seed| counts.iter().map(move |seats| game(*seats, seed)))
        .collect()
}

/// One game for each number of seats, to check that it can be set up.
fn setup_games(content: &Content, mode: &str) -> Vec<Rc<PlayedGame>> {
    let seats = content
        .mode
        .iter()
        .flat_map(|def| usize::from(def.seats_min)..=usize::from(def.seats_max));
    seats
        .map(|seats| {
            Rc::new(PlayedGame {
                mode: mode.to_owned(),
                seats,
                seed: 1,
            })
        })
        .collect()
}

/// Reports a draw during setup that drew fewer pieces than requested.
fn report_short_draw(
    subject: &CheckSubject,
    content: &Content,
    game: &PlayedGame,
    short: &ShortDraw,
    reported: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let script = short.hook.map(|hook| content.hooks[hook.ix()].script.span);
    let Some(span) = script.filter(|span| subject.owns(*span) && reported.insert(*span)) else {
        return;
    };
    let message = format!("setup draws {} but gets only {}", short.wanted, short.got);
    Diagnostic::warning(span, "deck-too-small", message)
        .label("drawn here")
        .help(format!(
            "this happens with {} seats; add pieces to the zone it draws from, or draw fewer",
            game.seats
        ))
        .confidence(Confidence::Likely)
        .push(report);
}

/// The promises of all texts that can be interpreted in this content.
fn tracked<'e>(subject: &'e CheckSubject, content: &Content) -> Vec<TrackedPromise<'e>> {
    let mut list = Vec::new();
    let nouns = promise::NounTable::new(content);
    for entry in subject.entries() {
        let Some(id) = content
            .find(&entry.full_name())
            .filter(|_| !entry.texts.is_empty())
        else {
            continue;
        };
        let own = |hook: &HookId| {
            content.hooks[hook.ix()].entry == id && content.hooks[hook.ix()].role != HookRole::Can
        };
        let hooks: Vec<HookId> = (0..content.hooks.len())
            .map(HookId::at)
            .filter(own)
            .collect();
        for at in &entry.texts {
            let prefix = at
                .path
                .rsplit_once('.')
                .map_or(String::new(), |(table, _)| format!("{table}."));
            let has_prefix = |hook: &&HookId| content.hooks[hook.ix()].name.starts_with(&prefix);
            let mut near: Vec<HookId> = hooks.iter().filter(has_prefix).copied().collect();
            if near.is_empty() || prefix.starts_with("face.") {
                near.clone_from(&hooks);
            }
            for promise in promise::promises(entry, at)
                .into_iter()
                .filter(|promise| promise.words.len() > 1)
            {
                if let Ok(meaning) = promise::meaning(content, &nouns, entry, &promise) {
                    let fulfilled = is_cost(content, entry, &prefix, &meaning)
                        || is_deferred(content, &near, &meaning);
                    let hooks = near.iter().map(|hook| (*hook, 0)).collect();
                    list.push(TrackedPromise {
                        entry,
                        at,
                        promise,
                        meaning,
                        hooks,
                        fulfilled,
                    });
                }
            }
        }
    }
    list
}

/// Whether a promise is about the cost, which is paid before any script runs.
fn is_cost(content: &Content, entry: &Entry, prefix: &str, meaning: &PromiseMeaning) -> bool {
    let Some(FieldValue::List(prices)) = entry.get_path(&format!("{prefix}cost")) else {
        return false;
    };
    let names = |thing: &Resource| match thing {
        Resource::Counter(counter) => {
            Some(&*content.entry(content.counters[counter.ix()].entry).id)
        }
        Resource::Zone(zone) => Some(&*content.entry(content.zones[zone.ix()].entry).id),
        _ => None,
    };
    let paid = |price: &FieldValue| {
        let amount = |thing: &Resource| {
            names(thing)
                .and_then(|name| price.get(name))
                .and_then(FieldValue::as_int)
        };
        meaning
            .resources
            .iter()
            .any(|thing| amount(thing) == Some(meaning.amount))
            || meaning.resources.contains(&Resource::Pieces)
                && price.as_table().is_some_and(|rows| {
                    rows.iter()
                        .any(|(_, paid)| paid.as_int() == Some(meaning.amount))
                })
    };
    meaning.change == PromisedChange::Loss && prices.iter().any(paid)
}

/// Whether a script that has the number starts something that may keep the promise later, or
/// changes a pending event.
fn is_deferred(content: &Content, hooks: &[HookId], meaning: &PromiseMeaning) -> bool {
    const LATER: &[&str] = &["effect", "later", "start_fight", "run_sequence"];
    hooks.iter().any(|hook| {
        let outline = outline_hook(&content.hooks[hook.ix()].script.text);
        let changes_event = outline.has_name("event") && outline.has_name("amount");
        let is_later = changes_event || LATER.iter().any(|name| outline.calls(name));
        let amount = meaning.amount.unsigned_abs();
        is_later && (outline.numbers.contains(&amount) || outline.has_name("entry"))
    })
}

/// A run that failed, with everything needed to repeat it.
struct FailedRun<'s> {
    recorded: &'s RecordedSnapshot,
    staged: &'s StagedHook,
    seed_offset: u64,
    seed: u64,
    fault: Box<Fault>,
}

struct DynamicChecker<'s, 'e> {
    subject: &'s CheckSubject<'s>,
    rules: &'s Rc<Rules>,
    snapshots: &'s Snapshots,
    effort: &'s Effort,
    tracked: Vec<TrackedPromise<'e>>,
    runs: usize,
}

impl DynamicChecker<'_, '_> {
    /// Runs a script in all suitable snapshots; returns whether it ran at all.
    fn run_hook(
        &mut self,
        hook: HookId,
        reported: &mut BTreeSet<Span>,
        report: &mut Report,
    ) -> bool {
        let content = self.rules.content.clone();
        let promised: Vec<usize> = (0..self.tracked.len())
            .filter(|ix| self.tracked[*ix].hooks.iter().any(|(own, _)| *own == hook))
            .collect();
        let role = content.hooks[hook.ix()].role;
        let list = staging::snapshots_for(&content, self.snapshots, hook, self.effort.snapshots);
        // If there are few snapshots, run them again with different random results and answers.
        let rounds = if role.read_only() {
            1
        } else {
            self.effort
                .snapshots
                .div_ceil(list.len().max(1))
                .min(MAX_ROUNDS)
        };
        let mut failed: Option<FailedRun> = None;
        let (mut ran, mut faults) = (false, 0);
        for (round, (at, staged)) in
            (0..rounds).flat_map(|round| list.iter().map(move |item| (round, item)))
        {
            let recorded: &RecordedSnapshot = &self.snapshots.all[*at];
            let seed_offset = crate::number::cast::<_, u64>(round);
            let seed = crate::number::cast::<_, u64>(*at) ^ seed_offset << 32;
            let agent = Box::new(RandomPlayer::new(seed));
            let prepare = |state: &mut State| {
                staged.apply(state);
                state.seed = state.seed.wrapping_add(seed_offset);
            };
            // In the snapshot of another script, the menu or offer must first allow this one.
            let must_be_offered = !staged.own && matches!(role, HookRole::Offer(_) | HookRole::Do);
            let outcome =
                recorded
                    .snapshot
                    .run(self.rules, &staged.call, &prepare, agent, !must_be_offered);
            self.runs += 1;
            ran |= outcome.ran;
            for ix in &promised {
                let tracked = &mut self.tracked[*ix];
                if outcome.ran {
                    let (snapshot, meaning) = (&recorded.snapshot, &tracked.meaning);
                    let fulfilled =
                        promises::is_fulfilled(&content, snapshot, &outcome, hook, meaning);
                    tracked.record_run(hook, fulfilled);
                }
            }
            let Some(fault) = outcome.fault else { continue };
            faults += 1;
            let endless = fault.message == crate::game::context::work_limit_message();
            let size = |recorded: &RecordedSnapshot| (recorded.answers, recorded.game.seats);
            if failed
                .as_ref()
                .is_none_or(|smallest| size(recorded) < size(smallest.recorded))
            {
                failed = Some(FailedRun {
                    recorded,
                    staged,
                    seed_offset,
                    seed,
                    fault,
                });
            }
            // Further faults add no information, and endless loops are slow.
            if endless || faults >= MAX_FAULTS {
                break;
            }
        }
        if let Some(FailedRun {
            recorded,
            staged,
            seed_offset,
            seed,
            fault,
        }) = failed
        {
            let confidence = if staged.own {
                Confidence::Sure
            } else {
                Confidence::Likely
            };
            let needs = minimize::smallest(self.rules, recorded, staged, seed_offset, seed);
            let entry = &content.entry(content.hooks[hook.ix()].entry).name;
            let script = content.hooks[hook.ix()].script.span;
            let pack = self
                .subject
                .pack_of(script)
                .map_or("", |pack| pack.root.as_str());
            let again = format!("`kaer check {pack} --entry {entry}` runs only this entry");
            let how = format!("happens in {}{needs}; {again}", describe_snapshot(recorded));
            push_fault(
                self.subject,
                &content,
                Some(hook),
                &fault,
                confidence,
                &how,
                reported,
                report,
            );
        }
        ran
    }

    fn report_broken_promises(&self, report: &mut Report) {
        for (tracked, runs) in self
            .tracked
            .iter()
            .filter_map(|tracked| Some((tracked, tracked.broken()?)))
        {
            let words = tracked.promise.words.join(" ");
            let message = format!("“{words}” never happened in {runs} runs");
            let scripts: Vec<Span> = tracked
                .hooks
                .iter()
                .map(|(hook, _)| self.rules.content.hooks[hook.ix()].script.span)
                .collect();
            let mut diagnostic = Diagnostic::warning(promise_span(self.subject, tracked), "broken-promise", message)
                .label("the text promises this")
                .help(format!(
                    "make the text and the script of `{}` agree; the script must make exactly this change, immediately",
                    tracked.entry.id
                ))
                .confidence(Confidence::Likely);
            if let [script] = scripts[..] {
                diagnostic = diagnostic.related(script, "the script");
            }
            diagnostic.push(report);
        }
    }
}

fn promise_span(subject: &CheckSubject, tracked: &TrackedPromise) -> Span {
    let text = promise::text(tracked.entry, tracked.at);
    tracked
        .at
        .part(&subject.library.set.files, text, &tracked.promise.at)
}

/// Describes the origin of a snapshot, so that a reader can reproduce it.
fn describe_snapshot(recorded: &RecordedSnapshot) -> String {
    format!(
        "{}, after {}",
        describe_game(&recorded.game),
        answers(recorded.answers)
    )
}

fn answers(count: usize) -> String {
    format!("{count} answer{}", if count == 1 { "" } else { "s" })
}

fn describe_game(game: &PlayedGame) -> String {
    format!(
        "a random game of `{}` with {} and seed {}",
        game.mode,
        if game.seats == 1 {
            "1 player".to_owned()
        } else {
            format!("{} players", game.seats)
        },
        game.seed
    )
}

/// Reports a problem of a whole game.
fn report_problem(
    subject: &CheckSubject,
    content: &Content,
    problem: &GameReport,
    reported: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let how = format!(
        "happens in {}, after {}; the same seed reproduces it",
        describe_game(&problem.game),
        answers(problem.answers)
    );
    let mode = content
        .mode
        .as_ref()
        .map(|mode| content.entry(mode.entry).span);
    match &problem.what {
        // A fault outside scripts means that the game cannot continue.
        GameProblem::Fault(fault) if fault.hook.is_none() => {
            report_stuck(subject, mode, &fault.message, reported, report);
        }
        GameProblem::Fault(fault) => {
            push_fault(
                subject,
                content,
                fault.hook,
                fault,
                Confidence::Sure,
                &how,
                reported,
                report,
            );
        }
        GameProblem::Invariant(broken) => {
            let own = broken.entry.map(|entry| content.entry(entry).span).or(mode);
            let span = own
                .filter(|span| subject.owns(*span))
                .unwrap_or_else(Files::outside);
            if reported.insert(span) {
                Diagnostic::error(
                    span,
                    "broken-invariant",
                    format!("invariant broken: {}", broken.text),
                )
                .label("must hold at every decision")
                .help(how)
                .push(report);
            }
        }
        GameProblem::Unfilled(place) => {
            unfilled::report(subject, content, place, reported, report);
        }
        GameProblem::Start(why) => report_stuck(subject, mode, why, reported, report),
    }
}

fn report_stuck(
    subject: &CheckSubject,
    mode: Option<Span>,
    why: &str,
    reported: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let span = mode
        .filter(|span| subject.owns(*span))
        .unwrap_or_else(Files::outside);
    if reported.insert(span) {
        let own = subject.entries().find(|entry| entry.span == span);
        let turn = own
            .and_then(|entry| entry.field("turn"))
            .map(|turn| turn.span);
        let mut diagnostic = Diagnostic::warning(
            span,
            "cannot-start",
            format!("this mode cannot start or continue: {why}"),
        )
        .label("this mode");
        if let Some(turn) = turn {
            diagnostic = diagnostic.related(turn, "its turn");
        }
        diagnostic
            .help("add an action whose `window` is a phase of this turn, and give that phase a menu; or ask a player in a script")
            .push(report);
    }
}

#[allow(clippy::too_many_arguments, reason = "all of it is in the report")]
fn push_fault(
    subject: &CheckSubject,
    content: &Content,
    hook: Option<HookId>,
    fault: &Fault,
    confidence: Confidence,
    how: &str,
    reported: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let inner = fault.hook.or(hook);
    let script = inner.map(|hook| &content.hooks[hook.ix()].script);
    let span = fault_span(subject, script, fault);
    let outer = hook.map(|hook| content.hooks[hook.ix()].script.span);
    if !reported.insert(span) {
        return;
    }
    let mut builder = Diagnostic::error(
        span,
        "runtime-fault",
        format!("this script fails: {}", fault.message),
    )
    .label("fails here")
    .help(how)
    .confidence(confidence);
    for also in [script.map(|script| script.span), outer]
        .into_iter()
        .flatten()
    {
        if also != span
            && !(also.file == span.file && also.start <= span.start && span.end <= also.end)
        {
            builder = builder.related(also, "called from this script");
        }
    }
    builder.push(report);
}

/// The source location of a fault.
fn fault_span(
    subject: &CheckSubject,
    script: Option<&crate::pack::ScriptSource>,
    fault: &Fault,
) -> Span {
    let files = &subject.library.set.files;
    let (text, start, file) = match (
        fault.at.as_ref().and_then(|at| at.source.as_deref()),
        script,
    ) {
        (Some(source), _) if files.find(source).is_some() => match files.find(source) {
            Some(file) => (files.text(file), 0, file),
            None => return Files::outside(),
        },
        (_, Some(script)) if script.exact => (
            script.text.as_str(),
            script.span.start as usize,
            script.span.file,
        ),
        (_, Some(script)) => return script.span,
        (_, None) => return Files::outside(),
    };
    let Some(at) = &fault.at else {
        return script.map_or_else(Files::outside, |script| script.span);
    };
    let line: usize = text
        .split_inclusive('\n')
        .take(at.line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = text.get(line..).unwrap_or_default();
    let column = rest
        .char_indices()
        .nth(at.column.saturating_sub(1))
        .map_or(0, |(at, _)| at);
    let from = start + line + column;
    Span::new(file, from, (from + 1).min(files.text(file).len()))
}

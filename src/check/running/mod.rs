//! Checks by running: random games are played for a while, and every script is run in scenes of them.
//!
//! A script that no game came to is run in scenes of others of its sort: a card of the same kind plays its part. What fails, never ends,
//! breaks an invariant or does not do what the text beside it promises is told, with the smallest game that shows it.

mod cast;
mod kept;
mod scenes;
mod smallest;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::Subject;
use super::promise::{self, Meaning, Thing, Way};
use crate::agents::Random;
use crate::content::{Content, HookDef, HookId, Role};
use crate::diagnostic::{Confidence, Diagnostic, Files, Report, Span};
use crate::game::{Fault, Rules, State};
use crate::pack::{Entry, Promise, TextAt, Value};
use cast::Cast;
use scenes::{Broken, Kept, Played, Scenes, Short, Trouble};

/// How often a script runs in one scene, with other lots.
const MOST_ROUNDS: usize = 6;

/// A script that failed so often is not run again.
const ENOUGH: usize = 8;
/// So often a script has run before it is said what it never does.
const LEAST_RUNS: u32 = 3;

/// How much is run.
#[derive(Clone, Debug)]
pub struct Effort {
    /// How many answers each game gets.
    pub answers: usize,
    /// How many games with each number of seats.
    pub games: u64,
    /// In how many scenes each script runs at most.
    pub scenes: usize,
    /// The only entry whose scripts are run, by any of its names.
    pub only: Option<String>,
}

impl Effort {
    /// With so many games of each number of seats, and perhaps for one entry only.
    #[must_use]
    pub fn of(games: u64, only: Option<String>) -> Effort {
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
            scenes: 160,
            only: None,
        }
    }
}

/// A promise of a text, and whether it was kept.
struct Watched<'e> {
    entry: &'e Entry,
    at: &'e TextAt,
    promise: Promise,
    meaning: Meaning,
    /// The scripts beside it, and how often each ran.
    hooks: Vec<(HookId, u32)>,
    kept: bool,
}

impl Watched<'_> {
    /// In how many runs it was not kept, if that says something: any of the scripts beside it might be the one.
    fn broken(&self) -> Option<u32> {
        let enough = !self.kept && self.hooks.iter().all(|(_, ran)| *ran >= LEAST_RUNS);
        enough.then(|| self.hooks.iter().map(|(_, ran)| *ran).sum())
    }
}

/// Runs what can be run, and tells what it came to. Gives how often scripts ran.
pub(super) fn check(subject: &Subject, effort: &Effort, report: &mut Report) -> usize {
    let mut runs = 0;
    let (mut seen, mut told_short) = (BTreeSet::new(), BTreeSet::new());
    let mut done: BTreeSet<Span> = BTreeSet::new();
    for (choice, opened) in subject.opened {
        let rules = &opened.rules;
        let scenes = Rc::new(RefCell::new(Scenes::default()));
        let mut troubles = Vec::new();
        for game in games(&rules.content, &choice.mode, effort) {
            troubles.extend(scenes::play(rules, &game, effort.answers, &scenes));
        }
        for game in set_ups(&rules.content, &choice.mode) {
            let (faults, short) = scenes::set_up(rules, &game);
            troubles.extend(faults);
            short.iter().for_each(|short| {
                too_few(
                    subject,
                    &rules.content,
                    &game,
                    short,
                    &mut told_short,
                    report,
                );
            });
        }
        let scenes = scenes.borrow();
        let mut told = BTreeSet::new();
        let mut running = Running {
            subject,
            rules,
            scenes: &scenes,
            effort,
            watched: watched(subject, &rules.content),
            runs: 0,
        };
        for hook in (0..rules.content.hooks.len()).map(HookId::at) {
            let def = &rules.content.hooks[hook.ix()];
            let span = def.script.span;
            let meant = |name: &String| {
                rules.content.find(name) == Some(def.entry)
                    || *rules.content.entry(def.entry).id == **name
            };
            if effort.only.as_ref().is_none_or(meant)
                && is_in_use(&rules.content, hook)
                && subject.owns(span)
                && !done.contains(&span)
                && running.hook(hook, &mut told, report)
            {
                done.insert(span);
            }
        }
        running.broken_promises(report);
        // What a script alone shows is told better than what a whole game does.
        for trouble in troubles.iter().filter(|_| effort.only.is_none()) {
            tell(subject, &rules.content, trouble, &mut told, report);
        }
        runs += running.runs;
        seen.extend(
            scenes
                .runs
                .keys()
                .map(|hook| rules.content.hooks[hook.ix()].script.span),
        );
    }
    never_open(subject, &seen, report);
    runs
}

/// Whether anything runs a script here: one that was replaced runs only if what took its place calls it.
fn is_in_use(content: &Content, hook: HookId) -> bool {
    let calls = |by: &Arc<HookDef>| by.base != Some(hook) || by.script.text.contains("base()");
    content.hooks.iter().all(calls)
}

/// Actions and options that no game came to. Few games show little, so it is no more than a guess.
fn never_open(subject: &Subject, seen: &BTreeSet<Span>, report: &mut Report) {
    let mut told = BTreeSet::new();
    for content in subject
        .opened
        .iter()
        .map(|(_, opened)| &opened.rules.content)
    {
        for hook in content
            .hooks
            .iter()
            .filter(|hook| hook.role == Role::Do && subject.owns(hook.script.span))
        {
            let (name, entry) = (&hook.name, content.entry(hook.entry));
            let offered = &**name == "do" && entry.action.is_some()
                || name.contains('.') && !name.starts_with("then.");
            if offered && !seen.contains(&hook.script.span) && told.insert(hook.script.span) {
                Diagnostic::odd(
                    hook.script.span,
                    "never-open",
                    format!("no game came to `{name}` of {}", entry.title),
                )
                .label("never run")
                .help("in so few games that may be chance: `kaer check --games 50` plays more")
                .confidence(Confidence::Guess)
                .push(report);
            }
        }
    }
}

/// The games to play: with the fewest and the most seats, and with two if that lies between.
fn games(content: &Content, mode: &str, effort: &Effort) -> Vec<Rc<Played>> {
    let Some(def) = &content.mode else {
        return Vec::new();
    };
    let (least, most) = (usize::from(def.seats_min), usize::from(def.seats_max));
    let mut counts = vec![least, 2.clamp(least, most), most.min(4)];
    counts.retain(|count| (least..=most).contains(count));
    counts.sort_unstable();
    counts.dedup();
    let game = |seats, seed| {
        Rc::new(Played {
            mode: mode.to_owned(),
            seats,
            seed,
        })
    };
    (1..=effort.games)
        .flat_map(|seed| counts.iter().map(move |seats| game(*seats, seed)))
        .collect()
}

/// A game with each number of seats, to see whether it can be set up.
fn set_ups(content: &Content, mode: &str) -> Vec<Rc<Played>> {
    let seats = content
        .mode
        .iter()
        .flat_map(|def| usize::from(def.seats_min)..=usize::from(def.seats_max));
    seats
        .map(|seats| {
            Rc::new(Played {
                mode: mode.to_owned(),
                seats,
                seed: 1,
            })
        })
        .collect()
}

/// A deck that is too small for what set-up draws from it.
fn too_few(
    subject: &Subject,
    content: &Content,
    game: &Played,
    short: &Short,
    told: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let script = short.hook.map(|hook| content.hooks[hook.ix()].script.span);
    let Some(span) = script.filter(|span| subject.owns(*span) && told.insert(*span)) else {
        return;
    };
    let message = format!("set-up draws {} and finds only {}", short.wanted, short.got);
    Diagnostic::odd(span, "deck-too-small", message)
        .label("drawn here")
        .help(format!(
            "with {} seats; put more pieces into what it draws from, or draw fewer",
            game.seats
        ))
        .confidence(Confidence::Likely)
        .push(report);
}

/// What the texts of the packs promise in this content.
fn watched<'e>(subject: &'e Subject, content: &Content) -> Vec<Watched<'e>> {
    let mut list = Vec::new();
    let nouns = promise::Nouns::of(content);
    for entry in subject.entries() {
        let Some(id) = content
            .find(&entry.full_name())
            .filter(|_| !entry.texts.is_empty())
        else {
            continue;
        };
        let own = |hook: &HookId| {
            content.hooks[hook.ix()].entry == id && content.hooks[hook.ix()].role != Role::Can
        };
        let hooks: Vec<HookId> = (0..content.hooks.len())
            .map(HookId::at)
            .filter(own)
            .collect();
        for at in &entry.texts {
            let around = at
                .path
                .rsplit_once('.')
                .map_or(String::new(), |(around, _)| format!("{around}."));
            let beside = |hook: &&HookId| content.hooks[hook.ix()].name.starts_with(&around);
            let mut near: Vec<HookId> = hooks.iter().filter(beside).copied().collect();
            if near.is_empty() || around.starts_with("face.") {
                near.clone_from(&hooks);
            }
            for promise in promise::of(entry, at)
                .into_iter()
                .filter(|promise| promise.words.len() > 1)
            {
                if let Ok(meaning) = promise::meaning(content, &nouns, entry, &promise) {
                    let kept = is_cost(content, entry, &around, &meaning)
                        || is_late(content, &near, &meaning);
                    let hooks = near.iter().map(|hook| (*hook, 0)).collect();
                    list.push(Watched {
                        entry,
                        at,
                        promise,
                        meaning,
                        hooks,
                        kept,
                    });
                }
            }
        }
    }
    list
}

/// Whether a promise speaks of what is paid, before any script runs.
fn is_cost(content: &Content, entry: &Entry, around: &str, meaning: &Meaning) -> bool {
    let Some(Value::List(ways)) = entry.along(&format!("{around}cost")) else {
        return false;
    };
    let names = |thing: &Thing| match thing {
        Thing::Counter(counter) => Some(&*content.entry(content.counters[counter.ix()].entry).id),
        Thing::Zone(zone) => Some(&*content.entry(content.zones[zone.ix()].entry).id),
        _ => None,
    };
    let paid = |way: &Value| {
        let amount = |thing: &Thing| {
            names(thing)
                .and_then(|name| way.get(name))
                .and_then(Value::as_int)
        };
        meaning
            .things
            .iter()
            .any(|thing| amount(thing) == Some(meaning.amount))
            || meaning.things.contains(&Thing::Pieces)
                && way.as_table().is_some_and(|rows| {
                    rows.iter()
                        .any(|(_, paid)| paid.as_int() == Some(meaning.amount))
                })
    };
    meaning.way == Way::Away && ways.iter().any(paid)
}

/// Whether a script with the number begins something that keeps the promise later, or changes what is about to happen.
fn is_late(content: &Content, hooks: &[HookId], meaning: &Meaning) -> bool {
    const LATER: &[&str] = &[
        "effect(",
        "later(",
        "event.amount",
        "start_fight(",
        "run_sequence(",
    ];
    let number = meaning.amount.to_string();
    hooks.iter().any(|hook| {
        let text = &content.hooks[hook.ix()].script.text;
        let has = || {
            text.split(|c: char| !c.is_ascii_digit())
                .any(|digits| digits == number)
                || text.contains("entry.")
        };
        LATER.iter().any(|word| text.contains(word)) && has()
    })
}

/// A run that failed, with all it takes to do it again.
struct Failed<'s> {
    kept: &'s Kept,
    cast: &'s Cast,
    lots: u64,
    seed: u64,
    fault: Box<Fault>,
}

struct Running<'s, 'e> {
    subject: &'s Subject<'s>,
    rules: &'s Rc<Rules>,
    scenes: &'s Scenes,
    effort: &'s Effort,
    watched: Vec<Watched<'e>>,
    runs: usize,
}

impl Running<'_, '_> {
    /// Runs a script in all scenes that are there for it; gives whether there was one.
    fn hook(&mut self, hook: HookId, told: &mut BTreeSet<Span>, report: &mut Report) -> bool {
        let content = self.rules.content.clone();
        let promised: Vec<usize> = (0..self.watched.len())
            .filter(|ix| self.watched[*ix].hooks.iter().any(|(own, _)| *own == hook))
            .collect();
        let role = content.hooks[hook.ix()].role;
        let list = cast::scenes_for(&content, self.scenes, hook, self.effort.scenes);
        // Where there are few scenes, other lots and other answers make more of them.
        let rounds = if role.read_only() {
            1
        } else {
            self.effort
                .scenes
                .div_ceil(list.len().max(1))
                .min(MOST_ROUNDS)
        };
        let mut failed: Option<Failed> = None;
        let (mut ran, mut faults) = (false, 0);
        for (round, (at, cast)) in
            (0..rounds).flat_map(|round| list.iter().map(move |item| (round, item)))
        {
            let kept: &Kept = &self.scenes.all[*at];
            let lots = crate::number::cast::<_, u64>(round);
            let seed = crate::number::cast::<_, u64>(*at) ^ lots << 32;
            let agent = Box::new(Random::new(seed));
            let prepare = |state: &mut State| {
                cast.dress(state);
                state.seed = state.seed.wrapping_add(lots);
            };
            // What a menu or an offer would not have let through is not run.
            let needs_opening = !cast.own && matches!(role, Role::May(_) | Role::Do);
            let outcome = kept
                .scene
                .play(self.rules, &cast.call, &prepare, agent, !needs_opening);
            self.runs += 1;
            ran |= outcome.ran;
            for ix in &promised {
                let watched = &mut self.watched[*ix];
                let own = watched.hooks.iter_mut().filter(|(own, _)| *own == hook);
                own.for_each(|(_, ran)| *ran += u32::from(outcome.ran));
                watched.kept |= outcome.ran
                    && kept::kept(&content, &kept.scene, &outcome, hook, &watched.meaning);
            }
            let Some(fault) = outcome.fault else { continue };
            faults += 1;
            let endless = fault.message == crate::game::cx::too_much();
            let size = |kept: &Kept| (kept.answers, kept.game.seats);
            if failed
                .as_ref()
                .is_none_or(|smallest| size(kept) < size(smallest.kept))
            {
                failed = Some(Failed {
                    kept,
                    cast,
                    lots,
                    seed,
                    fault,
                });
            }
            // What fails again and again needs no further proof, and what never ends takes long.
            if endless || faults >= ENOUGH {
                break;
            }
        }
        if let Some(Failed {
            kept,
            cast,
            lots,
            seed,
            fault,
        }) = failed
        {
            let confidence = if cast.own {
                Confidence::Sure
            } else {
                Confidence::Likely
            };
            let needs = smallest::smallest(self.rules, kept, cast, lots, seed);
            let entry = &content.entry(content.hooks[hook.ix()].entry).name;
            let script = content.hooks[hook.ix()].script.span;
            let pack = self
                .subject
                .pack_of(script)
                .map_or("", |pack| pack.root.as_str());
            let again = format!("`kaer check {pack} --entry {entry}` runs only this again");
            let how = format!("seen in {}{needs}; {again}", scene_words(kept));
            push_fault(
                self.subject,
                &content,
                Some(hook),
                &fault,
                confidence,
                &how,
                told,
                report,
            );
        }
        ran
    }

    fn broken_promises(&self, report: &mut Report) {
        for (watched, runs) in self
            .watched
            .iter()
            .filter_map(|watched| Some((watched, watched.broken()?)))
        {
            let words = watched.promise.words.join(" ");
            let message =
                format!("the text promises “{words}”, and that never happened in {runs} runs");
            let scripts: Vec<Span> = watched
                .hooks
                .iter()
                .map(|(hook, _)| self.rules.content.hooks[hook.ix()].script.span)
                .collect();
            let mut fault = Diagnostic::odd(place_of(self.subject, watched), "broken-promise", message)
                .label("this promise")
                .help(format!(
                    "make text and script of {} say the same; a change by exactly this number must happen at once",
                    watched.entry.id
                ))
                .confidence(Confidence::Likely);
            if let [script] = scripts[..] {
                fault = fault.also(script, "what the script does");
            }
            fault.push(report);
        }
    }
}

fn place_of(subject: &Subject, watched: &Watched) -> Span {
    let text = promise::text(watched.entry, watched.at);
    watched
        .at
        .part(&subject.shelf.set.files, text, &watched.promise.at)
}

/// Where a scene comes from, so that it can be found again.
fn scene_words(kept: &Kept) -> String {
    format!(
        "{}, after {}",
        game_words(&kept.game),
        answers(kept.answers)
    )
}

fn answers(count: usize) -> String {
    format!("{count} answer{}", if count == 1 { "" } else { "s" })
}

fn game_words(game: &Played) -> String {
    format!(
        "a random game of `{}` for {} with seed {}",
        game.mode, game.seats, game.seed
    )
}

/// Trouble of a whole game.
fn tell(
    subject: &Subject,
    content: &Content,
    trouble: &Trouble,
    told: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let how = format!(
        "seen in {}, after {}; it is played the same way each time",
        game_words(&trouble.game),
        answers(trouble.answers)
    );
    let mode = content
        .mode
        .as_ref()
        .map(|mode| content.entry(mode.entry).span);
    match &trouble.what {
        // What no script caused is a game that cannot go on.
        Broken::Fault(fault) if fault.hook.is_none() => {
            stuck(subject, mode, &fault.message, told, report);
        }
        Broken::Fault(fault) => {
            push_fault(
                subject,
                content,
                fault.hook,
                fault,
                Confidence::Sure,
                &how,
                told,
                report,
            );
        }
        Broken::Invariant(broken) => {
            let own = broken.entry.map(|entry| content.entry(entry).span).or(mode);
            let span = own
                .filter(|span| subject.owns(*span))
                .unwrap_or_else(Files::outside);
            if told.insert(span) {
                Diagnostic::wrong(
                    span,
                    "broken-invariant",
                    format!("what must always hold did not: {}", broken.text),
                )
                .label("this must hold at every decision")
                .help(how)
                .push(report);
            }
        }
        Broken::Start(why) => stuck(subject, mode, why, told, report),
    }
}

fn stuck(
    subject: &Subject,
    mode: Option<Span>,
    why: &str,
    told: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let span = mode
        .filter(|span| subject.owns(*span))
        .unwrap_or_else(Files::outside);
    if told.insert(span) {
        let own = subject.entries().find(|entry| entry.span == span);
        let turn = own
            .and_then(|entry| entry.field("turn"))
            .map(|turn| turn.span);
        let mut fault = Diagnostic::odd(
            span,
            "cannot-start",
            format!("this mode cannot start or go on: {why}"),
        )
        .label("this mode");
        if let Some(turn) = turn {
            fault = fault.also(turn, "its turn");
        }
        fault
            .help("give one of its phases a menu and an action with that `window`, or let a script ask somebody")
            .push(report);
    }
}

#[allow(clippy::too_many_arguments, reason = "all of it is told")]
fn push_fault(
    subject: &Subject,
    content: &Content,
    hook: Option<HookId>,
    fault: &Fault,
    confidence: Confidence,
    how: &str,
    told: &mut BTreeSet<Span>,
    report: &mut Report,
) {
    let inner = fault.hook.or(hook);
    let script = inner.map(|hook| &content.hooks[hook.ix()].script);
    let span = place(subject, script, fault);
    let outer = hook.map(|hook| content.hooks[hook.ix()].script.span);
    if !told.insert(span) {
        return;
    }
    let mut builder = Diagnostic::wrong(
        span,
        "runtime-fault",
        format!("this fails when it runs: {}", fault.message),
    )
    .label("here")
    .help(how)
    .confidence(confidence);
    for also in [script.map(|script| script.span), outer]
        .into_iter()
        .flatten()
    {
        if also != span
            && !(also.file == span.file && also.start <= span.start && span.end <= also.end)
        {
            builder = builder.also(also, "run from this script");
        }
    }
    builder.push(report);
}

/// Where a fault arose, in the author's file.
fn place(subject: &Subject, script: Option<&crate::pack::Script>, fault: &Fault) -> Span {
    let files = &subject.shelf.set.files;
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

//! Coverage of packs by tests or bot games: entries, options, hooks and script lines.

use crate::number::cast;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde::Serialize;

use crate::agents::{AgentTable, Player, PlayerKind, setup_for};
use crate::content::{Content, EntryId, HookId, PlaceId};
use crate::diagnostic::{Files, Span};
use crate::game::{Game, Picks, Setup, Status, StepContext};
use crate::library::{LintLevel, OpenedGame, PackLibrary, Reuse};
use crate::pack::{GameChoice, PackSource};
use crate::script::{ScriptId, StatementLocation, Trace};
use crate::value::Value;

/// A bot game ends after this many decisions.
const MAX_DECISIONS: u32 = 1_500;

/// The kinds of items that can be covered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CoverageKind {
    /// An entry. It is covered if a seat has seen or chosen it, or one of its scripts ran.
    Entry,
    /// An option of an entry. It is covered if it was chosen.
    Option,
    /// A script of an entry. It is covered if it ran.
    Hook,
    /// A line with a statement. It is covered if it ran.
    Line,
}

/// An item that can be covered, by kind and name. Lines are named by file and number:
/// `functions.rhai:12`.
pub type CoverageItem = (CoverageKind, String);

/// What covered an item. Shorter witnesses sort first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Witness {
    /// A bot game.
    Game {
        /// The number of decisions before the item was covered.
        decisions: u32,
        /// The random seed.
        seed: u64,
        /// The mode, as `pack:mode`.
        mode: String,
        /// The number of players.
        seats: u8,
        /// The kind of bot.
        bots: &'static str,
    },
    /// A test case, by file and name.
    Case(String),
}

/// All items that can be covered, and what covered them.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// All items that can be covered, with file and line.
    pub goals: BTreeMap<CoverageItem, (String, u32)>,
    /// The covered items, with the shortest known witness.
    pub witnesses: BTreeMap<CoverageItem, Witness>,
}

impl Coverage {
    /// The number of covered items of a kind, and the number of all items of that kind.
    #[must_use]
    pub fn covered_and_total(&self, kind: CoverageKind) -> (usize, usize) {
        let is_of_kind = |goal: &&CoverageItem| goal.0 == kind;
        (
            self.witnesses.keys().filter(is_of_kind).count(),
            self.goals.keys().filter(is_of_kind).count(),
        )
    }

    /// The items that are not covered, with file and line.
    pub fn uncovered(&self, kind: CoverageKind) -> impl Iterator<Item = (&str, &(String, u32))> {
        let is_uncovered = move |(goal, _): &(&CoverageItem, &(String, u32))| {
            goal.0 == kind && !self.witnesses.contains_key(*goal)
        };
        self.goals
            .iter()
            .filter(is_uncovered)
            .map(|(goal, location)| (goal.1.as_str(), location))
    }

    /// Adds witnesses, keeping the shorter one for each item.
    pub fn add(&mut self, witnesses: BTreeMap<CoverageItem, Witness>) {
        for (goal, witness) in witnesses
            .into_iter()
            .filter(|(goal, _)| self.goals.contains_key(goal))
        {
            keep_shorter(&mut self.witnesses, goal, witness);
        }
    }

    /// The coverage of script lines in lcov format.
    #[must_use]
    pub fn lcov(&self) -> String {
        let mut files: BTreeMap<&str, Vec<(u32, bool)>> = BTreeMap::new();
        for (goal, (file, line)) in self
            .goals
            .iter()
            .filter(|(goal, _)| goal.0 == CoverageKind::Line)
        {
            files
                .entry(file)
                .or_default()
                .push((*line, self.witnesses.contains_key(goal)));
        }
        let mut out = String::new();
        for (file, mut lines) in files {
            lines.sort_unstable();
            let row = |(line, hit): &(u32, bool)| format!("DA:{line},{}\n", u8::from(*hit));
            let rows: String = lines.iter().map(row).collect();
            let hit = lines.iter().filter(|(_, hit)| *hit).count();
            out += &format!(
                "SF:{file}\n{rows}LF:{}\nLH:{hit}\nend_of_record\n",
                lines.len()
            );
        }
        out
    }
}

/// Records what games cover.
pub struct CoverageRecorder {
    content: std::sync::Arc<Content>,
    trace: Rc<Trace>,
    statements: Vec<StatementLocation>,
    /// For each hook, its items: the entry, the hook, and its file and first line.
    hooks: Vec<(String, String, (String, u32))>,
    /// The lists of options, with the entry's name and the ids.
    options: Vec<(Value, String, Vec<String>)>,
    /// The name of each entry, and its file.
    locations: Vec<(String, String)>,
    /// The items covered so far.
    pub witnesses: BTreeMap<CoverageItem, Witness>,
}

impl CoverageRecorder {
    /// A recorder for an opened game. Create it before anything is played.
    #[must_use]
    pub fn new(opened: &OpenedGame, files: &Files) -> CoverageRecorder {
        let content = opened.rules.content.clone();
        let trace = opened.trace();
        let statements = trace.statements();
        let hook = |ix: usize| {
            let def = &content.hooks[ix];
            let location = (
                files.name(def.script.span.file).to_owned(),
                files.line_col(def.script.span).0,
            );
            (
                content.entry(def.entry).name.to_string(),
                content.hook_name(HookId::at(ix)),
                location,
            )
        };
        let hooks = (0..content.hooks.len()).map(hook).collect();
        let mut options = Vec::new();
        for entry in &content.entries {
            for (name, value) in &entry.fields {
                lists(value, &format!("{}.{name}", entry.name), &mut options);
            }
        }
        let location = |entry: &std::sync::Arc<crate::content::EntryDef>| {
            let file = files.name(entry.span.file).to_owned();
            (entry.name.to_string(), file)
        };
        let locations = content.entries.iter().map(location).collect();
        CoverageRecorder {
            locations,
            content,
            trace,
            statements,
            hooks,
            options,
            witnesses: BTreeMap::new(),
        }
    }

    /// All items of a pack that can be covered.
    #[must_use]
    pub fn goals(&self, pack: &str, files: &Files) -> BTreeMap<CoverageItem, (String, u32)> {
        let content = &self.content;
        // Entries that only bots, panels and tools use are not part of a game.
        let outside_game: Vec<EntryId> = (content
            .evaluations
            .iter()
            .chain(&content.invariants)
            .chain(&content.statistics)
            .map(|(entry, _)| *entry))
        .chain(content.panels.iter().map(|panel| panel.entry))
        .chain(content.starts.iter().map(|start| start.entry))
        .collect();
        let is_goal = |entry: EntryId| {
            content.packs[usize::from(content.entry(entry).pack)].id == pack
                && !outside_game.contains(&entry)
        };
        let at = |span: Span| (files.name(span.file).to_owned(), files.line_col(span).0);
        let mut goals = BTreeMap::new();
        for id in (0..content.entries.len())
            .map(EntryId::at)
            .filter(|id| is_goal(*id))
        {
            let entry = content.entry(id);
            let seen = content.kinds[entry.kind.ix()].is_piece || entry.place.is_some();
            if seen || content.hooks.iter().any(|hook| hook.entry == id) {
                goals.insert(
                    (CoverageKind::Entry, entry.name.to_string()),
                    at(entry.span),
                );
            }
        }
        for (_, name, ids) in &self.options {
            let entry = content
                .entries
                .iter()
                .position(|entry| name.starts_with(&format!("{}.", entry.name)));
            if let Some(entry) = entry.map(EntryId::at).filter(|entry| is_goal(*entry)) {
                let location = at(content.entry(entry).span);
                goals.extend(ids.iter().map(|id| {
                    (
                        (CoverageKind::Option, format!("{name}.{id}")),
                        location.clone(),
                    )
                }));
            }
        }
        for (ix, _) in content
            .hooks
            .iter()
            .enumerate()
            .filter(|(_, def)| is_goal(def.entry))
        {
            let (_, name, location) = &self.hooks[ix];
            goals.insert((CoverageKind::Hook, name.clone()), location.clone());
        }
        for statement in &self.statements {
            let (file, line) = self.location(statement);
            let known = match &statement.script {
                ScriptId::Hook(hook) => is_goal(content.hooks[hook.ix()].entry),
                ScriptId::File(_) => is_in(&file, pack, content, files),
            };
            if known {
                goals.insert((CoverageKind::Line, format!("{file}:{line}")), (file, line));
            }
        }
        goals
    }

    /// The file and line of a statement.
    fn location(&self, statement: &StatementLocation) -> (String, u32) {
        let line = u32::try_from(statement.line).unwrap_or(1);
        match &statement.script {
            ScriptId::File(name) => (name.to_string(), line),
            ScriptId::Hook(hook) => match self.hooks.get(hook.ix()) {
                Some((_, _, (file, first))) => (file.clone(), first + line - 1),
                None => (String::new(), line),
            },
        }
    }

    /// The covered items, without those of some files.
    #[must_use]
    pub fn witnesses_outside(self, changed: &[String]) -> BTreeMap<CoverageItem, Witness> {
        let is_changed = |file: &str| changed.iter().any(|own| own == file);
        let of_changed_file = |(kind, name): &CoverageItem| match kind {
            CoverageKind::Line => name
                .rsplit_once(':')
                .is_some_and(|(file, _)| is_changed(file)),
            CoverageKind::Hook => self
                .hooks
                .iter()
                .any(|(_, hook, (file, _))| hook == name && is_changed(file)),
            CoverageKind::Entry | CoverageKind::Option => self
                .locations
                .iter()
                .any(|(entry, file)| name.starts_with(&**entry) && is_changed(file)),
        };
        let kept = self.witnesses.iter();
        let kept = kept.filter(|(item, _)| !of_changed_file(item));
        kept.map(|(item, witness)| (item.clone(), witness.clone()))
            .collect()
    }

    /// Starts a new game.
    pub fn begin(&self) {
        self.trace.reset();
    }

    /// Records what a game has covered since the last call.
    pub fn record(&mut self, game: &mut Game, witness: &Witness) {
        for ix in self.trace.take_first_runs() {
            // Scripts that were added later, such as the setup of a case, do not belong to a pack.
            let Some(statement) = self.statements.get(ix).cloned() else {
                continue;
            };
            let (file, line) = self.location(&statement);
            self.note((CoverageKind::Line, format!("{file}:{line}")), witness);
            if let ScriptId::Hook(hook) = statement.script
                && let Some((entry, name, _)) = self.hooks.get(hook.ix()).cloned()
            {
                self.note((CoverageKind::Entry, entry), witness);
                self.note((CoverageKind::Hook, name), witness);
            }
        }
        for (list, picked) in game.take_chosen_options() {
            let found = self.options.iter().find(|(own, ..)| is_same(own, &list));
            let goal =
                found.and_then(|(_, name, ids)| Some(format!("{name}.{}", ids.get(picked)?)));
            goal.into_iter()
                .for_each(|goal| self.note((CoverageKind::Option, goal), witness));
        }
        for entry in seen(game.context()) {
            let name = self.content.entry(entry).name.to_string();
            self.note((CoverageKind::Entry, name), witness);
        }
    }

    fn note(&mut self, goal: CoverageItem, witness: &Witness) {
        keep_shorter(&mut self.witnesses, goal, witness.clone());
    }
}

/// Records a witness unless a shorter one is known.
pub(super) fn keep_shorter(
    witnesses: &mut BTreeMap<CoverageItem, Witness>,
    goal: CoverageItem,
    witness: Witness,
) {
    let best = witnesses.entry(goal).or_insert_with(|| witness.clone());
    if witness < *best {
        *best = witness;
    }
}

/// Whether a file is a function file of an enabled pack.
fn is_in(file: &str, pack: &str, content: &Content, files: &Files) -> bool {
    let at = content.packs.iter().position(|own| own.id == pack);
    at.is_some_and(|at| {
        content.libraries[at]
            .iter()
            .any(|id| files.name(*id) == file)
    })
}

/// Collects the lists of options in a value, which are lists of tables with an `id`, and the lists of
/// results with conditions.
fn lists(value: &Value, name: &str, options: &mut Vec<(Value, String, Vec<String>)>) {
    match value {
        Value::Rows(items) => {
            let ids: Option<Vec<String>> = items
                .iter()
                .map(|item| item.get("id").and_then(Value::text).map(str::to_owned))
                .collect();
            // Results have no ids; those with conditions are named by their numbers.
            let depends = items.iter().any(|item| item.get("when").is_some());
            let numbers = || (1..=items.len()).map(|number| number.to_string()).collect();
            let ids = ids.or_else(|| depends.then(numbers)).unwrap_or_default();
            for (item, id) in items.iter().zip(&ids) {
                lists(item, &format!("{name}.{id}"), options);
            }
            if !ids.is_empty() {
                options.push((value.clone(), name.to_owned(), ids));
            }
        }
        Value::Table(rows) => rows
            .iter()
            .for_each(|(key, value)| lists(value, &format!("{name}.{key}"), options)),
        _ => {}
    }
}

fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Rows(left), Value::Rows(right)) => left.is_same(right),
        _ => false,
    }
}

/// The entries that a seat has seen, is at, or plays as its role.
fn seen(context: &StepContext) -> Vec<EntryId> {
    let pieces = context
        .state
        .pieces
        .iter()
        .filter(|piece| !piece.known.is_empty())
        .map(|piece| piece.entry);
    let places = context
        .state
        .at
        .iter()
        .flatten()
        .map(|place: &PlaceId| context.content().map.places[place.ix()].entry);
    let mut all: Vec<EntryId> = pieces
        .chain(places)
        .chain(context.roles.iter().flatten().copied())
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Plays bot games on all cores, every second one with random bots. `done` receives the number of
/// finished games.
///
/// # Errors
/// Returns why the packs cannot be opened or played.
pub fn games(
    sources: &[PackSource],
    choice: &GameChoice,
    games: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Result<BTreeMap<CoverageItem, Witness>, String> {
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(16);
    let (next, over) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || -> Result<BTreeMap<CoverageItem, Witness>, String> {
        let library = PackLibrary::load(sources.to_vec());
        let (opened, _) = library.open_reusing(choice, None, Reuse::Nothing, LintLevel::Names);
        let opened = opened.ok_or("the packs cannot be opened")?;
        let mut recorder = CoverageRecorder::new(&opened, &library.set.files);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return Ok(recorder.witnesses);
            }
            play(&opened, choice, number, &mut recorder)?;
            done(over.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let found: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|_| Err("a bot game panicked".into()))
            })
            .collect()
    });
    let mut all = BTreeMap::new();
    for witnesses in found {
        witnesses?
            .into_iter()
            .for_each(|(goal, witness)| keep_shorter(&mut all, goal, witness));
    }
    Ok(all)
}

fn play(
    opened: &OpenedGame,
    choice: &GameChoice,
    number: u64,
    recorder: &mut CoverageRecorder,
) -> Result<(), String> {
    let content = &opened.rules.content;
    let (min, max) = content
        .mode
        .as_ref()
        .map_or((1, 1), |mode| (mode.seats_min, mode.seats_max));
    let seats = min + cast::<_, u8>((number / 2) % u64::from(max - min + 1));
    let kind = if number.is_multiple_of(2) {
        PlayerKind::Random
    } else {
        PlayerKind::bot(content)
    };
    let players: Vec<Player> = (1..=seats)
        .map(|n| Player::new(format!("P{n}"), kind))
        .collect();
    let seed = number + 1;
    let mut game = Game::new(
        opened.rules.clone(),
        Setup {
            records_options: true,
            ..setup_for(&players, seed)
        },
    )?;
    let table = AgentTable::new(&players, seed);
    let witness = |decisions| Witness::Game {
        decisions,
        seed,
        mode: choice.mode.clone(),
        seats,
        bots: kind.name(),
    };
    recorder.begin();
    let mut status = game.run();
    recorder.record(&mut game, &witness(0));
    let mut decisions = 0;
    while status == Status::Asking && decisions < MAX_DECISIONS {
        // Do not count scripts that a bot runs to look ahead.
        recorder.trace.pause(true);
        let answer = table.answer_nth(&game, u64::from(decisions));
        recorder.trace.pause(false);
        let Some(answer) = answer? else { break };
        let chosen = action(&game, &answer.picks);
        status = game.answer(answer)?;
        decisions += 1;
        if let Some(entry) = chosen {
            let name = content.entry(entry).name.to_string();
            recorder.note((CoverageKind::Entry, name), &witness(decisions));
        }
        recorder.record(&mut game, &witness(decisions));
    }
    Ok(())
}

/// The action that was picked from a menu.
fn action(game: &Game, picks: &Picks) -> Option<EntryId> {
    let Picks::One(ix) = picks else { return None };
    game.pending()?
        .options
        .get(usize::try_from(*ix).ok()?)?
        .action
}

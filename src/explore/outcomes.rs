//! Explores the outcomes of an entry: every answer, every random result, and what each changes.

use crate::number::cast;
use std::rc::Rc;

use serde::Serialize;

use super::choices;
use super::flags;
use super::start::{self, StartRequest};
use super::state_snapshot::StateSnapshot;
use crate::agents::{Player, PlayerKind, RandomPlayer, setup_for};
use crate::cases::runner::CaseResult;
use crate::content::{Content, CounterId, EntryId};
use crate::game::{
    Answer, AnswerForm, Entity, Game, InitialState, Picks, Question, Rules, Setup, Status,
    describe, initial,
};
use crate::library::{LintLevel, OpenedGame, PackLibrary, Reuse};

/// For random numbers with up to this many values, all are explored; for larger ranges, three
/// values.
const MAX_SIDES: u32 = 12;
/// For questions that ask for a number, ranges up to this size are explored completely; for larger
/// ones, both ends.
const MAX_AMOUNTS: i64 = 5;

/// The name of the case with the outcomes of all entries of a pack.
pub const NAME: &str = "outcomes";

/// Limits of the exploration.
#[derive(Clone, Copy, Debug)]
pub struct ExplorationLimits {
    /// The maximum number of steps that are tried.
    pub runs: usize,
    /// The maximum number of successive questions.
    pub depth: usize,
    /// Whether fights are explored.
    pub fights: bool,
}

impl Default for ExplorationLimits {
    fn default() -> ExplorationLimits {
        ExplorationLimits {
            runs: 2_000,
            depth: 4,
            fights: false,
        }
    }
}

/// The outcomes of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutcomeTree {
    /// The full name of the entry.
    pub name: String,
    /// The title of the entry.
    pub title: String,
    /// The rules text of the entry.
    pub text: String,
    /// Where the entry starts.
    #[serde(rename = "what")]
    pub root: OutcomeNode,
    /// What is different with other values of the flags that its scripts read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<OutcomeVariant>,
}

/// The outcomes with other values of flags.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutcomeVariant {
    /// The values: `table.baron=spared`, as for `--with`. Several rows have the same outcomes.
    pub with: Vec<Vec<String>>,
    /// Where the entry starts.
    #[serde(rename = "what")]
    pub root: OutcomeNode,
}

/// A node of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeNode {
    /// The entry is resolved. Contains the changes since it started.
    #[serde(rename = "ends")]
    End(Vec<String>),
    /// A player makes a decision.
    #[serde(rename = "asks")]
    Question(OutcomeQuestion),
    /// A random result is drawn.
    Chance(Vec<ChanceResult>),
    /// The tree was not explored further; contains the reason.
    #[serde(rename = "cut")]
    Truncated(&'static str),
}

/// A question to a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutcomeQuestion {
    /// The name of the player.
    pub who: String,
    /// The text of the question.
    pub prompt: String,
    /// The answers; answers with the same outcome are merged.
    pub answers: Vec<OutcomeOption>,
}

/// An answer, or several with the same outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutcomeOption {
    /// The label of the first of them.
    pub label: String,
    /// The number of answers that were merged.
    #[serde(rename = "alike")]
    pub merged: usize,
    /// Why it cannot be chosen.
    pub closed: Option<String>,
    /// The outcome; `None` if the option is closed.
    pub then: Option<OutcomeNode>,
}

/// A random result, or several with the same outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChanceResult {
    /// A fraction: numerator and denominator.
    #[serde(rename = "share")]
    pub probability: (u64, u64),
    /// The numbers that lead to this outcome, from 1, if a single number was drawn.
    pub numbers: Vec<u32>,
    /// The outcome.
    pub then: OutcomeNode,
}

/// Explores the outcomes of an entry.
///
/// # Errors
/// Returns a message if the entry does not exist or its kind has no `[[start]]`.
pub fn explore(
    opened: &OpenedGame,
    at: &StartRequest,
    role: Option<&str>,
    limits: ExplorationLimits,
) -> Result<OutcomeTree, String> {
    let content = &opened.rules.content;
    let name = at.entry.as_deref().unwrap_or_default();
    let id = start::find(content, name)?;
    if content.start_of(id).is_none() {
        return Err(initial::cannot_start(content, id));
    }
    let begin = start::begin(content, at)?;
    let mut game = set_up_game(&opened.rules, begin.initial, role)?;
    game.explore();
    let entry = content.entry(id);
    let (root, flags) = root_of(&game, id, limits);
    let variants = flags::variants(&game, &root, flags, |game| root_of(game, id, limits));
    let text = content.render(id, "text").unwrap_or_default();
    Ok(OutcomeTree {
        name: entry.name.to_string(),
        title: entry.title.to_string(),
        text,
        root,
        variants,
    })
}

/// The outcomes from a game that was set up, and the flags that scripts have read.
fn root_of(
    game: &Game,
    id: EntryId,
    limits: ExplorationLimits,
) -> (OutcomeNode, Vec<(Entity, CounterId)>) {
    let mut explorer = Explorer {
        id,
        title: &game.context().content().entry(id).title,
        before: StateSnapshot::without(game.context(), Some(id)),
        remaining_runs: limits.runs,
        fights: limits.fights,
        flags: Vec::new(),
    };
    let root = explorer.explore_chance(game, None, limits.depth, &[]);
    (root, explorer.flags)
}

/// The outcomes of a pack's entries as a case with a snapshot, so that every change becomes
/// visible. `None` for packs without a `[[start]]` that sets `outcomes`.
#[must_use]
pub fn case(library: &PackLibrary, pack: &str, filter: &str) -> Option<CaseResult> {
    let name = NAME.to_owned();
    let choice = choices::choices(library, pack)
        .into_iter()
        .next()
        .filter(|_| name.contains(filter))?;
    let (opened, _) = library.open_reusing(&choice, None, Reuse::Nothing, LintLevel::Names);
    let (text, failures) = all(&opened?, pack);
    let snapshot = Some(text).filter(|text| !text.is_empty());
    (snapshot.is_some() || !failures.is_empty()).then_some(CaseResult {
        name,
        rules: Vec::new(),
        failures,
        snapshot,
    })
}

/// The outcomes of all entries of a pack whose `[[start]]` sets `outcomes`, as text, and the
/// failures.
fn all(opened: &OpenedGame, pack: &str) -> (String, Vec<String>) {
    let content = &opened.rules.content;
    let (mut text, mut failures) = (String::new(), Vec::new());
    for id in listed(content, pack) {
        let at = StartRequest {
            entry: Some(content.entry(id).name.to_string()),
            with: Vec::new(),
        };
        match explore(
            opened,
            &at,
            None,
            ExplorationLimits {
                runs: 400,
                depth: 3,
                fights: false,
            },
        ) {
            Ok(tree) => text.push_str(&format!("{}\n", tree.to_text())),
            Err(reason) => failures.push(format!("{}: {reason}", content.entry(id).name)),
        }
    }
    (text, failures)
}

fn listed<'c>(content: &'c Content, pack: &'c str) -> impl Iterator<Item = EntryId> + 'c {
    let in_pack =
        move |id: &EntryId| content.packs[usize::from(content.entry(*id).pack)].id == pack;
    let lists = |id: &EntryId| content.start_of(*id).is_some_and(|start| start.outcomes);
    (0..content.entries.len())
        .map(EntryId::at)
        .filter(in_pack)
        .filter(lists)
}

/// A game that was set up, right before the entry is resolved.
fn set_up_game(
    rules: &Rc<Rules>,
    initial: Option<InitialState>,
    role: Option<&str>,
) -> Result<Game, String> {
    let min_players = rules.content.mode.as_ref().map_or(1, |mode| mode.seats_min);
    let name = |n| {
        if n == 1 {
            "You".to_owned()
        } else {
            format!("P{n}")
        }
    };
    let mut players: Vec<Player> = (1..=min_players)
        .map(|n| Player::new(name(n), PlayerKind::Random))
        .collect();
    players[0].role = role.map(str::to_owned);
    let mut game = Game::new(
        rules.clone(),
        Setup {
            initial,
            log: false,
            ..setup_for(&players, 1)
        },
    )?;
    game.set_up_by(&mut RandomPlayer::new(1))?;
    if let Some(fault) = game.faults().first() {
        return Err(describe(game.context(), fault));
    }
    game.pause_at(Some(1));
    Ok(game)
}

struct Explorer<'c> {
    id: EntryId,
    title: &'c str,
    before: StateSnapshot,
    remaining_runs: usize,
    fights: bool,
    /// The flags that scripts have read.
    flags: Vec<(Entity, CounterId)>,
}

/// A step to try.
struct Position<'g> {
    game: &'g Game,
    answer: Option<&'g Answer>,
    depth: usize,
    /// The number of random results that are already known.
    known_results: usize,
}

impl Explorer<'_> {
    /// Explores all random results after an answer, or without one. Earlier results are repeated,
    /// because the step runs again with the answer.
    fn explore_chance(
        &mut self,
        game: &Game,
        answer: Option<&Answer>,
        depth: usize,
        before: &[u32],
    ) -> OutcomeNode {
        let mut found = Vec::new();
        let from = Position {
            game,
            answer,
            depth,
            known_results: before.len(),
        };
        self.explore_result(&from, &mut before.to_vec(), (1, 1), &mut found);
        if found.len() == 1 {
            found.remove(0).then
        } else {
            OutcomeNode::Chance(found)
        }
    }

    fn explore_result(
        &mut self,
        from: &Position,
        numbers: &mut Vec<u32>,
        probability: (u64, u64),
        found: &mut Vec<ChanceResult>,
    ) {
        let node = match self.remaining_runs.checked_sub(1) {
            None => OutcomeNode::Truncated("exploration limit reached"),
            Some(remaining) => {
                self.remaining_runs = remaining;
                let mut next = from.game.clone();
                next.force_numbers(numbers);
                let status = match from.answer {
                    Some(answer) => next.answer(answer.clone()),
                    None => Ok(next.run()),
                };
                if let Some(below) = next.requested_numbers().get(numbers.len()).copied() {
                    let sides = sides(below);
                    let denominator = probability.1.saturating_mul(sides.len() as u64);
                    for side in sides {
                        numbers.push(side);
                        self.explore_result(from, numbers, (probability.0, denominator), found);
                        numbers.pop();
                    }
                    return;
                }
                status.map_or(
                    OutcomeNode::Truncated("the answer is not possible"),
                    |status| self.node(&next, status, from.depth, numbers),
                )
            }
        };
        let rolled: Vec<u32> = if let [number] = numbers[from.known_results..] {
            vec![number + 1]
        } else {
            Vec::new()
        };
        match found.iter_mut().find(|result| result.then == node) {
            Some(result) => {
                result.probability = sum(result.probability, probability);
                result.numbers.extend(rolled);
            }
            None => found.push(ChanceResult {
                probability,
                numbers: rolled,
                then: node,
            }),
        }
    }

    fn node(&mut self, game: &Game, status: Status, depth: usize, numbers: &[u32]) -> OutcomeNode {
        for flag in game.exploration().map_or(&[][..], |record| &record.flags) {
            if !self.flags.contains(flag) {
                self.flags.push(*flag);
            }
        }
        if status != Status::Asking {
            return OutcomeNode::End(self.changes(game));
        }
        let (Some(question), Some(decision)) = (game.pending(), game.decision()) else {
            return OutcomeNode::Truncated("no question");
        };
        if !self.fights && !game.state().fights.is_empty() {
            return OutcomeNode::Truncated("a fight starts");
        }
        let Some(depth) = depth.checked_sub(1) else {
            return OutcomeNode::Truncated("more questions follow");
        };
        let who = decision
            .seats
            .first()
            .map(|seat| crate::game::names::seat(game.context(), *seat))
            .unwrap_or_default();
        let mut answers: Vec<OutcomeOption> = Vec::new();
        for (label, answer) in answers_to(question, &decision.options) {
            let then = self.explore_chance(game, Some(&answer), depth, numbers);
            match answers
                .iter_mut()
                .find(|option| option.then.as_ref() == Some(&then))
            {
                Some(option) => option.merged += 1,
                None => answers.push(OutcomeOption {
                    label,
                    merged: 1,
                    closed: None,
                    then: Some(then),
                }),
            }
        }
        for option in decision
            .options
            .iter()
            .filter(|option| option.closed.is_some())
        {
            answers.push(OutcomeOption {
                label: option.label.clone(),
                merged: 1,
                closed: option.closed.clone(),
                then: None,
            });
        }
        OutcomeNode::Question(OutcomeQuestion {
            who,
            prompt: decision.prompt,
            answers,
        })
    }

    fn changes(&self, game: &Game) -> Vec<String> {
        let context = game.context();
        let faults = context
            .faults
            .iter()
            .map(|fault| format!("a script failed: {}", describe(context, fault)));
        let over = context
            .state
            .outcome
            .is_some()
            .then(|| "the game is over".to_owned());
        let now = StateSnapshot::without(context, Some(self.id));
        let texts = game.exploration().map_or(&[][..], |record| &record.results);
        let texts = texts.iter().map(|text| {
            if text.starts_with('“') {
                text.clone()
            } else {
                format!("“{text}”")
            }
        });
        let changes = self
            .before
            .changes(&now)
            .into_iter()
            .filter_map(|change| change.short("You", self.title));
        texts.chain(changes).chain(over).chain(faults).collect()
    }
}

/// The values of a random number that are explored.
fn sides(below: u32) -> Vec<u32> {
    if below <= MAX_SIDES {
        (0..below.max(1)).collect()
    } else {
        vec![0, below / 2, below - 1]
    }
}

/// The sum of two fractions, in lowest terms.
fn sum(left: (u64, u64), right: (u64, u64)) -> (u64, u64) {
    let numerator = left
        .0
        .saturating_mul(right.1)
        .saturating_add(right.0.saturating_mul(left.1));
    let denominator = left.1.saturating_mul(right.1);
    let (mut a, mut b) = (numerator, denominator);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (numerator / a.max(1), denominator / a.max(1))
}

/// The answers that are explored, with labels: every option, or only the first ones if several must
/// be picked.
fn answers_to(
    question: &Question,
    options: &[crate::game::DecisionOption],
) -> Vec<(String, Answer)> {
    let open: Vec<usize> = question.open().collect();
    let number = |ix: usize| cast::<_, i64>(ix);
    let label = |ix: usize| {
        options
            .get(ix)
            .map(|option| option.label.clone())
            .unwrap_or_default()
    };
    // Equal options are picked one by one.
    let each: Vec<i64> = open
        .iter()
        .flat_map(|ix| std::iter::repeat_n(number(*ix), question.options[*ix].count()))
        .collect();
    let first = |count: usize| -> (String, Picks) {
        let words = if count == each.len() {
            format!("all {count}")
        } else {
            format!("{count} of {}", each.len())
        };
        (
            if count == 0 { "none".to_owned() } else { words },
            Picks::Many(each.iter().take(count).copied().collect()),
        )
    };
    let picked: Vec<(String, Picks)> = match question.form {
        AnswerForm::One => open
            .iter()
            .map(|ix| (label(*ix), Picks::One(number(*ix))))
            .collect(),
        AnswerForm::Some { min, max } => {
            let (min, max) = (usize::from(min), usize::from(max).min(each.len()));
            let counts = if min == max {
                vec![min]
            } else {
                vec![min, max]
            };
            counts.into_iter().map(first).collect()
        }
        AnswerForm::Order => vec![("in this order".to_owned(), first(each.len()).1)],
        AnswerForm::Amount { min, max } => {
            let all: Vec<i64> = if max - min <= MAX_AMOUNTS {
                (min..=max).collect()
            } else {
                vec![min, max]
            };
            all.into_iter()
                .map(|amount| (amount.to_string(), Picks::One(amount)))
                .collect()
        }
        AnswerForm::Split { total } => {
            let rest = question.options.len().saturating_sub(1);
            let parts = std::iter::once(total)
                .chain(std::iter::repeat_n(0, rest))
                .collect();
            vec![("all to the first".to_owned(), Picks::Many(parts))]
        }
    };
    let seat = |picks: &Picks| match (&question.form, picks) {
        (AnswerForm::One, Picks::One(ix)) => usize::try_from(*ix)
            .ok()
            .and_then(|ix| question.options.get(ix)?.seat),
        _ => None,
    };
    let answer = |(words, picks): (String, Picks)| {
        let seat = seat(&picks).unwrap_or_else(|| question.seat());
        (words, Answer::new(seat, picks))
    };
    picked.into_iter().map(answer).collect()
}

impl OutcomeTree {
    /// The tree as indented text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = format!("{} ({})\n", self.title, self.name);
        for line in self.text.lines() {
            out.push_str(&format!("  {line}\n"));
        }
        write(&self.root, 1, &self.text, &mut out);
        for variant in &self.variants {
            let heading = format!("  With {}:", variant.heading());
            write_after(&heading, &variant.root, 2, &self.text, &mut out);
        }
        out
    }

    /// "2 branches were not explored", unless all were.
    #[must_use]
    pub fn describe_truncated(&self) -> Option<String> {
        let variants = self
            .variants
            .iter()
            .map(|variant| count_truncated(&variant.root));
        match count_truncated(&self.root) + variants.sum::<usize>() {
            0 => None,
            1 => Some("1 branch was not explored".to_owned()),
            more => Some(format!("{more} branches were not explored")),
        }
    }
}

impl OutcomeVariant {
    /// `table.baron=spared, 1.met=yes; table.baron=hanged`.
    #[must_use]
    pub fn heading(&self) -> String {
        let rows: Vec<String> = self.with.iter().map(|row| row.join(", ")).collect();
        rows.join("; ")
    }
}

fn count_truncated(node: &OutcomeNode) -> usize {
    match node {
        OutcomeNode::Truncated(_) => 1,
        OutcomeNode::End(_) => 0,
        OutcomeNode::Question(question) => question
            .answers
            .iter()
            .filter_map(|option| option.then.as_ref())
            .map(count_truncated)
            .sum(),
        OutcomeNode::Chance(results) => results
            .iter()
            .map(|result| count_truncated(&result.then))
            .sum(),
    }
}

/// The text after an arrow, if the node fits on one line.
fn brief(node: &OutcomeNode) -> Option<String> {
    match node {
        OutcomeNode::End(changes) if changes.is_empty() => Some("nothing changes".to_owned()),
        OutcomeNode::End(changes) => Some(changes.join(", ")),
        OutcomeNode::Truncated(reason) => Some(format!("… ({reason})")),
        _ => None,
    }
}

fn write(node: &OutcomeNode, depth: usize, text: &str, out: &mut String) {
    let space = "  ".repeat(depth);
    match node {
        OutcomeNode::Question(question) => {
            // The text of the entry has already been printed.
            let prompt = question.prompt.replace(text, "");
            out.push_str(&format!(
                "{space}? {}: {}\n",
                question.who,
                prompt.lines().next().unwrap_or_default().trim()
            ));
            for option in &question.answers {
                let merged = if option.merged > 1 {
                    format!(" (and {} more with the same outcome)", option.merged - 1)
                } else {
                    String::new()
                };
                let head = format!(
                    "{space}  - {}{merged}",
                    option.label.lines().next().unwrap_or_default()
                );
                match (&option.closed, &option.then) {
                    (Some(reason), _) => out.push_str(&format!("{head} (closed: {reason})\n")),
                    (None, Some(then)) => write_after(&head, then, depth + 2, text, out),
                    (None, None) => out.push_str(&format!("{head}\n")),
                }
            }
        }
        OutcomeNode::Chance(results) => {
            for result in results {
                let numbers: Vec<String> = result.numbers.iter().map(u32::to_string).collect();
                let numbers = if numbers.is_empty() {
                    String::new()
                } else {
                    format!("{}: ", numbers.join(", "))
                };
                write_after(
                    &format!("{space}* {numbers}{}", percent(result.probability)),
                    &result.then,
                    depth + 1,
                    text,
                    out,
                );
            }
        }
        node => out.push_str(&format!("{space}→ {}\n", brief(node).unwrap_or_default())),
    }
}

fn write_after(head: &str, then: &OutcomeNode, depth: usize, text: &str, out: &mut String) {
    match brief(then) {
        Some(words) => out.push_str(&format!("{head} → {words}\n")),
        None => {
            out.push_str(&format!("{head}\n"));
            write(then, depth, text, out);
        }
    }
}

/// A probability as text: `1 in 6`, `33 %`.
pub(crate) fn percent((numerator, denominator): (u64, u64)) -> String {
    match (numerator, denominator) {
        (1, _) => format!("1 in {denominator}"),
        (_, ..=12) => format!("{numerator} in {denominator}"),
        _ => format!(
            "{} %",
            (u128::from(numerator) * 100 + u128::from(denominator) / 2)
                / u128::from(denominator.max(1))
        ),
    }
}

//! The whole tree of what an entry can do: every answer, every result of chance, and what each changes.

use crate::number::cast;
use std::rc::Rc;

use serde::Serialize;

use super::at::{self, At};
use super::standing::Standing;
use super::test::Outcome;
use super::usual;
use crate::agents::{Kind, Player, Random, seated};
use crate::content::{Content, EntryId};
use crate::game::{Answer, Ask, Form, Game, Picks, Rules, Setup, Status, describe};
use crate::shelf::{Care, Opened, Reuse, Shelf};

/// Up to so many sides every result of a die is gone through; of more, three.
const MOST_SIDES: u32 = 12;
/// Up to so many every number is gone through where one is asked for.
const MOST_AMOUNTS: i64 = 5;

/// The name of the case that holds what all entries of a pack can do.
pub const NAME: &str = "outcomes";

/// How far the tree is followed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How often something is tried out.
    pub runs: usize,
    /// How many questions in a row are gone through.
    pub deep: usize,
    /// Whether fights are followed, too.
    pub fights: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            runs: 2_000,
            deep: 4,
            fights: false,
        }
    }
}

/// What an entry can do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tree {
    /// Its full name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// What happens.
    pub what: Node,
}

/// A moment of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Node {
    /// It is over, and this has changed since it began.
    Ends(Vec<String>),
    /// Someone is asked.
    Asks(Question),
    /// Chance decides.
    Falls(Vec<Fall>),
    /// It goes on, and was not followed: why.
    Cut(&'static str),
}

/// Someone is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Question {
    /// Who.
    pub who: String,
    /// What.
    pub prompt: String,
    /// What may be answered; answers that come to the same stand in one line.
    pub answers: Vec<Line>,
}

/// Something that may be answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// Its words.
    pub label: String,
    /// How many answers come to the same.
    pub alike: usize,
    /// Why it cannot be chosen here.
    pub closed: Option<String>,
    /// What comes of it.
    pub then: Option<Node>,
}

/// A result of chance, or several that come to the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fall {
    /// How many of how many.
    pub share: (u64, u64),
    /// The numbers, from 1, if one was rolled.
    pub numbers: Vec<u32>,
    /// What comes of it.
    pub then: Node,
}

/// Works out what an entry can do.
///
/// # Errors
/// What is not there, or has no beginning.
pub fn of(
    shelf: &Shelf,
    opened: &Opened,
    at: &At,
    role: Option<&str>,
    limits: Limits,
) -> Result<Tree, String> {
    let content = &opened.rules.content;
    let name = at.entry.as_deref().unwrap_or_default();
    let id = at::find(content, name)?;
    if content.start_of(id).is_none() {
        return Err(at::no_way(content, id));
    }
    let begin = at::begin(content, at)?;
    let script = begin.script.unwrap_or_default();
    let (given, report) = shelf.with_given(opened, &script, None);
    if let Some(fault) = report.errors().next() {
        return Err(fault.message.clone());
    }
    let game = begun(&given.rules, role)?;
    let entry = content.entry(id);
    let before = Standing::without(game.core(), Some(id));
    let mut walk = Walk {
        id,
        title: &entry.title,
        before,
        left: limits.runs,
        fights: limits.fights,
    };
    let what = walk.falls(&game, None, limits.deep, &[]);
    let text = content.render(id, "text").unwrap_or_default();
    Ok(Tree {
        name: entry.name.to_string(),
        title: entry.title.to_string(),
        text,
        what,
    })
}

/// What the entries of a pack can do, as a case with a snapshot: whoever changes one of them sees what comes of it. Nothing for
/// packs that say of no kind how a game begins at it.
#[must_use]
pub fn case(shelf: &Shelf, pack: &str, filter: &str) -> Option<Outcome> {
    let name = NAME.to_owned();
    let choice = usual::choices(shelf, pack)
        .into_iter()
        .next()
        .filter(|_| name.contains(filter))?;
    let (opened, _) = shelf.open_again(&choice, None, Reuse::Nothing, Care::Names);
    let (text, failures) = all(shelf, &opened?, pack);
    let snapshot = Some(text).filter(|text| !text.is_empty());
    (snapshot.is_some() || !failures.is_empty()).then_some(Outcome {
        name,
        rules: Vec::new(),
        failures,
        snapshot,
    })
}

/// What all entries of a pack can do that have a beginning which says so, in words; and what went wrong.
fn all(shelf: &Shelf, opened: &Opened, pack: &str) -> (String, Vec<String>) {
    let content = &opened.rules.content;
    let (mut text, mut failures) = (String::new(), Vec::new());
    for id in listed(content, pack) {
        let at = At {
            entry: Some(content.entry(id).name.to_string()),
            with: Vec::new(),
        };
        match of(
            shelf,
            opened,
            &at,
            None,
            Limits {
                runs: 400,
                deep: 3,
                fights: false,
            },
        ) {
            Ok(tree) => text.push_str(&format!("{}\n", tree.words())),
            Err(why) => failures.push(format!("{}: {why}", content.entry(id).name)),
        }
    }
    (text, failures)
}

fn listed<'c>(content: &'c Content, pack: &'c str) -> impl Iterator<Item = EntryId> + 'c {
    let own = move |id: &EntryId| content.packs[usize::from(content.entry(*id).pack)].id == pack;
    let told = |id: &EntryId| content.start_of(*id).is_some_and(|start| start.outcomes);
    (0..content.entries.len())
        .map(EntryId::at)
        .filter(own)
        .filter(told)
}

/// A game that was set up, right before what is to be looked at.
fn begun(rules: &Rc<Rules>, role: Option<&str>) -> Result<Game, String> {
    let least = rules.content.mode.as_ref().map_or(1, |mode| mode.seats_min);
    let name = |n| {
        if n == 1 {
            "You".to_owned()
        } else {
            format!("P{n}")
        }
    };
    let mut players: Vec<Player> = (1..=least)
        .map(|n| Player::new(name(n), Kind::Random))
        .collect();
    players[0].role = role.map(str::to_owned);
    let mut game = Game::new(
        rules.clone(),
        Setup {
            log: false,
            ..seated(&players, 1)
        },
    )?;
    game.set_up_by(&mut Random::new(1))?;
    if let Some(fault) = game.faults().first() {
        return Err(describe(game.core(), fault));
    }
    game.pause_at(Some(1));
    Ok(game)
}

struct Walk<'c> {
    id: EntryId,
    title: &'c str,
    before: Standing,
    left: usize,
    fights: bool,
}

/// Something that is tried out.
struct Moment<'g> {
    game: &'g Game,
    answer: Option<&'g Answer>,
    deep: usize,
    /// How many numbers chance has said before.
    said: usize,
}

impl Walk<'_> {
    /// What comes of an answer, or of going on, whatever chance says. What it has said before, it says again: the step begins
    /// anew with the answer.
    fn falls(&mut self, game: &Game, answer: Option<&Answer>, deep: usize, before: &[u32]) -> Node {
        let mut found = Vec::new();
        let from = Moment {
            game,
            answer,
            deep,
            said: before.len(),
        };
        self.fall(&from, &mut before.to_vec(), (1, 1), &mut found);
        if found.len() == 1 {
            found.remove(0).then
        } else {
            Node::Falls(found)
        }
    }

    fn fall(
        &mut self,
        from: &Moment,
        numbers: &mut Vec<u32>,
        share: (u64, u64),
        found: &mut Vec<Fall>,
    ) {
        let node = match self.left.checked_sub(1) {
            None => Node::Cut("too much to go through"),
            Some(left) => {
                self.left = left;
                let mut next = from.game.clone();
                next.force_lots(numbers);
                let status = match from.answer {
                    Some(answer) => next.answer(answer.clone()),
                    None => Ok(next.run()),
                };
                if let Some(below) = next.lots().get(numbers.len()).copied() {
                    let sides = sides(below);
                    let part = share.1.saturating_mul(sides.len() as u64);
                    for side in sides {
                        numbers.push(side);
                        self.fall(from, numbers, (share.0, part), found);
                        numbers.pop();
                    }
                    return;
                }
                status.map_or(Node::Cut("such an answer does not fit"), |status| {
                    self.node(&next, status, from.deep, numbers)
                })
            }
        };
        let rolled: Vec<u32> = if let [one] = numbers[from.said..] {
            vec![one + 1]
        } else {
            Vec::new()
        };
        match found.iter_mut().find(|fall| fall.then == node) {
            Some(fall) => {
                fall.share = sum(fall.share, share);
                fall.numbers.extend(rolled);
            }
            None => found.push(Fall {
                share,
                numbers: rolled,
                then: node,
            }),
        }
    }

    fn node(&mut self, game: &Game, status: Status, deep: usize, numbers: &[u32]) -> Node {
        if status != Status::Asking {
            return Node::Ends(self.changes(game));
        }
        let (Some(ask), Some(decision)) = (game.pending(), game.decision()) else {
            return Node::Cut("nobody is asked");
        };
        if !self.fights && !game.state().fights.is_empty() {
            return Node::Cut("a fight begins");
        }
        let Some(deep) = deep.checked_sub(1) else {
            return Node::Cut("more is asked");
        };
        let who = decision
            .seats
            .first()
            .map(|seat| crate::game::names::seat(game.core(), *seat))
            .unwrap_or_default();
        let mut answers: Vec<Line> = Vec::new();
        for (label, answer) in answers_to(ask, &decision.options) {
            let then = self.falls(game, Some(&answer), deep, numbers);
            match answers
                .iter_mut()
                .find(|line| line.then.as_ref() == Some(&then))
            {
                Some(line) => line.alike += 1,
                None => answers.push(Line {
                    label,
                    alike: 1,
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
            answers.push(Line {
                label: option.label.clone(),
                alike: 1,
                closed: option.closed.clone(),
                then: None,
            });
        }
        Node::Asks(Question {
            who,
            prompt: decision.prompt,
            answers,
        })
    }

    fn changes(&self, game: &Game) -> Vec<String> {
        let core = game.core();
        let faults = core
            .faults
            .iter()
            .map(|fault| format!("a script failed: {}", describe(core, fault)));
        let over = core
            .state
            .over
            .is_some()
            .then(|| "the game is over".to_owned());
        let now = Standing::without(core, Some(self.id));
        let changes = self
            .before
            .changes(&now)
            .into_iter()
            .filter_map(|change| change.short("You", self.title));
        changes.chain(over).chain(faults).collect()
    }
}

/// The results of a die that are gone through.
fn sides(below: u32) -> Vec<u32> {
    if below <= MOST_SIDES {
        (0..below.max(1)).collect()
    } else {
        vec![0, below / 2, below - 1]
    }
}

/// Two shares together, in lowest terms.
fn sum(one: (u64, u64), other: (u64, u64)) -> (u64, u64) {
    let upper = one
        .0
        .saturating_mul(other.1)
        .saturating_add(other.0.saturating_mul(one.1));
    let lower = one.1.saturating_mul(other.1);
    let (mut a, mut b) = (upper, lower);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (upper / a.max(1), lower / a.max(1))
}

/// The answers that are gone through, with their words: every option; of several to pick, the first ones.
fn answers_to(ask: &Ask, options: &[crate::game::Choice]) -> Vec<(String, Answer)> {
    let open: Vec<usize> = ask.open().collect();
    let number = |ix: usize| cast::<_, i64>(ix);
    let label = |ix: usize| {
        options
            .get(ix)
            .map(|option| option.label.clone())
            .unwrap_or_default()
    };
    // Equal ones count one by one.
    let each: Vec<i64> = open
        .iter()
        .flat_map(|ix| std::iter::repeat_n(number(*ix), ask.options[*ix].count()))
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
    let picked: Vec<(String, Picks)> = match ask.form {
        Form::One => open
            .iter()
            .map(|ix| (label(*ix), Picks::One(number(*ix))))
            .collect(),
        Form::Some { min, max } => {
            let (min, max) = (usize::from(min), usize::from(max).min(each.len()));
            let counts = if min == max {
                vec![min]
            } else {
                vec![min, max]
            };
            counts.into_iter().map(first).collect()
        }
        Form::Order => vec![("in this order".to_owned(), first(each.len()).1)],
        Form::Amount { min, max } => {
            let all: Vec<i64> = if max - min <= MOST_AMOUNTS {
                (min..=max).collect()
            } else {
                vec![min, max]
            };
            all.into_iter()
                .map(|amount| (amount.to_string(), Picks::One(amount)))
                .collect()
        }
        Form::Split { total } => {
            let rest = ask.options.len().saturating_sub(1);
            let parts = std::iter::once(total)
                .chain(std::iter::repeat_n(0, rest))
                .collect();
            vec![("all to the first".to_owned(), Picks::Many(parts))]
        }
    };
    let seat = |picks: &Picks| match (&ask.form, picks) {
        (Form::One, Picks::One(ix)) => usize::try_from(*ix)
            .ok()
            .and_then(|ix| ask.options.get(ix)?.seat),
        _ => None,
    };
    let answer = |(words, picks): (String, Picks)| {
        let seat = seat(&picks).unwrap_or_else(|| ask.seat());
        (words, Answer::new(seat, picks))
    };
    picked.into_iter().map(answer).collect()
}

impl Tree {
    /// In words, indented.
    #[must_use]
    pub fn words(&self) -> String {
        let mut out = format!("{} ({})\n", self.title, self.name);
        for line in self.text.lines() {
            out.push_str(&format!("  {line}\n"));
        }
        write(&self.what, 1, &self.text, &mut out);
        out
    }

    /// How many moments were not followed.
    #[must_use]
    pub fn cut(&self) -> usize {
        cuts(&self.what)
    }
}

fn cuts(node: &Node) -> usize {
    match node {
        Node::Cut(_) => 1,
        Node::Ends(_) => 0,
        Node::Asks(question) => question
            .answers
            .iter()
            .filter_map(|line| line.then.as_ref())
            .map(cuts)
            .sum(),
        Node::Falls(falls) => falls.iter().map(|fall| cuts(&fall.then)).sum(),
    }
}

/// What stands behind an arrow, if it is short enough.
fn brief(node: &Node) -> Option<String> {
    match node {
        Node::Ends(changes) if changes.is_empty() => Some("nothing changes".to_owned()),
        Node::Ends(changes) => Some(changes.join(", ")),
        Node::Cut(why) => Some(format!("… ({why})")),
        _ => None,
    }
}

fn write(node: &Node, depth: usize, told: &str, out: &mut String) {
    let space = "  ".repeat(depth);
    match node {
        Node::Asks(question) => {
            // What the entry says is told above.
            let prompt = question.prompt.replace(told, "");
            out.push_str(&format!(
                "{space}? {}: {}\n",
                question.who,
                prompt.lines().next().unwrap_or_default().trim()
            ));
            for line in &question.answers {
                let alike = if line.alike > 1 {
                    format!(" (and {} more alike)", line.alike - 1)
                } else {
                    String::new()
                };
                let head = format!(
                    "{space}  - {}{alike}",
                    line.label.lines().next().unwrap_or_default()
                );
                match (&line.closed, &line.then) {
                    (Some(why), _) => out.push_str(&format!("{head} (closed: {why})\n")),
                    (None, Some(then)) => write_after(&head, then, depth + 2, told, out),
                    (None, None) => out.push_str(&format!("{head}\n")),
                }
            }
        }
        Node::Falls(falls) => {
            for fall in falls {
                let numbers: Vec<String> = fall.numbers.iter().map(u32::to_string).collect();
                let numbers = if numbers.is_empty() {
                    String::new()
                } else {
                    format!("{}: ", numbers.join(", "))
                };
                write_after(
                    &format!("{space}* {numbers}{}", percent(fall.share)),
                    &fall.then,
                    depth + 1,
                    told,
                    out,
                );
            }
        }
        node => out.push_str(&format!("{space}→ {}\n", brief(node).unwrap_or_default())),
    }
}

fn write_after(head: &str, then: &Node, depth: usize, told: &str, out: &mut String) {
    match brief(then) {
        Some(words) => out.push_str(&format!("{head} → {words}\n")),
        None => {
            out.push_str(&format!("{head}\n"));
            write(then, depth, told, out);
        }
    }
}

/// A share in words: `1 in 6`, `33 %`.
pub(super) fn percent((upper, lower): (u64, u64)) -> String {
    match (upper, lower) {
        (1, lower) => format!("1 in {lower}"),
        (upper, lower) if lower <= 12 => format!("{upper} in {lower}"),
        (upper, lower) => format!(
            "{} %",
            (u128::from(upper) * 100 + u128::from(lower) / 2) / u128::from(lower.max(1))
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        assert_eq!(sum((1, 6), (1, 6)), (1, 3));
        assert_eq!(sum((1, 36), (35, 36)), (1, 1));
        assert_eq!(
            (percent((1, 6)), percent((5, 6)), percent((7, 36))),
            ("1 in 6".into(), "5 in 6".into(), "19 %".into())
        );
    }
}

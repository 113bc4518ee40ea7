//! Explores an entry again with other values of the flags that its scripts read.

use super::outcomes::{OutcomeNode, OutcomeVariant};
use crate::content::{Bound, CounterId};
use crate::game::{Entity, Game, names};

/// The maximum number of combinations of values. If there are more, flags are varied one by one.
const MAX_COMBINATIONS: usize = 32;
/// Flags with more values than this are not varied.
const MAX_VALUES: i64 = 8;

/// A flag that has another value: its owner, itself and its number.
type FlagValue = (Entity, CounterId, i64);

/// The outcomes that differ from those with the present values. `explore` returns the outcomes of a
/// game and the flags that its scripts have read: another value may lead to further flags.
pub fn variants(
    game: &Game,
    base: &OutcomeNode,
    mut flags: Vec<(Entity, CounterId)>,
    explore: impl Fn(&Game) -> (OutcomeNode, Vec<(Entity, CounterId)>),
) -> Vec<OutcomeVariant> {
    let mut found: Vec<OutcomeVariant> = Vec::new();
    let mut tried: Vec<Vec<FlagValue>> = Vec::new();
    loop {
        let all = combinations(game, &flags);
        let Some(values) = all.into_iter().find(|values| !tried.contains(values)) else {
            return found;
        };
        let mut other = game.clone();
        for (entity, flag, number) in &values {
            other.store_counter(*entity, *flag, *number);
        }
        let (root, read) = explore(&other);
        for flag in read {
            if !flags.contains(&flag) {
                flags.push(flag);
            }
        }
        if root != *base {
            let row = values.iter().map(|value| setting(game, *value)).collect();
            match found.iter_mut().find(|variant| variant.root == root) {
                Some(variant) => variant.add(row),
                None => found.push(OutcomeVariant {
                    with: vec![row],
                    root,
                }),
            }
        }
        tried.push(values);
    }
}

/// Every combination of values but the present one.
fn combinations(game: &Game, flags: &[(Entity, CounterId)]) -> Vec<Vec<FlagValue>> {
    let others: Vec<Vec<FlagValue>> = (flags.iter())
        .map(|(entity, flag)| other_values(game, *entity, *flag))
        .filter(|values| !values.is_empty())
        .collect();
    let count: usize = others.iter().map(|values| values.len() + 1).product();
    if count > MAX_COMBINATIONS {
        return others
            .into_iter()
            .flatten()
            .map(|value| vec![value])
            .collect();
    }
    let mut all = vec![Vec::new()];
    for values in &others {
        let changed = |row: &Vec<FlagValue>| {
            let with = |value: &FlagValue| row.iter().copied().chain([*value]).collect();
            values.iter().map(with).collect::<Vec<Vec<FlagValue>>>()
        };
        all = all
            .iter()
            .flat_map(|row| [vec![row.clone()], changed(row)].concat())
            .collect();
    }
    all.retain(|row| !row.is_empty());
    // With fewer values first, further values that change nothing more are left out.
    all.sort_by_key(Vec::len);
    all
}

/// The other values of a flag.
fn other_values(game: &Game, entity: Entity, flag: CounterId) -> Vec<FlagValue> {
    let context = game.context();
    let content = context.content();
    let now = i64::from(context.state.base(content, entity, flag));
    let def = &content.counters[flag.ix()];
    let (Some(min), Some(max)) = (fixed(Some(def.min)), fixed(def.max)) else {
        return Vec::new();
    };
    if max - min >= MAX_VALUES {
        return Vec::new();
    }
    let others = (min..=max).filter(|number| *number != now);
    others.map(|number| (entity, flag, number)).collect()
}

fn fixed(bound: Option<Bound>) -> Option<i64> {
    match bound? {
        Bound::Fixed(number) => Some(number.into()),
        Bound::Counter(_) => None,
    }
}

/// A value as `--with` takes it.
fn setting(game: &Game, (entity, flag, number): FlagValue) -> String {
    let content = game.context().content();
    let name = &content.entry(content.counters[flag.ix()].entry).id;
    let owner = match entity {
        Entity::Table => "table".to_owned(),
        Entity::Seat(seat) => (seat.0 + 1).to_string(),
        entity => names::entity(game.context(), entity),
    };
    format!("{owner}.{name}={}", content.flag_typed(flag, number))
}

impl OutcomeVariant {
    /// Adds a row of values, unless a shorter one already leads to the same outcomes.
    fn add(&mut self, row: Vec<String>) {
        let covers = |known: &Vec<String>| known.iter().all(|value| row.contains(value));
        if !self.with.iter().any(covers) {
            self.with.push(row);
        }
    }
}

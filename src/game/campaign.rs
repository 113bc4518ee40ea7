//! Campaigns: what a finished game carries over to the next one.

use super::lookup;
use super::play::Game;
use super::setup::InitialState;
use super::state::{Entity, State};
use crate::content::{Content, CounterId, EntryId, HookId, PieceId, SeatId, ZoneId};
use crate::value::Value;

/// A finished game of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignStep {
    /// What the next game starts with.
    pub carried: InitialState,
    /// The id of the next scenario; `None` if the campaign is over.
    pub next: Option<String>,
}

/// The end of a game of a campaign: runs the script `end`, takes what is carried over, and chooses
/// the next scenario: the first one after `scenario` whose `when` returns true. The game itself does
/// not change.
///
/// # Errors
/// Returns a message if the packs have no such campaign or scenario, or the fault of a script.
pub fn finish(game: &Game, campaign: &str, scenario: &str) -> Result<CampaignStep, String> {
    let id = game.content().find(campaign);
    let id = id.ok_or_else(|| format!("the packs have no campaign `{campaign}`"))?;
    let mut last = game.clone();
    if let Some(end) = script(last.content(), id, "end") {
        last.run_read_only(end, id, Some(SeatId(0)), Value::Unit)?;
    }
    let scenarios = last.content().entry(id).field("scenario").cloned();
    let scenarios = scenarios.unwrap_or_default();
    let is_played = |row: &Value| row.get("id").and_then(Value::text) == Some(scenario);
    let at = scenarios.list().iter().position(is_played);
    let at = at.ok_or_else(|| format!("the campaign `{campaign}` has no scenario `{scenario}`"))?;
    let mut next = None;
    for row in &scenarios.list()[at + 1..] {
        if applies(&mut last, id, row)? {
            next = row.get("id").and_then(Value::text).map(str::to_owned);
            break;
        }
    }
    Ok(CampaignStep {
        carried: carried(&last, id),
        next,
    })
}

/// A script of an entry.
fn script(content: &Content, entry: EntryId, field: &str) -> Option<HookId> {
    match content.entry(entry).field(field) {
        Some(Value::Script(hook)) => Some(*hook),
        _ => None,
    }
}

/// The script that runs at the start of each game of a campaign.
pub(super) fn start_script(content: &Content, campaign: &str) -> Option<(EntryId, HookId)> {
    let id = content.find(campaign)?;
    Some((id, script(content, id, "start")?))
}

fn applies(game: &mut Game, id: EntryId, row: &Value) -> Result<bool, String> {
    let Some(Value::Script(when)) = row.get("when") else {
        return Ok(true);
    };
    let value = game.run_read_only(*when, id, Some(SeatId(0)), Value::Unit)?;
    Ok(matches!(value, Value::Bool(true)))
}

/// The counters, flags and zones that the next game starts with: those in `carry`, and the flags of
/// the campaign.
fn carried(game: &Game, id: EntryId) -> InitialState {
    let context = game.context();
    let content = context.content();
    let mut state = InitialState::default();
    let pack = content.entry(id).pack;
    let names = content
        .entry(id)
        .field("carry")
        .cloned()
        .unwrap_or_default();
    let named = names.list().iter().filter_map(Value::text);
    let symbols: Vec<_> = named.map(|name| content.symbol_in(pack, name)).collect();
    let seats = (0..context.state.seats).map(|seat| Entity::Seat(SeatId(seat)));
    let owners: Vec<Entity> = std::iter::once(Entity::Table).chain(seats).collect();
    for counter in (0..content.counters.len()).map(CounterId::at) {
        let is_named = symbols.iter().any(|own| own.counter == Some(counter));
        if is_named || content.counters[counter.ix()].of_campaign {
            for entity in &owners {
                carry_counter(&context.state, content, (*entity, counter), &mut state);
            }
        }
    }
    for zone in symbols.iter().filter_map(|own| own.zone) {
        for entity in &owners {
            carry_zone(game, (*entity, zone), &mut state);
        }
    }
    state
}

fn carry_counter(
    game: &State,
    content: &Content,
    (entity, counter): (Entity, CounterId),
    state: &mut InitialState,
) {
    if State::counter_at(content, entity, counter).is_none() {
        return;
    }
    let number = i64::from(game.base(content, entity, counter));
    let path = path(content, entity, content.counters[counter.ix()].entry);
    match content.flag(counter) {
        Some(_) => state
            .flags
            .push((path, content.flag_typed(counter, number))),
        None => state.counters.push((path, number)),
    }
}

fn carry_zone(game: &Game, (entity, zone): (Entity, ZoneId), state: &mut InitialState) {
    let (context, content) = (game.context(), game.content());
    let Some(at) = context.state.zones.at(content, entity, zone) else {
        return;
    };
    let pieces = context.state.zones.pieces(at).iter();
    let entries = pieces.map(|piece| content.entry(context.entry_of(PieceId(*piece))));
    let names = entries.map(|entry| entry.name.to_string()).collect();
    let path = path(content, entity, content.zones[zone.ix()].entry);
    state.zones.push((path, names));
}

/// `1.pack:coins`, as journals write it.
fn path(content: &Content, entity: Entity, entry: EntryId) -> String {
    let def = content.entry(entry);
    let pack = &content.packs[usize::from(def.pack)].id;
    let owner = match entity {
        Entity::Seat(seat) => (seat.0 + 1).to_string(),
        _ => "table".to_owned(),
    };
    format!("{owner}.{pack}:{}", def.id)
}

impl InitialState {
    /// The part of this state that a game can start with: the next scenario may lack some of the
    /// counters, zones, pieces or seats.
    #[must_use]
    pub fn fitting(&self, content: &Content, seats: u8) -> InitialState {
        let known = |path: &str, is: &dyn Fn(crate::content::Owner, &str) -> bool| {
            let (owner, name) = super::initial::split_path(path);
            lookup::owner(content, seats, owner).is_ok_and(|owner| is(owner.owner(), name))
        };
        let has_counter = |path: &str| {
            known(path, &|owner, name| {
                lookup::counter(content, owner, name).is_ok()
            })
        };
        let has_flag = |(path, value): &&(String, String)| {
            known(path, &|owner, name| {
                lookup::flag(content, owner, name, value).is_ok()
            })
        };
        let has_zone = |path: &str| {
            known(path, &|owner, name| {
                lookup::zone(content, owner, name).is_ok()
            })
        };
        let mut state = InitialState::default();
        let counters = self.counters.iter().filter(|(path, _)| has_counter(path));
        state.counters = counters.cloned().collect();
        state.flags = self.flags.iter().filter(has_flag).cloned().collect();
        for (path, ids) in self.zones.iter().filter(|(path, _)| has_zone(path)) {
            let ids = ids.iter().filter(|id| lookup::entry(content, id).is_ok());
            state.zones.push((path.clone(), ids.cloned().collect()));
        }
        state
    }

    /// Adds the values of a later state; where both have a value, the later one counts.
    pub fn update(&mut self, later: &InitialState) {
        fn merge<T: Clone>(rows: &mut Vec<(String, T)>, later: &[(String, T)]) {
            rows.retain(|(path, _)| later.iter().all(|(other, _)| other != path));
            rows.extend_from_slice(later);
        }
        merge(&mut self.counters, &later.counters);
        merge(&mut self.flags, &later.flags);
        merge(&mut self.zones, &later.zones);
    }
}

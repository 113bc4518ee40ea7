//! The initial state of a game as data: from a case's setup, from `--at` and `--with`, or from the
//! header of a journal.

use serde::{Serialize, Serializer};

use super::context::{Cx, HookCall, StepResult, run_hook};
use super::lookup::{self, NamedOwner};
use super::moves;
use super::setup::InitialState;
use super::state::{Frame, FrameKind};
use super::{counter, query, travel};
use crate::content::{Content, CounterId, EntryId, PlaceId, SeatId, ZoneId};
use crate::value::Value;

/// The prefix of a fault's message if the initial state names something that does not exist.
pub(crate) const FAULT_PREFIX: &str = "initial state: ";

/// An [`InitialState`] with its names resolved.
pub(crate) struct ResolvedState {
    start: Option<EntryId>,
    zones: Vec<(NamedOwner, ZoneId, Vec<EntryId>)>,
    places: Vec<(SeatId, PlaceId)>,
    /// Counters and flags.
    counters: Vec<(NamedOwner, CounterId, i64)>,
}

impl InitialState {
    /// Whether nothing is set, so that the game starts as its mode defines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == InitialState::default()
    }

    /// Resolves all names.
    ///
    /// # Errors
    /// Returns the first unknown name, with a suggestion.
    pub(crate) fn resolve(&self, content: &Content, seats: u8) -> Result<ResolvedState, String> {
        let zone = |(path, ids): &(String, Vec<String>)| {
            let (owner, name) = owner_and_name(content, seats, path)?;
            let zone = lookup::zone(content, owner.owner(), name)?;
            let entries: Result<_, String> =
                ids.iter().map(|id| lookup::entry(content, id)).collect();
            Ok((owner, zone, entries?))
        };
        let place = |(seat, place): &(String, String)| {
            let seat = lookup::only_seat(seats, seat)?;
            Ok((seat, lookup::place(content, place)?))
        };
        let counter = |(path, value): &(String, i64)| {
            let (owner, name) = owner_and_name(content, seats, path)?;
            let counter = lookup::counter(content, owner.owner(), name)?;
            Ok((owner, counter, *value))
        };
        let flag = |(path, typed): &(String, String)| {
            let (owner, name) = owner_and_name(content, seats, path)?;
            let (flag, value) = lookup::flag(content, owner.owner(), name, typed)?;
            Ok((owner, flag, value))
        };
        let (counters, flags) = (self.counters.iter(), self.flags.iter());
        let start = self.start.as_deref();
        Ok(ResolvedState {
            start: start.map(|name| startable(content, name)).transpose()?,
            zones: self.zones.iter().map(zone).collect::<Result<_, String>>()?,
            places: self
                .places
                .iter()
                .map(place)
                .collect::<Result<_, String>>()?,
            counters: counters
                .map(counter)
                .chain(flags.map(flag))
                .collect::<Result<_, String>>()?,
        })
    }

    /// The rows for a journal's header, each without its keyword `setup`.
    pub(crate) fn rows(&self) -> Vec<String> {
        let mut rows = Vec::new();
        rows.extend(self.start.iter().map(|entry| format!("start {entry}")));
        rows.extend(self.zones.iter().map(|(path, ids)| {
            let words: Vec<&str> = [path].into_iter().chain(ids).map(String::as_str).collect();
            format!("zone {}", words.join(" "))
        }));
        let places = self.places.iter();
        rows.extend(places.map(|(seat, place)| format!("place {seat} {place}")));
        let counters = self.counters.iter();
        rows.extend(counters.map(|(path, value)| format!("counter {path} {value}")));
        let flags = self.flags.iter();
        rows.extend(flags.map(|(path, value)| format!("flag {path} {value}")));
        rows.extend(self.script.iter().map(|script| format!("script {script}")));
        rows
    }

    /// Reads one of [`InitialState::rows`].
    pub(crate) fn read_row(&mut self, row: &str) -> Result<(), String> {
        let (what, rest) = row.split_once(' ').unwrap_or((row, ""));
        let words: Vec<&str> = rest.split(' ').filter(|word| !word.is_empty()).collect();
        match (what, &words[..]) {
            ("script", _) => self.script = Some(rest.to_owned()),
            ("start", [entry]) => self.start = Some((*entry).to_owned()),
            ("zone", [path, ids @ ..]) => {
                let ids = ids.iter().map(|id| (*id).to_owned()).collect();
                self.zones.push(((*path).to_owned(), ids));
            }
            ("place", [seat, place]) => {
                self.places.push(((*seat).to_owned(), (*place).to_owned()));
            }
            ("counter", [path, value]) => {
                let value = value
                    .parse()
                    .map_err(|_| format!("`{value}` is not a number"))?;
                self.counters.push(((*path).to_owned(), value));
            }
            ("flag", [path, value]) => {
                self.flags.push(((*path).to_owned(), (*value).to_owned()));
            }
            _ => return Err(format!("`setup {row}` is not understood")),
        }
        Ok(())
    }
}

impl ResolvedState {
    /// Changes a game that was set up into this state. The `prepare` script of a `[[start]]` runs
    /// first, so that everything else can override it.
    pub(super) fn apply(self, cx: &mut Cx) -> StepResult {
        let first = SeatId(0);
        let mut places = self.places;
        if let Some(entry) = self.start {
            cx.state.first = first.0;
            if cx.content().start_of(entry).is_some() {
                start_at(cx, entry)?;
            } else if let Some(place) = cx.content().entry(entry).place {
                places.insert(0, (first, place));
            }
        }
        let mut plan = Vec::new();
        for (owner, zone, entries) in self.zones {
            let entity = entity(cx, owner)?;
            let Some(at) = moves::nearest_zone(cx, entity, zone) else {
                let zone = cx.content().zone_title(zone).to_owned();
                return Err(cx.fault(format!("{FAULT_PREFIX}there is no zone {zone}")));
            };
            plan.push((at, entries));
        }
        if !plan.is_empty() {
            moves::lay_out(cx, plan)?;
        }
        for (seat, place) in places {
            travel::travel(cx, seat, place)?;
        }
        for (owner, counter, value) in self.counters {
            let entity = entity(cx, owner)?;
            let now = query::counter_value(cx, entity, counter)?;
            counter::change(cx, entity, counter, value - now)?;
        }
        Ok(())
    }
}

fn entity(cx: &Cx, owner: NamedOwner) -> StepResult<super::state::Entity> {
    lookup::entity(cx, owner).map_err(|reason| cx.fault(format!("{FAULT_PREFIX}{reason}")))
}

/// Splits `1.coins` into owner and name; a name without an owner belongs to the table.
pub(crate) fn split_path(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or(("table", path))
}

fn owner_and_name<'p>(
    content: &Content,
    seats: u8,
    path: &'p str,
) -> Result<(NamedOwner, &'p str), String> {
    let (owner, name) = split_path(path);
    Ok((lookup::owner(content, seats, owner)?, name))
}

/// Resolves an entry that a game can start at: a place, a role, or an entry whose kind has a
/// `[[start]]`.
///
/// # Errors
/// Returns a message if the entry does not exist, or if the pack lacks a `[[start]]` for its kind.
pub(crate) fn startable(content: &Content, name: &str) -> Result<EntryId, String> {
    let id = lookup::entry(content, name)?;
    let entry = content.entry(id);
    let is_role = content
        .mode
        .as_ref()
        .is_some_and(|mode| mode.roles == Some(entry.kind));
    if content.start_of(id).is_some() || entry.place.is_some() || is_role {
        Ok(id)
    } else {
        Err(cannot_start(content, id))
    }
}

/// Explains why no game can start at an entry, and how to fix it.
pub(crate) fn cannot_start(content: &Content, id: EntryId) -> String {
    let entry = content.entry(id);
    let kind = &content.kinds[entry.kind.ix()].id;
    match &entry.action {
        Some(action) if !action.windows.is_empty() && entry.place.is_none() => {
            let window = content.phases[action.windows[0].ix()].entry;
            format!(
                "{} is an action: play without `--at` and choose it from the menu “{}”",
                entry.title,
                content.entry(window).title
            )
        }
        _ => format!(
            "no [[start]] says how a game starts at `{kind}/{}`; add one to the pack, for example\n\n    [[start]]\n    \
             id = \"at-{kind}\"\n    of = \"{kind}\"\n    do = 'create(entry, actor.hand);'",
            entry.id
        ),
    }
}

/// Starts at an entry, as the `[[start]]` of its kind defines. Its `prepare` script runs at once;
/// the rest is queued until this step is over.
///
/// # Errors
/// Returns a fault if the kind has no `[[start]]`, and any fault of `prepare`.
pub fn start_at(cx: &mut Cx, entry: EntryId) -> StepResult {
    let Some(start) = cx.content().start_of(entry).copied() else {
        let kind = &cx.content().kinds[cx.content().entry(entry).kind.ix()].id;
        return Err(cx.fault(format!("no [[start]] says how a game starts at a {kind}")));
    };
    let (seat, argument) = (cx.actor.unwrap_or(SeatId(0)), Value::Entry(entry));
    if let Some(hook) = start.prepare {
        let call = HookCall {
            hook,
            entry: start.entry,
            it: None,
            owner: None,
            actor: Some(seat),
            argument: argument.clone(),
            effect: None,
            question_count: 0,
            run: 0,
        };
        run_hook(cx, call)?;
    }
    cx.queue.push(Frame {
        kind: FrameKind::Call { hook: start.run },
        seat,
        piece: None,
        argument,
    });
    Ok(())
}

/// Serializes rows as a map, in their order.
pub(super) fn as_map<T: Serialize, S: Serializer>(
    rows: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rows.iter().map(|(name, value)| (name, value)))
}

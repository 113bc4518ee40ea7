//! Runs a script in a snapshot recorded for another script, with a piece of that snapshot as a
//! stand-in.

use super::snapshots::{RecordedSnapshot, SnapshotKind, Snapshots, snapshot_kinds};
use crate::content::{Content, EntryId, HookId, HookRole, Owner, PieceId};
use crate::game::{Entity, HookCall, HookSnapshot, State};
use crate::value::Value;

/// How to run a script in a snapshot.
pub struct StagedHook {
    pub call: HookCall,
    /// The stand-in, and the entry and face that it gets.
    pub replacement: Option<(PieceId, EntryId, u8)>,
    /// Whether the snapshot was recorded for this script.
    pub own: bool,
}

impl StagedHook {
    /// Turns the stand-in into the piece that the script expects.
    pub fn apply(&self, state: &mut State) {
        if let Some((piece, entry, face)) = self.replacement {
            state.pieces[piece.ix()].entry = entry;
            state.pieces[piece.ix()].face = face;
        }
    }
}

/// Snapshots for a hook, best first: its own, those of the same script of other entries, and those
/// of the same event or window.
pub fn snapshots_for(
    content: &Content,
    snapshots: &Snapshots,
    hook: HookId,
    max: usize,
) -> Vec<(usize, StagedHook)> {
    let mut list: Vec<(usize, StagedHook)> = Vec::new();
    let mut kinds = snapshot_kinds(content, hook);
    // A script in a table of an entry can run in the snapshots of other such scripts, whatever their
    // keys.
    let def = &content.hooks[hook.ix()];
    if let (HookRole::Do, Some((first, last))) = (def.role, def.name.rsplit_once('.'))
        && first != "then"
    {
        let is_similar = |kind: &&SnapshotKind| matches!(kind, SnapshotKind::Slot(_, slot) if slot.ends_with(&format!(".{last}")));
        kinds.extend(snapshots.by.keys().filter(is_similar).cloned());
    }
    for kind in kinds {
        for &at in snapshots
            .by
            .get(&kind)
            .map(Vec::as_slice)
            .unwrap_or_default()
        {
            if list.len() >= max {
                return list;
            }
            if !list.iter().any(|(other, _)| *other == at)
                && let Some(staged) = stage(content, &snapshots.all[at], hook)
            {
                list.push((at, staged));
            }
        }
    }
    list
}

/// Stages a hook in a recorded snapshot; `None` if the snapshot does not suit it.
fn stage(content: &Content, recorded: &RecordedSnapshot, hook: HookId) -> Option<StagedHook> {
    let snapshot = &recorded.snapshot;
    let mut call = snapshot.call()?.clone();
    if call.hook == hook {
        return Some(StagedHook {
            call,
            replacement: None,
            own: true,
        });
    }
    let def = &content.hooks[hook.ix()];
    let entry = content.entry(def.entry);
    let there = &content.hooks[call.hook.ix()];
    // Values passed to a menu line, to a follow-up or at the start of an effect are only valid for
    // the script they were passed to.
    let has_list = |id: EntryId| {
        content
            .entry(id)
            .action
            .as_deref()
            .is_some_and(|action| action.each.is_some())
    };
    if call.argument != Value::Unit
        || call.effect.is_some()
        || has_list(def.entry) && matches!(def.role, HookRole::Can | HookRole::Do)
    {
        return None;
    }
    let kind = &content.kinds[entry.kind.ix()];
    if &*kind.id == "effect" || there.role.read_only() && !def.role.read_only() {
        return None;
    }
    (call.hook, call.entry) = (hook, def.entry);
    let replacement = if kind.is_piece {
        Some(stand_in(content, snapshot, &call, hook)?)
    } else {
        None
    };
    if let Some((piece, _, _)) = replacement {
        call.it = Some(piece);
        call.owner = owner_of(content, &snapshot.state, piece).or(call.owner);
    } else if call.it.is_some() {
        return None;
    }
    Some(StagedHook {
        call,
        replacement,
        own: false,
    })
}

/// The piece that can stand in for the piece of the hook.
fn stand_in(
    content: &Content,
    snapshot: &HookSnapshot,
    call: &HookCall,
    hook: HookId,
) -> Option<(PieceId, EntryId, u8)> {
    let def = &content.hooks[hook.ix()];
    let face = content
        .entry(def.entry)
        .faces
        .iter()
        .position(|face| def.name.starts_with(&format!("face.{}.", face.name)));
    let face = face.map_or(0, |ix| crate::number::cast::<_, u8>(ix + 1));
    let kind = content.entry(def.entry).kind;
    let fits =
        |piece: &PieceId| content.entry(snapshot.state.pieces[piece.ix()].entry).kind == kind;
    let about_itself = def.name.contains(".self_");
    let piece = if about_itself {
        snapshot.events.last()?.piece.filter(fits)
    } else {
        call.it
            .filter(fits)
            .or_else(|| listening(content, &snapshot.state, call).find(fits))
    };
    Some((piece?, def.entry, face))
}

/// The pieces of the acting player in listening zones, then all fighters.
fn listening<'s>(
    content: &'s Content,
    state: &'s State,
    call: &HookCall,
) -> impl Iterator<Item = PieceId> + use<'s> {
    let seat = call.owner.or(call.actor);
    let zones = seat.into_iter().flat_map(move |seat| {
        let zones = content.listening_zones[Owner::Seat].iter();
        zones.filter_map(move |zone| state.zones.at(content, Entity::Seat(seat), *zone))
    });
    let pieces = zones
        .flat_map(|at| state.zones.pieces(at))
        .map(|piece| PieceId(*piece));
    let fighters = state.fights.iter().flat_map(|fight| &fight.fighters);
    let fighting = fighters.filter_map(|fighter| {
        if let Entity::Piece(piece) = fighter.who {
            Some(piece)
        } else {
            None
        }
    });
    pieces.chain(fighting)
}

fn owner_of(content: &Content, state: &State, piece: PieceId) -> Option<crate::content::SeatId> {
    state
        .zones
        .def(content, state.zones.zone_of(piece))
        .and_then(|(of, _)| of.seat())
}

//! Runs a script in a scene recorded for another script, with a piece of that scene as a stand-in.

use super::scenes::{RecordedScene, SceneKind, Scenes, scene_kinds};
use crate::content::{Content, EntryId, HookId, HookRole, Owner, PieceId};
use crate::game::{Entity, HookCall, Scene, State};
use crate::value::Value;

/// How to run a script in a scene.
pub struct StagedScene {
    pub call: HookCall,
    /// The stand-in, and the entry and face that it gets.
    pub replacement: Option<(PieceId, EntryId, u8)>,
    /// Whether the scene was recorded for this script.
    pub own: bool,
}

impl StagedScene {
    /// Turns the stand-in into the piece that the script expects.
    pub fn apply(&self, state: &mut State) {
        if let Some((piece, entry, face)) = self.replacement {
            state.pieces[piece.ix()].entry = entry;
            state.pieces[piece.ix()].face = face;
        }
    }
}

/// Scenes for a hook, best first: its own, those of the same script of other entries, and those of
/// the same event or window.
pub fn scenes_for(
    content: &Content,
    scenes: &Scenes,
    hook: HookId,
    max: usize,
) -> Vec<(usize, StagedScene)> {
    let mut list: Vec<(usize, StagedScene)> = Vec::new();
    let mut kinds = scene_kinds(content, hook);
    // A script in a table of an entry can run in the scenes of other such scripts, whatever their
    // keys.
    let def = &content.hooks[hook.ix()];
    if let (HookRole::Do, Some((first, last))) = (def.role, def.name.rsplit_once('.'))
        && first != "then"
    {
        let is_similar = |kind: &&SceneKind| matches!(kind, SceneKind::Slot(_, slot) if slot.ends_with(&format!(".{last}")));
        kinds.extend(scenes.by.keys().filter(is_similar).cloned());
    }
    for kind in kinds {
        for &at in scenes.by.get(&kind).map(Vec::as_slice).unwrap_or_default() {
            if list.len() >= max {
                return list;
            }
            if !list.iter().any(|(other, _)| *other == at)
                && let Some(staged) = stage(content, &scenes.all[at], hook)
            {
                list.push((at, staged));
            }
        }
    }
    list
}

/// Stages a hook in a recorded scene; `None` if the scene does not suit it.
fn stage(content: &Content, recorded: &RecordedScene, hook: HookId) -> Option<StagedScene> {
    let scene = &recorded.scene;
    let mut call = scene.call()?.clone();
    if call.hook == hook {
        return Some(StagedScene {
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
    if call.each != Value::Unit
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
        Some(stand_in(content, scene, &call, hook)?)
    } else {
        None
    };
    if let Some((piece, _, _)) = replacement {
        call.it = Some(piece);
        call.owner = owner_of(content, &scene.state, piece).or(call.owner);
    } else if call.it.is_some() {
        return None;
    }
    Some(StagedScene {
        call,
        replacement,
        own: false,
    })
}

/// The piece that can stand in for the piece of the hook.
fn stand_in(
    content: &Content,
    scene: &Scene,
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
    let fits = |piece: &PieceId| content.entry(scene.state.pieces[piece.ix()].entry).kind == kind;
    let about_itself = def.name.contains(".self_");
    let piece = if about_itself {
        scene.events.last()?.piece.filter(fits)
    } else {
        call.it
            .filter(fits)
            .or_else(|| listening(content, &scene.state, call).find(fits))
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

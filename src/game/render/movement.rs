//! Renders moves of pieces as sentences. The properties of the two zones and their owners decide
//! what a move means.

use super::catalogue::{log, name};
use super::grammar::{self, with_article};
use super::log_line::NamesAt;
use super::names;
use crate::content::{PieceId, SeatId, SeatSet, SeenBy, ZoneDef, ZoneId};
use crate::game::context::StepContext;
use crate::game::log::{LogEvent, LogLine};
use crate::game::state::Entity;
use crate::game::zones::ZoneAt;

/// More pieces than this are counted instead of named when they move to a zone that nobody sees.
const MAX_NAMED: usize = 4;

/// A zone with its owner; `None` is the box.
type ZoneOrBox<'a> = Option<(Entity, ZoneId, &'a ZoneDef)>;

fn spot(context: &StepContext, at: ZoneAt) -> ZoneOrBox<'_> {
    let content = context.content();
    let (entity, zone) = context.state.zones.def(content, at)?;
    Some((entity, zone, &content.zones[zone.ix()]))
}

/// Whether a move is bookkeeping: pieces change positions within a zone, a pile is refilled, a
/// played combo is cleared, or a pack declares one of the zones quiet.
pub(super) fn is_bookkeeping(context: &StepContext, from: ZoneAt, to: ZoneAt) -> bool {
    let (source, target) = (spot(context, from), spot(context, to));
    let is_quiet = |spot: &ZoneOrBox| spot.is_some_and(|(_, _, def)| def.quiet);
    if from == to || is_quiet(&source) || is_quiet(&target) {
        return true;
    }
    let (Some((owner, zone, def)), Some((new_owner, new_zone, new_def))) = (source, target) else {
        return false;
    };
    let refills = owner == new_owner && new_def.refills_from == Some(zone);
    let holds_combo = |(_, played): (ZoneId, ZoneId)| played == zone;
    let mut phases = context
        .content()
        .phases
        .iter()
        .filter_map(|phase| phase.combo);
    refills || (def.discards_to == Some(new_zone) && phases.any(holds_combo))
}

/// The pieces of some moves in words. Equal pieces are counted; pieces that the reader did not know
/// are named by their kind.
pub(super) struct PieceList {
    text: String,
    is_plural: bool,
}

impl PieceList {
    /// The pieces that these lines move or show.
    pub(super) fn new(
        context: &StepContext,
        lines: &[&LogLine],
        reader: Option<SeatId>,
    ) -> PieceList {
        let (mut titles, mut nouns) = (Vec::new(), Vec::new());
        for line in lines {
            let (piece, known) = match line.event {
                LogEvent::Moved { piece, known, .. } | LogEvent::Created { piece, known, .. } => {
                    (piece, known)
                }
                LogEvent::Looked { piece, seats } => (piece, seats),
                _ => continue,
            };
            if reader.is_none_or(|reader| known.contains(reader)) {
                titles.push(NamesAt::new(context, line).piece(piece));
            } else {
                nouns.push(piece);
            }
        }
        let is_plural = titles.len() + nouns.len() > 1;
        let mut list = grammar::count_equal(titles.into_iter());
        if !nouns.is_empty() {
            list.push(count_pieces(context, &nouns));
        }
        PieceList {
            text: grammar::join_and(&list),
            is_plural,
        }
    }

    fn counted(context: &StepContext, lines: &[&LogLine]) -> PieceList {
        let pieces: Vec<PieceId> = lines
            .iter()
            .filter_map(|line| match line.event {
                LogEvent::Moved { piece, .. } => Some(piece),
                _ => None,
            })
            .collect();
        PieceList {
            text: count_pieces(context, &pieces),
            is_plural: pieces.len() > 1,
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) const fn is_plural(&self) -> bool {
        self.is_plural
    }
}

/// `3 cards`.
fn count_pieces(context: &StepContext, pieces: &[PieceId]) -> String {
    let amount = i64::try_from(pieces.len()).unwrap_or(i64::MAX);
    let noun = names::piece_noun(context, pieces);
    grammar::count(amount, noun.as_deref().unwrap_or(name::PIECE))
}

/// Moves from one zone to another as a sentence.
pub(super) fn describe_moves(
    context: &StepContext,
    lines: &[&LogLine],
    (from, to): (ZoneAt, ZoneAt),
    reader: Option<SeatId>,
) -> Option<String> {
    let names = NamesAt::new(context, lines.first()?);
    let is_hidden = |at| spot(context, at).is_some_and(|(_, _, def)| def.seen_by == SeenBy::Nobody);
    let pieces = if is_hidden(to) && lines.len() > MAX_NAMED {
        PieceList::counted(context, lines)
    } else {
        PieceList::new(context, lines, reader)
    };
    Some(describe(&names, &pieces, from, to))
}

fn describe(names: &NamesAt, pieces: &PieceList, from: ZoneAt, to: ZoneAt) -> String {
    let (source, target) = (spot(names.context, from), spot(names.context, to));
    let text = &pieces.text;
    let Some((owner, zone, def)) = target else {
        return log::is_removed(text, pieces.is_plural);
    };
    if let Some(sentence) = describe_policy(names, pieces, source, (owner, zone, def)) {
        return sentence;
    }
    let name_of = |entity| names.entity(entity);
    let target_name = || zone_name(names, target);
    match (source, owner) {
        (None, Entity::Seat(_)) => log::gets(&name_of(owner), text),
        (None, _) => log::is_added(text, pieces.is_plural, &target_name()),
        (Some((sender, ..)), Entity::Seat(_)) if sender == owner => {
            describe_own(names, text, source, (owner, zone, def))
        }
        (Some((sender @ Entity::Seat(_), ..)), Entity::Seat(_)) => {
            log::gets_from(&name_of(owner), text, &name_of(sender))
        }
        (Some(_), Entity::Seat(_)) => {
            log::takes_from(&name_of(owner), text, &zone_name(names, source))
        }
        (Some((sender @ Entity::Seat(_), ..)), _) => {
            log::puts_into(&name_of(sender), text, &target_name())
        }
        (Some((_, _, before)), _)
            if before.seen_by == SeenBy::Nobody && def.seen_by != SeenBy::Nobody =>
        {
            log::is_added(text, pieces.is_plural, &target_name())
        }
        _ => log::moves(
            text,
            pieces.is_plural,
            &zone_name(names, source),
            &target_name(),
        ),
    }
}

/// Renders a move whose meaning phases and zones declare: playing a combo, discarding.
fn describe_policy(
    names: &NamesAt,
    pieces: &PieceList,
    source: ZoneOrBox,
    (_, new_zone, _): (Entity, ZoneId, &ZoneDef),
) -> Option<String> {
    let (owner, zone, def) = source?;
    let text = &pieces.text;
    let is_play = |phase: &crate::content::PhaseDef| phase.combo == Some((zone, new_zone));
    let is_seat = matches!(owner, Entity::Seat(_));
    if is_seat && names.context.content().phases.iter().any(is_play) {
        return Some(log::plays(&names.entity(owner), text));
    }
    if def.discards_to != Some(new_zone) {
        return None;
    }
    Some(match (is_seat, def.seen_by) {
        (true, SeenBy::Nobody) => {
            let title = with_article(names.context.content().zone_title(zone));
            log::discards_from(&names.entity(owner), text, &title)
        }
        (true, _) => log::discards(&names.entity(owner), text),
        (false, _) => log::is_discarded(text, pieces.is_plural),
    })
}

/// A move between two zones of the same seat.
fn describe_own(
    names: &NamesAt,
    text: &str,
    source: ZoneOrBox,
    (owner, new_zone, def): (Entity, ZoneId, &ZoneDef),
) -> String {
    let content = names.context.content();
    let who = names.entity(owner);
    let Some((_, zone, _)) = source else {
        return log::gets(&who, text);
    };
    let title = |zone| with_article(content.zone_title(zone));
    match def.draws_from {
        Some(pile) if pile == zone => log::draws_piece(&who, text),
        Some(_) => log::takes_from(&who, text, &title(zone)),
        None if def.seen_by == SeenBy::Nobody => log::puts_into(&who, text, &title(new_zone)),
        None => log::moves_own(&who, text, &title(zone), &title(new_zone)),
    }
}

/// `the market`, `Bo's deck`, `the den of the quarry`.
fn zone_name(names: &NamesAt, spot: ZoneOrBox) -> String {
    let Some((entity, zone, _)) = spot else {
        return name::BOX.to_owned();
    };
    let title = names.context.content().zone_title(zone);
    match entity {
        Entity::Table => with_article(title),
        Entity::Seat(_) => {
            name::zone_of_player(&grammar::mid_sentence(title), &names.entity(entity))
        }
        entity => name::zone_of_thing(&with_article(title), &names.entity(entity)),
    }
}

/// Whether the reader knew the piece of a move.
pub(super) fn is_known(event: &LogEvent, reader: Option<SeatId>) -> bool {
    let known = match event {
        LogEvent::Moved { known, .. } => *known,
        _ => SeatSet::ALL,
    };
    reader.is_none_or(|reader| known.contains(reader))
}

//! The log in words: what each line says, to whom, and where its numbers came from.

use super::ask::Opt;
use super::cx::Core;
use super::decision::{fill_line, label_at};
use super::log::{Line, Part, What};
use super::names;
use super::state::{Entity, Op};
use super::val::Val;
use super::zones::ZoneAt;
use crate::content::{Entry, EntryId, PieceId, PlaceId, SeatId, SeatSet};

/// A line in words for a seat, or for someone who sees everything; `None` when there is nothing to tell that one, or when it
/// is bookkeeping.
#[must_use]
pub fn line(core: &Core, line: &Line, to: Option<SeatId>) -> Option<String> {
    if is_quiet(core, &line.what) {
        return None;
    }
    told(
        &Then {
            core,
            line,
            whole: false,
        },
        to,
    )
}

/// The same, bookkeeping and all, as it is noted rather than told: every owner and every draw, actions by their line of the menu,
/// entries by their ids. Cases rely on these words.
#[must_use]
pub fn whole(core: &Core, line: &Line, to: Option<SeatId>) -> Option<String> {
    told(
        &Then {
            core,
            line,
            whole: true,
        },
        to,
    )
}

fn told(then: &Then, to: Option<SeatId>) -> Option<String> {
    let text = sentence(then, &then.line.what, to)?;
    let parts = if then.whole {
        noted_parts(then.core, &then.line.parts)
    } else {
        parts(then.core, &then.line.parts)
    };
    Some(if parts.is_empty() {
        text
    } else {
        format!("{text} ({parts})")
    })
}

/// Whether a line is bookkeeping, by what the packs say.
#[must_use]
pub fn is_quiet(core: &Core, what: &What) -> bool {
    let content = core.content();
    let zone = |at: &ZoneAt| {
        core.state
            .zones
            .def(content, *at)
            .is_some_and(|(_, zone)| content.zones[zone.ix()].quiet)
    };
    match what {
        What::Counter { counter, .. } => content.counters[counter.ix()].quiet,
        What::Moved { from, to, .. } => zone(from) || zone(to),
        What::Created { to, .. } => zone(to),
        What::Shuffled { zone: at } => zone(at),
        What::Drew { amount, wanted, .. } => (*amount, *wanted) == (0, 0),
        // Where nobody has turns, what a round is called is the pack's to say.
        What::Round { .. } => content
            .mode
            .as_ref()
            .is_some_and(|mode| mode.turn.is_none()),
        // A change of a number, which its own entry explains; what has a name of its own is told.
        What::EffectBegan { entry, .. } => {
            content.kinds[content.entry(*entry).kind.ix()].id.as_ref() != "effect"
        }
        _ => false,
    }
}

/// The time of a line: what has changed since then is called what it was called then.
pub(super) struct Then<'a> {
    pub core: &'a Core,
    pub line: &'a Line,
    /// Whether an action is told by its line of the menu, whatever its pack wants to be told.
    pub whole: bool,
}

impl Then<'_> {
    /// Where a seat was.
    fn place(&self, seat: SeatId) -> Option<PlaceId> {
        let lines = &self.core.log.lines;
        let at = lines
            .iter()
            .position(|line| std::ptr::eq(line, self.line))
            .unwrap_or(lines.len());
        let there = lines[..at].iter().rev().find_map(|line| match line.what {
            What::Travelled { seat: who, place } if who == seat => Some(place),
            _ => None,
        });
        there.or(self.core.state.at[seat.ix()])
    }

    pub fn piece(&self, piece: PieceId) -> String {
        let mut face = None;
        for later in self
            .core
            .log
            .lines
            .iter()
            .rev()
            .take_while(|later| !std::ptr::eq(*later, self.line))
        {
            if let What::Flipped {
                piece: other, from, ..
            } = &later.what
                && *other == piece
            {
                face = Some(*from);
            }
        }
        face.map_or_else(
            || names::piece(self.core, piece),
            |face| face_title(self.core, piece, face),
        )
    }

    pub fn entity(&self, of: Entity) -> String {
        match of {
            Entity::Piece(piece) => self.piece(piece),
            other => names::entity(self.core, other),
        }
    }

    fn zone(&self, at: ZoneAt) -> String {
        names::zone_of(self.core, at, |of| self.entity(of))
    }

    /// From where to where; an owner of both is named once.
    pub fn way(&self, from: ZoneAt, to: ZoneAt) -> String {
        let def = |at| self.core.state.zones.def(self.core.content(), at);
        let from = match (def(from), def(to)) {
            (Some((one, zone)), Some((other, _))) if one == other && !self.whole => {
                self.core.content().zone_title(zone).to_string()
            }
            _ => self.zone(from),
        };
        format!("{from} → {}", self.zone(to))
    }
}

#[allow(clippy::too_many_lines, reason = "a flat match")]
fn sentence(then: &Then, what: &What, to: Option<SeatId>) -> Option<String> {
    let core = then.core;
    let seat = |seat: SeatId| names::seat(core, seat);
    let of = |of: Entity| then.entity(of);
    Some(match what {
        What::Round { number } => format!("— round {number} —"),
        What::Turn { seat: who, number } => format!("{}: turn {number}", seat(*who)),
        What::Phase { .. } | What::Created { told: false, .. } | What::EffectEnded { .. } => {
            return None;
        }
        What::Created {
            piece,
            to: zone,
            known,
            ..
        } => {
            format!(
                "{} → {}",
                piece_title(then, *piece, *known, to),
                then.zone(*zone)
            )
        }
        What::Acted {
            seat: who,
            entry,
            piece,
            each,
        } => return acted(then, *who, (*entry, *piece), each, to),
        What::Used { seat: who, piece } => format!(
            "{} uses {}",
            seat(*who),
            piece_title(then, (*piece)?, SeatSet::ALL, to)
        ),
        What::Counter {
            of: whose,
            counter,
            from,
            to: now,
        } => {
            let def = &core.content().counters[counter.ix()];
            if def.secret && to.is_some() && whose.seat() != to {
                return None;
            }
            let title = core.content().counter_title(*counter);
            let owner = if *whose == Entity::Table {
                String::new()
            } else {
                format!("{}: ", of(*whose))
            };
            format!("{owner}{title} {from} → {now}")
        }
        What::Moved {
            piece,
            from,
            to: zone,
            known,
        } => {
            format!(
                "{}: {}",
                piece_title(then, *piece, *known, to),
                then.way(*from, *zone)
            )
        }
        What::Drew {
            seat: who, amount, ..
        } if then.whole => format!("{} draws {amount}", seat(*who)),
        What::Drew {
            seat: who,
            amount,
            wanted,
        } => drew(&seat(*who), *amount, *wanted),
        What::Shuffled { zone } if then.whole => format!("{} is shuffled", then.zone(*zone)),
        What::Shuffled { zone } => format!("Shuffled: {}", then.zone(*zone)),
        What::Rolled {
            seat: who,
            die,
            faces,
        } => rolled(core, *who, *die, faces),
        What::Travelled { seat: who, place } => {
            format!("{} goes to {}", seat(*who), of(Entity::Place(*place)))
        }
        What::Flipped { piece, from, face } => {
            format!(
                "{} turns over: {}",
                face_title(core, *piece, *from),
                face_title(core, *piece, *face)
            )
        }
        What::Looked { seats, piece } => looked(then, *seats, *piece, to),
        What::Damage {
            of: whom,
            source,
            amount,
            taken,
        } => {
            let by = source
                .map(|by| format!("{} hits ", of(by)))
                .unwrap_or_default();
            let rest = if taken == amount {
                String::new()
            } else {
                format!(", {taken} taken")
            };
            format!("{by}{}: {amount} damage{rest}", of(*whom))
        }
        What::FightStarted { fight } => {
            let entry = core.content().fights[fight.ix()].entry;
            format!("A fight begins: {}", core.content().entry(entry).title)
        }
        What::FightTurn { of: who } => format!("{} is up", of(*who)),
        What::Fell { of: who } => format!("{} falls", of(*who)),
        What::Joined { of: who } => format!("{} joins the fight", of(*who)),
        What::Left { of: who } => format!("{} leaves the fight", of(*who)),
        What::FightEnded { .. } => "The fight is over".to_owned(),
        What::EffectBegan { subject, entry } => {
            format!("{}: {}", of(*subject), core.content().entry(*entry).title)
        }
        What::Marked { of: who, mark, on } => {
            let mark = if then.whole {
                mark.to_string()
            } else {
                mark.replace(['-', '_'], " ")
            };
            format!(
                "{}: {}{mark}",
                of(*who),
                if *on { "" } else { "no longer " }
            )
        }
        What::Denied { reason } => format!("It does not happen: {reason}"),
        What::Said { text, seats } => {
            return to
                .is_none_or(|to| seats.contains(to))
                .then(|| text.to_string());
        }
        What::Chose {
            seat: who,
            prompt,
            text,
            alone,
        } => {
            // Who was not asked has not read what was asked.
            let unread = !then.whole && to.is_some_and(|to| to != *who);
            let before = if *alone || unread {
                format!("{prompt}\n")
            } else {
                String::new()
            };
            format!(
                "{before}{} — {}",
                seat(*who),
                if then.whole {
                    format!("“{text}”")
                } else {
                    quoted(text)
                }
            )
        }
        What::Fault { text } => format!("A script failed and was left out: {text}"),
        What::Over => over(core),
    })
}

/// Words that somebody chose, in quotes; those that begin with a quotation have some.
pub(super) fn quoted(text: &str) -> String {
    if text.starts_with('“') {
        text.to_owned()
    } else {
        format!("“{text}”")
    }
}

/// How many were drawn; how many were to be drawn, if there were too few.
pub(super) fn drew(who: &str, amount: i64, wanted: i64) -> String {
    match amount {
        0 => format!("{who} draws nothing"),
        _ if amount < wanted => format!("{who} draws {amount} of {wanted}"),
        _ => format!("{who} draws {amount}"),
    }
}

/// What somebody did, in the words of the action, or by its line of the menu; `None` if the action wants nothing told.
fn acted(
    then: &Then,
    who: SeatId,
    of: (EntryId, Option<PieceId>),
    each: &Val,
    to: Option<SeatId>,
) -> Option<String> {
    let core = then.core;
    let seat = Some(to.unwrap_or(who));
    let val = called(then, each, to);
    let line = Opt {
        action: Some(of.0),
        by: of.1,
        seat,
        ..Opt::new(val)
    };
    let by = (who, then.place(who));
    match core
        .content()
        .entry(of.0)
        .text("log")
        .filter(|_| !then.whole)
    {
        Some("") => None,
        Some(told) => Some(fill_line(core, of.0, &line, by, told)),
        None => Some(format!(
            "{} — {}",
            names::seat(core, who),
            label_at(core, of.0, &line, by)
        )),
    }
}

/// A value in which pieces are what they were called then, by those who know them.
fn called(then: &Then, val: &Val, to: Option<SeatId>) -> Val {
    let known =
        |piece: &PieceId| to.is_none_or(|to| then.core.state.pieces[piece.ix()].known.contains(to));
    match val {
        Val::Entity(Entity::Piece(piece)) if !known(piece) => {
            Val::Text(piece_title(then, *piece, SeatSet::EMPTY, to).into())
        }
        Val::Entity(Entity::Piece(piece)) => Val::Text(then.piece(*piece).into()),
        Val::Map(rows) => Val::Map(
            rows.iter()
                .map(|(key, val)| (key.clone(), called(then, val, to)))
                .collect(),
        ),
        val => val.clone(),
    }
}

/// What a piece is called when it shows a face.
fn face_title(core: &Core, piece: PieceId, face: u8) -> String {
    let entry = core.content().entry(core.entry_of(piece));
    let shown = usize::from(face)
        .checked_sub(1)
        .and_then(|ix| entry.faces.get(ix));
    let title = shown.and_then(|face| face.fields.iter().find(|(name, _)| &**name == "title"));
    title
        .and_then(|(_, title)| title.text())
        .unwrap_or(&entry.title)
        .to_owned()
}

fn rolled(core: &Core, who: Option<SeatId>, die: crate::content::DieId, faces: &[u8]) -> String {
    let def = &core.content().dice[die.ix()];
    let face = |face: &u8| {
        def.faces
            .get(usize::from(*face))
            .map(|value| core.content().show(value))
            .unwrap_or_default()
    };
    let shown = faces.iter().map(face).collect::<Vec<_>>().join(" ");
    let who = who.map_or("Someone".to_owned(), |seat| names::seat(core, seat));
    format!(
        "{who} rolls {}: {shown}",
        core.content().entry(def.entry).title
    )
}

/// What some lines say that tell what the same seats looked at.
pub(super) fn looked_at(core: &Core, lines: &[Line], seats: SeatSet, to: Option<SeatId>) -> String {
    let title = |line: &Line| match line.what {
        What::Looked { piece, .. } => Some(piece_title(
            &Then {
                core,
                line,
                whole: false,
            },
            piece,
            seats,
            to,
        )),
        _ => None,
    };
    format!(
        "{} looks at {}",
        lookers(core, seats),
        super::telling::counted(lines.iter().filter_map(title))
    )
}

fn lookers(core: &Core, seats: SeatSet) -> String {
    let who = seats.iter().filter(|seat| seat.0 < core.state.seats);
    who.map(|seat| names::seat(core, seat))
        .collect::<Vec<_>>()
        .join(", ")
}

fn looked(then: &Then, seats: SeatSet, piece: PieceId, to: Option<SeatId>) -> String {
    let core = then.core;
    if seats == SeatSet::ALL {
        let piece = then.piece(piece);
        return if then.whole {
            format!("{piece} is revealed")
        } else {
            format!("Revealed: {piece}")
        };
    }
    format!(
        "{} looks at {}",
        lookers(core, seats),
        piece_title(then, piece, seats, to)
    )
}

/// A piece's title for those who knew it at that time; others see its kind.
pub(super) fn piece_title(
    then: &Then,
    piece: PieceId,
    known: SeatSet,
    to: Option<SeatId>,
) -> String {
    let core = then.core;
    match to {
        Some(seat) if !known.contains(seat) => names::kind_of(core, piece),
        _ => then.piece(piece),
    }
}

/// How the game ended.
pub(super) fn over(core: &Core) -> String {
    let Some(outcome) = &core.state.over else {
        return "The game is over".to_owned();
    };
    let names: Vec<String> = outcome
        .winners
        .iter()
        .map(|seat| self::names::seat(core, *seat))
        .collect();
    let who = match names.len() {
        0 => "nobody wins".to_owned(),
        1 => format!("{} wins", names[0]),
        n => format!("{} and {} win", names[..n - 1].join(", "), names[n - 1]),
    };
    let text = if outcome.text.is_empty() {
        String::new()
    } else {
        format!(". {}", outcome.text)
    };
    format!("The game is over: {who}{text}")
}

/// Where a number came from: `Wolf +2, Fog at most 1`.
#[must_use]
pub fn parts(core: &Core, parts: &[Part]) -> String {
    named_parts(core, parts, |entry| &entry.title)
}

/// The same by ids: `wolf +2, fog at most 1`.
fn noted_parts(core: &Core, parts: &[Part]) -> String {
    named_parts(core, parts, |entry| &entry.id)
}

fn named_parts(core: &Core, parts: &[Part], name: impl Fn(&Entry) -> &str) -> String {
    let text = |part: &Part| {
        let name = part
            .cause
            .entry
            .map_or("the rules", |entry| name(core.content().entry(entry)));
        match part.op {
            Op::Add if part.amount >= 0 => format!("{name} +{}", part.amount),
            Op::Add => format!("{name} {}", part.amount),
            Op::Base | Op::Set => format!("{name} = {}", part.amount),
            Op::Cap => format!("{name} at most {}", part.amount),
            Op::Floor => format!("{name} at least {}", part.amount),
            Op::Lock => format!("{name} exactly {}", part.amount),
            Op::Deny => format!("{name} forbids it"),
            Op::Allow => format!("{name} allows it"),
        }
    };
    parts.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Which pack, entry and hook did what a line tells.
#[must_use]
pub fn cause(core: &Core, line: &Line) -> Option<String> {
    match (line.cause.hook, line.cause.entry) {
        (Some(hook), _) => Some(core.content().hook_name(hook)),
        (None, Some(entry)) => Some(core.content().entry(entry).name.to_string()),
        (None, None) => None,
    }
}

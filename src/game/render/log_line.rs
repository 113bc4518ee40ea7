//! Renders one line of the log, for players or in verbose form.

use super::catalogue::{contribution, log};
use super::contributions;
use super::decision::{fill_option, label_at};
use super::{movement, names, sentence, verbose};
use crate::content::{Content, DieId, EntryId, PieceId, PlaceId, SeatId, SeatSet};
use crate::game::context::StepContext;
use crate::game::log::{LogEvent, LogLine};
use crate::game::question::QuestionOption;
use crate::game::state::Entity;
use crate::game::zones::ZoneAt;
use crate::value::Value;

/// Renders a line as a sentence for a seat, or with `None` for a reader who sees everything.
/// Returns `None` for bookkeeping and for lines that the seat must not see.
#[must_use]
pub fn render(context: &StepContext, line: &LogLine, reader: Option<SeatId>) -> Option<String> {
    if is_quiet(context, &line.event) {
        return None;
    }
    let text = sentence::describe(&NamesAt::new(context, line), reader)?;
    Some(explain(context, line, text))
}

/// Renders a line as `--verbose` shows it, including bookkeeping: every owner and every draw,
/// actions by their menu label, contributions by id. Cases of packs compare this form.
#[must_use]
pub fn render_verbose(
    context: &StepContext,
    line: &LogLine,
    reader: Option<SeatId>,
) -> Option<String> {
    let names = NamesAt {
        verbose: true,
        ..NamesAt::new(context, line)
    };
    let text = verbose::describe(&names, reader)?;
    let parts = contributions::list_by_id(context, &line.parts);
    Some(if parts.is_empty() {
        text
    } else {
        format!("{text} ({parts})")
    })
}

/// The whole log as `--verbose` shows it, with all hidden information.
#[must_use]
pub fn verbose_log(context: &StepContext) -> Vec<String> {
    context
        .log
        .lines
        .iter()
        .filter_map(|line| render_verbose(context, line, None))
        .collect()
}

/// Adds the contributions of a line to its sentence.
pub(super) fn explain(context: &StepContext, line: &LogLine, text: String) -> String {
    if line.parts.is_empty() {
        return text;
    }
    contribution::explained(
        &text,
        &contributions::list_contributions(context, &line.parts),
    )
}

/// Whether a line is bookkeeping, which only `--verbose` shows.
#[must_use]
pub fn is_quiet(context: &StepContext, event: &LogEvent) -> bool {
    let content = context.content();
    match event {
        LogEvent::Counter {
            of: entity,
            counter,
            ..
        } => content.counters[counter.ix()].is_quiet_for(entity.owner().0),
        LogEvent::Moved { from, to, .. } => movement::is_bookkeeping(context, *from, *to),
        LogEvent::Drew { amount, wanted, .. } => (*amount, *wanted) == (0, 0),
        // In a mode without turns, the pack announces the rounds.
        LogEvent::Round { .. } => content
            .mode
            .as_ref()
            .is_some_and(|mode| mode.turn.is_none()),
        LogEvent::Phase { .. }
        | LogEvent::Created { .. }
        | LogEvent::Shuffled { .. }
        | LogEvent::EffectBegan { .. }
        | LogEvent::EffectEnded { .. }
        | LogEvent::Marked { .. } => true,
        _ => false,
    }
}

/// The entry or hook, with its pack, that caused a line; `None` means the engine.
#[must_use]
pub fn describe_cause(context: &StepContext, line: &LogLine) -> Option<String> {
    match (line.cause.hook, line.cause.entry) {
        (Some(hook), _) => Some(context.content().hook_name(hook)),
        (None, Some(entry)) => Some(context.content().entry(entry).name.to_string()),
        (None, None) => None,
    }
}

/// Names as of the time a line was logged: a piece that was flipped since then keeps its old title.
pub(crate) struct NamesAt<'a> {
    pub context: &'a StepContext,
    pub line: &'a LogLine,
    /// Whether to show actions by their menu label instead of the pack's log text, and zones always
    /// with their owner.
    pub verbose: bool,
}

impl<'a> NamesAt<'a> {
    pub const fn new(context: &'a StepContext, line: &'a LogLine) -> NamesAt<'a> {
        NamesAt {
            context,
            line,
            verbose: false,
        }
    }

    /// This line and all that follow.
    pub fn lines_from_here(&self) -> &'a [LogLine] {
        let lines = &self.context.log.lines;
        let here = lines.iter().rposition(|line| std::ptr::eq(line, self.line));
        here.map_or(std::slice::from_ref(self.line), |here| &lines[here..])
    }

    /// Whether the line was logged before the first round.
    pub fn is_setup(&self) -> bool {
        let lines = &self.context.log.lines;
        let here = lines.iter().position(|line| std::ptr::eq(line, self.line));
        let first_round = lines
            .iter()
            .position(|line| matches!(line.event, LogEvent::Round { number: 1 }));
        match first_round {
            Some(first_round) => here.is_some_and(|here| here < first_round),
            None => self.context.state.round == 0,
        }
    }

    fn place(&self, seat: SeatId) -> Option<PlaceId> {
        let lines = &self.context.log.lines;
        let here = lines
            .iter()
            .position(|line| std::ptr::eq(line, self.line))
            .unwrap_or(lines.len());
        let arrival = lines[..here]
            .iter()
            .rev()
            .find_map(|line| match line.event {
                LogEvent::Travelled { seat: who, place } if who == seat => Some(place),
                _ => None,
            });
        arrival.or(self.context.state.at[seat.ix()])
    }

    pub fn piece(&self, piece: PieceId) -> String {
        let mut face = None;
        for later in self
            .context
            .log
            .lines
            .iter()
            .rev()
            .take_while(|later| !std::ptr::eq(*later, self.line))
        {
            if let LogEvent::Flipped {
                piece: other, from, ..
            } = &later.event
                && *other == piece
            {
                face = Some(*from);
            }
        }
        face.map_or_else(
            || names::piece(self.context, piece),
            |face| face_title(self.context, piece, face),
        )
    }

    pub fn entity(&self, entity: Entity) -> String {
        match entity {
            Entity::Piece(piece) => self.piece(piece),
            other => names::entity(self.context, other),
        }
    }

    pub fn zone(&self, at: ZoneAt) -> String {
        names::zone_of(self.context, at, |entity| self.entity(entity))
    }

    /// A piece's title for readers who knew it at the time, its kind for others.
    pub fn piece_for(&self, piece: PieceId, known: SeatSet, reader: Option<SeatId>) -> String {
        match reader {
            Some(seat) if !known.contains(seat) => names::kind_of(self.context, piece),
            _ => self.piece(piece),
        }
    }
}

/// Renders the lines that have the same wording for players and with `--verbose`; `None` for
/// others.
pub(super) fn describe_common(names: &NamesAt, reader: Option<SeatId>) -> Option<String> {
    let context = names.context;
    let seat = |seat: SeatId| names::seat(context, seat);
    match &names.line.event {
        LogEvent::Used { seat: who, piece } => {
            let piece = names.piece_for((*piece)?, SeatSet::ALL, reader);
            Some(log::uses(&seat(*who), &piece))
        }
        LogEvent::Travelled { seat: who, place } => Some(log::goes_to(
            &seat(*who),
            &names.entity(Entity::Place(*place)),
        )),
        LogEvent::FightStarted { .. } => Some(log::FIGHT_BEGINS.to_owned()),
        LogEvent::Fell { of: entity } => Some(log::falls(&names.entity(*entity))),
        LogEvent::Joined { of: entity } => Some(log::joins(&names.entity(*entity))),
        LogEvent::Left { of: entity } => Some(log::leaves(&names.entity(*entity))),
        LogEvent::FightEnded { .. } => Some(log::FIGHT_OVER.to_owned()),
        LogEvent::Said { text, seats } => reader
            .is_none_or(|reader| seats.contains(reader))
            .then(|| text.to_string()),
        LogEvent::Over => Some(describe_end(context)),
        _ => None,
    }
}

/// Renders an action by its menu label or by the pack's log text; `None` if that text is empty.
pub(super) fn describe_action(
    names: &NamesAt,
    who: SeatId,
    (entry, piece): (EntryId, Option<PieceId>),
    argument: &Value,
    reader: Option<SeatId>,
) -> Option<String> {
    let context = names.context;
    let option = QuestionOption {
        action: Some(entry),
        by: piece,
        seat: Some(reader.unwrap_or(who)),
        ..QuestionOption::new(name_pieces(names, argument, reader))
    };
    let by = (who, names.place(who));
    let name = names::seat(context, who);
    if names.verbose {
        let label = label_at(context, entry, &option, by);
        return Some(super::catalogue::verbose::acts(&name, &label));
    }
    match context.content().entry(entry).text("log") {
        Some("") => None,
        Some(text) => Some(fill_option(context, entry, &option, by, text)),
        None => Some(log::acts(&name, &label_at(context, entry, &option, by))),
    }
}

/// Replaces the pieces in a value by their names, or by their kinds if the reader does not know
/// them.
fn name_pieces(names: &NamesAt, value: &Value, reader: Option<SeatId>) -> Value {
    match value {
        Value::Entity(Entity::Piece(piece)) => {
            let known = names.context.state.pieces[piece.ix()].known;
            Value::Text(names.piece_for(*piece, known, reader).into())
        }
        Value::Map(rows) => Value::Map(
            rows.iter()
                .map(|(key, value)| (key.clone(), name_pieces(names, value, reader)))
                .collect(),
        ),
        value => value.clone(),
    }
}

/// The title of a piece while it shows a face.
pub(super) fn face_title(context: &StepContext, piece: PieceId, face: u8) -> String {
    let entry = context.content().entry(context.entry_of(piece));
    let shown = usize::from(face)
        .checked_sub(1)
        .and_then(|ix| entry.faces.get(ix));
    let title = shown.and_then(|face| face.fields.iter().find(|(name, _)| &**name == "title"));
    title
        .and_then(|(_, title)| title.text())
        .unwrap_or(&entry.title)
        .to_owned()
}

/// The title and the faces of the dice of each kind that were rolled.
pub(super) fn describe_roll(
    context: &StepContext,
    dice: &[(DieId, Vec<u8>)],
) -> Vec<(String, String)> {
    let content = context.content();
    let describe = |(die, faces): &(DieId, Vec<u8>)| {
        let def = &content.dice[die.ix()];
        let shown = faces
            .iter()
            .map(|face| face_name(content, def.faces.get(usize::from(*face))));
        // A face that is a table may have several words.
        let is_table = def.faces.iter().any(|face| matches!(face, Value::Table(_)));
        let separator = if is_table { ", " } else { " " };
        let shown = shown.collect::<Vec<_>>().join(separator);
        (content.entry(def.entry).title.to_string(), shown)
    };
    dice.iter().map(describe).collect()
}

fn face_name(content: &Content, face: Option<&Value>) -> String {
    let shown = face.map(|value| content.display(value)).unwrap_or_default();
    match face {
        Some(Value::Table(_)) if shown.is_empty() => log::BLANK_FACE.to_owned(),
        _ => shown,
    }
}

/// The names of some seats, separated by commas.
pub(super) fn list_seats(context: &StepContext, seats: SeatSet) -> String {
    let seats = seats.iter().filter(|seat| seat.0 < context.state.seats);
    seats
        .map(|seat| names::seat(context, seat))
        .collect::<Vec<_>>()
        .join(", ")
}

/// How the game ended.
pub(crate) fn describe_end(context: &StepContext) -> String {
    let Some(outcome) = &context.state.outcome else {
        return log::GAME_OVER.to_owned();
    };
    let winners: Vec<String> = outcome
        .winners
        .iter()
        .map(|seat| names::seat(context, *seat))
        .collect();
    log::game_over(&winners, &outcome.text)
}

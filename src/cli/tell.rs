//! What happened, told to whoever reads it: as much as they want to know, in the colours of what it means.

use super::screen::{self, Tone};
use crate::content::{PieceId, SeatId};
use crate::game::log::{Line, What};
use crate::game::zones::ZoneAt;
use crate::game::{Game, names, text};

/// How much somebody wants to read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Detail {
    /// What the story needs.
    Brief,
    /// What one would see at a table.
    #[default]
    Usual,
    /// Everything, with what caused it.
    Verbose,
}

/// Tells some lines of the log to a reader; to nobody in particular, everything is told.
pub fn lines(game: &Game, from: usize, reader: Option<SeatId>, detail: Detail) {
    let core = game.core();
    let all = core.log.lines.get(from..).unwrap_or_default();
    let mut ix = 0;
    while let Some(line) = all.get(ix) {
        let together = if detail == Detail::Verbose { 1 } else { moved_together(&all[ix..], reader) };
        if weight(line, reader) <= detail
            && let Some(text) = text::line(core, line, reader)
        {
            let text = if together > 1 { several(game, &all[ix..ix + together], reader) } else { text };
            let cause = text::cause(core, line).filter(|_| detail == Detail::Verbose);
            let cause = cause.map(|cause| format!("  [{cause}]")).unwrap_or_default();
            screen::block("", Tone::Plain, &format!("{text}{cause}"), tone(line));
        }
        ix += together;
    }
}

/// From which detail on a line is told.
fn weight(line: &Line, reader: Option<SeatId>) -> Detail {
    match &line.what {
        What::Shuffled { .. } | What::Created { .. } | What::Phase { .. } => Detail::Verbose,
        // That somebody draws is told already.
        What::Moved { known, .. } if reader.is_some_and(|reader| known >> reader.0 & 1 == 0) => Detail::Verbose,
        What::Counter { .. }
        | What::Moved { .. }
        | What::Drew { .. }
        | What::Used { .. }
        | What::Flipped { .. }
        | What::Looked { .. }
        | What::FightTurn { .. }
        | What::Marked { .. }
        | What::EffectBegan { .. }
        | What::EffectEnded { .. } => Detail::Usual,
        _ => Detail::Brief,
    }
}

const fn tone(line: &Line) -> Tone {
    match &line.what {
        What::Round { .. } | What::Turn { .. } | What::FightStarted { .. } | What::Over => Tone::Heading,
        What::Counter { from, to, .. } if *to > *from => Tone::Good,
        What::Counter { .. } | What::Damage { .. } | What::Fell { .. } => Tone::Bad,
        What::Fault { .. } | What::Denied { .. } => Tone::Warning,
        What::Moved { .. } | What::Shuffled { .. } | What::Created { .. } | What::Looked { .. } => Tone::Quiet,
        _ => Tone::Plain,
    }
}

/// Where a piece that the reader knows went, if the line tells that and nothing else.
fn moved(line: &Line, reader: Option<SeatId>) -> Option<(PieceId, ZoneAt, ZoneAt)> {
    match line.what {
        What::Moved { piece, from, to, known } if line.parts.is_empty() => {
            reader.is_none_or(|reader| known >> reader.0 & 1 == 1).then_some((piece, from, to))
        }
        _ => None,
    }
}

/// How many lines tell that pieces went the same way.
fn moved_together(lines: &[Line], reader: Option<SeatId>) -> usize {
    let Some((_, from, to)) = lines.first().and_then(|line| moved(line, reader)) else { return 1 };
    let same = |line: &&Line| moved(line, reader).is_some_and(|(_, other, there)| (other, there) == (from, to));
    lines.iter().take_while(same).count()
}

/// Pieces that went the same way, in one line: equal ones with their number.
fn several(game: &Game, lines: &[Line], reader: Option<SeatId>) -> String {
    let core = game.core();
    let mut titles: Vec<(String, usize)> = Vec::new();
    for (piece, _, _) in lines.iter().filter_map(|line| moved(line, reader)) {
        let title = names::piece(core, piece);
        match titles.iter_mut().find(|(other, _)| *other == title) {
            Some((_, count)) => *count += 1,
            None => titles.push((title, 1)),
        }
    }
    let named =
        titles.iter().map(|(title, count)| if *count > 1 { format!("{title} ×{count}") } else { title.clone() });
    let named = named.collect::<Vec<_>>().join(", ");
    // The way is told once, as the first line tells it.
    let first = text::line(core, &lines[0], reader).unwrap_or_default();
    let way = first.split_once(": ").map_or("", |(_, way)| way);
    format!("{named}: {way}")
}

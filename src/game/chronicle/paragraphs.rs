//! Renders the log as rounds, paragraphs and quotations.

use super::super::context::StepContext;
use super::super::log::{LogEvent, LogLine};
use super::super::render::{catalogue, grammar, log_line, names};
use super::changes::TurnChanges;
use super::escape;
use super::fight::FightStory;
use crate::content::SeatId;

/// A text with more characters than this is a story, not a remark.
const MAX_REMARK: usize = 90;

pub(super) fn is_story(text: &str) -> bool {
    text.chars().count() > MAX_REMARK || text.contains('\n')
}

pub(super) fn block_quote(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| format!("> {}", escape(line)))
        .collect();
    format!("\n{}\n", lines.join("\n"))
}

/// Renders the log round by round.
pub(super) fn write_rounds(context: &StepContext) -> String {
    let mut teller = ChronicleWriter::default();
    for line in &context.log.lines {
        teller.record(context, line);
    }
    teller.end_turn(context);
    teller.out
}

#[derive(Default)]
struct ChronicleWriter {
    out: String,
    /// The sentences of the current paragraph.
    paragraph: Vec<String>,
    changes: TurnChanges,
    fight: Option<FightStory>,
    /// The seat whose turn it is; `None` before the first turn.
    active: Option<SeatId>,
    /// Whether the current paragraph is the first of its turn.
    is_first: bool,
}

impl ChronicleWriter {
    fn record(&mut self, context: &StepContext, line: &LogLine) {
        self.changes.record(context, line);
        if let Some(mut fight) = self.fight.take() {
            if fight.record(context, line) {
                self.end_paragraph(context);
                self.out += &fight.write(context);
            } else {
                self.fight = Some(fight);
            }
            return;
        }
        match &line.event {
            LogEvent::Round { number } => {
                self.end_turn(context);
                self.out += &format!("\n{}\n", catalogue::chronicle::round(*number));
            }
            LogEvent::Turn { seat, .. } => {
                self.end_turn(context);
                (self.active, self.is_first) = (Some(*seat), true);
            }
            LogEvent::FightStarted { fight } => self.fight = Some(FightStory::new(context, *fight)),
            LogEvent::Chose {
                seat, prompt, text, ..
            } => {
                self.end_paragraph(context);
                self.out += &block_quote(prompt);
                self.paragraph
                    .push(catalogue::log::chooses(&names::seat(context, *seat), text));
                self.end_paragraph(context);
            }
            LogEvent::Said { text, .. } if is_story(text) => {
                self.end_paragraph(context);
                self.out += &block_quote(text);
            }
            // A single short sentence may be joined with its neighbours.
            LogEvent::Said { text, .. } if !text.contains(". ") => {
                self.paragraph
                    .push(text.strip_suffix('.').unwrap_or(text).to_owned());
            }
            LogEvent::Acted { .. }
            | LogEvent::Used { .. }
            | LogEvent::Travelled { .. }
            | LogEvent::Said { .. }
            | LogEvent::Rolled { .. }
            | LogEvent::Denied { .. }
            | LogEvent::Fault { .. } => {
                self.paragraph.extend(log_line::render(context, line, None));
            }
            _ => {}
        }
    }

    fn end_turn(&mut self, context: &StepContext) {
        if let Some(fight) = self.fight.take() {
            self.out += &fight.write(context);
        }
        self.end_paragraph(context);
        let changes = self.changes.take_sentences(context);
        // The changes before the first turn are the setup.
        if self.active.is_some() && !changes.is_empty() {
            let lines: Vec<String> = changes
                .iter()
                .map(|line| format!("*{}.*", escape(line)))
                .collect();
            self.out += &format!("\n{}\n", lines.join("\\\n"));
        }
    }

    fn end_paragraph(&mut self, context: &StepContext) {
        let sentences = join_sentences(context, &std::mem::take(&mut self.paragraph));
        if sentences.is_empty() {
            return;
        }
        let text = escape(&sentences.join(" "));
        let text = match self.active.filter(|_| std::mem::take(&mut self.is_first)) {
            Some(seat) => name_in_bold(&text, &escape(&names::seat(context, seat))),
            None => text,
        };
        self.out += &format!("\n{text}\n");
    }
}

/// Starts the first paragraph of a turn with the name of the player in bold.
fn name_in_bold(text: &str, name: &str) -> String {
    match text.strip_prefix(name).filter(|rest| rest.starts_with(' ')) {
        Some(rest) => format!("**{name}**{rest}"),
        None => format!("**{name}.** {text}"),
    }
}

/// Joins sentences about the same player: `Ann goes home, sleeps and wakes up.`
pub(super) fn join_sentences(context: &StepContext, sentences: &[String]) -> Vec<String> {
    let names: Vec<String> = (0..context.state.seats)
        .map(|seat| format!("{} ", names::seat(context, SeatId(seat))))
        .collect();
    let subject = |text: &String| {
        names
            .iter()
            .position(|name| can_be_joined(text) && text.starts_with(name))
    };
    let mut out: Vec<String> = Vec::new();
    let mut ix = 0;
    while let Some(first) = sentences.get(ix) {
        let who = subject(first);
        let count = sentences[ix..]
            .iter()
            .take_while(|text| who.is_some() && subject(text) == who)
            .count()
            .max(1);
        let name_len = who.map_or(0, |who| names[who].len());
        let rest = sentences[ix + 1..ix + count]
            .iter()
            .map(|text| text[name_len..].to_owned());
        let actions: Vec<String> = std::iter::once(first.clone()).chain(rest).collect();
        let joined = grammar::join_and(&join_journeys(actions, name_len));
        out.push(grammar::end_sentence(&joined));
        ix += count;
    }
    out
}

/// Joins consecutive journeys: `goes to the mill, then to the well`. Only the first action still
/// starts with the player's name, which is `name_len` bytes long.
fn join_journeys(actions: Vec<String>, name_len: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut was_journey = false;
    for (ix, action) in actions.into_iter().enumerate() {
        let without_name = &action[if ix == 0 { name_len } else { 0 }..];
        let place = without_name.strip_prefix(catalogue::log::GOES_TO);
        let is_journey = place.is_some();
        match (place, out.last_mut()) {
            (Some(place), Some(last)) if was_journey => {
                *last = catalogue::chronicle::then_to(last, place);
            }
            _ => out.push(action),
        }
        was_journey = is_journey;
    }
    out
}

/// Whether a sentence is short and has no punctuation that would be wrong inside another sentence.
fn can_be_joined(sentence: &str) -> bool {
    !sentence.ends_with(['.', '!', '?', '”'])
        && !sentence.contains(": ")
        && !sentence.contains(" — ")
}

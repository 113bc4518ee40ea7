//! The log as chapters and paragraphs.

use super::super::cx::Core;
use super::super::log::{Line, What};
use super::super::names;
use super::super::text::quoted;
use super::changes::{Changes, deed};
use super::fight::Fight;
use super::{listed, plain, sentence};
use crate::content::SeatId;

/// From so many letters on a text is a tale, and no remark.
const TALE: usize = 90;

/// Whether what was said is a tale, which is quoted.
pub(super) fn is_tale(text: &str) -> bool {
    text.chars().count() > TALE || text.contains('\n')
}

/// A text as a quotation.
pub(super) fn quote(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| format!("> {}", plain(line)))
        .collect();
    format!("\n{}\n", lines.join("\n"))
}

/// What happened, round by round.
pub(super) fn tell(core: &Core) -> String {
    let mut teller = Teller::default();
    for line in &core.log.lines {
        teller.hear(core, line);
    }
    teller.end_turn(core);
    teller.out
}

#[derive(Default)]
struct Teller {
    out: String,
    /// The sentences of the paragraph that is being written.
    paragraph: Vec<String>,
    changes: Changes,
    fight: Option<Fight>,
    /// Whose turn it is; nobody's before the first.
    active: Option<SeatId>,
    /// Whether the paragraph is the first of a turn.
    first: bool,
}

impl Teller {
    fn hear(&mut self, core: &Core, line: &Line) {
        self.changes.note(core, line);
        if let Some(mut fight) = self.fight.take() {
            if fight.hear(core, line) {
                self.end_paragraph(core);
                self.out += &fight.tell(core);
            } else {
                self.fight = Some(fight);
            }
            return;
        }
        match &line.what {
            What::Round { number } => {
                self.end_turn(core);
                self.out += &format!("\n## Round {number}\n");
            }
            What::Turn { seat, .. } => {
                self.end_turn(core);
                (self.active, self.first) = (Some(*seat), true);
            }
            What::FightStarted { fight } => self.fight = Some(Fight::begin(core, *fight)),
            What::Chose {
                seat, prompt, text, ..
            } => {
                self.end_paragraph(core);
                self.out += &quote(prompt);
                self.paragraph
                    .push(format!("{}: {}", names::seat(core, *seat), quoted(text)));
                self.end_paragraph(core);
            }
            What::Said { text, .. } if is_tale(text) => {
                self.end_paragraph(core);
                self.out += &quote(text);
            }
            // One short sentence may be joined to what is told beside it.
            What::Said { text, .. } if !text.contains(". ") => {
                self.paragraph
                    .push(text.strip_suffix('.').unwrap_or(text).to_owned());
            }
            What::Acted { .. }
            | What::Used { .. }
            | What::Travelled { .. }
            | What::Said { .. }
            | What::Rolled { .. }
            | What::Denied { .. }
            | What::Fault { .. } => self.paragraph.extend(deed(core, line)),
            _ => {}
        }
    }

    fn end_turn(&mut self, core: &Core) {
        if let Some(fight) = self.fight.take() {
            self.out += &fight.tell(core);
        }
        self.end_paragraph(core);
        let changes = self.changes.tell(core);
        // How things were laid out at the start is nothing that happened.
        if self.active.is_some() && !changes.is_empty() {
            self.out += "\n";
            let lines: Vec<String> = changes
                .iter()
                .map(|line| format!("*{}.*", plain(line)))
                .collect();
            self.out += &format!("{}\n", lines.join("\\\n"));
        }
    }

    fn end_paragraph(&mut self, core: &Core) {
        let sentences = joined(core, &std::mem::take(&mut self.paragraph));
        if sentences.is_empty() {
            return;
        }
        let text = plain(&sentences.join(" "));
        let text = match self.active.filter(|_| std::mem::take(&mut self.first)) {
            Some(seat) => marked(&text, &plain(&names::seat(core, seat))),
            None => text,
        };
        self.out += &format!("\n{text}\n");
    }
}

/// The first paragraph of a turn, in which one sees at once whose it is.
fn marked(text: &str, name: &str) -> String {
    match text.strip_prefix(name).filter(|rest| rest.starts_with(' ')) {
        Some(rest) => format!("**{name}**{rest}"),
        None => format!("**{name}.** {text}"),
    }
}

/// Sentences about the same player become one: `Ann goes home, sleeps and wakes up.`
pub(super) fn joined(core: &Core, sentences: &[String]) -> Vec<String> {
    let names: Vec<String> = (0..core.state.seats)
        .map(|seat| format!("{} ", names::seat(core, SeatId(seat))))
        .collect();
    let subject = |text: &String| {
        names
            .iter()
            .position(|name| is_plain(text) && text.starts_with(name))
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
        let begun = who.map_or(0, |who| names[who].len());
        let rest = sentences[ix + 1..ix + count]
            .iter()
            .map(|text| text[begun..].to_owned());
        let words: Vec<String> = std::iter::once(first.clone()).chain(rest).collect();
        out.push(sentence(&listed(&ways(words, begun))));
        ix += count;
    }
    out
}

/// Ways one after another in one: `goes to the mill, then to the well`. The first deed has its player's name before it.
fn ways(deeds: Vec<String>, begun: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut before: Option<String> = None;
    for (ix, deed) in deeds.into_iter().enumerate() {
        let bare = deed[if ix == 0 { begun } else { 0 }..].to_owned();
        let goes = |deed: &str| deed.strip_prefix("goes to ").map(str::to_owned);
        match (
            before.as_deref().and_then(goes),
            goes(&bare),
            out.last_mut(),
        ) {
            (Some(_), Some(place), Some(last)) => *last = format!("{last}, then to {place}"),
            _ => out.push(deed),
        }
        before = Some(bare);
    }
    out
}

/// Whether a sentence is short and open: one that can be joined to others.
fn is_plain(sentence: &str) -> bool {
    !sentence.ends_with(['.', '!', '?', '”'])
        && !sentence.contains(": ")
        && !sentence.contains(" — ")
}

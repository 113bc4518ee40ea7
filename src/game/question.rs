//! Questions: the only way to ask a player anything.
//!
//! A recorded answer of this step is used first. Otherwise an agent at the table decides at once.
//! Without an agent the step suspends, and runs again from its start when the answer arrives.

use arcstr::literal;
use smallvec::SmallVec;

use super::context::{Cx, MAX_WORK, StepContext, StepResult, Stop};
use super::render::catalogue::{answer as refusal, name};
use super::state::Entity;
use crate::content::{EventId, HookId, Owner, PhaseId, PieceId, SeatId, SeatSet};
use crate::number::cast;
use crate::value::Value;

/// What an answer picks: positions of options, or amounts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Picks {
    /// A single position or amount.
    One(i64),
    /// Several positions or amounts, in order.
    Many(Vec<i64>),
}

impl Picks {
    /// The picks as a slice, whichever form they have.
    #[must_use]
    pub fn list(&self) -> &[i64] {
        match self {
            Picks::One(one) => std::slice::from_ref(one),
            Picks::Many(many) => many,
        }
    }
}

/// A seat's answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The seat that answers.
    pub seat: SeatId,
    /// The positions or amounts it picks.
    pub picks: Picks,
    /// The hook runs during which the answer was given. The engine fills this in, so that an answer
    /// can be dropped together with a run that failed.
    pub during: SmallVec<[u32; 4]>,
    /// Whether only a replay asks the question.
    pub is_skipped: bool,
}

impl Answer {
    /// The position or amount that it picks first.
    #[must_use]
    pub fn first_pick(&self) -> i64 {
        self.picks.list().first().copied().unwrap_or_default()
    }

    /// An answer that is not tied to a hook run yet.
    #[must_use]
    pub const fn new(seat: SeatId, picks: Picks) -> Answer {
        Answer {
            seat,
            picks,
            during: SmallVec::new_const(),
            is_skipped: false,
        }
    }
}

/// The shape of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerForm {
    /// One of the options.
    One,
    /// Several options. An option that represents equal pieces can be picked once for each of them.
    Some {
        /// The fewest picks.
        min: u16,
        /// The most picks.
        max: u16,
    },
    /// All options, in an order.
    Order,
    /// A number.
    Amount {
        /// The smallest number.
        min: i64,
        /// The largest number.
        max: i64,
    },
    /// A number for each option.
    Split {
        /// What the numbers add up to.
        total: i64,
    },
}

/// What a question is about.
#[derive(Clone, PartialEq, Debug)]
pub enum Prompt {
    /// The text of a script.
    Text(Box<str>),
    /// Which optional hook of an event to use, if any.
    May(EventId),
    /// Which option of a menu to take.
    Menu(PhaseId),
    /// How to pay a cost.
    Pay,
    /// Which pieces to lose.
    Lose,
}

/// Identifies a question independently of its texts, so that journals survive changes of wording.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionId {
    /// The nth question of a hook, from 1.
    Hook(HookId, u16),
    Menu(PhaseId),
    /// A question that the engine asks outside any hook.
    Engine,
}

#[derive(Clone, PartialEq, Debug)]
pub struct QuestionOption {
    /// The value it represents.
    pub value: Value,
    /// The seat it is offered to, in menus.
    pub seat: Option<SeatId>,
    /// The action it belongs to, in menus.
    pub action: Option<crate::content::EntryId>,
    /// The piece that offers the action.
    pub by: Option<PieceId>,
    /// The text shown to players, if the value does not provide one.
    pub label: Option<Box<str>>,
    /// What it costs now, if a player sees it and that is not what its entry says.
    pub cost: Option<Box<str>>,
    /// Why it is closed; `None` if it is open.
    pub closed: Option<Box<str>>,
    /// Further pieces that the seat cannot tell from the first.
    pub more: SmallVec<[PieceId; 4]>,
}

impl QuestionOption {
    /// The option that closes a menu.
    #[must_use]
    pub fn done(seat: SeatId) -> QuestionOption {
        QuestionOption {
            seat: Some(seat),
            label: Some(Box::default()),
            ..QuestionOption::new(Value::Text(literal!("done")))
        }
    }

    #[must_use]
    pub const fn new(value: Value) -> QuestionOption {
        QuestionOption {
            value,
            seat: None,
            action: None,
            by: None,
            label: None,
            cost: None,
            closed: None,
            more: SmallVec::new_const(),
        }
    }

    /// An option for a keyword.
    #[must_use]
    pub fn word(key: &str, label: &str) -> QuestionOption {
        QuestionOption {
            label: Some(label.into()),
            ..QuestionOption::new(Value::Text(key.into()))
        }
    }

    /// The number of equal pieces it represents.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.more.len()
    }
}

/// A question, before it is rendered for players.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// Identifies the question in journals.
    pub id: QuestionId,
    /// The seats that may answer; the first answer counts.
    pub seats: SeatSet,
    /// Whether answers stay hidden from other seats until every seat has answered.
    pub sealed: bool,
    /// What the question is about.
    pub prompt: Prompt,
    /// The shape of a valid answer.
    pub form: AnswerForm,
    /// All options, including closed ones.
    pub options: Vec<QuestionOption>,
    /// Whether only a replay asks it, because it has a single valid answer.
    pub is_skipped: bool,
}

impl Question {
    /// The first seat that may answer.
    #[must_use]
    pub fn seat(&self) -> SeatId {
        debug_assert!(!self.seats.is_empty(), "a question needs at least one seat");
        self.seats.first().unwrap_or(SeatId(0))
    }

    /// The phase whose menu this is.
    #[must_use]
    pub const fn menu_phase(&self) -> Option<PhaseId> {
        match self.prompt {
            Prompt::Menu(phase) => Some(phase),
            _ => None,
        }
    }

    /// Whether a seat may answer.
    #[must_use]
    pub fn asks(&self, seat: SeatId) -> bool {
        self.seats.contains(seat)
    }

    /// The positions of the open options.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.options.len()).filter(|ix| self.options[*ix].closed.is_none())
    }

    /// The position of the only open option, if a script asks for one option. Players see why the
    /// others are closed; replays of older journals and bots need not ask.
    #[must_use]
    pub fn only_option(&self) -> Option<usize> {
        let asks_for_one =
            matches!(self.id, QuestionId::Hook(..)) && self.form == AnswerForm::One && !self.sealed;
        let mut open = self.open();
        open.next()
            .filter(|_| asks_for_one && open.next().is_none())
    }

    /// The answer, if only one is valid.
    #[must_use]
    pub fn only_answer(&self) -> Option<Answer> {
        let seat = self.seats.first().filter(|_| self.seats.len() == 1)?;
        let copies = |ix: usize| std::iter::repeat_n(cast::<_, i64>(ix), self.options[ix].count());
        let picks = match self.form {
            AnswerForm::One => {
                let mut open = self.open();
                let only = open.next()?;
                open.next().is_none().then(|| vec![cast::<_, i64>(only)])?
            }
            AnswerForm::Some { min, max } => {
                let all: Vec<i64> = self.open().flat_map(copies).collect();
                let all_are_needed = max >= min && all.len() == usize::from(min);
                all_are_needed.then_some(all)?
            }
            AnswerForm::Amount { min, max } => (min == max).then(|| vec![min])?,
            AnswerForm::Order => (self.options.len() == 1).then(|| vec![0])?,
            AnswerForm::Split { total } => (self.options.len() == 1).then(|| vec![total])?,
        };
        Some(Answer::new(seat, Picks::Many(picks)))
    }

    /// Validates an answer.
    ///
    /// # Errors
    /// Returns the reason, for the player, if the answer is not valid.
    pub fn check_answer(&self, answer: &Answer) -> Result<(), String> {
        if !self.asks(answer.seat) {
            return Err(refusal::not_asked(&name::seat(answer.seat.ix() + 1)));
        }
        let picks = answer.picks.list();
        match self.form {
            AnswerForm::Amount { min, max } => match picks {
                [n] if (min..=max).contains(n) => Ok(()),
                _ => Err(refusal::out_of_range(min, max)),
            },
            AnswerForm::Split { total } => self.check_split(picks, total),
            AnswerForm::One => self.check_picks(answer.seat, picks, 1, 1),
            AnswerForm::Some { min, max } => {
                self.check_picks(answer.seat, picks, min.into(), max.into())
            }
            AnswerForm::Order => {
                self.check_picks(answer.seat, picks, self.options.len(), self.options.len())
            }
        }
    }

    fn check_split(&self, picks: &[i64], total: i64) -> Result<(), String> {
        let sum = picks.iter().fold(0, |sum: i64, n| sum.saturating_add(*n));
        if picks.len() == self.options.len() && sum == total && picks.iter().all(|n| *n >= 0) {
            return Ok(());
        }
        Err(refusal::wrong_split(self.options.len(), total))
    }

    fn check_picks(
        &self,
        seat: SeatId,
        picks: &[i64],
        min: usize,
        max: usize,
    ) -> Result<(), String> {
        if picks.len() < min || picks.len() > max {
            return Err(refusal::wrong_count(min, max, picks.len()));
        }
        for pick in picks {
            let option = usize::try_from(*pick)
                .ok()
                .and_then(|ix| self.options.get(ix));
            let option = option.ok_or_else(|| refusal::NO_SUCH_OPTION.to_owned())?;
            if option.seat.is_some_and(|owner| owner != seat) {
                return Err(refusal::NOT_YOURS.to_owned());
            }
            if let Some(reason) = &option.closed {
                return Err(refusal::option_closed(reason));
            }
            if picks.iter().filter(|other| *other == pick).count() > option.count() {
                return Err(refusal::CHOSEN_TOO_OFTEN.to_owned());
            }
        }
        Ok(())
    }
}

/// Decides for seats without suspending the game.
pub trait Agent {
    /// Whether it answers a question. If not, it leaves the game, which suspends.
    fn answers(&self, _context: &StepContext, _question: &Question) -> bool {
        true
    }

    /// Answers a question.
    fn decide(&mut self, context: &StepContext, question: &Question) -> Answer;

    /// Clones the agent, for a copy of the game.
    fn boxed(&self) -> Box<dyn Agent>;
}

/// Asks a question and returns the answer.
pub fn ask(cx: &mut Cx, question: Question) -> StepResult<Answer> {
    ask_with_question(cx, question).map(|(answer, _)| answer)
}

/// Asks a question and returns the answer together with the question.
pub fn ask_with_question(cx: &mut Cx, question: Question) -> StepResult<(Answer, Question)> {
    if cx.read_only > 0 {
        return Err(cx.fault("this script is read-only, so it cannot ask a question"));
    }
    let next = cx.next_answer;
    if next < cx.answers.len() {
        cx.next_answer += 1;
        cx.answers[next].during = running(cx);
        let answer = cx.answers[next].clone();
        if let Err(error) = question.check_answer(&answer) {
            return Err(cx.fault(format!("a recorded answer is no longer valid: {error}")));
        }
        return Ok((answer, question));
    }
    let agent = cx.agent.take();
    let Some(mut agent) = agent.filter(|agent| agent.answers(cx, &question)) else {
        cx.pending = Some(Box::new(question));
        cx.labels.used = 0;
        return Err(Stop::Suspend);
    };
    let answer = agent.decide(cx, &question);
    cx.agent = Some(agent);
    if let Err(error) = question.check_answer(&answer) {
        return Err(cx.fault(format!("an agent gave an invalid answer: {error}")));
    }
    super::journal::record_answer(cx, &question, &answer);
    let during = running(cx);
    cx.answers.push(Answer {
        seat: answer.seat,
        picks: answer.picks.clone(),
        during,
        is_skipped: false,
    });
    cx.next_answer += 1;
    Ok((answer, question))
}

/// The numbers of the running hooks.
fn running(cx: &Cx) -> SmallVec<[u32; 4]> {
    let mut runs = SmallVec::new_const();
    for call in &cx.calls {
        runs.push(call.run);
    }
    runs
}

/// Whether to ask a question with a single valid answer. Replays do, because the journal may
/// contain its answer, with pieces in a different order.
#[must_use]
pub fn asks_forced(cx: &Cx) -> bool {
    let recorded = cx.answers.get(cx.next_answer);
    recorded.map_or(cx.asks_forced, |answer| answer.is_skipped)
}

/// The work that the labels of the questions of a step may take, until a player is asked.
const LABEL_WORK: u64 = 100_000;

/// The labels of the next question, which are computed only for players.
#[derive(Default)]
pub struct QuestionLabels {
    /// Whether labels are never read.
    pub off: bool,
    /// The work that labels have taken since a player was asked.
    used: u64,
    /// The work and the hook runs of the step, while labels are being computed.
    step: Option<(u64, u32)>,
    /// The labels, one for each item of the list.
    labels: Value,
}

impl QuestionLabels {
    /// No labels yet.
    #[must_use]
    pub fn new(off: bool) -> QuestionLabels {
        QuestionLabels {
            off,
            ..QuestionLabels::default()
        }
    }
}

/// Whether a player will see the next question. If so, scripts are read-only and do not count as work
/// of the step until [`end_labels`], so that a game does not depend on who watches.
pub fn begin_labels(cx: &mut Cx) -> bool {
    if cx.labels.off || cx.agent.is_some() || cx.next_answer < cx.answers.len() {
        return false;
    }
    cx.labels.step = Some((cx.work, cx.runs));
    cx.work = MAX_WORK - LABEL_WORK + cx.labels.used.min(LABEL_WORK);
    cx.read_only += 1;
    true
}

/// Keeps the labels for the next question.
pub fn end_labels(cx: &mut Cx, labels: Value) {
    if let Some((work, runs)) = cx.labels.step.take() {
        cx.labels.used = cx.work.saturating_sub(MAX_WORK - LABEL_WORK);
        (cx.work, cx.runs) = (work, runs);
        cx.read_only -= 1;
        cx.labels.labels = labels;
    }
}

/// Takes the labels of the next question: a list, or nothing.
pub fn take_labels(cx: &mut Cx) -> Value {
    std::mem::take(&mut cx.labels.labels)
}

/// Drops what is left of the labels of a step that has stopped.
pub fn reset_labels(context: &mut StepContext) {
    context.labels.step = None;
    context.labels.used = 0;
    if !matches!(context.labels.labels, Value::Unit) {
        context.labels.labels = Value::Unit;
    }
}

/// The id of the next question of the running hook.
pub fn next_id(cx: &mut Cx) -> QuestionId {
    match cx.calls.last_mut() {
        Some(call) => {
            call.question_count += 1;
            QuestionId::Hook(call.hook, call.question_count)
        }
        None => QuestionId::Engine,
    }
}

/// Asks a seat to pick one option. A single open option is taken without asking; no open option is
/// a fault.
#[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)]
pub fn ask_one(
    cx: &mut Cx,
    seat: SeatId,
    prompt: Prompt,
    options: Vec<QuestionOption>,
) -> StepResult<usize> {
    let id = next_id(cx);
    let question = Question {
        id,
        seats: SeatSet::only(seat),
        sealed: false,
        prompt,
        form: AnswerForm::One,
        options,
        is_skipped: false,
    };
    let mut open = question.open();
    match (open.next(), open.next()) {
        (None, _) => {
            Err(cx.fault("there is nothing to choose from: check that the list has an open option"))
        }
        (Some(only), None) => Ok(only),
        _ => {
            drop(open);
            let answer = ask(cx, question)?;
            Ok(answer.picks.list()[0] as usize)
        }
    }
}

/// Charges the work of asking with a number of options: each is compared with all others, and a
/// piece also by what it owns and by its marks.
///
/// # Errors
/// Returns a fault if the step exceeds its work limit.
pub fn charge_options(cx: &mut Cx, options: usize) -> StepResult {
    let options = options as u64;
    let zones = cx.content().zones_of[Owner::Piece].len() as u64;
    let marks = cx.state.marks.iter();
    let marked = marks.filter(|(entity, _)| matches!(entity, Entity::Piece(_)));
    let marked = marked.count() as u64;
    let marks = cx.state.marks.len() as u64;
    cx.charge_work(options * options * (1 + zones) / 16)?;
    cx.charge_work(options * options.min(marked) * marks / 64)
}

/// Options for pieces; equal pieces share one option.
#[must_use]
pub fn piece_options(
    context: &StepContext,
    seat: SeatId,
    pieces: &[PieceId],
) -> Vec<QuestionOption> {
    let mut options = Vec::with_capacity(pieces.len());
    add_piece_options(context, seat, pieces, None, &mut options);
    options
}

/// Adds options for pieces; equal pieces share one. `owner` is the seat that they are offered to, in
/// menus.
pub fn add_piece_options(
    context: &StepContext,
    seat: SeatId,
    pieces: &[PieceId],
    owner: Option<SeatId>,
    options: &mut Vec<QuestionOption>,
) {
    let first = options.len();
    for &piece in pieces {
        let entry = context.entry_of(piece);
        let equal = options[first..]
            .iter_mut()
            .find(|option| match option.value {
                Value::Entity(Entity::Piece(other)) => {
                    context.entry_of(other) == entry && are_equal(context, seat, piece, other)
                }
                _ => false,
            });
        match equal {
            Some(option) => option.more.push(piece),
            None => options.push(QuestionOption {
                seat: owner,
                ..QuestionOption::new(Value::Entity(Entity::Piece(piece)))
            }),
        }
    }
}

/// Whether a seat knows both pieces and cannot tell them apart.
pub(super) fn are_equal(
    context: &StepContext,
    seat: SeatId,
    left: PieceId,
    right: PieceId,
) -> bool {
    let (a, b) = (
        context.state.pieces[left.ix()],
        context.state.pieces[right.ix()],
    );
    let zones = &context.state.zones;
    a.entry == b.entry
        && a.face == b.face
        && (a.known & b.known).contains(seat)
        && zones.zone_of(left) == zones.zone_of(right)
        && same_counters(context, left, right)
        && !owns_anything(context, left)
        && !owns_anything(context, right)
}

fn same_counters(context: &StepContext, left: PieceId, right: PieceId) -> bool {
    let per = context.content().counters_of[Owner::Piece].len();
    let counters = |piece: PieceId| {
        &context.state.counters[Owner::Piece][piece.ix() * per..(piece.ix() + 1) * per]
    };
    counters(left) == counters(right)
}

fn owns_anything(context: &StepContext, piece: PieceId) -> bool {
    let zones = &context.state.zones;
    let mut zones_of_piece = context.content().zones_of[Owner::Piece]
        .iter()
        .filter_map(|zone| zones.at(context.content(), Entity::Piece(piece), *zone));
    zones_of_piece.any(|at| zones.count(at) > 0)
        || context
            .state
            .marks
            .iter()
            .any(|(entity, _)| *entity == Entity::Piece(piece))
}

/// The pieces that picks of [`piece_options`] refer to.
#[must_use]
#[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)]
pub fn picked_pieces(options: &[QuestionOption], picks: &[i64]) -> Vec<PieceId> {
    let mut taken = vec![0usize; options.len()];
    let mut list = Vec::with_capacity(picks.len());
    for pick in picks {
        let ix = *pick as usize;
        let nth = taken[ix];
        taken[ix] += 1;
        let first = match options[ix].value {
            Value::Entity(Entity::Piece(piece)) => Some(piece),
            _ => None,
        };
        list.extend(if nth == 0 {
            first
        } else {
            options[ix].more.get(nth - 1).copied()
        });
    }
    list
}

/// Asks a seat to choose pieces. If there is only one possible choice, it is made without asking.
pub fn ask_pieces(
    cx: &mut Cx,
    seat: SeatId,
    prompt: Prompt,
    from: &[PieceId],
    min: u16,
    max: u16,
) -> StepResult<Vec<PieceId>> {
    let all = cast::<_, u16>(from.len());
    let (min, max) = (min.min(all), max.min(all));
    let id = next_id(cx);
    if min == all {
        return Ok(from.to_vec());
    }
    if max == 0 {
        return Ok(Vec::new());
    }
    charge_options(cx, from.len())?;
    let options = piece_options(cx, seat, from);
    if matches!(prompt, Prompt::Pay) && min == max && options.len() == 1 {
        // They are all equal, so there is nothing to choose.
        return Ok(from[..usize::from(min)].to_vec());
    }
    let form = if (min, max) == (1, 1) {
        AnswerForm::One
    } else {
        AnswerForm::Some { min, max }
    };
    let question = Question {
        id,
        seats: SeatSet::only(seat),
        sealed: false,
        prompt,
        form,
        options,
        is_skipped: false,
    };
    let (answer, question) = ask_with_question(cx, question)?;
    Ok(picked_pieces(&question.options, answer.picks.list()))
}

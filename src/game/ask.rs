//! Asking: the one way in which anyone is asked anything.
//!
//! An answer that is waiting is taken; else an agent that sits at the table decides at once; else the step is left, and runs
//! again when the answer has come.

use super::cx::{Core, Cx, Res, Stop};
use super::render::catalogue::{answer as refusal, name};
use super::state::Entity;
use super::val::Val;
use crate::content::{EventId, HookId, Owner, PhaseId, PieceId, SeatId, SeatSet};
use crate::number::cast;

/// What was picked: positions of options, or amounts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Picks {
    /// One.
    One(i64),
    /// Several, in order.
    Many(Vec<i64>),
}

impl Picks {
    /// All of them.
    #[must_use]
    pub fn list(&self) -> &[i64] {
        match self {
            Picks::One(one) => std::slice::from_ref(one),
            Picks::Many(many) => many,
        }
    }
}

/// Who said what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Who.
    pub seat: SeatId,
    /// What.
    pub picks: Picks,
    /// The runs of hooks it was given in, which the engine notes.
    pub during: Vec<u32>,
}

impl Answer {
    /// An answer of a seat.
    #[must_use]
    pub const fn new(seat: SeatId, picks: Picks) -> Answer {
        Answer {
            seat,
            picks,
            during: Vec::new(),
        }
    }
}

/// What shape an answer has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One of the options.
    One,
    /// So many of the options; equal ones count one by one.
    Some {
        /// At least.
        min: u16,
        /// At most.
        max: u16,
    },
    /// All options, in an order.
    Order,
    /// A number.
    Amount {
        /// At least.
        min: i64,
        /// At most.
        max: i64,
    },
    /// A number for each option, which add up.
    Split {
        /// To this.
        total: i64,
    },
}

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub enum Prompt {
    /// In a script's words.
    Text(Box<str>),
    /// Which of the optional hooks of an event, if any.
    May(EventId),
    /// Which line of a menu.
    Menu(PhaseId),
    /// How to pay.
    Pay,
    /// Which pieces to lose.
    Lose,
}

/// Which question it is: the same in every run, whatever the texts say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskId {
    /// The so-manieth of a hook.
    Hook(HookId, u16),
    /// A menu.
    Menu(PhaseId),
    /// A question of the engine outside any hook.
    Engine,
}

/// One option.
#[derive(Clone, PartialEq, Debug)]
pub struct Opt {
    /// What it stands for.
    pub val: Val,
    /// Whose it is, in menus.
    pub seat: Option<SeatId>,
    /// The action it belongs to, in menus.
    pub action: Option<crate::content::EntryId>,
    /// The piece whose action it is.
    pub by: Option<PieceId>,
    /// What people read, where it does not follow from what it stands for.
    pub label: Option<Box<str>>,
    /// Why it is closed.
    pub closed: Option<Box<str>>,
    /// Further pieces that are equal to the first.
    pub more: Vec<PieceId>,
}

impl Opt {
    /// An option for a value.
    #[must_use]
    pub const fn new(val: Val) -> Opt {
        Opt {
            val,
            seat: None,
            action: None,
            by: None,
            label: None,
            closed: None,
            more: Vec::new(),
        }
    }

    /// An option for a word.
    #[must_use]
    pub fn word(key: &str, label: &str) -> Opt {
        Opt {
            label: Some(label.into()),
            ..Opt::new(Val::Text(key.into()))
        }
    }

    /// How many equal things it stands for.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.more.len()
    }
}

/// A decision, before it is put into words.
#[derive(Clone, PartialEq, Debug)]
pub struct Ask {
    /// Which question.
    pub id: AskId,
    /// Who may answer; the first answer counts.
    pub seats: SeatSet,
    /// Whether the others must not see the answer before everyone gave theirs.
    pub sealed: bool,
    /// What is asked.
    pub prompt: Prompt,
    /// What shape the answer has.
    pub form: Form,
    /// The options, closed ones too.
    pub options: Vec<Opt>,
}

impl Ask {
    /// The first seat that may answer.
    #[must_use]
    pub fn seat(&self) -> SeatId {
        debug_assert!(!self.seats.is_empty(), "somebody is asked");
        self.seats.first().unwrap_or(SeatId(0))
    }

    /// Whether a seat may answer; one that nobody has may not.
    #[must_use]
    pub fn asks(&self, seat: SeatId) -> bool {
        self.seats.contains(seat)
    }

    /// The positions of the options that are open.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.options.len()).filter(|ix| self.options[*ix].closed.is_none())
    }

    /// Whether an answer fits, and if not, why.
    ///
    /// # Errors
    /// What is wrong with it, for whoever gave it.
    pub fn fits(&self, answer: &Answer) -> Result<(), String> {
        if !self.asks(answer.seat) {
            return Err(refusal::not_asked(&name::seat(answer.seat.ix() + 1)));
        }
        let picks = answer.picks.list();
        match self.form {
            Form::Amount { min, max } => match picks {
                [n] if (min..=max).contains(n) => Ok(()),
                _ => Err(refusal::out_of_range(min, max)),
            },
            Form::Split { total } => self.fits_split(picks, total),
            Form::One => self.fits_picks(answer.seat, picks, 1, 1),
            Form::Some { min, max } => self.fits_picks(answer.seat, picks, min.into(), max.into()),
            Form::Order => {
                self.fits_picks(answer.seat, picks, self.options.len(), self.options.len())
            }
        }
    }

    fn fits_split(&self, picks: &[i64], total: i64) -> Result<(), String> {
        let sum = picks.iter().fold(0, |sum: i64, n| sum.saturating_add(*n));
        if picks.len() == self.options.len() && sum == total && picks.iter().all(|n| *n >= 0) {
            return Ok(());
        }
        Err(refusal::wrong_split(self.options.len(), total))
    }

    fn fits_picks(
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

/// Someone who decides.
pub trait Agent {
    /// The answer to a question.
    fn decide(&mut self, core: &Core, ask: &Ask) -> Answer;

    /// A copy for a copied game.
    fn boxed(&self) -> Box<dyn Agent>;
}

/// Asks, and gives the answer.
///
/// # Errors
/// Suspends the step when nobody is there to answer; a fault in scripts that may only look.
pub fn ask(cx: &mut Cx, ask: Ask) -> Res<Answer> {
    put(cx, ask).map(|(answer, _)| answer)
}

/// Asks, and gives the answer with the question it belongs to.
///
/// # Errors
/// As [`ask`].
pub fn put(cx: &mut Cx, ask: Ask) -> Res<(Answer, Ask)> {
    if cx.read_only > 0 {
        return Err(cx.fault("this script may only look, so it cannot ask anyone"));
    }
    let next = cx.next_answer;
    if next < cx.answers.len() {
        cx.next_answer += 1;
        let during = cx.calls.iter().map(|call| call.run).collect();
        cx.answers[next].during = during;
        let answer = cx.answers[next].clone();
        if let Err(why) = ask.fits(&answer) {
            return Err(cx.fault(format!("an answer given before no longer fits: {why}")));
        }
        return Ok((answer, ask));
    }
    let Some(mut agent) = cx.agent.take() else {
        cx.pending = Some(Box::new(ask));
        return Err(Stop::Suspend);
    };
    let answer = agent.decide(cx, &ask);
    cx.agent = Some(agent);
    if let Err(why) = ask.fits(&answer) {
        return Err(cx.fault(format!("an agent gave an answer that does not fit: {why}")));
    }
    super::journal::note(cx, &ask, &answer);
    let during = cx.calls.iter().map(|call| call.run).collect();
    cx.answers.push(Answer {
        during,
        ..answer.clone()
    });
    cx.next_answer += 1;
    Ok((answer, ask))
}

/// The number of the next question of the hook that is running.
pub fn next_id(cx: &mut Cx) -> AskId {
    match cx.calls.last_mut() {
        Some(call) => {
            call.asked += 1;
            AskId::Hook(call.hook, call.asked)
        }
        None => AskId::Engine,
    }
}

/// Asks one seat for one of the options; a single open option is taken without asking.
///
/// # Errors
/// As [`ask`]; a fault when nothing is open.
#[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)]
pub fn one(cx: &mut Cx, seat: SeatId, prompt: Prompt, options: Vec<Opt>) -> Res<usize> {
    let id = next_id(cx);
    let question = Ask {
        id,
        seats: SeatSet::only(seat),
        sealed: false,
        prompt,
        form: Form::One,
        options,
    };
    let mut open = question.open();
    match (open.next(), open.next()) {
        (None, _) => Err(cx.fault("there is nothing to choose from")),
        (Some(only), None) => Ok(only),
        _ => {
            drop(open);
            let answer = ask(cx, question)?;
            Ok(answer.picks.list()[0] as usize)
        }
    }
}

/// Equal pieces become one option with a count.
#[must_use]
pub fn piece_options(core: &Core, seat: SeatId, pieces: &[PieceId]) -> Vec<Opt> {
    let mut options: Vec<Opt> = Vec::with_capacity(pieces.len());
    for &piece in pieces {
        let equal = options.iter_mut().find(|option| match option.val {
            Val::Entity(Entity::Piece(other)) => are_equal(core, seat, piece, other),
            _ => false,
        });
        match equal {
            Some(option) => option.more.push(piece),
            None => options.push(Opt::new(Val::Entity(Entity::Piece(piece)))),
        }
    }
    options
}

/// Whether the chooser knows two pieces and cannot tell them apart.
pub(super) fn are_equal(core: &Core, seat: SeatId, one: PieceId, other: PieceId) -> bool {
    let (a, b) = (core.state.pieces[one.ix()], core.state.pieces[other.ix()]);
    let zones = &core.state.zones;
    a.entry == b.entry
        && a.face == b.face
        && (a.known & b.known).contains(seat)
        && zones.zone_of(one) == zones.zone_of(other)
        && same_counters(core, one, other)
        && !owns_anything(core, one)
        && !owns_anything(core, other)
}

fn same_counters(core: &Core, one: PieceId, other: PieceId) -> bool {
    let per = core.content().counters_of[Owner::Piece].len();
    let of = |piece: PieceId| {
        &core.state.counters[Owner::Piece][piece.ix() * per..(piece.ix() + 1) * per]
    };
    of(one) == of(other)
}

fn owns_anything(core: &Core, piece: PieceId) -> bool {
    let zones = &core.state.zones;
    let mut own = core.content().zones_of[Owner::Piece]
        .iter()
        .filter_map(|zone| zones.at(core.content(), Entity::Piece(piece), *zone));
    own.any(|at| zones.count(at) > 0)
        || core
            .state
            .marks
            .iter()
            .any(|(of, _)| *of == Entity::Piece(piece))
}

/// The pieces that picks of piece options stand for.
#[must_use]
#[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)]
pub fn picked_pieces(options: &[Opt], picks: &[i64]) -> Vec<PieceId> {
    let mut taken = vec![0usize; options.len()];
    let mut list = Vec::with_capacity(picks.len());
    for pick in picks {
        let ix = *pick as usize;
        let nth = taken[ix];
        taken[ix] += 1;
        let first = match options[ix].val {
            Val::Entity(Entity::Piece(piece)) => Some(piece),
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

/// Asks a seat to choose pieces; when there is no choice, nobody is asked.
///
/// # Errors
/// As [`ask`].
pub fn pieces(
    cx: &mut Cx,
    seat: SeatId,
    prompt: Prompt,
    from: &[PieceId],
    min: u16,
    max: u16,
) -> Res<Vec<PieceId>> {
    let all = cast::<_, u16>(from.len());
    let (min, max) = (min.min(all), max.min(all));
    let id = next_id(cx);
    if min == all {
        return Ok(from.to_vec());
    }
    if max == 0 {
        return Ok(Vec::new());
    }
    let options = piece_options(cx, seat, from);
    let form = if (min, max) == (1, 1) {
        Form::One
    } else {
        Form::Some { min, max }
    };
    let question = Ask {
        id,
        seats: SeatSet::only(seat),
        sealed: false,
        prompt,
        form,
        options,
    };
    let (answer, question) = put(cx, question)?;
    Ok(picked_pieces(&question.options, answer.picks.list()))
}

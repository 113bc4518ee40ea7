//! Questions: a script asks a seat and continues with the answer.

use kaer_macros::primitives;

use crate::number::cast;
use crate::script::operators::{text_cost, value_cost};
use crate::script::primitive::*;

use super::seat::seat_id;
use crate::content::{CostAlternative, PieceId, SeatId, SeatSet};
use crate::game::cost::{pay, unpayable_reason};
use crate::game::question::{self as asking, AnswerForm, Prompt, Question, QuestionOption};
use crate::game::render::catalogue::label;
use crate::game::{Answer, Cx, Entity, StepResult, names};
use crate::value::Value;

fn prompt(cx: &mut Cx, text: &str) -> StepResult<Prompt> {
    cx.charge_work(text_cost(text.len()))?;
    Ok(Prompt::Text(text.into()))
}

/// The options of a script's list, each with the positions of the items it represents: equal pieces
/// share an option.
fn options(cx: &Cx, seat: SeatId, list: &List) -> (Vec<QuestionOption>, Vec<Vec<usize>>) {
    let pieces: Option<Vec<PieceId>> = list
        .iter()
        .map(|item| match item.entity() {
            Some(Entity::Piece(piece)) => Some(piece),
            _ => None,
        })
        .collect();
    if let Some(pieces) = pieces {
        let options = asking::piece_options(cx, seat, &pieces);
        let find = |piece: &PieceId| pieces.iter().position(|other| other == piece).unwrap_or(0);
        let items = options.iter().map(|option| {
            let first = match option.value {
                Value::Entity(Entity::Piece(piece)) => find(&piece),
                _ => 0,
            };
            std::iter::once(first)
                .chain(option.more.iter().map(find))
                .collect()
        });
        let items = items.collect();
        return (options, items);
    }
    let options = list.iter().map(option).collect();
    (options, (0..list.len()).map(|ix| vec![ix]).collect())
}

/// Charges the work of making a list the options of a question.
fn charge_options(cx: &mut Cx, list: &List) -> StepResult {
    cx.charge_work(list.iter().map(value_cost).sum())?;
    asking::charge_options(cx, list.len())
}

/// An item as an option; a map may have `label` and `closed`.
fn option(item: &Value) -> QuestionOption {
    let value = Value::clone(item);
    let text = |name: &str| value.get(name).and_then(Value::text).map(Into::into);
    let (label, closed) = (text("label"), text("closed"));
    QuestionOption {
        label,
        closed,
        ..QuestionOption::new(value)
    }
}

fn pick(list: &List, items: &[Vec<usize>], picks: &[i64]) -> List {
    let mut used = vec![0usize; items.len()];
    let mut out = List::default();
    for pick in picks {
        let ix = cast::<_, usize>(*pick);
        let item = items.get(ix).and_then(|copies| copies.get(used[ix]));
        used[ix] += 1;
        if let Some(value) = item.and_then(|item| list.get(*item)) {
            out.push(value.clone());
        }
    }
    out
}

fn choose_several(
    cx: &mut Cx,
    seat: SeatId,
    text: &str,
    list: &List,
    min: i64,
    max: i64,
    sealed: bool,
) -> StepResult<List> {
    let id = asking::next_id(cx);
    let labels = asking::take_labels(cx);
    let all = cast::<_, i64>(list.len());
    let (min, max) = (min.clamp(0, all), max.clamp(0, all));
    if max == 0 {
        return Ok(List::default());
    }
    charge_options(cx, list)?;
    let (mut options, items) = options(cx, seat, list);
    for (option, items) in options.iter_mut().zip(&items) {
        let label = items.first().and_then(|item| labels.list().get(*item));
        if let Some(label) = label {
            option.label = Some(names::value(cx, label).into());
        }
    }
    let short = |n: i64| u16::try_from(n).unwrap_or(u16::MAX);
    let exactly_one = (min, max) == (1, 1);
    let open = options
        .iter()
        .filter(|option| option.closed.is_none())
        .count();
    let choosable: usize = options
        .iter()
        .filter(|option| option.closed.is_none())
        .map(QuestionOption::count)
        .sum();
    if cast::<_, i64>(choosable) < min {
        return Err(cx.fault(format!(
            "too few options are open for `{text}`: lower `min` or open more"
        )));
    }
    if exactly_one && open == 1 && !sealed {
        let only = options
            .iter()
            .position(|option| option.closed.is_none())
            .unwrap_or(0);
        return Ok(pick(list, &items, &[cast::<_, i64>(only)]));
    }
    let form = if exactly_one {
        AnswerForm::One
    } else {
        AnswerForm::Some {
            min: short(min),
            max: short(max),
        }
    };
    let prompt = prompt(cx, text)?;
    let mut ask = Question {
        id,
        seats: SeatSet::only(seat),
        sealed,
        prompt,
        form,
        options,
        is_skipped: false,
    };
    if let Some(only) = ask.only_answer().filter(|_| !sealed) {
        if !asking::asks_forced(cx) {
            return Ok(pick(list, &items, only.picks.list()));
        }
        ask.is_skipped = true;
    }
    let answer = asking::ask(cx, ask)?;
    Ok(pick(list, &items, answer.picks.list()))
}

fn choose_one(cx: &mut Cx, seat: SeatId, text: &str, list: &List) -> StepResult<Value> {
    if list.is_empty() {
        return Err(cx.fault(format!(
            "the list of options is empty for `{text}`: check it before asking"
        )));
    }
    Ok(choose_several(cx, seat, text, list, 1, 1, false)?
        .pop()
        .unwrap_or(Value::Unit))
}

fn seat_list(cx: &mut Cx, list: &List) -> StepResult<Vec<SeatId>> {
    cx.charge_work(list.len() as u64)?;
    let object = |seat: &Value| seat.entity().map_or(Entity::Table, |object| object);
    list.iter().map(|seat| seat_id(cx, object(seat))).collect()
}

/// Asks several seats at once for one option; the first answer counts.
fn ask_together(
    cx: &mut Cx,
    seats: &[SeatId],
    text: &str,
    options: Vec<QuestionOption>,
) -> StepResult<Answer> {
    if seats.is_empty() || options.iter().all(|option| option.closed.is_some()) {
        return Err(cx.fault(format!("no seat to ask, or no open option, for `{text}`")));
    }
    let mask = seats.iter().copied().collect::<SeatSet>();
    let id = asking::next_id(cx);
    let prompt = prompt(cx, text)?;
    asking::ask(
        cx,
        Question {
            id,
            seats: mask,
            sealed: false,
            prompt,
            form: AnswerForm::One,
            options,
            is_skipped: false,
        },
    )
}

/// The options of an entry that are not hidden, with their costs and positions in the list.
#[derive(Default)]
struct EntryOptions {
    options: Vec<QuestionOption>,
    costs: Vec<Vec<CostAlternative>>,
    positions: Vec<usize>,
}

impl EntryOptions {
    fn of(cx: &mut Cx, seats: &[SeatId], list: &Data) -> StepResult<EntryOptions> {
        let mut found = EntryOptions::default();
        for (position, table) in list.0.list().iter().enumerate() {
            let cost = match table.get("cost") {
                Some(cost) => super::seat::table_cost(cx, cost)?,
                None => Vec::new(),
            };
            let mut closed = None;
            if !super::branch::applies(cx, table, (None, seats.first().copied()))? {
                if matches!(table.get("secret"), Some(Value::Bool(true))) {
                    continue;
                }
                closed = Some(super::talk::table_field(cx, table, "closed").into());
            }
            for seat in seats.iter().filter(|_| !cost.is_empty()) {
                let payer = super::seat::payer(cx, *seat);
                closed = closed.or(unpayable_reason(cx, &payer, &cost)?);
            }
            let id = table.get("id").and_then(Value::text).unwrap_or("");
            let is_read = !cx.labels.off || !cx.log.off;
            let label = is_read.then(|| super::talk::table_text(cx, table).into());
            found.options.push(QuestionOption {
                label,
                closed,
                ..QuestionOption::new(Value::Text(id.into()))
            });
            found.costs.push(cost);
            found.positions.push(position);
        }
        Ok(found)
    }
}

/// Asks for one option of an entry and charges its cost. A closed option is always shown, so the
/// seat is asked even if only one is open.
fn option_of(cx: &mut Cx, seats: &[SeatId], text: &str, list: &Data) -> StepResult<Value> {
    cx.charge_work(value_cost(&list.0) * 4)?;
    let EntryOptions {
        options,
        costs,
        positions,
    } = EntryOptions::of(cx, seats, list)?;
    let labels: Vec<Option<Box<str>>> = options.iter().map(|option| option.label.clone()).collect();
    let is_alone = options.len() == 1 && seats.len() == 1;
    let (seat, picked) = if let ([seat], true) = (seats, is_alone) {
        let prompt = prompt(cx, text)?;
        (*seat, asking::ask_one(cx, *seat, prompt, options)?)
    } else {
        let answer = ask_together(cx, seats, text, options)?;
        let pick = answer.picks.list().first().copied();
        (answer.seat, cast::<_, usize>(pick.unwrap_or(0)))
    };
    let label = labels.into_iter().nth(picked).flatten().unwrap_or_default();
    crate::game::log::log_choice(cx, seat, text, label, is_alone);
    let payer = super::seat::payer(cx, seat);
    pay(cx, &payer, &costs[picked])?;
    let picked = positions[picked];
    if let Some(chosen) = &mut cx.chosen_options {
        chosen.push((list.0.clone(), picked));
    }
    Ok(list.0.list().get(picked).cloned().unwrap_or_default())
}

fn amount(
    cx: &mut Cx,
    seat: SeatId,
    text: &str,
    min: i64,
    max: i64,
    sealed: bool,
) -> StepResult<i64> {
    let id = asking::next_id(cx);
    let form = AnswerForm::Amount {
        min,
        max: max.max(min),
    };
    if max <= min && !sealed {
        return Ok(min);
    }
    let prompt = prompt(cx, text)?;
    let ask = Question {
        id,
        seats: SeatSet::only(seat),
        sealed,
        prompt,
        form,
        options: Vec::new(),
        is_skipped: false,
    };
    Ok(asking::ask(cx, ask)?
        .picks
        .list()
        .first()
        .copied()
        .unwrap_or(min))
}

#[primitives("questions")]
pub mod functions {
    use super::*;

    /// Asks a seat to choose one item of a list: pieces, seats, places, entries, strings, numbers, or maps
    /// with a `label`. A map may also have `closed` (the reason why it cannot be chosen), `group` (the
    /// heading it is listed under) and `default: true` (Enter chooses it). If only one item can be chosen,
    /// it is chosen without asking.
    /// ```rhai
    /// let flower = choose(actor, "Which flower?", actor.hand.pieces()); // answer: tulip
    /// flower // is Tulip
    /// let deed = choose(actor, "What now?", ["water", "weed"]); // answer: weed
    /// deed // is weed
    /// ```
    #[does(ASKS)]
    pub fn choose(cx: &mut Cx, seat: Entity, #[shown] text: Text, list: List) -> StepResult<Value> {
        let seat = seat_id(cx, seat)?;
        choose_one(cx, seat, &text, &list)
    }

    /// Asks a seat to choose between `min` and `max` items of a list.
    /// ```rhai
    /// let gifts = choose_some(actor, "Give away up to two.", actor.hand.pieces(), 0, 2); // answer: rose daisy
    /// gifts // is [Rose, Daisy]
    /// ```
    #[does(ASKS)]
    pub fn choose_some(
        cx: &mut Cx,
        seat: Entity,
        #[shown] text: Text,
        list: List,
        min: i64,
        max: i64,
    ) -> StepResult<List> {
        let seat = seat_id(cx, seat)?;
        choose_several(cx, seat, &text, &list, min, max, false)
    }

    /// Asks a seat to choose one option of an entry, charges its cost and returns it. Options are tables
    /// with an `id`, a `text` and optionally a `cost` in whole numbers. An option the seat cannot pay for
    /// is closed, with the reason. So is one whose `when` is false; if it is `secret`, it is hidden. The
    /// seat is asked even if only one option is open.
    /// ```rhai
    /// let offer = choose_option(actor, "A pedlar at the gate.", piece("pedlar").deal); // answer: buy
    /// offer.id // is buy
    /// actor.coins // is 2
    /// ```
    #[does(ASKS, CHANGES)]
    pub fn choose_option(
        cx: &mut Cx,
        seat: Entity,
        #[shown] text: Text,
        list: Data,
    ) -> StepResult<Value> {
        let seat = seat_id(cx, seat)?;
        option_of(cx, &[seat], &text, &list)
    }

    /// Asks several seats at once to choose one option of an entry; the first answer counts, and that seat
    /// pays. An option that any of the seats cannot pay for is closed.
    /// ```rhai
    /// let offer = choose_option(seats(), "A pedlar at the gate.", piece("pedlar").deal); // answer: 2> buy
    /// offer.id // is buy
    /// seats()[1].coins // is 2
    /// ```
    #[name("choose_option")]
    #[does(ASKS, CHANGES)]
    pub fn choose_option_together(
        cx: &mut Cx,
        seats: List,
        #[shown] text: Text,
        list: Data,
    ) -> StepResult<Value> {
        let seats = seat_list(cx, &seats)?;
        option_of(cx, &seats, &text, &list)
    }

    /// Asks a seat to put a list in order.
    /// ```rhai
    /// let order = choose_order(actor, "In which order?", actor.hand.pieces()); // answer: daisy rose tulip
    /// order // is [Daisy, Rose, Tulip]
    /// ```
    #[does(ASKS)]
    pub fn choose_order(
        cx: &mut Cx,
        seat: Entity,
        #[shown] text: Text,
        list: List,
    ) -> StepResult<List> {
        let seat = seat_id(cx, seat)?;
        let id = asking::next_id(cx);
        if list.len() < 2 {
            return Ok(list);
        }
        charge_options(cx, &list)?;
        let options: Vec<QuestionOption> = list.iter().map(option).collect();
        let items: Vec<Vec<usize>> = (0..list.len()).map(|ix| vec![ix]).collect();
        let prompt = prompt(cx, &text)?;
        let ask = Question {
            id,
            seats: SeatSet::only(seat),
            sealed: false,
            prompt,
            form: AnswerForm::Order,
            options,
            is_skipped: false,
        };
        let answer = asking::ask(cx, ask)?;
        Ok(pick(&list, &items, answer.picks.list()))
    }

    /// Asks a seat a yes-or-no question.
    /// ```rhai
    /// if confirm(actor, "Water the beds?") { actor.water -= 1; } // answer: yes
    /// actor.water // is 1
    /// ```
    #[does(ASKS)]
    pub fn confirm(cx: &mut Cx, seat: Entity, #[shown] text: Text) -> StepResult<bool> {
        let seat = seat_id(cx, seat)?;
        let options = vec![
            QuestionOption::word("yes", label::YES),
            QuestionOption::word("no", label::NO),
        ];
        let prompt = prompt(cx, &text)?;
        Ok(asking::ask_one(cx, seat, prompt, options)? == 0)
    }

    /// Asks a seat for a number from `min` to `max`.
    /// ```rhai
    /// let spent = choose_amount(actor, "How many coins?", 0, actor.coins); // answer: 2
    /// spent // is 2
    /// ```
    #[does(ASKS)]
    pub fn choose_amount(
        cx: &mut Cx,
        seat: Entity,
        #[shown] text: Text,
        min: i64,
        max: i64,
    ) -> StepResult<i64> {
        let seat = seat_id(cx, seat)?;
        amount(cx, seat, &text, min, max, false)
    }

    /// Asks a seat to split a number among the items of a list; returns a number for each item.
    /// ```rhai
    /// let shares = choose_split(actor, "Share out 3 coins.", 3, seats()); // answer: 1 2
    /// shares // is [1, 2]
    /// ```
    #[does(ASKS)]
    pub fn choose_split(
        cx: &mut Cx,
        seat: Entity,
        #[shown] text: Text,
        total: i64,
        list: List,
    ) -> StepResult<List> {
        let seat = seat_id(cx, seat)?;
        let id = asking::next_id(cx);
        if list.is_empty() || total < 0 {
            return Err(cx.fault("cannot split: the list is empty or the total is negative"));
        }
        charge_options(cx, &list)?;
        let options: Vec<QuestionOption> = list.iter().map(option).collect();
        let form = AnswerForm::Split { total };
        let prompt = prompt(cx, &text)?;
        let ask = Question {
            id,
            seats: SeatSet::only(seat),
            sealed: false,
            prompt,
            form,
            options,
            is_skipped: false,
        };
        let answer = asking::ask(cx, ask)?;
        Ok(answer.picks.list().iter().map(|n| Value::Int(*n)).collect())
    }

    /// Asks each seat in secret to choose one item of a list; answers are revealed when all seats have
    /// answered. Returns a list of `#{ seat, choice }`.
    /// ```rhai
    /// let guesses = choose_each(seats(), "Sun or rain?", ["sun", "rain"]); // answer: sun, rain
    /// guesses[0].choice // is sun
    /// guesses[1].seat // is Ben
    /// ```
    #[does(ASKS, OTHERS)]
    pub fn choose_each(
        cx: &mut Cx,
        seats: List,
        #[shown] text: Text,
        list: List,
    ) -> StepResult<List> {
        cx.charge_work(seats.len() as u64)?;
        let mut out = List::default();
        for seat in &seats {
            let object = seat.entity();
            let seat = seat_id(cx, object.unwrap_or(Entity::Table))?;
            let choice = choose_several(cx, seat, &text, &list, 1, 1, true)?
                .pop()
                .unwrap_or(Value::Unit);
            out.push(answer_of(seat, choice));
        }
        Ok(out)
    }

    /// Asks each seat in secret for a number from 0 to `max`: a number, or the name of a counter of
    /// the seat. Returns a list of `#{ seat, choice }`.
    /// ```rhai
    /// let bids = choose_amount_each(seats(), "What do you bid?", "coins"); // answer: 1, 3
    /// bids[1].choice // is 3
    /// ```
    #[does(ASKS, OTHERS)]
    pub fn choose_amount_each(
        cx: &mut Cx,
        seats: List,
        #[shown] text: Text,
        max: Value,
    ) -> StepResult<List> {
        cx.charge_work(seats.len() as u64)?;
        let mut out = List::default();
        for seat in &seats {
            let object = seat.entity();
            let seat = seat_id(cx, object.unwrap_or(Entity::Table))?;
            let max = match (max.int(), max.text()) {
                (Some(max), _) => max,
                (_, Some(counter)) => {
                    let id = super::super::object::counter_id(cx, Entity::Seat(seat), counter)?;
                    crate::game::query::counter_value(cx, Entity::Seat(seat), id)?
                }
                _ => return Err(cx.fault("`max` must be a number or the name of a counter")),
            };
            let choice = amount(cx, seat, &text, 0, max, true)?;
            out.push(answer_of(seat, Value::Int(choice)));
        }
        Ok(out)
    }

    /// Asks several seats at once to choose one item of a list; the first answer counts. Returns `#{ seat,
    /// choice }`.
    /// ```rhai
    /// let first = choose_first(seats(), "Who wants it?", ["I do"]); // answer: 2> I-do
    /// first.seat // is Ben
    /// ```
    #[does(ASKS)]
    pub fn choose_first(
        cx: &mut Cx,
        seats: List,
        #[shown] text: Text,
        list: List,
    ) -> StepResult<Value> {
        let seats = seat_list(cx, &seats)?;
        charge_options(cx, &list)?;
        let answer = ask_together(cx, &seats, &text, list.iter().map(option).collect())?;
        let items: Vec<Vec<usize>> = (0..list.len()).map(|ix| vec![ix]).collect();
        let choice = pick(&list, &items, answer.picks.list())
            .pop()
            .unwrap_or(Value::Unit);
        Ok(answer_of(answer.seat, choice))
    }

    fn answer_of(seat: SeatId, choice: Value) -> Value {
        let mut map = Map::default();
        map.insert("seat".into(), Value::Entity(Entity::Seat(seat)));
        map.insert("choice".into(), choice);
        Value::Map(map)
    }
}

//! A bot that picks the answer with the best evaluation.
//!
//! It looks one answer ahead in a determinized copy, so it never uses hidden information. All
//! answers are tried with the same random seed, so that luck does not decide between them.

use super::RandomPlayer;
use super::determinize::determinized;
use crate::content::SeatId;
use crate::game::{Agent as _, Answer, AnswerForm, Game, Picks, Question};
use crate::number::cast;

/// The number of random answers to try if there are too many to enumerate.
const MAX_SAMPLED_ANSWERS: usize = 6;
/// The evaluation of a won game.
const WIN: i64 = 1_000_000;

/// Answers the pending question.
///
/// # Errors
/// Returns the fault of an evaluation script.
pub fn answer(game: &Game, question: &Question, seat: SeatId, seed: u64) -> Result<Answer, String> {
    let mut random = RandomPlayer::new(seed);
    let answers = candidates(game, question, seat, &mut random);
    if let [only] = &answers[..] {
        return Ok(only.clone());
    }
    best(
        &determinized(game, seat, seed),
        question,
        seat,
        answers,
        &mut random,
    )
}

/// The best of a few answers in a determinized game; a random answer if no pack declares an
/// evaluation.
pub(super) fn quick_answer(
    game: &Game,
    question: &Question,
    random: &mut RandomPlayer,
    max: usize,
) -> Result<Answer, String> {
    if max < 2 || game.content().evaluations.is_empty() {
        return Ok(random.decide(game.context(), question));
    }
    let seat = question.seat();
    let mut answers = candidates(game, question, seat, random);
    while answers.len() > max {
        answers.swap_remove(random.below(answers.len()));
    }
    if let [only] = &answers[..] {
        return Ok(only.clone());
    }
    best(game, question, seat, answers, random)
}

fn best(
    game: &Game,
    question: &Question,
    seat: SeatId,
    answers: Vec<Answer>,
    random: &mut RandomPlayer,
) -> Result<Answer, String> {
    // During its own turn, a seat hardly affects the others, unless the game is co-operative.
    let ignores_others = game.state().active == seat.0 && !is_cooperative(game);
    let mut best: Option<(i64, Answer)> = None;
    for answer in answers {
        let Ok(mut copy) = game.try_answer(answer.clone()) else {
            continue;
        };
        let value = if ignores_others {
            evaluate(&mut copy, seat)?
        } else {
            lead(&mut copy, seat)?
        };
        if best.as_ref().is_none_or(|(highest, _)| value > *highest) {
            best = Some((value, answer));
        }
    }
    Ok(best.map_or_else(
        || random.decide(game.context(), question),
        |(_, answer)| answer,
    ))
}

/// The answers to try: every open option, or a sample of valid answers for larger forms.
pub(super) fn candidates(
    game: &Game,
    question: &Question,
    seat: SeatId,
    random: &mut RandomPlayer,
) -> Vec<Answer> {
    let number = |ix: usize| cast::<_, i64>(ix);
    let may_pick = |ix: &usize| question.options[*ix].seat.is_none_or(|owner| owner == seat);
    match question.form {
        AnswerForm::One => question
            .open()
            .filter(may_pick)
            .map(|ix| Answer::new(seat, Picks::One(number(ix))))
            .collect(),
        AnswerForm::Amount { min, max } => {
            let mut amounts = vec![min, i64::midpoint(min, max), max];
            amounts.dedup();
            amounts
                .into_iter()
                .map(|n| Answer::new(seat, Picks::One(n)))
                .collect()
        }
        AnswerForm::Some { min, max } if max == 1 || min == 1 => {
            let none = (min == 0).then(|| Answer::new(seat, Picks::Many(Vec::new())));
            let one = |ix| Answer::new(seat, Picks::Many(vec![number(ix)]));
            none.into_iter().chain(question.open().map(one)).collect()
        }
        _ => {
            let mut some: Vec<Answer> = Vec::new();
            for answer in (0..MAX_SAMPLED_ANSWERS).map(|_| random.decide(game.context(), question))
            {
                if answer.seat == seat && !some.contains(&answer) {
                    some.push(answer);
                }
            }
            some
        }
    }
}

/// The evaluation of a seat's position, including the result of a finished game.
fn evaluate(game: &mut Game, seat: SeatId) -> Result<i64, String> {
    match &game.state().outcome {
        Some(outcome) => Ok(if outcome.winners.contains(&seat) {
            WIN
        } else {
            -WIN
        }),
        None => game.evaluation(seat),
    }
}

fn is_cooperative(game: &Game) -> bool {
    game.content()
        .mode
        .as_ref()
        .is_some_and(|mode| mode.cooperative)
}

/// How far a seat is ahead of the average of the others. In a co-operative game, the sum of all
/// seats.
pub(super) fn lead(game: &mut Game, seat: SeatId) -> Result<i64, String> {
    let own = evaluate(game, seat)?;
    if game.state().outcome.is_some() {
        return Ok(own);
    }
    let others: Vec<SeatId> = game
        .state()
        .seats_from(0)
        .filter(|other| *other != seat)
        .collect();
    let mut others_total = 0;
    for other in &others {
        others_total += game.evaluation(*other)?;
    }
    if is_cooperative(game) {
        return Ok(own + others_total);
    }
    Ok(own - others_total / cast::<_, i64>(others.len().max(1)))
}

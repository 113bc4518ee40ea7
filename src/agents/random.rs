//! A bot that picks any open option with equal probability.

use crate::game::chance::mix;
use crate::game::{Agent, Answer, AnswerForm, Picks, Question, StepContext};
use crate::number::cast;

/// A bot that picks at random.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    state: u64,
}

impl RandomPlayer {
    /// Creates a bot with its own seed.
    #[must_use]
    pub const fn new(seed: u64) -> RandomPlayer {
        RandomPlayer {
            state: mix(seed ^ 0x5bf0_3635),
        }
    }

    /// A random number below `bound`; every value is equally likely.
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = mix(self.state);
        let bound = (bound.max(1)) as u64;
        if bound > u64::from(u32::MAX) {
            return cast::<_, usize>(self.state % bound);
        }
        cast::<_, usize>(((self.state >> 32) * bound) >> 32)
    }

    fn between(&mut self, min: i64, max: i64) -> i64 {
        let width = usize::try_from(max.saturating_sub(min).saturating_add(1)).unwrap_or(1);
        min.saturating_add(cast::<_, i64>(self.below(width)))
            .min(max)
    }

    /// Picks some of the open options; equal pieces count separately.
    fn pick_some(&mut self, question: &Question, min: usize, max: usize) -> Vec<i64> {
        let mut all: Vec<i64> = Vec::new();
        for ix in question.open() {
            all.extend(std::iter::repeat_n(
                cast::<_, i64>(ix),
                question.options[ix].count(),
            ));
        }
        let max = max.min(all.len());
        let count = min + self.below(max.saturating_sub(min) + 1);
        let mut picked = Vec::with_capacity(count);
        while picked.len() < count && !all.is_empty() {
            let at = self.below(all.len());
            picked.push(all.swap_remove(at));
        }
        picked
    }

    fn split(&mut self, total: i64, parts: usize) -> Vec<i64> {
        let mut numbers = vec![0; parts];
        // Distributing a large total point by point would take too long, so one part gets the rest.
        let handful = total.clamp(0, 1000);
        if total > handful {
            let rest = self.below(parts);
            numbers[rest] += total - handful;
        }
        for _ in 0..handful {
            let at = self.below(parts);
            numbers[at] += 1;
        }
        numbers
    }
}

impl Agent for RandomPlayer {
    fn decide(&mut self, _context: &StepContext, question: &Question) -> Answer {
        let mut seat = question.seat();
        let picks = match question.form {
            // No random number is spent on a question without a choice.
            AnswerForm::One if let Some(only) = question.only_option() => {
                Picks::One(cast::<_, i64>(only))
            }
            AnswerForm::One => {
                let open = question.open().count();
                let nth = self.below(open);
                let ix = question.open().nth(nth).unwrap_or(0);
                seat = question
                    .options
                    .get(ix)
                    .and_then(|option| option.seat)
                    .unwrap_or(seat);
                Picks::One(cast::<_, i64>(ix))
            }
            AnswerForm::Some { min, max } => {
                Picks::Many(self.pick_some(question, min.into(), max.into()))
            }
            AnswerForm::Order => Picks::Many(self.pick_some(
                question,
                question.options.len(),
                question.options.len(),
            )),
            AnswerForm::Amount { min, max } => Picks::One(self.between(min, max)),
            AnswerForm::Split { total } => Picks::Many(self.split(total, question.options.len())),
        };
        Answer::new(seat, picks)
    }

    fn boxed(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

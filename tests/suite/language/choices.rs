//! Random choices that are recorded, so that a program can be generated again from fewer of them.

use crate::mutate::rng::Rng;

/// A source of choices. A recorded one gives its choices again, and 0 after its end.
pub struct Choices {
    rng: Option<Rng>,
    made: Vec<u16>,
    next: usize,
}

impl Choices {
    /// Random choices.
    pub fn random(seed: u64) -> Choices {
        Choices {
            rng: Some(Rng::new(seed)),
            made: Vec::new(),
            next: 0,
        }
    }

    /// The choices of an earlier run.
    pub fn recorded(made: Vec<u16>) -> Choices {
        Choices {
            rng: None,
            made,
            next: 0,
        }
    }

    /// The choices that were used.
    pub fn made(mut self) -> Vec<u16> {
        self.made.truncate(self.next);
        self.made
    }

    /// A number below `limit`. The generator treats 0 as the simplest choice.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1);
        if let Some(rng) = &mut self.rng {
            let choice = rng.below(limit);
            self.made.push(u16::try_from(choice).unwrap_or(u16::MAX));
        }
        let choice = self.made.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(choice) % limit
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    pub fn word<'w>(&mut self, list: &[&'w str]) -> &'w str {
        list[self.below(list.len())]
    }
}

/// Candidates that are tried together.
const TOGETHER: usize = 10;
/// How often candidates are tried.
const MAX_TRIES: usize = 300;

/// Removes and lowers choices as long as the result fails, and returns what is left. `failing`
/// returns the position of the first of several candidates that fails.
pub fn shrink(choices: Vec<u16>, failing: impl Fn(&[Vec<u16>]) -> Option<usize>) -> Vec<u16> {
    let mut best = choices;
    let mut tries = 0;
    loop {
        let before = best.clone();
        let mut length = best.len() / 2;
        while length > 0 {
            let mut start = 0;
            while start + length <= best.len() {
                let starts = (start..=best.len() - length).step_by(length);
                let candidates: Vec<Vec<u16>> = starts
                    .take(TOGETHER / 2)
                    .flat_map(|start| {
                        let mut shorter = best.clone();
                        shorter.drain(start..start + length);
                        let mut lower = best.clone();
                        lower[start..start + length].fill(0);
                        [shorter, lower]
                    })
                    .collect();
                tries += 1;
                if tries > MAX_TRIES {
                    return best;
                }
                let changed = |candidate: &Vec<u16>| *candidate != best;
                match failing(&candidates).filter(|at| changed(&candidates[*at])) {
                    Some(at) => {
                        best.clone_from(&candidates[at]);
                        start += at / 2 * length;
                    }
                    None => start += length * candidates.len() / 2,
                }
            }
            length /= 2;
        }
        if best == before {
            return best;
        }
    }
}

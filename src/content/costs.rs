//! Costs: what a table such as `{ coins = 2, hand = 1 }` means, in a file as in a script.

use super::Symbols;
use crate::value::{ChainId, CounterId, HookId, Text, Value, ZoneId};

/// The keys of an alternative that do not name what is paid.
pub const KEYWORDS: [&str; 5] = ["where", "from", "id", "label", "self"];

/// One way to pay a cost.
#[derive(Clone, Debug, Default)]
pub struct CostAlternative {
    /// The key of its option; derived from the parts by default.
    pub id: Option<Text>,
    /// The words for it, instead of a list of its parts.
    pub label: Option<Text>,
    /// The parts, all of which must be paid.
    pub parts: Vec<CostPart>,
}

/// A constant or computed number.
#[derive(Clone, Debug)]
pub enum Amount {
    /// A constant.
    Fixed(i64),
    /// A script that returns it.
    Script(HookId),
}

/// One part of a cost.
#[derive(Clone, Debug)]
pub enum CostPart {
    /// Points of a counter.
    Counter {
        /// The counter to lower.
        counter: CounterId,
        /// How many points.
        amount: Amount,
        /// Whether the piece with the cost pays, even if seats have the counter too.
        own: bool,
    },
    /// Pieces of a zone, which the payer chooses and discards.
    Pieces {
        /// The zone to discard from.
        zone: ZoneId,
        /// The number of pieces.
        amount: Amount,
        /// A condition on the pieces, which the script sees as `it`.
        only: Option<HookId>,
        /// The words for these pieces, instead of their number and zone.
        label: Option<Text>,
    },
    /// A loss along a chain.
    Chain(ChainId, Amount),
}

impl CostPart {
    /// How much of it must be paid.
    #[must_use]
    pub const fn amount(&self) -> &Amount {
        match self {
            CostPart::Counter { amount, .. }
            | CostPart::Chain(_, amount)
            | CostPart::Pieces { amount, .. } => amount,
        }
    }

    /// The scripts in it.
    pub fn hooks(&self) -> impl Iterator<Item = HookId> {
        let only = match self {
            CostPart::Pieces { only, .. } => *only,
            CostPart::Counter { .. } | CostPart::Chain(..) => None,
        };
        let amount = match self.amount() {
            Amount::Fixed(_) => None,
            Amount::Script(hook) => Some(*hook),
        };
        amount.into_iter().chain(only)
    }
}

/// Why a table is not a cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CostError {
    /// The key is no counter, zone or chain.
    Unknown(Text),
    /// The value of the key cannot be an amount.
    NotAnAmount(Text),
}

/// Reads the rows of an alternative.
pub struct CostReader<'a> {
    /// The meaning of a name.
    pub symbols: &'a dyn Fn(&str) -> Symbols,
    /// The zone that the key `discard` takes from, unless the cost says `from`.
    pub hand: Option<ZoneId>,
}

impl CostReader<'_> {
    /// The alternative that the rows describe.
    ///
    /// # Errors
    /// Returns the first key that is unknown or whose value is not an amount.
    pub fn alternative(&self, rows: &[(Text, Value)]) -> Result<CostAlternative, CostError> {
        let find = |name: &str| {
            rows.iter()
                .find(|(key, _)| &**key == name)
                .map(|row| &row.1)
        };
        let text = |name: &str| find(name).and_then(Value::text).map(Text::from);
        let only = find("where").and_then(script);
        let from = text("from").and_then(|zone| (self.symbols)(&zone).zone);
        let mut parts = Vec::new();
        for (key, value) in rows {
            if &**key == "self" {
                self.own(value, &mut parts)?;
            } else if !KEYWORDS.contains(&&**key) {
                self.part(key, value, (only, from), &mut parts)?;
            }
        }
        Ok(CostAlternative {
            id: text("id"),
            label: text("label"),
            parts,
        })
    }

    /// The counters that the piece itself pays.
    fn own(&self, value: &Value, parts: &mut Vec<CostPart>) -> Result<(), CostError> {
        let (Value::Table(rows) | Value::Map(rows)) = value else {
            return Err(CostError::NotAnAmount("self".into()));
        };
        for (key, value) in rows {
            let Some(counter) = (self.symbols)(key).counter else {
                return Err(CostError::Unknown(key.clone()));
            };
            parts.push(CostPart::Counter {
                counter,
                amount: amount(key, value)?,
                own: true,
            });
        }
        Ok(())
    }

    fn part(
        &self,
        key: &Text,
        value: &Value,
        (only, from): (Option<HookId>, Option<ZoneId>),
        parts: &mut Vec<CostPart>,
    ) -> Result<(), CostError> {
        let symbols = (self.symbols)(key);
        let named = symbols.zone;
        let zone = named.or_else(|| (&**key == "discard").then_some(from.or(self.hand))?);
        match (symbols.counter, symbols.chain, zone) {
            (Some(counter), _, _) => parts.push(CostPart::Counter {
                counter,
                amount: amount(key, value)?,
                own: false,
            }),
            (_, Some(chain), _) => parts.push(CostPart::Chain(chain, amount(key, value)?)),
            (_, _, Some(zone)) => pieces(key, value, (zone, only), parts)?,
            _ => return Err(CostError::Unknown(key.clone())),
        }
        Ok(())
    }
}

/// Pieces of a zone: a number, a table `{ count = 2, where = "…" }`, or a list of both.
fn pieces(
    key: &Text,
    value: &Value,
    (zone, only): (ZoneId, Option<HookId>),
    parts: &mut Vec<CostPart>,
) -> Result<(), CostError> {
    match value {
        Value::Rows(groups) | Value::List(groups) => {
            for group in groups {
                pieces(key, group, (zone, only), parts)?;
            }
        }
        Value::Table(_) | Value::Map(_) => {
            let count = value.get("count").unwrap_or(&Value::Int(1));
            parts.push(CostPart::Pieces {
                zone,
                amount: amount(key, count)?,
                only: value.get("where").and_then(script).or(only),
                label: value.get("label").and_then(Value::text).map(Text::from),
            });
        }
        count => parts.push(CostPart::Pieces {
            zone,
            amount: amount(key, count)?,
            only,
            label: None,
        }),
    }
    Ok(())
}

const fn script(value: &Value) -> Option<HookId> {
    match value {
        Value::Script(hook) => Some(*hook),
        _ => None,
    }
}

fn amount(key: &Text, value: &Value) -> Result<Amount, CostError> {
    match value {
        Value::Int(number) => Ok(Amount::Fixed(*number)),
        Value::Script(hook) => Ok(Amount::Script(*hook)),
        _ => Err(CostError::NotAnAmount(key.clone())),
    }
}

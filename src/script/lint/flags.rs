//! Checks what scripts do with flags: the values they set, and the words they compare with.

use super::infer::TypeInference;
use super::types::Types;
use crate::content::{Bound, FlagType};
use crate::diagnostic::{Diagnostic, find_misspelling};
use crate::script::syntax::{CaseTest, Chain, Node, NodeKind, StepKind, Switch};
use crate::value::Value;

impl FlagType {
    /// The types of its values in scripts.
    pub(super) fn types(&self) -> Types {
        match self {
            FlagType::YesOrNo => Types::BOOL,
            FlagType::Number => Types::NUMBER,
            FlagType::Word(_) => Types::TEXT,
            FlagType::Entry(_) => Types::ENTRY | Types::PLACE | Types::NOTHING,
        }
    }
}

/// Whether a chain is a value of `event`, such as `event.amount`, which may have the name of a flag.
fn is_value_of_event(chain: &Chain) -> bool {
    let is_event =
        matches!(&chain.root.kind, NodeKind::Variable(variable) if &*variable.name == "event");
    is_event && chain.steps.len() == 1
}

impl<'a> TypeInference<'a> {
    /// The flag that a chain reads or sets with its last property.
    fn flag_of(&self, chain: &Chain) -> Option<&'a FlagType> {
        let StepKind::Property(name) = &chain.steps.last()?.kind else {
            return None;
        };
        if self.facts.fields.contains_key(name.as_str()) || is_value_of_event(chain) {
            return None;
        }
        let counter = self.content.symbol_in(self.pack, name).counter?;
        self.content.flag(counter)
    }

    fn flag_read_by(&self, node: &Node) -> Option<&'a FlagType> {
        match &node.kind {
            NodeKind::Chain(chain) => self.flag_of(chain),
            _ => None,
        }
    }

    /// Checks the value that a flag is set to; returns whether the target is a flag.
    pub(super) fn set_flag(&mut self, chain: &Chain, value: &Node, types: Types) -> bool {
        let Some(flag) = self.flag_of(chain) else {
            return false;
        };
        self.flag_word(flag, value);
        self.flag_range(chain, value);
        if !types.meets(flag.types()) {
            let (phrase, values) = (types.phrase(), self.content.flag_values(flag));
            self.found(chain.root.start(), 1, move |span| {
                Diagnostic::error(
                    span,
                    "wrong-operand",
                    format!("the flag must be {values}"),
                )
                .label(format!("set to {phrase}"))
                .help("set it to one of its values: true or false for yes or no, a number, or a word in double quotes")
            });
        }
        true
    }

    /// Reports a number that the flag cannot have.
    fn flag_range(&mut self, chain: &Chain, value: &Node) {
        let Some(StepKind::Property(name)) = chain.steps.last().map(|step| &step.kind) else {
            return;
        };
        let symbols = self.content.symbol_in(self.pack, name);
        let (Some(counter), NodeKind::Value(Value::Int(number))) = (symbols.counter, &value.kind)
        else {
            return;
        };
        let def = &self.content.counters[counter.ix()];
        let bound = |bound: &Bound| match bound {
            Bound::Fixed(number) => Some(i64::from(*number)),
            Bound::Counter(_) => None,
        };
        let (min, max) = (bound(&def.min), def.max.as_ref().and_then(bound));
        if def.flag != Some(FlagType::Number)
            || min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max)
        {
            return;
        }
        let text = |bound: Option<i64>| bound.map_or("any".to_owned(), |n| n.to_string());
        let (number, range) = (*number, format!("{} to {}", text(min), text(max)));
        self.found(value.start(), 1, move |span| {
            let message = format!("the flag cannot be {number}");
            Diagnostic::error(span, "out-of-range", message)
                .label(format!("it is a number from {range}"))
                .help("see `min` and `max` of the flag")
        });
    }

    /// Checks `flag == "word"`, from both sides.
    pub(super) fn compare_flag(&mut self, left: &Node, right: &Node) {
        for (flag, other) in [(left, right), (right, left)] {
            if let Some(flag) = self.flag_read_by(flag) {
                self.flag_word(flag, other);
            }
        }
    }

    /// Checks the words of `switch flag { … }`.
    pub(super) fn switch_flag(&mut self, switch: &Switch) {
        let Some(flag) = self.flag_read_by(&switch.on) else {
            return;
        };
        for case in &switch.cases {
            if let CaseTest::Is(Value::Text(word)) = &case.test {
                self.known_word(flag, word, switch.on.start(), 1);
            }
        }
    }

    fn flag_word(&mut self, flag: &FlagType, node: &Node) {
        if let Some(word) = node.text() {
            self.known_word(flag, word, node.at, word.len() + 2);
        }
    }

    fn known_word(&mut self, flag: &FlagType, word: &str, at: u32, len: usize) {
        let FlagType::Word(words) = flag else {
            return;
        };
        // A flag without values is reported where it is declared.
        if words.is_empty() || words.iter().any(|own| **own == *word) {
            return;
        }
        let near = find_misspelling(word, words.iter().map(|own| &**own));
        let near = near.map(crate::diagnostic::Misspelling::into_owned);
        let (word, values) = (word.to_owned(), self.content.flag_values(flag));
        self.found(at, len, move |span| {
            Diagnostic::unknown(span, "unknown-value", "value", &word)
                .label("the flag never has this value")
                .did_you_mean(near.clone())
                .help(format!("it can be {values}: see `values` of the flag"))
        });
    }
}

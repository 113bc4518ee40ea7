//! Checks calls: the types of arguments, and changes in read-only scripts.

use super::infer::TypeInference;
use super::name_help;
use super::natives::{self, Signature};
use super::types::Types;
use crate::diagnostic::{Diagnostic, find_misspelling};
use crate::script::compile::PackFunction;
use crate::script::syntax::Node;
use crate::value::Value;

impl TypeInference<'_> {
    /// Checks a call of an engine or pack function. For a method, `of` is the type before the dot.
    pub fn call(&mut self, name: &str, of: Option<Types>, args: &[Node], at: u32) -> Types {
        let mut given: Vec<Types> = of.into_iter().collect();
        for arg in args {
            let types = self.expr(arg);
            given.push(types);
        }
        if let (Some(of), Some(result)) = (of, args.first()) {
            self.dice_result(name, of, result);
        }
        self.way(name, args);
        // `value in list` is a call of `contains`.
        if let (None, "contains", [list, _]) = (of, name, args) {
            self.never_in(given[1], list, at);
        }
        if of.is_none() {
            self.provided_values(name, args);
            if let ("option", [id]) = (name, args)
                && let Some(option) = id
                    .text()
                    .and_then(|id| self.content.option_in(self.pack, id))
            {
                return Types::of_value(&option.value);
            }
        }
        if name == "type_of" {
            self.asks_types = true;
            self.wants.fill(Types::ANY);
        }
        let key = (name.to_owned(), given.len());
        if of.is_none()
            && let Some(function) = self.functions.get(&key)
        {
            return self.own_function(name, function, &given, args, at);
        }
        let signatures: Vec<&Signature> = natives::with_count(name, given.len()).collect();
        let fitting: Vec<&Signature> = signatures
            .iter()
            .copied()
            .filter(|signature| signature.fits(&given))
            .collect();
        self.effects(name, &signatures, &fitting, at);
        let results = |all: &[&Signature]| {
            all.iter()
                .fold(Types::NONE, |all, signature| all | signature.gives)
        };
        if signatures.is_empty() {
            return Types::ANY;
        }
        if fitting.is_empty() {
            self.wrong_argument(name, &signatures, &given, of.is_some(), at);
            // What it would return does not matter.
            return Types::ANY;
        }
        let offset = usize::from(of.is_some());
        for (ix, arg) in args.iter().enumerate() {
            let accepted = fitting.iter().fold(Types::NONE, |all, signature| {
                all | signature.takes[ix + offset]
            });
            self.want(arg, accepted);
        }
        results(&fitting)
    }

    /// Checks the name of a result of dice: `roll.total("thorn")`.
    fn dice_result(&mut self, name: &str, of: Types, result: &Node) {
        let is_of_rolls = matches!(name, "total" | "spend")
            || matches!(name, "count" | "positions") && of.without(Types::NOTHING) == Types::ROLL;
        let Some(word) = result.text().filter(|_| is_of_rolls) else {
            return;
        };
        let faces = self.content.dice.iter().flat_map(|die| &die.faces);
        let mut known: Vec<String> = Vec::new();
        for face in faces {
            match face {
                Value::Text(text) => known.push(text.to_string()),
                Value::Table(rows) => known.extend(rows.iter().map(|(key, _)| key.to_string())),
                _ => {}
            }
        }
        if known.iter().any(|own| **own == **word) {
            return;
        }
        known.sort_unstable();
        known.dedup();
        let near = find_misspelling(word, known.iter().map(String::as_str));
        let near = near.map(crate::diagnostic::Misspelling::into_owned);
        let list: Vec<String> = known.iter().map(|own| format!("`{own}`")).collect();
        let help = if list.is_empty() {
            "the faces of all dice are numbers: write a number without quotes".to_owned()
        } else {
            format!("dice show {}", list.join(", "))
        };
        let word = word.to_string();
        self.found(result.at, word.len() + 2, move |span| {
            Diagnostic::unknown(span, "unknown-value", "result", &word)
                .label("no die shows it")
                .did_you_mean(near.clone())
                .help(help.clone())
        });
    }

    /// Checks the type of routes in `neighbours("sea")`.
    fn way(&mut self, name: &str, args: &[Node]) {
        let Some(word) = args
            .last()
            .and_then(Node::text)
            .filter(|_| name == "neighbours")
        else {
            return;
        };
        let ways = self.content.entries.iter().filter_map(|entry| {
            let kind = &self.content.kinds[entry.kind.ix()].id;
            entry.field("way").filter(|_| &**kind == "route")?.text()
        });
        let mut known: Vec<&str> = ways.filter(|way| !way.is_empty()).collect();
        known.sort_unstable();
        known.dedup();
        if word.is_empty() || known.contains(&word.as_str()) {
            return;
        }
        let near = find_misspelling(word, known.iter().copied());
        let near = near.map(crate::diagnostic::Misspelling::into_owned);
        let help = if known.is_empty() {
            "add `way` to a [[route]], or write a closure, as in `|route| route.sea`".to_owned()
        } else {
            format!("routes have `way` {}", known.join(", "))
        };
        let word = word.to_string();
        let at = args.last().map_or(0, |node| node.at);
        self.found(at, word.len() + 2, move |span| {
            Diagnostic::unknown(span, "unknown-value", "way", &word)
                .label("no route has it")
                .did_you_mean(near.clone())
                .help(help.clone())
        });
    }

    /// Notes what a call does: that of the overloads that fit or, if there are none, of all.
    fn effects(&mut self, name: &str, counted: &[&Signature], fitting: &[&Signature], at: u32) {
        let all: Vec<&Signature> = match (fitting, counted) {
            ([], []) => natives::signatures(name).iter().collect(),
            ([], counted) => counted.to_vec(),
            (fitting, _) => fitting.to_vec(),
        };
        let changes = all.iter().any(|signature| signature.changes());
        self.does |= all.iter().any(|signature| signature.acts());
        self.changes |= changes;
        if changes {
            self.read_only(name, at);
        }
    }

    fn own_function(
        &mut self,
        name: &str,
        function: &PackFunction,
        given: &[Types],
        args: &[Node],
        at: u32,
    ) -> Types {
        let summary = &function.summary;
        self.does |= summary.does;
        self.changes |= summary.changes;
        if summary.changes {
            self.read_only(name, at);
        }
        for (takes, arg) in summary.takes.iter().zip(args) {
            self.want(arg, *takes);
        }
        let wrong = summary
            .takes
            .iter()
            .zip(given)
            .position(|(takes, given)| !takes.meets(*given));
        if let Some(ix) = wrong {
            let (name, parameter) = (name.to_owned(), function.parameters[ix].clone());
            let (takes, given_phrase) = (
                summary.takes[ix].without(Types::NOTHING).phrase(),
                given[ix].phrase(),
            );
            let swapped = swapped(&[&Signature::of_pack(&summary.takes)], given, false);
            let (len, defined) = (name.len(), function.span);
            self.found(at, len, move |span| {
                let message = format!("wrong type for `{parameter}` of `{name}`");
                Diagnostic::error(span, "wrong-argument-type", message)
                    .label(format!("expected {takes}, found {given_phrase}"))
                    .related(defined, "defined here")
                    .help(
                        swapped
                            .clone()
                            .unwrap_or_else(|| "check the order of the arguments".to_owned()),
                    )
            });
        }
        summary.gives
    }

    fn wrong_argument(
        &mut self,
        name: &str,
        signatures: &[&Signature],
        given: &[Types],
        method: bool,
        at: u32,
    ) {
        let fit = |signature: &&Signature| {
            signature
                .takes
                .iter()
                .zip(given)
                .position(|(takes, given)| !takes.meets(*given))
                .unwrap_or(0)
        };
        let ix = signatures.iter().map(fit).max().unwrap_or(0);
        let near = signatures.iter().filter(|signature| fit(signature) == ix);
        let takes = near
            .fold(Types::NONE, |all, signature| all | signature.takes[ix])
            .phrase();
        let (name, phrase) = (name.to_owned(), given[ix].phrase());
        let help = name_help::misuse(&name, given)
            .map(str::to_owned)
            .or_else(|| swapped(signatures, given, method))
            .unwrap_or_else(|| format!("write {}", natives::usages(&name, method).join(" or ")));
        let message = match (method, ix) {
            (true, 0) => format!("`.{name}` cannot be called on {phrase}"),
            (_, ix) => format!(
                "wrong type for the {} argument of `{name}`",
                ordinal(ix + usize::from(!method))
            ),
        };
        let len = name.len();
        self.found(at, len, move |span| {
            Diagnostic::error(span, "wrong-argument-type", message.clone())
                .label(format!("expected {takes}, found {phrase}"))
                .help(help.clone())
        });
    }

    /// Reports a change of the game in a read-only script, such as an answer to a query or a `can`.
    pub fn read_only(&mut self, name: &str, at: u32) {
        let Some(def) = self.hook.filter(|def| def.role.read_only()) else {
            return;
        };
        let hook = def.name.to_string();
        let (len, what) = match name {
            "assignment" => (1, name.to_owned()),
            name => (name.len(), format!("call of `{name}`")),
        };
        self.found(at, len, move |span| {
            Diagnostic::error(
                span,
                "write-in-read-only",
                format!("{what} changes the game in read-only `{hook}`"),
            )
            .label("fails when it runs")
            .help("it runs whenever a menu or a number is shown; move the change to `do`, `on` or `offer`")
        });
    }
}

/// Help for arguments that would be correct in another order.
fn swapped(signatures: &[&Signature], given: &[Types], method: bool) -> Option<String> {
    for signature in signatures {
        for one in 0..given.len() {
            for other in one + 1..given.len() {
                let mut changed = given.to_vec();
                changed.swap(one, other);
                if signature.fits(&changed) {
                    let first = match (method, one) {
                        (true, 0) => "value before the dot".to_owned(),
                        _ => ordinal(one + usize::from(!method)),
                    };
                    let second = ordinal(other + usize::from(!method));
                    return Some(format!(
                        "the {first} and the {second} argument seem to be swapped"
                    ));
                }
            }
        }
    }
    None
}

fn ordinal(n: usize) -> String {
    match n {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        n => format!("{n}th"),
    }
}

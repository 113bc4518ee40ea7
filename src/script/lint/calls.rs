//! Calls: whether what a function is given is what it takes.

use rhai::{Expr, Position};

use super::infer::Infer;
use super::natives::{self, LANGUAGE, Signature};
use super::types::Types;
use crate::diagnostic::Diagnostic;
use crate::script::compile::Function;

impl Infer<'_> {
    /// A call of a word of the engine or of a function of the pack.
    pub fn word(&mut self, name: &str, of: Option<Types>, args: &[&Expr], at: Position) -> Types {
        let mut given: Vec<Types> = of.into_iter().collect();
        for arg in args {
            let types = self.expr(arg);
            given.push(types);
        }
        if LANGUAGE.contains(&name) || name.starts_with("anon$") {
            self.does = true;
            if name == "type_of" {
                self.asks_types = true;
                self.wants.fill(Types::ANY);
            }
            return Types::ANY;
        }
        let key = (name.to_owned(), given.len());
        if of.is_none()
            && let Some(function) = self.functions.get(&key)
        {
            return self.own_function(name, function, &given, args, at);
        }
        let changed = natives::changes(name);
        self.does |= natives::acts(name);
        self.changes |= changed;
        if changed {
            self.looks_only(name, at);
        }
        let signatures: Vec<Signature> = natives::natives(|all| {
            let list = all.get(name).map(Vec::as_slice).unwrap_or_default();
            list.iter()
                .filter(|signature| signature.takes.len() == given.len())
                .cloned()
                .collect()
        });
        if signatures.is_empty() {
            return Types::ANY;
        }
        let fits = |signature: &&Signature| {
            signature
                .takes
                .iter()
                .zip(&given)
                .all(|(takes, given)| takes.meets(*given))
        };
        let fitting: Vec<&Signature> = signatures.iter().filter(fits).collect();
        if fitting.is_empty() {
            self.wrong_argument(name, &signatures, &given, of.is_some(), at);
            return signatures
                .iter()
                .fold(Types::NONE, |all, signature| all | signature.gives);
        }
        let offset = usize::from(of.is_some());
        for (ix, arg) in args.iter().enumerate() {
            let accepted = fitting.iter().fold(Types::NONE, |all, signature| {
                all | signature.takes[ix + offset]
            });
            self.want(arg, accepted);
        }
        fitting
            .iter()
            .fold(Types::NONE, |all, signature| all | signature.gives)
    }

    fn own_function(
        &mut self,
        name: &str,
        function: &Function,
        given: &[Types],
        args: &[&Expr],
        at: Position,
    ) -> Types {
        let summary = &function.summary;
        self.does |= summary.does;
        self.changes |= summary.changes;
        if summary.changes {
            self.looks_only(name, at);
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
            let (takes, given_words) = (
                summary.takes[ix].without(Types::NOTHING).words(),
                given[ix].words(),
            );
            let swapped = swapped(
                &[Signature {
                    takes: summary.takes.clone(),
                    gives: Types::ANY,
                }],
                given,
            );
            let (len, defined) = (name.len(), function.span);
            self.found(at, len, move |span| {
                let message =
                    format!("`{name}` wants {takes} for `{parameter}`, and this is {given_words}");
                Diagnostic::wrong(span, "wrong-argument-type", message)
                    .label("called here")
                    .also(defined, "the function")
                    .help(
                        swapped
                            .clone()
                            .unwrap_or_else(|| "look at the order of what it is given".to_owned()),
                    )
            });
        }
        summary.gives
    }

    fn wrong_argument(
        &mut self,
        name: &str,
        signatures: &[Signature],
        given: &[Types],
        method: bool,
        at: Position,
    ) {
        let fit = |signature: &Signature| {
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
            .words();
        let (name, words) = (name.to_owned(), given[ix].words());
        let help = swapped(signatures, given)
            .unwrap_or_else(|| format!("`kaer list --words` shows how `{name}` is written"));
        let what = match (method, ix) {
            (true, 0) => format!("`.{name}` belongs to {takes}, and this is {words}"),
            (_, ix) => format!(
                "`{name}` wants {takes} as its {} argument, and this is {words}",
                ordinal(ix + usize::from(!method))
            ),
        };
        let len = name.len();
        self.found(at, len, move |span| {
            Diagnostic::wrong(span, "wrong-argument-type", what.clone())
                .label("called here")
                .help(help.clone())
        });
    }

    /// A script that answers a question or says whether a line is open must change nothing.
    pub fn looks_only(&mut self, name: &str, at: Position) {
        let Some(def) = self.hook.filter(|def| def.role.read_only()) else {
            return;
        };
        let (name, hook) = (name.to_owned(), def.name.to_string());
        let len = name.len();
        self.found(at, len, move |span| {
            Diagnostic::wrong(
                span,
                "write-in-read-only",
                format!("`{name}` changes the game, and `{hook}` may only look"),
            )
            .label("this would fail")
            .help("it runs whenever a menu or a number is shown; put the change into `do`, `on` or `offer`")
        });
    }
}

/// A help if the arguments would fit in another order.
fn swapped(signatures: &[Signature], given: &[Types]) -> Option<String> {
    for signature in signatures {
        for one in 0..given.len() {
            for other in one + 1..given.len() {
                let mut changed = given.to_vec();
                changed.swap(one, other);
                if signature
                    .takes
                    .iter()
                    .zip(&changed)
                    .all(|(takes, given)| takes.meets(*given))
                {
                    return Some(format!(
                        "the {} and the {} seem to have changed places",
                        ordinal(one + 1),
                        ordinal(other + 1)
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

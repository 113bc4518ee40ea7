//! Checks calls: the types of arguments, and changes in read-only scripts.

use rhai::{Expr, Position};

use super::infer::TypeInference;
use super::natives::{self, LANGUAGE, Signature};
use super::types::Types;
use crate::diagnostic::Diagnostic;
use crate::script::compile::PackFunction;

impl TypeInference<'_> {
    /// Checks a call of an engine or pack function. For a method, `of` is the type before the dot.
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
            self.read_only(name, at);
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
        function: &PackFunction,
        given: &[Types],
        args: &[&Expr],
        at: Position,
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
                let message = format!("wrong type for `{parameter}` of `{name}`");
                Diagnostic::error(span, "wrong-argument-type", message)
                    .label(format!("expected {takes}, found {given_words}"))
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
            .unwrap_or_else(|| format!("`kaer list --functions` shows how to call `{name}`"));
        let message = match (method, ix) {
            (true, 0) => format!("`.{name}` cannot be called on {words}"),
            (_, ix) => format!(
                "wrong type for the {} argument of `{name}`",
                ordinal(ix + usize::from(!method))
            ),
        };
        let len = name.len();
        self.found(at, len, move |span| {
            Diagnostic::error(span, "wrong-argument-type", message.clone())
                .label(format!("expected {takes}, found {words}"))
                .help(help.clone())
        });
    }

    /// Reports a change of the game in a read-only script, such as an answer to a query or a `can`.
    pub fn read_only(&mut self, name: &str, at: Position) {
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
                        "the {} and the {} argument seem to be swapped",
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

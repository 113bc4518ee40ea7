//! What values are, as far as a script shows it: arguments, operands and conditions of a wrong type are found before they fail.
//!
//! A type is a set of what a value may be. A fault is told only if nothing of the set fits; what is not known fits everywhere.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTFlags, ASTNode, BinaryExpr, Expr, FnCallExpr, Position, Stmt, Token};

use super::Source;
use super::flow::{self, Value};
use super::natives::{self, LANGUAGE, Signature};
use super::types::Types;
use super::words::Words;
use crate::content::{self, Content, HookDef, Owner, Role};
use crate::diagnostic::{Builder, Confidence, Diagnostic, Report, Slip, nearest, slip};
use crate::script::api::{EVENT_NAMES, FIGHT_NAMES, GLOBALS, PACKET_NAMES, THING_NAMES};
use crate::script::compile::{Function, NAMES};

/// What the names of a content are, gathered once. Where they are the same, so are the faults of a script.
#[derive(Default, PartialEq, Eq)]
pub struct Facts {
    /// Every name that means something, and whose counters and zones there are.
    names: Vec<String>,
    /// What fields of entries hold.
    fields: BTreeMap<String, Types>,
    /// Names that events of packs provide.
    given: Vec<String>,
    /// Keys of maps in scripts and of tables in entries.
    pub keys: BTreeSet<String>,
    /// Words that mean something wherever they are compared.
    pub words: Words,
}

impl Facts {
    pub fn of(content: &Content, scripts: &[&str]) -> Facts {
        let mut facts = Facts::default();
        facts.keys = super::names::keys(scripts.iter().copied()).map(str::to_owned).collect();
        facts.words = Words::of(content, scripts);
        facts.keys.extend(content.kinds.iter().flat_map(|kind| &kind.nested).map(ToString::to_string));
        for entry in &content.entries {
            let faces = entry.faces.iter().flat_map(|face| &face.fields);
            for (name, value) in entry.fields.iter().chain(faces) {
                facts.note(name, of_value(content, value));
            }
        }
        // An entry may go without.
        for name in content.kinds.iter().flat_map(|kind| &kind.fields) {
            facts.note(name, Types::NOTHING);
        }
        let defs = content.events.iter().skip(content::events::on::EVENTS.len());
        let defs = defs.chain(content.queries.iter().skip(content::events::ask::QUERIES.len()));
        facts.given = defs.flat_map(|def| &def.provides).map(ToString::to_string).collect();
        facts.names = content.entries.iter().map(|entry| entry.name.to_string()).collect();
        facts.names.extend(content.counters.iter().map(|def| format!("{:?}", def.owners)));
        facts.names.extend(content.zones.iter().map(|def| format!("{:?}", def.owners)));
        facts
    }

    fn note(&mut self, name: &str, types: Types) {
        match self.fields.get_mut(name) {
            Some(known) => *known = *known | types,
            None => drop(self.fields.insert(name.to_owned(), types)),
        }
    }
}

fn of_value(content: &Content, value: &content::Value) -> Types {
    match value {
        content::Value::Int(_) => Types::NUMBER,
        content::Value::Bool(_) => Types::YES_NO,
        content::Value::Text(_) => Types::TEXT,
        content::Value::Entry(id) if content.entry(*id).place.is_some() => Types::PLACE,
        content::Value::Entry(_) => Types::ENTRY,
        content::Value::List(_) | content::Value::Table(_) => Types::DATA,
        content::Value::Script(_) => Types::SCRIPT,
        content::Value::Unit => Types::NOTHING,
    }
}

/// What a function of a pack takes and gives.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What each parameter must be able to be.
    pub takes: Vec<Types>,
    pub gives: Types,
    /// Whether calling it does something besides giving a value.
    pub does: bool,
    /// Whether it changes the game or asks somebody.
    pub changes: bool,
}

impl Summary {
    /// Of a function nobody has looked into.
    pub fn unknown(parameters: usize) -> Summary {
        Summary { takes: vec![Types::ANY; parameters], gives: Types::ANY, does: true, changes: false }
    }
}

/// What the functions of a file take and give, as far as it can be seen with what is known of the others.
pub fn summaries(
    content: &Content,
    facts: &Facts,
    functions: &BTreeMap<(String, usize), Function>,
    tree: &AST,
) -> Vec<((String, usize), Summary)> {
    let all = each_function(content, facts, functions, tree);
    all.into_iter().map(|(key, infer)| (key, infer.summary())).collect()
}

/// Looks at each statement of each function.
fn each_function<'a>(
    content: &'a Content,
    facts: &'a Facts,
    functions: &'a BTreeMap<(String, usize), Function>,
    tree: &AST,
) -> Vec<((String, usize), Infer<'a>)> {
    let place = |position: Position| (position.line().unwrap_or(0), position.position().unwrap_or(0));
    let (mut all, mut short) = (Vec::new(), Vec::new());
    for (_, _, name, count, definition) in tree.shared_lib().iter_script_fn_info() {
        // An inline function without braces has no end; its only statement stands where it begins.
        if definition.body.end_position().is_none() {
            short.push(place(definition.body.start_position()));
            continue;
        }
        let within = (place(definition.body.start_position()), place(definition.body.end_position()));
        let mut infer = Infer::new(content, facts, functions);
        for (ix, name) in definition.params.iter().enumerate() {
            let at = definition.body.start_position();
            let local = Local { name: name.to_string(), types: Types::ANY, parameter: Some(ix), read: true, at };
            infer.locals.push(local);
            infer.wants.push(Types::ANY);
        }
        all.push((within, (name.to_owned(), count), infer));
    }
    // Inline functions lie inside of others: what begins later lies deeper.
    all.sort_by_key(|(within, _, _)| std::cmp::Reverse(within.0));
    tree.walk(&mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(statement)] = path {
            let at = place(statement.position());
            let of = all.iter_mut().find(|(within, _, _)| within.0 <= at && at <= within.1);
            if let Some((_, _, infer)) = of.filter(|_| !short.contains(&at)) {
                infer.next(statement);
            }
        }
        true
    });
    let named = all.into_iter().filter(|(_, (name, _), _)| !name.starts_with("anon$"));
    named.map(|(_, key, infer)| (key, infer)).collect()
}

/// Checks a hook, or the functions of a file.
pub fn check(
    content: &Content,
    functions: &BTreeMap<(String, usize), Function>,
    tree: &AST,
    hook: Option<&HookDef>,
    source: &Source<'_>,
    report: &mut Report,
) {
    let mut all: Vec<Infer> =
        each_function(content, source.facts, functions, tree).into_iter().map(|(_, f)| f).collect();
    if let Some(def) = hook {
        let mut infer = Infer::new(content, source.facts, functions);
        infer.hook = Some(def);
        tree.statements().iter().for_each(|statement| infer.next(statement));
        all.push(infer);
    }
    for infer in all {
        for finding in infer.finish() {
            let found = source.span(finding.at, finding.len);
            report.push((finding.fault)(found));
        }
    }
}

/// A name that a script gave to something.
pub(super) struct Local {
    pub name: String,
    pub types: Types,
    /// Which parameter it is.
    pub parameter: Option<usize>,
    pub read: bool,
    pub at: Position,
}

/// A fault whose place is not worked out yet.
pub(super) struct Finding {
    pub at: Position,
    pub len: usize,
    pub fault: Box<dyn Fn(crate::diagnostic::Span) -> Builder>,
}

/// What is known while a script is read from its beginning to its end.
pub(super) struct Infer<'a> {
    content: &'a Content,
    facts: &'a Facts,
    functions: &'a BTreeMap<(String, usize), Function>,
    pub hook: Option<&'a HookDef>,
    pub locals: Vec<Local>,
    /// What each parameter must be able to be.
    wants: Vec<Types>,
    pub gives: Types,
    does: bool,
    changes: bool,
    asks_types: bool,
    pub findings: Vec<Finding>,
    /// What the last statement at the top is, unless it turns out to be the value of the whole.
    pub last: Option<(Value, Types)>,
    /// Whether the end of what was read so far is never come to.
    pub left: bool,
}

impl<'a> Infer<'a> {
    fn new(content: &'a Content, facts: &'a Facts, functions: &'a BTreeMap<(String, usize), Function>) -> Infer<'a> {
        Infer {
            content,
            facts,
            functions,
            hook: None,
            locals: Vec::new(),
            wants: Vec::new(),
            gives: Types::NONE,
            does: false,
            changes: false,
            asks_types: false,
            findings: Vec::new(),
            last: None,
            left: false,
        }
    }

    fn summary(mut self) -> Summary {
        if let (Some((_, types)), false) = (self.last.take(), self.left) {
            self.gives = self.gives | types;
        }
        let gives = if self.gives.is_none() { Types::NOTHING } else { self.gives };
        Summary { takes: self.wants, gives, does: self.does, changes: self.changes }
    }

    fn finish(mut self) -> Vec<Finding> {
        flow::end(&mut self);
        self.findings
    }

    pub fn found(&mut self, at: Position, len: usize, fault: impl Fn(crate::diagnostic::Span) -> Builder + 'static) {
        self.findings.push(Finding { at, len, fault: Box::new(fault) });
    }

    /// A parameter that is used as it came must be able to be this.
    fn want(&mut self, expr: &Expr, accepted: Types) {
        let Expr::Variable(variable, ..) = expr else { return };
        // Whoever asks what something is may treat it in several ways.
        if self.asks_types {
            return;
        }
        let local = self.locals.iter().rev().find(|local| *local.name == *variable.1);
        if let Some(parameter) = local.and_then(|local| local.parameter) {
            // It may be asked first whether it is there at all.
            self.wants[parameter] = self.wants[parameter].and(accepted | Types::NOTHING);
        }
    }

    /// What a value is.
    pub fn expr(&mut self, expr: &Expr) -> Types {
        match expr {
            Expr::IntegerConstant(..) => Types::NUMBER,
            Expr::BoolConstant(..) => Types::YES_NO,
            Expr::CharConstant(..) | Expr::StringConstant(..) => Types::TEXT,
            Expr::InterpolatedString(list, _) => {
                self.each(list);
                Types::TEXT
            }
            Expr::Array(list, _) => {
                self.each(list);
                Types::LIST
            }
            Expr::Map(map, _) => {
                for (_, value) in &map.0 {
                    self.expr(value);
                }
                Types::MAP
            }
            Expr::Unit(_) => Types::NOTHING,
            Expr::Variable(variable, ..) => self.variable(&variable.1),
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::Dot(pair, flags, _) => self.chain(pair, *flags, true),
            Expr::Index(pair, flags, _) => self.chain(pair, *flags, false),
            Expr::And(list, _) | Expr::Or(list, _) => {
                for part in list.iter() {
                    self.condition(part);
                }
                Types::YES_NO
            }
            Expr::Coalesce(list, _) => {
                let types = list.iter().fold(Types::NONE, |types, part| types | self.expr(part));
                types.without(Types::NOTHING) | Types::NOTHING
            }
            Expr::Stmt(block) => flow::block(self, block.statements(), true).0,
            Expr::DynamicConstant(value, _) if value.is_fnptr() => Types::FUNCTION,
            _ => Types::ANY,
        }
    }

    fn each(&mut self, list: &[Expr]) {
        for part in list {
            self.expr(part);
        }
    }

    /// Something that must be yes or no.
    pub fn condition(&mut self, expr: &Expr) {
        let types = self.expr(expr);
        self.want(expr, Types::YES_NO);
        if !types.meets(Types::YES_NO) {
            let words = types.words();
            self.found(expr.start_position(), 1, move |span| {
                Diagnostic::wrong(span, "wrong-operand", format!("a condition is yes or no, and this is {words}"))
                    .label("here")
                    .help("compare it with something, as in `x > 0`, `x == \"red\"` or `!x.is_empty`")
            });
        }
    }

    fn variable(&mut self, name: &str) -> Types {
        if let Some(local) = self.locals.iter_mut().rev().find(|local| local.name == name) {
            local.read = true;
            return local.types;
        }
        let names = if self.hook.is_some() { NAMES } else { GLOBALS };
        if !names.contains(&name) {
            return Types::ANY;
        }
        match name {
            "it" => Types::PIECE | Types::NOTHING,
            "entry" => Types::ENTRY,
            "owner" | "actor" => Types::SEAT | Types::NOTHING,
            "fighter" | "foe" => Types::SEAT | Types::PIECE | Types::NOTHING,
            "event" => Types::EVENT,
            "fight" => Types::FIGHT,
            "combo" => Types::COMBO,
            "packet" => Types::PACKET,
            "table" => Types::TABLE,
            _ => Types::ANY,
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position) -> Types {
        match (&call.op_token, &call.args[..]) {
            (Some(Token::In | Token::NotIn) | None, args) => {
                let args: Vec<&Expr> = args.iter().collect();
                self.word(&call.name, None, &args, at)
            }
            (Some(Token::Bang), [value]) => {
                self.condition(value);
                Types::YES_NO
            }
            (Some(token), [value]) => {
                let types = self.expr(value);
                self.want(value, Types::NUMBER);
                self.operand(types, Types::NUMBER, token, value.start_position());
                Types::NUMBER
            }
            (Some(token), [left, right]) => self.operator(token, left, right, at),
            _ => Types::ANY,
        }
    }

    fn operator(&mut self, token: &Token, left: &Expr, right: &Expr, at: Position) -> Types {
        let (one, other) = (self.expr(left), self.expr(right));
        match token {
            Token::EqualsTo | Token::NotEqualsTo => {
                self.compared(token, one, other, at);
                Types::YES_NO
            }
            Token::LessThan | Token::GreaterThan | Token::LessThanEqualsTo | Token::GreaterThanEqualsTo => {
                let (ordered, words) = (Types::NUMBER | Types::TEXT, Types::NUMBER);
                self.want(left, ordered);
                self.want(right, ordered);
                self.operand(one, ordered, token, left.start_position());
                self.operand(other, ordered, token, right.start_position());
                if one.meets(ordered) && other.meets(ordered) && !one.meets(other) {
                    self.operand(if one == words { other } else { one }, words, token, at);
                }
                Types::YES_NO
            }
            Token::ExclusiveRange | Token::InclusiveRange => {
                self.want(left, Types::NUMBER);
                self.want(right, Types::NUMBER);
                self.operand(one, Types::NUMBER, token, left.start_position());
                self.operand(other, Types::NUMBER, token, right.start_position());
                Types::RANGE
            }
            Token::Plus if one.meets(Types::TEXT) || other.meets(Types::TEXT) => {
                if one == Types::TEXT || other == Types::TEXT {
                    return Types::TEXT;
                }
                one.and(Types::NUMBER | Types::LIST | Types::MAP) | Types::TEXT
            }
            Token::Plus => {
                let both = Types::NUMBER | Types::LIST | Types::MAP;
                self.operand(one, both, token, left.start_position());
                self.operand(other, both, token, right.start_position());
                if one.meets(both) && other.meets(both) && !one.meets(other) {
                    self.operand(other, one, token, right.start_position());
                }
                one.and(other).and(both)
            }
            _ => {
                let both = Types::NUMBER | Types::YES_NO | Types::TEXT | Types::LIST | Types::MAP;
                let both =
                    if matches!(token, Token::Multiply | Token::Divide | Token::Modulo) { Types::NUMBER } else { both };
                self.want(left, both);
                self.want(right, both);
                self.operand(one, both, token, left.start_position());
                self.operand(other, both, token, right.start_position());
                one.and(other).and(both)
            }
        }
    }

    fn operand(&mut self, types: Types, accepted: Types, token: &Token, at: Position) {
        if types.meets(accepted) {
            return;
        }
        let (sign, words, accepted) = (token.to_string(), types.words(), accepted.words());
        self.found(at, 1, move |span| {
            Diagnostic::wrong(span, "wrong-operand", format!("`{sign}` is for {accepted}, and this is {words}"))
                .label("here")
                .help("read what it has behind a dot, as in `.len`, or compare it with something of its own sort")
        });
    }

    fn compared(&mut self, token: &Token, one: Types, other: Types, at: Position) {
        let is_bare = |types: Types| types.without(Types::NOTHING).is_none();
        let declared = natives::natives(|all| {
            let of = |signature: &Signature| {
                let [left, right] = signature.takes[..] else { return false };
                left.meets(one) && right.meets(other)
            };
            all.get("==").is_some_and(|list| list.iter().any(of))
        });
        if one.meets(other) || declared || is_bare(one) || is_bare(other) {
            return;
        }
        let (sign, one, other) =
            (token.to_string(), one.without(Types::NOTHING).words(), other.without(Types::NOTHING).words());
        self.found(at, sign.len(), move |span| {
            Diagnostic::wrong(span, "wrong-operand", format!("{one} and {other} are never equal"))
                .label(format!("`{sign}` between these"))
                .help("read what it has behind a dot, as in `.len` or `.id`, and compare that")
        });
    }

    /// A call of a word of the engine or of a function of the pack.
    fn word(&mut self, name: &str, of: Option<Types>, args: &[&Expr], at: Position) -> Types {
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
        self.does |= natives::does(name) && (changed || natives_only(name));
        self.changes |= changed;
        if changed {
            self.looks_only(name, at);
        }
        let signatures: Vec<Signature> = natives::natives(|all| {
            let list = all.get(name).map(Vec::as_slice).unwrap_or_default();
            list.iter().filter(|signature| signature.takes.len() == given.len()).cloned().collect()
        });
        if signatures.is_empty() {
            return Types::ANY;
        }
        let fits =
            |signature: &&Signature| signature.takes.iter().zip(&given).all(|(takes, given)| takes.meets(*given));
        let fitting: Vec<&Signature> = signatures.iter().filter(fits).collect();
        if fitting.is_empty() {
            self.wrong_argument(name, &signatures, &given, of.is_some(), at);
            return signatures.iter().fold(Types::NONE, |all, signature| all | signature.gives);
        }
        let offset = usize::from(of.is_some());
        for (ix, arg) in args.iter().enumerate() {
            let accepted = fitting.iter().fold(Types::NONE, |all, signature| all | signature.takes[ix + offset]);
            self.want(arg, accepted);
        }
        fitting.iter().fold(Types::NONE, |all, signature| all | signature.gives)
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
        let wrong = summary.takes.iter().zip(given).position(|(takes, given)| !takes.meets(*given));
        if let Some(ix) = wrong {
            let (name, parameter) = (name.to_owned(), function.parameters[ix].clone());
            let (takes, given_words) = (summary.takes[ix].without(Types::NOTHING).words(), given[ix].words());
            let swapped = swapped(&[Signature { takes: summary.takes.clone(), gives: Types::ANY }], given);
            let (len, defined) = (name.len(), function.span);
            self.found(at, len, move |span| {
                let message = format!("`{name}` wants {takes} for `{parameter}`, and this is {given_words}");
                Diagnostic::wrong(span, "wrong-argument-type", message)
                    .label("called here")
                    .also(defined, "the function")
                    .help(swapped.clone().unwrap_or_else(|| "look at the order of what it is given".to_owned()))
            });
        }
        summary.gives
    }

    fn wrong_argument(&mut self, name: &str, signatures: &[Signature], given: &[Types], method: bool, at: Position) {
        let fit = |signature: &Signature| {
            signature.takes.iter().zip(given).position(|(takes, given)| !takes.meets(*given)).unwrap_or(0)
        };
        let ix = signatures.iter().map(fit).max().unwrap_or(0);
        let near = signatures.iter().filter(|signature| fit(signature) == ix);
        let takes = near.fold(Types::NONE, |all, signature| all | signature.takes[ix]).words();
        let (name, words) = (name.to_owned(), given[ix].words());
        let help =
            swapped(signatures, given).unwrap_or_else(|| format!("`kaer list --words` shows how `{name}` is written"));
        let what = match (method, ix) {
            (true, 0) => format!("`.{name}` belongs to {takes}, and this is {words}"),
            (_, ix) => format!(
                "`{name}` wants {takes} as its {} argument, and this is {words}",
                ordinal(ix + usize::from(!method))
            ),
        };
        let len = name.len();
        self.found(at, len, move |span| {
            Diagnostic::wrong(span, "wrong-argument-type", what.clone()).label("called here").help(help.clone())
        });
    }

    /// A script that answers a question or says whether a line is open must change nothing.
    fn looks_only(&mut self, name: &str, at: Position) {
        let Some(def) = self.hook.filter(|def| def.role.read_only()) else { return };
        let (name, hook) = (name.to_owned(), def.name.to_string());
        let len = name.len();
        self.found(at, len, move |span| {
            Diagnostic::wrong(
                span,
                "changes-while-looking",
                format!("`{name}` changes the game, and `{hook}` may only look"),
            )
            .label("this would fail")
            .help("it runs whenever a menu or a number is shown; put the change into `do`, `on` or `may`")
        });
    }

    /// Fields, indexes and methods behind each other. Rhai's lean to the right: `a.b[c].d` is `a . (b [ (c . d) ])`.
    fn chain(&mut self, first: &BinaryExpr, flags: ASTFlags, is_dot: bool) -> Types {
        let mut of = self.expr(&first.lhs);
        let mut base = Some(&first.lhs);
        let (mut rest, mut is_dot, mut flags) = (&first.rhs, is_dot, flags);
        loop {
            let ends = !is_dot && flags.contains(ASTFlags::BREAK);
            let (here, next) = match rest {
                Expr::Dot(pair, flags, _) if !ends => (&pair.lhs, Some((&pair.rhs, true, *flags))),
                Expr::Index(pair, flags, _) if !ends => (&pair.lhs, Some((&pair.rhs, false, *flags))),
                last => (last, None),
            };
            of = match here {
                index if !is_dot => {
                    self.expr(index);
                    if of == Types::TEXT { Types::TEXT } else { Types::ANY }
                }
                Expr::Property(property, at) => self.property(of, base, &property.2, *at),
                Expr::MethodCall(call, at) => {
                    let args: Vec<&Expr> = call.args.iter().collect();
                    if let Some(base) = base {
                        self.want_method(base, &call.name, args.len() + 1);
                    }
                    self.word(&call.name, Some(of), &args, *at)
                }
                _ => Types::ANY,
            };
            // `a?.b` may be nothing.
            if flags.contains(ASTFlags::NEGATED) {
                of = of | Types::NOTHING;
            }
            base = None;
            match next {
                Some(next) => (rest, is_dot, flags) = next,
                None => return of,
            }
        }
    }

    fn want_method(&mut self, base: &Expr, name: &str, count: usize) {
        let accepted = natives::natives(|all| {
            let list = all.get(name).map(Vec::as_slice).unwrap_or_default();
            let fitting = list.iter().filter(|signature| signature.takes.len() == count);
            fitting.fold(Types::NONE, |all, signature| all | signature.takes[0])
        });
        if !accepted.is_none() {
            self.want(base, accepted);
        }
    }

    /// What `of.name` is.
    fn property(&mut self, of: Types, base: Option<&Expr>, name: &str, at: Position) -> Types {
        if let Some(Expr::Variable(variable, ..)) = base
            && *variable.1 == *"event"
            && of == Types::EVENT
        {
            self.provided(name, at);
        }
        let known = self.having(name);
        if let Some(base) = base {
            self.want(base, known | Types::MAP | Types::DATA);
        }
        let of = of.without(Types::NOTHING);
        if of.is_none() || of.meets(Types::MAP | Types::DATA | Types::OTHER) {
            // Nothing else in the packs has that name.
            let only = known.is_within(Types::THING) && !self.facts.keys.contains(name);
            return if only && of.meets(known) { self.property_types(known, name) } else { Types::ANY };
        }
        if !of.meets(known) {
            self.unknown_property(of, name, at);
            return Types::ANY;
        }
        self.property_types(of, name)
    }

    fn unknown_property(&mut self, of: Types, name: &str, at: Position) {
        let (words, name, content) = (of.words(), name.to_owned(), self.content);
        let counters = content.counters.iter().map(|def| &*content.entry(def.entry).id);
        let zones = content.zones.iter().map(|def| &*content.entry(def.entry).id);
        let fields = self.facts.fields.keys().map(String::as_str);
        let known: Vec<&str> = counters.chain(zones).chain(fields).chain(THING_NAMES.iter().copied()).collect();
        let near = known.into_iter().filter(|near| *near != name && self.having(near).meets(of));
        let near = slip(&name, near.collect::<Vec<_>>()).map(Slip::into_owned);
        let len = name.len();
        let help = if of.meets(Types::THING) {
            "a counter or zone belongs to what its `of` says: seats, pieces, places or the table"
        } else {
            "look at what stands before the dot: it may be one dot too many"
        };
        self.found(at, len, move |span| {
            Diagnostic::wrong(span, "unknown-property", format!("{words} has no `{name}`"))
                .label("read here")
                .did_you_mean(near.clone())
                .help(help)
        });
    }

    /// What has something of a name.
    fn having(&self, name: &str) -> Types {
        let mut types = Types::NONE;
        let symbols = self.content.symbol(name);
        let symbols = if symbols.counter.is_none() && symbols.zone.is_none() && name.contains('_') {
            self.content.symbol(&name.replace('_', "-"))
        } else {
            symbols
        };
        if let Some(counter) = symbols.counter {
            types = types | owners(&self.content.counters[counter.ix()].owners);
        }
        if let Some(zone) = symbols.zone {
            types = types | owners(&self.content.zones[zone.ix()].owners);
        }
        if THING_NAMES.contains(&name) {
            types = types | Types::THING;
        }
        if self.facts.fields.contains_key(name) {
            types = types | Types::PIECE | Types::PLACE | Types::ENTRY;
        }
        if ["id", "title", "kind", "copies"].contains(&name) {
            types = types | Types::ENTRY;
        }
        if EVENT_NAMES.contains(&name) || self.facts.given.iter().any(|given| given == name) {
            types = types | Types::EVENT;
        }
        if FIGHT_NAMES.contains(&name) {
            types = types | Types::FIGHT;
        }
        if PACKET_NAMES.contains(&name) {
            types = types | Types::PACKET;
        }
        let getter = format!("get${name}");
        let native = natives::natives(|all| {
            let list = all.get(&getter).map(Vec::as_slice).unwrap_or_default();
            list.iter().fold(Types::NONE, |all, signature| all | signature.takes[0])
        });
        types | native
    }

    fn property_types(&self, of: Types, name: &str) -> Types {
        let mut types = Types::NONE;
        let symbols = self.content.symbol(name);
        if symbols.counter.is_some_and(|counter| of.meets(owners(&self.content.counters[counter.ix()].owners))) {
            types = types | Types::NUMBER;
        }
        if symbols.zone.is_some_and(|zone| of.meets(owners(&self.content.zones[zone.ix()].owners))) {
            types = types | Types::ZONE;
        }
        if of.meets(Types::PIECE | Types::PLACE | Types::ENTRY)
            && let Some(field) = self.facts.fields.get(name)
        {
            types = types | *field;
        }
        if of.meets(Types::THING) {
            types = types | built_in(name);
        }
        if of.meets(Types::ENTRY) && matches!(name, "id" | "title" | "kind") {
            types = types | Types::TEXT;
        }
        if of.meets(Types::EVENT) {
            types =
                types | if self.facts.given.iter().any(|given| given == name) { Types::ANY } else { of_event(name) };
        }
        let getter = format!("get${name}");
        types = types
            | natives::natives(|all| {
                let list = all.get(&getter).map(Vec::as_slice).unwrap_or_default();
                let own = list.iter().filter(|signature| signature.takes[0].meets(of));
                own.fold(Types::NONE, |all, signature| all | signature.gives)
            });
        if types.is_none() || of.meets(Types::FIGHT | Types::PACKET) { Types::ANY } else { types }
    }

    /// What an event does not provide is nothing, whatever it is called.
    fn provided(&mut self, name: &str, at: Position) {
        let Some(def) = self.hook else { return };
        let provides = match def.role {
            Role::On(event) | Role::May(event) => &self.content.events[event.ix()],
            Role::Ask(query) => &self.content.queries[query.ix()],
            _ => return,
        };
        let own = match def.role {
            Role::Ask(query) => query.ix() >= content::events::ask::QUERIES.len(),
            Role::On(event) | Role::May(event) => event.ix() >= content::events::on::EVENTS.len(),
            _ => false,
        };
        // An event of a pack always has a seat, at least that of who acts, and need not say what else it has.
        let left_open = own && (name == "seat" || provides.provides.is_empty());
        if left_open || provides.provides.iter().any(|own| **own == *name) || matches!(name, "name" | "cause") {
            return;
        }
        // What nobody ever provides is told as an unknown property.
        if !self.having(name).meets(Types::EVENT) {
            return;
        }
        let list = provides.provides.iter().map(|own| format!("`{own}`")).collect::<Vec<_>>().join(", ");
        let (event, name) = (provides.name.to_string(), name.to_owned());
        let near = nearest(&name, provides.provides.iter().map(|own| &**own)).map(str::to_owned);
        let len = name.len();
        self.found(at, len, move |span| {
            let list = if list.is_empty() { "nothing".to_owned() } else { list.clone() };
            Diagnostic::odd(span, "not-provided", format!("`{event}` provides no `{name}`"))
                .label("nothing is ever in it")
                .did_you_mean(near.as_deref())
                .help(format!("it provides {list}"))
                .confidence(Confidence::Likely)
        });
    }

    /// `a = b` and `a += b`.
    pub fn assign(&mut self, sides: &BinaryExpr, op: Option<&Token>) {
        let value = self.expr(&sides.rhs);
        match &sides.lhs {
            Expr::Variable(variable, ..) => {
                let same = matches!(&sides.rhs, Expr::Variable(other, ..) if other.1 == variable.1);
                if op.is_none() && same {
                    let name = variable.1.to_string();
                    flow::no_effect(self, sides.lhs.start_position(), &format!("`{name} = {name}` changes nothing"));
                }
                if let Some(local) = self.locals.iter_mut().rev().find(|local| *local.name == *variable.1) {
                    let kept = op.is_some() && value.is_within(local.types);
                    local.types = if kept { local.types } else { Types::ANY };
                    local.parameter = None;
                }
            }
            Expr::Dot(pair, flags, _) => self.assign_property(pair, *flags, value),
            other => drop(self.expr(other)),
        }
    }

    fn assign_property(&mut self, pair: &BinaryExpr, flags: ASTFlags, value: Types) {
        let of = self.expr(&pair.lhs);
        let at = pair.lhs.start_position();
        let into = self.chain(pair, flags, true);
        self.does |= !of.is_within(Types::MAP);
        if !of.meets(Types::MAP) {
            self.changes = true;
            self.looks_only("this assignment", at);
        }
        if of.is_within(Types::ENTRY | Types::DATA | Types::NOTHING) && !of.is_none() {
            let words = of.words();
            return self.found(at, 1, move |span| {
                Diagnostic::wrong(
                    span,
                    "wrong-operand",
                    format!("{words} cannot be changed: it stays as it stands in the file"),
                )
                .label("here")
                .help("keep what changes in a [[counter]], or give a number to an effect")
            });
        }
        let simple = matches!(pair.rhs, Expr::Property(..));
        if simple && into == Types::NUMBER && of.is_within(Types::THING | Types::NOTHING) && !value.meets(Types::NUMBER)
        {
            let words = value.words();
            self.found(at, 1, move |span| {
                Diagnostic::wrong(span, "wrong-operand", format!("a counter takes a number, and this is {words}"))
                    .label("here")
                    .help("write a number without quotation marks, or read one behind a dot, as in `.len`")
            });
        }
    }

    /// Whether an expression does something besides giving a value.
    pub fn does_something(&self, expr: &Expr) -> bool {
        let mut found = false;
        let mut path = Vec::new();
        expr.walk(&mut path, &mut |path: &[ASTNode]| {
            found |= match path.last() {
                Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) => self.call_does(call),
                Some(ASTNode::Stmt(Stmt::FnCall(call, _))) => self.call_does(call),
                Some(ASTNode::Stmt(Stmt::Assignment(..) | Stmt::Return(..) | Stmt::BreakLoop(..))) => true,
                _ => false,
            };
            !found
        });
        found
    }

    pub fn call_does(&self, call: &FnCallExpr) -> bool {
        if call.op_token.is_some() {
            return false;
        }
        let name = call.name.as_str();
        let own = self.functions.iter().filter(|((own, _), _)| own == name);
        let mut own = own.map(|(_, function)| function.summary.does).peekable();
        match own.peek() {
            Some(_) => own.any(|does| does),
            None => {
                natives::does(name)
                    || LANGUAGE.contains(&name)
                    || name.starts_with("anon$")
                    || !natives::is_native(name)
            }
        }
    }
}

/// Words that say something and change nothing.
fn natives_only(name: &str) -> bool {
    !natives::CHANGING.contains(&name)
}

fn owners(of: &[Owner]) -> Types {
    let one = |owner: &Owner| match owner {
        Owner::Table => Types::TABLE,
        Owner::Seat => Types::SEAT,
        Owner::Place => Types::PLACE,
        Owner::Piece => Types::PIECE,
    };
    of.iter().fold(Types::NONE, |all, owner| all | one(owner))
}

fn built_in(name: &str) -> Types {
    match name {
        "title" | "id" | "kind" | "face" => Types::TEXT,
        "place" => Types::PLACE | Types::NOTHING,
        "seat" | "owner" | "left" | "right" | "controller" => Types::SEAT | Types::NOTHING,
        "number" | "turns" | "side" | "fight_turns" => Types::NUMBER | Types::NOTHING,
        "is_active" | "is_out" | "is_standing" | "is_seat" | "is_piece" | "is_place" => Types::YES_NO,
        "zone" => Types::ZONE,
        "entry" | "role" => Types::ENTRY | Types::NOTHING,
        "target" => Types::SEAT | Types::PIECE | Types::NOTHING,
        _ => Types::NONE,
    }
}

fn of_event(name: &str) -> Types {
    match name {
        "seat" => Types::SEAT | Types::NOTHING,
        "of" | "last" | "source" => Types::THING | Types::NOTHING,
        "piece" => Types::PIECE | Types::NOTHING,
        "place" => Types::PLACE | Types::NOTHING,
        "from" => Types::PLACE | Types::ZONE | Types::NOTHING,
        "to" | "zone" => Types::ZONE | Types::NOTHING,
        "counter" | "pass" | "mark" | "purpose" | "name" => Types::TEXT | Types::NOTHING,
        "action" | "entry" | "effect" | "die" | "cause" => Types::ENTRY | Types::NOTHING,
        "phase" => Types::PHASE | Types::NOTHING,
        "amount" | "value" | "side" | "face" => Types::NUMBER,
        "roll" => Types::ROLL,
        "packet" => Types::PACKET,
        _ => Types::ANY,
    }
}

/// A help if the arguments would fit in another order.
fn swapped(signatures: &[Signature], given: &[Types]) -> Option<String> {
    for signature in signatures {
        for one in 0..given.len() {
            for other in one + 1..given.len() {
                let mut changed = given.to_vec();
                changed.swap(one, other);
                if signature.takes.iter().zip(&changed).all(|(takes, given)| takes.meets(*given)) {
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

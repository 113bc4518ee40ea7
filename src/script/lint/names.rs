//! Checks names in scripts: functions and their argument counts, variables, and ids in strings.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use super::{ScriptText, natives};
use crate::content::{Content, HookDef};
use crate::diagnostic::{
    Confidence, Diagnostic, Edit, Misspelling, Report, Severity, Span, find_misspelling,
};
use crate::migrate;
use crate::script::api::{GLOBALS, THING_NAMES};
use crate::script::compile::PackFunction;
use crate::script::property_names::PropertyNames;
use crate::script::visible;

/// Keys of the maps that engine functions return.
const RESULT_KEYS: &[&str] = &[
    "seat", "choice", "taken", "excess", "pieces", "points", "denied", "amount", "tag",
];

/// Every name that may follow a dot: names that packs and the engine declare, and keys of maps.
pub fn properties<'t>(
    names: &PropertyNames,
    texts: impl Iterator<Item = &'t str>,
) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = names.all();
    all.extend(RESULT_KEYS.iter().map(|name| (*name).to_owned()));
    let new = new_names(&all, texts);
    all.extend(new);
    all
}

/// The keys of maps in scripts that are not known yet.
pub fn new_names<'t>(
    known: &BTreeSet<String>,
    texts: impl Iterator<Item = &'t str>,
) -> Vec<String> {
    let words = texts.flat_map(|text| words_before(text, ':').chain(words_before(text, '=')));
    words
        .filter(|word| !known.contains(*word))
        .map(str::to_owned)
        .collect()
}

/// The keys of maps in scripts.
pub fn keys<'t>(texts: impl Iterator<Item = &'t str>) -> impl Iterator<Item = &'t str> {
    texts.flat_map(|text| words_before(text, ':'))
}

/// Whether a text ends with a property of a hook variable, as in `actor.coins`.
fn is_of_thing(text: &str) -> bool {
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    let owner = text
        .trim_end_matches(letters)
        .strip_suffix('.')
        .unwrap_or_default();
    let start = owner.rfind(|c| !letters(c)).map_or(0, |at| at + 1);
    // A `value` may be a map.
    let owner = &owner[start..];
    owner != "value" && visible::HookName::parse(owner).is_some()
}

/// The words before a colon or an equals sign, which are probably keys of maps.
fn words_before(text: &str, sign: char) -> impl Iterator<Item = &str> {
    text.match_indices(sign).filter_map(move |(at, _)| {
        // Skip `==` and `<=`. A property of a hook variable is not a map key either.
        let compares = text[at + 1..].starts_with('=')
            || text[..at].ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '%']);
        let before = text[..at].trim_end().trim_end_matches('"');
        if sign == '=' && (compares || is_of_thing(before)) {
            return None;
        }
        let letters = |c: char| c.is_alphanumeric() || c == '_';
        let start = before.rfind(|c| !letters(c)).map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
        Some(&before[start..]).filter(|word| !word.is_empty())
    })
}

/// The strings under a key of a map literal, with their positions.
fn texts_under(arg: &Expr, key: &str) -> Vec<(String, Position)> {
    match arg {
        Expr::Map(map, _) => {
            let rows = map.0.iter().filter(|(name, _)| name.as_str() == key);
            let text = |value: &Expr| match value {
                Expr::StringConstant(text, position) => Some((text.to_string(), *position)),
                _ => None,
            };
            rows.filter_map(|(_, value)| text(value)).collect()
        }
        _ => Vec::new(),
    }
}

/// For each function, the position of an argument that is a name, and what it names. In `a.f(b)`,
/// `a` is argument 0.
const NAMED: &[(&str, usize, NameKind)] = &[
    ("gain", 1, NameKind::Counter),
    ("lose", 1, NameKind::Counter),
    ("max_value", 1, NameKind::Counter),
    ("create", 0, NameKind::Entry),
    ("copies_of", 0, NameKind::Entry),
    ("entry", 0, NameKind::Entry),
    ("start_at", 0, NameKind::Entry),
    ("place", 0, NameKind::Entry),
    ("create_all", 0, NameKind::Kind),
    ("entries", 0, NameKind::Kind),
    ("emit", 0, NameKind::Event),
    ("ask", 0, NameKind::Query),
    ("allowed", 0, NameKind::Query),
    ("start_fight", 0, NameKind::Fight),
    ("run_sequence", 0, NameKind::Sequence),
    ("roll", 1, NameKind::Die),
    ("zone", 1, NameKind::Zone),
    ("suffer", 2, NameKind::Chain),
    ("has_effect", 1, NameKind::Effect),
    ("end_effects", 1, NameKind::Effect),
    ("effect", 0, NameKind::Modified),
    ("table", 0, NameKind::Table),
    ("tally", 0, NameKind::Statistic),
    ("option", 0, NameKind::Option),
    ("find", 1, NameKind::Entry),
    ("has", 1, NameKind::Entry),
    ("base_value", 1, NameKind::Counter),
    ("sum", 1, NameKind::Field),
    ("with", 1, NameKind::Field),
];

/// Keys of map literals whose value is a name, by function.
const KEYS: &[(&str, &str, NameKind)] = &[
    ("effect", "from", NameKind::Event),
    ("effect", "until", NameKind::Event),
    ("end_game", "score", NameKind::Counter),
];

#[derive(Clone, Copy)]
enum NameKind {
    Counter,
    Entry,
    Kind,
    Event,
    Query,
    Fight,
    Sequence,
    Die,
    Zone,
    Chain,
    Effect,
    /// The argument of `effect`: a counter, a query or a declared effect.
    Modified,
    Table,
    Statistic,
    Option,
    Field,
}

impl NameKind {
    const fn word(self) -> &'static str {
        match self {
            NameKind::Counter => "counter",
            NameKind::Entry => "entry",
            NameKind::Kind => "kind",
            NameKind::Event => "event",
            NameKind::Query => "query",
            NameKind::Fight => "fight",
            NameKind::Sequence => "sequence",
            NameKind::Die => "die",
            NameKind::Zone => "zone",
            NameKind::Chain => "chain",
            NameKind::Effect => "effect",
            NameKind::Modified => "counter, query or effect",
            NameKind::Table => "table",
            NameKind::Statistic => "statistic",
            NameKind::Option => "option",
            NameKind::Field => "field",
        }
    }

    const fn code(self) -> &'static str {
        match self {
            NameKind::Counter => "unknown-counter",
            NameKind::Entry => "unknown-entry",
            NameKind::Kind => "unknown-kind",
            NameKind::Event => "unknown-event",
            NameKind::Query => "unknown-query",
            NameKind::Fight => "unknown-fight",
            NameKind::Sequence => "unknown-sequence",
            NameKind::Die => "unknown-die",
            NameKind::Zone => "unknown-zone",
            NameKind::Chain => "unknown-chain",
            NameKind::Effect | NameKind::Modified => "unknown-effect",
            NameKind::Table => "unknown-table",
            NameKind::Statistic => "unknown-statistic",
            NameKind::Option => "unknown-option",
            NameKind::Field => "unknown-property",
        }
    }

    fn is_known(self, content: &Content, name: &str) -> bool {
        if name.contains('/') || name.contains(':') {
            return content.find(name).is_some();
        }
        let symbols = content.symbol(name);
        match self {
            NameKind::Counter => symbols.counter.is_some(),
            NameKind::Entry => content.find(name).is_some() || content.is_ambiguous(name),
            NameKind::Kind => content.kind(name).is_some(),
            NameKind::Event => symbols.event.is_some(),
            NameKind::Query => symbols.query.is_some(),
            NameKind::Fight => symbols.fight.is_some(),
            NameKind::Sequence => symbols.list.is_some(),
            NameKind::Field => {
                let known = |kind: &crate::content::KindDef, name: &str| {
                    kind.fields
                        .iter()
                        .chain(&kind.nested)
                        .any(|field| **field == *name)
                };
                let one = |name: &str| {
                    content.kinds.iter().any(|kind| known(kind, name))
                        || THING_NAMES.contains(&name)
                };
                symbols.counter.is_some()
                    || name
                        .split('.')
                        .all(|part| part.parse::<u32>().is_ok() || one(part))
            }
            NameKind::Die => symbols.die.is_some(),
            NameKind::Zone => symbols.zone.is_some(),
            NameKind::Chain => symbols.chain.is_some(),
            NameKind::Modified => {
                let declared = content.find(&format!("effect/{name}")).is_some();
                declared || symbols.counter.is_some() || symbols.query.is_some()
            }
            NameKind::Effect | NameKind::Table | NameKind::Statistic | NameKind::Option => {
                content.find(&format!("{}/{name}", self.word())).is_some()
            }
        }
    }

    fn known(self, content: &Content) -> Vec<&str> {
        match self {
            NameKind::Entry => content.entries.iter().map(|entry| &*entry.id).collect(),
            NameKind::Kind => content.kinds.iter().map(|kind| &*kind.id).collect(),
            NameKind::Field => content
                .kinds
                .iter()
                .flat_map(|kind| kind.fields.iter().chain(&kind.nested))
                .map(|field| &**field)
                .collect(),
            NameKind::Event => content.events.iter().map(|event| &*event.name).collect(),
            NameKind::Query => content.queries.iter().map(|query| &*query.name).collect(),
            NameKind::Modified => {
                let of_kind = |entry: &&std::sync::Arc<crate::content::EntryDef>| {
                    matches!(
                        &*content.kinds[entry.kind.ix()].id,
                        "counter" | "effect" | "query"
                    )
                };
                content
                    .entries
                    .iter()
                    .filter(of_kind)
                    .map(|entry| &*entry.id)
                    .collect()
            }
            other => {
                let of_kind = |entry: &&std::sync::Arc<crate::content::EntryDef>| {
                    *content.kinds[entry.kind.ix()].id == *other.word()
                };
                content
                    .entries
                    .iter()
                    .filter(of_kind)
                    .map(|entry| &*entry.id)
                    .collect()
            }
        }
    }
}

struct NameLint<'a, 'r> {
    content: &'a Content,
    /// Whether a function file has a syntax error, so that the functions it defines are unknown.
    broken: bool,
    functions: &'a BTreeMap<(String, usize), PackFunction>,
    /// The hook; `None` for a function file.
    hook: Option<&'a HookDef>,
    source: &'a ScriptText<'a>,
    report: &'r mut Report,
}

/// Checks the names of a compiled script.
pub fn check(
    content: &Content,
    functions: &BTreeMap<(String, usize), PackFunction>,
    tree: &AST,
    hook: Option<&HookDef>,
    source: &ScriptText<'_>,
    report: &mut Report,
) {
    let broken = source.broken;
    let mut lint = NameLint {
        content,
        broken,
        functions,
        hook,
        source,
        report,
    };
    tree.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(node) = path.last() {
            lint.node(node);
        }
        true
    });
}

impl NameLint<'_, '_> {
    fn node(&mut self, node: &ASTNode<'_>) {
        let expr = match node {
            ASTNode::Expr(expr) => *expr,
            ASTNode::Stmt(Stmt::FnCall(call, position)) => {
                return self.call(call, *position, false);
            }
            _ => return,
        };
        match expr {
            Expr::FnCall(call, position) => self.call(call, *position, false),
            Expr::MethodCall(call, position) => self.call(call, *position, true),
            Expr::Map(..) => {
                for (text, position) in texts_under(expr, "chain") {
                    self.name(NameKind::Chain, &text, position);
                }
            }
            Expr::Property(property, position) => self.property(&property.2, *position),
            Expr::Variable(variable, short, position)
                if variable.0.is_none() && short.is_none() =>
            {
                self.variable(&variable.1, *position);
            }
            _ => {}
        }
    }

    fn variable(&mut self, name: &str, position: Position) {
        if GLOBALS.contains(&name)
            || self.hook.is_some_and(|hook| visible::sees(hook, name))
            || self.functions.keys().any(|(own, _)| own == name)
        {
            return;
        }
        let names = self
            .hook
            .map_or_else(|| GLOBALS.to_vec(), visible::names_of);
        let span = self.source.span(position, name.len());
        let renamed = self.hook.and_then(|hook| visible::renamed(hook, name));
        let near = find_misspelling(name, names.iter().copied());
        let help = match self.hook {
            None => {
                "a function sees its parameters and `event`, `fight`, `combo`, `packet`, `table`"
                    .to_owned()
            }
            Some(_) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("this hook sees {}", names.join(", "))
            }
        };
        Diagnostic::unknown(span, "unknown-variable", "variable", name)
            .label("not defined here")
            .did_you_mean(near)
            .renamed(name, renamed)
            .help(help)
            .push(self.report);
    }

    fn call(&mut self, call: &rhai::FnCallExpr, position: Position, method: bool) {
        let count = call.args.len() + usize::from(method);
        if !call.is_operator_call() && !call.name.starts_with("anon$") {
            self.function(&call.name, count, position, method);
        }
        for &(_, at, what) in NAMED
            .iter()
            .filter(|(name, _, _)| *name == call.name.as_str())
        {
            let at = if method { at.checked_sub(1) } else { Some(at) };
            if let Some(Expr::StringConstant(text, position)) = at.and_then(|at| call.args.get(at))
            {
                self.name(what, text, *position);
            }
        }
        if let ("piece", [Expr::StringConstant(id, at)]) = (call.name.as_str(), &call.args[..])
            && !method
        {
            self.not_a_piece(id, *at, position);
        }
        for &(_, key, what) in KEYS
            .iter()
            .filter(|(name, _, _)| *name == call.name.as_str())
        {
            for arg in &call.args {
                for (text, position) in texts_under(arg, key) {
                    self.name(what, text.strip_prefix("any ").unwrap_or(&text), position);
                }
            }
        }
    }

    fn property(&mut self, name: &str, position: Position) {
        // Type inference checks values whose type is known.
        if self.source.properties.contains(name) || self.broken {
            return;
        }
        let span = self.source.span(position, name.len());
        if let Some(method) = migrate::method(name) {
            return self.missing_parentheses(name, method, span);
        }
        let near = find_misspelling(name, self.source.properties.iter().map(String::as_str));
        Diagnostic::unknown(span, "unknown-property", "property", name)
            .severity(Severity::Warning)
            .label("read here")
            .did_you_mean(near)
            .confidence(Confidence::Likely)
            .help(
                "a property is a counter, a zone, a field of a kind, or a key of a map in the pack",
            )
            .push(self.report);
    }

    /// Reports `hand.len`, a method of lists, zones and texts, without `()`.
    fn missing_parentheses(&mut self, name: &str, method: &str, span: Span) {
        let end = span.part(name.len(), 0);
        let fix = self.source.exact.then(|| Edit::insert(end, "()"));
        let message = format!("`{name}` is a method");
        Diagnostic::error(span, "missing-parentheses", message)
            .label("missing `()`")
            .help(format!(
                "write `{method}`: methods need parentheses, properties do not"
            ))
            .fix(fix)
            .push(self.report);
    }

    /// Reports `piece("mill")` if the mill is a place.
    fn not_a_piece(&mut self, id: &str, position: Position, called: Position) {
        let bare = id.split('#').next().unwrap_or(id);
        let place = self
            .content
            .find(bare)
            .is_some_and(|entry| self.content.entry(entry).place.is_some());
        if !place {
            return;
        }
        let fix = Edit {
            span: self.source.span(called, "piece".len()),
            old: "piece".to_owned(),
            new: "place".to_owned(),
        };
        let message = format!("`{id}` is a place, not a piece");
        Diagnostic::error(
            self.source.span(position, id.len() + 2),
            "not-a-piece",
            message,
        )
        .label("named here")
        .help(format!("write place(\"{id}\")"))
        .fix([fix])
        .push(self.report);
    }

    fn function(&mut self, name: &str, count: usize, position: Position, method: bool) {
        let own: Vec<usize> = self
            .functions
            .keys()
            .filter(|(own, _)| own == name)
            .map(|(_, count)| *count)
            .collect();
        let native = natives::counts(name);
        if method && native.is_none() && !own.is_empty() {
            return self.not_a_method(name, position);
        }
        if self.broken && native.is_none() && own.is_empty() {
            return;
        }
        let mut counts = native.unwrap_or_default();
        counts.extend(&own);
        counts.sort_unstable();
        counts.dedup();
        if counts.contains(&count) {
            return;
        }
        let span = self.source.span(position, name.len());
        if counts.is_empty() {
            let near = natives::natives(|all| {
                let own = self.functions.keys().map(|(own, _)| own.as_str());
                find_misspelling(name, all.keys().map(String::as_str).chain(own))
                    .map(Misspelling::into_owned)
            });
            Diagnostic::unknown(span, "unknown-function", "function", name)
                .label("called here")
                .did_you_mean(near)
                .renamed(name, migrate::function(name, count))
                .push(self.report);
        } else {
            let message = format!(
                "`{name}` takes {}, not {count}",
                natives::arguments_in_words(&counts)
            );
            Diagnostic::error(span, "wrong-arguments", message)
                .label("called here")
                .help("in `a.f(b)`, `a` counts as the first argument")
                .push(self.report);
        }
    }

    fn not_a_method(&mut self, name: &str, position: Position) {
        let span = self.source.span(position, name.len());
        let message = format!("pack function `{name}` cannot be called with a dot");
        Diagnostic::error(span, "not-a-method", message)
            .label("called here")
            .help(format!("write `{name}(a, …)` instead of `a.{name}(…)`"))
            .push(self.report);
    }

    fn name(&mut self, what: NameKind, text: &str, position: Position) {
        if what.is_known(self.content, text) {
            return;
        }
        let near = find_misspelling(text, what.known(self.content));
        let span = self.source.span(position, text.len() + 2);
        Diagnostic::unknown(span, what.code(), what.word(), text)
            .label("named here")
            .did_you_mean(near)
            .push(self.report);
    }
}

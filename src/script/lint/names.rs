//! Checks names in scripts: functions and their argument counts, variables, and ids in strings.

use std::collections::{BTreeMap, BTreeSet};

use super::{ScriptText, name_help, natives};
use crate::content::{Content, HookDef, Symbols};
use crate::diagnostic::{Confidence, Diagnostic, Edit, Report, Severity, Span, find_misspelling};
use crate::migrate;
use crate::script::compile::PackFunction;
use crate::script::primitive::{NameKind, Role};
use crate::script::syntax::{CallSite, Meaning, Node, NodeKind, Script, StepKind, Variable};
use crate::script::visible::{self, GLOBALS};

/// The strings under a key of a map literal, with their offsets.
fn texts_under<'n>(node: &'n Node, key: &str) -> Vec<(&'n str, u32)> {
    match &node.kind {
        NodeKind::Map(rows) => {
            let rows = rows.iter().filter(|row| row.key == key);
            rows.filter_map(|row| Some((&**row.value.text()?, row.value.at)))
                .collect()
        }
        _ => Vec::new(),
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
    /// The variables that the script declares anywhere.
    declared: BTreeSet<&'a str>,
    /// The variables that are assigned without a declaration.
    assigned: BTreeSet<&'a str>,
    /// The unknown variables that are already reported.
    unknown: BTreeSet<&'a str>,
    report: &'r mut Report,
}

/// Checks the names of a compiled script.
pub fn check<'a>(
    content: &'a Content,
    functions: &'a BTreeMap<(String, usize), PackFunction>,
    tree: &'a Script,
    hook: Option<&'a HookDef>,
    source: &'a ScriptText<'_>,
    report: &mut Report,
) {
    let broken = source.broken;
    let mut lint = NameLint {
        content,
        broken,
        functions,
        hook,
        source,
        declared: declared(tree),
        assigned: BTreeSet::new(),
        unknown: BTreeSet::new(),
        report,
    };
    tree.walk(&mut |node| lint.node(node));
}

/// The variables that a script declares.
fn declared(tree: &Script) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    tree.walk(&mut |node| match &node.kind {
        NodeKind::Let(own) => drop(names.insert(&*own.name)),
        NodeKind::For(own) => drop(names.insert(&*own.name)),
        _ => {}
    });
    for function in &tree.functions {
        names.extend(function.parameters.iter().map(|name| &**name));
    }
    names
}

impl<'a> NameLint<'a, '_> {
    fn node(&mut self, node: &'a Node) {
        match &node.kind {
            NodeKind::Assign(assign) => {
                if let (NodeKind::Variable(variable), None) = (&assign.target.kind, &assign.op) {
                    self.assigned.insert(&variable.name);
                }
            }
            NodeKind::Map(_) => {
                for (text, at) in texts_under(node, "chain") {
                    self.name(NameKind::Chain, text, at);
                }
            }
            NodeKind::Chain(chain) => {
                for step in &chain.steps {
                    if let StepKind::Property(name) = &step.kind {
                        self.property(name, step.at);
                    }
                }
            }
            NodeKind::Variable(variable) => self.variable(variable, node.at),
            _ => {}
        }
        node.each_call(&mut |site| self.call(site));
    }

    fn variable(&mut self, variable: &'a Variable, at: u32) {
        let name = &*variable.name;
        let known = match variable.meaning {
            Meaning::Local(_) => true,
            Meaning::Hook(name) => self.hook.is_none_or(|hook| name.is_visible(hook)),
            Meaning::Unknown => false,
        };
        // One declaration is missing, however often the variable is used.
        if known || !self.unknown.insert(name) {
            return;
        }
        let names = self
            .hook
            .map_or_else(|| GLOBALS.to_vec(), visible::names_of);
        let span = self.source.span(at, name.len());
        let renamed = self.hook.and_then(|hook| visible::renamed(hook, name));
        let has_no_list = name == "each" && self.hook.is_some_and(|hook| self.is_of_action(hook));
        let renamed = renamed.filter(|_| !has_no_list);
        let own = self.declared.iter().filter(|own| **own != name);
        let near = find_misspelling(name, names.iter().chain(own).copied());
        let foreign = name_help::variable(self.content, name, &names);
        let near = near.filter(|_| foreign.is_none());
        let is_function = self.functions.keys().any(|(own, _)| own == name);
        let help = match self.hook {
            _ if has_no_list => {
                "add `each` to the entry, a script that returns a list: `each` is the item of each line"
                    .to_owned()
            }
            _ if foreign.is_some() => foreign.unwrap_or_default(),
            _ if self.declared.contains(name) => format!(
                "`{name}` exists only in the block that declares it: write `let {name} = …` before that block"
            ),
            _ if near.is_none() && self.assigned.contains(name) => {
                format!("declare it first: `let {name} = …`")
            }
            _ if is_function => format!("a function is not a value: call it, as in `{name}(…)`"),
            None => {
                "a function sees its parameters and `event`, `fight`, `combo`, `packet`, `table`: \
                 add a parameter, and pass the value where the function is called"
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

    /// Whether a hook belongs to a line of a menu.
    fn is_of_action(&self, hook: &HookDef) -> bool {
        let kind = self.content.entry(hook.entry).kind;
        let is_other = matches!(&*self.content.kinds[kind.ix()].id, "phase" | "start");
        !is_other && (matches!(&*hook.name, "can" | "do") || hook.name.starts_with("cost"))
    }

    fn call(&mut self, site: CallSite) {
        let (call, count) = (site.call, site.count());
        if &*call.name == "deny" {
            self.late_denial(site.at);
        }
        self.function(&call.name, count, site.at, site.is_method);
        for (position, argument) in (usize::from(site.is_method)..).zip(&call.arguments) {
            for role in natives::roles(&call.name, count, position) {
                match (role, argument.text()) {
                    (Role::Name(kind), Some(text)) => {
                        self.name(kind, text, argument.at);
                        break;
                    }
                    (Role::Keys(keys), _) => self.keys(keys, argument),
                    _ => {}
                }
            }
        }
        if let ("piece", [argument]) = (&*call.name, &call.arguments[..])
            && let Some(id) = argument.text()
            && !site.is_method
        {
            self.not_a_piece(id, argument.at, site.at);
        }
    }

    /// Reports a denial of an event that has already happened.
    fn late_denial(&mut self, at: u32) {
        let event = self.hook.and_then(|hook| {
            let name = hook.name.strip_prefix("on.")?;
            name.strip_prefix("self_")
                .unwrap_or(name)
                .strip_prefix("after_")
        });
        let Some(event) = event else { return };
        let span = self.source.span(at, "deny".len());
        Diagnostic::warning(span, "no-effect", "`deny` has no effect after the event")
            .label("it has already happened")
            .help(format!("to prevent it, use `on.before_{event}`"))
            .push(self.report);
    }

    /// Checks the names in a map literal.
    fn keys(&mut self, keys: &[(&str, NameKind)], argument: &Node) {
        for (key, kind) in keys {
            for (text, at) in texts_under(argument, key) {
                self.name(*kind, text.strip_prefix("any ").unwrap_or(text), at);
            }
        }
    }

    fn property(&mut self, name: &str, at: u32) {
        let pack = Some(self.source.pack);
        if let Some(names) = self
            .content
            .ambiguous_symbol(pack, name, Symbols::is_property)
        {
            let span = self.source.span(at, name.len());
            let names: Vec<String> = names.iter().map(|name| format!("`[\"{name}\"]`")).collect();
            let help = format!("in place of `.{name}`, write {}", names.join(" or "));
            return name_help::ambiguous(name, help, span, self.report);
        }
        // Type inference checks values whose type is known.
        if self.source.properties.contains(name) || self.broken {
            return;
        }
        let span = self.source.span(at, name.len());
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
    fn not_a_piece(&mut self, id: &str, at: u32, called: u32) {
        let bare = id.split('#').next().unwrap_or(id);
        if self.content.find(bare).is_none() {
            return self.name(NameKind::Entry, bare, at);
        }
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
        Diagnostic::error(self.source.span(at, id.len() + 2), "not-a-piece", message)
            .label("named here")
            .help(format!("write place(\"{id}\")"))
            .fix([fix])
            .push(self.report);
    }

    fn function(&mut self, name: &str, count: usize, at: u32, method: bool) {
        let pack_counts: Vec<usize> = self
            .functions
            .keys()
            .filter(|(function, _)| function == name)
            .map(|(_, count)| *count)
            .collect();
        let native = natives::counts(name);
        if method && native.is_none() && !pack_counts.is_empty() {
            return self.not_a_method(name, at);
        }
        if self.broken && native.is_none() && pack_counts.is_empty() {
            return;
        }
        let mut counts = native.unwrap_or_default();
        counts.extend(&pack_counts);
        counts.sort_unstable();
        counts.dedup();
        if counts.contains(&count) {
            return;
        }
        let span = self.source.span(at, name.len());
        if counts.is_empty() {
            let of_packs = self.functions.keys().map(|(name, _)| name.as_str());
            let mut all: Vec<&str> = of_packs.collect();
            natives::names().for_each(|name| all.push(name));
            all.sort_unstable();
            let foreign = name_help::function(name, method);
            let near = find_misspelling(name, all).filter(|_| foreign.is_none());
            let list = || "`kaer list --functions` lists all functions; write one of your own in a `.rhai` file";
            let help = foreign.or_else(|| near.is_none().then(|| list().to_owned()));
            Diagnostic::unknown(span, "unknown-function", "function", name)
                .label("called here")
                .did_you_mean(near)
                .renamed(name, migrate::function(name, count))
                .maybe_help(help)
                .push(self.report);
        } else {
            let message = format!(
                "`{name}` takes {}, not {count}",
                natives::arguments_in_words(&counts)
            );
            let needless = name_help::needless_receiver(name, &counts, count);
            let needless = needless.filter(|_| method);
            Diagnostic::error(span, "wrong-arguments", message)
                .label("called here")
                .help(needless.unwrap_or_else(|| self.usage(name, method)))
                .push(self.report);
        }
    }

    /// How to call a function.
    fn usage(&self, name: &str, method: bool) -> String {
        let own = self.functions.iter().find(|((own, _), _)| own == name);
        if let Some((_, function)) = own {
            return format!("write `{name}({})`", function.parameters.join(", "));
        }
        let ways: Vec<String> = natives::usages(name, method);
        format!("write {}", ways.join(" or "))
    }

    fn not_a_method(&mut self, name: &str, at: u32) {
        let span = self.source.span(at, name.len());
        let message = format!("pack function `{name}` cannot be called with a dot");
        Diagnostic::error(span, "not-a-method", message)
            .label("called here")
            .help(format!("write `{name}(a, …)` instead of `a.{name}(…)`"))
            .push(self.report);
    }

    fn name(&mut self, kind: NameKind, text: &str, at: u32) {
        if kind.is_known(self.content, self.source.pack, text) {
            return;
        }
        let names = self.content.candidates(text);
        if names.len() > 1 {
            let span = self.source.span(at, text.len() + 2);
            let names: Vec<String> = names.iter().map(|name| format!("`\"{name}\"`")).collect();
            let help = format!("write {}", names.join(" or "));
            return name_help::ambiguous(text, help, span, self.report);
        }
        let near = find_misspelling(text, kind.known(self.content));
        let span = self.source.span(at, text.len() + 2);
        let help = near.is_none().then(|| kind.remedy(text));
        Diagnostic::unknown(span, kind.code(), kind.word(), text)
            .label("named here")
            .did_you_mean(near)
            .maybe_help(help)
            .push(self.report);
    }
}

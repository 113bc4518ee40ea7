//! What the checks of packs need to know about a script: its calls, numbers, names and texts.

use rhai::Engine;

use super::lint::natives;
use super::primitive::SideEffects;
use super::syntax::{CaseTest, Chain, Function, Node, NodeKind, Script, StepKind};
use super::{parser, resolve};
use crate::value::{Text, Value};

/// What a hook or a function contains.
#[derive(Debug, Default)]
pub struct ScriptOutline {
    /// The name of the function; empty for a hook.
    pub name: Text,
    /// The byte offset of the name.
    pub at: usize,
    /// The end of the function.
    pub end: usize,
    /// The number of its parameters.
    pub parameters: usize,
    /// The calls of functions and methods.
    pub calls: Vec<OutlinedCall>,
    /// Number literals, without their signs.
    pub numbers: Vec<u64>,
    /// The names of variables, properties, functions and keys.
    pub names: Vec<Text>,
    /// The properties that it sets: `baron` in `table.baron = "spared"`. They are in `names` too.
    pub sets: Vec<Text>,
    /// String literals.
    pub texts: Vec<Text>,
}

/// A call in a script.
#[derive(Debug)]
pub struct OutlinedCall {
    /// The name of the function.
    pub name: Text,
    /// What it does, if it is an engine function.
    pub does: SideEffects,
    /// The name of what it is called on: `deck` in `actor.deck.top()`.
    pub on: Option<Text>,
    /// The first argument, if it is a string literal.
    pub text: Option<Text>,
    /// Whether it runs whenever the script does.
    pub always: bool,
}

impl ScriptOutline {
    /// Whether it calls a function with this name.
    #[must_use]
    pub fn calls(&self, name: &str) -> bool {
        self.calls.iter().any(|call| call.name == name)
    }

    /// How often a name occurs in it.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.names.iter().filter(|own| *own == name).count()
    }

    /// How often it sets a property with this name.
    #[must_use]
    pub fn count_set(&self, name: &str) -> usize {
        self.sets.iter().filter(|own| *own == name).count()
    }

    /// Whether a name occurs in it.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }
}

thread_local! {
    static PARSER: Engine = parser::engine();
}

fn parse(text: &str) -> Option<Script> {
    let ast = PARSER.with(|engine| engine.compile(text)).ok()?;
    Some(resolve::script(&ast, text))
}

/// The outline of a hook; empty if it has a syntax error.
#[must_use]
pub fn outline_hook(text: &str) -> ScriptOutline {
    parse(text).map_or_else(ScriptOutline::default, |script| outline(&script.body))
}

/// The outline of each function of a file.
#[must_use]
pub fn outline_file(text: &str) -> Vec<ScriptOutline> {
    let functions = parse(text).map(|script| script.functions);
    functions.iter().flatten().map(outline).collect()
}

fn outline(function: &Function) -> ScriptOutline {
    let mut outline = ScriptOutline {
        name: function.name.clone(),
        at: function.at as usize,
        end: function.end as usize,
        parameters: function.parameters.len(),
        ..ScriptOutline::default()
    };
    for node in &function.body {
        outline.node(node, true);
    }
    outline
}

impl ScriptOutline {
    fn node(&mut self, node: &Node, always: bool) {
        match &node.kind {
            NodeKind::Value(value) => self.value(value),
            NodeKind::Variable(variable) => self.names.push(variable.name.clone()),
            NodeKind::Map(rows) => self.names.extend(rows.iter().map(|row| row.key.clone())),
            NodeKind::Switch(switch) => {
                for case in &switch.cases {
                    match &case.test {
                        CaseTest::Is(value) => self.value(value),
                        CaseTest::Between(from, to) => {
                            self.numbers
                                .extend([from.unsigned_abs(), to.unsigned_abs()]);
                        }
                    }
                }
            }
            NodeKind::Chain(chain) => self.chain(chain),
            NodeKind::Assign(assign) => {
                if let NodeKind::Chain(chain) = &assign.target.kind
                    && let Some(StepKind::Property(name)) =
                        chain.steps.last().map(|last| &last.kind)
                {
                    self.sets.push(name.clone());
                }
            }
            _ => {}
        }
        node.each_call(&mut |site| {
            let on = match &node.kind {
                NodeKind::Chain(chain) => {
                    let step = chain.steps.iter().position(|step| step.at == site.at);
                    step.and_then(|step| name_before(chain, step))
                }
                _ => site.call.arguments.first().and_then(name_of),
            };
            let overloads = natives::signatures(&site.call.name).iter();
            self.names.push(site.call.name.clone());
            self.calls.push(OutlinedCall {
                name: site.call.name.clone(),
                does: overloads.fold(SideEffects::NOTHING, |all, own| all.and(own.does)),
                on,
                text: site.call.arguments.first().and_then(Node::text).cloned(),
                always,
            });
        });
        // Their contents may not run.
        let always = always
            && !matches!(
                node.kind,
                NodeKind::If(_)
                    | NodeKind::Switch(_)
                    | NodeKind::While(_)
                    | NodeKind::For(_)
                    | NodeKind::Closure(_)
                    | NodeKind::And(_)
                    | NodeKind::Or(_)
                    | NodeKind::Coalesce(_)
                    | NodeKind::Try(_)
            );
        node.each_child(&mut |child| self.node(child, always));
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Int(number) => self.numbers.push(number.unsigned_abs()),
            Value::Text(text) => self.texts.push(text.clone()),
            _ => {}
        }
    }

    fn chain(&mut self, chain: &Chain) {
        for step in &chain.steps {
            if let StepKind::Property(name) = &step.kind {
                self.names.push(name.clone());
            }
        }
    }
}

/// The name of what comes before a step of a chain.
fn name_before(chain: &Chain, step: usize) -> Option<Text> {
    let Some(before) = step.checked_sub(1) else {
        return name_of(&chain.root);
    };
    match &chain.steps[before].kind {
        StepKind::Property(name) => Some(name.clone()),
        // `actor.zone("deck")`.
        StepKind::Method(call) => call.arguments.first()?.text().cloned(),
        StepKind::Index(index) => index.text().cloned(),
    }
}

fn name_of(node: &Node) -> Option<Text> {
    match &node.kind {
        NodeKind::Variable(variable) => Some(variable.name.clone()),
        NodeKind::Chain(chain) => name_before(chain, chain.steps.len()),
        NodeKind::Call(call) => call.arguments.first()?.text().cloned(),
        _ => None,
    }
}

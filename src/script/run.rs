//! Runs hooks: the only place where scripts are evaluated.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rhai::{Dynamic, Engine, GlobalRuntimeState, Scope};

use super::compile::{CompiledScript, RhaiSnippet, Scripts};
use super::convert::{from_val, to_val};
use super::evaluate::Evaluation;
use super::fault::run_fault;
use super::host::{self, HostResult};
use super::plain::Plain;
use super::types::{ComboRef, EntityRef, EntryRef, EventRef, FightRef, PacketRef};
use super::visible::{HookName, HookNames};
use crate::content::{HookArgument, HookDef, HookId, HookRole};
use crate::game::{Cx, Entity, HookCall, HookRunner, StepResult, Stop, Val, fight};

/// Variables for the arguments of a snippet; no call has more arguments.
pub(super) const ARGUMENTS: [&str; 10] =
    ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"];

/// Buffers of an evaluation, reused at the same nesting level.
pub(super) struct EvalBuffers {
    global: GlobalRuntimeState,
    scope: Scope<'static>,
    /// The pack whose functions are visible.
    pack: usize,
}

/// A call of a native function, compiled for Rhai when it is first reached.
pub(super) struct CallSite {
    text: Box<str>,
    snippet: OnceCell<Rc<RhaiSnippet>>,
}

impl CallSite {
    pub fn of(text: String) -> CallSite {
        CallSite {
            text: text.into(),
            snippet: OnceCell::new(),
        }
    }
}

impl Scripts {
    fn code(&self, cx: &Cx, hook: HookId) -> StepResult<(&CompiledScript, &HookDef)> {
        match self.codes.get(hook.ix()) {
            Some(Some(code)) => Ok((code, &self.content.hooks[hook.ix()])),
            _ => Err(cx.fault("this script has a syntax error and cannot run: see `kaer check`")),
        }
    }

    fn run_plain(&self, cx: &mut Cx, plain: &Plain, def: &HookDef) -> StepResult<Val> {
        let mut evaluation = Evaluation::of(self, usize::from(def.script.by));
        let result = host::lend(cx, || evaluation.run(plain));
        cx.work += evaluation.work;
        outcome(cx, def.role, result)
    }

    /// Evaluates a snippet with Rhai. Its arguments are `a0`, `a1` and so on. The snippet may
    /// change the first one; the others are consumed.
    pub(super) fn eval_snippet(
        &self,
        text: &str,
        values: &mut [Dynamic],
        pack: usize,
    ) -> HostResult<Dynamic> {
        let mut asides = self.snippets.borrow_mut();
        if !asides[pack].contains_key(text) {
            asides[pack].insert(text.into(), self.prepare(text, values.len())?);
        }
        let aside = asides[pack][text].clone();
        drop(asides);
        self.run_snippet(&aside, values, pack)
    }

    /// Calls a native function with Rhai.
    pub(super) fn call_native(
        &self,
        site: &CallSite,
        values: &mut [Dynamic],
    ) -> HostResult<Dynamic> {
        let aside = match site.snippet.get() {
            Some(aside) => aside,
            None => {
                let aside = self.prepare(&site.text, values.len())?;
                site.snippet.get_or_init(|| aside)
            }
        };
        self.run_snippet(aside, values, 0)
    }

    fn prepare(&self, text: &str, values: usize) -> HostResult<Rc<RhaiSnippet>> {
        let mut scope = Scope::new();
        for name in &ARGUMENTS[..values] {
            scope.push_dynamic(*name, Dynamic::UNIT);
        }
        let ast = self
            .engine
            .compile_with_scope(&scope, text)
            .map_err(Box::<rhai::EvalAltResult>::from)?;
        Ok(Rc::new(RhaiSnippet {
            ast,
            caches: RefCell::default(),
        }))
    }

    fn run_snippet(
        &self,
        aside: &RhaiSnippet,
        values: &mut [Dynamic],
        pack: usize,
    ) -> HostResult<Dynamic> {
        let mut kit = self.kit(pack);
        for (name, value) in ARGUMENTS.iter().zip(values.iter_mut()) {
            kit.scope.push_dynamic(*name, std::mem::take(value));
        }
        let before = host::work();
        kit.global.num_operations = before;
        kit.global.level = 0;
        let result = evaluate_with(
            &self.engine,
            &mut kit,
            &aside.caches,
            aside.ast.statements(),
        );
        host::spend(kit.global.num_operations.saturating_sub(before));
        if let (Some(first), Some(value)) = (values.first_mut(), kit.scope.get_mut(ARGUMENTS[0])) {
            *first = std::mem::take(value);
        }
        kit.scope.clear();
        self.pool.borrow_mut().push(kit);
        result
    }

    fn kit(&self, pack: usize) -> EvalBuffers {
        let kit = self.pool.borrow_mut().pop();
        let mut kit = kit.unwrap_or_else(|| EvalBuffers {
            global: self.engine.new_global_runtime_state(),
            scope: Scope::new(),
            pack: usize::MAX,
        });
        if kit.pack != pack {
            kit.global.lib.clone_from(&self.visible_modules[pack]);
            kit.pack = pack;
        }
        kit
    }
}

impl HookRunner for Rc<Scripts> {
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Val> {
        (**self).run(cx, hook)
    }
}

impl HookRunner for Scripts {
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Val> {
        let (code, def) = self.code(cx, hook)?;
        match self.plain(code, def, hook) {
            Some(plain) => self.run_plain(cx, plain, def),
            None => {
                self.mark_run(code.spots.get().map_or(&[], Vec::as_slice));
                self.interpret(cx, code, def, hook)
            }
        }
    }
}

/// Runs every script with Rhai, to test that our own interpreter gives the same results.
pub struct ScriptRunner(pub Rc<Scripts>);

impl HookRunner for ScriptRunner {
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Val> {
        let (code, def) = self.0.code(cx, hook)?;
        self.0.interpret(cx, code, def, hook)
    }
}

impl Scripts {
    fn interpret(
        &self,
        cx: &mut Cx,
        code: &CompiledScript,
        def: &HookDef,
        hook: HookId,
    ) -> StepResult<Val> {
        let caches = &self.caches[hook.ix()];
        let mut kit = self.kit(usize::from(def.script.by));
        fill_scope(cx, &mut kit.scope, code.names);
        let in_sight = kit.global.lib.len();
        if code.ast.has_functions() {
            kit.global.lib.push(code.ast.shared_lib().clone());
        }
        let before = cx.work;
        kit.global.num_operations = before;
        kit.global.level = 0;
        let result = host::lend(cx, || {
            evaluate_with(&self.engine, &mut kit, caches, code.ast.statements())
        });
        cx.work += kit.global.num_operations.saturating_sub(before);
        kit.scope.clear();
        kit.global.lib.truncate(in_sight);
        self.pool.borrow_mut().push(kit);
        outcome(cx, def.role, result)
    }
}

/// Converts the result of an evaluation. The value of a hook or an answer is ignored.
fn outcome(cx: &Cx, role: HookRole, result: HostResult<Dynamic>) -> StepResult<Val> {
    match result {
        Ok(_)
            if matches!(
                role,
                HookRole::On(_) | HookRole::Offer(_) | HookRole::Answer(_)
            ) =>
        {
            Ok(Val::Unit)
        }
        Ok(value) => Ok(to_val(&value)),
        Err(error) => ended(cx, *error),
    }
}

/// Converts an evaluation that ended early: it returned, was stopped by the game, or failed.
fn ended(cx: &Cx, error: rhai::EvalAltResult) -> StepResult<Val> {
    match error {
        rhai::EvalAltResult::Return(value, _) => Ok(to_val(&value)),
        error => match (host::stopped(), is_terminated(&error)) {
            (Some(stop @ (Stop::Suspend | Stop::Over)), _) => Err(stop),
            (Some(Stop::Fault(mut fault)), _) => {
                if fault.at.is_none() && fault.run == cx.calls.last().map_or(0, |call| call.run) {
                    fault.at = super::fault::place(&error);
                }
                Err(Stop::Fault(fault))
            }
            (None, true) => Ok(Val::Unit),
            (None, false) => Err(run_fault(cx, &error)),
        },
    }
}

fn is_terminated(error: &rhai::EvalAltResult) -> bool {
    match error {
        rhai::EvalAltResult::ErrorTerminated(..) => true,
        rhai::EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => is_terminated(inner),
        _ => false,
    }
}

fn evaluate_with(
    engine: &Engine,
    kit: &mut EvalBuffers,
    caches: &RefCell<rhai::Caches>,
    script: &[rhai::Stmt],
) -> HostResult<Dynamic> {
    match caches.try_borrow_mut() {
        Ok(mut caches) => evaluate(engine, kit, &mut caches, script),
        // The script runs recursively, for another piece, so its cache is in use.
        Err(_) => evaluate(engine, kit, &mut rhai::Caches::new(), script),
    }
}

#[allow(
    deprecated,
    reason = "the one call that keeps run-time state and caches; the version of rhai is pinned"
)]
fn evaluate(
    engine: &Engine,
    kit: &mut EvalBuffers,
    caches: &mut rhai::Caches,
    statements: &[rhai::Stmt],
) -> HostResult<Dynamic> {
    engine.eval_statements_raw(&mut kit.global, caches, &mut kit.scope, statements)
}

fn fill_scope(cx: &Cx, scope: &mut Scope<'static>, names: HookNames) {
    let Some(call) = cx.calls.last() else { return };
    for name in names.iter() {
        scope.push_dynamic(name.text(), named(cx, call, name));
    }
}

/// The value of a hook variable.
pub(super) fn named(cx: &Cx, call: &HookCall, name: HookName) -> Dynamic {
    let thing = |entity: Option<Entity>| {
        entity.map_or(Dynamic::UNIT, |entity| Dynamic::from(EntityRef(entity)))
    };
    match name {
        HookName::It => thing(call.it.map(Entity::Piece)),
        HookName::Entry => match cx.content().hooks[call.hook.ix()].argument {
            HookArgument::Entry => from_val(&call.each),
            _ => Dynamic::from(EntryRef(call.entry)),
        },
        HookName::Owner => thing(call.owner.map(Entity::Seat)),
        HookName::Actor => thing(call.actor.map(Entity::Seat)),
        HookName::Each | HookName::Value | HookName::Typed => from_val(&call.each),
        HookName::Fighter => thing(fight::current(cx).map(|fighter| fighter.who)),
        HookName::Foe => thing(fight::foe(cx).map(|fighter| fighter.who)),
        HookName::Event => Dynamic::from(EventRef),
        HookName::Fight => Dynamic::from(FightRef),
        HookName::Combo => Dynamic::from(ComboRef),
        HookName::Packet => Dynamic::from(PacketRef),
        HookName::Table => Dynamic::from(EntityRef(Entity::Table)),
    }
}

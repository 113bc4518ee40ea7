//! Runs scripts with Rhai's own interpreter and the same primitives, to test that ours gives the
//! same results. Only the feature `reference` compiles it.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicMathPackage, BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    AST, Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, ImmutableString, Module,
    NativeCallContext, Position, RhaiFunc, Scope, Shared,
};

use super::compile::Scripts;
use super::operators::{MAX_KEYS, MAX_TEXT, MAX_WEIGHT, display, equals};
use super::primitive::SideEffects;
use super::primitives::{self, Overloads, closures, object::Named};
use super::visible::HookVariable;
use super::vm::{MAX_CALL_DEPTH, ScriptError, global_value, hook_value};
use super::{arithmetic, parser, property};
use crate::content::{HookId, HookRole};
use crate::game::context::MAX_WORK;
use crate::game::{Cx, HookRunner, StepResult, Stop};
use crate::value::Value;

thread_local! {
    static LENT: Cell<Option<Cx>> = const { Cell::new(None) };
    static STOPPED: RefCell<Option<Stop>> = const { RefCell::new(None) };
    /// The values of the hook variables of the running script.
    static VARIABLES: RefCell<Vec<(&'static str, Dynamic)>> = const { RefCell::new(Vec::new()) };
}

type RhaiResult<T> = Result<T, Box<EvalAltResult>>;

/// An engine value in a script of Rhai.
#[derive(Clone, Debug)]
struct Handle(Value);

/// Runs every script with Rhai.
pub struct RhaiRunner {
    scripts: Rc<Scripts>,
    engine: Engine,
    /// The functions of `closures.rhai`.
    closure_functions: Shared<Module>,
    /// For each pack, the functions that its scripts see; its own come last.
    visible: Vec<Vec<Shared<Module>>>,
    hooks: RefCell<HashMap<HookId, Rc<AST>>>,
}

impl RhaiRunner {
    /// A runner for the same scripts.
    #[must_use]
    pub fn new(scripts: Rc<Scripts>) -> RhaiRunner {
        let engine = engine();
        let by_pack: Vec<Vec<Shared<Module>>> = scripts
            .libraries
            .files
            .iter()
            .enumerate()
            .map(|(pack, files)| {
                let parsed = files
                    .iter()
                    .filter_map(|file| engine.compile(&file.text).ok());
                let with_source = |mut tree: AST| {
                    tree.set_source(pack.to_string());
                    tree.shared_lib().clone()
                };
                parsed.map(with_source).collect()
            })
            .collect();
        let visible = scripts.content.visible.iter().map(|visible| {
            let packs = visible.iter().rev();
            packs
                .flat_map(|pack| by_pack[usize::from(*pack)].iter().cloned())
                .collect()
        });
        let visible = visible.collect();
        RhaiRunner {
            closure_functions: closure_functions(&engine),
            scripts,
            engine,
            visible,
            hooks: RefCell::default(),
        }
    }

    fn parsed(&self, hook: HookId) -> Option<Rc<AST>> {
        let parsed = &self.scripts.compiled_hooks.get(hook.ix())?.as_ref()?.parsed;
        let mut hooks = self.hooks.borrow_mut();
        let tree = hooks
            .entry(hook)
            .or_insert_with(|| Rc::new(self.engine.compile(parsed).unwrap_or_default()));
        Some(tree.clone())
    }
}

impl HookRunner for RhaiRunner {
    #[allow(
        deprecated,
        reason = "the one call that takes run-time state; the version of rhai is pinned"
    )]
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Value> {
        let Some(tree) = self.parsed(hook) else {
            return Err(cx.fault("this script has a syntax error and cannot run: see `kaer check`"));
        };
        let def = self.scripts.content.hooks[hook.ix()].clone();
        let mut scope = Scope::new();
        let values = HookVariable::ALL.map(|name| (name.text(), to_dynamic(&hook_value(cx, name))));
        let mut global = self.engine.new_global_runtime_state();
        global.lib.push(self.closure_functions.clone());
        global
            .lib
            .extend(self.visible[usize::from(def.script.by)].iter().cloned());
        global.lib.push(tree.shared_lib().clone());
        global.num_operations = cx.work;
        let outer_variables = VARIABLES.replace(values.into_iter().collect());
        let result = with_lent_context(cx, || {
            let caches = &mut rhai::Caches::new();
            self.engine
                .eval_statements_raw(&mut global, caches, &mut scope, tree.statements())
        });
        VARIABLES.replace(outer_variables);
        cx.work = cx.work.max(global.num_operations);
        match result {
            Ok(_) | Err(_)
                if matches!(
                    def.role,
                    HookRole::On(_) | HookRole::Offer(_) | HookRole::Answer(_)
                ) && is_value(&result) =>
            {
                Ok(Value::Unit)
            }
            Ok(value) => Ok(to_value(&value)),
            Err(error) => match (*error, STOPPED.take()) {
                (EvalAltResult::Return(value, _), _) => Ok(to_value(&value)),
                (_, Some(Stop::Leave)) => Ok(Value::Unit),
                (_, Some(stop)) => Err(stop),
                (error, None) => Err(cx.fault(error.to_string())),
            },
        }
    }
}

/// Functions with a closure that Rhai has itself, and those whose closures only make labels, which
/// are not used here.
const NOT_TAKEN: &[&str] = &[
    "filter",
    "map",
    "for_each",
    "some",
    "all",
    "find",
    "find_map",
    "index_of",
    "reduce",
    "zip",
    "order",
    "order_by",
    "choose",
    "choose_some",
];

/// The prefix of the functions of `closures.rhai` in Rhai's interpreter.
const WITH_CLOSURE: &str = "with_closure_";

/// The functions of `closures.rhai`, for Rhai's interpreter. [`register_closure_functions`] makes
/// those available that Rhai does not have.
///
/// Our machine drops arguments that a closure does not take, but Rhai's `call` does not, so they
/// use [`call_closure`] instead.
fn closure_functions(engine: &Engine) -> Shared<Module> {
    let source: String = closures::SOURCE
        .split_inclusive(|c: char| c.is_whitespace() || c == '(')
        .map(|word| match word.strip_suffix(".call(") {
            Some(closure) => format!("call_closure({closure}, "),
            None => word.to_owned(),
        })
        .collect();
    let source = source.replace("\nfn ", &format!("\nfn {WITH_CLOSURE}"));
    let tree = engine.compile(source).unwrap_or_default();
    tree.shared_lib().clone()
}

/// Registers native functions, because Rhai selects them by the types of their arguments and
/// also finds them as methods.
fn register_closure_functions(engine: &mut Engine) {
    for function in closures::all() {
        if function.changes_receiver || NOT_TAKEN.contains(&&*function.name) {
            continue;
        }
        let mut types = vec![TypeId::of::<Dynamic>(); function.parameters.len()];
        if let Some(last) = types.last_mut() {
            *last = TypeId::of::<FnPtr>();
        }
        let name = format!("{WITH_CLOSURE}{}", function.name);
        engine.register_raw_fn(&function.name, &types[..], move |caller, arguments| {
            let mut values: Vec<Dynamic> = arguments.iter().map(|value| (*value).clone()).collect();
            let mut arguments: Vec<&mut Dynamic> = values.iter_mut().collect();
            caller.call_fn_raw(&name, false, false, &mut arguments)
        });
    }
    engine.register_fn("call_closure", call_closure);
    engine.register_fn(
        "call_closure",
        |caller: NativeCallContext, closure: FnPtr, value: Dynamic| {
            closure.call_raw(&caller, None, [value])
        },
    );
}

/// Calls a closure with two arguments, or only with the first if it takes one.
fn call_closure(
    caller: NativeCallContext,
    closure: FnPtr,
    first: Dynamic,
    second: Dynamic,
) -> RhaiResult<Dynamic> {
    match closure.call_raw(&caller, None, [first.clone(), second]) {
        Err(error)
            if matches!(&*error, EvalAltResult::ErrorFunctionNotFound(name, _)
                if name.starts_with(closure.fn_name())) =>
        {
            closure.call_raw(&caller, None, [first])
        }
        result => result,
    }
}

fn is_value(result: &RhaiResult<Dynamic>) -> bool {
    match result {
        Ok(_) => true,
        Err(error) => matches!(**error, EvalAltResult::Return(..)),
    }
}

/// Lends the context to the script that `run` evaluates.
fn with_lent_context<T>(cx: &mut Cx, run: impl FnOnce() -> T) -> T {
    let before = LENT.replace(Some(cx.take()));
    let result = run();
    if let Some(back) = LENT.replace(before) {
        *cx = back;
    }
    result
}

/// Like [`with`], for a primitive that a script calls: names mean what they mean in the pack of the
/// calling function, which is the source of its file.
fn with_names_of<T>(
    caller: &NativeCallContext,
    work: impl FnOnce(&mut Cx) -> Result<T, ScriptError>,
) -> RhaiResult<T> {
    let pack = caller.call_source().and_then(|source| source.parse().ok());
    with(|cx| {
        let outer = cx.script_pack;
        cx.script_pack = pack.unwrap_or(outer);
        let result = work(cx);
        cx.script_pack = outer;
        result
    })
}

/// Calls `work` with the context that was lent to the script. A script cannot catch a [`Stop`].
fn with<T>(work: impl FnOnce(&mut Cx) -> Result<T, ScriptError>) -> RhaiResult<T> {
    let Some(mut cx) = LENT.take() else {
        return Err("this function works only in a game".into());
    };
    let result = work(&mut cx);
    LENT.set(Some(cx));
    result.map_err(|error| match error {
        ScriptError::Stop(stop) => {
            STOPPED.replace(Some(stop));
            Box::new(EvalAltResult::ErrorTerminated(
                Dynamic::UNIT,
                Position::NONE,
            ))
        }
        ScriptError::Error(message) => message.into(),
        ScriptError::Thrown(value) => Box::new(EvalAltResult::ErrorRuntime(
            to_dynamic(&value),
            Position::NONE,
        )),
    })
}

/// Pads a string as Rhai does, except that Rhai never ends if the other string is empty.
fn pad(text: &mut ImmutableString, len: i64, padding: &str) -> RhaiResult<()> {
    let len = usize::try_from(len).unwrap_or(0);
    if len > MAX_TEXT {
        return Err("the string is too long".into());
    }
    let missing = len.saturating_sub(text.chars().count());
    if missing > 0 && padding.is_empty() {
        return Err("cannot pad with an empty string".into());
    }
    let more = padding.chars().cycle().take(missing);
    *text = text.chars().chain(more).collect::<String>().into();
    Ok(())
}

fn to_dynamic(value: &Value) -> Dynamic {
    match value {
        Value::Unit => Dynamic::UNIT,
        Value::Int(number) => Dynamic::from_int(*number),
        Value::Bool(yes) => Dynamic::from_bool(*yes),
        Value::Text(text) => Dynamic::from(ImmutableString::from(text.as_str())),
        Value::List(list) => Dynamic::from_array(list.iter().map(to_dynamic).collect()),
        Value::Map(map) => Dynamic::from_map(
            map.iter()
                .map(|(key, value)| (key.as_str().into(), to_dynamic(value)))
                .collect(),
        ),
        other => Dynamic::from(Handle(other.clone())),
    }
}

fn to_value(value: &Dynamic) -> Value {
    if let Ok(number) = value.as_int() {
        return Value::Int(number);
    }
    if let Ok(yes) = value.as_bool() {
        return Value::Bool(yes);
    }
    if let Ok(character) = value.as_char() {
        return Value::from_text(character.encode_utf8(&mut [0; 4]));
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Value::from_text(&text);
    }
    if let Some(list) = value.read_lock::<Array>() {
        return Value::from_list(list.iter().map(to_value).collect());
    }
    if let Some(map) = value.read_lock::<rhai::Map>() {
        let rows = map.iter();
        return Value::Map(
            rows.map(|(key, value)| (key.as_str().into(), to_value(value)))
                .collect(),
        );
    }
    value
        .read_lock::<Handle>()
        .map(|handle| handle.0.clone())
        .unwrap_or_default()
}

fn engine() -> Engine {
    let mut engine = parser::engine();
    engine.set_max_operations(MAX_WORK);
    engine.set_max_call_levels(MAX_CALL_DEPTH);
    engine.set_max_string_size(MAX_TEXT);
    engine.set_max_array_size(MAX_WEIGHT as usize);
    engine.set_max_map_size(MAX_KEYS);
    for module in [
        ArithmeticPackage::new().as_shared_module(),
        BasicMathPackage::new().as_shared_module(),
        LogicPackage::new().as_shared_module(),
        BasicIteratorPackage::new().as_shared_module(),
        BasicStringPackage::new().as_shared_module(),
        MoreStringPackage::new().as_shared_module(),
        BasicArrayPackage::new().as_shared_module(),
        BasicMapPackage::new().as_shared_module(),
        BasicFnPackage::new().as_shared_module(),
        values_module(),
    ] {
        engine.register_global_module(module);
    }
    register(&mut engine);
    engine
}

/// Makes the hook variables available. As variables of the scope they would be shared with closures
/// that mention them, and Rhai refuses `actor.place.neighbours(|road| actor.coins > road.price)`
/// because the first `actor` is still borrowed.
#[allow(
    deprecated,
    reason = "volatile, not going away; the version of rhai is pinned"
)]
fn register_hook_variables(engine: &mut Engine) {
    engine.on_var(|name, _, context| {
        if context.scope().contains(name) {
            return Ok(None);
        }
        Ok(VARIABLES.with_borrow(|variables| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| value.clone())
        }))
    });
}

/// The engine primitives. Those of the language are Rhai's own.
fn register(engine: &mut Engine) {
    for overloads in primitives::table() {
        let operator = !overloads.name.starts_with(|c: char| c.is_ascii_lowercase());
        if operator
            || overloads
                .defs
                .iter()
                .all(|def| def.does.any(SideEffects::LANGUAGE))
        {
            continue;
        }
        let types = vec![TypeId::of::<Dynamic>(); overloads.count];
        engine.register_raw_fn(overloads.name, &types[..], move |caller, arguments| {
            call(&caller, overloads, arguments)
        });
    }
    // The labels that the last argument makes are not used.
    for (name, count) in [("choose", 3), ("choose_some", 5)] {
        let Some(overloads) = primitives::overloads(name, count) else {
            continue;
        };
        let types = vec![TypeId::of::<Dynamic>(); count + 1];
        engine.register_raw_fn(name, &types[..], move |caller, arguments| {
            call(
                &caller,
                primitives::numbered(overloads),
                &mut arguments[..count],
            )
        });
    }
    let (handle, text) = (TypeId::of::<Handle>(), TypeId::of::<ImmutableString>());
    engine.register_fn("pad", pad);
    register_closure_functions(engine);
    register_hook_variables(engine);
    for types in [[handle, handle], [handle, text], [text, handle]] {
        for (name, equal) in [("==", true), ("!=", false)] {
            engine.register_raw_fn(name, types, move |caller, arguments| {
                let (one, other) = (to_value(arguments[0]), to_value(arguments[1]));
                with_names_of(&caller, |cx| Ok(equals(cx, &one, &other) == equal))
                    .map(Dynamic::from_bool)
            });
        }
    }
    for name in ["to_string", "to_debug"] {
        engine.register_raw_fn(name, [handle], |_, arguments| {
            let value = to_value(arguments[0]);
            with(|cx| Ok(display(cx, &value)?)).map(Dynamic::from)
        });
    }
    engine.register_raw_fn(
        "index$get$",
        [handle, TypeId::of::<Dynamic>()],
        |caller, arguments| {
            let (of, at) = (to_value(arguments[0]), to_value(arguments[1]));
            with_names_of(&caller, |cx| property::index(cx, &of, &at))
                .map(|value| to_dynamic(&value))
        },
    );
}

/// Sets a property. Rhai takes hook variables for constants (see [`register_hook_variables`]), and
/// only a function that is registered as pure may change the property of a constant.
fn register_set_property(module: &mut Module) {
    let set = |caller: Option<NativeCallContext>, arguments: &mut [&mut Dynamic]| {
        let caller = caller.ok_or("no caller")?;
        let (of, name) = (to_value(arguments[0]), to_value(arguments[1]));
        let value = to_value(arguments[2]);
        with_names_of(&caller, |cx| {
            let named = Named::new(cx, name.text().unwrap_or_default());
            // Rhai writes every part of a chain back: `actor.hand.len()` sets `hand`.
            match property::get(cx, &of, &named) {
                Ok(now) if now == value => Ok(()),
                _ => property::set(cx, &of, &named, &value),
            }
        })
        .map(Dynamic::from)
    };
    let types = [
        TypeId::of::<Handle>(),
        TypeId::of::<ImmutableString>(),
        TypeId::of::<Dynamic>(),
    ];
    let function = RhaiFunc::Method {
        func: Shared::new(set),
        has_context: true,
        is_pure: true,
        is_volatile: true,
    };
    FuncRegistration::new("index$set$")
        .in_global_namespace()
        .set_into_module_raw(module, types, function);
}

/// Iteration over engine values, and the variables that functions see.
fn values_module() -> Shared<Module> {
    let mut module = Module::new();
    module.set_custom_type::<Handle>("Handle");
    let handle = TypeId::of::<Handle>();
    module.set_iter(handle, |value| {
        let value = to_value(&value);
        let list = with(|cx| arithmetic::iterate(cx, &value)).unwrap_or_default();
        let items: Vec<Dynamic> = list.list().iter().map(to_dynamic).collect();
        Box::new(items.into_iter())
    });
    for name in HookVariable::GLOBAL {
        if let Some(value) = global_value(name) {
            module.set_var(name.text(), Handle(value));
        }
    }
    register_set_property(&mut module);
    module.build_index();
    module.into()
}

fn call(
    caller: &NativeCallContext,
    overloads: &'static Overloads,
    arguments: &mut [&mut Dynamic],
) -> RhaiResult<Dynamic> {
    let mut values: Vec<Value> = arguments.iter().map(|value| to_value(value)).collect();
    let Some(def) = overloads.select(&values) else {
        return Err(arithmetic::wrong_arguments(overloads.name, &values).into());
    };
    with_names_of(caller, |cx| Ok((def.run)(cx, &mut values)?)).map(|value| to_dynamic(&value))
}

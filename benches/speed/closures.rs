//! The duel's hooks as Rust functions, to measure the engine without scripts.

use kaer::content::{Content, HookId, Value};
use kaer::game::{Cx, Entity, GameOutcome, HookRunner, StepResult, agenda, combo, fight};

type Closure = fn(&mut Cx) -> StepResult<Value>;

pub struct Closures {
    hooks: Vec<Option<Closure>>,
}

impl Closures {
    /// Looks up a closure for each hook that a fight of *duel* runs.
    pub fn new(content: &Content) -> Closures {
        let hooks = (0..content.hooks.len())
            .map(|ix| closure(&content.hook_name(HookId::at(ix))))
            .collect();
        Closures { hooks }
    }
}

impl HookRunner for Closures {
    fn run(&self, cx: &mut Cx, hook: HookId) -> StepResult<Value> {
        match self.hooks[hook.ix()] {
            Some(closure) => closure(cx),
            None => panic!("no closure for {}", cx.content().hook_name(hook)),
        }
    }
}

fn closure(name: &str) -> Option<Closure> {
    match name {
        "duel:phase/blows/do" => Some(blows),
        "duel:card/hidden-blade/on.self_after_absorb" => Some(spite),
        "duel:card/measured-cut/on.self_combo_card" => Some(measured),
        "duel:rule/the-winner/on.fight_end" => Some(winner),
        _ => None,
    }
}

fn blows(cx: &mut Cx) -> StepResult<Value> {
    let content = cx.content().clone();
    if let Some(def) = cx.fight().map(|fight| fight.def) {
        combo::resolve(cx, &content.fights[def.ix()].passes)?;
        combo::finish(cx)?;
    }
    Ok(Value::Unit)
}

fn field(cx: &Cx, name: &str) -> i64 {
    let entry = cx.calls.last().map(|call| call.entry);
    entry
        .and_then(|entry| cx.content().entry(entry).field(name))
        .and_then(Value::int)
        .unwrap_or(0)
}

fn spite(cx: &mut Cx) -> StepResult<Value> {
    let event = cx.events.last().map(|event| (event.of, event.source));
    if let Some((Some(of), Some(source))) = event {
        let amount = field(cx, "spite");
        fight::damage(cx, Some(of), source, amount)?;
    }
    Ok(Value::Unit)
}

fn counter(cx: &Cx, of: Entity, name: &str) -> i64 {
    let id = cx.content().symbol(name).counter;
    id.map_or(0, |id| i64::from(cx.state.base(cx.content(), of, id)))
}

fn measured(cx: &mut Cx) -> StepResult<Value> {
    let (me, foe) = (
        fight::current(cx).map(|f| f.who),
        fight::foe(cx).map(|f| f.who),
    );
    if let (Some(me), Some(foe)) = (me, foe)
        && counter(cx, me, "guard") == counter(cx, me, "brace")
    {
        let amount = field(cx, "damage");
        fight::damage(cx, Some(me), foe, amount)?;
    }
    Ok(Value::Unit)
}

fn winner(cx: &mut Cx) -> StepResult<Value> {
    let side = cx.events.last().map_or(-1, |event| event.value);
    let winners = u8::try_from(side)
        .map(kaer::content::SeatId)
        .into_iter()
        .collect();
    agenda::end_game(
        cx,
        GameOutcome {
            winners,
            ..GameOutcome::default()
        },
    )?;
    Ok(Value::Unit)
}

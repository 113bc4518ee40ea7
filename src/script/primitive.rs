//! Primitives: the built-in script functions. Each is declared once, beside its code, by the
//! attribute `primitives`; all other code reads these declarations.

use super::lint::types::Types;
pub use crate::game::{Cx, StepResult, Stop};
pub use crate::value::{Entity, EntryId, HookId, List, Map, PhaseId, Text, Value, ZoneAt};

/// A built-in script function.
#[derive(Debug)]
pub struct PrimitiveDef {
    /// The name in scripts, or an operator.
    pub name: &'static str,
    /// The topic that lists it.
    pub topic: &'static str,
    /// The doc comment: its manual page, with an example that is a test.
    pub page: &'static str,
    /// The parameters; for a method, the first one is the receiver.
    pub parameters: &'static [Parameter],
    /// The types of its result.
    pub result: Types,
    /// What it does besides returning a value.
    pub does: SideEffects,
    /// Whether it changes the list, map or text that it is called on.
    pub changes_receiver: bool,
    /// Runs it. The arguments have the types of the parameters, and are consumed, except the first
    /// one if it is changed.
    pub run: fn(&mut Cx, &mut [Value]) -> StepResult<Value>,
}

/// A parameter of a primitive.
#[derive(Debug)]
pub struct Parameter {
    /// The name in the reference.
    pub name: &'static str,
    /// The types it accepts.
    pub types: Types,
    /// What its value stands for.
    pub role: Role,
}

/// What the value of a parameter stands for.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// A plain value.
    Plain,
    /// The name of something that packs declare.
    Name(NameKind),
    /// A word that scripts set and compare, such as a tag or a mark.
    Word,
    /// A text that players read.
    Shown,
    /// A map with keys whose values are names.
    Keys(&'static [(&'static str, NameKind)]),
}

/// What a name in a script refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A counter.
    Counter,
    /// An entry of any kind.
    Entry,
    /// An entry kind.
    Kind,
    /// An event.
    Event,
    /// A query.
    Query,
    /// A fight.
    Fight,
    /// A sequence of phases.
    Sequence,
    /// A die.
    Die,
    /// A zone.
    Zone,
    /// A chain of losses.
    Chain,
    /// A declared effect.
    Effect,
    /// What an effect modifies: a counter, a query or a declared effect.
    Modified,
    /// A table.
    Table,
    /// A statistic.
    Statistic,
    /// An option of a game.
    Option,
    /// A pack.
    Pack,
    /// An entry field.
    Field,
}

/// The set of side effects of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideEffects(u16);

impl SideEffects {
    /// No side effects.
    pub const NOTHING: SideEffects = SideEffects(0);
    /// It changes the game.
    pub const CHANGES: SideEffects = SideEffects(1);
    /// It asks a player.
    pub const ASKS: SideEffects = SideEffects(1 << 1);
    /// It answers a query, or decides about a line of a menu.
    pub const ANSWERS: SideEffects = SideEffects(1 << 2);
    /// It uses randomness.
    pub const CHANCE: SideEffects = SideEffects(1 << 3);
    /// It shows a text to players.
    pub const SHOWS: SideEffects = SideEffects(1 << 4);
    /// It runs another script.
    pub const RUNS: SideEffects = SideEffects(1 << 5);
    /// It reveals hidden information.
    pub const REVEALS: SideEffects = SideEffects(1 << 6);
    /// It reads the pieces of a zone.
    pub const READS_ZONE: SideEffects = SideEffects(1 << 7);
    /// It affects other players.
    pub const OTHERS: SideEffects = SideEffects(1 << 8);
    /// It ends or prolongs a game or a turn.
    pub const ENDS: SideEffects = SideEffects(1 << 9);
    /// It is part of the language, and works as in Rhai.
    pub const LANGUAGE: SideEffects = SideEffects(1 << 10);

    /// The union of the sets.
    #[must_use]
    pub const fn and(self, other: SideEffects) -> SideEffects {
        SideEffects(self.0 | other.0)
    }

    /// Whether the sets intersect.
    #[must_use]
    pub const fn any(self, other: SideEffects) -> bool {
        self.0 & other.0 != 0
    }
}

/// A Rust type that a parameter can have.
pub trait Argument: Sized {
    /// The types of values it accepts.
    const TYPES: Types;

    /// Takes the argument out of the value.
    fn take(value: &mut Value) -> Option<Self>;

    /// Borrows the argument mutably.
    fn borrow(_value: &mut Value) -> Option<&mut Self> {
        None
    }
}

/// A Rust type that a result can have.
pub trait IntoResult {
    /// The types of values it can be.
    const TYPES: Types;

    /// Turns the result into a value.
    ///
    /// # Errors
    /// Passes on the error of a primitive that failed.
    fn into_result(self) -> StepResult<Value>;
}

/// The current event.
#[derive(Clone, Copy, Debug)]
pub struct CurrentEvent;
/// The innermost fight.
#[derive(Clone, Copy, Debug)]
pub struct CurrentFight;
/// The combo being played.
#[derive(Clone, Copy, Debug)]
pub struct CurrentCombo;
/// The innermost loss that is being resolved.
#[derive(Clone, Copy, Debug)]
pub struct CurrentPacket;
/// A roll on the table, by number.
#[derive(Clone, Copy, Debug)]
pub struct RollNumber(pub u32);
/// An active effect, by number.
#[derive(Clone, Copy, Debug)]
pub struct EffectNumber(pub u32);
/// A list or a table in an entry.
#[derive(Clone, Debug)]
pub struct Data(pub Value);

macro_rules! arguments {
    ($($ty:ty, $types:expr, $pattern:pat => $value:expr, $back:expr;)*) => {$(
        impl Argument for $ty {
            const TYPES: Types = $types;

            fn take(value: &mut Value) -> Option<Self> {
                match value {
                    $pattern => Some($value),
                    _ => None,
                }
            }
        }

        impl IntoResult for $ty {
            const TYPES: Types = $types;

            fn into_result(self) -> StepResult<Value> {
                let back: fn($ty) -> Value = $back;
                Ok(back(self))
            }
        }
    )*};
}

arguments! {
    (), Types::NOTHING, Value::Unit => (), |()| Value::Unit;
    i64, Types::NUMBER, Value::Int(n) => *n, Value::Int;
    bool, Types::BOOL, Value::Bool(yes) => *yes, Value::Bool;
    Entity, Types::OBJECT, Value::Entity(entity) => *entity, Value::Entity;
    ZoneAt, Types::ZONE, Value::Zone(at) => *at, Value::Zone;
    EntryId, Types::ENTRY, Value::Entry(id) => *id, Value::Entry;
    PhaseId, Types::PHASE, Value::Phase(id) => *id, Value::Phase;
    HookId, Types::SCRIPT, Value::Script(hook) => *hook, Value::Script;
    RollNumber, Types::ROLL, Value::Roll(number) => RollNumber(*number), |roll| Value::Roll(roll.0);
    EffectNumber, Types::EFFECT, Value::Effect(number) => EffectNumber(*number), |effect| Value::Effect(effect.0);
    CurrentEvent, Types::EVENT, Value::Event => CurrentEvent, |_| Value::Event;
    CurrentFight, Types::FIGHT, Value::Fight => CurrentFight, |_| Value::Fight;
    CurrentCombo, Types::COMBO, Value::Combo => CurrentCombo, |_| Value::Combo;
    CurrentPacket, Types::PACKET, Value::Packet => CurrentPacket, |_| Value::Packet;
    Data, Types::DATA, value @ (Value::Rows(_) | Value::Table(_)) => Data(std::mem::take(value)), |data| data.0;
}

macro_rules! shared_arguments {
    ($($ty:ty, $types:expr, $variant:ident;)*) => {$(
        impl Argument for $ty {
            const TYPES: Types = $types;

            fn take(value: &mut Value) -> Option<Self> {
                match std::mem::take(value) {
                    Value::$variant(inner) => Some(inner),
                    _ => None,
                }
            }

            fn borrow(value: &mut Value) -> Option<&mut Self> {
                match value {
                    Value::$variant(inner) => Some(inner),
                    _ => None,
                }
            }
        }

        impl IntoResult for $ty {
            const TYPES: Types = $types;

            fn into_result(self) -> StepResult<Value> {
                Ok(Value::$variant(self))
            }
        }
    )*};
}

shared_arguments! {
    Text, Types::TEXT, Text;
    List, Types::LIST, List;
    Map, Types::MAP, Map;
}

impl Argument for Value {
    const TYPES: Types = Types::ANY;

    fn take(value: &mut Value) -> Option<Value> {
        Some(std::mem::take(value))
    }

    fn borrow(value: &mut Value) -> Option<&mut Value> {
        Some(value)
    }
}

impl IntoResult for Value {
    const TYPES: Types = Types::ANY;

    fn into_result(self) -> StepResult<Value> {
        Ok(self)
    }
}

impl<T: IntoResult> IntoResult for Option<T> {
    const TYPES: Types = T::TYPES.or(Types::NOTHING);

    fn into_result(self) -> StepResult<Value> {
        self.map_or(Ok(Value::Unit), T::into_result)
    }
}

impl IntoResult for Vec<Value> {
    const TYPES: Types = Types::LIST;

    fn into_result(self) -> StepResult<Value> {
        Ok(Value::from_list(self))
    }
}

impl IntoResult for String {
    const TYPES: Types = Types::TEXT;

    fn into_result(self) -> StepResult<Value> {
        Ok(Value::Text(self.into()))
    }
}

impl<T: IntoResult> IntoResult for Result<T, Stop> {
    const TYPES: Types = T::TYPES;

    fn into_result(self) -> StepResult<Value> {
        self.and_then(T::into_result)
    }
}

/// The fault of a primitive that got an argument of the wrong type. The types are checked before the
/// call, so no script sees it.
#[must_use]
pub fn mismatch(cx: &Cx) -> Stop {
    cx.fault("this function does not take these arguments")
}

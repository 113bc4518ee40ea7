//! The rules engine: state, primitives, events, queries, effects, the agenda, decisions, the
//! journal.
//!
//! The module is pure: no terminal, files, clocks or threads, and no script language. Hooks run
//! through the [`Runner`] trait.

mod again;
pub mod agenda;
pub(crate) mod ask;
pub(crate) mod chance;
pub mod chronicle;
pub mod combo;
pub(crate) mod cost;
pub(crate) mod counter;
pub(crate) mod cx;
pub(crate) mod dice;
pub(crate) mod effect;
pub(crate) mod event;
mod fault;
pub mod fight;
mod imagine;
pub(crate) mod initial;
pub mod journal;
pub(crate) mod keeping;
pub mod log;
pub(crate) mod lookup;
pub(crate) mod menu;
pub(crate) mod moves;
pub(crate) mod packet;
mod past;
mod play;
pub(crate) mod query;
pub mod record;
pub mod render;
mod scene;
mod setup;
pub(crate) mod state;
pub mod summary;
pub(crate) mod travel;
pub(crate) mod val;
pub mod view;
pub(crate) mod zones;

pub use ask::{Agent, Answer, AnswerForm, Picks, Question};
pub use cx::{Core, Cx, Fault, HookRunner, Rules, StepResult, Stop};
pub(crate) use cx::{FaultLocation, HookCall};
pub use event::Event;
pub use fault::describe;
pub(crate) use journal::JournalNotes;
pub use journal::{GameHeader, Journal};
pub use past::History;
pub use play::{Game, Status};
pub use render::decision::{Decision, DecisionOption};
pub use render::{decision, names};
pub(crate) use scene::{Scene, SceneOutcome};
pub use setup::{InitialState, Setup};
pub use state::{Entity, GameOutcome, State};
pub use val::Val;
pub use zones::ZoneAt;

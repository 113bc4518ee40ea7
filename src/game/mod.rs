//! The rules engine: state, primitives, events, queries, effects, the agenda, decisions, the
//! journal.
//!
//! The module is pure: no terminal, files, clocks or threads, and no script language. Hooks run
//! through the [`HookRunner`] trait.

pub mod agenda;
pub mod campaign;
pub(crate) mod chance;
pub mod chronicle;
pub mod combo;
mod combo_table;
pub(crate) mod context;
pub(crate) mod cost;
pub(crate) mod counter;
mod derived;
mod determinize;
pub(crate) mod dice;
pub(crate) mod effect;
pub(crate) mod event;
mod fault;
pub mod fight;
mod history;
mod hook_snapshot;
pub(crate) mod indistinguishable;
pub(crate) mod initial;
pub mod journal;
mod limit;
pub mod log;
pub(crate) mod lookup;
pub(crate) mod menu;
pub(crate) mod moves;
pub(crate) mod packet;
mod play;
pub(crate) mod query;
pub(crate) mod question;
pub mod record;
pub mod render;
mod replay;
mod rules;
mod setup;
pub(crate) mod state;
mod step;
pub mod summary;
pub(crate) mod travel;
pub mod view;
pub(crate) mod zones;

pub use chance::{ForcedUse, random_number};
pub use context::{
    Cx, Fault, HookRunner, OptionInputs, StepContext, StepResult, Stop, SuspendedScript,
    SuspendedStep,
};
pub(crate) use context::{FaultLocation, HookCall};
pub use event::Event;
pub use fault::describe;
pub use history::History;
pub(crate) use hook_snapshot::{HookOutcome, HookSnapshot};
pub(crate) use journal::JournalNotes;
pub use journal::{CampaignGame, GameHeader, Journal};
pub use play::{Game, Status};
pub use question::{Agent, Answer, AnswerForm, Picks, Question};
pub use render::decision::{Decision, DecisionOption};
pub use render::{decision, names};
pub use rules::Rules;
pub use setup::{InitialState, Setup};
pub use state::{DieUse, Entity, GameOutcome, State};

pub use zones::ZoneAt;

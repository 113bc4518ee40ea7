//! The game: state, primitives, events, queries, effects, the agenda, decisions, the journal.
//!
//! Nothing here knows a terminal, a file, a clock or a thread; nothing names a script language. [`Runner`] runs hooks.

mod again;
pub mod agenda;
pub mod ask;
pub mod chance;
pub mod chronicle;
pub mod combo;
pub mod cost;
pub mod counter;
pub mod cx;
pub mod decision;
pub mod dice;
pub mod effect;
pub mod event;
mod fault;
pub mod fight;
mod imagine;
pub(crate) mod initial;
pub mod journal;
pub mod keeping;
pub mod log;
pub(crate) mod lookup;
pub mod menu;
pub mod moves;
pub mod names;
pub mod packet;
mod past;
mod play;
pub mod query;
pub mod record;
mod scene;
mod setup;
pub mod state;
pub mod summary;
pub mod telling;
pub mod text;
pub mod travel;
pub mod val;
pub mod view;
pub mod zones;

pub use ask::{Agent, Answer, Ask, Form, Picks};
pub use cx::{Call, Core, Cx, Fault, FaultAt, Res, Rules, Runner, Stop};
pub use decision::{Choice, Decision};
pub use fault::describe;
pub use journal::{Header, Journal, Notes};
pub use past::Past;
pub use play::{Game, Status};
pub use scene::{Outcome, Scene};
pub use setup::{InitialState, Setup};
pub use state::{Entity, State};
pub use val::Val;

//! The setup of a game.

use serde::Serialize;

use super::chance::{Forced, ForcedUse};
use super::initial::as_map;
use super::play::Game;
use crate::content::{Content, EntryId, KindId};
use crate::diagnostic::nearest;

/// The state to change a game into after setup. Everything is named by text and resolved when the
/// game starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct InitialState {
    /// The entry the game starts at: a place, a role, or an entry whose kind has a `[[start]]`.
    /// Seat 1 goes first.
    pub start: Option<String>,
    /// Zones and the entries in them, top first: `1.hand` and `["low-sweep"]`.
    #[serde(serialize_with = "as_map")]
    pub zones: Vec<(String, Vec<String>)>,
    /// Seats, numbered from 1, and the places they are moved to.
    #[serde(serialize_with = "as_map")]
    pub places: Vec<(String, String)>,
    /// Counters and their values: `1.coins`, `table.round`, `ogre.life`.
    #[serde(serialize_with = "as_map")]
    pub counters: Vec<(String, i64)>,
    /// Flags and their values, as they are typed: `table.baron` and `spared`.
    #[serde(serialize_with = "as_map", skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<(String, String)>,
    /// A script that runs last. The caller that opens the packs compiles it into
    /// [`Content::setup_script`].
    pub script: Option<String>,
}

/// The information that a game starts from.
#[allow(
    clippy::struct_excessive_bools,
    reason = "they are independent switches"
)]
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The players' names, one for each seat.
    pub names: Vec<String>,
    /// The ids of roles chosen before the game; may be shorter than the names.
    pub roles: Vec<Option<String>>,
    /// The random seed.
    pub seed: u64,
    /// Random results that are set in advance, from the first draw on.
    pub forced: Vec<Forced>,
    /// Random results that are set in advance, from the first draw after setup on. They replace the
    /// rest of `forced`.
    pub forced_after_setup: Option<Vec<Forced>>,
    /// The state to change the game into after setup; `None` for the regular start of the mode.
    pub initial: Option<InitialState>,
    /// The campaign that the game belongs to: its script `start` runs after setup.
    pub campaign: Option<String>,
    /// Whether to record answers.
    pub journal: bool,
    /// Whether to keep the log.
    pub log: bool,
    /// Whether the labels of options are never read, as in simulations.
    pub without_labels: bool,
    /// Whether to record the entry options that are chosen; see
    /// [`super::Game::take_chosen_options`].
    pub records_options: bool,
}

impl Setup {
    /// Resolves the roles chosen before the game.
    ///
    /// # Errors
    /// Returns the reason if a role does not exist or is chosen twice.
    pub fn roles(&self, content: &Content) -> Result<Vec<Option<EntryId>>, String> {
        let mut found: Vec<Option<EntryId>> = Vec::new();
        for (ix, wanted) in self.roles.iter().enumerate() {
            let Some(wanted) = wanted else {
                found.push(None);
                continue;
            };
            let mode = content.mode.as_ref().ok_or("no mode is selected")?;
            let Some(kind) = mode.roles else {
                return Err(format!(
                    "{} has no roles: leave out `:{wanted}`",
                    content.entry(mode.entry).title
                ));
            };
            let all: Vec<EntryId> = content.of_kind(kind).collect();
            let role = &role_named(content, kind, &all, wanted)?;
            if let Some(other) = found.iter().position(|other| *other == Some(*role)) {
                let (one, other) = (&self.names[ix], &self.names[other]);
                return Err(format!(
                    "{one} and {other} cannot both be {wanted}: choose another role for one of them"
                ));
            }
            found.push(Some(*role));
        }
        Ok(found)
    }
}

/// The random results that are forced during and after setup.
impl Game {
    /// How each forced random result was used.
    #[must_use]
    pub fn forced_uses(&self) -> &[ForcedUse] {
        &self.cx.forced_uses
    }

    /// Whether setup is over, so that `forced_after_setup` applies.
    #[must_use]
    pub const fn is_set_up(&self) -> bool {
        self.is_set_up
    }

    /// The number of forced results that nothing has used: in the setup, and after it.
    #[must_use]
    pub fn unused_forced(&self) -> (usize, usize) {
        let left = self.cx.state.forced.len();
        if self.is_set_up {
            (self.unused_in_setup, left)
        } else {
            (left, 0)
        }
    }

    /// Whether setup is over, but `forced_after_setup` does not apply yet.
    pub(super) fn has_just_set_up(&self) -> bool {
        !self.is_set_up && (self.initial_done || self.is_at_start() && !self.needs_initial_state())
    }

    /// Whether the initial state was never applied, because the setup of the mode waits for an answer.
    #[must_use]
    pub fn lacks_initial_state(&self) -> bool {
        let is_wanted = self.setup.initial.is_some() || self.content().setup_script.is_some();
        let is_missing = !self.initial_begun && !self.initial_done;
        is_wanted && is_missing && self.cx.state.outcome.is_none()
    }

    pub(super) fn end_setup(&mut self) {
        self.is_set_up = true;
        let uses = self.cx.forced_uses.iter_mut();
        uses.for_each(|used| used.in_setup = true);
        if let Some(forced) = &self.setup.forced_after_setup {
            self.unused_in_setup = self.cx.state.forced.len();
            self.cx.state.forced.clone_from(forced);
        }
        // The setup does not run again.
        self.batched = None;
    }
}

/// The role with an id or a full name.
fn role_named(
    content: &Content,
    kind: KindId,
    all: &[EntryId],
    wanted: &str,
) -> Result<EntryId, String> {
    let full = |id: &EntryId| {
        let entry = content.entry(*id);
        format!("{}:{}", content.packs[usize::from(entry.pack)].id, entry.id)
    };
    let is_wanted =
        |id: &&EntryId| *content.entry(**id).id == *wanted || *content.entry(**id).name == *wanted;
    let is_full = |id: &&EntryId| full(id) == wanted || is_wanted(id);
    let fitting: Vec<&EntryId> = all.iter().filter(is_full).collect();
    let kind = &content.kinds[kind.ix()].id;
    match fitting[..] {
        [role] => Ok(*role),
        [] => {
            let is_shared = |id: &EntryId| {
                let own = &content.entry(*id).id;
                let same = all.iter().filter(|other| content.entry(**other).id == *own);
                same.count() > 1
            };
            let names = all.iter().map(|id| {
                if is_shared(id) {
                    full(id)
                } else {
                    content.entry(*id).id.to_string()
                }
            });
            let names: Vec<String> = names.collect();
            let hint = nearest(wanted, names.iter().map(String::as_str));
            let hint = hint
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            Err(format!(
                "there is no {kind} `{wanted}`{hint} (available: {})",
                names.join(", ")
            ))
        }
        _ => {
            let names: Vec<String> = fitting.into_iter().map(full).collect();
            Err(format!(
                "several packs have a {kind} `{wanted}`: write `{}`",
                names.join("` or `")
            ))
        }
    }
}

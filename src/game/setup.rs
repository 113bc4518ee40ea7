//! The setup of a game.

use serde::Serialize;

use super::chance::Forced;
use super::initial::as_map;
use crate::content::{Content, EntryId};
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
    /// Random results that are set in advance.
    pub forced: Vec<Forced>,
    /// The state to change the game into after setup; `None` for the regular start of the mode.
    pub initial: Option<InitialState>,
    /// Whether to record answers.
    pub journal: bool,
    /// Whether to keep the log.
    pub log: bool,
    /// Whether nobody reads the labels of options, as in simulations.
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
            let role = all
                .iter()
                .find(|entry| *content.entry(**entry).id == **wanted)
                .ok_or_else(|| {
                    let ids: Vec<&str> =
                        all.iter().map(|entry| &*content.entry(*entry).id).collect();
                    let hint = nearest(wanted, ids.iter().copied());
                    let hint = hint
                        .map(|near| format!("; did you mean `{near}`?"))
                        .unwrap_or_default();
                    let kind = &content.kinds[kind.ix()].id;
                    format!(
                        "there is no {kind} `{wanted}`{hint} (available: {})",
                        ids.join(", ")
                    )
                })?;
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

//! Players: a name, who decides, and optionally a role.

use super::PlayerKind;
use crate::game::Setup;

/// A player at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// The name shown to other players.
    pub name: String,
    /// Who decides for the player.
    pub kind: PlayerKind,
    /// The id of the role, if it was chosen before the game.
    pub role: Option<String>,
}

impl Player {
    /// A player without a chosen role.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: PlayerKind) -> Player {
        Player {
            name: name.into(),
            kind,
            role: None,
        }
    }

    /// Parses a player as written in flags and journals: `human`, `greedy:bear`.
    ///
    /// # Errors
    /// Returns the reason and the accepted values.
    pub fn parse(name: &str, who: &str) -> Result<Player, String> {
        let (agent, role) = who
            .split_once(':')
            .map_or((who, None), |(agent, role)| (agent, Some(role.to_owned())));
        let Some(kind) = PlayerKind::parse(agent) else {
            let all: Vec<&str> = PlayerKind::ALL.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "unknown player type `{agent}`: write `{name}=` followed by one of {}",
                all.join(", ")
            ));
        };
        if name.is_empty() || name.chars().count() > 40 {
            return Err("a player name must have 1 to 40 characters".to_owned());
        }
        Ok(Player {
            name: name.to_owned(),
            kind,
            role,
        })
    }

    /// The player type and role, as written in flags and journals.
    #[must_use]
    pub fn spec(&self) -> String {
        let role = self
            .role
            .as_ref()
            .map(|role| format!(":{role}"))
            .unwrap_or_default();
        format!("{}{role}", self.kind.name())
    }
}

/// The setup of a game with these players.
#[must_use]
pub fn setup_for(players: &[Player], seed: u64) -> Setup {
    let names = players.iter().map(|player| player.name.clone()).collect();
    let roles = players.iter().map(|player| player.role.clone()).collect();
    Setup {
        names,
        roles,
        seed,
        ..Setup::default()
    }
}

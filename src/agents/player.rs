//! A player: a name, who decides, and perhaps what the player is in the game.

use super::Kind;
use crate::game::Setup;

/// Someone at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// What the player is called.
    pub name: String,
    /// Who decides.
    pub kind: Kind,
    /// The id of what the player is, if that is not left to the game.
    pub role: Option<String>,
}

impl Player {
    /// A player whose role is left to the game.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: Kind) -> Player {
        Player {
            name: name.into(),
            kind,
            role: None,
        }
    }

    /// A player by what stands in a flag or a journal: `human`, `greedy:bear`.
    ///
    /// # Errors
    /// What may be written instead.
    pub fn parse(name: &str, who: &str) -> Result<Player, String> {
        let (agent, role) = who
            .split_once(':')
            .map_or((who, None), |(agent, role)| (agent, Some(role.to_owned())));
        let Some(kind) = Kind::parse(agent) else {
            let all: Vec<&str> = Kind::ALL.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "`{agent}` is nobody who plays: write `{name}=` and one of {}",
                all.join(", ")
            ));
        };
        if name.is_empty() || name.chars().count() > 40 {
            return Err("a player's name has 1 to 40 letters".to_owned());
        }
        Ok(Player {
            name: name.to_owned(),
            kind,
            role,
        })
    }

    /// Who decides and what the player is, as it stands in a flag or a journal.
    #[must_use]
    pub fn who(&self) -> String {
        let role = self
            .role
            .as_ref()
            .map(|role| format!(":{role}"))
            .unwrap_or_default();
        format!("{}{role}", self.kind.name())
    }
}

/// A game's start with these players.
#[must_use]
pub fn seated(players: &[Player], seed: u64) -> Setup {
    let names = players.iter().map(|player| player.name.clone()).collect();
    let roles = players.iter().map(|player| player.role.clone()).collect();
    Setup {
        names,
        roles,
        seed,
        ..Setup::default()
    }
}

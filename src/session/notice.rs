//! Problems that do not stop a game.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A problem that does not stop the game. The text says what happened and what follows from it.
#[derive(Debug)]
pub enum Notice {
    /// An evaluation script failed, so the bot answered at random.
    BotFault(String),
    /// A journal could not be written. The next answer tries again.
    WriteFailed(PathBuf, io::Error),
    /// A journal is complete again after [`Notice::WriteFailed`].
    WriteRecovered(PathBuf),
    /// The game is not saved.
    NotSaved(io::Error),
    /// The packs of this game could not be stored with the save.
    PacksNotStored(io::Error),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::BotFault(reason) => {
                write!(
                    f,
                    "A bot cannot evaluate the position and plays at random: {reason}."
                )
            }
            Notice::WriteFailed(path, error) => {
                write!(
                    f,
                    "{}: {error}; the game continues, and the next answer tries again",
                    path.display()
                )
            }
            Notice::WriteRecovered(path) => write!(f, "{} is complete again", path.display()),
            Notice::NotSaved(error) => write!(f, "this game is not saved: {error}"),
            Notice::PacksNotStored(error) => write!(
                f,
                "the packs are not stored with the save: {error}; if they change, it may not resume"
            ),
        }
    }
}

//! Reuse of the previous result of a loading stage.

use super::reload::ReloadKind;

/// The previous result of a stage, and how its input differed from the current input: the files,
/// and the [`GameChoice`](super::GameChoice) of mode, expansions and options.
///
/// Reuse only makes a stage faster: the result is the same as with [`Reuse::Nothing`]. Each stage
/// decides what it can share, and starts over where it cannot.
#[derive(Debug)]
pub enum Reuse<'a, T> {
    /// There is no previous result.
    Nothing,
    /// Any file may have changed.
    OlderFiles(&'a T),
    /// The files are the same, but the mode, the expansions or the options differ. Diagnostics of
    /// scripts that mean the same in both are not repeated.
    OtherChoice(&'a T),
    /// The mode, the expansions and the options are the same, and one file has changed.
    AllButOneFile(&'a T, &'a ReloadKind),
}

impl<T> Clone for Reuse<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Reuse<'_, T> {}

impl<'a, T> Reuse<'a, T> {
    /// [`Reuse::OlderFiles`], or nothing.
    #[must_use]
    pub fn older(previous: Option<&'a T>) -> Self {
        previous.map_or(Self::Nothing, Self::OlderFiles)
    }

    /// [`Reuse::OtherChoice`], or nothing.
    #[must_use]
    pub fn other_choice(previous: Option<&'a T>) -> Self {
        previous.map_or(Self::Nothing, Self::OtherChoice)
    }

    pub(crate) fn previous(self) -> Option<&'a T> {
        match self {
            Self::Nothing => None,
            Self::OlderFiles(previous)
            | Self::OtherChoice(previous)
            | Self::AllButOneFile(previous, _) => Some(previous),
        }
    }

    /// Selects the part of the previous result that belongs to one stage.
    pub(crate) fn map<U>(self, part: impl FnOnce(&'a T) -> &'a U) -> Reuse<'a, U> {
        match self {
            Self::Nothing => Reuse::Nothing,
            Self::OlderFiles(previous) => Reuse::OlderFiles(part(previous)),
            Self::OtherChoice(previous) => Reuse::OtherChoice(part(previous)),
            Self::AllButOneFile(previous, changed) => Reuse::AllButOneFile(part(previous), changed),
        }
    }
}

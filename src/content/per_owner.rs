//! A value for each kind of owner.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use super::Owner;

/// A value for each kind of owner: the table, seats, places and pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PerOwner<T>([T; 4]);

impl<T> PerOwner<T> {
    /// Creates a value for each kind of owner with a function.
    #[must_use]
    pub fn new(make: impl FnMut(Owner) -> T) -> PerOwner<T> {
        PerOwner(Owner::ALL.map(make))
    }

    /// The values with their owners, in the order of [`Owner::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Owner, &T)> {
        Owner::ALL.into_iter().zip(&self.0)
    }
}

impl<T: Copy> Copy for PerOwner<T> {}

impl<T: Clone> PerOwner<T> {
    /// Copies the values in place, which reuses their buffers.
    pub fn clone_values_from(&mut self, from: &PerOwner<T>) {
        for (own, other) in self.0.iter_mut().zip(&from.0) {
            own.clone_from(other);
        }
    }
}

impl<T> Index<Owner> for PerOwner<T> {
    type Output = T;

    fn index(&self, owner: Owner) -> &T {
        &self.0[owner as usize]
    }
}

impl<T> IndexMut<Owner> for PerOwner<T> {
    fn index_mut(&mut self, owner: Owner) -> &mut T {
        &mut self.0[owner as usize]
    }
}

//! Conversions between number types that cannot fail, because the engine limits all counts.

/// Converts a number that is known to fit: a length, an index, a number of seats. If it does not
/// fit, a debug build panics and a release build returns 0.
#[must_use]
#[track_caller]
pub fn cast<T, U: TryFrom<T> + Default>(number: T) -> U {
    U::try_from(number).unwrap_or_else(|_| {
        debug_assert!(false, "a number is out of the range of its type");
        U::default()
    })
}

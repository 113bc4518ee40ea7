//! Conversions between number types.

use std::panic;

use kaer::number::cast;
use libtest_mimic::Trial;

use crate::support::{panic_message, trials};

pub fn trials() -> Vec<Trial> {
    trials![
        a_number_that_fits_is_the_same,
        a_number_that_does_not_fit_is_found_in_debug_builds,
    ]
}

fn a_number_that_fits_is_the_same() {
    assert_eq!(cast::<usize, i64>(7), 7);
    assert_eq!(cast::<usize, u8>(255), 255);
}

/// A release build returns 0 instead.
fn a_number_that_does_not_fit_is_found_in_debug_builds() {
    match panic::catch_unwind(|| cast::<usize, u8>(256)) {
        Ok(number) => assert!(!cfg!(debug_assertions) && number == 0),
        Err(payload) => assert!(panic_message(&*payload).contains("out of the range")),
    }
}

//! Treats arbitrary bytes as the files of a pack: loads, opens, checks and fixes it,
//! and renders the diagnostics.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/suite/fuzz/pack_bytes.rs"]
mod pack_bytes;

fuzz_target!(|bytes: &[u8]| {
    let _ = pack_bytes::survive(bytes);
});

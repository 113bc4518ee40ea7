//! Any bytes as the files of a pack: they are loaded, opened, checked, rendered and mended.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/suite/fuzz/pack_bytes.rs"]
mod pack_bytes;

fuzz_target!(|bytes: &[u8]| {
    let _ = pack_bytes::survive(bytes);
});

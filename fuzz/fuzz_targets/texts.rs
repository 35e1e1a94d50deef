//! See `ssaphire_tests::fuzzing::texts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::texts::check(bytes));

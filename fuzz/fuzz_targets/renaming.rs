//! See `ssaphire_tests::fuzzing::renaming`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::renaming::check(bytes));

//! See `ssaphire_tests::fuzzing::rows`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::rows::check(bytes));

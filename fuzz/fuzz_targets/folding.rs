//! See `ssaphire_tests::fuzzing::folding`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::folding::check(bytes));

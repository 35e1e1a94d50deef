//! See `ssaphire_tests::fuzzing::congruence`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::congruence::check(bytes));

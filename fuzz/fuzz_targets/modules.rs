//! See `ssaphire_tests::fuzzing::modules`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::modules::check(bytes));

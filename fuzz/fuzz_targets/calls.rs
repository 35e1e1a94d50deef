//! See `ssaphire_tests::fuzzing::calls`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::calls::check(bytes));

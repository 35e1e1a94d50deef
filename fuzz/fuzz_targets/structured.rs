//! See `ssaphire_tests::fuzzing::structured`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::structured::check(bytes));

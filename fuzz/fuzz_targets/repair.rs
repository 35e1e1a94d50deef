//! See `ssaphire_tests::fuzzing::repair`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::repair::check(bytes));

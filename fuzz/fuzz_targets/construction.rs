//! See `ssaphire_tests::fuzzing::construction`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::construction::check(bytes));

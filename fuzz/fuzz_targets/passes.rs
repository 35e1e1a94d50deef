//! See `ssaphire_tests::fuzzing::passes`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::passes::check(bytes));

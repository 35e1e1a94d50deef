//! See `ssaphire_tests::fuzzing::whole`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::whole::check(bytes));

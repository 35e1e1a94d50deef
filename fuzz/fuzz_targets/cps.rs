//! See `ssaphire_tests::fuzzing::cps`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::cps::check(bytes));

//! See `ssaphire_tests::fuzzing::minimizer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::minimizer::check(bytes));

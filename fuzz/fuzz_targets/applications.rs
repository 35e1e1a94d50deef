//! See `ssaphire_tests::fuzzing::applications`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::applications::check(bytes));

//! See `ssaphire_tests::fuzzing::leaving`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::leaving::check(bytes));

//! See `ssaphire_tests::fuzzing::memory`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::memory::check(bytes));

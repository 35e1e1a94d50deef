//! See `ssaphire_tests::fuzzing::judged`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_tests::fuzzing::judged::check(bytes));

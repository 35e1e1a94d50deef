//! See `ssaphire_system_tests::texts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_system_tests::texts::check(bytes));

//! See `ssaphire_js_tests::fuzzing`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_js_tests::fuzzing::check_tree(bytes));

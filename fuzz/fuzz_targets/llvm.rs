//! See `ssaphire_system_tests::llvm`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ssaphire_system_tests::llvm::check(bytes));

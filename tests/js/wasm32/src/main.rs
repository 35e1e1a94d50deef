//! What the JavaScript front end does on `wasm32-unknown-unknown`, where there are no threads and the stack is small.
//!
//! Nothing can be printed there: the exit code is the number of the first check that fails, and 0 if none does.
//! `cargo run --package ssaphire-js-wasm32` says the same with words.

mod hir;
mod programs;
mod shapes;

use std::process::ExitCode;

/// A check, by name.
type Check = (&'static str, fn() -> Result<(), String>);

const CHECKS: &[Check] = &[
    ("programs are judged and written back", programs::check),
    ("a syntax error has its place", programs::check_error),
    ("the HIR of React Compiler is built, through all stages", hir::check),
    ("flat sources are read, however long", shapes::check_flat),
    ("nested sources are read or refused", shapes::check_nested),
    ("sources of two that nest by turns, too", shapes::check_mixed),
    ("a large number of a variable makes no table that memory cannot hold", shapes::check_large_number),
];

fn main() -> ExitCode {
    for (number, (name, check)) in CHECKS.iter().enumerate() {
        if let Err(error) = check() {
            println!("{name}: {error}");
            return ExitCode::from(number as u8 + 1);
        }
    }
    ExitCode::SUCCESS
}

//! The front end beside wasmtime: the same modules, the same calls, the same answers.
//!
//! A package of its own, because compiling wasmtime takes minutes:
//! `cargo test --package ssaphire-wasmtime-tests`.

mod outcome;
mod pair;
mod wasmtime_side;

mod built;
mod runs;
mod smith;
mod suite;

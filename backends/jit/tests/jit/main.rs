//! Machine code does what the interpreters do.

mod basic;
mod compared;
mod wasm;

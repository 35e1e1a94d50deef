//! What spans front ends, hosts and machine code.

mod corpus;
mod detour;
mod fuzzing;
mod hosts;
mod wasm_spec;

//! What spans front ends, hosts and machine code.

#[path = "../../../../backends/jit/tests/jit/compared.rs"]
mod compared;
mod corpus;
mod detour;
mod fuzzing;
mod hosts;
mod machine_code;
mod wasm_spec;

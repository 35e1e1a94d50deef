//! Programs of the dialect [`Basic`](ssaphire_ir::Basic), which the While language is translated to.
//!
//! | step | file |
//! |---|---|
//! | what the code of a program needs, and a run of it | `program` |
//! | which programs can be compiled | `check` |
//! | a function: blocks, phis as block parameters, values | `function` |
//! | an operation, its operands known or undefined | `operation` |
//! | what code and machine pass to each other: numbers, arrays | `held` |
//! | calls, and what is left to the machine | `call` |
//! | where a run can end early, and why | `site` |
//!
//! A run does what the interpreter does, to the last step and to the place of
//! a trap. Steps are counted before a stretch of operations of which only the
//! last can be seen from outside. If one program has an undefined value or an
//! array anywhere, every value that may be one has a companion that says so;
//! otherwise there are none. Arrays are the machine's: code passes their numbers.

mod call;
mod check;
mod function;
mod held;
mod operation;
mod program;
mod site;

pub use program::Program;

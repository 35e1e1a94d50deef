//! Programs of the dialect [`Basic`](ssaphire_ir::Basic), which the While language is translated to.
//!
//! | step | file |
//! |---|---|
//! | the code of a program, and its runs | `program` |
//! | which programs can be compiled | `check` |
//! | a function: blocks, phis as block parameters, values | `function` |
//! | an operation, its operands known or undefined | `operation` |
//! | the representation of values between code and machine: numbers, arrays | `held` |
//! | calls, and operations left to the machine | `call` |
//! | the sites where a run can end early, and the reasons | `site` |
//!
//! A run does what the interpreter does, to the last step and to the place of a
//! trap. Code counts steps once per stretch of operations of which only the
//! last is observable from outside. If a program has an undefined value or an
//! array anywhere, every value that may be one has a companion that says so;
//! otherwise no value has one. Arrays are owned by the machine: code passes
//! their numbers.

mod call;
mod check;
mod function;
mod held;
mod operation;
mod program;
mod site;

pub use program::Program;

//! Random programs: what they log is the same before and after the round trip.
//!
//! [`generate`] makes a program from a seed. It logs what it observes, in an order that tells evaluation orders apart, and
//! always ends: each function and each loop asks `tick()` whether it has run for long enough.
//! [`compare`](crate::compare::compare) runs a program before and after a transformation, and [`shrink()`] looks for a smaller one with the same fate.

mod class;
mod context;
mod explained;
mod expression;
mod function;
mod generator;
mod loops;
mod object;
mod operand;
mod pattern;
mod search;
mod shrink;
mod statement;

pub use explained::explanation;
pub use generator::{generate, generate_from, program_of};
pub use search::{Findings, search, smallest};
pub use shrink::shrink;

//! Mutation testing with mutants of our choice: mistakes that are easily made, each of which the tests must find.
//!
//! The files `*.toml` of this package list them. The build script writes a copy of the packages that the tests
//! need, in which each mutant has a switch; it fails, with names, if mutants no longer fit the sources.
//! The copy is compiled once. The test of its package `found` switches one mutant on after the other, and fails if
//! one survives all properties. Mutants of front ends, of hosts and of the text form are for the tests of these packages
//! ([`tester_of`]): each test that reaches a mutant runs in a process of its own, in which that mutant is on.
//! `cargo test --package ssaphire-mutants` does all that.
//!
//! ```toml
//! [[mutant]]
//! name = "JoinsForgetTheirValues"
//! about = "What was found for a join is not stored."
//! file = "core/construct/src/braun/lookup.rs"
//! old = 'self.define(frame.block, variable, value);'
//! new = ''
//! ```
//!
//! The old text occurs in the file exactly once; whitespace is ignored, so formatting the sources changes nothing.
//! A text that occurs more often takes `within`, a longer text around it that occurs once. A mutant of several places
//! has a table `[[mutant.edit]]` for each, with `file`, `within`, `old` and `new`.
//!
//! An old text that ends in `;` or `}` is a statement or a block, and any other is an expression: the switch is an `if`
//! around it. So a `let` cannot be an old text, as its name would be gone behind the `if`; the expression in it can.

mod copy;
mod list;
mod packages;
mod problem;
mod switches;
mod text;

pub use copy::{read_lists, write_copy};
pub use list::Mutant;
pub use packages::tester_of;
pub use problem::{Misfit, Problem};

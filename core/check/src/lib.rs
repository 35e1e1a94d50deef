//! The judge of SSA form. It shares no code with the builders whose results it judges.
//!
//! The judge accepts a result because its certificate is correct, whatever builder made it:
//! * [`Journal`] records the public calls that a host makes to a builder, and [`Claim`] shows the result; both make a
//!   [`Program`];
//! * [`validate()`] decides whether every read gets the right value on every path;
//! * [`rules()`] checks the structure of any function in SSA form;
//! * [`Written`] compares the result with the host's code;
//! * [`judge()`] reports everything that a program establishes, in one [`Verdict`];
//! * [`certificate`] is a program as text, which any compiler can write.
//!
//! Besides the certificates:
//! * [`quality()`] lists phis that could be removed: trivial, redundant and dead ones;
//! * [`locations`] decides whether a function that has left SSA form is equivalent to the SSA form;
//! * [`isomorphic()`] decides whether two results differ only in names.
//!
//! The checks return all errors, as a sorted list of [`Violation`]s.
//!
//! Invariant: this crate never imports a construction or a destruction.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod certificate;
mod definitions;
mod folds;
mod frame;
pub mod isomorphic;
mod journal;
mod located;
mod program;
pub mod quality;
mod ranks;
mod reach;
mod rules;
mod thresholds;
mod validate;
mod verdict;
mod violation;
mod written;

pub use isomorphic::{Difference, isomorphic, isomorphic_by};
pub use journal::{Claim, Journal, Rewriting};
pub use located::{Located, LocationViolation, Moved, Overwriting, locations};
pub use program::{
    Application, Applied, Equation, EquationId, Grounds, Program, ProgramError, ProgramEvent, ProgramPhi,
    ProgramWriter, Rank, Replacement, Symbol, Term,
};
pub use quality::{QualityCheck, quality};
pub use rules::{Rules, rules};
pub use thresholds::Thresholds;
pub use validate::{Mode, Validator, validate};
pub use verdict::{Judge, Verdict, judge};
pub use violation::Violation;
pub use written::Written;

//! The judge of SSA form. It shares no code with what it judges.
//!
//! A result is accepted because its certificate is right, never because of who
//! made it:
//! * [`Journal`] records what a host asked of a builder, around the public
//!   calls, and [`Claim`] shows what came of it; both make a [`Program`];
//! * [`validate()`] decides whether every read gets the right value on every path;
//! * [`rules()`] judges the structure of any SSA form, even one whose source nobody knows;
//! * [`Written`] ties the result to the code that a host made of it;
//! * [`judge()`] says all that a program establishes, in one [`Verdict`];
//! * [`certificate`] is a program as text, for anybody's compiler to write.
//!
//! Beside the certificates:
//! * [`quality()`] lists phis that could go: trivial, redundant and dead ones;
//! * [`locations`] decides whether a function that has left SSA form still does the same;
//! * [`isomorphic()`] decides whether two results differ in nothing but names;
//! * [`naive`] has every definition as it stands in the papers, to compare everything else with.
//!
//! What is wrong comes as a sorted list of [`Violation`]s, all of them.
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
pub mod naive;
mod program;
pub mod quality;
mod ranks;
mod reach;
mod rules;
#[cfg(test)]
mod sample_forms;
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

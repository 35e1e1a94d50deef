//! The judge of SSA form. It shares no code with what it judges.
//!
//! Invariant: this crate never imports a construction or a destruction.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod definitions;
pub mod isomorphic;
mod journal;
pub mod naive;
mod program;
pub mod quality;
mod reach;
mod reachable;
#[cfg(test)]
mod sample_forms;
mod validate;
mod violation;

pub use isomorphic::{Difference, isomorphic, isomorphic_by};
pub use journal::{Claim, Journal};
pub use program::{Program, ProgramError, ProgramEvent, ProgramPhi, ProgramWriter, Rank};
pub use quality::{QualityCheck, quality};
pub use validate::{Mode, Validator, validate};
pub use violation::Violation;

//! The judge of SSA form. It shares no code with what it judges.
//!
//! Invariant: this crate never imports a construction or a destruction.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod definitions;
mod journal;
mod program;
mod reach;
mod validate;
mod violation;

pub use journal::{Claim, Journal};
pub use program::{Program, ProgramError, ProgramEvent, ProgramPhi, ProgramWriter, Rank};
pub use validate::{Mode, Validator, validate};
pub use violation::Violation;

//! The judge of SSA form. It shares no code with what it judges.
//!
//! Invariant: this crate never imports a construction or a destruction.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod isomorphic;
pub mod naive;
pub mod quality;
mod reachable;
#[cfg(test)]
mod sample_forms;
mod violation;

pub use isomorphic::{Difference, isomorphic};
pub use quality::quality;
pub use violation::Violation;

//! The judge of SSA form. It shares no code with what it judges.
//!
//! Invariant: this crate never imports a construction or a destruction.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod violation;

pub use violation::Violation;

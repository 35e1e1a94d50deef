//! Out of SSA form, for any IR.
//!
//! [`destruct`](destruct()) finds a location for each value of a [`DestructForm`], by one of four
//! [`Method`]s, and the copies that replace the phis, each at an
//! [`InsertionPoint`](ssaphire_graph::InsertionPoint). [`sequentialize`] puts the moves of a parallel copy in
//! order; it can be used by itself.
//! [`structure`](mod@structure) finds loops, forks and multi-level exits in any graph, for targets
//! that have no jumps.
//!
//! Invariant: this crate never imports a construction, and changes no function:
//! it returns the result as data, and the host applies it.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod ancestors;
mod assembly;
mod classed;
mod classes;
mod coalesce;
mod color;
mod destruct;
mod error;
mod form;
mod frequency;
mod live;
mod live_sets;
mod names;
mod parallel_copy;
mod result;
#[cfg(test)]
mod sample;
mod seams;
mod sets;
pub mod structure;
mod thresholds;
mod variables;

pub use classed::with_class;
pub use destruct::{Method, Options, UnknownMethod, destruct, destruct_with};
pub use error::DestructError;
pub use form::{DestructForm, Tied};
pub use parallel_copy::{Move, ParallelCopyError, Sequentializer, sequentialize};
pub use result::{Counted, Destruction, Location, Moves, Source};
pub use thresholds::Thresholds;

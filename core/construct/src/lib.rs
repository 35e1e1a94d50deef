//! Construction of SSA form, for any IR: on the fly, minimal and pruned.
//!
//! Start with [`Builder`] and [`PhiHost`]; [`minimize`] also serves finished SSA.
//!
//! Invariant: this crate never allocates a block and never splits an edge.
//! Invariant: builders ask the host for nothing but phis and undefined values, and
//! read no instruction. Code that drives a builder from outside may: [`fold`].
#![no_std]

extern crate alloc;

mod at_ends;
mod auto;
mod call_list;
mod calls;
mod entry_values;
mod error;
pub mod fold;
mod host;
mod in_use;
pub mod minimize;
mod note;
mod observe;
mod options;
pub mod parts;
mod protocol;
mod recorder;
pub mod repair;
mod result;
mod sited_reads;
mod stats;
mod strict;
mod thresholds;
mod used_phis;
mod value_flow;
mod values;

pub use auto::Builder;
pub use calls::{SsaBuilder, SsaBuilderExt};
pub use error::{Call, CallError, CallErrorKind, ContractError, Stopped, UnsealedBlock};
pub use host::{PhiHost, Placed, Shown, Uses, ValueCounter};
pub use observe::{Certainty, Event, Observed, Observer, Reason, UndefinedRead};
pub use options::Options;
pub use recorder::Recorder;
pub use result::{EdgeArguments, Forwarding, IncomingEdge, KeptPhi, KeptPhis, Operand, OperandsDiffer, Ssa, Upsilon};
pub use stats::Stats;
pub use strict::Strict;
pub use thresholds::Thresholds;

//! Into SSA form, for any IR: on the fly, minimal and pruned.
//!
//! Start with [`Builder`] and [`PhiHost`]; [`minimize`] also serves finished SSA.
//!
//! Invariant: this crate never allocates a block and never splits an edge.
//! Invariant: it asks the host for nothing but phis and undefined values, and
//! reads no instruction.
#![no_std]

extern crate alloc;

mod any;
mod auto;
mod braun;
mod calls;
mod classical;
mod error;
#[doc(hidden)]
pub mod fault;
mod host;
mod in_use;
pub mod minimize;
mod observe;
mod options;
mod protocol;
mod result;
mod stats;
mod strict;
mod values;
pub mod whole;

pub use any::Builder;
pub use auto::Builder as AutoBuilder;
pub use calls::SsaBuilder;
pub use error::{
    ContractError, EdgeError, EntryError, FinishError, InitialError, ReadError, ReplaceError, SealError, Stopped,
    UnsealedBlock, WriteError,
};
pub use host::{PhiHost, Placed, Shown, Uses};
pub use observe::{Certainty, Event, Observer, Reason, UndefinedRead};
pub use options::{Engine, Options};
pub use result::{EdgeArguments, Forwarding, IncomingEdge, KeptPhi, KeptPhis, Operand, Ssa, Upsilon};
pub use stats::Stats;
pub use strict::Strict;

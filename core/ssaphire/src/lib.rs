//! SSA form for any IR.
#![no_std]

extern crate alloc;

mod batch;
mod certified;
mod claims;

pub use batch::{BatchError, FormHost, construct, construct_in_order};
pub use certified::Certified;
pub use ssaphire_check as check;
pub use ssaphire_construct::{
    Builder, Certainty, EdgeArguments, EdgeError, Engine, EntryError, Event, FinishError, Forwarding, HostError,
    IncomingEdge, KeptPhi, KeptPhis, Observer, Operand, Options, PhiHost, ReadError, Reason, ReplaceError, SealError,
    Stats, Stopped, Strict, UnsealedBlock, Upsilon, Uses, WriteError, minimize,
};
pub use ssaphire_graph as graph;
pub use ssaphire_graph::{Access, Block, Cfg, Edge, SsaForm, Value, Variable, VariableForm, WithPreEntry};

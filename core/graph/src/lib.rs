//! Read-only views of a function, and what can be computed from them.
//!
//! Start with the views: [`Cfg`] is a control-flow graph, [`VariableForm`] adds
//! reads and writes of variables, [`SsaForm`] adds phis and values. A host
//! implements them; algorithms copy them once into a [`FlatCfg`] and run on
//! flat arrays.
//!
//! Invariant: this crate computes nothing about values, and changes nothing.
#![no_std]

extern crate alloc;

mod cfg;
mod forms;
mod id;
mod map;
mod pre_entry;

pub use cfg::{Cfg, CfgError, FlatCfg};
pub use forms::{Access, Event, SsaForm, VariableForm};
pub use id::{Block, Edge, Id, Value, Variable};
pub use map::{IdMap, IdSet};
pub use pre_entry::WithPreEntry;

//! Read-only views of a function, and analyses of them.
//!
//! Start with the views: [`Cfg`] is a control-flow graph, [`VariableForm`] adds
//! reads and writes of variables, [`SsaForm`] adds phis and values. A host
//! implements them; algorithms copy them once into a [`FlatCfg`] and run on
//! flat arrays.
//!
//! The analyses of the flat copy: [`Order`] is its depth-first orders,
//! [`DominatorTree`] its dominators, [`DominanceFrontiers`] and [`IteratedFrontier`]
//! are the joins where dominance ends, [`PostDominators`] and [`ControlDependence`]
//! find the branches that decide whether a block is executed, [`LoopForest`] nests
//! its loops, [`critical_edges`] finds the edges that must be split before a copy
//! is inserted on them, [`Liveness`] computes live-in and live-out variables, and
//! [`DefUse`] links reads to the writes that reach them.
//! [`Congruence`] partitions any nodes with operands into classes of congruent ones.
//!
//! Invariant: this crate computes nothing about values, and changes nothing.
#![no_std]

extern crate alloc;

mod cfg;
mod congruence;
mod control_dependence;
mod critical;
mod def_use;
mod dominators;
mod forest_layout;
mod forms;
mod frontiers;
mod id;
mod id_limits;
mod internal_id;
mod lists;
mod liveness;
mod loops;
mod map;
mod numbering;
mod order;
mod post_dominators;
mod pre_entry;
#[cfg(test)]
mod sample_forms;
#[cfg(test)]
mod sample_graphs;
mod stacks;

pub use cfg::{Cfg, CfgError, FlatCfg, IncomingEdge};
pub use congruence::Congruence;
pub use control_dependence::ControlDependence;
pub use critical::critical_edges;
pub use def_use::{DefUse, Site};
pub use dominators::{DominatorTree, ImmediateDominators, Method};
pub use forms::{Access, InsertionPoint, InsertionPoints, SsaForm, ValueEvent, VariableForm, at_once};
pub use frontiers::{DominanceFrontiers, IteratedFrontier, Queue};
pub use id::{Block, Edge, Id, Operator, PackedOption, Value, Variable};
pub use id_limits::{IdError, IdKind, IdLimits};
pub use lists::IdLists;
pub use liveness::Liveness;
pub use loops::LoopForest;
pub use map::{IdMap, IdSet};
pub use numbering::Numbering;
pub use order::Order;
pub use post_dominators::PostDominators;
pub use pre_entry::WithPreEntry;
pub use stacks::IdStacks;

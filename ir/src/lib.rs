//! The reference IR: functions whose operations are a dialect's.
//!
//! [`Function`] holds blocks, edges, variables, values and phis; a [`Dialect`]
//! brings operations, types and constants. [`Basic`] is the dialect of
//! hand-written graphs and small imperative programs.

mod build;
mod canonical;
mod dialect;
mod edit;
mod form;
mod function;
mod names;
mod views;

pub mod basic;
pub mod corpus;
pub mod dot;
pub mod generate;
pub mod interp;
pub mod json;
pub mod text;

pub use basic::Basic;
pub use build::{BuildError, FunctionBuilder, to_ssa, to_ssa_in_order};
pub use dialect::{Count, Dialect, Shape};
pub use edit::NotTheIncomingEdges;
pub use form::FormError;
pub use function::{
    Action, Arg, BlockData, Dest, Function, IncomingEdge, Inst, Param, Phi, ValueData, ValueKind, VariableData,
};
pub use ssaphire_graph::{Block, Value, Variable};

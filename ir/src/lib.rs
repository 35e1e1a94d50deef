//! The reference IR: functions whose operations are a dialect's.
//!
//! [`Function`] consists of blocks, edges, variables, values and phis; a
//! [`Dialect`] defines operations, types and constants. [`Basic`] is the
//! dialect of hand-written graphs and small imperative programs. A function may
//! be in variable form, in SSA form, or mixed; it implements the views of
//! `ssaphire-graph`, so every algorithm of the library accepts it.
//!
//! # Examples
//! ```
//! use ssaphire_ir::basic::{BasicMachine, behavior};
//! use ssaphire_ir::interp::{Content, Limits};
//! use ssaphire_ir::{Basic, Function, text};
//!
//! let source = "\
//! func double(n) {
//! block0:
//!   n = add n, n
//!   return n
//! }
//! ";
//! let function: Function<Basic> = text::parse(source)?;
//! assert_eq!(function.to_string(), source);
//! let run = behavior(&function, &[21], BasicMachine::new(0, vec![]), Limits::default());
//! assert_eq!(run.outcome, Ok(vec![Content::Known(42.into())]));
//! # Ok::<(), text::SyntaxErrors>(())
//! ```

mod build;
mod canonical;
mod dialect;
mod edit;
mod form;
mod function;
mod isomorphic;
mod leave_ssa;
mod names;
mod unknown_name;
mod views;

pub mod analysis;
pub mod basic;
pub mod cps;
pub mod dot;
pub mod fold;
pub mod interp;
pub mod json;
pub mod judge;
pub mod measure;
pub mod memory;
pub mod passes;
pub mod source;
pub mod text;

pub use basic::Basic;
pub use build::{BuildError, FunctionBuilder, to_ssa, to_ssa_folded, to_ssa_in_order};
pub use dialect::{Control, Count, Dialect, Properties, Semantics, Shape, Storage, Syntax};
pub use edit::NotTheIncomingEdges;
pub use form::{FormError, Part};
pub use function::{
    Action, Arg, BlockRef, Dest, Function, IncomingEdge, Inst, InstRef, Insts, List, Name, Param, Phi, PhiRef, Phis,
    ValueData, ValueKind,
};
pub use isomorphic::are_isomorphic;
pub use leave_ssa::{DestructView, LeaveError, Left, leave_ssa, leave_ssa_by_names};
pub use ssaphire_graph::{Block, Value, Variable};
pub use unknown_name::UnknownName;

//! React Compiler's view of a function: its HIR, before and after SSA form.
//!
//! It exists for comparison: [`lower()`] builds the functions that React
//! Compiler 1.0.0 builds, with the same numbers of blocks and identifiers; the
//! passes are its passes, and [`print()`] prints its output. Syntax without an
//! HIR there is [`Unsupported`].
//!
//! [`ssaphire_js::source`] parses files, and [`ssaphire_js::dialect`] has the
//! names, strings and constants; the SSA form of that crate plays no part here.
//!
//! | Stage of React Compiler | here |
//! |---|---|
//! | `HIR` | [`lower()`] |
//! | `PruneMaybeThrows` to `MergeConsecutiveBlocks` | [`prepare`] |
//! | `SSA` | [`enter_ssa`] |
//! | `EliminateRedundantPhi` | [`eliminate_redundant_phi`] |
//! | `ConstantPropagation` | [`constant_propagation`] |
//!
//! # Departures
//! Checks that React Compiler makes only for React's sake are not made. Effects
//! and types of places are not printed: they are unknown at these stages. No
//! pass is recursive; React Compiler fails on some thousand consecutive blocks.

mod columns;
mod constant;
mod function;
mod inline;
mod lower;
mod memo;
mod merge;
mod order;
mod print;
mod prune;
mod redundant;
mod scope;
mod ssa;
mod stage;
mod terminal;
mod value;

pub use columns::side_by_side;
pub use constant::{ZeroSigns, constant_propagation};
pub use function::{
    Block, BlockId, BlockKind, ClosureId, Function, HirFunction, Identifier, Instruction, Param, Phi, Place,
};
pub use lower::{Root, Roots, Unsupported, lower};
pub use print::{Style, print};
pub use redundant::eliminate_redundant_phi;
pub use ssa::enter_ssa;
pub use stage::{Stage, prepare, run_to};
pub use terminal::{GotoVariant, ReturnVariant, Terminal};
pub use value::{
    CastType, Dependency, DependencyRoot, Element, Global, JsxAttribute, JsxTag, Key, Pattern, Property, PropertyName,
    Quasi, StoreKind, Value,
};

//! The variables of a front end.

use cranelift_codegen::entity::entity_impl;

/// A variable: [`declare_var`](crate::FunctionBuilder::declare_var) hands them out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(u32);

entity_impl!(Variable, "var");

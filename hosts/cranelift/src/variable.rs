//! The variables of a front end.

use cranelift_codegen::entity::entity_impl;

/// /// x
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(u32);

entity_impl!(Variable, "var");

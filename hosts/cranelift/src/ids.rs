//! Conversions between Cranelift's and the builder's blocks, values and variables: the numbers are the same.
//!
//! Both kinds of types belong to other crates, so these are functions instead of `From` implementations.
//!
//! ```
//! use cranelift_codegen::ir;
//! use ssaphire_cranelift::{Variable, ids};
//!
//! assert_eq!(ids::block(ir::Block::from_u32(3)), ssaphire::Block::new(3));
//! assert_eq!(ids::clif_value(ssaphire::Value::new(7)), ir::Value::from_u32(7));
//! assert_eq!(ids::clif_variable(ids::variable(Variable::from_u32(1))), Variable::from_u32(1));
//! ```

use crate::Variable;
use cranelift_codegen::ir;

/// The builder's number of a block.
pub fn block(block: ir::Block) -> ssaphire::Block {
    ssaphire::Block::new(block.as_u32() as usize)
}

/// The builder's number of a value.
pub fn value(value: ir::Value) -> ssaphire::Value {
    ssaphire::Value::new(value.as_u32() as usize)
}

/// The builder's number of a variable.
pub fn variable(variable: Variable) -> ssaphire::Variable {
    ssaphire::Variable::new(variable.as_u32() as usize)
}

/// Cranelift's number of a block.
pub fn clif_block(block: ssaphire::Block) -> ir::Block {
    ir::Block::from_u32(block.as_u32())
}

/// Cranelift's number of a value.
pub fn clif_value(value: ssaphire::Value) -> ir::Value {
    ir::Value::from_u32(value.as_u32())
}

/// The front end's number of a variable.
pub fn clif_variable(variable: ssaphire::Variable) -> Variable {
    Variable::from_u32(variable.as_u32())
}

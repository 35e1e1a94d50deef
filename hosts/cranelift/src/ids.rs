//! Cranelift's numbers of blocks, values and variables, and the builder's: they are the same numbers.

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
    ir::Block::from_u32(block.index() as u32)
}

/// Cranelift's number of a value.
pub fn clif_value(value: ssaphire::Value) -> ir::Value {
    ir::Value::from_u32(value.index() as u32)
}

/// The front end's number of a variable.
pub fn clif_variable(variable: ssaphire::Variable) -> Variable {
    Variable::from_u32(variable.index() as u32)
}

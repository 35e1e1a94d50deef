//! Variables that are used but not defined.

use alloc::vec;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::immediates::Ieee16;
use cranelift_codegen::ir::{Block, ConstantData, Function, InstBuilder, Type, Value, types};

/// The treatment of uses of a variable that is undefined on some path to the use.
///
/// In unreachable code, an undefined variable is always zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// [`try_finalize`](crate::FunctionBuilder::try_finalize) lists all such uses.
    #[default]
    Error,
    /// It is zero, as in `cranelift-frontend`.
    Zero,
}

/// The zero of a type, created at the top of `block`.
pub(crate) fn zero(func: &mut Function, block: Block, ty: Type) -> Value {
    let vector = ty.is_vector().then(|| func.dfg.constants.insert(ConstantData::from(vec![0; ty.bytes() as usize])));
    let quad = (ty == types::F128).then(|| func.dfg.constants.insert(ConstantData::from(vec![0; 16])));
    let mut cursor = FuncCursor::new(func).at_first_insertion_point(block);
    match (vector, quad) {
        (Some(constant), _) => cursor.ins().vconst(ty, constant),
        (_, Some(constant)) => cursor.ins().f128const(constant),
        _ if ty == types::I128 => {
            let half = cursor.ins().iconst(types::I64, 0);
            cursor.ins().uextend(types::I128, half)
        }
        _ if ty == types::F16 => cursor.ins().f16const(Ieee16::with_bits(0)),
        _ if ty == types::F32 => cursor.ins().f32const(0.0),
        _ if ty == types::F64 => cursor.ins().f64const(0.0),
        _ => cursor.ins().iconst(ty, 0),
    }
}

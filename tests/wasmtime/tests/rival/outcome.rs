//! What comes of a call, in words that both engines share.

use ssaphire_ir::Block;
use ssaphire_ir::interp::{self, TrapKind};
use ssaphire_jit::wasm as jit;
use ssaphire_wasm::{Number, RunError};
use wasmtime::{Trap, Val};

/// What comes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Returned(Vec<Held>),
    /// Traps go by wasmtime's names.
    Trapped(Trap),
}

/// What a result or a global holds. Floats go by their bits, references by being there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    I32(i32),
    I64(i64),
    F32(u32),
    F64(u64),
    V128(u128),
    Null,
    Reference,
}

impl From<Number> for Held {
    fn from(number: Number) -> Self {
        match number {
            Number::I32(number) => Self::I32(number),
            Number::I64(number) => Self::I64(number),
            Number::F32(bits) => Self::F32(bits),
            Number::F64(bits) => Self::F64(bits),
            Number::V128(bits) => Self::V128(bits),
            Number::Null(_) => Self::Null,
            Number::Function(_) | Number::Exception(_) => Self::Reference,
        }
    }
}

impl From<&Val> for Held {
    fn from(val: &Val) -> Self {
        match val {
            Val::I32(number) => Self::I32(*number),
            Val::I64(number) => Self::I64(*number),
            Val::F32(bits) => Self::F32(*bits),
            Val::F64(bits) => Self::F64(*bits),
            Val::V128(bits) => Self::V128(bits.as_u128()),
            Val::FuncRef(None) | Val::ExternRef(None) | Val::AnyRef(None) | Val::ExnRef(None) => Self::Null,
            _ => Self::Reference,
        }
    }
}

/// Why a run of ours has no outcome.
pub(crate) enum NoOutcome {
    /// The machine does not cover it.
    NotCovered,
    /// There should be one.
    Failed(String),
}

/// The outcome of a run of ours.
pub(crate) fn of_ours(result: Result<Vec<Number>, RunError>) -> Result<Outcome, NoOutcome> {
    match result {
        Ok(results) => Ok(Outcome::Returned(results.into_iter().map(Held::from).collect())),
        Err(
            RunError::Operator(_)
            | RunError::Function(_)
            | RunError::Import { .. }
            | RunError::Arguments
            | RunError::TooLarge,
        ) => Err(NoOutcome::NotCovered),
        Err(error) => trap(&error).map(Outcome::Trapped).ok_or_else(|| NoOutcome::Failed(error.to_string())),
    }
}

/// An error of machine code as the interpreter would say it.
pub(crate) fn of_code(error: jit::RunError) -> RunError {
    match error {
        jit::RunError::Trap { kind, function } => {
            RunError::Trap(interp::Trap { kind, function: function as usize, block: Block::new(0), index: 0 })
        }
        jit::RunError::Refused(refusal) => refusal,
        other => RunError::Module(other.to_string()),
    }
}

/// The trap of wasmtime that corresponds to an error of ours.
fn trap(error: &RunError) -> Option<Trap> {
    let words = match error {
        RunError::Trap(interp::Trap { kind: TrapKind::TooManyFrames { .. }, .. }) => return Some(Trap::StackOverflow),
        RunError::Trap(trap) => trap.kind.to_string(),
        RunError::Initial(fault) => fault.to_string(),
        _ => return None,
    };
    Some(match words.as_str() {
        "unreachable" => Trap::UnreachableCodeReached,
        "integer divide by zero" => Trap::IntegerDivisionByZero,
        "integer overflow" => Trap::IntegerOverflow,
        "invalid conversion to integer" => Trap::BadConversionToInteger,
        "out of bounds memory access" => Trap::MemoryOutOfBounds,
        "out of bounds table access" | "undefined element" => Trap::TableOutOfBounds,
        "uninitialized element" => Trap::IndirectCallToNull,
        "indirect call type mismatch" => Trap::BadSignature,
        _ => return None,
    })
}

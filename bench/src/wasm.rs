//! Traces of WebAssembly functions: their locals are the variables.
//!
//! The calls are those a compiler makes that walks the bytecode once and lets
//! the operand stack be: `local.get` and `local.set` hand values on under the
//! number they have, so that copies stay copies. Locals are zeroed in the
//! entry; what the operand stack carries over a join is a fresh value there.
//! Code that cannot be reached is left out, as wasmtime does.

mod function;

use crate::trace::{Trace, TraceWriter};
use function::FunctionRecorder;
use wasmparser::{
    BinaryReaderError, FuncToValidate, FuncValidatorAllocations, FunctionBody, Operator, Parser, ValidPayload,
    Validator, ValidatorResources, WasmFeatures,
};

/// A module's trace.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The calls of its functions.
    pub trace: Trace,
    /// Functions left out, since they have exception handlers or branches that test references.
    pub skipped: usize,
}

/// Records the functions of a module.
///
/// # Errors
/// If the module is not valid.
pub fn record(module: &[u8]) -> Result<Recorded, BinaryReaderError> {
    let mut validator = Validator::new_with_features(WasmFeatures::all());
    let mut memory = FuncValidatorAllocations::default();
    let mut writer = TraceWriter::new();
    let mut skipped = 0;
    for payload in Parser::new(0).parse_all(module) {
        if let ValidPayload::Func(function, body) = validator.payload(&payload?)? {
            skipped += usize::from(!record_function(function, &body, &mut memory, &mut writer)?);
        }
    }
    Ok(Recorded { trace: writer.into_trace(), skipped })
}

/// Whether the function was recorded.
fn record_function(
    function: FuncToValidate<ValidatorResources>,
    body: &FunctionBody<'_>,
    memory: &mut FuncValidatorAllocations,
    writer: &mut TraceWriter,
) -> Result<bool, BinaryReaderError> {
    let Some(has_else) = find_else(body)? else { return Ok(false) };
    let mut validator = function.into_validator(std::mem::take(memory));
    let parameters = validator.len_locals();
    validator.read_locals(&mut body.get_binary_reader())?;
    let mut recorder = FunctionRecorder::begin(validator, parameters, has_else, writer);
    for item in body.get_operators_reader()?.into_iter_with_offsets() {
        let (operator, offset) = item?;
        recorder.operator(&operator, offset)?;
    }
    *memory = recorder.end();
    Ok(true)
}

/// For each `if`, in order, whether it has an `else`; `None` for a function that is left out.
fn find_else(body: &FunctionBody<'_>) -> Result<Option<Vec<bool>>, BinaryReaderError> {
    let mut has_else = Vec::new();
    // The `if`s that are open, by number; `None` for other constructs.
    let mut open = Vec::new();
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::If { .. } => {
                open.push(Some(has_else.len()));
                has_else.push(false);
            }
            Operator::Block { .. } | Operator::Loop { .. } => open.push(None),
            Operator::Else => {
                if let Some(&Some(number)) = open.last() {
                    has_else[number] = true;
                }
            }
            Operator::End => drop(open.pop()),
            Operator::TryTable { .. }
            | Operator::Try { .. }
            | Operator::BrOnNull { .. }
            | Operator::BrOnNonNull { .. }
            | Operator::BrOnCast { .. }
            | Operator::BrOnCastFail { .. } => return Ok(None),
            _ => {}
        }
    }
    Ok(Some(has_else))
}

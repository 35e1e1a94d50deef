//! Refused calls, and functions that an engine cannot build.

use ssaphire::{BatchError, CallError, CallErrorKind};
use std::error::Error;

/// Why the call was refused, if it was.
pub fn kind<T>(result: Result<T, CallError>) -> Option<CallErrorKind> {
    result.err().map(|error| error.kind().clone())
}

/// Whether the engine refused a program because it is not structured.
pub fn is_not_structured(error: &(dyn Error + 'static)) -> bool {
    let refused: Option<&CallError> = match error.downcast_ref() {
        Some(BatchError::Call(error)) => Some(error),
        _ => error.downcast_ref(),
    };
    matches!(refused.map(CallError::kind), Some(CallErrorKind::Irreducible { .. }))
}

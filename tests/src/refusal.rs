//! Functions that an engine has no form for.

use ssaphire::{BatchError, FinishError};
use std::error::Error;

/// Whether the engine refused a program because it is not structured.
pub fn is_not_structured(error: &(dyn Error + 'static)) -> bool {
    let finish = match error.downcast_ref() {
        Some(BatchError::Finish(finish)) => Some(finish),
        _ => error.downcast_ref(),
    };
    matches!(finish, Some(FinishError::Irreducible { .. }))
}

//! A refused call, as data.
//!
//! Each call `try_x` returns a [`CallError`], and its twin `x` panics with its message. `finish`, `announce` and
//! `set_entry` have no twin: they return the error. A refused call has changed nothing, except that
//! [`Stopped::OutOfWork`] leaves a builder that only accepts `clear`.

mod call;
mod contract;
mod kind;
mod stopped;
mod unsealed;

pub use call::Call;
pub use contract::ContractError;
pub use kind::CallErrorKind;
pub use stopped::Stopped;
pub use unsealed::UnsealedBlock;

use alloc::boxed::Box;
use core::fmt;

/// Why a builder refused a call.
///
/// The message is a sentence that names the block and the variable. `Debug` shows the same sentence, so `unwrap` does,
/// too. Each refused call allocates its error, in a few dozen bytes; calls that succeed allocate nothing for it.
///
/// # Examples
/// ```
/// use ssaphire::{Block, Builder, Call, CallErrorKind, SsaBuilder, Value, Variable};
///
/// let (mut ssa, block, variable) = (Builder::new(), Block::new(0), Variable::new(2));
/// ssa.terminate(block, &[]);
/// let error = ssa.try_write_variable(block, variable, Value::new(0)).unwrap_err();
/// assert_eq!(error.call(), Call::Write { block, variable });
/// assert_eq!(*error.kind(), CallErrorKind::Filled);
/// assert_eq!(error.to_string(), "block0: x2 is written after the block was filled");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct CallError {
    /// One pointer, so that the results of calls fit registers.
    inner: Box<Inner>,
}

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    call: Call,
    kind: CallErrorKind,
}

impl CallError {
    /// The error of `call`, for implementations of [`SsaBuilder`](crate::SsaBuilder).
    #[cold]
    pub fn new(call: Call, kind: impl Into<CallErrorKind>) -> Self {
        Self::boxed(call, kind.into())
    }

    #[cold]
    #[inline(never)]
    fn boxed(call: Call, kind: CallErrorKind) -> Self {
        Self { inner: Box::new(Inner { call, kind }) }
    }

    /// The refused call and its arguments.
    pub fn call(&self) -> Call {
        self.inner.call
    }

    /// Why it was refused.
    pub fn kind(&self) -> &CallErrorKind {
        &self.inner.kind
    }

    /// Why the builder accepts only `clear`, if the call was refused for that reason.
    pub fn stopped(&self) -> Option<Stopped> {
        if let CallErrorKind::Stopped(stopped) = self.inner.kind { Some(stopped) } else { None }
    }
}

impl fmt::Debug for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.kind.describe(self.inner.call, f)
    }
}

impl core::error::Error for CallError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        // The message is that of `Stopped` or `IdError`, so the source is theirs.
        if let CallErrorKind::Stopped(stopped) = &self.inner.kind { stopped.source() } else { None }
    }
}

/// Names the call to which an error belongs.
pub trait InCall<T> {
    /// The result, or the error of `call`.
    ///
    /// # Errors
    /// If `self` is an error.
    fn in_call(self, call: Call) -> Result<T, CallError>;
}

impl<T, E: Into<CallErrorKind>> InCall<T> for Result<T, E> {
    #[inline(always)]
    fn in_call(self, call: Call) -> Result<T, CallError> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(CallError::new(call, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CallError;
    use core::mem::size_of;
    use ssaphire_graph::Value;

    #[test]
    fn results_of_calls_fit_two_registers() {
        assert_eq!(size_of::<Result<Value, CallError>>(), 2 * size_of::<usize>());
        assert_eq!(size_of::<Result<(), CallError>>(), size_of::<usize>());
    }
}

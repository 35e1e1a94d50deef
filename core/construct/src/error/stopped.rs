//! Why a builder has stopped.

use super::ContractError;
use core::fmt;

/// Why a builder accepts only `clear`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// `finish` has returned the result, or the host has refused it.
    Finished,
    /// An operation would have taken more steps than the work budget had left.
    OutOfWork {
        /// Steps allowed per function.
        limit: u64,
    },
    /// The engine does not support the function.
    Refused,
    /// The host broke its contract.
    Contract(ContractError),
    /// The phis would have more operands than can be numbered: 2^32 of them, in 16 GiB.
    TooManyOperands,
}

impl core::error::Error for Stopped {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Contract(error) = self { error.source() } else { None }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("the function is finished: clear the builder before the next one"),
            Self::OutOfWork { limit } => write!(f, "the work budget of {limit} steps is exhausted"),
            Self::Refused => f.write_str("the engine refused the function: clear the builder before the next one"),
            Self::TooManyOperands => f.write_str("the phis of one function have more than 4294967295 operands"),
            Self::Contract(error) => error.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stopped;
    use core::mem::size_of;
    use ssaphire_graph::Value;

    #[test]
    fn results_of_lookups_fit_two_registers() {
        assert_eq!(size_of::<Result<Value, Stopped>>(), 16);
    }
}

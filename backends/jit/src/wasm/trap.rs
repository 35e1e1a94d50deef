//! Why a run ends early.

use cranelift_codegen::ir::TrapCode;
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_wasm::Fault;

/// Why a run ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// The code says that control never comes here.
    Unreachable,
    /// A division by zero.
    DivideByZero,
    /// A quotient or a conversion that does not fit.
    IntegerOverflow,
    /// A conversion of what is not a number.
    InvalidConversion,
    /// An access beyond the end of the memory.
    MemoryBounds,
    /// A call through a place that the table does not have.
    UndefinedElement,
    /// A call through a place of the table where nothing is.
    UninitializedElement,
    /// A call through a table of a function of another type.
    CallType,
    /// Calls within calls have used up the stack.
    Stack,
    /// More steps than allowed.
    Steps,
    /// More calls within calls than allowed.
    Frames,
    /// A function called is not there, or has no code.
    Refused,
    /// An operator is not covered.
    NotCovered,
}

impl Reason {
    const ALL: [Self; 13] = [
        Self::Unreachable,
        Self::DivideByZero,
        Self::IntegerOverflow,
        Self::InvalidConversion,
        Self::MemoryBounds,
        Self::UndefinedElement,
        Self::UninitializedElement,
        Self::CallType,
        Self::Stack,
        Self::Steps,
        Self::Frames,
        Self::Refused,
        Self::NotCovered,
    ];

    /// For trapping instructions: its number, from 1.
    pub(super) fn code(self) -> TrapCode {
        TrapCode::unwrap_user(self as u8 + 1)
    }

    /// In the words of the interpreter.
    pub(super) fn kind(self, limits: Limits) -> TrapKind {
        match self {
            Self::Unreachable => TrapKind::Dialect("unreachable".to_owned()),
            Self::DivideByZero => Fault::DivideByZero.into(),
            Self::IntegerOverflow => Fault::IntegerOverflow.into(),
            Self::InvalidConversion => Fault::InvalidConversion.into(),
            Self::MemoryBounds => Fault::MemoryBounds.into(),
            Self::UndefinedElement => Fault::UndefinedElement.into(),
            Self::UninitializedElement => Fault::UninitializedElement.into(),
            Self::CallType => Fault::CallType.into(),
            Self::Steps => TrapKind::OutOfSteps { limit: limits.steps },
            Self::Frames => TrapKind::TooManyFrames { limit: limits.frames },
            Self::Stack => TrapKind::Dialect("call stack exhausted".to_owned()),
            Self::Refused | Self::NotCovered => TrapKind::Malformed,
        }
    }
}

/// Where and why a run ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) reason: Reason,
    pub(super) function: u32,
    /// Which operator that is not covered, by its number among those of the function.
    pub(super) operator: u32,
}

/// Numbers of operators beyond this one are all the same.
const MOST_OPERATORS: u32 = (1 << 24) - 1;

impl Stop {
    /// What the context holds after it, which is never 0.
    pub(super) fn number(self) -> u64 {
        let operator = u64::from(self.operator.min(MOST_OPERATORS));
        operator << 40 | u64::from(self.function) << 8 | (self.reason as u64 + 1)
    }

    pub(super) fn from_number(number: u64) -> Option<Self> {
        let reason = (number & 0xff).checked_sub(1)?;
        let reason = *Reason::ALL.get(reason as usize)?;
        Some(Self { reason, function: (number >> 8) as u32, operator: (number >> 40) as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_OPERATORS, Reason, Stop};

    #[test]
    fn numbers_lead_back_to_what_happened() {
        for reason in Reason::ALL {
            for (function, operator) in [(0, 0), (u32::MAX, 0), (0, MOST_OPERATORS), (7, 9)] {
                let stop = Stop { reason, function, operator };
                assert_eq!(Stop::from_number(stop.number()), Some(stop));
            }
        }
        assert_eq!(Stop::from_number(0), None);
        assert_eq!(Stop::from_number(0xff), None);
    }
}

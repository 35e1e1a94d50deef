//! The reasons why a run ends early.

use cranelift_codegen::ir::TrapCode;
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_wasm::Fault;

/// The reason why a run ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// Control reached an `unreachable`.
    Unreachable,
    /// A division by zero.
    DivideByZero,
    /// A quotient or a conversion out of range.
    IntegerOverflow,
    /// A conversion of a NaN.
    InvalidConversion,
    /// An access beyond the end of the memory.
    MemoryBounds,
    /// An indirect call beyond the end of the table.
    UndefinedElement,
    /// An indirect call through a null element.
    UninitializedElement,
    /// An indirect call of a function of another type.
    CallType,
    /// Nested calls have exhausted the stack.
    Stack,
    /// More steps than allowed.
    Steps,
    /// More nested calls than allowed.
    Frames,
    /// A called function does not exist, or has no code.
    Refused,
    /// Control reached an unsupported operator.
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

    /// The code of trapping instructions: its number, from 1.
    pub(super) fn code(self) -> TrapCode {
        TrapCode::unwrap_user(self as u8 + 1)
    }

    /// The interpreter's name of the reason.
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

/// The place of an early end of a run, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) reason: Reason,
    pub(super) function: u32,
    /// The number in the function of the unsupported operator.
    pub(super) operator: u32,
}

/// The largest number of an operator; all later ones share it.
const MOST_OPERATORS: u32 = (1 << 24) - 1;

impl Stop {
    /// The number left in the context, never 0.
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

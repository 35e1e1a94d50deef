//! Limits on ids: dense tables grow with the largest id that is mentioned.

use crate::{Block, Value, Variable};
use core::fmt;

/// One more than the largest id of each kind that a construction accepts.
///
/// Tables are indexed by ids, so memory grows with the largest id mentioned, whatever the number of ids in use.
/// A host that mistakes an offset or a hash for an id gets an [`IdError`], and no table of 128 GB.
///
/// ```
/// use ssaphire::{Block, IdLimits};
///
/// let limits = IdLimits { blocks: 1000, ..IdLimits::default() };
/// let error = limits.check_block(Block::new(4096)).unwrap_err();
/// assert_eq!(error.to_string(), "block4096: exceeds the limit of 1000 blocks");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdLimits {
    /// Block ids are below this. Default: 2^24.
    pub blocks: u32,
    /// Variable ids are below this. Default: 2^24.
    pub variables: u32,
    /// Value ids are below this. Default: 2^26.
    pub values: u32,
}

impl IdLimits {
    /// No limits but those of the id types; tables grow to the largest id mentioned.
    pub const NONE: Self =
        Self { blocks: Block::LIMIT as u32, variables: Variable::LIMIT as u32, values: Value::LIMIT as u32 };

    /// Checks that `block` is below the limit.
    ///
    /// # Errors
    /// If it is not.
    #[inline]
    pub fn check_block(&self, block: Block) -> Result<(), IdError> {
        check(IdKind::Block, block.index(), self.blocks)
    }

    /// Checks that `variable` is below the limit.
    ///
    /// # Errors
    /// If it is not.
    #[inline]
    pub fn check_variable(&self, variable: Variable) -> Result<(), IdError> {
        check(IdKind::Variable, variable.index(), self.variables)
    }

    /// Checks that `value` is below the limit.
    ///
    /// # Errors
    /// If it is not.
    #[inline]
    pub fn check_value(&self, value: Value) -> Result<(), IdError> {
        check(IdKind::Value, value.index(), self.values)
    }

    /// Checks that all block ids of a function with this number of blocks are below the limit.
    ///
    /// # Errors
    /// If the largest is not.
    pub fn check_num_blocks(&self, num_blocks: usize) -> Result<(), IdError> {
        num_blocks.checked_sub(1).map_or(Ok(()), |last| check(IdKind::Block, last, self.blocks))
    }

    /// Checks that all variable ids of a function with this number of variables are below the limit.
    ///
    /// # Errors
    /// If the largest is not.
    pub fn check_num_variables(&self, num_variables: usize) -> Result<(), IdError> {
        num_variables.checked_sub(1).map_or(Ok(()), |last| check(IdKind::Variable, last, self.variables))
    }
}

impl Default for IdLimits {
    fn default() -> Self {
        Self { blocks: 1 << 24, variables: 1 << 24, values: 1 << 26 }
    }
}

#[inline]
fn check(kind: IdKind, index: usize, limit: u32) -> Result<(), IdError> {
    if index < limit as usize { Ok(()) } else { Err(IdError { kind, given: saturate(index), limit }) }
}

/// A number of blocks or variables that a host states may be larger than any id.
#[cold]
fn saturate(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// A kind of id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum IdKind {
    /// A [`Block`].
    Block,
    /// A [`Variable`].
    Variable,
    /// A [`Value`].
    Value,
    /// An [`Edge`](crate::Edge).
    Edge,
    /// An [`Operator`](crate::Operator).
    Operator,
}

/// An id that is not below the limit of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdError {
    /// The kind of the id.
    pub kind: IdKind,
    /// Its number; the largest `u32` where the number is larger.
    pub given: u32,
    /// The limit: the number of ids accepted.
    pub limit: u32,
}

impl IdError {
    /// The error of a number that is too large for any id of its kind.
    #[cold]
    pub(crate) fn no_such_id(kind: IdKind, index: usize, limit: u32) -> Self {
        Self { kind, given: saturate(index), limit }
    }
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, given, limit } = self;
        let (prefix, name) = match kind {
            IdKind::Block => ("block", "blocks"),
            IdKind::Variable => ("x", "variables"),
            IdKind::Value => ("v", "values"),
            IdKind::Edge => ("edge", "edges"),
            IdKind::Operator => ("op", "operators"),
        };
        write!(f, "{prefix}{given}: exceeds the limit of {limit} {name}")
    }
}

impl core::error::Error for IdError {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    const LIMITS: IdLimits = IdLimits { blocks: 3, variables: 4, values: 5 };

    fn words(result: Result<(), IdError>) -> alloc::string::String {
        result.map_or_else(|error| format!("{error}"), |()| "ok".into())
    }

    #[test]
    fn the_limit_is_the_first_id_that_is_refused() {
        assert_eq!(words(LIMITS.check_block(Block::new(2))), "ok");
        assert_eq!(words(LIMITS.check_block(Block::new(3))), "block3: exceeds the limit of 3 blocks");
        assert_eq!(words(LIMITS.check_variable(Variable::new(3))), "ok");
        assert_eq!(words(LIMITS.check_variable(Variable::new(4))), "x4: exceeds the limit of 4 variables");
        assert_eq!(words(LIMITS.check_value(Value::new(4))), "ok");
        assert_eq!(words(LIMITS.check_value(Value::new(5))), "v5: exceeds the limit of 5 values");
    }

    #[test]
    fn a_count_is_checked_by_the_largest_id() {
        assert_eq!((LIMITS.check_num_blocks(0), LIMITS.check_num_variables(0)), (Ok(()), Ok(())));
        assert_eq!((LIMITS.check_num_blocks(3), LIMITS.check_num_variables(4)), (Ok(()), Ok(())));
        assert_eq!(LIMITS.check_num_blocks(4), Err(IdError { kind: IdKind::Block, given: 3, limit: 3 }));
        assert_eq!(words(LIMITS.check_num_variables(5)), "x4: exceeds the limit of 4 variables");
        assert_eq!(words(LIMITS.check_num_blocks(usize::MAX)), "block4294967295: exceeds the limit of 3 blocks");
    }

    #[test]
    fn without_limits_every_id_is_accepted() {
        let limits = IdLimits::NONE;
        assert_eq!(limits.check_block(Block::new(Block::LIMIT - 1)), Ok(()));
        assert_eq!(limits.check_variable(Variable::new(Variable::LIMIT - 1)), Ok(()));
        assert_eq!(limits.check_value(Value::new(Value::LIMIT - 1)), Ok(()));
    }
}

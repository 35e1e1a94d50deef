//! The options and the counters of folding.

use crate::thresholds::FoldThresholds;

/// The kinds of operations to fold. Default: all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FoldOptions {
    /// Operations on constants.
    pub constants: bool,
    /// Algebraic identities.
    pub identities: bool,
    /// Operations that were computed before.
    pub common: bool,
    /// Copies of values, in hosts that have instructions for them: copies of variables need no instruction in any case.
    pub copies: bool,
    /// Branches on constants.
    pub branches: bool,
    /// Operations on phis that are forwarded later.
    pub late: bool,
    /// Limits of the search for an operation that was computed before.
    pub thresholds: FoldThresholds,
}

impl FoldOptions {
    /// Nothing is folded.
    pub const NONE: Self = Self {
        constants: false,
        identities: false,
        common: false,
        copies: false,
        branches: false,
        late: false,
        thresholds: FoldThresholds::DEFAULT,
    };
    /// Everything is folded.
    pub const ALL: Self = Self {
        constants: true,
        identities: true,
        common: true,
        copies: true,
        branches: true,
        late: true,
        thresholds: FoldThresholds::DEFAULT,
    };
}

impl Default for FoldOptions {
    fn default() -> Self {
        Self::ALL
    }
}

/// Counters of folding, for one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoldStats {
    /// Operations asked for.
    pub operations: u64,
    /// Operations on constants that became constants.
    pub constants: u64,
    /// Operations that an identity simplified.
    pub identities: u64,
    /// Operations that had been computed before.
    pub common: u64,
    /// Branches that became jumps.
    pub branches: u64,
    /// Instructions removed after a phi that they used was forwarded.
    pub late: u64,
}

impl FoldStats {
    /// Operations that left no instruction of their own, and instructions that were removed.
    pub fn folded(&self) -> u64 {
        self.constants + self.identities + self.common + self.late
    }
}

impl core::ops::AddAssign for FoldStats {
    fn add_assign(&mut self, other: Self) {
        self.operations += other.operations;
        self.constants += other.constants;
        self.identities += other.identities;
        self.common += other.common;
        self.branches += other.branches;
        self.late += other.late;
    }
}

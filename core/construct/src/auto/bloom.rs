//! Sets of variables in 64 bits: exact as long as there are no more variables than that, else a Bloom filter.

use ssaphire_graph::Variable;

/// Number of bits: variables whose numbers differ by a multiple of it share one.
pub(super) const NUM_BITS: usize = u64::BITS as usize;

/// A set that has all its members, and may have others that share their bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VariableMask(u64);

impl VariableMask {
    pub(super) const EMPTY: Self = Self(0);

    /// The variable, and those that share its bit.
    pub(super) fn of(variable: Variable) -> Self {
        let mut mask = Self::EMPTY;
        mask.insert(variable);
        mask
    }

    #[inline]
    pub(super) fn insert(&mut self, variable: Variable) {
        self.0 |= 1 << (variable.index() % NUM_BITS);
    }

    #[inline]
    pub(super) fn may_have(self, variable: Variable) -> bool {
        self.0 >> (variable.index() % NUM_BITS) & 1 != 0
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the sets may have a member in common.
    #[inline]
    pub(super) fn may_meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all members of `other` are members.
    pub(super) fn has_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Calls `visit` with the number of each bit that is set.
    #[inline]
    pub(super) fn each_bit(self, mut visit: impl FnMut(usize)) {
        let mut bits = self.0;
        while bits != 0 {
            visit(bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

//! Blocks by the order in which they are begun.

use core::fmt;
use ssaphire_graph::Id;

/// A block by its place in the order in which blocks are begun: it is given a row of cells then.
///
/// A block's dominators that are known were begun before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Order(u32);

impl Order {
    /// The block that is begun first.
    pub(super) const FIRST: Self = Self(0);
    /// No block is begun as late as that.
    pub(super) const LAST: Self = Self((1 << 31) - 1);
}

impl Id for Order {
    // The top bit of a cell says whether it holds one.
    const LIMIT: usize = (1 << 31) - 1;

    #[inline]
    fn new(index: usize) -> Self {
        debug_assert!(index < Self::LIMIT, "there are fewer blocks");
        Self(index as u32)
    }

    #[inline]
    fn try_new(index: usize) -> Option<Self> {
        (index < Self::LIMIT).then_some(Self(index as u32))
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row{}", self.0)
    }
}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

//! Where a program's choices come from: a seed, or bytes that a fuzzer has chosen.

use ssaphire_tests::Rng;

/// Choices, one after the other.
#[derive(Clone, Debug)]
pub(crate) enum Draws {
    /// They follow from a seed.
    Seed(Rng),
    /// They are read from bytes, the last one first; when none is left every choice is the first one, and nothing happens by chance.
    Bytes(Vec<u8>),
}

impl Draws {
    /// A number in `0..limit`; 0 if `limit` is.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        match self {
            Self::Seed(rng) => rng.below(limit),
            Self::Bytes(bytes) => usize::from(bytes.pop().unwrap_or(0)) % limit.max(1),
        }
    }

    /// Whether something happens that happens `percent` times in a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        match self {
            Self::Seed(rng) => rng.chance(percent),
            Self::Bytes(_) => self.below(100) + percent >= 100,
        }
    }

    /// One of `items`, of which there is one at least.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

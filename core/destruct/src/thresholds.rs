//! Where algorithms change over, so that tests can set each to its least.

/// Sizes at which an algorithm takes another data structure, or stops.
///
/// [`Default`] is what suits most functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// The most members of a class of [`Method::Coalescing`](crate::Method::Coalescing) that is kept as a list, at least 1; a
    /// larger class is a search tree. Changes no result. Default: 32.
    pub listed_class: u32,
    /// Live ranges of [`Method::Coalescing`](crate::Method::Coalescing) that take this many times as many entries as there are
    /// blocks are large: from then on, blocks nearby are looked at first. Changes no result. Default: 4.
    pub live_blocks: usize,
    /// The most rounds of [`Irreducible::Split`](crate::structure::Irreducible::Split), one for each level of nesting; what
    /// is irreducible after that is dispatched. Default: 16.
    pub split_rounds: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { listed_class: 32, live_blocks: 4, split_rounds: 16 }
    }
}

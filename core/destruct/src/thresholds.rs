//! The sizes at which algorithms change over, so that tests can set each to its minimum.

/// Sizes at which an algorithm takes another data structure, or stops.
///
/// [`Default`] suits most functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// The maximum number of members of a class of [`Method::Coalescing`](crate::Method::Coalescing) that is a list, at
    /// least 1; a larger class is a search tree. Changes no result. Default: 32.
    pub listed_class: u32,
    /// Number of edges that may be followed to find live ranges one by one, for each value (for
    /// [`Method::Coalescing`](crate::Method::Coalescing), each name that is compared), use and edge of the function.
    /// After that, live sets of all values are computed at once, in sets that share memory. Changes no result. Default:
    /// 4.
    pub live_range_edges: u32,
    /// The maximum number of rounds of [`Irreducible::Split`](crate::structure::Irreducible::Split), one for each level
    /// of nesting; loops that are irreducible after that are dispatched. Default: 16.
    pub split_rounds: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { listed_class: 32, live_range_edges: 4, split_rounds: 16 }
    }
}

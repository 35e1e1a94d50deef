//! The sizes at which algorithms change over, so that tests can set each to its minimum.

/// Sizes at which an algorithm takes another data structure, or stops.
///
/// [`Default`] suits most functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// The most members of a class of [`Method::Coalescing`](crate::Method::Coalescing) that is kept as a list, at least 1; a
    /// larger class is a search tree. Changes no result. Default: 32.
    pub listed_class: u32,
    /// How many edges are followed to find where values live, one after the other: so many times the values (names of
    /// [`Method::Coalescing`](crate::Method::Coalescing), which looks for those that it compares), their uses and the edges of the function.
    /// When they are used up, what is live is found for all at once, in sets that share their memory. Changes no result. Default: 4.
    pub live_range_edges: u32,
    /// The most rounds of [`Irreducible::Split`](crate::structure::Irreducible::Split), one for each level of nesting; what
    /// is irreducible after that is dispatched. Default: 16.
    pub split_rounds: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { listed_class: 32, live_range_edges: 4, split_rounds: 16 }
    }
}

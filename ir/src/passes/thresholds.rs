//! Where passes change over, so that tests can set each to its least.

/// Sizes at which a pass changes its strategy.
///
/// The [`Default`] suits most functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// An empty block stays if more edges arrive by it, at more phis, than this: without it, each edge would have an
    /// operand in each phi. Default: 4.
    pub multiplied: usize,
    /// Jump threading repairs values one by one, until it has looked at this many times as many edges and blocks as
    /// there are; the values that are left it repairs together. Changes the numbers of values alone. Default: 8.
    pub repair_steps: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { multiplied: 4, repair_steps: 8 }
    }
}

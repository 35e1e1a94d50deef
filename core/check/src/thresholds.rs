//! Limits at which the judge changes its method, which tests can set to their minimum.

/// Limits at which the judge changes its method, or takes more memory. They never change its answer.
///
/// The [`Default`] suits most functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// The most rungs that an obligation climbs at once up the dominator tree; with 0, it goes back edge by edge.
    /// Default: 16.
    pub rungs: u32,
    /// The most steps, for each incoming edge of a join, of deciding exactly whether an obligation stays there; with 0,
    /// it stays. Default: 1.
    pub steps_per_edge: u32,
    /// With this many ways into loops in a function, a climb looks up the loops in which a variable is assigned. With
    /// fewer, it stops at each way into a loop that it passes, if any block below assigns the variable. Default: 8.
    pub loops: u32,
    /// Slots that the table of obligations has at first for each event; it doubles when half of them are taken.
    /// Default: 2.
    pub slots_per_event: u32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { rungs: 16, steps_per_edge: 1, loops: 8, slots_per_event: 2 }
    }
}

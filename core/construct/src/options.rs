//! The options of a builder.

use crate::thresholds::Thresholds;
use ssaphire_graph::IdLimits;

/// The options of a builder. The defaults suit most uses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether `finish` removes redundant sets of phis, so that the result is irredundant on any graph. Default: yes.
    ///
    /// If unreachable code has edges into reachable code, this runs in any case:
    /// only at the end is it known that such edges can be ignored.
    pub minimize: bool,
    /// Whether reads that carry a site number are reported when they may see an undefined variable. Default: no.
    pub report_undefined_reads: bool,
    /// Steps allowed per function: each block that a lookup passes and each operand count as one. Default: no limit.
    ///
    /// [`Stats::work`](crate::Stats::work) has the number of steps taken.
    pub work_limit: Option<u64>,
    /// The limits of the ids of blocks, variables and values. Default: below 2^24, 2^24 and 2^26.
    ///
    /// Tables grow with the largest id mentioned: by about a hundred bytes per block, a few dozen per variable, and
    /// a few bytes per value, most of them only if it is a phi or forwarded.
    pub ids: IdLimits,
    /// The points at which data structures change and fast paths are given up: for tests. The result is right with any.
    pub thresholds: Thresholds,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            minimize: true,
            report_undefined_reads: false,
            work_limit: None,
            ids: IdLimits::default(),
            thresholds: Thresholds::DEFAULT,
        }
    }
}

impl Options {
    /// The same options, with or without removing redundant sets of phis.
    #[must_use]
    pub fn with_minimize(mut self, minimize: bool) -> Self {
        self.minimize = minimize;
        self
    }

    /// The same options, with reads that carry a site number reported if they may see an undefined variable.
    #[must_use]
    pub fn with_undefined_reads(mut self) -> Self {
        self.report_undefined_reads = true;
        self
    }

    /// The same options, with a limit of steps per function.
    ///
    /// A few hundred steps per access and edge leave room for any program that is not hostile.
    /// If you set a limit, use the `try_` calls: the others panic when it is reached.
    #[must_use]
    pub fn with_work_limit(mut self, steps: u64) -> Self {
        self.work_limit = Some(steps);
        self
    }

    /// The same options, with other limits of ids.
    ///
    /// The `try_` calls return an error for an id that is not below its limit, the others panic.
    #[must_use]
    pub fn with_ids(mut self, ids: IdLimits) -> Self {
        self.ids = ids;
        self
    }

    /// The same options, with other thresholds.
    #[must_use]
    pub fn with_thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        self
    }
}

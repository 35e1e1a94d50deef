//! The counters of a construction.

use core::ops::AddAssign;

/// Counters of one function's construction, or the sum over several.
///
/// Exact, and the same for the same input: tests assert them. The counters marked "counted by `finish`" are 0 before
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Blocks that were mentioned; counted by `finish`.
    pub blocks: u64,
    /// Edges added, repeated ones counted each time.
    pub edges: u64,
    /// Writes of variables.
    pub writes: u64,
    /// Reads of variables by the caller.
    pub reads: u64,
    /// Reads that the block itself could not answer.
    pub lookups: u64,
    /// Blocks passed by lookups.
    pub lookup_steps: u64,
    /// Joins entered by lookups.
    pub joins_entered: u64,
    /// Phis made in blocks that were not sealed, or whose dominator was not known yet.
    pub incomplete_phis: u64,
    /// Phis made, incomplete ones included. In an engine that decides at the end: phis that it placed, before it
    /// removed any.
    pub phis_made: u64,
    /// Operands added to phis.
    pub operands_added: u64,
    /// Checks whether a phi is trivial.
    pub triviality_checks: u64,
    /// Operands examined in such checks.
    pub operands_scanned: u64,
    /// Phis examined because one that they use, or may use, was removed: entries of lists of users or watching phis.
    pub users_visited: u64,
    /// Phis found trivial; in `region`, also incomplete ones that were redundant when their block was sealed.
    pub trivial_phis: u64,
    /// Phis removed by `minimize`; counted by `finish`.
    pub redundant_phis: u64,
    /// Phis in unreachable code; counted by `finish`.
    pub unreachable_phis: u64,
    /// Phis that nothing used at the end; counted by `finish`.
    pub dropped_phis: u64,
    /// Phis in the result; counted by `finish`.
    pub phis_kept: u64,
    /// Operands of the phis in the result; counted by `finish`.
    pub operands_kept: u64,
    /// Values replaced by the host.
    pub replaced: u64,
    /// Steps that count against the work budget.
    pub work: u64,
}

impl Stats {
    /// Accesses and edges so far: the measure of a function's size.
    pub(crate) fn num_events(&self) -> u64 {
        self.reads + self.writes + self.edges
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.edges += other.edges;
        self.writes += other.writes;
        self.reads += other.reads;
        self.lookups += other.lookups;
        self.lookup_steps += other.lookup_steps;
        self.joins_entered += other.joins_entered;
        self.incomplete_phis += other.incomplete_phis;
        self.phis_made += other.phis_made;
        self.operands_added += other.operands_added;
        self.triviality_checks += other.triviality_checks;
        self.operands_scanned += other.operands_scanned;
        self.users_visited += other.users_visited;
        self.trivial_phis += other.trivial_phis;
        self.redundant_phis += other.redundant_phis;
        self.unreachable_phis += other.unreachable_phis;
        self.dropped_phis += other.dropped_phis;
        self.phis_kept += other.phis_kept;
        self.operands_kept += other.operands_kept;
        self.replaced += other.replaced;
        self.work += other.work;
    }
}

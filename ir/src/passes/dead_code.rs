//! Dead code elimination by control dependence.
//!
//! Everything is dead that is not marked: what has an effect is, and then what
//! that needs, which is the definitions of its operands and the branches that
//! decide whether it is executed. So loops and conditionals that do nothing
//! go, too, and phis that need only each other.
//!
//! | Cytron et al. 1991 | here |
//! |---|---|
//! | Fig. 17, first loops: what is live to begin with | `roots` |
//! | Fig. 17, the work list | `mark::Marking::run` |
//! | Definer(S): what defines the operands of a live statement | `mark::Marking::follow` |
//! | CD^-1, Last: the branches that decide on its block | `controllers` |
//! | Fig. 17, last loop: deletion | `sweep` |
//! | section 7.1, dead conditional branches become jumps | `sweep::ways_on` |
//!
//! # Complexity
//! O((*n* + *e*) log *e* + size of the function); with [`Options::keep_loops`] and irreducible loops that for each time
//! something goes.
//!
//! # Departures
//! * The paper looks control dependences up in sets, which together can be quadratic. They are looked for in a table of
//!   edges, out of which those go that have been found. The result is that of iterated frontiers of the reversed graph;
//!   to compute one of these for all blocks that operands have made live, in rounds, is quadratic for a row of
//!   conditionals each of which needs the one before.
//! * A live phi makes the blocks its edges come from live, and the terminators from which several edges come: it is the
//!   edge that chooses its operand. The paper's text loses the branch over empty arms whose end merges two constants.
//! * A dead terminator becomes a jump to the nearest live post-dominator: any target, as the paper has it, may be the
//!   way into an endless loop.
//! * Parts of the graph from which nothing leaves the function keep their terminators, and so do all loops with
//!   [`Options::keep_loops`].
//! * A branch on what may be undefined is live if the dialect traps there. Parameters count as defined, and so does
//!   what an operation makes of defined arguments, unless the dialect says otherwise.

mod controllers;
mod mark;
mod roots;
mod sweep;
mod undefined;

use super::empty_blocks::remove_empty_blocks_up_to;
use super::{Thresholds, remove_redundant_phis, remove_unreachable_blocks};
use crate::dialect::Semantics;
use crate::function::Function;
use mark::Marking;
use ssaphire::graph::{CfgError, FlatCfg, PostDominators};

/// Constraints on [`remove_dead_code`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether loops without effect are kept, since they may never end.
    ///
    /// Otherwise, a loop with an exit is assumed to terminate.
    pub keep_loops: bool,
    /// Which empty blocks stay.
    pub thresholds: Thresholds,
}

/// Counts of what [`remove_dead_code`] has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Unreachable blocks, including those that were reached only through dead branches.
    pub unreachable_blocks: usize,
    /// Redundant phis.
    pub redundant_phis: usize,
    /// Dead phis.
    pub dead_phis: usize,
    /// Dead instructions, without terminators.
    pub dead_insts: usize,
    /// Branches on which no live code depended.
    pub dead_branches: usize,
    /// Blocks that only jump.
    pub empty_blocks: usize,
}

impl Report {
    /// Whether nothing was removed.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The sum of two.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            unreachable_blocks: self.unreachable_blocks + other.unreachable_blocks,
            redundant_phis: self.redundant_phis + other.redundant_phis,
            dead_phis: self.dead_phis + other.dead_phis,
            dead_insts: self.dead_insts + other.dead_insts,
            dead_branches: self.dead_branches + other.dead_branches,
            empty_blocks: self.empty_blocks + other.empty_blocks,
        }
    }
}

/// Removes code from `function` that does not contribute to its behavior; returns the counts.
///
/// The behavior is its effects, in order, its returned values, and its traps. A second run removes nothing.
///
/// # Errors
/// If the graph violates its contract.
pub fn remove_dead_code<D: Semantics>(function: &mut Function<D>, options: Options) -> Result<Report, CfgError> {
    let mut report = remove_unmarked(function, options)?;
    let mut last = report;
    // Which terminators of an irreducible loop lead back is a matter of the walk, and may be fewer without empty
    // blocks.
    while options.keep_loops && !last.is_empty() {
        last = remove_unmarked(function, options)?;
        report = report.and(last);
    }
    Ok(report)
}

fn remove_unmarked<D: Semantics>(function: &mut Function<D>, options: Options) -> Result<Report, CfgError> {
    let mut report = Report { unreachable_blocks: remove_unreachable_blocks(function)?, ..Report::default() };
    // Before the marking, since a redundant phi makes branches live. The rest makes no phi redundant: the source of an
    // edge to a live phi is live, and so the edge stays.
    report.redundant_phis = remove_redundant_phis(function)?;
    let cfg = FlatCfg::new(function)?;
    let post_dominators = PostDominators::new(&cfg);
    let live = Marking::new(function, &cfg).run(&post_dominators, options);
    sweep::sweep(function, &live, &post_dominators, &mut report);
    report.unreachable_blocks += remove_unreachable_blocks(function)?;
    report.empty_blocks = remove_empty_blocks_up_to(function, options.thresholds)?;
    Ok(report)
}

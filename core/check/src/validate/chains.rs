//! Which blocks control can enter, and at which of them obligations are kept.

use crate::program::Program;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Cfg, IdMap};

/// Of a chain of blocks with one incoming edge each, one in so many keeps obligations.
///
/// More would save memory and cost steps: every read of a variable in such a
/// chain may pass this many blocks before it meets what an earlier one found.
const PERIOD: u8 = 8;

const UNREACHABLE: u8 = u8::MAX;

/// Per reachable block, how far down it is in its chain, modulo [`PERIOD`]. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(super) struct Chains {
    depth: IdMap<Block, u8>,
    pending: Vec<Block>,
}

impl Chains {
    pub(super) fn rebuild(&mut self, program: &Program) {
        self.depth.reset(program.num_blocks(), UNREACHABLE);
        self.depth[program.entry()] = 0;
        self.pending.push(program.entry());
        while let Some(block) = self.pending.pop() {
            for target in program.successors(block) {
                if self.depth[target] != UNREACHABLE {
                    continue;
                }
                // With one incoming edge, this is the edge.
                let is_chained = program.incoming(target).len() == 1;
                self.depth[target] = if is_chained { (self.depth[block] + 1) % PERIOD } else { 0 };
                self.pending.push(target);
            }
        }
    }

    pub(super) fn is_reachable(&self, block: Block) -> bool {
        self.depth[block] != UNREACHABLE
    }

    /// Whether obligations pass `block` without being kept: it has one incoming edge, and is not the entry.
    pub(super) fn is_passed(&self, block: Block) -> bool {
        self.depth[block] != 0
    }
}

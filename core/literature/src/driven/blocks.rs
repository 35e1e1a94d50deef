//! The constructors' data of blocks, in addition to the graph that the calls record.

use super::definitions::List;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_construct::IncomingEdge;
use ssaphire_construct::parts::{self, PhiId};
use ssaphire_graph::{Block, IdMap, PackedOption};

/// Blocks and edges, as recorded by the calls.
pub(crate) type Blocks = parts::Blocks<BlockOwn>;

/// The data of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockOwn {
    pub(crate) first_incomplete: PackedOption<PhiId>,
    pub(crate) last_incomplete: PackedOption<PhiId>,
    /// The last walk that passed.
    pub(crate) seen: u32,
    /// The lookup that has entered this join and not left it.
    pub(crate) mark: u32,
}

/// The incoming edges of sealed blocks, each block's side by side, by operand index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incoming {
    edges: Vec<IncomingEdge>,
    ranges: IdMap<Block, (u32, u32)>,
}

impl Incoming {
    pub(crate) fn clear(&mut self) {
        self.edges.clear();
        self.ranges.clear();
    }

    /// Lists the edges of a block that has been sealed.
    #[inline]
    pub(crate) fn list(&mut self, blocks: &Blocks, block: Block) {
        let first = self.edges.len();
        blocks.visit_incoming_backwards(block, |edge| self.edges.push(edge));
        self.edges[first..].reverse();
        self.ranges.grow_to(block, (0, 0));
        self.ranges[block] = (first as u32, self.edges.len() as u32);
    }

    /// The edges into a sealed block; none of an entry that was not sealed.
    #[inline]
    pub(crate) fn of(&self, block: Block) -> &[IncomingEdge] {
        &self.edges[self.range(block)]
    }

    /// Where the edges into a sealed block are, for [`at`](Self::at).
    #[inline]
    pub(crate) fn range(&self, block: Block) -> Range<usize> {
        let (first, end) = self.ranges.get(block).copied().unwrap_or_default();
        first as usize..end as usize
    }

    #[inline]
    pub(crate) fn at(&self, place: usize) -> IncomingEdge {
        self.edges[place]
    }
}

/// The data of a block that walks need: its predecessor, and its definitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The bits of the variables for which a walk stops at the block: all until it is linked, then those that it
    /// defines.
    pub(crate) stops: u64,
    /// The source of its only edge, once it is linked; before, no walk passes it.
    pub(crate) up: Block,
    /// The stored values of variables at the end of the block.
    pub(crate) definitions: List,
}

impl Link {
    const NEW: Self = Self { stops: u64::MAX, up: Block::new(0), definitions: List::EMPTY };
}

impl Default for Link {
    fn default() -> Self {
        Self::NEW
    }
}

/// Where walks go on from blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links(IdMap<Block, Link>);

impl Links {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(crate) fn find(&self, block: Block) -> Option<&Link> {
        self.0.get(block)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, block: Block) -> &mut Link {
        self.0.grow_to(block, Link::NEW);
        &mut self.0[block]
    }

    /// The first block from `from` upwards at which a lookup of a variable of that bit stops, and the steps.
    ///
    /// After more than `limit` steps the block need not be one at which it stops.
    #[inline]
    pub(crate) fn climb(&self, from: Block, bit: u64, limit: u64) -> (Block, u64) {
        let (mut at, mut steps_left) = (from, limit);
        loop {
            match self.0.get(at) {
                Some(link) if link.stops & bit == 0 && steps_left > 0 => at = link.up,
                _ => return (at, limit - steps_left + 1),
            }
            steps_left -= 1;
        }
    }
}

//! The graph as threading will leave it, while the function stays as it is.

use crate::dialect::Semantics;
use crate::function::{Function, IncomingEdge};
use ssaphire::Block;
use ssaphire::graph::{CfgError, Edge, FlatCfg, IdMap};

/// A way into a block: an edge, and which operands phis have for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    pub(super) edge: IncomingEdge,
    /// The number of the operands that an edge has in the function which this one does the work of, or is.
    pub(super) index: usize,
}

/// A copy of a block, which leaves it by a single slot.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    pub(super) original: Block,
    pub(super) slot: u32,
    pub(super) ways: Vec<Way>,
}

/// A way that was added to a block, and must be looked at if the block has been.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    pub(super) block: Block,
    pub(super) number: usize,
}

/// What is known of a block that is there.
#[derive(Clone, Debug, Default)]
struct Original {
    is_seen: bool,
    is_copied: bool,
    /// How many ways lead there, once it is seen; at least.
    num_open: usize,
    /// The ways that copies have added, and whether they have been led to a copy.
    added: Vec<(Way, bool)>,
}

/// Blocks that are there and copies of them, which are numbered after them, and the ways between them.
///
/// The ways into a block are numbered: those that are there by operand, then those that copies add.
#[derive(Default)]
pub(super) struct Plan {
    /// As it is.
    pub(super) cfg: FlatCfg,
    originals: IdMap<Block, Original>,
    copies: Vec<Copied>,
    /// By edge that is there: the copy to which it is led.
    led: IdMap<Edge, Option<Block>>,
}

impl Plan {
    pub(super) fn new<D: Semantics>(function: &Function<D>) -> Result<Self, CfgError> {
        let cfg = FlatCfg::new(function)?;
        let originals = IdMap::filled(cfg.num_blocks(), Original::default());
        let led = IdMap::filled(cfg.num_edges(), None);
        Ok(Self { cfg, originals, copies: Vec::new(), led })
    }

    /// The copies, by number.
    pub(super) fn copies(&self) -> impl ExactSizeIterator<Item = (Block, &Copied)> {
        let first = self.originals.len();
        self.copies.iter().enumerate().map(move |(index, copy)| (Block::new(first + index), copy))
    }

    fn copy(&self, block: Block) -> Option<&Copied> {
        self.copies.get(block.index().checked_sub(self.originals.len())?)
    }

    /// The block that `block` is, or is a copy of.
    pub(super) fn original(&self, block: Block) -> Block {
        self.copy(block).map_or(block, |copy| copy.original)
    }

    /// Whether there are copies of a block that is there.
    pub(super) fn is_copied(&self, original: Block) -> bool {
        self.originals[original].is_copied
    }

    /// Whether the ways into a block have been looked at. Nobody looks at those into copies, which jump.
    pub(super) fn is_seen(&self, block: Block) -> bool {
        self.originals.get(block).is_none_or(|original| original.is_seen)
    }

    /// Whether it is known that no way leads to the block any longer.
    fn is_dead(&self, block: Block) -> bool {
        let is_dead = |original: &Original| original.is_seen && original.num_open == 0;
        block != self.cfg.entry() && self.originals.get(block).is_some_and(is_dead)
    }

    /// A way into a block that is there, unless it has been led to a copy, or its source is dead.
    pub(super) fn way(&self, block: Block, number: usize) -> Option<Way> {
        let way = self.remaining_way(block, number)?;
        Some(way).filter(|way| !self.is_dead(way.edge.source))
    }

    fn remaining_way(&self, block: Block, number: usize) -> Option<Way> {
        let incoming = self.cfg.incoming(block);
        if let Some(&edge) = incoming.get(number) {
            let incoming = IncomingEdge { source: self.cfg.source(edge), slot: self.cfg.slot(edge) };
            return self.led[edge].is_none().then_some(Way { edge: incoming, index: number });
        }
        let (way, is_led) = self.originals[block].added[number - incoming.len()];
        (!is_led).then_some(way)
    }

    fn num_ways(&self, block: Block) -> usize {
        self.cfg.incoming(block).len() + self.originals[block].added.len()
    }

    /// The ways into a block that is there which have not been led to a copy.
    pub(super) fn remaining_ways(&self, block: Block) -> impl Iterator<Item = Way> {
        (0..self.num_ways(block)).filter_map(move |number| self.remaining_way(block, number))
    }

    /// The ways by which control comes to a block or a copy.
    pub(super) fn ways(&self, block: Block) -> impl Iterator<Item = Way> {
        let (copied, num_ways) = match self.copy(block) {
            Some(copy) => (&copy.ways[..], 0),
            None => (&[][..], self.num_ways(block)),
        };
        (0..num_ways).filter_map(move |number| self.way(block, number)).chain(copied.iter().copied())
    }

    /// Whether the ways into an original block have changed.
    pub(super) fn is_changed(&self, block: Block) -> bool {
        self.is_copied(block) || !self.originals[block].added.is_empty()
    }

    /// Says that the ways into `block` are looked at for the first time: how many numbers they have.
    pub(super) fn see(&mut self, block: Block) -> usize {
        let num_ways = self.num_ways(block);
        let num_open = (0..num_ways).filter(|&number| self.way(block, number).is_some()).count();
        let original = &mut self.originals[block];
        (original.is_seen, original.num_open) = (true, num_open);
        num_ways
    }

    /// Redirects ways into `block`, sorted by slot, to one copy for each slot. Returns the ways that the copies add.
    pub(super) fn copy_block(&mut self, block: Block, threads: &[(u32, usize)]) -> Vec<Added> {
        let first = self.copies.len();
        for threads in threads.chunk_by(|one, other| one.0 == other.0) {
            let ways = threads.iter().filter_map(|&(_, number)| self.remaining_way(block, number)).collect();
            let copy = Block::new(self.originals.len() + self.copies.len());
            self.copies.push(Copied { original: block, slot: threads[0].0, ways });
            threads.iter().for_each(|&(_, number)| self.redirect(block, number, copy));
        }
        self.originals[block].is_copied = true;
        // A copy may lead to another one, or to itself.
        (first..self.copies.len()).filter_map(|index| self.connect(index)).collect()
    }

    fn redirect(&mut self, block: Block, number: usize, copy: Block) {
        let incoming = self.cfg.incoming(block);
        let original = &mut self.originals[block];
        match incoming.get(number) {
            Some(&edge) => self.led[edge] = Some(copy),
            None => original.added[number - incoming.len()].1 = true,
        }
        original.num_open -= 1;
    }

    /// Lets a copy lead where its block does by that slot: the way that is added, unless it leads to a copy.
    fn connect(&mut self, index: usize) -> Option<Added> {
        let Copied { original, slot, .. } = self.copies[index];
        let source = Block::new(self.originals.len() + index);
        let edge = self.cfg.edge_at(original, slot).expect("a branch chooses one of its slots");
        let way = Way { edge: IncomingEdge { source, slot: 0 }, index: self.cfg.operand_index(edge) };
        // What is known on an edge is known on one that does a part of its work.
        if let Some(led) = self.led[edge] {
            let led = led.index() - self.originals.len();
            self.copies[led].ways.push(way);
            return None;
        }
        let block = self.cfg.target(edge);
        let number = self.num_ways(block);
        let target = &mut self.originals[block];
        target.added.push((way, false));
        target.num_open += 1;
        Some(Added { block, number })
    }
}

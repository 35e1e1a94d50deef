//! The control-flow graph of one function, read only, and its flat copy.
//!
//! Edges are not pairs of blocks: a terminator that names a target twice has
//! two edges to it. Edges leave a block by *slot* (position in the terminator)
//! and enter a block by *operand index* (position among its incoming edges).
//! The k-th occurrence of `p` among `predecessors(b)` is the k-th occurrence of
//! `b` among `successors(p)`; [`FlatCfg`] pairs the two ends.

use crate::{Block, Edge, Id, IdLists, IdStacks, internal_id};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// The control-flow graph of one function, read only.
pub trait Cfg {
    /// Number of blocks, reachable or not; ids are `0..num_blocks`.
    fn num_blocks(&self) -> usize;

    /// The block where control enters; it may have incoming edges.
    fn entry(&self) -> Block;

    /// Targets of the outgoing edges of `block`, in terminator order.
    ///
    /// A target named twice appears twice: these are edges, not a set.
    fn successors(&self, block: Block) -> impl Iterator<Item = Block>;

    /// Sources of the incoming edges of `block`.
    ///
    /// An edge's position here is its operand index in every phi of `block`.
    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block>;
}

impl<G: Cfg> Cfg for &G {
    fn num_blocks(&self) -> usize {
        (**self).num_blocks()
    }

    fn entry(&self) -> Block {
        (**self).entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        (**self).successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        (**self).predecessors(block)
    }
}

/// An incoming edge of a block: `incoming(block)[i]` is the edge of operand `i` of each phi in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IncomingEdge {
    /// The block it leaves.
    pub source: Block,
    /// Its position in the terminator of `source`.
    pub slot: u32,
}

/// A violation of the contract of [`Cfg`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CfgError {
    /// The entry is not one of the blocks.
    NoEntry {
        /// The block named as entry.
        entry: Block,
        /// Number of blocks in the graph.
        num_blocks: usize,
    },
    /// The graph reports more blocks than there are ids.
    TooManyBlocks {
        /// Number of blocks it reports.
        given: usize,
        /// Number of ids.
        limit: usize,
    },
    /// An edge ends at a block that does not exist.
    NoSuchBlock {
        /// The block whose edge it is.
        block: Block,
        /// The block at its other end.
        target: Block,
    },
    /// The two blocks name each other a different number of times.
    Unpaired {
        /// Where the edges leave.
        source: Block,
        /// Where the edges arrive.
        target: Block,
    },
}

impl fmt::Display for CfgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry { num_blocks: 0, .. } => f.write_str("the graph has no blocks, and so no entry"),
            Self::NoEntry { entry, num_blocks } => {
                write!(f, "{entry}: is the entry, but the graph has only {num_blocks} blocks")
            }
            Self::TooManyBlocks { given, limit } => {
                write!(f, "the graph has {given} blocks, but the limit is {limit}")
            }
            Self::NoSuchBlock { block, target } => {
                write!(f, "{block}: has an edge to or from {target}, which does not exist")
            }
            Self::Unpaired { source, target } => {
                write!(f, "{source}: its edges to {target} do not match the incoming edges of {target}")
            }
        }
    }
}

impl core::error::Error for CfgError {}

internal_id!(
    /// Number of an incoming position, in the order of the sources that they name.
    Named, "position", Edge::LIMIT
);

/// A graph in flat arrays, which batch algorithms read instead of the host.
///
/// Edges are numbered by source block, then slot. Rebuilding reuses memory.
#[derive(Clone, Debug, Default)]
pub struct FlatCfg {
    entry: u32,
    /// `out_start[b]..out_start[b + 1]` are the outgoing edges of `b`.
    out_start: Vec<u32>,
    target: Vec<Block>,
    source: Vec<Block>,
    /// Operand index of each edge at its target.
    position: Vec<u32>,
    in_start: Vec<u32>,
    /// The incoming edges of each block, by operand index.
    incoming: Vec<Edge>,
    cursor: Vec<u32>,
}

impl FlatCfg {
    /// The flat copy of `cfg`.
    ///
    /// # Errors
    /// If `cfg` breaks its contract: see [`CfgError`].
    ///
    /// # Complexity
    /// O(*n* + *e*), plus for a pair of blocks joined by *k* edges O(*k*); no hashing.
    pub fn new(cfg: &impl Cfg) -> Result<Self, CfgError> {
        let mut flat = Self::default();
        flat.rebuild(cfg)?;
        Ok(flat)
    }

    /// The graph with the given successor lists, incoming edges ordered by source block, then slot.
    ///
    /// # Errors
    /// If the entry or a target is not a block.
    pub fn from_successors<S: AsRef<[Block]>>(entry: Block, successors: &[S]) -> Result<Self, CfgError> {
        let mut flat = Self::default();
        flat.rebuild_from_targets(successors.len(), entry, |block| successors[block.index()].as_ref())?;
        Ok(flat)
    }

    /// Rebuilds this graph from the successors of each block, by slot, and reuses its memory.
    ///
    /// Incoming edges are ordered by source block, then slot.
    ///
    /// # Errors
    /// If the entry or a target is not a block. The graph is then empty.
    pub fn rebuild_from_targets<'a>(
        &mut self,
        num_blocks: usize,
        entry: Block,
        targets: impl Fn(Block) -> &'a [Block],
    ) -> Result<(), CfgError> {
        self.begin(num_blocks, entry)?;
        for source in (0..num_blocks).map(Block::new) {
            for &target in targets(source) {
                self.push_edge(source, target, num_blocks)?;
            }
            self.out_start.push(self.target.len() as u32);
        }
        self.place_all_incoming(num_blocks);
        Ok(())
    }

    /// Rebuilds this graph as the flat copy of `cfg`, and reuses its memory.
    ///
    /// # Errors
    /// If `cfg` breaks its contract. The graph is then empty.
    pub fn rebuild(&mut self, cfg: &impl Cfg) -> Result<(), CfgError> {
        let num_blocks = cfg.num_blocks();
        self.begin(num_blocks, cfg.entry())?;
        for source in (0..num_blocks).map(Block::new) {
            for target in cfg.successors(source) {
                self.push_edge(source, target, num_blocks)?;
            }
            self.out_start.push(self.target.len() as u32);
        }
        self.pair(cfg, num_blocks)
    }

    /// Rebuilds this graph from `edges`, which are ordered by source; incoming edges keep that order.
    ///
    /// # Errors
    /// If the entry or an end of an edge is not a block, or the sources are out of order. The graph is then empty.
    pub fn rebuild_from_edges(
        &mut self,
        num_blocks: usize,
        entry: Block,
        edges: impl Iterator<Item = (Block, Block)>,
    ) -> Result<(), CfgError> {
        self.begin(num_blocks, entry)?;
        for (source, target) in edges {
            if source.index() >= num_blocks || source.index() + 1 < self.out_start.len() {
                self.clear();
                return Err(CfgError::NoSuchBlock { block: target, target: source });
            }
            self.out_start.resize(source.index() + 1, self.target.len() as u32);
            self.push_edge(source, target, num_blocks)?;
        }
        self.out_start.resize(num_blocks + 1, self.target.len() as u32);
        self.place_all_incoming(num_blocks);
        Ok(())
    }

    /// Orders incoming edges by source block, then slot.
    fn place_all_incoming(&mut self, num_blocks: usize) {
        self.count_incoming(num_blocks);
        for edge in 0..self.target.len() {
            self.place_incoming(edge);
        }
    }

    /// The block where control enters.
    pub fn entry(&self) -> Block {
        Block::new(self.entry as usize)
    }

    /// Number of blocks, reachable or not.
    pub fn num_blocks(&self) -> usize {
        self.out_start.len().saturating_sub(1)
    }

    /// Number of edges, repeated ones counted each time.
    pub fn num_edges(&self) -> usize {
        self.target.len()
    }

    /// All blocks, in id order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + Clone + use<> {
        (0..self.num_blocks()).map(Block::new)
    }

    /// The outgoing edges of `block`, by slot: consecutive ids.
    #[inline]
    pub fn outgoing(&self, block: Block) -> impl DoubleEndedIterator<Item = Edge> + ExactSizeIterator + use<> {
        self.outgoing_range(block).map(Edge::new)
    }

    /// The incoming edges of `block`, by operand index.
    #[inline]
    pub fn incoming(&self, block: Block) -> &[Edge] {
        let index = block.index();
        &self.incoming[self.in_start[index] as usize..self.in_start[index + 1] as usize]
    }

    /// Targets of the outgoing edges of `block`, by slot.
    #[inline]
    pub fn targets(&self, block: Block) -> &[Block] {
        &self.target[self.outgoing_range(block)]
    }

    /// The block an edge leaves.
    #[inline]
    pub fn source(&self, edge: Edge) -> Block {
        self.source[edge.index()]
    }

    /// The block an edge enters.
    #[inline]
    pub fn target(&self, edge: Edge) -> Block {
        self.target[edge.index()]
    }

    /// The edge's position in the terminator of its source.
    pub fn slot(&self, edge: Edge) -> u32 {
        edge.as_u32() - self.out_start[self.source(edge).index()]
    }

    /// The edge's position among the incoming edges of its target: the index of its phi operands.
    pub fn operand_index(&self, edge: Edge) -> usize {
        self.position[edge.index()] as usize
    }

    /// The edge that leaves `block` by `slot`.
    pub fn edge_at(&self, block: Block, slot: u32) -> Option<Edge> {
        self.outgoing(block).nth(slot as usize)
    }

    #[inline]
    fn outgoing_range(&self, block: Block) -> Range<usize> {
        let index = block.index();
        self.out_start[index] as usize..self.out_start[index + 1] as usize
    }

    fn begin(&mut self, num_blocks: usize, entry: Block) -> Result<(), CfgError> {
        self.clear();
        if num_blocks > Block::LIMIT {
            return Err(CfgError::TooManyBlocks { given: num_blocks, limit: Block::LIMIT });
        }
        if entry.index() >= num_blocks {
            return Err(CfgError::NoEntry { entry, num_blocks });
        }
        self.entry = entry.index() as u32;
        self.out_start.push(0);
        Ok(())
    }

    /// Drops the graph; keeps capacity.
    pub fn clear(&mut self) {
        self.out_start.clear();
        self.target.clear();
        self.source.clear();
        self.position.clear();
        self.in_start.clear();
        self.incoming.clear();
    }

    fn push_edge(&mut self, source: Block, target: Block, num_blocks: usize) -> Result<(), CfgError> {
        if target.index() >= num_blocks {
            self.clear();
            return Err(CfgError::NoSuchBlock { block: source, target });
        }
        self.source.push(source);
        self.target.push(target);
        Ok(())
    }

    /// Makes room for the incoming edges of each block: a counting sort that also records the place of each edge.
    fn count_incoming(&mut self, num_blocks: usize) {
        self.in_start.resize(num_blocks + 1, 0);
        for target in &self.target {
            self.in_start[target.index() + 1] += 1;
        }
        for index in 0..num_blocks {
            self.in_start[index + 1] += self.in_start[index];
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&self.in_start[..num_blocks]);
        self.incoming.resize(self.target.len(), Edge::new(0));
        self.position.resize(self.target.len(), 0);
    }

    fn place_incoming(&mut self, edge: usize) {
        let target = self.target[edge].index();
        let place = self.cursor[target];
        self.cursor[target] += 1;
        self.incoming[place as usize] = Edge::new(edge);
        self.position[edge] = place - self.in_start[target];
    }

    /// Assigns an edge to every incoming position.
    ///
    /// First every edge is put where source order would have it. Then, per
    /// source in id order, the positions that name this source are distributed
    /// to its edges by slot, so occurrences pair first with first.
    fn pair(&mut self, cfg: &impl Cfg, num_blocks: usize) -> Result<(), CfgError> {
        self.count_incoming(num_blocks);
        // The incoming positions of all blocks by the source they name.
        let mut named_by = Vec::with_capacity(self.target.len());
        for target in (0..num_blocks).map(Block::new) {
            for (index, source) in cfg.predecessors(target).enumerate() {
                if source.index() >= num_blocks {
                    self.clear();
                    return Err(CfgError::NoSuchBlock { block: target, target: source });
                }
                named_by.push((source, (target, index as u32)));
            }
        }
        let mut by_source = IdLists::new();
        by_source.rebuild(num_blocks, named_by.into_iter());
        self.distribute(&by_source, num_blocks)
    }

    /// `by_source` has, for each source, the predecessor positions that name it, by target, then position.
    fn distribute(&mut self, by_source: &IdLists<Block, (Block, u32)>, num_blocks: usize) -> Result<(), CfgError> {
        let named = by_source.members();
        // By target, its positions that name the current source, the first one on top.
        let mut positions: IdStacks<Block, Named> = IdStacks::new();
        positions.begin(num_blocks, named.len());
        for source in (0..num_blocks).map(Block::new) {
            for place in by_source.range(source).rev() {
                positions.push(named[place].0, Named::new(place));
            }
            for edge in self.outgoing_range(source) {
                let target = self.target[edge];
                let Some(first) = positions.pop(target) else {
                    self.clear();
                    return Err(CfgError::Unpaired { source, target });
                };
                self.position[edge] = named[first.index()].1;
            }
            for &(target, _) in by_source.of(source) {
                if positions.pop(target).is_some() {
                    self.clear();
                    return Err(CfgError::Unpaired { source, target });
                }
            }
        }
        // Nothing is missing and nothing is left, so each position is below the number of incoming edges.
        for (edge, target) in self.target.iter().enumerate() {
            self.incoming[(self.in_start[target.index()] + self.position[edge]) as usize] = Edge::new(edge);
        }
        Ok(())
    }
}

impl Cfg for FlatCfg {
    fn num_blocks(&self) -> usize {
        self.num_blocks()
    }

    fn entry(&self) -> Block {
        self.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.targets(block).iter().copied()
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.incoming(block).iter().map(|&edge| self.source(edge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn a_graph_with_more_blocks_than_ids_is_refused_before_it_is_read() {
        struct Endless;
        impl Cfg for Endless {
            fn num_blocks(&self) -> usize {
                usize::MAX
            }

            fn entry(&self) -> Block {
                Block::new(0)
            }

            fn successors(&self, _: Block) -> impl Iterator<Item = Block> {
                core::iter::repeat(Block::new(0))
            }

            fn predecessors(&self, _: Block) -> impl Iterator<Item = Block> {
                core::iter::repeat(Block::new(0))
            }
        }

        let refused = CfgError::TooManyBlocks { given: usize::MAX, limit: Block::LIMIT };
        assert_eq!(FlatCfg::new(&Endless).unwrap_err(), refused);
        let words = "the graph has 18446744073709551615 blocks, but the limit is 4294967295";
        assert_eq!(alloc::format!("{refused}"), words);
    }

    fn blocks(ids: &[usize]) -> Vec<Block> {
        ids.iter().map(|&id| Block::new(id)).collect()
    }

    /// A graph whose predecessor lists are given separately.
    struct Listed {
        successors: Vec<Vec<Block>>,
        predecessors: Vec<Vec<Block>>,
    }

    impl Cfg for Listed {
        fn num_blocks(&self) -> usize {
            self.successors.len()
        }

        fn entry(&self) -> Block {
            Block::new(0)
        }

        fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
            self.successors[block.index()].iter().copied()
        }

        fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
            self.predecessors[block.index()].iter().copied()
        }
    }

    #[test]
    fn repeated_edges_pair_first_with_first() {
        // Block 2 lists its predecessors as 1, 0, 1, 0.
        let cfg = Listed {
            successors: vec![blocks(&[2, 1, 2]), blocks(&[2, 2]), vec![]],
            predecessors: vec![vec![], blocks(&[0]), blocks(&[1, 0, 1, 0])],
        };
        let flat = FlatCfg::new(&cfg).unwrap();
        let ends: Vec<_> =
            flat.incoming(Block::new(2)).iter().map(|&edge| (flat.source(edge).index(), flat.slot(edge))).collect();
        assert_eq!(ends, [(1, 0), (0, 0), (1, 1), (0, 2)]);
        for edge in (0..flat.num_edges()).map(Edge::new) {
            assert_eq!(flat.incoming(flat.target(edge))[flat.operand_index(edge)], edge);
        }
    }

    #[test]
    fn a_refused_graph_is_empty() {
        let [first, second] = [0, 1].map(Block::new);
        let mut flat = FlatCfg::default();
        for edges in [[(second, first), (first, first)], [(first, second), (Block::new(2), first)]] {
            assert!(flat.rebuild_from_edges(2, first, edges.into_iter()).is_err());
            assert_eq!((flat.num_blocks(), flat.num_edges()), (0, 0));
        }
    }

    #[test]
    fn ends_that_disagree_are_an_error() {
        let cfg =
            Listed { successors: vec![blocks(&[1, 1]), blocks(&[1])], predecessors: vec![vec![], blocks(&[0, 1, 1])] };
        let unpaired = CfgError::Unpaired { source: Block::new(0), target: Block::new(1) };
        assert_eq!(FlatCfg::new(&cfg).unwrap_err(), unpaired);
        let missing = FlatCfg::from_successors(Block::new(0), &[blocks(&[7])]).unwrap_err();
        assert_eq!(alloc::format!("{missing}"), "block0: has an edge to or from block7, which does not exist");
    }
}

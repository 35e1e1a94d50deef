//! The loops of a graph and how they nest.
//!
//! Take the depth-first tree of the graph. A block is a *header* if a
//! retreating edge leads to it: an edge from itself or a descendant. Its *loop*
//! is the header and all its descendants from which a path leads to it that
//! visits descendants of it only. Two loops are disjoint or one lies in the
//! other (Tarjan 1976), so they form a forest.
//!
//! In a reducible graph these are the natural loops with a common header taken
//! together, whatever the order of the walk. A loop with several entries is
//! *irreducible*: its header, the block that the walk reached first, does not
//! dominate all of it, and another order of targets may give another header.
//! Such a loop is in the forest, too, and is flagged; a cycle inside of it that
//! avoids the header is a loop of its own.
//!
//! | paper | here |
//! |---|---|
//! | Tarjan 1976, loops by depth-first tree | `nesting` |
//! | Ramalingam 1999, edges wait at the common ancestor of their ends | `nesting` |
//! | Hecht and Ullman 1974, back edges | [`LoopForest::back_edges`] |
//!
//! # Complexity
//! O(*e* log *n*) time at worst: two union-find forests with path halving and
//! no ranks, O(*n* + *e*) operations on each (Tarjan and van Leeuwen 1984).
//! O(*n* + *e*) memory.
//!
//! # Departures
//! Common ancestors are not computed beforehand: blocks are visited from last
//! to first in preorder and linked to their parents when done, so that an
//! incoming edge's source leads to the common ancestor at once. Nothing
//! recurses. Unreachable blocks are in no loop, and their edges are ignored.
//! Whether a loop is irreducible is read off the dominator tree, for each
//! member once.

mod nesting;

use crate::forest_layout::{ForestLayout, Position};
use crate::order::Preorder;
use crate::{Block, DominatorTree, Edge, FlatCfg, Id, IdMap, PackedOption, internal_id};
use alloc::vec::Vec;
use nesting::Nesting;

internal_id!(
    /// Place of a reachable block in reverse post-order.
    Place, "place", Block::LIMIT
);

/// The loops of a graph, each named by its header.
///
/// A graph has at most one loop with a given header. Unreachable blocks are in
/// no loop; neither are blocks the graph does not have. Rebuilding reuses memory.
///
/// # Examples
/// ```
/// use ssaphire::graph::{DominatorTree, LoopForest};
/// use ssaphire::{Block, FlatCfg};
///
/// // block1 is the header of the outer loop, block2 is a loop by itself.
/// let blocks = [0, 1, 2, 3].map(Block::new);
/// let cfg = FlatCfg::from_successors(blocks[0], &[
///     vec![blocks[1]],
///     vec![blocks[2], blocks[3]],
///     vec![blocks[2], blocks[1]],
///     vec![],
/// ]).unwrap();
/// let loops = LoopForest::new(&cfg, &DominatorTree::new(&cfg));
/// assert_eq!(loops.headers().collect::<Vec<_>>(), [blocks[1], blocks[2]]);
/// assert_eq!(loops.parent(blocks[2]), Some(blocks[1]));
/// assert_eq!(loops.depth(blocks[2]), 2);
/// assert!(loops.is_reducible());
/// ```
#[derive(Clone, Debug, Default)]
pub struct LoopForest {
    members: IdMap<Block, Member>,
    /// All reachable blocks in preorder of the forest: every loop is a range.
    blocks: IdMap<Position, Block>,
    headers: Vec<Block>,
    back_edges: Vec<Edge>,
    irreducible_edges: Vec<Edge>,
    nesting: Nesting,
    layout: ForestLayout<Preorder>,
}

/// The loop data of a block.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// The header of the innermost loop that the block is in and not the header of.
    parent: PackedOption<Block>,
    /// How many loops it is in.
    depth: u32,
    /// The positions of its loop in `blocks`; its own position twice if it is no header.
    first: PackedOption<Position>,
    last: Position,
    is_header: bool,
    is_irreducible: bool,
}

const OUTSIDE: Member = Member {
    parent: PackedOption::NONE,
    depth: 0,
    first: PackedOption::NONE,
    last: Position::FIRST,
    is_header: false,
    is_irreducible: false,
};

impl LoopForest {
    /// The loops of `cfg`, whose dominator tree is `dominators`.
    pub fn new(cfg: &FlatCfg, dominators: &DominatorTree) -> Self {
        let mut loops = Self::default();
        loops.rebuild(cfg, dominators);
        loops
    }

    /// Recomputes the loops for `cfg`, whose dominator tree is `dominators`, and reuses its memory.
    pub fn rebuild(&mut self, cfg: &FlatCfg, dominators: &DominatorTree) {
        self.nesting.rebuild(cfg, dominators.order());
        self.lay_out(cfg.num_blocks(), dominators);
        self.flag_irreducible(dominators);
        self.sort_retreating_edges(cfg, dominators);
    }

    /// The headers of all loops, in depth-first preorder: outer loops before inner ones.
    pub fn headers(&self) -> impl ExactSizeIterator<Item = Block> + '_ {
        self.headers.iter().copied()
    }

    /// Whether `block` is the header of a loop.
    pub fn is_header(&self, block: Block) -> bool {
        self.member(block).is_header
    }

    /// The header of the innermost loop that contains `block`: itself if it is a header, `None` outside of all loops.
    pub fn innermost(&self, block: Block) -> Option<Block> {
        if self.is_header(block) { Some(block) } else { self.parent(block) }
    }

    /// The header of the innermost loop that contains `block`, other than `block` itself.
    ///
    /// For a header: the loop around its loop.
    pub fn parent(&self, block: Block) -> Option<Block> {
        self.member(block).parent.expand()
    }

    /// How many loops contain `block`, counting its own if it is a header.
    pub fn depth(&self, block: Block) -> usize {
        self.member(block).depth as usize
    }

    /// The blocks of the loop of `header`, itself first, those of an inner loop side by side.
    ///
    /// Empty if `header` is not the header of a loop.
    pub fn blocks(&self, header: Block) -> &[Block] {
        let member = self.member(header);
        let first = member.first.expand().filter(|_| member.is_header);
        first.map_or(&[], |first| &self.blocks.as_slice()[first.index()..=member.last.index()])
    }

    /// Whether the loop of `header` contains `block`; false if `header` is not the header of a loop. O(1).
    pub fn contains(&self, header: Block, block: Block) -> bool {
        let member = self.member(header);
        member.is_header && (member.first..=member.last.into()).contains(&self.member(block).first)
    }

    /// Whether the loop of `header` can be entered elsewhere too: an edge from outside leads to another block of it.
    ///
    /// This is about the loop itself; loops inside of it answer for themselves.
    pub fn is_irreducible(&self, header: Block) -> bool {
        self.member(header).is_irreducible
    }

    /// Whether each cycle of reachable blocks has a block that dominates it.
    pub fn is_reducible(&self) -> bool {
        self.irreducible_edges.is_empty()
    }

    /// The edges whose target dominates their source, in edge order; repeated edges each.
    pub fn back_edges(&self) -> &[Edge] {
        &self.back_edges
    }

    /// The retreating edges whose target does not dominate their source, in edge order.
    ///
    /// None if and only if the graph is reducible (Hecht and Ullman 1974).
    /// Which edges they are depends on the order of the walk.
    pub fn irreducible_edges(&self) -> &[Edge] {
        &self.irreducible_edges
    }

    /// The reachable blocks in a reverse post-order in which the blocks of each loop are contiguous.
    ///
    /// The blocks after a loop follow all of it, whichever target its exit branch names first.
    ///
    /// `dominators` is the tree that the loops were computed from. As in [`Order::rpo`](crate::Order::rpo), the source
    /// of an edge comes before its target unless the edge is retreating: so the blocks of an irreducible loop, which
    /// has several entries, need not be contiguous, and count as outside of it. O(*n*).
    ///
    /// # Examples
    /// ```
    /// use ssaphire::graph::{DominatorTree, LoopForest};
    /// use ssaphire::{Block, FlatCfg};
    ///
    /// // `while` at block1, with the body block2; block3 follows.
    /// let blocks = [0, 1, 2, 3].map(Block::new);
    /// let successors = [vec![blocks[1]], vec![blocks[2], blocks[3]], vec![blocks[1]], vec![]];
    /// let cfg = FlatCfg::from_successors(blocks[0], &successors).unwrap();
    /// let tree = DominatorTree::new(&cfg);
    /// let loops = LoopForest::new(&cfg, &tree);
    /// assert!(tree.order().rpo().eq([0, 1, 3, 2].map(Block::new)));
    /// assert_eq!(loops.rpo_by_loops(&tree), blocks);
    /// ```
    pub fn rpo_by_loops(&self, dominators: &DominatorTree) -> Vec<Block> {
        let blocks: IdMap<Place, Block> = dominators.order().rpo().collect();
        if self.headers.is_empty() {
            return blocks.values().copied().collect();
        }
        let mut places: IdMap<Block, PackedOption<Place>> = IdMap::filled(self.members.len(), PackedOption::NONE);
        // The header of the innermost single-entry loop around each block. Headers come before the blocks of their
        // loops.
        let mut around: IdMap<Place, PackedOption<Place>> = IdMap::default();
        for (place, &block) in blocks.iter() {
            places[block] = place.into();
            let parent = self.parent(block);
            let header = parent.and_then(|header| places[header].expand());
            let is_kept_together = parent.is_some_and(|header| !self.is_irreducible(header));
            let outer = header.map_or(PackedOption::NONE, |header| around[header]);
            around.push(if is_kept_together { header.into() } else { outer });
        }
        let mut layout = ForestLayout::default();
        layout.rebuild(blocks.len(), |place| around[place].expand());
        let mut sorted = alloc::vec![Block::new(0); blocks.len()];
        blocks.iter().for_each(|(place, &block)| sorted[layout.first(place).index()] = block);
        sorted
    }

    fn member(&self, block: Block) -> Member {
        self.members.get(block).copied().unwrap_or(OUTSIDE)
    }

    fn lay_out(&mut self, num_blocks: usize, dominators: &DominatorTree) {
        let order = dominators.order();
        self.layout.rebuild(order.num_reachable(), |number| self.nesting.parent(number));
        self.members.reset(num_blocks, OUTSIDE);
        self.blocks.reset(order.num_reachable(), Block::new(0));
        self.headers.clear();
        for number in order.numbers() {
            let (block, first) = (order.block(number), self.layout.first(number));
            let is_header = self.nesting.is_header(number);
            let parent = self.nesting.parent(number).map(|parent| order.block(parent));
            // A header comes before the other blocks of its loop, so its depth is known.
            let outer = parent.map_or(0, |parent| self.members[parent].depth);
            self.members[block] = Member {
                parent: parent.into(),
                depth: outer + u32::from(is_header),
                first: first.into(),
                last: self.layout.last(number),
                is_header,
                is_irreducible: false,
            };
            self.blocks[first] = block;
            if is_header {
                self.headers.push(block);
            }
        }
    }

    /// Flags the loops whose header does not dominate all of them.
    ///
    /// It is enough to look at each block's parent. Let `v` be in the loop of
    /// `h`, which does not dominate it, and in an inner loop with parent `h`
    /// and header `w`. From `v` a path through that inner loop, which does not
    /// contain `h`, leads to `w`: so `h` does not dominate `w` either.
    fn flag_irreducible(&mut self, dominators: &DominatorTree) {
        for &block in dominators.order().preorder() {
            if let Some(header) = self.parent(block) {
                self.members[header].is_irreducible |= !dominators.dominates(header, block);
            }
        }
    }

    fn sort_retreating_edges(&mut self, cfg: &FlatCfg, dominators: &DominatorTree) {
        self.back_edges.clear();
        self.irreducible_edges.clear();
        for edge in (0..cfg.num_edges()).map(Edge::new) {
            if dominators.dominates(cfg.target(edge), cfg.source(edge)) {
                self.back_edges.push(edge);
            } else if dominators.order().is_retreating(cfg, edge) {
                self.irreducible_edges.push(edge);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Order;
    use crate::sample_graphs::{self, on_small_stack};
    use alloc::vec;

    fn forest(cfg: &FlatCfg) -> LoopForest {
        LoopForest::new(cfg, &DominatorTree::new(cfg))
    }

    /// The loop of `header` by definition; empty if no retreating edge leads to it.
    fn loop_by_definition(cfg: &FlatCfg, order: &Order, header: Block) -> Vec<Block> {
        let mut inside = vec![false; cfg.num_blocks()];
        let mut work: Vec<_> = cfg.incoming(header).iter().map(|&edge| cfg.source(edge)).collect();
        work.retain(|&source| order.is_ancestor(header, source));
        if !work.is_empty() {
            inside[header.index()] = true;
        }
        while let Some(block) = work.pop() {
            if !inside[block.index()] {
                inside[block.index()] = true;
                let sources = cfg.incoming(block).iter().map(|&edge| cfg.source(edge));
                work.extend(sources.filter(|&source| order.is_ancestor(header, source)));
            }
        }
        cfg.blocks().filter(|block| inside[block.index()]).collect()
    }

    #[test]
    fn loops_are_what_the_definition_says() {
        let mut loops = LoopForest::default();
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(3000)) {
            let dominators = DominatorTree::new(&cfg);
            loops.rebuild(&cfg, &dominators);
            let bodies: Vec<_> =
                cfg.blocks().map(|header| loop_by_definition(&cfg, dominators.order(), header)).collect();
            for (header, body) in cfg.blocks().zip(&bodies) {
                let mut found = loops.blocks(header).to_vec();
                assert!(found.is_empty() || found[0] == header);
                found.sort();
                assert_eq!(&found, body, "{cfg:?}");
                assert_eq!(loops.is_header(header), !body.is_empty());
                let contained: Vec<_> = cfg.blocks().filter(|&block| loops.contains(header, block)).collect();
                assert_eq!(&contained, body);
                let entered_elsewhere = (0..cfg.num_edges()).map(Edge::new).any(|edge| {
                    let (source, target) = (cfg.source(edge), cfg.target(edge));
                    dominators.is_reachable(source)
                        && !body.contains(&source)
                        && body.contains(&target)
                        && target != header
                });
                assert_eq!(loops.is_irreducible(header), entered_elsewhere, "{header} {cfg:?}");
            }
            for block in cfg.blocks() {
                let around: Vec<_> = bodies.iter().filter(|body| body.contains(&block)).collect();
                assert_eq!(loops.depth(block), around.len());
                let innermost = around.iter().min_by_key(|body| body.len()).copied();
                assert_eq!(loops.innermost(block).map(|header| &bodies[header.index()]), innermost);
            }
            let headers: Vec<_> = loops.headers().collect();
            assert!(headers.iter().all(|&header| loops.parent(header).is_none_or(|outer| loops.is_header(outer))));
            assert!(headers.is_sorted_by_key(|&header| dominators.order().preorder_index(header)));
        }
    }

    /// Hecht and Ullman's transformations: remove self-loops (T1), merge a block into its only predecessor (T2).
    fn is_reducible_by_transformation(cfg: &FlatCfg) -> bool {
        let order = Order::new(cfg);
        let mut predecessors: Vec<Option<Vec<usize>>> = vec![None; cfg.num_blocks()];
        for block in cfg.blocks().filter(|&block| order.is_reachable(block)) {
            let sources = cfg.incoming(block).iter().map(|&edge| cfg.source(edge));
            predecessors[block.index()] =
                Some(sources.filter(|&source| order.is_reachable(source)).map(Block::index).collect());
        }
        while let Some((block, into)) = only_predecessor(&mut predecessors, cfg.entry().index()) {
            predecessors[block] = None;
            for source in predecessors.iter_mut().flatten().flatten().filter(|source| **source == block) {
                *source = into;
            }
        }
        predecessors.iter().flatten().count() == 1
    }

    /// A block other than the entry with one predecessor, after T1 and without repetitions.
    fn only_predecessor(predecessors: &mut [Option<Vec<usize>>], entry: usize) -> Option<(usize, usize)> {
        for (block, sources) in predecessors.iter_mut().enumerate() {
            let Some(sources) = sources else { continue };
            sources.retain(|&source| source != block);
            sources.sort_unstable();
            sources.dedup();
            if block != entry && sources.len() == 1 {
                return Some((block, sources[0]));
            }
        }
        None
    }

    #[test]
    fn reducible_means_collapsible() {
        let mut counts = [0; 2];
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(4000)) {
            let loops = forest(&cfg);
            let expected = is_reducible_by_transformation(&cfg);
            assert_eq!(loops.is_reducible(), expected, "{cfg:?}");
            assert_eq!(loops.headers().any(|header| loops.is_irreducible(header)), !expected);
            counts[usize::from(expected)] += 1;
        }
        assert!(counts[0] > 500 && counts[1] > 1500, "both kinds occur: {counts:?}");
    }

    #[test]
    fn retreating_edges_are_back_edges_or_irreducible() {
        for cfg in sample_graphs::random(1000) {
            let (loops, order) = (forest(&cfg), Order::new(&cfg));
            for edge in (0..cfg.num_edges()).map(Edge::new) {
                let listed = loops.back_edges().contains(&edge) || loops.irreducible_edges().contains(&edge);
                assert_eq!(order.is_retreating(&cfg, edge), listed);
            }
        }
    }

    #[test]
    fn a_cycle_with_two_ways_in_is_flagged() {
        let loops = forest(&sample_graphs::graph(0, &[vec![1, 2], vec![2], vec![1]]));
        assert!(!loops.is_reducible() && loops.is_irreducible(Block::new(1)));
        assert_eq!(loops.blocks(Block::new(1)), [1, 2].map(Block::new));
        assert_eq!(loops.irreducible_edges().len(), 1);
    }

    #[test]
    fn unreachable_cycles_are_no_loops() {
        let loops = forest(&sample_graphs::graph(0, &[vec![], vec![2, 0], vec![1, 2]]));
        assert!(loops.is_reducible() && loops.headers().len() == 0);
        assert!(loops.back_edges().is_empty() && !loops.is_header(Block::new(99)));
        assert!(forest(&FlatCfg::default()).is_reducible());
    }

    #[test]
    fn loops_with_one_way_in_stay_together_and_edges_lead_on() {
        let mut num_moved = 0;
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(3000)) {
            let dominators = DominatorTree::new(&cfg);
            let loops = LoopForest::new(&cfg, &dominators);
            let (order, sorted) = (dominators.order(), loops.rpo_by_loops(&dominators));
            let place = |block| sorted.iter().position(|&other| other == block);
            assert_eq!(sorted.len(), order.num_reachable());
            for edge in (0..cfg.num_edges()).map(Edge::new).filter(|&edge| order.is_reachable(cfg.source(edge))) {
                let leads_on = place(cfg.source(edge)) < place(cfg.target(edge));
                assert_eq!(leads_on, !order.is_retreating(&cfg, edge), "{cfg:?}");
            }
            for header in loops.headers().filter(|&header| !loops.is_irreducible(header)) {
                let places: Vec<_> = loops.blocks(header).iter().map(|&block| place(block)).collect();
                let (first, last) = (places.iter().min().unwrap().unwrap(), places.iter().max().unwrap().unwrap());
                assert_eq!((Some(first), last - first + 1), (place(header), places.len()), "{cfg:?}");
            }
            num_moved += usize::from(!order.rpo().eq(sorted.iter().copied()));
        }
        assert!(num_moved > 300, "{num_moved}");
    }

    #[test]
    fn ten_thousand_edges_into_one_block() {
        let cfg = sample_graphs::fan_in(10_000);
        let loops = forest(&cfg);
        assert!(loops.is_reducible() && loops.headers().eq([cfg.entry()]));
        assert_eq!(loops.blocks(cfg.entry()).len(), cfg.num_blocks());
    }

    #[test]
    fn large_families_need_no_stack() {
        on_small_stack(|| {
            let depth = 300_000;
            let loops = forest(&sample_graphs::nest(depth));
            assert!(loops.is_reducible() && loops.headers().len() == depth);
            assert_eq!(loops.depth(Block::new(depth)), depth);
            let loops = forest(&sample_graphs::ladder(300_000));
            // Each step down to the walk's previous block is a loop around all that follows.
            assert_eq!(loops.headers().filter(|&header| loops.is_irreducible(header)).count(), 299_998);
            let dominators = DominatorTree::new(&sample_graphs::ladder(300_000));
            assert!(loops.rpo_by_loops(&dominators).iter().copied().eq(dominators.order().rpo()));
            assert_eq!(forest(&sample_graphs::chain(1_000_000)).headers().len(), 0);
        });
    }
}

//! The nodes that are placed in line after others.
//!
//! A node that is entered from one place is translated there, as an arm of a fork. Others are *placed*: they come in
//! line after a node that dominates them, and are reached by the end of what is before them, or by an exit.
//!
//! 1. A node with several forward edges is placed. These are counted by source: slots with one target share an arm.
//! 2. A node that some loop around its immediate dominator does not contain is placed after the outermost such loop.
//! 3. Any other placed node comes after its immediate dominator, in the same loops.
//! 4. The nodes in one line are ordered by reverse post-order, so that a node comes after the sources of its forward
//!    edges.
//!
//! By the first rule alone, a node that follows a loop and is entered from one place would be inside of the loop.
//! If nothing else is placed after the loop, one such node is placed there: that with the most nodes below it in
//! the dominator tree.

use super::graph::Shape;
use crate::ancestors::Ancestors;
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, IdLists, IdMap, IdSet, PackedOption};

/// The nodes that are placed in line after others.
pub(super) struct Placement {
    within: IdLists<Block, Block>,
    behind: IdLists<Block, Block>,
    placed: IdSet<Block>,
    /// Edges looked at, and loops on the way to outer ones.
    pub(super) work: u64,
}

/// A line that may contain a node.
#[derive(Clone, Copy)]
enum Line {
    /// Behind a node, and in the same loops as it, its own included.
    Within(Block),
    /// Behind the loop with this header.
    Behind(Block),
}

impl Placement {
    /// That of the nodes of `cfg`, which has that shape and is reducible.
    pub(super) fn new(cfg: &FlatCfg, shape: &Shape) -> Self {
        let num_ways_in = num_ways_in(cfg, shape);
        let ancestors = Ancestors::new(cfg, &shape.loops);
        let (mut within, mut behind, mut has_join) = (Vec::new(), Vec::new(), IdSet::new());
        // For each loop: of the code after it that is entered from one place, the block with the largest subtree.
        let mut largest: IdMap<Block, PackedOption<Block>> = IdMap::filled(cfg.num_blocks(), PackedOption::NONE);
        let mut work = cfg.num_edges() as u64;
        for node in shape.dominators.order().rpo().skip(1) {
            let is_join = num_ways_in[node] > 1;
            match line_of(node, shape, &ancestors, &mut work) {
                Line::Within(above) if is_join => within.push((above, node)),
                Line::Within(_) => {}
                Line::Behind(header) if is_join => {
                    behind.push((header, node));
                    has_join.insert(header);
                }
                Line::Behind(header) => {
                    let size = largest[header].expand().map_or(0, |largest| shape.num_dominated(largest));
                    if shape.num_dominated(node) >= size {
                        largest[header] = node.into();
                    }
                }
            }
        }
        let without_join = shape.loops.headers().filter(|&header| !has_join.contains(header));
        behind.extend(without_join.filter_map(|header| Some((header, largest[header].expand()?))));
        Self::of_lines(cfg.num_blocks(), &within, &behind, work)
    }

    /// That with these pairs of a node and one that stands behind it, in the order of each line.
    fn of_lines(num_nodes: usize, within: &[(Block, Block)], behind: &[(Block, Block)], work: u64) -> Self {
        let mut placement = Self { within: IdLists::new(), behind: IdLists::new(), placed: IdSet::new(), work };
        placement.within.rebuild(num_nodes, within.iter().copied());
        placement.behind.rebuild(num_nodes, behind.iter().copied());
        for &(_, node) in within.iter().chain(behind) {
            placement.placed.insert(node);
        }
        placement
    }

    /// The nodes placed after `node` in the same loops, its own included, in order.
    pub(super) fn within(&self, node: Block) -> &[Block] {
        self.within.of(node)
    }

    /// The nodes placed after the loop of `header`, in order.
    pub(super) fn behind(&self, header: Block) -> &[Block] {
        self.behind.of(header)
    }

    /// Whether `node` is placed in some line.
    pub(super) fn is_placed(&self, node: Block) -> bool {
        self.placed.contains(node)
    }
}

/// The line of `node`, which is not the entry, if it is placed.
///
/// All loops around `node` but its own contain its immediate dominator, so that depths say which ones end.
fn line_of(node: Block, shape: &Shape, ancestors: &Ancestors<'_>, work: &mut u64) -> Line {
    let loops = &shape.loops;
    let above = shape.dominators.idom(node).expect("nodes but the entry are dominated");
    let num_around = loops.depth(node) - usize::from(loops.is_header(node));
    match loops.innermost(above) {
        Some(header) if loops.depth(header) > num_around => {
            Line::Behind(ancestors.at_depth(num_around + 1, header, work))
        }
        _ => Line::Within(above),
    }
}

/// By node, the sources of its forward edges, each counted once.
fn num_ways_in(cfg: &FlatCfg, shape: &Shape) -> IdMap<Block, u32> {
    let mut counts = IdMap::filled(cfg.num_blocks(), 0);
    let mut last_source: IdMap<Block, PackedOption<Block>> = IdMap::filled(cfg.num_blocks(), PackedOption::NONE);
    for &source in shape.dominators.preorder() {
        for &target in cfg.targets(source) {
            let is_repeated = last_source[target].replace(source) == source.into();
            if !is_repeated && !shape.is_back_edge(source, target) {
                counts[target] += 1;
            }
        }
    }
    counts
}

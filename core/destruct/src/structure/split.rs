//! Irreducible regions are entered in one place, since blocks are copied.
//!
//! Let *h* be the header of an irreducible loop. What can be reached from its other entries without passing *h* is
//! copied, and the edges that enter the loop there lead to the copies. Edges between copied nodes lead to copies in
//! turn; all others stay. So the loop is entered at *h* alone.
//!
//! No cycle of copies passes *h*, so that each of them is a copy of a cycle that was in a loop inside: a further round
//! finds these, and those that were there. Each round handles the outermost irreducible loops, which are disjoint.

use super::graph::{Graph, Shape};
use super::report::{Handling, Region, Report};
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, IdMap, PackedOption};

/// Copies at most `limit` nodes of `graph`, which has that shape, and gives it the new one: reducible if that is enough.
///
/// The number of rounds is limited to `rounds`: deep nesting would cost a pass over the graph for each level.
pub(super) fn split(graph: &mut Graph<'_>, shape: &mut Shape, limit: usize, rounds: usize, report: &mut Report) {
    for _ in 0..rounds {
        let copies = Copies::choose(graph, shape, limit - report.num_copies, report);
        if copies.originals.is_empty() {
            return;
        }
        report.num_copies += copies.originals.len();
        report.work += 2 * graph.cfg().num_edges() as u64;
        copies.make(graph, shape);
        shape.rebuild(graph.cfg());
    }
}

/// What is copied in one round.
struct Copies {
    /// What they are copies of, in the order of their nodes.
    originals: Vec<Block>,
    /// By node.
    copy_of: IdMap<Block, PackedOption<Block>>,
    /// By node that is copied, the header of its loop.
    header_of: IdMap<Block, PackedOption<Block>>,
}

impl Copies {
    /// Decides on the outermost irreducible loops, in order, as long as the copies are not too many.
    fn choose(graph: &Graph<'_>, shape: &Shape, limit: usize, report: &mut Report) -> Self {
        let cfg = graph.cfg();
        let none = PackedOption::NONE;
        let mut copies = Self {
            originals: Vec::new(),
            copy_of: IdMap::filled(cfg.num_blocks(), none),
            header_of: IdMap::filled(cfg.num_blocks(), none),
        };
        let mut is_inside: IdMap<Block, bool> = IdMap::filled(cfg.num_blocks(), false);
        for header in shape.loops.headers() {
            let parent = shape.loops.parent(header);
            let is_irreducible = |header| shape.loops.is_irreducible(header);
            is_inside[header] = parent.is_some_and(|parent| is_inside[parent] || is_irreducible(parent));
            if is_irreducible(header) && !is_inside[header] {
                let num_copies = copies.collect(cfg, shape, header, limit);
                if num_copies > 0 {
                    report.regions.push(Region {
                        header: graph.block(header),
                        num_blocks: shape.loops.blocks(header).len(),
                        handling: Handling::Split { num_copies },
                    });
                }
            }
        }
        copies
    }

    /// Collects what is copied of the loop of `header`: how much. Nothing if it is too much.
    fn collect(&mut self, cfg: &FlatCfg, shape: &Shape, header: Block, limit: usize) -> usize {
        let start = self.originals.len();
        for &node in shape.loops.blocks(header) {
            let mut sources = cfg.incoming(node).iter().map(|&edge| cfg.source(edge));
            let enters = |source| shape.dominators.is_reachable(source) && !shape.loops.contains(header, source);
            if node != header && sources.any(enters) {
                self.collect_node(cfg, header, node);
            }
        }
        let mut place = start;
        while let Some(&node) = self.originals.get(place) {
            place += 1;
            for &target in cfg.targets(node) {
                if target != header && shape.loops.contains(header, target) {
                    self.collect_node(cfg, header, target);
                }
            }
        }
        if self.originals.len() > limit {
            for node in self.originals.drain(start..) {
                (self.copy_of[node], self.header_of[node]) = (PackedOption::NONE, PackedOption::NONE);
            }
        }
        self.originals.len() - start
    }

    fn collect_node(&mut self, cfg: &FlatCfg, header: Block, node: Block) {
        if self.copy_of[node].is_none() {
            self.copy_of[node] = Block::new(cfg.num_blocks() + self.originals.len()).into();
            self.header_of[node] = header.into();
            self.originals.push(node);
        }
    }

    fn make(&self, graph: &mut Graph<'_>, shape: &Shape) {
        let cfg = graph.cfg();
        let actions = self.originals.iter().map(|&node| graph.action(node)).collect();
        let mut edges = Vec::with_capacity(cfg.num_edges());
        for source in cfg.blocks() {
            let is_reachable = shape.dominators.is_reachable(source);
            let enters = |header: Block| is_reachable && !shape.loops.contains(header, source);
            edges.extend(cfg.targets(source).iter().map(|&target| {
                let is_redirected = self.header_of[target].expand().is_some_and(enters);
                let copy = self.copy_of[target].expand().filter(|_| is_redirected);
                (source, copy.unwrap_or(target))
            }));
        }
        for &original in &self.originals {
            let copy = self.copy_of[original].expand().unwrap_or(original);
            let targets = cfg.targets(original).iter();
            edges.extend(targets.map(|&target| (copy, self.copy_of[target].expand().unwrap_or(target))));
        }
        graph.replace(actions, edges.into_iter());
    }
}

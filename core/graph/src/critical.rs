//! Critical edges: neither their source nor their target belongs to them alone.

use crate::{Block, Edge, FlatCfg};

/// The edges from a block with several successors to one with several predecessors, in edge order.
///
/// A copy on such an edge can be inserted neither at the end of its source
/// nor at the top of its target. Edges count, not blocks: two edges between the
/// same two blocks are both critical. The entry is also entered from outside,
/// so that one incoming edge is enough to make it a block with several ways
/// in. Reachability plays no part: an edge from an unreachable block
/// counts, and is listed if it is critical.
///
/// # Complexity
/// O(*n* + *e*) for the whole iteration.
pub fn critical_edges(cfg: &FlatCfg) -> impl Iterator<Item = Edge> + '_ {
    let forks = cfg.blocks().filter(|&block| cfg.targets(block).len() > 1);
    forks.flat_map(|block| cfg.outgoing(block)).filter(|&edge| has_several_ways_in(cfg, cfg.target(edge)))
}

fn has_several_ways_in(cfg: &FlatCfg, block: Block) -> bool {
    cfg.incoming(block).len() + usize::from(block == cfg.entry()) > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::graph;
    use alloc::vec;
    use alloc::vec::Vec;

    #[track_caller]
    fn check(successors: &[Vec<usize>], expected: &[(usize, u32)]) {
        let cfg = graph(0, successors);
        let found: Vec<_> = critical_edges(&cfg).map(|edge| (cfg.source(edge).index(), cfg.slot(edge))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_if_without_else_has_one() {
        check(&[vec![1, 2], vec![2], vec![]], &[(0, 1)]);
    }

    #[test]
    fn a_diamond_has_none() {
        check(&[vec![1, 2], vec![3], vec![3], vec![]], &[]);
    }

    #[test]
    fn repeated_edges_are_critical_each() {
        check(&[vec![1, 1, 2], vec![], vec![]], &[(0, 0), (0, 1)]);
    }

    #[test]
    fn a_self_loop_with_an_exit_is_critical_even_at_the_entry() {
        check(&[vec![0, 1], vec![1, 2], vec![]], &[(0, 0), (0, 1), (1, 0)]);
    }

    #[test]
    fn edges_of_unreachable_blocks_count() {
        check(&[vec![1, 2], vec![], vec![], vec![1]], &[(0, 0)]);
        check(&[vec![1], vec![], vec![1, 1]], &[(2, 0), (2, 1)]);
    }

    #[test]
    fn a_graph_without_blocks_has_none() {
        assert_eq!(critical_edges(&FlatCfg::default()).count(), 0);
    }
}

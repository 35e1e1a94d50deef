//! The pruned placement of phis on small graphs, by definition.

use super::alphabet::Content;
use super::graph::{Blocks, SmallGraph, members, set_of};
use crate::case::Case;
use ssaphire::{Access, Variable};

/// A graph, and by block where its dominance ends.
///
/// Parallel edges are one: it is from which blocks control may come that counts.
#[derive(Clone, Copy, Debug)]
pub struct Frontiers<'a> {
    graph: &'a SmallGraph,
    of: [Blocks; 8],
}

impl<'a> Frontiers<'a> {
    /// Those of `graph`: targets of dominated blocks that are not strictly dominated.
    pub fn new(graph: &'a SmallGraph) -> Self {
        let mut of = [0; 8];
        for (block, frontier) in of.iter_mut().enumerate().take(graph.num_blocks) {
            let all = set_of(graph.num_blocks, |_| true);
            let dominated = all & !graph.reached_without(Some(block));
            for member in members(dominated) {
                *frontier |= graph.targets[member] & !(dominated & !(1 << block));
            }
        }
        Self { graph, of }
    }

    /// The joins of a pruned form, of a variable that is written in the blocks `writes` and whose value at the top of
    /// the blocks `reads` is read there: in the iterated frontier of the writes, with the variable live.
    ///
    /// What the variable holds when control enters counts as written in front of the entry, where dominance never ends.
    pub fn pruned(&self, writes: Blocks, reads: Blocks) -> Blocks {
        let mut placement: Blocks = 0;
        let mut live: Blocks = reads;
        loop {
            let frontier = members(writes | placement).fold(0, |set, block| set | self.of[block]);
            let passes = |block: usize| writes >> block & 1 == 0 && self.graph.targets[block] & live != 0;
            let more_live = reads | set_of(self.graph.num_blocks, passes);
            if frontier == placement && more_live == live {
                return placement & live;
            }
            (placement, live) = (frontier, more_live);
        }
    }
}

impl SmallGraph {
    /// The joins of a pruned form of the function with these contents.
    pub fn pruned_placement(&self, contents: &[Content]) -> Blocks {
        let writes = set_of(self.num_blocks, |block| contents[block].writes());
        let reads = set_of(self.num_blocks, |block| contents[block].reads());
        Frontiers::new(self).pruned(writes, reads)
    }

    /// The function with these contents.
    pub fn case(&self, contents: &[Content]) -> Case {
        let mut case = self.empty_case();
        for (list, content) in case.accesses.iter_mut().zip(contents) {
            let variable = Variable::new(0);
            list.extend(content.reads().then_some(Access::Read(variable)));
            list.extend(content.writes().then_some(Access::Write(variable)));
        }
        case
    }
}

#[cfg(test)]
mod tests {
    use super::Content;
    use crate::naive;
    use crate::small::wide_graphs;

    #[test]
    fn the_placement_is_that_of_the_judge() {
        for num_blocks in 1..=3 {
            for graph in wide_graphs(num_blocks).0 {
                for number in 0..1usize << (2 * num_blocks) {
                    let contents: Vec<Content> =
                        (0..num_blocks).map(|block| Content::ALL[number >> (2 * block) & 3]).collect();
                    let case = graph.case(&contents).with_pre_entry();
                    let phis = naive::pruned_placement(&case);
                    let expected = phis.iter().fold(0, |set, (block, _)| set | 1 << block.index());
                    assert_eq!(graph.pruned_placement(&contents), expected, "{case:?}");
                }
            }
        }
    }
}

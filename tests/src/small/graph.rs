//! All small graphs, up to the names of their blocks.

use crate::case::Case;

/// A set of the blocks of a small graph, one bit each.
pub type Blocks = u8;

/// A graph of at most 8 blocks whose entry is block 0, and whose blocks have two outgoing edges at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallGraph {
    /// Number of blocks.
    pub num_blocks: usize,
    /// By block, its targets.
    pub targets: [Blocks; 8],
    /// Blocks whose two edges lead to the same target.
    pub doubled: Blocks,
}

/// How many graphs there are: of all, of those in which paths reach all blocks, and of those up to names of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphCounts {
    /// All of them.
    pub raw: usize,
    /// Those in which paths reach all blocks.
    pub reachable: usize,
    /// Those, up to the names of blocks other than the entry.
    pub canonical: usize,
}

/// The blocks of a set.
pub fn members(blocks: Blocks) -> impl Iterator<Item = usize> {
    let mut rest = blocks;
    std::iter::from_fn(move || {
        let block = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (block < 8).then_some(block)
    })
}

/// The set of the blocks that `is_member`.
pub(super) fn set_of(num_blocks: usize, is_member: impl Fn(usize) -> bool) -> Blocks {
    (0..num_blocks).filter(|&block| is_member(block)).fold(0, |set, block| set | 1 << block)
}

/// All graphs with that many blocks, up to names: at most two targets per block, all different and none of them the
/// entry, and paths to all blocks.
pub fn small_graphs(num_blocks: usize) -> (Vec<SmallGraph>, GraphCounts) {
    let sets = (0..1 << (num_blocks - 1)).map(|set: Blocks| set << 1);
    let choices: Vec<Choice> = sets.filter(|set| set.count_ones() <= 2).map(|set| (set, false)).collect();
    graphs(num_blocks, &choices)
}

/// The same with parallel edges and edges to the entry: at most two edges per block, and paths to all blocks.
pub fn wide_graphs(num_blocks: usize) -> (Vec<SmallGraph>, GraphCounts) {
    let sets = || (0..1 << num_blocks).filter(|set: &Blocks| set.count_ones() <= 2);
    let doubled = sets().filter(|set| set.count_ones() == 1).map(|set| (set, true));
    let choices: Vec<Choice> = sets().map(|set| (set, false)).chain(doubled).collect();
    graphs(num_blocks, &choices)
}

/// The targets of a block, and whether both edges lead to the same.
type Choice = (Blocks, bool);

/// All graphs whose blocks have the targets of one of the choices each.
fn graphs(num_blocks: usize, choices: &[Choice]) -> (Vec<SmallGraph>, GraphCounts) {
    let permutations = permutations(num_blocks - 1);
    let (mut graphs, mut counts) = (Vec::new(), GraphCounts::default());
    let mut chosen = vec![0; num_blocks];
    loop {
        let mut graph = SmallGraph { num_blocks, targets: [0; 8], doubled: 0 };
        for (block, &choice) in chosen.iter().enumerate() {
            let (targets, is_doubled) = choices[choice];
            graph.targets[block] = targets;
            graph.doubled |= Blocks::from(is_doubled) << block;
        }
        counts.raw += 1;
        if graph.reached_without(None).count_ones() as usize == num_blocks {
            counts.reachable += 1;
            if permutations.iter().all(|names| graph.code() <= graph.renamed(names).code()) {
                counts.canonical += 1;
                graphs.push(graph);
            }
        }
        let Some(place) = chosen.iter().position(|&choice| choice + 1 < choices.len()) else { return (graphs, counts) };
        chosen[..place].fill(0);
        chosen[place] += 1;
    }
}

/// All orders of `0..len`; the ascending one is the last.
pub fn permutations(len: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for item in 0..len {
        let longer = |list: &Vec<usize>, place| {
            let mut list = list.clone();
            list.insert(place, item);
            list
        };
        all = all.iter().flat_map(|list| (0..=list.len()).map(move |place| longer(list, place))).collect();
    }
    all
}

impl SmallGraph {
    fn code(&self) -> (u64, Blocks) {
        (u64::from_be_bytes(self.targets), self.doubled)
    }

    /// Block `b + 1` becomes `names[b] + 1`.
    fn renamed(&self, names: &[usize]) -> Self {
        let name = |block: usize| if block == 0 { 0 } else { names[block - 1] + 1 };
        let renamed = |set: Blocks| members(set).fold(0, |set, block| set | 1 << name(block));
        let mut targets = [0; 8];
        for (block, &set) in self.targets.iter().enumerate().take(self.num_blocks) {
            targets[name(block)] = renamed(set);
        }
        Self { num_blocks: self.num_blocks, targets, doubled: renamed(self.doubled) }
    }

    /// The blocks that paths from the entry past no block `without` lead to.
    pub(super) fn reached_without(&self, without: Option<usize>) -> Blocks {
        let (mut reached, mut work) = (0, if without == Some(0) { 0 } else { 1 });
        while work != 0 {
            reached |= work;
            let next = members(work).fold(0, |next, block| next | self.targets[block]);
            work = next & !reached & without.map_or(!0, |block| !(1 << block));
        }
        reached
    }

    /// The sources of the edges into `block`.
    pub fn sources(&self, block: usize) -> Blocks {
        set_of(self.num_blocks, |source| self.targets[source] >> block & 1 == 1)
    }

    /// The targets of the edges out of `block`, in order; one that two edges lead to is there twice.
    pub fn targets(&self, block: usize) -> impl Iterator<Item = usize> {
        let times = 1 + usize::from(self.doubled >> block & 1);
        members(self.targets[block]).flat_map(move |target| std::iter::repeat_n(target, times))
    }

    /// Whether edges lead to the entry, so that a builder needs a block in front of it.
    pub fn needs_pre_entry(&self) -> bool {
        self.sources(0) != 0
    }

    /// The function whose blocks do nothing, with this graph.
    pub(super) fn empty_case(&self) -> Case {
        let targets: Vec<Vec<usize>> = (0..self.num_blocks).map(|block| self.targets(block).collect()).collect();
        Case::of_graph(0, &targets, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{GraphCounts, SmallGraph, permutations, small_graphs, wide_graphs};
    use crate::is_reducible;

    /// By the classes of graphs that differ in names only: how many graphs there are in all.
    fn sum_of_classes(graphs: &[SmallGraph]) -> usize {
        let permutations = permutations(graphs[0].num_blocks - 1);
        let symmetries =
            |graph: &SmallGraph| permutations.iter().filter(|names| graph.renamed(names) == *graph).count();
        graphs.iter().map(|graph| permutations.len() / symmetries(graph)).sum()
    }

    #[track_caller]
    fn check((graphs, counts): (Vec<SmallGraph>, GraphCounts), expected: (usize, usize, usize, usize)) {
        let reducible = graphs.iter().filter(|graph| is_reducible(&graph.case(&[]).cfg)).count();
        assert_eq!((counts.raw, counts.reachable, counts.canonical, reducible), expected);
        assert_eq!(graphs.len(), counts.canonical);
        assert_eq!(sum_of_classes(&graphs), counts.reachable);
    }

    #[test]
    fn the_small_graphs_are_all_there() {
        check(small_graphs(3), (64, 32, 18, 15));
        check(small_graphs(4), (2_401, 1_092, 190, 132));
        check(small_graphs(5), (161_051, 64_482, 2_773, 1_472));
    }

    #[test]
    fn the_wide_graphs_are_all_there() {
        check(wide_graphs(1), (3, 3, 3, 3));
        check(wide_graphs(2), (36, 18, 18, 18));
        check(wide_graphs(3), (1_000, 340, 175, 165));
        check(wide_graphs(4), (50_625, 13_050, 2_215, 1_909));
    }

    #[test]
    fn parallel_edges_lead_to_one_target() {
        let graph = SmallGraph { num_blocks: 3, targets: [0b110, 0b100, 0, 0, 0, 0, 0, 0], doubled: 0b010 };
        assert_eq!(graph.targets(0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(graph.targets(1).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(graph.sources(2), 0b011);
    }
}

//! All small graphs, and the pruned placement of phis on them by definition.

use crate::case::Case;
use ssaphire::{Access, Variable};

/// A set of the blocks of a small graph, one bit each.
pub type Blocks = u8;

/// A graph of at most 8 blocks whose entry is block 0, without two edges between the same blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallGraph {
    /// Number of blocks.
    pub num_blocks: usize,
    /// By block, its targets.
    pub targets: [Blocks; 8],
}

/// What a block does to the one variable there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Nothing,
    /// Writes it.
    Def,
    /// Reads it.
    Use,
    /// Reads it, then writes it.
    UseDef,
}

impl Content {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Def, Self::Use, Self::UseDef];

    /// Whether the block writes the variable.
    pub fn writes(self) -> bool {
        matches!(self, Self::Def | Self::UseDef)
    }

    /// Whether the block reads what the variable holds at its top.
    pub fn reads(self) -> bool {
        matches!(self, Self::Use | Self::UseDef)
    }
}

/// How many graphs there are: of all, of those in which paths reach all blocks, and of those up to names of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub raw: usize,
    /// Those in which paths reach all blocks.
    pub reachable: usize,
    /// Those, up to the names of blocks other than the entry.
    pub canonical: usize,
}

/// The blocks of a set.
pub fn members(blocks: Blocks) -> impl Iterator<Item = usize> {
    (0..8).filter(move |block| blocks >> block & 1 == 1)
}

/// All graphs with that many blocks, up to names: at most two targets per block, none of them the entry, and paths to
/// all blocks.
pub fn small_graphs(num_blocks: usize) -> (Vec<SmallGraph>, Counts) {
    let lists: Vec<Blocks> =
        (0..1 << (num_blocks - 1)).map(|set: Blocks| set << 1).filter(|set| set.count_ones() <= 2).collect();
    let permutations = permutations(num_blocks - 1);
    let (mut graphs, mut counts) = (Vec::new(), Counts::default());
    let mut choice = vec![0; num_blocks];
    loop {
        let mut targets = [0; 8];
        for (place, &list) in targets.iter_mut().zip(&choice) {
            *place = lists[list];
        }
        let graph = SmallGraph { num_blocks, targets };
        counts.raw += 1;
        if graph.reached_without(None).count_ones() as usize == num_blocks {
            counts.reachable += 1;
            if permutations.iter().all(|names| graph.code() <= graph.renamed(names).code()) {
                counts.canonical += 1;
                graphs.push(graph);
            }
        }
        let Some(place) = choice.iter().position(|&list| list + 1 < lists.len()) else { return (graphs, counts) };
        choice[..place].fill(0);
        choice[place] += 1;
    }
}

/// All orders of `0..len`.
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
    fn code(&self) -> u64 {
        u64::from_be_bytes(self.targets)
    }

    /// Block `b + 1` becomes `names[b] + 1`.
    fn renamed(&self, names: &[usize]) -> Self {
        let name = |block: usize| if block == 0 { 0 } else { names[block - 1] + 1 };
        let mut targets = [0; 8];
        for (block, &set) in self.targets.iter().enumerate().take(self.num_blocks) {
            targets[name(block)] = members(set).fold(0, |set, target| set | 1 << name(target));
        }
        Self { num_blocks: self.num_blocks, targets }
    }

    /// The blocks that paths from the entry past no block `without` lead to.
    fn reached_without(&self, without: Option<usize>) -> Blocks {
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
        (0..self.num_blocks).filter(|&source| self.targets[source] >> block & 1 == 1).fold(0, |set, b| set | 1 << b)
    }

    /// By block, where its dominance ends: targets of dominated blocks that it does not strictly dominate.
    fn frontiers(&self) -> [Blocks; 8] {
        let mut frontiers = [0; 8];
        for (block, frontier) in frontiers.iter_mut().enumerate().take(self.num_blocks) {
            let dominated = !self.reached_without(Some(block));
            for member in members(dominated).take_while(|&member| member < self.num_blocks) {
                *frontier |= self.targets[member] & !(dominated & !(1 << block));
            }
        }
        frontiers
    }

    /// The joins of a pruned form: in the iterated frontier of the writes and the entry, with the variable live.
    pub fn pruned_placement(&self, contents: &[Content]) -> Blocks {
        let frontiers = self.frontiers();
        let writes = |&block: &usize| block == 0 || contents[block].writes();
        let mut placement: Blocks = 0;
        let mut live: Blocks = 0;
        loop {
            let defining = (0..self.num_blocks).filter(|block| placement >> block & 1 == 1 || writes(block));
            let frontier = defining.fold(0, |set, block| set | frontiers[block]);
            let is_live = |&block: &usize| {
                contents[block].reads() || (!contents[block].writes() && self.targets[block] & live != 0)
            };
            let more_live = (0..self.num_blocks).filter(is_live).fold(0, |set, block| set | 1 << block);
            if frontier == placement && more_live == live {
                return placement & live;
            }
            (placement, live) = (frontier, more_live);
        }
    }

    /// The function with these contents.
    pub fn case(&self, contents: &[Content]) -> Case {
        let targets: Vec<Vec<usize>> =
            self.targets[..self.num_blocks].iter().map(|&set| members(set).collect()).collect();
        let mut case = Case::of_graph(0, &targets, 1);
        for (list, content) in case.accesses.iter_mut().zip(contents) {
            let variable = Variable::new(0);
            list.extend(content.reads().then_some(Access::Read(variable)));
            list.extend(content.writes().then_some(Access::Write(variable)));
        }
        case
    }
}

//! One function as test input: a graph, and what its blocks do to variables.

use crate::rng::Rng;
use ssaphire::graph::FlatCfg;
use ssaphire::{Access, Block, Cfg, Variable, VariableForm, WithPreEntry};

/// A function in variable form, by value.
#[derive(Clone, Debug)]
pub struct Case {
    /// The graph.
    pub cfg: FlatCfg,
    /// By block, its accesses; a tuple stands before its members.
    pub accesses: Vec<Vec<Access>>,
    /// Number of variables.
    pub num_variables: usize,
    /// Writes whose values turn out to be the same as others.
    pub merges: Vec<Merge>,
}

/// A write gives the same value as an earlier one, which the host finds out later, and replaces it.
///
/// The earlier one is in a group before in the same block, or in an entry
/// without incoming edges: nowhere is it made anew while the other is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// The block and number of the write whose value is replaced. Tuples themselves are not counted.
    pub old: (Block, usize),
    /// The block and number of the write whose value stays.
    pub new: (Block, usize),
}

/// Accesses that happen at once, and the number of the first of them. Tuples themselves are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group<'a> {
    /// Position of the first access among those of the block.
    pub first: usize,
    /// The accesses.
    pub accesses: &'a [Access],
}

impl Case {
    /// The function with the given targets by block, whose blocks do nothing yet.
    ///
    /// # Panics
    /// If a target is not a block.
    pub fn of_graph(entry: usize, targets: &[Vec<usize>], num_variables: usize) -> Self {
        let targets: Vec<Vec<Block>> =
            targets.iter().map(|targets| targets.iter().map(|&target| Block::new(target)).collect()).collect();
        let cfg = FlatCfg::from_successors(Block::new(entry), &targets).expect("targets are blocks");
        Self { cfg, accesses: vec![Vec::new(); targets.len()], num_variables, merges: Vec::new() }
    }

    /// The function with these edges, ordered by source, and entry block 0, whose blocks do nothing yet.
    ///
    /// # Panics
    /// If an end of an edge is not a block.
    pub fn of_edges(num_blocks: usize, edges: impl IntoIterator<Item = (usize, usize)>, num_variables: usize) -> Self {
        let edges = edges.into_iter().map(|(source, target)| (Block::new(source), Block::new(target)));
        let mut cfg = FlatCfg::default();
        cfg.rebuild_from_edges(num_blocks, Block::new(0), edges).expect("ends are blocks, sources in order");
        Self { cfg, accesses: vec![Vec::new(); num_blocks], num_variables, merges: Vec::new() }
    }

    /// The blocks, in id order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + use<> {
        self.cfg.blocks()
    }

    /// The accesses of `block`, grouped by what happens at once.
    pub fn groups(&self, block: Block) -> Vec<Group<'_>> {
        let mut groups = Vec::new();
        let mut rest = self.accesses[block.index()].as_slice();
        let mut first = 0;
        while let Some((&access, after)) = rest.split_first() {
            let (list, len) = match access {
                Access::Tuple(len) => (after, len as usize),
                _ => (rest, 1),
            };
            let (accesses, after) = list.split_at(len);
            groups.push(Group { first, accesses });
            first += len;
            rest = after;
        }
        groups
    }

    /// The writes of `block` that are not in tuples, by place.
    pub fn lone_writes(&self, block: Block) -> impl Iterator<Item = (Block, usize)> + '_ {
        self.groups(block)
            .into_iter()
            .filter_map(move |group| matches!(group.accesses, [Access::Write(_)]).then_some((block, group.first)))
    }

    /// Number of accesses of `block`, tuples themselves not counted.
    pub fn num_accesses(&self, block: Block) -> usize {
        self.accesses[block.index()].iter().filter(|access| !matches!(access, Access::Tuple(_))).count()
    }

    /// Whether a variable is assigned what is there already: what another one holds, or what is the same.
    pub fn has_copies(&self) -> bool {
        let mut accesses = self.accesses.iter().flatten();
        !self.merges.is_empty() || accesses.any(|access| matches!(access, Access::Copy(..)))
    }

    /// Whether the value that an access writes is replaced by another.
    pub fn is_merged(&self, block: Block, index: usize) -> bool {
        self.merges.iter().any(|merge| merge.old == (block, index))
    }

    /// Whether an edge leads from unreachable code into the rest: a builder then minimizes in any case.
    pub fn has_unreachable_edges(&self) -> bool {
        let reachable = self.reachable();
        let mut unreachable = self.blocks().filter(|block| !reachable[block.index()]);
        unreachable.any(|block| self.cfg.targets(block).iter().any(|target| reachable[target.index()]))
    }

    /// By block: whether a path leads to it from the entry.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.cfg.num_blocks()];
        let mut work = vec![self.cfg.entry()];
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut reached[block.index()], true) {
                work.extend(self.cfg.targets(block));
            }
        }
        reached
    }

    /// Variables that `block` assigns.
    pub fn written(&self, block: Block) -> impl Iterator<Item = Variable> + '_ {
        self.accesses[block.index()].iter().filter_map(|&access| match access {
            Access::Write(variable) | Access::Copy(variable, _) => Some(variable),
            Access::Read(_) | Access::Tuple(_) => None,
        })
    }

    /// The same function with a block in front if edges enter its entry.
    ///
    /// # Panics
    /// Never: the view of a graph is a graph.
    pub fn with_pre_entry(&self) -> Self {
        if !WithPreEntry::is_needed(&self.cfg) {
            return self.clone();
        }
        let cfg = FlatCfg::new(&WithPreEntry::new(&self.cfg)).expect("the view is a graph");
        let mut accesses = self.accesses.clone();
        accesses.push(Vec::new());
        Self { cfg, accesses, num_variables: self.num_variables, merges: self.merges.clone() }
    }

    /// The same function with its blocks numbered anew: block `b` becomes `names[b]`.
    ///
    /// # Panics
    /// If `names` is no permutation.
    pub fn renamed(&self, names: &[usize]) -> Self {
        let mut targets = vec![Vec::new(); names.len()];
        let mut accesses = vec![Vec::new(); names.len()];
        for block in self.blocks() {
            let list = self.cfg.targets(block).iter().map(|target| names[target.index()]);
            targets[names[block.index()]] = list.collect();
            accesses[names[block.index()]].clone_from(&self.accesses[block.index()]);
        }
        let mut case = Self::of_graph(names[self.cfg.entry().index()], &targets, self.num_variables);
        case.accesses = accesses;
        let name = |(block, index): (Block, usize)| (Block::new(names[block.index()]), index);
        case.merges = self.merges.iter().map(|merge| Merge { old: name(merge.old), new: name(merge.new) }).collect();
        case
    }

    /// The same function with its blocks numbered in any way.
    pub fn shuffled(&self, rng: &mut Rng) -> Self {
        let mut names: Vec<usize> = (0..self.cfg.num_blocks()).collect();
        rng.shuffle(&mut names);
        self.renamed(&names)
    }
}

impl Cfg for Case {
    fn num_blocks(&self) -> usize {
        self.cfg.num_blocks()
    }

    fn entry(&self) -> Block {
        self.cfg.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.predecessors(block)
    }
}

impl VariableForm for Case {
    fn num_variables(&self) -> usize {
        self.num_variables
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        self.accesses[block.index()].iter().copied()
    }
}

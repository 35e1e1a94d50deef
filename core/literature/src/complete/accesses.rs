//! The accesses of a function that remain once each block has answered its local reads.

use super::Graph;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, IdLists, Variable};

/// Reads that no write of their own block precedes, and for each block and variable the last write.
///
/// Both are numbered by block, in the order they were added; a block has at most one of each for a variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accesses {
    num_variables: usize,
    reads: PerBlock,
    writes: PerBlock,
}

/// Variables by block.
#[derive(Clone, Debug, Default)]
struct PerBlock {
    /// Those of block `b` are `variables[start[b]..start[b + 1]]`.
    start: Vec<u32>,
    variables: Vec<Variable>,
}

impl PerBlock {
    fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.variables.clear();
    }

    fn end_block(&mut self) {
        self.start.push(self.variables.len() as u32);
    }

    fn range(&self, block: Block) -> Range<usize> {
        match self.start.get(block.index()..block.index() + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }
}

impl Accesses {
    /// Becomes empty, for the accesses of the first block.
    pub(crate) fn begin(&mut self, num_variables: usize) {
        self.num_variables = num_variables;
        self.reads.clear();
        self.writes.clear();
    }

    /// The block at hand reads the variable before writing it.
    pub(crate) fn read(&mut self, variable: Variable) {
        self.reads.variables.push(variable);
        self.num_variables = self.num_variables.max(variable.index() + 1);
    }

    /// The block at hand writes the variable.
    pub(crate) fn write(&mut self, variable: Variable) {
        self.writes.variables.push(variable);
        self.num_variables = self.num_variables.max(variable.index() + 1);
    }

    /// The accesses from here on belong to the next block.
    pub(crate) fn end_block(&mut self) {
        self.reads.end_block();
        self.writes.end_block();
    }

    /// Variables are numbered below this.
    pub(crate) fn num_variables(&self) -> usize {
        self.num_variables
    }

    pub(crate) fn num_reads(&self) -> usize {
        self.reads.variables.len()
    }

    pub(crate) fn num_writes(&self) -> usize {
        self.writes.variables.len()
    }

    /// Number and variable of each read of the block.
    pub(crate) fn reads(&self, block: Block) -> impl Iterator<Item = (u32, Variable)> + Clone + '_ {
        self.reads.range(block).map(|number| (number as u32, self.reads.variables[number]))
    }

    /// Number and variable of each write of the block.
    pub(crate) fn writes(&self, block: Block) -> impl Iterator<Item = (u32, Variable)> + Clone + '_ {
        self.writes.range(block).map(|number| (number as u32, self.writes.variables[number]))
    }

    /// The variables that something is left of, in id order.
    pub(super) fn variables(&self) -> Vec<Variable> {
        let mut is_left = alloc::vec![false; self.num_variables];
        let left = self.reads.variables.iter().chain(&self.writes.variables);
        left.for_each(|variable| is_left[variable.index()] = true);
        (0..self.num_variables).map(Variable::new).filter(|variable| is_left[variable.index()]).collect()
    }

    /// Whether the graph has as many blocks as accesses were recorded for.
    pub(crate) fn fits(&self, graph: &Graph) -> bool {
        self.reads.start.len() == graph.cfg.num_blocks() + 1
    }
}

/// The blocks that read and write each variable; unreachable blocks left out.
#[derive(Clone, Debug)]
pub(super) struct ByVariable {
    reads: IdLists<Variable, Block>,
    writes: IdLists<Variable, Block>,
}

impl ByVariable {
    pub(super) fn new(graph: &Graph, accesses: &Accesses) -> Self {
        let mut by_variable = Self { reads: IdLists::new(), writes: IdLists::new() };
        let blocks = || graph.cfg.blocks().filter(|&block| graph.tree.is_reachable(block));
        let reads = blocks().flat_map(|block| accesses.reads(block).map(move |(_, variable)| (variable, block)));
        let writes = blocks().flat_map(|block| accesses.writes(block).map(move |(_, variable)| (variable, block)));
        by_variable.reads.rebuild(accesses.num_variables, reads);
        by_variable.writes.rebuild(accesses.num_variables, writes);
        by_variable
    }

    /// The blocks that read it before writing it, in id order.
    pub(super) fn reads(&self, variable: Variable) -> &[Block] {
        self.reads.of(variable)
    }

    /// The blocks that write it, in id order.
    pub(super) fn writes(&self, variable: Variable) -> &[Block] {
        self.writes.of(variable)
    }
}

//! An entry without incoming edges, for any graph.

use crate::{Access, Block, Cfg, SsaForm, Value, ValueEvent, VariableForm};
use core::iter;

/// A view of a function with one more block before its entry.
///
/// The new block is empty, has the id `num_blocks` of the function it shows,
/// and one edge to the old entry, which there is the incoming edge after all
/// others: the operand indices of the other edges stay as they are.
///
/// This is the one place where an entry with incoming edges is handled;
/// construction refuses an edge to the entry.
#[derive(Clone, Copy, Debug)]
pub struct WithPreEntry<F> {
    inner: F,
}

impl<F: Cfg> WithPreEntry<F> {
    /// The view of `function` with a new entry block.
    pub fn new(function: F) -> Self {
        Self { inner: function }
    }

    /// The function shown.
    pub fn inner(&self) -> &F {
        &self.inner
    }

    /// Whether `function` has an entry with incoming edges, and so needs this view.
    pub fn is_needed(function: &F) -> bool {
        function.predecessors(function.entry()).next().is_some()
    }

    fn is_new(&self, block: Block) -> bool {
        block.index() == self.inner.num_blocks()
    }
}

impl<F: Cfg> Cfg for WithPreEntry<F> {
    fn num_blocks(&self) -> usize {
        self.inner.num_blocks() + 1
    }

    fn entry(&self) -> Block {
        Block::new(self.inner.num_blocks())
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        let is_new = self.is_new(block);
        let old = (!is_new).then(|| self.inner.successors(block));
        old.into_iter().flatten().chain(is_new.then(|| self.inner.entry()))
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        let old = (!self.is_new(block)).then(|| self.inner.predecessors(block));
        old.into_iter().flatten().chain((block == self.inner.entry()).then(|| self.entry()))
    }
}

impl<F: VariableForm> VariableForm for WithPreEntry<F> {
    fn num_variables(&self) -> usize {
        self.inner.num_variables()
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        (!self.is_new(block)).then(|| self.inner.accesses(block)).into_iter().flatten()
    }
}

/// The phis of the old entry have no operand for the edge from the new block;
/// a function in SSA form whose entry has phis is malformed without this view,
/// and stays so with it. Use it for functions whose entry has none.
impl<F: SsaForm> SsaForm for WithPreEntry<F> {
    fn num_values(&self) -> usize {
        self.inner.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.inner.globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        (!self.is_new(block)).then(|| self.inner.phis(block)).into_iter().flatten()
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let old = (!self.is_new(block)).then(|| self.inner.operands(block, phi));
        old.into_iter().flatten().chain(iter::empty())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        (!self.is_new(block)).then(|| self.inner.events(block)).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FlatCfg;
    use alloc::vec::Vec;

    #[test]
    fn the_new_block_comes_last_and_its_edge_too() {
        let blocks = [Block::new(0)];
        let loop_at_entry = FlatCfg::from_successors(Block::new(0), &[&blocks[..]]).unwrap();
        assert!(WithPreEntry::is_needed(&loop_at_entry));
        let flat = FlatCfg::new(&WithPreEntry::new(&loop_at_entry)).unwrap();
        assert_eq!(flat.entry(), Block::new(1));
        let sources: Vec<_> = flat.predecessors(Block::new(0)).map(Block::index).collect();
        assert_eq!(sources, [0, 1]);
        assert!(!WithPreEntry::is_needed(&flat));
    }
}

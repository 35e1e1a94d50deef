//! Indices sorted by block, the order within a block kept: a counting sort.

use alloc::vec::Vec;
use ssaphire_graph::Block;

/// The indices of a list of items, grouped by the block each belongs to.
#[derive(Debug, Default)]
pub(super) struct ByBlock {
    /// The group of block `b` is `order[start[b]..start[b + 1]]`.
    start: Vec<u32>,
    order: Vec<u32>,
}

impl ByBlock {
    /// Sorts the indices of `blocks`, each below `num_blocks`.
    pub(super) fn sort(&mut self, num_blocks: usize, blocks: impl Iterator<Item = Block> + Clone) {
        self.start.clear();
        self.start.resize(num_blocks + 2, 0);
        for block in blocks.clone() {
            self.start[block.index() + 2] += 1;
        }
        for index in 2..num_blocks + 2 {
            self.start[index] += self.start[index - 1];
        }
        self.order.clear();
        self.order.resize(self.start[num_blocks + 1] as usize, 0);
        for (index, block) in blocks.enumerate() {
            // Starts are kept one place further on; filling turns each into an end.
            let place = &mut self.start[block.index() + 1];
            self.order[*place as usize] = index as u32;
            *place += 1;
        }
    }

    /// The indices that belong to `block`, in order.
    pub(super) fn of(&self, block: Block) -> &[u32] {
        let index = block.index();
        &self.order[self.start[index] as usize..self.start[index + 1] as usize]
    }
}

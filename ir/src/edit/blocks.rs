//! Removal of blocks.

use crate::dialect::Syntax;
use crate::function::{BlockData, Function, InstRef};
use ssaphire_graph::{Block, IdMap, Value};
use std::mem;

/// # Blocks
impl<D: Syntax> Function<D> {
    /// Keeps the blocks for which `keep` returns true, and renumbers them in the old order.
    ///
    /// Edges from removed blocks take their operands along, and values defined in these blocks become values without
    /// definition. Returns the new id of each block that is kept.
    ///
    /// # Panics
    /// If the entry is removed, or a removed block has a predecessor that is kept.
    ///
    /// # Complexity
    /// O(size of the function).
    pub fn retain_blocks(&mut self, mut keep: impl FnMut(Block) -> bool) -> IdMap<Block, Option<Block>> {
        let mut kept: Vec<Block> = self.blocks().collect();
        let num_blocks = kept.len();
        kept.retain(|&block| keep(block));
        let mut new = IdMap::filled(num_blocks, None);
        for (index, &block) in kept.iter().enumerate() {
            new[block] = Some(Block::new(index));
        }
        if kept.len() < num_blocks {
            self.drop_edges_and_values(&new);
            self.renumber_blocks(&kept, &new);
            self.compact();
        }
        new
    }

    /// Removes the edges of removed blocks, and detaches their values.
    fn drop_edges_and_values(&mut self, new: &IdMap<Block, Option<Block>>) {
        for block in self.blocks() {
            if new[block].is_none() {
                self.detach_values(block);
                continue;
            }
            let incoming = self.block(block).incoming();
            let stays = |source: Block| new[source].is_some();
            if !incoming.iter().all(|edge| stays(edge.source)) {
                let edges = incoming.iter().copied().zip((0..).map(Some));
                let edges: Vec<_> = edges.filter(|(edge, _)| stays(edge.source)).collect();
                self.replace_incoming(block, &edges);
            }
        }
    }

    fn detach_values(&mut self, block: Block) {
        let data = self.block(block);
        let results = data.insts().iter().flat_map(InstRef::defined_values);
        let values: Vec<Value> = data.phis().iter().map(|phi| phi.value).chain(results).collect();
        self.values.detach(values);
    }

    fn renumber_blocks(&mut self, kept: &[Block], new: &IdMap<Block, Option<Block>>) {
        let renamed = |block: Block| new[block].unwrap_or_else(|| panic!("{block}: goes, but something leads to it"));
        let mut old: IdMap<Block, BlockData> = mem::take(&mut self.blocks);
        self.blocks = kept.iter().map(|&block| mem::take(&mut old[block])).collect();
        self.entry = renamed(self.entry);
        for data in self.blocks.values() {
            self.incoming.get_mut(data.incoming).iter_mut().for_each(|edge| edge.source = renamed(edge.source));
            for inst in self.code.insts.get(data.insts) {
                self.code.targets.span_mut(inst.targets).iter_mut().for_each(|target| *target = renamed(*target));
            }
        }
        let labels = mem::take(&mut self.labels);
        for (index, &block) in kept.iter().enumerate() {
            if let Some(name) = labels.name(block) {
                self.set_block_name(Block::new(index), name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::basic::Basic;
    use crate::{Function, text};
    use ssaphire_graph::Block;

    fn parse(source: &str) -> Function<Basic> {
        text::parse(source).unwrap_or_else(|errors| panic!("{errors}"))
    }

    #[test]
    fn operands_go_with_the_edges_of_blocks_that_go() {
        let mut function = parse(
            "func f(%c.0) {
             block0:
               branch %c.0, join, block3
             block1:
               %3 = add 1, 2
               switch %3, [join, block3], join
             join: <- block0, block1.0, block1.2
               %x.0 = phi 1, %3, 2
               return %x.0
             block3: <- block0, block1
               return 3
             }",
        );
        let new = function.retain_blocks(|block| block != Block::new(1));
        assert_eq!(new.as_slice(), [Some(0), None, Some(1), Some(2)].map(|index| index.map(Block::new)));
        assert_eq!(function.check_form(), []);
        function.canonicalize();
        let expected = parse(
            "func f(%c.0) {
             block0:
               branch %c.0, join, block2
             join:
               %x.0 = phi 1
               return %x.0
             block2:
               return 3
             }",
        );
        assert_eq!(function.to_string(), expected.to_string());
    }

    #[test]
    fn a_name_that_a_number_takes_gets_a_suffix() {
        let mut function =
            parse("func f() {\na:\n  jump block3\nb:\n  jump block3\nc:\n  return\nblock3:\n  return\n}");
        function.set_block_name(Block::new(2), "block2");
        function.set_block_name(Block::new(0), "block1");
        assert_eq!(function.label(Block::new(0)), "block1");
        function.retain_blocks(|block| block.index() % 3 == 0);
        assert_eq!([0, 1].map(|index| function.label(Block::new(index))), ["block1_2", "block1"]);
        assert_eq!(text::parse(&function.to_string()), Ok(function));
    }

    #[test]
    #[should_panic(expected = "block1: goes, but something leads to it")]
    fn a_block_that_is_needed_cannot_go() {
        parse("func f() {\nblock0:\n  jump block1\nblock1:\n  return\n}").retain_blocks(|block| block.index() == 0);
    }
}

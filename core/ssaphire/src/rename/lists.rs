//! The blocks of a complete function, as `rename` takes them.

use crate::batch::BatchError;
use alloc::vec::Vec;
use ssaphire_graph::{Access, Block, Cfg, FlatCfg, Variable, VariableForm};

/// A function as flat lists.
pub(super) struct Lists {
    pub(super) cfg: FlatCfg,
    /// Those of each block in a row.
    accesses: Vec<Access>,
    /// By block, the index of its first access; and the end of the last block.
    start: Vec<usize>,
    pub(super) num_variables: usize,
}

impl Lists {
    pub(super) fn new<T, A>(
        blocks: impl IntoIterator<Item = (T, A)>,
        parameters: &[Variable],
    ) -> Result<Self, BatchError>
    where
        T: IntoIterator<Item = Block>,
        A: IntoIterator<Item = Access>,
    {
        let (mut targets, mut start_of_targets) = (Vec::new(), alloc::vec![0]);
        let (mut accesses, mut start) = (Vec::new(), alloc::vec![0]);
        for (targets_of_block, accesses_of_block) in blocks {
            targets.extend(targets_of_block);
            start_of_targets.push(targets.len());
            accesses.extend(accesses_of_block);
            start.push(accesses.len());
        }
        let mut cfg = FlatCfg::default();
        cfg.rebuild_from_targets(start.len() - 1, Block::new(0), |block| {
            &targets[start_of_targets[block.index()]..start_of_targets[block.index() + 1]]
        })?;
        let mut lists = Self { cfg, accesses, start, num_variables: 0 };
        lists.check_tuples()?;
        lists.num_variables = lists.count_variables(parameters);
        Ok(lists)
    }

    pub(super) fn num_blocks(&self) -> usize {
        self.start.len() - 1
    }

    /// The accesses of the block; the new entry has none.
    pub(super) fn of(&self, block: Block) -> &[Access] {
        let range = self.start.get(block.index()).zip(self.start.get(block.index() + 1));
        range.map_or(&[], |(&first, &end)| &self.accesses[first..end])
    }

    fn count_variables(&self, parameters: &[Variable]) -> usize {
        let mut num_variables = 0;
        let mut see = |variable: Variable| num_variables = num_variables.max(variable.index() + 1);
        parameters.iter().copied().for_each(&mut see);
        for access in &self.accesses {
            match *access {
                Access::Read(variable) | Access::Write(variable) => see(variable),
                Access::Copy(to, from) => [to, from].into_iter().for_each(&mut see),
                Access::Tuple(_) => {}
            }
        }
        num_variables
    }

    /// Checks that each tuple has its accesses.
    fn check_tuples(&self) -> Result<(), BatchError> {
        for block in (0..self.num_blocks()).map(Block::new) {
            let accesses = self.of(block);
            for (place, access) in accesses.iter().enumerate() {
                let &Access::Tuple(announced) = access else { continue };
                let rest = accesses[place + 1..].iter();
                let following = rest.take(announced as usize).take_while(|access| !matches!(access, Access::Tuple(_)));
                let found = following.count() as u32;
                if found < announced {
                    return Err(BatchError::Tuple { block, announced, found });
                }
            }
        }
        Ok(())
    }
}

impl Cfg for Lists {
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

impl VariableForm for Lists {
    fn num_variables(&self) -> usize {
        self.num_variables
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        self.of(block).iter().copied()
    }
}

//! Branches from an integer to many blocks.

use crate::{FunctionBuilder, HashMap};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockCall, InstBuilder, JumpTableData, Type, Value, types};
use ssaphire::SsaBuilder;

/// At most this many runs are tested one after the other; longer ranges are halved first.
const FEW: usize = 3;

/// A multi-way branch: a map from integers to blocks.
///
/// Consecutive integers become a jump table; binary search finds the right one of several runs.
///
/// # Complexity
/// The function executes O(log *runs*) instructions, and `emit` creates O(entries). Sorting takes O(entries log
/// entries).
#[derive(Debug, Default)]
pub struct Switch {
    cases: HashMap<u128, Block>,
}

/// Consecutive integers, with their destinations.
struct Run {
    first: u128,
    blocks: Vec<Block>,
}

impl Switch {
    /// A branch without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry: `index` branches to `block`.
    ///
    /// # Panics
    /// If `index` has an entry already.
    pub fn set_entry(&mut self, index: u128, block: Block) {
        let before = self.cases.insert(index, block);
        assert!(before.is_none(), "{index}: set twice in a switch");
    }

    /// The destination of each integer.
    pub fn entries(&self) -> &HashMap<u128, Block> {
        &self.cases
    }

    /// Ends the current block with a branch on `value`, unsigned; integers without an entry branch to `otherwise`.
    ///
    /// The caller seals the blocks of the entries.
    ///
    /// # Panics
    /// If an entry does not fit the type of `value`.
    pub fn emit<B: SsaBuilder>(self, builder: &mut FunctionBuilder<'_, B>, value: Value, otherwise: Block) {
        let ty = builder.func.dfg.value_type(value);
        let runs = self.into_runs();
        let last = runs.last().map_or(0, |run| run.first + (run.blocks.len() as u128 - 1));
        assert!(ty.bits() >= 128 - last.leading_zeros(), "{last}: a case that {ty} does not have");
        let mut emission = Emission { builder, value, ty, otherwise, runs };
        // Ranges of runs that are left, each with the block that decides among them.
        let mut halves = vec![(None, 0..emission.runs.len())];
        while let Some((block, runs)) = halves.pop() {
            if let Some(block) = block {
                emission.builder.switch_to_block(block);
            }
            if runs.len() <= FEW {
                emission.try_each(runs);
                continue;
            }
            let middle = runs.start + runs.len() / 2;
            let [below, above] = emission.halve(middle);
            halves.push((Some(above), middle..runs.end));
            halves.push((Some(below), runs.start..middle));
        }
    }

    fn into_runs(self) -> Vec<Run> {
        let mut cases: Vec<(u128, Block)> = self.cases.into_iter().collect();
        cases.sort_unstable_by_key(|&(index, _)| index);
        let mut runs: Vec<Run> = Vec::new();
        for (index, block) in cases {
            match runs.last_mut() {
                Some(run) if index - run.first == run.blocks.len() as u128 && run.blocks.len() < u32::MAX as usize => {
                    run.blocks.push(block);
                }
                _ => runs.push(Run { first: index, blocks: vec![block] }),
            }
        }
        runs
    }
}

/// A switch being emitted.
struct Emission<'s, 'f, B: SsaBuilder> {
    builder: &'s mut FunctionBuilder<'f, B>,
    value: Value,
    ty: Type,
    otherwise: Block,
    runs: Vec<Run>,
}

impl<B: SsaBuilder> Emission<'_, '_, B> {
    fn number(&mut self, number: u128) -> Value {
        let Self { ty, .. } = *self;
        if ty != types::I128 {
            return self.builder.ins().iconst(ty, number as i64);
        }
        let low = self.builder.ins().iconst(types::I64, number as u64 as i64);
        let high = self.builder.ins().iconst(types::I64, (number >> 64) as i64);
        self.builder.ins().iconcat(low, high)
    }

    /// Branches to two new blocks: one for the runs before `middle`, one for it and the runs after it.
    fn halve(&mut self, middle: usize) -> [Block; 2] {
        let pivot = self.number(self.runs[middle].first);
        let is_below = self.builder.ins().icmp(IntCC::UnsignedLessThan, self.value, pivot);
        let [below, above] = [self.builder.create_block(), self.builder.create_block()];
        self.builder.ins().brif(is_below, below, &[], above, &[]);
        self.builder.seal_block(below);
        self.builder.seal_block(above);
        [below, above]
    }

    /// Tests the runs one after the other.
    fn try_each(&mut self, runs: Range<usize>) {
        if runs.is_empty() {
            self.builder.ins().jump(self.otherwise, &[]);
        }
        for run in runs.clone() {
            let is_last = run + 1 == runs.end;
            let next = if is_last { self.otherwise } else { self.builder.create_block() };
            self.try_run(run, next);
            if !is_last {
                self.builder.seal_block(next);
                self.builder.switch_to_block(next);
            }
        }
    }

    /// Branches to the blocks of the run, or to `next` if the value is not in the run.
    fn try_run(&mut self, run: usize, next: Block) {
        let first = self.number(self.runs[run].first);
        if let [block] = *self.runs[run].blocks {
            let is_it = self.builder.ins().icmp(IntCC::Equal, self.value, first);
            self.builder.ins().brif(is_it, block, &[], next, &[]);
            return;
        }
        let index = if self.runs[run].first == 0 { self.value } else { self.builder.ins().isub(self.value, first) };
        let index = self.as_table_index(index, self.runs[run].blocks.len(), next);
        let pool = &mut self.builder.func.dfg.value_lists;
        let calls: Vec<BlockCall> = self.runs[run].blocks.iter().map(|&to| BlockCall::new(to, [], pool)).collect();
        let default = BlockCall::new(next, [], pool);
        let table = self.builder.create_jump_table(JumpTableData::new(default, &calls));
        self.builder.ins().br_table(index, table);
    }

    /// Converts the index to the type of a jump table's index. If it has a wider type, an index of `len` or more
    /// branches to `next` first.
    fn as_table_index(&mut self, index: Value, len: usize, next: Block) -> Value {
        if self.ty.bits() < 32 {
            return self.builder.ins().uextend(types::I32, index);
        }
        if self.ty.bits() == 32 {
            return index;
        }
        let len = self.number(len as u128);
        let is_in = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, len);
        let table = self.builder.create_block();
        self.builder.ins().brif(is_in, table, &[], next, &[]);
        self.builder.seal_block(table);
        self.builder.switch_to_block(table);
        self.builder.ins().ireduce(types::I32, index)
    }
}

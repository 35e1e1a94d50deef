//! The code of a Cranelift function: its uses, and the parameters that are phis.

use super::HostContext;
use crate::ids;
use alloc::vec::Vec;
use core::ops::Range;
use cranelift_codegen::ir::{self, BlockArg, Function};
use ssaphire::{Block, KeptPhis, Placed, Value};

/// The phis of a result that have become parameters, by block.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// A block, the number of its parameters that are phis (the last ones), and its incoming edges in `edges`.
    blocks: Vec<(ir::Block, usize, Range<usize>)>,
    edges: Vec<(ir::Block, usize)>,
}

impl Written {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.edges.clear();
    }

    /// Declares the last `count` parameters of `block` to be phis, with operands for the incoming edges in `phis`.
    pub(super) fn push(&mut self, phis: &KeptPhis<'_>, block: Block, count: usize) {
        let start = self.edges.len();
        let edges = phis.incoming(block).iter();
        self.edges.extend(edges.map(|edge| (ids::clif_block(edge.source), edge.slot as usize)));
        self.blocks.push((ids::clif_block(block), count, start..self.edges.len()));
    }

    /// The number of parameters of `block` that are phis. Call this in order of block number.
    fn num_phis(&self, block: ir::Block) -> usize {
        let place = self.blocks.binary_search_by_key(&block, |&(block, ..)| block);
        place.map_or(0, |place| self.blocks[place].1)
    }
}

/// Visits the arguments of all instructions in layout order, and the phis that were written.
///
/// Branch arguments for parameters that are phis are operands of these, not uses.
pub(super) fn visit(func: &Function, context: &HostContext, visit: &mut dyn FnMut(Placed<'_>)) {
    let (dfg, written) = (&func.dfg, &context.written);
    let resolve = |value: ir::Value| ids::value(dfg.resolve_aliases(value));
    let mut places = 0..;
    let mut used = |value: ir::Value| {
        if let Some(place) = places.next() {
            visit(Placed::Use { place, value: resolve(value) });
        }
    };
    for inst in func.layout.blocks().flat_map(|block| func.layout.block_insts(block)) {
        dfg.inst_args(inst).iter().for_each(|&value| used(value));
        for call in dfg.insts[inst].branch_destination(&dfg.jump_tables, &dfg.exception_tables) {
            let own = call.len(&dfg.value_lists) - written.num_phis(call.block(&dfg.value_lists));
            for argument in call.args(&dfg.value_lists).take(own) {
                if let BlockArg::Value(value) = argument {
                    used(value);
                }
            }
        }
    }
    let mut operands: Vec<Value> = Vec::new();
    for &(block, count, ref edges) in &written.blocks {
        let params = dfg.block_params(block);
        for (index, &param) in params.iter().enumerate().skip(params.len() - count) {
            let operand = |&(source, slot): &(ir::Block, usize)| {
                let branch = func.layout.last_inst(source)?;
                let calls = dfg.insts[branch].branch_destination(&dfg.jump_tables, &dfg.exception_tables);
                match calls.get(slot)?.args(&dfg.value_lists).nth(index)? {
                    BlockArg::Value(value) => Some(resolve(value)),
                    _ => None,
                }
            };
            operands.clear();
            operands.extend(written.edges[edges.clone()].iter().filter_map(operand));
            visit(Placed::Phi { block: ids::block(block), value: ids::value(param), operands: &operands });
        }
    }
}

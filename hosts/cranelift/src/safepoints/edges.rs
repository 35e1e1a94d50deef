//! References that a call at the end of its block passes along its edges.
//!
//! They are passed after the call, when the collector may have moved the
//! objects that they refer to. So such an edge gets a block of its own, which
//! reloads them.

use alloc::vec::Vec;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::entity::EntitySet;
use cranelift_codegen::ir::{Block, BlockArg, BlockCall, Function, Inst, InstBuilder, Type, Value};

/// Splits each edge that leaves a call and passes a reference.
pub(super) fn split(func: &mut Function, references: &EntitySet<Value>) {
    let blocks: Vec<Block> = func.layout.blocks().collect();
    for block in blocks {
        let Some(call) = func.layout.last_inst(block).filter(|&inst| func.dfg.insts[inst].opcode().is_safepoint())
        else {
            continue;
        };
        let num_edges =
            func.dfg.insts[call].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables).len();
        for slot in 0..num_edges {
            split_edge(func, references, block, call, slot);
        }
    }
}

fn split_edge(func: &mut Function, references: &EntitySet<Value>, block: Block, call: Inst, slot: usize) {
    let dfg = &func.dfg;
    let edge = dfg.insts[call].branch_destination(&dfg.jump_tables, &dfg.exception_tables)[slot];
    let target = edge.block(&dfg.value_lists);
    let arguments: Vec<BlockArg> = edge.args(&dfg.value_lists).collect();
    let is_reference = |argument: &BlockArg| matches!(*argument, BlockArg::Value(value) if references.contains(dfg.resolve_aliases(value)));
    if !arguments.iter().any(is_reference) {
        return;
    }
    let types: Vec<Type> = dfg.block_params(target).iter().map(|&param| dfg.value_type(param)).collect();
    let between = func.dfg.make_block();
    func.layout.insert_block_after(between, block);
    // Results of the call enter as parameters; other values are used directly, since their definitions dominate the
    // block.
    let (mut handed_in, mut handed_on) = (Vec::new(), Vec::new());
    for (argument, ty) in arguments.into_iter().zip(types) {
        handed_on.push(match argument {
            BlockArg::Value(value) => BlockArg::Value(value),
            made_here => {
                handed_in.push(made_here);
                BlockArg::Value(func.dfg.append_block_param(between, ty))
            }
        });
    }
    let dfg = &mut func.dfg;
    let call_in = BlockCall::new(between, handed_in, &mut dfg.value_lists);
    dfg.insts[call].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables)[slot] = call_in;
    FuncCursor::new(func).at_bottom(between).ins().jump(target, &handed_on);
}

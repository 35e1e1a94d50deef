//! Replaces uses of a phi by reads of the cell that holds it.
//!
//! A captured `const x = a || b` is a phi, and a cell made of the phi. Both would be written as variables.

use super::constants::CellUses;
use super::insts::{all_insts, op_of};
use crate::dialect::{Op, Opcode};
use crate::{Js, Program, Type};
use ssaphire::graph::{DominatorTree, FlatCfg};
use ssaphire_ir::{Arg, Block, Dest, Function, Inst, Value};
use std::collections::{HashMap, HashSet};

/// A phi from where a cell holds it.
struct Content {
    phi: Value,
    cell: Value,
    block: Block,
    /// The instruction that lets the cell hold it.
    index: usize,
}

/// The function with reads of cells for phis that they hold, for as long as they do; none if there are no such cells.
pub(super) fn with_contents_read(
    program: &Program,
    writes: &CellUses,
    function: &Function<Js>,
) -> Option<Function<Js>> {
    let contents = contents(program, writes, function);
    if contents.is_empty() {
        return None;
    }
    let dominators = DominatorTree::new(&FlatCfg::new(function).ok()?);
    let mut function = function.clone();
    let mut read_of: HashMap<Value, (Value, Block)> = HashMap::new();
    // Later instructions of a block first, so that places stay.
    for content in contents.iter().rev() {
        let read = function.new_value(None, Type::Any);
        let inst = Inst::op(Op::new(Opcode::CellGetConst), [content.cell]).with_results([read]);
        function.insert_inst(content.block, content.index + 1, inst);
        read_of.insert(content.phi, (read, content.block));
    }
    let replace = |value: Value, at: Block| {
        let &(read, block) = read_of.get(&value)?;
        dominators.strictly_dominates(block, at).then_some(read)
    };
    for block in function.blocks().collect::<Vec<_>>() {
        let mut is_read: HashSet<Value> = HashSet::new();
        function.rewrite_block(block, |_, args, results| {
            for arg in args {
                let Arg::Value(value) = *arg else { continue };
                let here = read_of.get(&value).map(|&(read, _)| read).filter(|read| is_read.contains(read));
                if let Some(read) = here.or_else(|| replace(value, block)) {
                    *arg = Arg::Value(read);
                }
            }
            is_read.extend(results.iter().filter_map(|&dest| match dest {
                Dest::Value(value) => Some(value),
                Dest::Variable(_) => None,
            }));
        });
        let data = function.block(block);
        let mut operands = Vec::new();
        for (index, phi) in data.phis().iter().enumerate() {
            for (number, (&operand, edge)) in phi.operands.iter().zip(data.incoming()).enumerate() {
                let Some(&(read, made)) = read_of.get(&operand) else { continue };
                if dominators.dominates(made, edge.source) {
                    operands.push((index, number, read));
                }
            }
        }
        for (index, number, read) in operands {
            function.set_operand(block, index, number, read);
        }
    }
    Some(function)
}

/// The phis that something besides a cell reads, with the place from where the cell holds them for good.
fn contents(program: &Program, writes: &CellUses, function: &Function<Js>) -> Vec<Content> {
    let mut num_reads: HashMap<Value, u32> = HashMap::new();
    for block in function.blocks() {
        for phi in function.block(block).phis().iter() {
            num_reads.insert(phi.value, 0);
        }
    }
    if num_reads.is_empty() {
        return Vec::new();
    }
    let mut num_writes: HashMap<Value, u32> = HashMap::new();
    let mut read = |value: Value| {
        if let Some(count) = num_reads.get_mut(&value) {
            *count += 1;
        }
    };
    for inst in all_insts(function) {
        for arg in inst.args {
            if let Arg::Value(value) = *arg {
                read(value);
            }
        }
        writes.each(program, inst, |cell| {
            if let Arg::Value(cell) = cell {
                *num_writes.entry(cell).or_default() += 1;
            }
        });
    }
    for block in function.blocks() {
        function.block(block).phis().iter().for_each(|phi| phi.operands.iter().for_each(|&operand| read(operand)));
    }
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for block in function.blocks() {
        for (index, inst) in function.block(block).insts().iter().enumerate() {
            let opcode = op_of(inst).map(|op| op.opcode);
            let (cell, phi, most) = match (opcode, inst.args, inst.results) {
                (Some(Opcode::NewCell), &[Arg::Value(phi)], &[Dest::Value(cell)]) => (cell, phi, 0),
                (Some(Opcode::CellSet), &[Arg::Value(cell), Arg::Value(phi)], _) => (cell, phi, 1),
                _ => continue,
            };
            let is_read = num_reads.get(&phi).is_some_and(|&count| count > 1);
            if is_read && num_writes.get(&cell).is_none_or(|&count| count <= most) && seen.insert(phi) {
                found.push(Content { phi, cell, block, index });
            }
        }
    }
    found
}

//! Parameters that become cells at once, because closures capture them: the parameter is the cell then.

use super::constants::CellUses;
use super::insts::{all_insts, op_of};
use crate::dialect::{Immediates, Op, Opcode};
use crate::{Js, Program};
use ssaphire_ir::{Arg, Dest, Function, Inst, InstRef, Value};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The function with cells of parameters in place of cells that are made of a parameter which nothing else reads. What
/// is assigned once stays what it is: a constant that closures see can be read at any time.
pub(super) fn with_param_cells<'f>(
    program: &Program,
    writes: &CellUses,
    function: &'f Function<Js>,
) -> Cow<'f, Function<Js>> {
    let made = made_of_params(program, writes, function);
    if made.is_empty() {
        return Cow::Borrowed(function);
    }
    let mut function = function.clone();
    let entry = function.entry();
    let insts = function.block(entry).insts().iter().map(|inst| {
        let cell = match *inst.results {
            [Dest::Value(cell)] => made.get(&cell),
            _ => None,
        };
        let Some(&number) = cell else { return inst.to_inst() };
        let op = Op { immediates: Immediates::Index(number), ..Op::new(Opcode::ParamCell) };
        Inst::op(op, [] as [Arg; 0]).with_results(inst.results.iter().copied())
    });
    let insts = insts.collect();
    function.set_insts(entry, insts);
    Cow::Owned(function)
}

/// The cells that the entry makes of parameters and that are assigned again, with the numbers of the parameters.
fn made_of_params(program: &Program, writes: &CellUses, function: &Function<Js>) -> HashMap<Value, u32> {
    let params: HashMap<Value, u32> =
        (0..).zip(function.params()).map(|(number, param)| (param.value, number)).collect();
    let cell_of = |inst: InstRef<'_, Js>| match (op_of(inst)?.opcode, inst.args, inst.results) {
        (Opcode::NewCell, [Arg::Value(param)], [Dest::Value(cell)]) => {
            params.get(param).map(|&number| (*cell, (*param, number)))
        }
        _ => None,
    };
    let mut made: HashMap<Value, (Value, u32)> =
        function.block(function.entry()).insts().iter().filter_map(cell_of).collect();
    if made.is_empty() {
        return HashMap::new();
    }
    let mut num_reads: HashMap<Value, u32> = HashMap::new();
    let mut written: HashSet<Value> = HashSet::new();
    let mut read = |value: Value| {
        if params.contains_key(&value) {
            *num_reads.entry(value).or_default() += 1;
        }
    };
    for inst in all_insts(function) {
        inst.args.iter().for_each(|arg| {
            if let Arg::Value(value) = *arg {
                read(value);
            }
        });
        writes.each(program, inst, |cell| {
            if let Arg::Value(cell) = cell {
                written.insert(cell);
            }
        });
    }
    for block in function.blocks() {
        for phi in function.block(block).phis().iter() {
            phi.operands.iter().for_each(|&operand| read(operand));
        }
    }
    made.retain(|cell, (param, _)| num_reads.get(param) == Some(&1) && written.contains(cell));
    made.into_iter().map(|(cell, (_, number))| (cell, number)).collect()
}

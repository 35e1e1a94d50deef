//! The largest SSA form: a phi for every variable in every block.

use ssaphire::graph::IdMap;
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, Dest, Dialect, Function, IncomingEdge, Inst};
use std::mem;

/// The function in SSA form, with a phi for every variable in every block that has incoming edges.
///
/// It takes no thought to see that this is right, and it exercises everything
/// that prints, parses or runs phis. An entry with incoming edges gets a block
/// in front, after all others. The result is canonical.
///
/// # Complexity
/// O((*n* + *e*) *v*) time and values, always.
pub fn maximal_ssa<D: Dialect>(function: &Function<D>) -> Function<D> {
    let mut ssa = function.clone();
    add_pre_entry(&mut ssa);
    // Results of terminators are renamed first: the successor that sees them may come before.
    for block in ssa.blocks() {
        let mut insts = ssa.block(block).insts().to_vec();
        if let Some(last) = insts.last_mut().filter(|last| last.is_terminator()) {
            rename_results(&mut ssa, last);
        }
        ssa.set_insts(block, insts);
    }
    let tops: IdMap<Block, Vec<Value>> = ssa.blocks().map(|block| contents_at_top(&mut ssa, block)).collect();
    let bottoms: IdMap<Block, Vec<Value>> =
        ssa.blocks().map(|block| rewrite(&mut ssa, block, tops[block].clone())).collect();
    for block in ssa.blocks().filter(|&block| !ssa.block(block).incoming().is_empty()).collect::<Vec<_>>() {
        for variable in ssa.variables() {
            let operand = |edge: IncomingEdge| bottoms[edge.source][variable.index()];
            ssa.insert_phi(block, tops[block][variable.index()], Some(variable), operand);
        }
    }
    ssa.unbind_params();
    ssa.canonicalize();
    ssa
}

fn add_pre_entry<D: Dialect>(ssa: &mut Function<D>) {
    let entry = ssa.entry();
    if !ssa.block(entry).incoming().is_empty() {
        let new = ssa.create_block();
        ssa.push_inst(new, Inst::jump(entry));
        ssa.set_entry(new);
    }
}

/// What each variable holds at the top of `block`, before the results of a terminator that leads there.
fn contents_at_top<D: Dialect>(ssa: &mut Function<D>, block: Block) -> Vec<Value> {
    let has_edges = !ssa.block(block).incoming().is_empty();
    let is_entry = block == ssa.entry();
    let variables = ssa.variables();
    let content = |variable| match ssa.initial_value(variable).filter(|_| is_entry) {
        _ if has_edges => ssa.new_version(variable),
        Some(initial) => initial,
        None => ssa.undefined(variable),
    };
    variables.map(content).collect()
}

/// Replaces the variables of a block, given what they hold at its top: what they hold at its end.
fn rewrite<D: Dialect>(ssa: &mut Function<D>, block: Block, mut contents: Vec<Value>) -> Vec<Value> {
    for dest in ssa.results_at_top(block).to_vec() {
        note_result(ssa, dest, &mut contents);
    }
    let mut insts = ssa.block(block).insts().to_vec();
    for inst in &mut insts {
        for arg in &mut inst.args {
            if let Arg::Variable(variable) = *arg {
                *arg = Arg::Value(contents[variable.index()]);
            }
        }
        match inst.action {
            Action::Copy => dissolve_copies(inst, &mut contents),
            Action::Op(_) if inst.is_terminator() => {}
            Action::Op(_) => {
                rename_results(ssa, inst);
                inst.results.iter().for_each(|&dest| note_result(ssa, dest, &mut contents));
            }
        }
    }
    insts.retain(|inst| !matches!(inst.action, Action::Copy) || !inst.results.is_empty());
    ssa.set_insts(block, insts);
    contents
}

/// Copies to variables need no instruction in SSA form; copies to values stay.
fn dissolve_copies<D: Dialect>(inst: &mut Inst<D>, contents: &mut [Value]) {
    let pairs: Vec<_> = mem::take(&mut inst.results).into_iter().zip(mem::take(&mut inst.args)).collect();
    for (dest, arg) in pairs {
        match (dest, arg) {
            (Dest::Variable(variable), Arg::Value(value)) => contents[variable.index()] = value,
            _ => {
                inst.results.push(dest);
                inst.args.push(arg);
            }
        }
    }
}

fn rename_results<D: Dialect>(ssa: &mut Function<D>, inst: &mut Inst<D>) {
    for dest in &mut inst.results {
        if let Dest::Variable(variable) = *dest {
            *dest = Dest::Value(ssa.new_version(variable));
        }
    }
}

fn note_result<D: Dialect>(ssa: &Function<D>, dest: Dest, contents: &mut [Value]) {
    if let Dest::Value(value) = dest
        && let Some(variable) = ssa.value(value).name
    {
        contents[variable.index()] = value;
    }
}

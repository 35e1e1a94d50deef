//! Reads of variables where their values are used.
//!
//! A function that keeps its variables has a copy for each read. Where a value is used in the block of its copy, and the
//! variable has not been written since, the use may read the variable itself.

use crate::dialect::Js;
use ssaphire::{Value, Variable};
use ssaphire_ir::{Action, Arg, Dest, Function, Inst};
use std::collections::HashMap;

/// Lets uses read variables, and drops the copies that nothing needs any more.
pub(super) fn forward_reads(function: &mut Function<Js>) {
    let mut uses: Vec<u32> = vec![0; function.num_values()];
    let mut count = |arg: &Arg| {
        if let Arg::Value(value) = *arg {
            uses[usize::from(value)] += 1;
        }
    };
    for block in function.blocks() {
        function.block(block).insts().iter().flat_map(|inst| inst.args).for_each(&mut count);
    }
    let mut reads = Reads { held: HashMap::new(), writes: vec![0; function.num_variables()] };
    for block in function.blocks().collect::<Vec<_>>() {
        reads.held.clear();
        let mut insts: Vec<Inst<Js>> = function.block(block).insts().iter().map(|inst| inst.to_inst()).collect();
        let mut has_changed = false;
        for inst in &mut insts {
            has_changed |= reads.forward(inst, &mut uses) || is_needless(inst, &uses);
        }
        if has_changed {
            insts.retain(|inst| !is_needless(inst, &uses));
            function.set_insts(block, insts);
        }
    }
}

/// The reads of a block.
struct Reads {
    /// By value: the variable that it has been read from, and the number of writes before that.
    held: HashMap<Value, (Variable, u32)>,
    /// By variable, the number of writes so far.
    writes: Vec<u32>,
}

impl Reads {
    fn forward(&mut self, inst: &mut Inst<Js>, uses: &mut [u32]) -> bool {
        let mut has_changed = false;
        for arg in &mut inst.args {
            if let Arg::Value(value) = *arg
                && let Some(&(variable, writes)) = self.held.get(&value)
                && self.writes[usize::from(variable)] == writes
            {
                *arg = Arg::Variable(variable);
                uses[usize::from(value)] -= 1;
                has_changed = true;
            }
        }
        for dest in &inst.results {
            if let Dest::Variable(written) = *dest {
                self.writes[usize::from(written)] += 1;
            }
        }
        if let Some((value, variable)) = read(inst) {
            self.held.insert(value, (variable, self.writes[usize::from(variable)]));
        }
        has_changed
    }
}

/// The value and the variable of a read.
fn read(inst: &Inst<Js>) -> Option<(Value, Variable)> {
    match (&inst.action, &inst.results[..], &inst.args[..]) {
        (Action::Copy, &[Dest::Value(value)], &[Arg::Variable(variable)]) => Some((value, variable)),
        _ => None,
    }
}

fn is_needless(inst: &Inst<Js>, uses: &[u32]) -> bool {
    read(inst).is_some_and(|(value, _)| uses[usize::from(value)] == 0)
}

//! Instructions and phis that nothing uses.

use crate::dialect::Dialect;
use crate::function::{Action, Arg, Dest, Function};
use ssaphire::graph::IdMap;
use ssaphire::{Block, Value};

/// Removes instructions without effect, and phis, whose results nothing uses, and what is unused then: how many.
///
/// Instructions that have to stay in any case are those that [have an effect](Dialect::has_effect) or end a block. Values that use
/// one another alone stay: [`remove_dead_code`](super::remove_dead_code) removes them, too.
///
/// # Complexity
/// O(size of the function).
pub fn remove_unused<D: Dialect>(function: &mut Function<D>) -> usize {
    let unused = Unused::of(function);
    if unused.num == 0 {
        return 0;
    }
    for block in function.blocks() {
        function.retain_phis(block, |phi| unused.is_used(phi.value));
        function.retain_insts(block, |inst| {
            let is_used = |dest: &Dest| !matches!(*dest, Dest::Value(value) if !unused.is_used(value));
            inst.results.is_empty() || inst.results.iter().any(is_used)
        });
    }
    unused.num
}

/// The number of instructions and phis that [`remove_unused`] would remove.
///
/// # Complexity
/// O(size of the function).
pub fn count_unused<D: Dialect>(function: &Function<D>) -> usize {
    Unused::of(function).num
}

/// Where a value is defined by something that may go.
#[derive(Clone, Copy)]
enum Definition {
    /// Nowhere: it stays.
    None,
    Phi(Block, u32),
    Inst(Block, u32),
}

struct Unused {
    /// By value: its uses by what stays.
    num_uses: IdMap<Value, u32>,
    removed: IdMap<Value, bool>,
    num: usize,
}

impl Unused {
    fn of<D: Dialect>(function: &Function<D>) -> Self {
        let num_values = function.num_values();
        let mut unused =
            Self { num_uses: IdMap::filled(num_values, 0), removed: IdMap::filled(num_values, false), num: 0 };
        let mut definitions = IdMap::filled(num_values, Definition::None);
        let mut candidates = Vec::new();
        for block in function.blocks() {
            let data = function.block(block);
            for (phi, index) in data.phis().iter().zip(0..) {
                phi.operands.iter().for_each(|&operand| unused.num_uses[operand] += 1);
                definitions[phi.value] = Definition::Phi(block, index);
                candidates.push(phi.value);
            }
            for (inst, index) in data.insts().iter().zip(0..) {
                inst.args.iter().filter_map(value).for_each(|arg| unused.num_uses[arg] += 1);
                let has_effect = matches!(inst.action, Action::Op(op) if D::has_effect(op));
                // Of several results all have to be unused: such an instruction stays for the dead code elimination.
                if let (&[Dest::Value(result)], false, true) = (inst.results, has_effect, inst.targets.is_empty()) {
                    definitions[result] = Definition::Inst(block, index);
                    candidates.push(result);
                }
            }
        }
        candidates.retain(|&value| unused.num_uses[value] == 0);
        while let Some(candidate) = candidates.pop() {
            if unused.num_uses[candidate] > 0 || unused.removed[candidate] {
                continue;
            }
            unused.removed[candidate] = true;
            unused.num += 1;
            let mut release = |used: Value| {
                unused.num_uses[used] -= 1;
                if unused.num_uses[used] == 0 && !matches!(definitions[used], Definition::None) {
                    candidates.push(used);
                }
            };
            match definitions[candidate] {
                Definition::None => {}
                Definition::Phi(block, index) => {
                    let phi = function.block(block).phis().get(index as usize);
                    phi.into_iter().flat_map(|phi| phi.operands).for_each(|&operand| release(operand));
                }
                Definition::Inst(block, index) => {
                    let inst = function.block(block).insts().get(index as usize);
                    inst.into_iter().flat_map(|inst| inst.args).filter_map(value).for_each(release);
                }
            }
        }
        unused
    }

    fn is_used(&self, value: Value) -> bool {
        !self.removed.get(value).copied().unwrap_or(false)
    }
}

fn value(arg: &Arg) -> Option<Value> {
    match *arg {
        Arg::Value(value) => Some(value),
        Arg::Variable(_) => None,
    }
}

//! Instructions and phis that nothing with an effect uses.

use crate::dialect::Semantics;
use crate::function::{Action, Arg, Dest, Function, InstRef};
use ssaphire::graph::IdMap;
use ssaphire::{Block, Value};

/// Removes instructions and phis without effect that no other instruction needs, even if they use one another; returns
/// their number.
///
/// What needs its arguments in any case are instructions that [have an effect](crate::Properties::has_effect) or end a block.
/// All branches count as needed: [`remove_dead_code`](super::remove_dead_code) looks at what they decide, too.
///
/// # Complexity
/// O(size of the function).
pub fn remove_unused<D: Semantics>(function: &mut Function<D>) -> usize {
    let used = Used::of(function);
    let num_unused = used.num_unused(function);
    if num_unused > 0 {
        for block in function.blocks() {
            function.retain_phis(block, |phi| used.is_used[phi.value]);
            function.retain_insts(block, |inst| stays(&inst) || used.is_any(&inst));
        }
    }
    num_unused
}

/// The number of instructions and phis that [`remove_unused`] would remove.
///
/// # Complexity
/// O(size of the function).
pub fn count_unused<D: Semantics>(function: &Function<D>) -> usize {
    Used::of(function).num_unused(function)
}

/// Whether the instruction stays even if nothing uses its results.
fn stays<D: Semantics>(inst: &InstRef<'_, D>) -> bool {
    let has_effect = matches!(inst.action, Action::Op(op) if D::properties(op).has_effect);
    has_effect || inst.is_terminator() || inst.defined_values().count() < inst.results.len() || inst.results.is_empty()
}

/// What defines a value and may go.
#[derive(Clone, Copy)]
enum Definition {
    None,
    Phi(Block, u32),
    Inst(Block, u32),
}

struct Used {
    is_used: IdMap<Value, bool>,
}

impl Used {
    fn of<D: Semantics>(function: &Function<D>) -> Self {
        let mut is_used = IdMap::filled(function.num_values(), false);
        let mut definitions = IdMap::filled(function.num_values(), Definition::None);
        let mut pending = Vec::new();
        for block in function.blocks() {
            let data = function.block(block);
            for (phi, index) in data.phis().iter().zip(0..) {
                definitions[phi.value] = Definition::Phi(block, index);
            }
            for (inst, index) in data.insts().iter().zip(0..) {
                inst.defined_values().for_each(|result| definitions[result] = Definition::Inst(block, index));
                if stays(&inst) {
                    pending.extend(inst.args.iter().filter_map(value));
                }
            }
        }
        while let Some(value) = pending.pop() {
            if std::mem::replace(&mut is_used[value], true) {
                continue;
            }
            match definitions[value] {
                Definition::None => {}
                Definition::Phi(block, index) => {
                    let phi = function.block(block).phis().get(index as usize);
                    pending.extend(phi.into_iter().flat_map(|phi| phi.operands));
                }
                Definition::Inst(block, index) => {
                    let inst = function.block(block).insts().get(index as usize);
                    pending.extend(inst.into_iter().flat_map(|inst| inst.args).filter_map(self::value));
                }
            }
        }
        Self { is_used }
    }

    fn is_any<D: Semantics>(&self, inst: &InstRef<'_, D>) -> bool {
        inst.results.iter().any(|dest| matches!(*dest, Dest::Value(value) if self.is_used[value]))
    }

    fn num_unused<D: Semantics>(&self, function: &Function<D>) -> usize {
        let of_block = |block: Block| {
            let data = function.block(block);
            let phis = data.phis().iter().filter(|phi| !self.is_used[phi.value]).count();
            let insts = data.insts().iter().filter(|inst| !stays(inst) && !self.is_any(inst)).count();
            phis + insts
        };
        function.blocks().map(of_block).sum()
    }
}

fn value(arg: &Arg) -> Option<Value> {
    match *arg {
        Arg::Value(value) => Some(value),
        Arg::Variable(_) => None,
    }
}

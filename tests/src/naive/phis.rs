//! Phis that could be removed.

use super::{blocks, is_reachable};
use ssaphire::graph::{Block, SsaForm, Value, ValueEvent};

/// The largest number of phis for which [`redundant_phis`] tries all sets.
pub const MAX_PHIS: usize = 16;

/// A phi of a reachable block with its operands over edges from reachable blocks.
struct Phi {
    block: Block,
    value: Value,
    operands: Vec<Value>,
}

fn reachable_phis(form: &impl SsaForm) -> Vec<Phi> {
    let mut phis = Vec::new();
    for block in blocks(form).filter(|&block| is_reachable(form, block)) {
        for value in form.phis(block) {
            let by_edge = form.predecessors(block).zip(form.operands(block, value));
            let operands = by_edge.filter(|&(source, _)| is_reachable(form, source)).map(|(_, operand)| operand);
            phis.push(Phi { block, value, operands: operands.collect() });
        }
    }
    phis
}

/// The operands of the phis of `set` that are not in `set` themselves, each once.
fn outer_operands(phis: &[Phi], set: impl Fn(Value) -> bool) -> Vec<Value> {
    let of_set = phis.iter().filter(|phi| set(phi.value)).flat_map(|phi| phi.operands.iter().copied());
    let mut outer: Vec<_> = of_set.filter(|&operand| !set(operand)).collect();
    outer.sort_unstable();
    outer.dedup();
    outer
}

/// The phis, with their blocks, that reference just themselves and at most one other value.
pub fn trivial_phis(form: &impl SsaForm) -> Vec<(Block, Value)> {
    let phis = reachable_phis(form);
    let is_trivial = |phi: &&Phi| outer_operands(&phis, |value| value == phi.value).len() <= 1;
    phis.iter().filter(is_trivial).map(|phi| (phi.block, phi.value)).collect()
}

/// Whether the phis of `set` reference just each other and at most one other value. The empty set is not redundant.
pub fn is_redundant_set(form: &impl SsaForm, set: &[Value]) -> bool {
    let phis = reachable_phis(form);
    let all_phis = set.iter().all(|&value| phis.iter().any(|phi| phi.value == value));
    all_phis && !set.is_empty() && outer_operands(&phis, |value| set.contains(&value)).len() <= 1
}

/// The phis, with their blocks, that belong to some redundant set; `None` if there are more than [`MAX_PHIS`].
///
/// Tries every set: O(2^*p* (*n* + operands)).
pub fn redundant_phis(form: &impl SsaForm) -> Option<Vec<(Block, Value)>> {
    let phis = reachable_phis(form);
    if phis.len() > MAX_PHIS {
        return None;
    }
    // By value: its bit, or none.
    let mut bit_of = vec![0u32; form.num_values()];
    for (index, phi) in phis.iter().enumerate() {
        bit_of[phi.value.index()] = 1 << index;
    }
    let mut redundant = 0u32;
    for set in 1..1u32 << phis.len() {
        if outer_operands(&phis, |value| bit_of[value.index()] & set != 0).len() <= 1 {
            redundant |= set;
        }
    }
    let found = phis.iter().filter(|phi| bit_of[phi.value.index()] & redundant != 0);
    Some(found.map(|phi| (phi.block, phi.value)).collect())
}

/// The phis, with their blocks, that no use other than phis needs, directly or through other phis.
///
/// Uses in unreachable blocks do not count. O(*p* (*p* + operands)).
pub fn dead_phis(form: &impl SsaForm) -> Vec<(Block, Value)> {
    let mut dead = reachable_phis(form);
    let used = |event: &ValueEvent| if let ValueEvent::Use(value) = *event { Some(value) } else { None };
    let reachable = blocks(form).filter(|&block| is_reachable(form, block));
    let mut needed: Vec<_> = reachable.flat_map(|block| form.events(block)).filter_map(|event| used(&event)).collect();
    while let Some(index) = dead.iter().position(|phi| needed.contains(&phi.value)) {
        needed.extend(dead.remove(index).operands);
    }
    dead.iter().map(|phi| (phi.block, phi.value)).collect()
}

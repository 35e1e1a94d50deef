//! The SSA property: only the most recent value of a variable is used.

use super::{blocks, is_reachable};
use ssaphire::graph::{Block, SsaForm, Value, ValueEvent, Variable};

/// The violations of Definition 4: values, and blocks in which they are used too late.
///
/// A path from a definition of a value of variable `v` to its use contains no
/// other definition or phi of `v`. The path starts at the last time the value
/// was defined: if it is defined again, the path from there counts. A phi's
/// operand is used where its edge leaves. Two phis of one variable in one
/// block break the property too, and are reported as the second one with its
/// block. Values without a variable are ignored. Sorted.
///
/// Per value one search of its block ends and events, each at most twice.
pub fn ssa_property_violations(
    form: &impl SsaForm,
    variable_of: impl Fn(Value) -> Option<Variable>,
) -> Vec<(Value, Block)> {
    let items: Vec<_> = blocks(form).map(|block| items(form, block)).collect();
    let mut found = Vec::new();
    for block in blocks(form).filter(|&block| is_reachable(form, block)) {
        for (index, item) in items[block.index()].iter().enumerate() {
            if let Item::Def(value) = *item {
                late_uses(form, &items, &variable_of, (value, block, index + 1), &mut found);
            }
        }
        let phis: Vec<_> = form.phis(block).filter(|&phi| variable_of(phi).is_some()).collect();
        let repeats = |index: usize| phis[..index].iter().any(|&phi| variable_of(phi) == variable_of(phis[index]));
        found.extend((0..phis.len()).filter(|&index| repeats(index)).map(|index| (phis[index], block)));
    }
    for value in form.globals() {
        late_uses(form, &items, &variable_of, (value, form.entry(), 0), &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[derive(Clone, Copy)]
enum Item {
    Def(Value),
    Use(Value),
}

/// The items of `block`: its phis, its events, and the operands of phis used where its edges leave.
fn items(form: &impl SsaForm, block: Block) -> Vec<Item> {
    let mut items: Vec<_> = form.phis(block).map(Item::Def).collect();
    items.extend(form.events(block).map(|event| match event {
        ValueEvent::Def(value) => Item::Def(value),
        ValueEvent::Use(value) => Item::Use(value),
    }));
    for target in form.successors(block) {
        for phi in form.phis(target) {
            let by_edge = form.predecessors(target).zip(form.operands(target, phi));
            items.extend(by_edge.filter(|&(source, _)| source == block).map(|(_, operand)| Item::Use(operand)));
        }
    }
    items
}

/// Walks from a definition of a value, `start`, to all its uses, and reports those past another definition.
fn late_uses(
    form: &impl SsaForm,
    items: &[Vec<Item>],
    variable_of: &impl Fn(Value) -> Option<Variable>,
    start: (Value, Block, usize),
    found: &mut Vec<(Value, Block)>,
) {
    let (value, block, index) = start;
    let Some(variable) = variable_of(value) else { return };
    let mut seen = vec![[false; 2]; items.len()];
    let mut work = vec![(block, index, false)];
    'paths: while let Some((block, index, mut too_late)) = work.pop() {
        for item in &items[block.index()][index..] {
            match *item {
                Item::Def(again) if again == value => continue 'paths,
                Item::Def(other) => too_late |= variable_of(other) == Some(variable),
                Item::Use(used) if used == value && too_late => found.push((value, block)),
                Item::Use(_) => {}
            }
        }
        for target in form.successors(block) {
            let seen = &mut seen[target.index()][usize::from(too_late)];
            if !std::mem::replace(seen, true) {
                work.push((target, 0, too_late));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::{minimal_placement, pruned_placement};
    use crate::sample_forms::{Random, construct, random_source, small_cfg};

    #[test]
    fn constructed_forms_have_the_property_and_a_late_use_breaks_it() {
        let mut broken = 0;
        for seed in 0..200 {
            let random = &mut Random::new(seed);
            let cfg = small_cfg(random, 8);
            let source = random_source(random, cfg, false);
            for placement in [minimal_placement(&source), pruned_placement(&source)] {
                let mut built = construct(&source, &placement);
                let variable_of = built.variable_of.clone();
                let variable_of = |value: Value| variable_of[value.index()];
                assert_eq!(ssa_property_violations(&built.form, variable_of), [], "{source:?}");
                // A use, at the end, of the value of each variable at the entry.
                for block in blocks(&built.form).filter(|&block| is_reachable(&source, block)) {
                    built.form.events[block.index()].push(ValueEvent::Use(Value::new(0)));
                }
                broken += usize::from(!ssa_property_violations(&built.form, variable_of).is_empty());
            }
        }
        assert!(broken > 100, "{broken}");
    }
}

//! Live sets against those that are found value by value.

use super::*;
use crate::sample::{Function, below, draft, function};
use alloc::vec;
use ssaphire_graph::{Liveness, SsaForm, Value, ValueEvent};

/// What a block of a function does with all of its values.
fn describe(function: &impl SsaForm, cfg: &FlatCfg, block: Block, local: &mut Local) {
    let number = |value: Value| value.index() as u32;
    if block == cfg.entry() {
        local.defined.extend(function.globals().map(number));
    }
    local.defined.extend(function.phis(block).map(number));
    for event in function.events(block) {
        match event {
            ValueEvent::Use(value) if local.defined.contains(&number(value)) => {}
            ValueEvent::Use(value) => local.used.push(number(value)),
            ValueEvent::Def(value) => local.defined.push(number(value)),
        }
    }
    for edge in cfg.outgoing(block) {
        let target = cfg.target(edge);
        let operand = |phi| function.operands(target, phi).nth(cfg.operand_index(edge));
        local.at_end.extend(function.phis(target).filter_map(operand).map(number));
    }
}

fn compare(function: &impl SsaForm, cfg: &FlatCfg, what: &str) -> bool {
    let dominators = DominatorTree::new(cfg);
    let loops = LoopForest::new(cfg, &dominators);
    let num_values = function.num_values() as u32;
    let live = LiveSets::new(function.num_values(), cfg, &dominators, &loops, |block, local| {
        describe(function, cfg, block, local);
    });
    let by_value = Liveness::of_values(function, cfg, dominators.order());
    for &block in dominators.preorder() {
        let mut listed = Vec::new();
        listed.extend((0..num_values).filter(|&key| live.is_at_top(block, key as usize)));
        let globals: Vec<Value> = if block == cfg.entry() { function.globals().collect() } else { vec![] };
        let wanted = by_value.live_in(block).iter().filter(|value| !globals.contains(value));
        assert!(listed.iter().map(|&key| Value::new(key as usize)).eq(wanted.copied()), "{what}: {block}");
        listed.clear();
        listed.extend((0..num_values).filter(|&key| live.is_at_end(block, key as usize)));
        let wanted = by_value.live_out(block).iter().copied();
        assert!(listed.iter().map(|&key| Value::new(key as usize)).eq(wanted), "{what}: {block}");
    }
    loops.is_reducible()
}

#[test]
fn sets_are_those_found_value_by_value() {
    let mut irreducible = 0;
    for seed in 0..3_000 {
        let function = function(seed);
        irreducible += usize::from(!compare(&function, &function.cfg, &alloc::format!("seed {seed}")));
    }
    assert!(irreducible > 300, "{irreducible}");
}

/// A graph of rows with edges forward, and some back to anywhere: loops in loops that are entered in many places. Each block
/// defines a value, and uses some that dominate it.
fn tangle(seed: u64) -> Function {
    let mut state = seed;
    let num_blocks = 3 + below(&mut state, 40);
    let reach = 2 + below(&mut state, 6);
    let targets: Vec<Vec<usize>> = (0..num_blocks)
        .map(|at| {
            let mut targets = vec![(at + 1) % num_blocks];
            if below(&mut state, 2) == 0 {
                targets.push((at + 1 + below(&mut state, reach)).min(num_blocks - 1));
            }
            if below(&mut state, 3) == 0 {
                targets.push(1 + below(&mut state, num_blocks - 1));
            }
            targets.retain(|&target| target > 0);
            targets
        })
        .collect();
    // Value 0 is global.
    let value = |block: Block| Value::new(1 + block.index());
    let mut function = draft(&targets, 1 + num_blocks);
    let dominators = DominatorTree::new(&function.cfg);
    for &block in dominators.preorder() {
        let events = &mut function.events[block.index()];
        let mut at = Some(block);
        while let Some(above) = at {
            if below(&mut state, 4) == 0 && above != block {
                events.push(ValueEvent::Use(value(above)));
            }
            at = dominators.idom(above);
        }
        events.push(ValueEvent::Def(value(block)));
    }
    function
}

#[test]
fn loops_with_several_entries_in_each_other_are_filled() {
    let mut irreducible = 0;
    for seed in 0..3_000 {
        let function = tangle(seed);
        irreducible += usize::from(!compare(&function, &function.cfg, &alloc::format!("seed {seed}")));
    }
    assert!(irreducible > 1_000, "{irreducible}");
}

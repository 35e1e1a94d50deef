//! Blocks that come one behind the other become one.

use super::function::{BlockId, BlockKind, ClosureId, HirFunction, Instruction};
use super::order::find_predecessors;
use super::terminal::Terminal;
use super::value::Value;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// Which block a block has become part of.
#[derive(Default)]
struct Merged(HashMap<BlockId, BlockId>);

impl Merged {
    fn get(&self, block: BlockId) -> BlockId {
        let mut block = block;
        while let Some(&into) = self.0.get(&block) {
            block = into;
        }
        block
    }
}

/// Appends each block of statements to its only predecessor, if that one just jumps to it; in `function` and all functions in it.
pub(super) fn merge_consecutive_blocks(nest: &mut HirFunction, function: ClosureId) {
    for inner in nest.nest_of(function) {
        merge_in(nest, inner);
    }
}

fn merge_in(nest: &mut HirFunction, function: ClosureId) {
    let order = nest.function(function).order.clone();
    let mut merged = Merged(HashMap::new());
    // What a statement falls through to must stay where the statement ends.
    let mut fallthroughs = HashSet::new();
    for &id in &order {
        let Some(block) = nest.block(id) else { continue };
        fallthroughs.extend(block.terminal.fallthrough());
        if block.kind != BlockKind::Block || fallthroughs.contains(&id) {
            continue;
        }
        let &[predecessor] = &*block.predecessors else { continue };
        let into = merged.get(predecessor);
        let is_just_a_jump = nest
            .block(into)
            .is_some_and(|block| block.kind == BlockKind::Block && matches!(block.terminal, Terminal::Goto { .. }));
        if into != id && is_just_a_jump {
            append(nest, id, into);
            merged.0.insert(id, into);
        }
    }
    if merged.0.is_empty() {
        return find_predecessors(nest, function);
    }
    nest.functions[function.index()].order.retain(|&id| nest.blocks[id.index()].is_some());
    let order = nest.function(function).order.clone();
    for &id in &order {
        let Some(block) = nest.block_mut(id) else { continue };
        for phi in &mut block.phis {
            let (moved, kept): (Vec<_>, Vec<_>) =
                phi.operands.drain(..).partition(|&(from, _)| merged.get(from) != from);
            phi.operands = kept;
            phi.operands.extend(moved.into_iter().map(|(from, place)| (merged.get(from), place)));
        }
        if let Some(fallthrough) = block.terminal.fallthrough_mut() {
            *fallthrough = merged.get(*fallthrough);
        }
    }
    find_predecessors(nest, function);
}

fn append(nest: &mut HirFunction, id: BlockId, into: BlockId) {
    let Some(block) = nest.blocks[id.index()].take() else { return };
    let Some(target) = nest.block_mut(into) else { return };
    for phi in &block.phis {
        let copies = phi.operands.iter().map(|&(_, place)| Instruction {
            order: target.terminal_order,
            place: phi.place,
            value: Value::LoadLocal { place },
        });
        target.instructions.extend(copies.take(1));
    }
    target.instructions.extend(block.instructions);
    target.terminal = block.terminal;
    target.terminal_order = block.terminal_order;
}

//! The order of the blocks of a function, their predecessors, and what that order leaves of loops and `try` statements.

use super::function::{BlockId, ClosureId, HirFunction};
use super::terminal::{GotoVariant, Terminal};
use super::value::Value;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// Orders the blocks that have been `completed` for a new function, and numbers its instructions.
///
/// # Errors
/// A function in unreachable code: React Compiler refuses it, since it might be hoisted.
pub(super) fn finish(nest: &mut HirFunction, function: ClosureId, completed: &[BlockId]) -> Result<(), String> {
    let order = reverse_postorder(nest, nest.function(function).entry);
    let is_used: HashSet<BlockId> = order.iter().map(|&(block, _)| block).collect();
    let makes_function = |block: &BlockId| {
        let instructions = nest.block(*block).map_or(&[][..], |block| &block.instructions);
        instructions.iter().any(|instruction| matches!(instruction.value, Value::Function(_)))
    };
    if completed.iter().any(|block| !is_used.contains(block) && makes_function(block)) {
        return Err("a function in unreachable code".into());
    }
    apply(nest, function, &order, completed);
    remove_what_is_unreachable(nest, function);
    number(nest, function);
    find_predecessors(nest, function);
    Ok(())
}

/// Orders the blocks of a function anew; those in `blocks` that nothing reaches are dropped.
pub(super) fn reorder(nest: &mut HirFunction, function: ClosureId, blocks: &[BlockId]) {
    let order = reverse_postorder(nest, nest.function(function).entry);
    apply(nest, function, &order, blocks);
}

fn apply(nest: &mut HirFunction, function: ClosureId, order: &[(BlockId, bool)], blocks: &[BlockId]) {
    let kept: HashSet<BlockId> = order.iter().map(|&(block, _)| block).collect();
    for block in blocks.iter().filter(|block| !kept.contains(block)) {
        nest.blocks[block.index()] = None;
    }
    for &(block, is_used) in order {
        if let Some(block) = nest.block_mut(block).filter(|_| !is_used) {
            block.instructions.clear();
            block.terminal = Terminal::Unreachable;
        }
    }
    nest.functions[function.index()].order = order.iter().map(|&(block, _)| block).collect();
}

#[derive(Clone, Copy, Default)]
struct Seen {
    is_visited: bool,
    is_used: bool,
    is_fallthrough: bool,
}

enum Step {
    Visit { block: BlockId, is_used: bool },
    Leave(BlockId),
}

/// The blocks in reverse post-order, each with whether control reaches it.
///
/// The fallthrough of a statement comes behind the statement. One that nothing reaches stays, as long as the statement is reached.
fn reverse_postorder(nest: &HirFunction, entry: BlockId) -> Vec<(BlockId, bool)> {
    let mut seen: HashMap<BlockId, Seen> = HashMap::new();
    let mut postorder = Vec::new();
    let mut steps = vec![Step::Visit { block: entry, is_used: true }];
    while let Some(step) = steps.pop() {
        let (id, is_used) = match step {
            Step::Leave(block) => {
                postorder.push(block);
                continue;
            }
            Step::Visit { block, is_used } => (block, is_used),
        };
        let before = seen.get(&id).copied().unwrap_or_default();
        let Some(block) = nest.block(id) else { continue };
        let now = seen.entry(id).or_default();
        now.is_visited = true;
        now.is_used |= is_used;
        if before.is_visited && (before.is_used || !is_used) {
            continue;
        }
        if !before.is_visited {
            steps.push(Step::Leave(id));
        }
        let fallthrough = block.terminal.fallthrough();
        // The last one pushed is visited first: the fallthrough, then the successors from the last one to the first one.
        steps.extend(block.terminal.successors().into_iter().map(|block| Step::Visit { block, is_used }));
        if let Some(block) = fallthrough {
            seen.entry(block).or_default().is_fallthrough |= is_used;
            steps.push(Step::Visit { block, is_used: false });
        }
    }
    postorder.reverse();
    let order = postorder.into_iter().filter_map(|block| {
        let seen = seen.get(&block).copied().unwrap_or_default();
        (seen.is_used || seen.is_fallthrough).then_some((block, seen.is_used))
    });
    order.collect()
}

/// Takes out updates, tests and handlers that are unreachable.
pub(super) fn remove_what_is_unreachable(nest: &mut HirFunction, function: ClosureId) {
    let order = nest.function(function).order.clone();
    for &id in &order {
        let Some(terminal) = nest.block(id).map(|block| block.terminal.clone()) else { continue };
        let is_there = |block: BlockId| nest.block(block).is_some();
        let replaced = match terminal {
            Terminal::For { init, test, update: Some(update), body, fallthrough } if !is_there(update) => {
                Terminal::For { init, test, update: None, body, fallthrough }
            }
            Terminal::DoWhile { body, test, .. } if !is_there(test) => Terminal::goto(body),
            Terminal::Try { block, handler, fallthrough, .. } if !is_there(handler) => {
                leave_try(nest, function, handler, fallthrough);
                Terminal::Goto { block, variant: GotoVariant::Break }
            }
            _ => continue,
        };
        if let Some(block) = nest.block_mut(id) {
            block.terminal = replaced;
        }
    }
}

/// The handler of a `try` has been dropped: so is what only it goes on to.
fn leave_try(nest: &mut HirFunction, function: ClosureId, handler: BlockId, fallthrough: BlockId) {
    let Some(block) = nest.block_mut(fallthrough) else { return };
    if block.predecessors == [handler] {
        nest.blocks[fallthrough.index()] = None;
        nest.functions[function.index()].order.retain(|&block| block != fallthrough);
    } else {
        block.predecessors.retain(|&block| block != handler);
    }
}

/// Numbers the instructions and terminals in order, from 1.
pub(super) fn number(nest: &mut HirFunction, function: ClosureId) {
    let mut next = 0;
    for index in 0..nest.function(function).order.len() {
        let id = nest.function(function).order[index];
        let Some(block) = nest.block_mut(id) else { continue };
        for instruction in &mut block.instructions {
            next += 1;
            instruction.order = next;
        }
        next += 1;
        block.terminal_order = next;
    }
}

/// Finds the predecessors of each block, in the order in which a depth-first walk comes along the edges.
pub(super) fn find_predecessors(nest: &mut HirFunction, function: ClosureId) {
    for index in 0..nest.function(function).order.len() {
        let id = nest.function(function).order[index];
        if let Some(block) = nest.block_mut(id) {
            block.predecessors.clear();
        }
    }
    let mut visited = HashSet::new();
    let mut edges = vec![(None, nest.function(function).entry)];
    while let Some((from, to)) = edges.pop() {
        let Some(block) = nest.block_mut(to) else { continue };
        block.predecessors.extend(from);
        if visited.insert(to) {
            let mut targets = HashSet::new();
            let mut successors = block.terminal.successors();
            // Two edges to one block make it one predecessor.
            successors.retain(|&block| targets.insert(block));
            edges.extend(successors.into_iter().rev().map(|block| (Some(to), block)));
        }
    }
}

//! Functions that are called where they are made.

use super::function::{Block, BlockId, ClosureId, HirFunction, Instruction, Place};
use super::merge::merge_consecutive_blocks;
use super::order;
use super::terminal::Terminal;
use super::value::{StoreKind, Value};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// Puts the blocks of functions without parameters, which are called at once, in the place of the call.
pub(super) fn inline_immediately_invoked(nest: &mut HirFunction) {
    let function = ClosureId::OUTERMOST;
    let mut blocks = nest.function(function).order.clone();
    let mut queue = blocks.clone();
    let mut candidates: HashMap<Place, ClosureId> = HashMap::new();
    let mut inlined = HashSet::new();
    let mut next = 0;
    while let Some(&id) = queue.get(next) {
        next += 1;
        let Some((at, closure)) = find_call(nest, id, &mut candidates) else { continue };
        let Some(block) = nest.block(id) else { continue };
        let Value::Call { callee, .. } = block.instructions[at].value else { continue };
        inlined.insert(callee);
        let rest = inline(nest, id, at, closure);
        blocks.push(rest);
        blocks.extend(nest.function(closure).order.iter().copied());
        queue.push(rest);
    }
    if inlined.is_empty() {
        return;
    }
    for &id in &blocks {
        if let Some(block) = nest.block_mut(id) {
            block.instructions.retain(|instruction| !inlined.contains(&instruction.place));
        }
    }
    order::reorder(nest, function, &blocks);
    order::number(nest, function);
    order::find_predecessors(nest, function);
    merge_consecutive_blocks(nest, function);
}

/// The first call in a block of a function that is used for nothing else so far.
fn find_call(
    nest: &mut HirFunction,
    id: BlockId,
    candidates: &mut HashMap<Place, ClosureId>,
) -> Option<(usize, ClosureId)> {
    let mut instructions =
        std::mem::take(&mut nest.block_mut(id).filter(|block| block.kind.holds_statements())?.instructions);
    let mut found = None;
    for (at, Instruction { place, value, .. }) in instructions.iter_mut().enumerate() {
        match value {
            Value::Function(closure) => {
                if nest.identifiers[place.index()].name.is_none() {
                    candidates.insert(*place, *closure);
                }
            }
            Value::Call { callee, arguments } => {
                let closure = candidates.get(callee).copied().filter(|_| arguments.is_empty());
                found = closure.map(|closure| (at, closure)).filter(|&(_, closure)| {
                    let function = nest.function(closure);
                    function.params.is_empty() && !function.is_async && !function.is_generator
                });
                if found.is_some() {
                    break;
                }
            }
            Value::ObjectMethod(closure) => {
                for place in &nest.function(*closure).context {
                    candidates.remove(place);
                }
            }
            value => value.operands(&mut |place| _ = candidates.remove(place)),
        }
    }
    if let Some(block) = nest.block_mut(id) {
        block.instructions = instructions;
    }
    found
}

/// Splits the block at the call, and lets control go through the blocks of the function; gives the block behind the call.
fn inline(nest: &mut HirFunction, id: BlockId, at: usize, closure: ClosureId) -> BlockId {
    let rest_id = BlockId(nest.blocks.len() as u32);
    let entry = nest.function(closure).entry;
    let body = nest.function(closure).order.clone();
    let has_one_exit = has_one_exit(nest, &body);
    let after =
        if has_one_exit { Terminal::goto(entry) } else { Terminal::Label { block: entry, fallthrough: rest_id } };
    let Some(block) = nest.block_mut(id) else { return id };
    let instructions = block.instructions.split_off(at + 1);
    let Some(call) = block.instructions.pop() else { return id };
    let terminal = std::mem::replace(&mut block.terminal, after);
    let (kind, terminal_order) = (block.kind, block.terminal_order);
    let rest = Block { kind, phis: Vec::new(), instructions, terminal, terminal_order, predecessors: Vec::new() };
    nest.blocks.push(Some(rest));
    if !has_one_exit {
        let place = nest.temporary();
        let value = Value::DeclareLocal { kind: StoreKind::Let, target: call.place };
        if let Some(block) = nest.block_mut(id) {
            block.instructions.push(Instruction { order: 0, place, value });
        }
        if nest.identifiers[call.place.index()].name.is_none() {
            nest.promote(call.place);
        }
    }
    for block in body {
        return_to(nest, block, rest_id, call.place, has_one_exit);
    }
    rest_id
}

/// A block that returns leaves its value in `result`, and goes on at `rest`.
fn return_to(nest: &mut HirFunction, id: BlockId, rest: BlockId, result: Place, is_only_exit: bool) {
    let Some(Block { terminal: Terminal::Return { value, .. }, .. }) = nest.block(id) else {
        if let Some(block) = nest.block_mut(id) {
            block.predecessors.clear();
        }
        return;
    };
    let value = *value;
    let (place, value) = if is_only_exit {
        (result, Value::LoadLocal { place: value })
    } else {
        (nest.temporary(), Value::StoreLocal { kind: StoreKind::Reassign, target: result, value })
    };
    if let Some(block) = nest.block_mut(id) {
        block.predecessors.clear();
        block.instructions.push(Instruction { order: 0, place, value });
        block.terminal = Terminal::goto(rest);
    }
}

fn has_one_exit(nest: &HirFunction, body: &[BlockId]) -> bool {
    let terminals = body.iter().filter_map(|&block| nest.block(block)).map(|block| &block.terminal);
    let exits: Vec<_> =
        terminals.filter(|terminal| matches!(terminal, Terminal::Return { .. } | Terminal::Throw { .. })).collect();
    matches!(&*exits, [Terminal::Return { .. }])
}

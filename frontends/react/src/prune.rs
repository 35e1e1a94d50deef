//! Instructions that cannot throw do not lead to a handler.

use super::function::{ClosureId, HirFunction, Instruction};
use super::merge::merge_consecutive_blocks;
use super::order;
use super::terminal::Terminal;
use super::value::Value;

/// Ends blocks of the outermost function that cannot throw by a jump, and drops handlers that this leaves unreachable.
pub(super) fn prune_maybe_throws(nest: &mut HirFunction) {
    let function = ClosureId::OUTERMOST;
    let blocks = nest.function(function).order.clone();
    let mut has_changed = false;
    for &id in &blocks {
        let Some(block) = nest.block_mut(id) else { continue };
        if let Terminal::MaybeThrow { continuation, .. } = block.terminal
            && !block.instructions.iter().any(may_throw)
        {
            block.terminal = Terminal::goto(continuation);
            has_changed = true;
        }
    }
    if has_changed {
        order::reorder(nest, function, &blocks);
        order::remove_what_is_unreachable(nest, function);
        order::number(nest, function);
        merge_consecutive_blocks(nest, function);
    }
}

fn may_throw(instruction: &Instruction) -> bool {
    !matches!(instruction.value, Value::Primitive(_) | Value::Array(_) | Value::Object(_))
}

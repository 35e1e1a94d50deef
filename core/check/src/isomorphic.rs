//! Isomorphism of functions in SSA form: equality up to the names of values.
//!
//! They are if their graphs are equal, block by block and edge by edge, and the
//! values of one correspond one to one with those of the other such that
//! - the k-th event of a block corresponds to the k-th event of that block, a definition to a definition, a use to a
//!   use;
//! - a phi corresponds to a phi of the same block, and its k-th operand to the k-th operand.
//!
//! The phis of a block may be listed in any order.
//!
//! The values that events need, directly or through phis, are matched through their uses: that part of the
//! correspondence is forced, so the answer is exact for pruned forms. Dead phis are matched afterwards, block by block,
//! by the operands that are matched already. Those of one block that differ only in the dead phis that they read, or in
//! globals that nothing else needs, are matched in the order in which they are listed. So the answer for a form with
//! such dead phis may be a difference although another matching exists; forms that are found the same always are.
//!
//! Unreachable code is not compared: neither the phis and events of unreachable blocks nor the operands whose edge
//! leaves one.
//!
//! # Complexity
//! O(*n* + *e* + values + events + operands), plus sorting the dead phis of
//! each block. No recursion.

mod dead;
mod difference;
mod matching;

pub use difference::{Difference, Place};

use crate::reach::Reachable;
use matching::Matching;
use ssaphire_graph::{Block, Cfg, SsaForm, Value};

/// Checks that `first` and `second` differ only in the names of values; the k-th global of one corresponds to the k-th
/// of the other.
///
/// One of them may have more globals than the other, as long as no reachable code needs them.
///
/// # Errors
/// The first difference found: events by block, then phis as the uses lead to them, then dead phis.
pub fn isomorphic(first: &impl SsaForm, second: &impl SsaForm) -> Result<(), Difference> {
    compare(first, second, true, &mut |_, _| false)
}

/// Like [`isomorphic`], but a function decides which globals are the same; it is called once for each pair that would
/// have to correspond.
///
/// For hosts that create constants or undefined values on demand, in any order.
///
/// # Errors
/// As [`isomorphic`].
pub fn isomorphic_by(
    first: &impl SsaForm,
    second: &impl SsaForm,
    mut same_global: impl FnMut(Value, Value) -> bool,
) -> Result<(), Difference> {
    compare(first, second, false, &mut same_global)
}

fn compare(
    first: &impl SsaForm,
    second: &impl SsaForm,
    globals_by_position: bool,
    same_global: &mut dyn FnMut(Value, Value) -> bool,
) -> Result<(), Difference> {
    compare_graphs(first, second)?;
    let reachable = Reachable::new(first);
    let mut matching = Matching::new(first, second, &reachable, same_global);
    if globals_by_position {
        matching.match_globals()?;
    }
    matching.match_events()?;
    matching.follow_operands()?;
    matching.match_dead_phis()
}

/// Checks that the graphs are equal: the same ids, and the same edges in the same order at both ends.
fn compare_graphs(first: &impl Cfg, second: &impl Cfg) -> Result<(), Difference> {
    if first.num_blocks() != second.num_blocks() {
        return Err(Difference::NumBlocks { first: first.num_blocks(), second: second.num_blocks() });
    }
    if first.entry() != second.entry() {
        return Err(Difference::Entry { first: first.entry(), second: second.entry() });
    }
    for block in (0..first.num_blocks()).map(Block::new) {
        if !first.successors(block).eq(second.successors(block)) {
            return Err(Difference::Successors { block });
        }
        if !first.predecessors(block).eq(second.predecessors(block)) {
            return Err(Difference::Predecessors { block });
        }
    }
    Ok(())
}

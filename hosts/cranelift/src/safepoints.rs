//! Stack maps: references that are live across calls are kept in stack slots.
//!
//! A collector finds them there, and may move the objects that they refer to.
//! So a reference that is live across a call is stored at its definition, each
//! call lists the slots of the references live across it, and uses after a call
//! load the reference again. This inserts code far from the uses, so it runs on
//! the complete function.
//!
//! | step | here |
//! |---|---|
//! | a reference passed after a call along its edges is reloaded in a block of its own | `edges` |
//! | liveness | [`Liveness`] |
//! | the references that are live across each call | `across` |
//! | slots, shared by references that are never live at the same time | `slots` |
//! | stores after definitions, loads before uses, stack maps | `rewrite` |
//!
//! # Complexity
//! That of `Liveness`, plus O(size of the function + entries of all stack maps
//! + blocks · slots).

mod across;
mod edges;
mod rewrite;
mod slots;

use crate::form::CraneliftForm;
use crate::versions::SlotAccess;
use across::Across;
use cranelift_codegen::entity::EntitySet;
use cranelift_codegen::ir::{Function, Value};
use ssaphire::graph::{DominatorTree, Liveness};

/// Gives calls their stack maps, which list the references live across them.
pub(crate) fn add_stack_maps(func: &mut Function, references: &EntitySet<Value>, access: &SlotAccess<'_>) {
    let mut resolved = EntitySet::new();
    for value in references.iter() {
        resolved.insert(func.dfg.resolve_aliases(value));
    }
    let references = resolved;
    edges::split(func, &references);
    let Some(form) = CraneliftForm::new(func) else { return };
    let dominators = DominatorTree::new(form.cfg());
    let live = Liveness::of_values(&form, form.cfg(), dominators.order());
    let across = Across::find(func, &references, &live, &dominators);
    let slot_of = slots::assign(func, &across, &live, &dominators);
    rewrite::Rewriting::new(func, &across, &slot_of, access).run();
}

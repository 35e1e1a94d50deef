//! Stack maps: references that live across calls are kept in stack slots.
//!
//! A collector finds them there, and may move what they refer to. So a
//! reference that lives across a call is stored where it is defined, each call
//! names the slots of those that live across it, and what is used after a call is
//! loaded again. References are used at other places than they are defined, so
//! this is done when the function is there as a whole.
//!
//! | step | here |
//! |---|---|
//! | a reference handed over after a call on its edges is loaded in a block of its own | `edges` |
//! | what is live where | [`Liveness`] |
//! | which references live across which calls | `across` |
//! | slots, one for several references if they never live at once | `slots` |
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

/// Gives calls their stack maps: those of the references that live across them.
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

//! The stack slot of each reference: greedy coloring in dominance order.
//!
//! At the definition of a reference, all references live there have their
//! slots, since their definitions dominate this point. So the reference takes
//! any free slot of its size, and there are never more slots than references
//! live at once.

use super::across::Across;
use crate::ids;
use alloc::vec::Vec;
use cranelift_codegen::entity::SecondaryMap;
use cranelift_codegen::entity::packed_option::PackedOption;
use cranelift_codegen::ir::{self, Function, StackSlot, StackSlotData, StackSlotKind, Value};
use ssaphire::graph::{DominatorTree, Liveness};

/// By reference, its slot if it is spilled.
pub(super) type SlotOf = SecondaryMap<Value, PackedOption<StackSlot>>;

/// Sizes are powers of two up to 16 bytes.
const NUM_SIZES: usize = 5;

/// The slots of one size, in creation order.
#[derive(Debug, Default)]
struct Slots {
    all: Vec<StackSlot>,
    /// The slots that are free at the point of the walk.
    free: Vec<StackSlot>,
}

#[derive(Debug)]
struct Coloring<'a> {
    func: &'a mut Function,
    across: &'a Across,
    sizes: [Slots; NUM_SIZES],
    slot_of: SlotOf,
    /// By slot, the number of the block at whose top it was last occupied.
    taken: SecondaryMap<StackSlot, u32>,
    num_blocks: u32,
}

/// Creates the slots, and assigns one to each spilled reference.
pub(super) fn assign(
    func: &mut Function,
    across: &Across,
    live: &Liveness<ssaphire::Value>,
    dominators: &DominatorTree,
) -> SlotOf {
    let (sizes, slot_of, taken) = <(_, SlotOf, _)>::default();
    let mut coloring = Coloring { func, across, sizes, slot_of, taken, num_blocks: 0 };
    for &block in dominators.preorder() {
        let live_in = live.live_in(block).iter().map(|&id| ids::clif_value(id));
        coloring.begin(live_in);
        coloring.walk(ids::clif_block(block));
    }
    coloring.slot_of
}

impl Coloring<'_> {
    /// Moves to the top of a block, where these values are live.
    fn begin(&mut self, live_in: impl Iterator<Item = Value>) {
        self.num_blocks += 1;
        for value in live_in {
            if let Some(slot) = self.slot_of[value].expand() {
                self.taken[slot] = self.num_blocks;
            }
        }
        for Slots { all, free } in &mut self.sizes {
            free.clear();
            // The oldest free slot is taken next.
            free.extend(all.iter().rev().filter(|&&slot| self.taken[slot] != self.num_blocks));
        }
    }

    fn walk(&mut self, block: ir::Block) {
        for index in 0..self.func.dfg.num_block_params(block) {
            self.define(self.func.dfg.block_params(block)[index]);
        }
        let mut next = self.func.layout.first_inst(block);
        while let Some(inst) = next {
            next = self.func.layout.next_inst(inst);
            for &used in &self.across.last_used[inst] {
                if let Some(slot) = self.slot_of[used].expand() {
                    self.sizes[self.size_of(used)].free.push(slot);
                }
            }
            for index in 0..self.func.dfg.inst_results(inst).len() {
                self.define(self.func.dfg.inst_results(inst)[index]);
            }
        }
    }

    fn size_of(&self, value: Value) -> usize {
        self.func.dfg.value_type(value).bytes().trailing_zeros() as usize
    }

    fn define(&mut self, value: Value) {
        if !self.across.spilled.contains(value) {
            return;
        }
        let size = self.size_of(value);
        let slot = self.sizes[size].free.pop().unwrap_or_else(|| {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 1 << size, size as u8);
            let slot = self.func.create_sized_stack_slot(data);
            self.sizes[size].all.push(slot);
            slot
        });
        self.slot_of[value] = slot.into();
    }
}

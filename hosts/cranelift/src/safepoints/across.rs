//! Which references live across which calls.

use crate::ids;
use alloc::vec::Vec;
use cranelift_codegen::entity::{EntitySet, SecondaryMap};
use cranelift_codegen::ir::{Function, Inst, Value};
use ssaphire::graph::{DominatorTree, Liveness};

/// The references that live across calls.
#[derive(Debug, Default)]
pub(super) struct Across {
    /// References that live across a call anywhere.
    pub(super) spilled: EntitySet<Value>,
    /// By call, those that live across it, by number.
    pub(super) of_call: SecondaryMap<Inst, Vec<Value>>,
    /// By instruction, the references it uses last in its block, and that are not live at its end.
    pub(super) last_used: SecondaryMap<Inst, Vec<Value>>,
}

impl Across {
    pub(super) fn find(
        func: &Function,
        references: &EntitySet<Value>,
        live: &Liveness<ssaphire::Value>,
        dominators: &DominatorTree,
    ) -> Self {
        let mut across = Self::default();
        let mut set = LiveSet::default();
        for &block in dominators.preorder() {
            set.clear();
            let ids = live.live_out(block).iter().filter(|id| id.index() < func.dfg.num_values());
            for value in ids.map(|&id| ids::clif_value(id)) {
                if references.contains(value) {
                    set.insert(value);
                }
            }
            let mut next = func.layout.last_inst(ids::clif_block(block));
            while let Some(inst) = next {
                across.step_back(func, references, &mut set, inst);
                next = func.layout.prev_inst(inst);
            }
        }
        across
    }

    fn step_back(&mut self, func: &Function, references: &EntitySet<Value>, set: &mut LiveSet, inst: Inst) {
        for &result in func.dfg.inst_results(inst) {
            set.remove(result);
        }
        if func.dfg.insts[inst].opcode().is_safepoint() {
            let mut live = set.values.clone();
            live.sort_unstable();
            for &value in &live {
                self.spilled.insert(value);
            }
            self.of_call[inst] = live;
        }
        for &used in func.dfg.inst_args(inst) {
            let used = func.dfg.resolve_aliases(used);
            if references.contains(used) && set.insert(used) {
                self.last_used[inst].push(used);
            }
        }
    }
}

/// The references that are live at some place.
#[derive(Debug, Default)]
struct LiveSet {
    values: Vec<Value>,
    /// By value, one more than its place; 0 for those that are not live.
    place: SecondaryMap<Value, u32>,
}

impl LiveSet {
    fn clear(&mut self) {
        for value in self.values.drain(..) {
            self.place[value] = 0;
        }
    }

    /// Whether the value was not there.
    fn insert(&mut self, value: Value) -> bool {
        if self.place[value] != 0 {
            return false;
        }
        self.values.push(value);
        self.place[value] = self.values.len() as u32;
        true
    }

    fn remove(&mut self, value: Value) {
        let place = core::mem::take(&mut self.place[value]) as usize;
        if place == 0 {
            return;
        }
        self.values.swap_remove(place - 1);
        if let Some(&moved) = self.values.get(place - 1) {
            self.place[moved] = place as u32;
        }
    }
}

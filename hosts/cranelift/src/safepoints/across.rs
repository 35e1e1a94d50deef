//! The references that are live across each call.

use crate::ids;
use alloc::vec::Vec;
use cranelift_codegen::entity::{EntitySet, SecondaryMap};
use cranelift_codegen::ir::{Function, Inst, Value};
use ssaphire::graph::{DominatorTree, Liveness};

/// The references that are live across calls.
#[derive(Debug, Default)]
pub(super) struct Across {
    /// References that are live across any call.
    pub(super) spilled: EntitySet<Value>,
    /// By call, the references live across it, in order of number.
    pub(super) of_call: SecondaryMap<Inst, Vec<Value>>,
    /// By instruction, the references whose last use in the block it is, and that are not live-out.
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

/// The references that are live at one point.
#[derive(Debug, Default)]
struct LiveSet {
    values: Vec<Value>,
    /// By value, its place plus one, or 0 if it is not live.
    place: SecondaryMap<Value, u32>,
}

impl LiveSet {
    fn clear(&mut self) {
        for value in self.values.drain(..) {
            self.place[value] = 0;
        }
    }

    /// Inserts the value; returns whether it was absent.
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

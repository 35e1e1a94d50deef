//! Stores after definitions, loads before uses, and the stack maps.
//!
//! Between two calls of a block, one load serves all uses. Before the first
//! call, the definition does, if it is in the block.

use super::across::Across;
use super::slots::SlotOf;
use crate::versions::SlotAccess;
use alloc::vec::Vec;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::entity::SecondaryMap;
use cranelift_codegen::ir::{Block, Function, Inst, UserStackMapEntry, Value};

pub(super) struct Rewriting<'a> {
    func: &'a mut Function,
    across: &'a Across,
    slot_of: &'a SlotOf,
    access: &'a SlotAccess<'a>,
    /// By reference, the value that contains it, and the call since which that is valid.
    held: SecondaryMap<Value, Option<(Value, u32)>>,
    /// Number of calls and blocks passed so far.
    now: u32,
}

impl<'a> Rewriting<'a> {
    pub(super) fn new(
        func: &'a mut Function,
        across: &'a Across,
        slot_of: &'a SlotOf,
        access: &'a SlotAccess<'a>,
    ) -> Self {
        Self { func, across, slot_of, access, held: SecondaryMap::new(), now: 0 }
    }

    /// Rewrites all blocks of the function.
    pub(super) fn run(mut self) {
        let blocks: Vec<Block> = self.func.layout.blocks().collect();
        for block in blocks {
            self.rewrite(block);
        }
    }

    fn rewrite(&mut self, block: Block) {
        self.now += 1;
        let mut next = self.func.layout.first_inst(block);
        let params = self.func.dfg.block_params(block).to_vec();
        if let Some(first) = next {
            self.store_each(&params, |cursor| cursor.at_inst(first));
        }
        while let Some(inst) = next {
            next = self.func.layout.next_inst(inst);
            self.load_arguments(inst);
            if self.func.dfg.insts[inst].opcode().is_safepoint() {
                self.add_map(inst);
                self.now += 1;
            }
            let results = self.func.dfg.inst_results(inst).to_vec();
            self.store_each(&results, |cursor| match next {
                Some(next) => cursor.at_inst(next),
                None => cursor.at_bottom(block),
            });
        }
    }

    /// Stores the spilled references among `values`, whose definitions are right before `place`.
    fn store_each(&mut self, values: &[Value], place: impl for<'f> Fn(FuncCursor<'f>) -> FuncCursor<'f>) {
        for &value in values {
            let Some(slot) = self.slot_of[value].expand() else { continue };
            self.access.store(place(FuncCursor::new(self.func)), value, slot);
            self.held[value] = Some((value, self.now));
        }
    }

    /// Replaces the spilled references among the arguments with their current values.
    fn load_arguments(&mut self, inst: Inst) {
        let values: Vec<Value> =
            self.func.dfg.inst_values(inst).map(|value| self.func.dfg.resolve_aliases(value)).collect();
        if values.iter().all(|&value| self.slot_of[value].is_none()) {
            return;
        }
        for &value in &values {
            self.load(value, inst);
        }
        let current = values.into_iter().map(|value| match (self.slot_of[value].expand(), self.held[value]) {
            (Some(_), Some((held, _))) => held,
            _ => value,
        });
        self.func.dfg.overwrite_inst_values(inst, current.collect::<Vec<_>>().into_iter());
    }

    /// Loads the reference before `inst`, unless a value contains it already.
    fn load(&mut self, value: Value, inst: Inst) {
        let Some(slot) = self.slot_of[value].expand() else { return };
        if self.held[value].is_some_and(|(_, since)| since == self.now) {
            return;
        }
        let ty = self.func.dfg.value_type(value);
        let srcloc = self.func.srcloc(inst);
        let cursor = FuncCursor::new(self.func).at_inst(inst).with_srcloc(srcloc);
        let loaded = self.access.load(cursor, ty, slot);
        self.held[value] = Some((loaded, self.now));
    }

    fn add_map(&mut self, call: Inst) {
        for &value in &self.across.of_call[call] {
            let Some(slot) = self.slot_of[value].expand() else { continue };
            let ty = self.func.dfg.value_type(value);
            self.func.dfg.append_user_stack_map_entry(call, UserStackMapEntry { ty, slot, offset: 0 });
        }
    }
}

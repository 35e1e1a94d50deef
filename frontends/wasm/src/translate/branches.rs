//! Branches and returns.

use super::{Outcome, Translation, bare};
use crate::dialect::Opcode;
use ssaphire::SsaBuilder;
use wasmparser::BrTable;

impl<B: SsaBuilder> Translation<'_, '_, B> {
    pub(super) fn br(&mut self, depth: u32) -> Outcome {
        let frame = self.frame_at(depth)?;
        let target = self.branch_target(frame)?;
        self.jump(target)
    }

    /// The carried values are written before the branch; if the branch is not taken, nothing reads them.
    pub(super) fn br_if(&mut self, depth: u32) -> Outcome {
        let condition = self.pop()?;
        let frame = self.frame_at(depth)?;
        let target = self.branch_target(frame)?;
        let next = self.builder.create_block();
        self.builder.terminate(bare(Opcode::BrIf), &[condition], &[target, next])?;
        self.builder.seal(next)?;
        self.enter(next)
    }

    /// A label that is named twice gets two edges.
    pub(super) fn br_table(&mut self, table: &BrTable<'_>) -> Outcome {
        let index = self.pop()?;
        self.spend(table.len() as usize)?;
        let mut targets = std::mem::take(&mut self.scratch.targets);
        targets.clear();
        for depth in table.targets().chain([Ok(table.default())]) {
            let frame = self.frame_at(depth?)?;
            // The values carried to a label are written once, however often the table names it.
            let is_written = self.scratch.frames[frame].written_at == self.offset;
            self.scratch.frames[frame].written_at = self.offset;
            let target = if is_written { self.label(frame) } else { self.branch_target(frame)? };
            targets.push(target);
        }
        self.builder.terminate(bare(Opcode::BrTable), &[index], &targets)?;
        self.scratch.targets = targets;
        Ok(())
    }

    /// Returns the topmost operands, one for each result of the function.
    pub(super) fn return_values(&mut self) -> Outcome {
        let count = self.module.function_type(self.index).map_or(0, |ty| ty.results().len());
        let rest = self.scratch.stack.len().saturating_sub(count);
        self.builder.terminate(bare(Opcode::Return), &self.scratch.stack[rest..], &[])?;
        self.scratch.stack.truncate(rest);
        Ok(())
    }
}
